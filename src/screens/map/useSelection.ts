import { useEffect, useEffectEvent } from 'react';
import type { MapEvent } from '../../api/places/events.ts';
import { type Selected, setSelected, useMapFilters } from './mapFilters.ts';
import type { Incident } from './incidents/useIncidents.ts';

/** The one event or disruption that is selected on the map and beside it, and named in the address. Selecting it again
 *  deselects it, and so does Escape, and an answer without it. */
export function useSelection({
  events,
  eventsAnswered,
  incidents,
  incidentsAnswered,
}: {
  events: readonly MapEvent[];
  /** These are the whole answer for the view. */
  eventsAnswered: boolean;
  incidents: readonly Incident[];
  incidentsAnswered: boolean;
}) {
  const selected = useMapFilters((filters) => filters.selected);
  const event =
    selected?.kind === 'event' ? events.find((one) => one.performance_id === selected.id) : undefined;
  const incident =
    selected?.kind === 'alert' ? incidents.find(({ alert }) => alert.event_id === selected.id) : undefined;

  const isAnswered = selected?.kind === 'event' ? eventsAnswered : incidentsAnswered;
  const isGone = selected !== null && isAnswered && !event && !incident;
  useEffect(() => {
    if (isGone) clear();
  }, [isGone]);
  useEscape(selected ? clear : null);

  return {
    event,
    incident,
    id: event?.performance_id ?? incident?.alert.event_id ?? null,
  };
}

const select = (kind: NonNullable<Selected>['kind'], id: string) => {
  const { selected } = useMapFilters.getState();
  setSelected(selected?.kind === kind && selected.id === id ? null : { kind, id });
};
export const selectEvent = (id: string) => select('event', id);
export const selectIncident = (id: string) => select('alert', id);
const clear = () => setSelected(null);

/** Calls `act` on Escape, unless a component has handled the key itself and prevented its default. */
function useEscape(act: (() => void) | null) {
  const escape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) act?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => escape(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
