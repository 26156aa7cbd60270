/** What is seen of an incident on a route: whether an alert of it is due to be sent, and if not, why. */
import {
  dayAfter,
  inForce,
  meets,
  reachedAt,
  runsOn,
  type Trip,
  tripOn,
  tripSpan,
} from '#contract/departures.ts';
import { severityRank } from '#contract/disruptions.ts';
import { londonDay } from '#contract/london.ts';
import { knownSource } from '#contract/sources.ts';
import type { AlertWatch, Touch } from '../db/alerts.ts';
import type { Sight } from './alerts.ts';
import type { Look } from './look.ts';

/** Before a departure. */
export const AROUND_MS = 120 * 60_000;

/** What is seen of an incident on this route, and why no alert is sent although it touches it. */
export function sightOf(
  touch: Touch,
  watch: AlertWatch,
  trips: readonly Trip[] | null,
  look: Look,
): { sight: Sight; held?: string } {
  const out: Sight = { seen: 'out' };
  const { source, severity, level, ended_at, ended_reason } = touch;
  if (source === null || severity === null) return { sight: out };
  const isSilent = look.conditionOf(source).freshness === 'stale';
  if (ended_at !== null) {
    if (ended_reason !== 'expired') return { sight: { seen: 'ended' } };
    return { sight: isSilent ? { seen: 'unknown' } : out };
  }
  if (level === null) return { sight: isSilent ? { seen: 'unknown' } : out };
  if (isSilent) return { sight: { seen: 'unknown' } };
  const { threshold } = watch.tellMe;
  if (threshold === 'nothing') return { sight: out };
  if (look.demoted.has(source))
    return { sight: out, held: `Held: ${knownSource(source).displayName} is demoted to possible` };
  if (level !== 'certain') return { sight: out, held: 'Held: possible, not certain' };
  if (touch.phase === 'planned') return { sight: out, held: 'Held: planned, not yet in force' };
  if (severityRank(severity) > severityRank(threshold))
    return { sight: out, held: 'Held: below your threshold' };
  if (trips && !trips.some((trip) => concerns(trip, touch, look.at)))
    return { sight: out, held: 'Held: no departure is near' };
  return { sight: { seen: 'there', severity, isUrgent: look.urgent.has(touch.event_id) } };
}

/** Vehicles between two hours before they leave and their arrival; null: at all times. */
export function tripsAround(
  { departures, tellMe, length_km }: Pick<AlertWatch, 'departures' | 'tellMe' | 'length_km'>,
  at: Date,
): Trip[] | null {
  if (departures.length === 0 || tellMe.around_departures === false) return null;
  const today = londonDay(at);
  return [-2, -1, 0, 1]
    .map((ahead) => dayAfter(today, ahead))
    .flatMap((day) => departures.filter((one) => runsOn(one, day)).map((one) => tripOn(one, day, length_km)))
    .filter(
      ({ leaves, arrives }) =>
        leaves.getTime() - AROUND_MS <= at.getTime() && at.getTime() < arrives.getTime(),
    );
}

/** In force when the vehicle is there, and the vehicle is not long past it. */
function concerns(trip: Trip, { from_km, to_km, start_time, end_time, phase }: Touch, at: Date): boolean {
  const span = tripSpan(trip, from_km, to_km);
  return span.to > at.getTime() && meets(inForce({ start_time, end_time }, phase === 'planned', at), span);
}

export function nextReached(trips: readonly Trip[] | null, touch: Touch | undefined, at: Date): Date | null {
  if (!trips || !touch || touch.from_km === null) return null;
  const times = trips
    .filter((trip) => concerns(trip, touch, at))
    .map((trip) => reachedAt(trip, touch.from_km!))
    .filter((time) => time >= at);
  return times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}
