import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { MapEvent } from '../api/events.ts';
import type { Incident } from './useIncidents.ts';

type Selected = { kind: 'event' | 'incident'; id: string } | null;

/** The one event or disruption that is selected on the map and beside it. Selecting it again deselects it, and so does
 *  Escape, and an answer without it. */
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
  const [selected, setSelected] = useState<Selected>(null);
  const event =
    selected?.kind === 'event' ? events.find((one) => one.performance_id === selected.id) : undefined;
  const incident =
    selected?.kind === 'incident' ? incidents.find(({ alert }) => alert.event_id === selected.id) : undefined;

  const isAnswered = selected?.kind === 'event' ? eventsAnswered : incidentsAnswered;
  if (selected && isAnswered && !event && !incident) setSelected(null);

  const select = useCallback(
    (kind: 'event' | 'incident', id: string) =>
      setSelected((now) => (now?.kind === kind && now.id === id ? null : { kind, id })),
    [],
  );
  const clear = () => setSelected(null);
  useEscape(selected ? clear : null);

  return {
    event,
    incident,
    id: event?.performance_id ?? incident?.alert.event_id ?? null,
    selectEvent: useCallback((id: string) => select('event', id), [select]),
    selectIncident: useCallback((id: string) => select('incident', id), [select]),
    clear,
  };
}

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
