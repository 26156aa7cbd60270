/** Whether incidents get worse or better, from their stored versions. */
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { chunks, IDS_PER_STATEMENT } from '../db/batches.ts';
import type { Db } from '../db/open.ts';
import { replacedSince, type Version } from '../incidents/lifecycle/versions.ts';
import { type Said, TREND_MS, trendOf } from '../incidents/trend.ts';

/** These incidents, each with its trend if it has one. `nextChangeAt` (ms since 1970) is when the oldest of the
 *  changes stops counting; null: never. */
export async function withTrends<One extends Disruption>(
  db: Db,
  events: readonly One[],
  now: Date,
): Promise<{ events: One[]; nextChangeAt: number | null }> {
  const before = await versionsSince(db, events, new Date(now.getTime() - TREND_MS));
  if (before.size === 0) return { events: [...events], nextChangeAt: null };

  const times = [...before.values()].flat().map(({ replaced_at }) => Date.parse(replaced_at) + TREND_MS);
  return {
    events: events.map((event) => {
      const trend = trendFrom(before.get(event.event_id) ?? [], event);
      return trend ? { ...event, trend } : event;
    }),
    nextChangeAt: Math.min(...times),
  };
}

/** When each of these incidents got worse after `since`, which may be long ago. It is compared with its version at
 *  that time and with its version of half an hour ago, which the rows of the list use. */
export async function worseSince(
  db: Db,
  events: readonly Present[],
  { since, now }: { since: Date; now: Date },
): Promise<Map<string, string>> {
  const before = await versionsSince(db, events, since);
  const shown = new Date(now.getTime() - TREND_MS).toISOString();
  return new Map(
    events.flatMap((event) => {
      const versions = before.get(event.event_id) ?? [];
      const recent = versions.filter(({ replaced_at }) => replaced_at > shown);
      const worse = [versions, recent]
        .map((some) => trendFrom(some, event))
        .find((trend) => trend?.direction === 'worse');
      return worse ? [[event.event_id, worse.since] as const] : [];
    }),
  );
}

type Present = Pick<Disruption, 'event_id'> & Omit<Said, 'seen_at'>;

/** The versions of each incident that were replaced after `since`, oldest first. */
async function versionsSince(
  db: Db,
  events: readonly Present[],
  since: Date,
): Promise<Map<string, Version[]>> {
  const replaced: Version[] = [];
  const ids = events.map(({ event_id }) => event_id);
  for (const some of chunks(ids, IDS_PER_STATEMENT)) replaced.push(...(await replacedSince(db, some, since)));
  return Map.groupBy(
    // An incident that began again is compared with nothing before: it is new.
    replaced.filter((version) => version.ended_at === null),
    ({ event_id }) => event_id,
  );
}

const trendFrom = (before: readonly Version[], event: Present) =>
  trendOf(before.map(toSaid), { ...event, seen_at: before.at(-1)?.replaced_at ?? '' });

function toSaid({ seen_at, severity, details }: Version): Said {
  const { facts } = JSON.parse(details) as { facts?: Facts };
  return { seen_at, severity, facts };
}
