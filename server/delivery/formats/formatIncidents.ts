/** The incidents that a filter lets through, all of one revision, and how far they can be relied on. */
import { setImmediate } from 'node:timers/promises';
import type { ListedDisruption, Source } from '#contract/incidents/disruptions.ts';
import type { DataState } from '#contract/watches/formats.ts';
import { cursors } from '../../db/cursors.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { filtered } from '../../incidents/list/filteredDisruptions.ts';
import { MATCHER } from '../../watches/matching/matchStore.ts';
import type { Db } from '../../db/open.ts';
import { revision, WATCHES_REVISION } from '../../db/revisions.ts';
import { soonest } from '../../feeds/sourceCondition.ts';
import { withTrends } from '../../feeds/trendStore.ts';
import {
  askedOf,
  type FormatParts,
  type NearPlace,
  overview,
  sourcesIn,
  sourcesNamed,
  stateOf,
  withDistance,
} from './formatScope.ts';
import type { Conditions, View } from './formatConditions.ts';

export interface Found {
  rows: ListedDisruption[];
  total: number;
  next_cursor: string | null;
  near: NearPlace | null;
  /** With bounds or `near`: the number of further incidents that match the other conditions and have no position. */
  total_without_position: number | null;
  sources: Source[];
  state: DataState;
  /** The time in ms since 1970 at which it changes without a new event; null: never. */
  nextChangeAt: number | null;
}

/** A number that rises whenever an answer can differ. */
export async function formatRevision(db: Db): Promise<number> {
  const names = [WATCHES_REVISION, 'feeds', 'changes'];
  const values = await Promise.all(names.map((name) => revision(db, name)));
  return values.reduce((sum, value) => sum + value, await cursors(db).batch(MATCHER));
}

/** How many rows are read at a time: other calls get a turn between two reads. */
const ROWS_AT_ONCE = 500;
/** If writes go on without end, the last attempt counts. */
const ATTEMPTS = 3;

export async function find(
  parts: FormatParts,
  conditions: Conditions,
  view: View,
  teamId: string | null,
): Promise<Found> {
  const { db, now } = parts;
  for (let attempt = 1; ; attempt++) {
    const before = await revision(db, 'feeds');
    const at = now();
    const known = await overview(parts);
    const asked = await askedOf(parts, conditions, { teamId, known, at });
    const query = { ...(await filtered(db).decided(asked.query)), sort: view.sort?.toLowerCase() };
    const rows: ListedDisruption[] = [];
    let cursor: string | null | undefined = view.cursor;
    let nextChangeAt: number | null = null;
    do {
      const limit = Math.min(ROWS_AT_ONCE, view.limit - rows.length);
      const page = await disruptions(db).rows(query, limit, cursor);
      const { events, nextChangeAt: next } = await withTrends(db, page.events, at);
      rows.push(...(asked.near ? events.map((event) => withDistance(event, asked.near!)) : events));
      nextChangeAt = soonest([nextChangeAt, next]);
      cursor = page.next_cursor;
      // Other calls get a turn.
      await setImmediate();
    } while (cursor && rows.length < view.limit);
    // Counted once, and not for each page.
    const total = await disruptions(db).total(query);
    if (attempt < ATTEMPTS && (await revision(db, 'feeds')) !== before) continue;

    const isAbout = conditions.north !== undefined || asked.near;
    const { state, nextChangeAt: next } = stateOf(asked, known, {
      named: sourcesNamed(rows),
      isCut: cursor !== null || !!view.cursor,
    });
    return {
      rows,
      total,
      next_cursor: cursor ?? null,
      near: asked.near,
      total_without_position: isAbout ? await disruptions(db).totalWithoutPosition(query) : null,
      sources: isAbout ? sourcesIn(known) : [],
      state,
      nextChangeAt: soonest([nextChangeAt, next]),
    };
  }
}
