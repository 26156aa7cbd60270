/** Which way incidents go, from the versions that are stored of them. */
import type { Disruption } from '#contract/disruptions.ts';
import type { Facts } from '#contract/facts.ts';
import type { Db } from '../db/open.ts';

import { replacedSince, type Version } from '../db/versions.ts';
import { type Said, TREND_MS, trendOf } from '../incidents/trend.ts';

/**
 * These incidents, each with its trend if it has one. `nextChangeAt` (ms since 1970) is when the first of the changes
 * is too old to count; null: never.
 */
export async function withTrends<One extends Disruption>(
  db: Db,
  events: readonly One[],
  now: Date,
): Promise<{ events: One[]; nextChangeAt: number | null }> {
  const ids = events.map(({ event_id }) => event_id);
  const since = new Date(now.getTime() - TREND_MS);
  const replaced = (await replacedSince(db, ids, since)).filter(
    // What ended and began again is compared with nothing: it is new.
    (version) => version.ended_at === null,
  );
  if (replaced.length === 0) return { events: [...events], nextChangeAt: null };

  const byId = Map.groupBy(replaced, ({ event_id }) => event_id);
  const times = replaced.map(({ replaced_at }) => Date.parse(replaced_at) + TREND_MS);
  return {
    events: events.map((event) => {
      const before = byId.get(event.event_id);
      const present = { ...event, seen_at: before?.at(-1)?.replaced_at ?? '' };
      const trend = before && trendOf(before.map(toSaid), present);
      return trend ? { ...event, trend } : event;
    }),
    nextChangeAt: Math.min(...times),
  };
}

function toSaid({ seen_at, severity, details }: Version): Said {
  const { facts } = JSON.parse(details) as { facts?: Facts };
  return { seen_at, severity, facts };
}
