/** Changes sources expect at a stated time in the next hours: incidents that end or begin, and crowds that go home. */
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import type { NextUp } from '#contract/feeds/feeds.ts';
import type { Leaving } from '../geography/events/crowds.ts';
import { statedEnd } from '../incidents/facts/expectedClear.ts';

/** A board that is a few hours old still knows what comes next. */
export const NEXT_UP_MS = 24 * 60 * 60_000;

/** Soonest first. `incidents` can hold the same one twice. Nothing is guessed: without a stated time it is left out. */
export function nextUp(incidents: readonly Disruption[], events: readonly Leaving[], now: Date): NextUp[] {
  const byId = new Map(incidents.map((incident) => [incident.event_id, incident]));
  const until = now.getTime() + NEXT_UP_MS;
  const isSoon = ({ at }: NextUp) => Date.parse(at) > now.getTime() && Date.parse(at) <= until;
  return [...[...byId.values()].flatMap(ofIncident), ...events.map(ofEvent)]
    .filter(isSoon)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || (one.place < other.place ? -1 : 1));
}

function ofIncident(incident: Disruption): NextUp[] {
  // The alert that stands for it says the same.
  if (incident.see) return [];
  const { event_id, severity, start_time, facts, title } = incident;
  const common = { event_id, severity, place: facts?.place ?? title };
  if (isPlanned(incident)) {
    return start_time ? [{ ...common, at: start_time, kind: 'begins', what: beginning(incident) }] : [];
  }
  const at = statedEnd(incident);
  if (!at) return [];
  return [
    isOfRail(incident)
      ? { ...common, at, kind: 'opens', what: 'expected open' }
      : { ...common, at, kind: 'clears', what: 'expected clear' },
  ];
}

const isOfRail = ({ event_type, facts }: Disruption) =>
  event_type.startsWith('rail.') && /^(?:closed|no trains)\b/.test(facts?.effect ?? '');

/** The kind, too: "Wales" and "begins" would leave a reader asking. */
function beginning({ event_type, facts }: Disruption): string {
  const { effect, cause } = facts ?? {};
  if (/^(?:weather|flood)\./.test(event_type))
    return effect && /\b(?:warning|alert)$/.test(effect) ? `${effect} begins` : 'warning begins';
  if (event_type === 'road.roadworks') return 'roadworks begin';
  if (/work|maintenance|resurfacing/.test(cause ?? ''))
    return event_type.startsWith('road.') ? 'roadworks begin' : 'works begin';
  if (cause === 'demonstration') return 'demonstration begins';
  return /^(?:part )?closed\b|^no (?:service|trains)\b/.test(effect ?? '') ? 'closure begins' : 'begins';
}

const ofEvent = ({ event_id, end_datetime, capacity, venue_name, name }: Leaving): NextUp => ({
  event_id,
  severity: null,
  at: end_datetime,
  kind: 'leaves',
  place: venue_name ?? name,
  what: `${capacity.toLocaleString('en-GB')} leave`,
});
