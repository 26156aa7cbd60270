/** Incidents by filters, also ended ones, each with the number of its version. */
import { setImmediate } from 'node:timers/promises';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { isEverything, letsThrough } from '#contract/watches/whichIncidents.ts';
import { chunks, IDS_PER_STATEMENT, rowsFor } from '../../db/batches.ts';
import { type DisruptionQuery, EITHER, isAboutEnded, matches } from './disruptionFilter.ts';
import { type Row, stored, toListed, withDuplicates } from './disruptionRows.ts';
import { duplicatesAmong } from './disruptions.ts';
import { type Duplicates, findDuplicates } from './duplicates.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { earlierNumbers } from '../lifecycle/versions.ts';

/** An incident with the number of its version. The number rises when its content changes, when it ends and when it
 *  begins again. */
export interface Numbered {
  incident: ListedDisruption;
  /** When we first saw this version. */
  seen_at: string;
  number: number;
}

export const filtered = (db: Db) => ({
  /** The ids of these incidents that match, in force or ended. */
  async matching(query: DisruptionQuery, eventIds: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const event_ids of chunks(eventIds, IDS_PER_STATEMENT))
      for (const id of await idsOf(db, { ...lasting(query), event_ids })) found.add(id);
    return found;
  },

  /** The ids of these incidents that the list of this query has now. */
  async listed(query: DisruptionQuery, eventIds: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const event_ids of chunks(eventIds, IDS_PER_STATEMENT))
      for (const id of await this.allMatching({ ...query, event_ids })) found.add(id);
    return found;
  },

  /** The ids of all incidents that match now. */
  allMatching: (query: DisruptionQuery): Promise<string[]> => idsOf(db, query),

  /** The same query, with the ids of everything that its route, area or feeds let through: for lists and counts. */
  async decided(query: DisruptionQuery): Promise<DisruptionQuery> {
    const { watched } = query;
    return !watched || isEverything(watched.which) ? query : { ...query, event_ids: await idsOf(db, query) };
  },

  /** The incidents with these ids that are stored, in force or ended. */
  async some(eventIds: readonly string[]): Promise<Map<string, ListedDisruption>> {
    const duplicates = await findDuplicates(db);
    const rows = await rowsFor(eventIds, (ids) => stored(db).where('event_id', 'in', ids));
    return new Map(rows.map((row) => [row.event_id, toListed(withDuplicates(row, duplicates))]));
  },

  /** Incidents that match, in force or ended after that time; the one that changed or ended last comes first. */
  async newest(query: DisruptionQuery, endedSince: Instant, limit: number): Promise<Numbered[]> {
    const duplicates = await duplicatesAmong(db, query);
    const all = stored(db)
      .select('version_seen_at')
      .where((eb) => matches(eb, lasting(query), duplicates));
    const present = await all
      .where('ended_at', 'is', null)
      .orderBy('version_seen_at', 'desc')
      .orderBy('event_id')
      .limit(limit)
      .execute();
    const ended = await all
      .where('ended_at', '>=', iso(endedSince))
      .orderBy('ended_at', 'desc')
      .orderBy('event_id')
      .limit(limit)
      .execute();
    const at = (row: (typeof present)[number]) => row.ended_at ?? row.version_seen_at;
    const rows = [...present, ...ended]
      .toSorted((one, other) => (at(one) > at(other) ? -1 : at(one) < at(other) ? 1 : 0))
      .slice(0, limit);
    return decidedAmong(query, await numbered(db, rows, duplicates));
  },

  /** Planned incidents that match, in force (also begun) or ended after that time, by their start. */
  async calendar(query: DisruptionQuery, endedSince: Instant, now: Date, limit: number): Promise<Numbered[]> {
    const duplicates = await duplicatesAmong(db, query);
    const planned = stored(db)
      .select('version_seen_at')
      .where((eb) => matches(eb, lasting(query), duplicates))
      .where((eb) =>
        eb.or([
          eb('phase', '=', 'planned'),
          eb.exists(
            eb
              .selectFrom('disruption_versions')
              .select('disruption_versions.event_id')
              .whereRef('disruption_versions.event_id', '=', 'disruptions.event_id')
              .where('disruption_versions.phase', '=', 'planned'),
          ),
        ]),
      )
      .orderBy('start_time')
      .orderBy('event_id')
      .limit(limit);
    const found = await planned.where('ended_at', 'is', null).execute();
    // A day at a time, because for each ended incident a query finds out whether it was ever planned.
    for (const [from, to] of daysFrom(endedSince, now)) {
      await setImmediate();
      found.push(...(await planned.where('ended_at', '>=', from).where('ended_at', '<', to).execute()));
    }
    const rows = [...new Map(found.map((row) => [row.event_id, row])).values()]
      .toSorted(
        (one, other) =>
          compare(one.start_time ?? '', other.start_time ?? '') || compare(one.event_id, other.event_id),
      )
      .slice(0, limit);
    return decidedAmong(query, await numbered(db, rows, duplicates));
  },
});

const DAY_MS = 24 * 60 * 60_000;

function daysFrom(since: Instant, now: Date): [from: string, to: string][] {
  const first = new Date(since).getTime();
  const count = Math.floor((now.getTime() - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, day) => [
    iso(new Date(first + day * DAY_MS)),
    iso(new Date(first + (day + 1) * DAY_MS)),
  ]);
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** One condition decides what a route, an area or feeds let through, here and on their page. */
const decidedAmong = ({ watched }: DisruptionQuery, all: readonly Numbered[]): Numbered[] =>
  all.filter(({ incident }) => !watched || letsThrough(watched.which, incident));

async function idsOf(db: Db, query: DisruptionQuery): Promise<string[]> {
  const duplicates = await duplicatesAmong(db, query);
  const { watched } = query;
  if (!watched || isEverything(watched.which)) {
    const rows = await db
      .selectFrom('disruptions')
      .select('event_id')
      .where((eb) => matches(eb, query, duplicates))
      .execute();
    return rows.map(({ event_id }) => event_id);
  }
  const rows = await stored(db)
    .where((eb) => matches(eb, query, duplicates))
    .execute();
  return rows
    .map((row) => toListed(withDuplicates(row, duplicates)))
    .filter((incident) => letsThrough(watched.which, incident))
    .map(({ event_id }) => event_id);
}

/** The same conditions for incidents that ended since; `state` then means their last state. */
function lasting(query: DisruptionQuery): DisruptionQuery {
  if (isAboutEnded(query)) return query;
  const { state, phase } = query;
  return {
    ...query,
    state: EITHER,
    phase: phase ?? state ?? null,
    // An incident cannot be both at once.
    ...(state && phase && state !== phase && { event_ids: [] }),
  };
}

async function numbered(
  db: Db,
  rows: readonly (Row & { version_seen_at: string })[],
  duplicates: Duplicates,
): Promise<Numbered[]> {
  const earlier = await earlierNumbers(
    db,
    rows.map(({ event_id }) => event_id),
  );
  return rows.map((row) => ({
    incident: toListed(withDuplicates(row, duplicates)),
    seen_at: row.ended_at ?? row.version_seen_at,
    number: 1 + (earlier.get(row.event_id) ?? 0) + (row.ended_at ? 1 : 0),
  }));
}
