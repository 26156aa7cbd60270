/** The time for which a dispatcher asks what touches a route, and whether a report falls into it. */
import {
  crowdTimes,
  hoursFrom,
  inForce,
  meets,
  nextTrip,
  NOW_HOURS,
  type Span,
  type Trip,
  tripSpan,
  wholeDay,
} from '#contract/departures.ts';
import { isPlanned } from '#contract/disruptions.ts';
import type { Alert } from '../api/disruptions.ts';
import type { MapEvent } from '../api/events.ts';
import type { Brief, ListedWatch } from '../api/watches.ts';

/** `departure`: of each route its next one, or the one that is chosen by its id. `day`: as `2026-11-22`. */
export type Window =
  | { kind: 'now' }
  | { kind: 'hours' }
  | { kind: 'departure'; id: string | null }
  | { kind: 'date'; day: string };

export const NEXT_DEPARTURE: Window = { kind: 'departure', id: null };

const NEXT_HOURS = 12;

/** The next vehicle, or that of the departure which the window names; null without departures. */
export function tripOf(
  { departures, length_km }: Pick<ListedWatch, 'departures' | 'length_km'>,
  window: Window,
  now: Date,
): Trip | null {
  const chosen = departures.filter(({ id }) => window.kind === 'departure' && id === window.id);
  return nextTrip(chosen.length > 0 ? chosen : departures, length_km, now);
}

/** When it matters what happens between these kilometres. */
function spanOf(
  window: Window,
  trip: Trip | null,
  { from_km, to_km }: { from_km: number | null; to_km: number | null },
  now: Date,
): Span {
  if (trip && window.kind === 'departure') return tripSpan(trip, from_km, to_km);
  if (window.kind === 'date') return wholeDay(window.day);
  return hoursFrom(now, window.kind === 'hours' ? NEXT_HOURS : NOW_HOURS);
}

/** Whether what is reported there falls into the window. What is not known counts: it must not vanish. */
export function isInWindow(
  { match, alert, event }: Touch,
  window: Window,
  trip: Trip | null,
  now: Date,
): boolean {
  const span = spanOf(window, trip, match, now);
  if (alert) return meets(inForce(alert, isPlanned(alert), now), span);
  if (!event) return true;
  const crowds = crowdTimes(event);
  return crowds.length === 0 || crowds.some((crowd) => meets(crowd, span));
}

/** Something that touches a route, with what is known of it. */
export interface Touch {
  match: Brief;
  alert: Alert | null;
  event: MapEvent | null;
}
