/** The state of an incident on a route: whether an alert is due, and if not, why. */
import {
  counts,
  countingTrips,
  inForce,
  liesAhead,
  mayBeBehind,
  metAt,
  type Trip,
} from '#contract/watches/departures.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { londonDay } from '#contract/london.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { LeftOut } from '#contract/watches/whichIncidents.ts';
import type { AlertWatch, Touch } from './alertStore.ts';
import { isDemoted } from '../../watches/matching/demotedMatch.ts';
import type { Sight } from './alertStates.ts';
import type { Look } from '../outbox/notifierRun.ts';
import type { Reached } from './messageWords.ts';

/** The state of an incident on this route, and the reason why no alert is sent although it touches the route.
 *  `isBelow`: the reason is its severity. `leftOut`: the route does not let it through, and so it is no part of the
 *  route. */
export function sightOf(
  touch: Touch,
  watch: AlertWatch,
  { trips, leftOut }: { trips: readonly Trip[] | null; leftOut: LeftOut | null },
  look: Look,
): { sight: Sight; held?: string; isBelow?: boolean } {
  const out: Sight = { seen: 'out' };
  const { source, severity, level, ended_at } = touch;
  if (source === null || severity === null) return { sight: out };
  // If an incident was given up, it has ended for the route as well: nothing is known of it any more.
  if (ended_at !== null) return { sight: { seen: 'ended' } };
  if (look.conditionOf(source).freshness === 'stale') return { sight: { seen: 'unknown' } };
  if (level === null) return { sight: out };
  if (leftOut !== null) return { sight: out, isBelow: leftOut === 'grade' };
  const { threshold } = watch.tellMe;
  if (threshold === 'nothing') return { sight: out };
  if (isDemoted(look.demoted, watch.team_id, source))
    return { sight: out, held: `Held: ${knownSource(source).displayName} is demoted to possible` };
  // An alert needs a certain match. Possible matches are listed on the route's page, and messages say how many there
  // are.
  if (level !== 'certain') return { sight: out };
  if (touch.phase === 'planned') return { sight: out, held: 'Held: planned, not yet in force' };
  if (severityRank(severity) > severityRank(threshold))
    return { sight: out, held: 'Held: below your threshold', isBelow: true };
  if (trips && !trips.some((trip) => concerns(trip, touch, look.at)))
    return { sight: out, held: 'Held: no departure is near' };
  return { sight: { seen: 'there', severity, isUrgent: look.urgent.has(touch.event_id) } };
}

/** The vehicles that count; null: the route matters at all times. Jobs restrict nothing: a route without departures
 *  matters at all times, also on a day with jobs. */
export function tripsAround(
  { departures, tellMe, length_km }: Pick<AlertWatch, 'departures' | 'tellMe' | 'length_km'>,
  at: Date,
  jobs: readonly Trip[] = [],
): Trip[] | null {
  if (departures.length === 0 || tellMe.around_departures === false) return null;
  return [...countingTrips(departures, length_km, at), ...jobs.filter((trip) => counts(trip, at))];
}

export const concerns = (trip: Trip, touch: Touch, at: Date): boolean =>
  liesAhead(trip, touch, timesOf(touch, at), at);

/** When the next of the vehicles that still have it ahead reaches it. */
export function nextReached(trips: readonly Trip[] | null, touch: Touch | undefined, at: Date): Reached {
  const { from_km = null } = touch ?? {};
  if (!trips || !touch || from_km === null) return null;
  const times = timesOf(touch, at);
  const concerned = trips.filter((trip) => liesAhead(trip, touch, times, at));
  const [next] = concerned
    .map((trip) => metAt(trip, from_km, times))
    .filter((met) => met.at >= at)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  if (next) return { ...next, isOtherDay: londonDay(next.at) !== londonDay(at) };
  return concerned.length > 0 && concerned.every((trip) => mayBeBehind(trip, touch, at)) ? 'behind' : null;
}

const timesOf = (touch: Touch, at: Date) => inForce(touch, touch.phase === 'planned', at);
