/** How often the departures of a route met no certain critical or high incident. */
import { setImmediate } from 'node:timers/promises';
import { dayAfter, meets, reachedAt, runsOn, type Trip, tripOn } from '#contract/watches/departures.ts';
import { DEPARTURES_FOR_A_SHARE, type WatchStatsList } from '#contract/history/history.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import type { Span } from '#contract/incidents/windows.ts';
import { history } from '../../feeds/past/pastStore.ts';
import type { Db } from '../../db/open.ts';
import { reliability } from './reliabilityStore.ts';
import type { RowOf } from '../../db/schema.ts';
import type { BriefWatch } from '../watchStore.ts';
import type { Graveness } from './watchHistory.ts';

type Stats = WatchStatsList['watches'][number];

/** Each trip is compared with all trouble of three months. */
const TRIPS_PER_TURN = 20;

/** The figures, in the order given. Departures count that have arrived, since the record began. */
export async function watchStats(
  db: Db,
  all: readonly BriefWatch[],
  from: Date,
  now: Date,
): Promise<Stats[]> {
  const { recorded_from } = await history(db).recorded();
  const { byWatch, grave } = await reliability(db).certainMatches(
    all.map(({ id }) => id),
    from,
  );
  const stats: Stats[] = [];
  for (const watch of all) {
    const since = Math.max(from.getTime(), Date.parse(watch.created_at), Date.parse(recorded_from ?? ''));
    const trips = Number.isNaN(since) ? [] : tripsOf(watch, new Date(since), now);
    const troubles = (byWatch.get(watch.id) ?? [])
      .map((match) => ({ match, spans: spansOf(match, grave.get(match.subject_id) ?? []) }))
      .filter(({ spans }) => spans.length > 0);
    const runs: { trip: Trip; isDisturbed: boolean }[] = [];
    for (const [at, trip] of trips.entries()) {
      if (at % TRIPS_PER_TURN === 0) await setImmediate();
      const isDisturbed = troubles.some(({ match, spans }) => {
        const there = spanAt(trip, match);
        return spans.some((span) => meets(span, there));
      });
      runs.push({ trip, isDisturbed });
    }
    const by = (keyOf: (trip: Trip) => number) =>
      [...Map.groupBy(runs, ({ trip }) => keyOf(trip))].sort(([one], [other]) => one - other);
    stats.push({
      watch_id: watch.id,
      name: watch.name,
      ...sharesOf(runs),
      by_weekday: by(({ leaves }) => weekdayOf(leaves)).map(([weekday, some]) => ({
        weekday,
        ...sharesOf(some),
      })),
      by_hour: by(({ leaves }) => Number(LONDON_CLOCK.format(leaves).slice(0, 2))).map(([hour, some]) => ({
        hour,
        ...sharesOf(some),
      })),
    });
  }
  return stats;
}

function sharesOf(runs: readonly { isDisturbed: boolean }[]) {
  const departures = runs.length;
  const undisturbed = runs.filter(({ isDisturbed }) => !isDisturbed).length;
  const isEnough = departures >= DEPARTURES_FOR_A_SHARE;
  return {
    departures,
    undisturbed,
    reliability: isEnough ? Math.round((undisturbed / departures) * 10_000) / 10_000 : null,
  };
}

function tripsOf({ departures, length_km }: BriefWatch, from: Date, now: Date): Trip[] {
  const trips: Trip[] = [];
  for (let day = londonDay(from); day <= londonDay(now); day = dayAfter(day))
    trips.push(
      ...departures
        .filter((departure) => runsOn(departure, day))
        .map((departure) => tripOn(departure, day, length_km))
        .filter(({ leaves, arrives }) => leaves >= from && arrives <= now),
    );
  return trips;
}

/** The time when the vehicle is at the incident. */
function spanAt(trip: Trip, { from_km, to_km }: RowOf<'matches'>): Span {
  const [start, end] = [from_km ?? 0, to_km ?? trip.length_km];
  const times = [reachedAt(trip, start).getTime(), reachedAt(trip, end).getTime()];
  // A span without length would meet no incident.
  return { from: Math.min(...times), to: Math.max(...times) + 1 };
}

/** The times when the incident touched the route and was active, and critical or high. */
function spansOf({ began_at, ended_at }: RowOf<'matches'>, all: readonly Graveness[]): Span[] {
  const match = { from: Date.parse(began_at), to: ended_at ? Date.parse(ended_at) : Infinity };
  return all
    .filter(({ severity, phase }) => phase === 'active' && (severity === 'critical' || severity === 'high'))
    .map(({ from, to }) => ({
      from: Math.max(match.from, Date.parse(from)),
      to: Math.min(match.to, to ? Date.parse(to) : Infinity),
    }))
    .filter(({ from, to }) => from < to);
}

/** Monday is 0. */
const weekdayOf = (at: Date) => (new Date(`${londonDay(at)}T12:00:00Z`).getUTCDay() + 6) % 7;
