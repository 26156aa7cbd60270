/**
 * The place and time of every performance, held in memory (about 50 bytes each), so that a map view of any size is
 * answered in a millisecond. It is built from the database, and rebuilt when the revision of events has risen.
 *
 * To count exactly how many events are in a view, a database must scan them all: half a million rows for the map's
 * first view (bench/README.md has the figures). Only the few hundred that are shown are read from the database.
 *
 * The first index is built in small steps while the first calls are answered. Until it is there, a call reads the
 * rows that match its own filters and makes an index of only those, so that it gets the same answer. If most of many
 * rows match, it waits for the full index, which takes no longer.
 */
import { setImmediate } from 'node:timers/promises';
import type { TownCount } from '#contract/places/events.ts';
import { keyOf } from '../eventRows.ts';
import { type EventQuery, events, type PositionFilter, type ShownEvents } from '../events.ts';
import type { Db } from '../../../db/open.ts';
import { EVENTS_REVISION, revision } from '../../../db/revisions.ts';
import { type IndexedRow, indexedRow } from './indexedRow.ts';
import { listIndex } from './listIndex.ts';
import { type InView, placeIndex, type ViewQuery } from './eventPlaceIndex.ts';

export interface ViewIndex {
  /** The present revision of the events, which answers are made from. */
  revision(): Promise<number>;
  /** The performances to show, soonest first, the number of all matches, and the places of those that are not shown. */
  view(query: ViewQuery): Promise<InView>;
  /** Soonest first. `total` is the number of all that match the filters. */
  page(query: EventQuery): Promise<{ shown: ShownEvents; total: number; next_cursor: string | null }>;
  /** Categories and towns of the performances that are not over at this instant. */
  inUse(at: Date): Promise<{ categories: string[]; towns: TownCount[] }>;
  /** Builds the index, unless it is up to date. */
  make(): Promise<void>;
}

/** How many row numbers are read in one step: about 10 ms. */
const READ_AT_ONCE = 2000;
/** After this many steps it is known whether most rows match. */
const STEPS_TRIED = 10;
/** Up to this many performances, a request waits for the new index. With more, the old index answers meanwhile. */
const WAIT_FOR_MAX = 20_000;
/** During a long import, rebuilding takes at most this share of the time. */
const BUILD_SHARE = 0.2;

const PARTS = { places: placeIndex, list: listIndex, towns: townIndex };
type Parts = typeof PARTS;
type Index = { [Part in keyof Parts]: Awaited<ReturnType<ReturnType<Parts[Part]>['finished']>> };

export function viewIndex(db: Db): ViewIndex {
  let made: { index: Index; revision: number; tookMs: number; at: number } | undefined;
  let making: Promise<Index> | undefined;
  /** The latest answer that was read from the database. */
  let reading: Promise<unknown> = Promise.resolve();

  async function make(): Promise<Index> {
    const began = performance.now();
    // The revision is read first, because later writes raise it again.
    const madeOf = await revision(db, EVENTS_REVISION);
    const [places, list, towns] = [placeIndex(), listIndex(), townIndex()];
    await readRows(db, {}, (rows) => {
      for (const part of [places, list, towns]) part.add(rows);
      return true;
    });
    const index = {
      places: await places.finished(),
      list: await list.finished(),
      towns: await towns.finished(),
    };
    const ended = performance.now();
    made = { index, revision: madeOf, tookMs: ended - began, at: ended };
    return index;
  }

  async function current(): Promise<Index> {
    if (made && (await revision(db, EVENTS_REVISION)) === made.revision) return made.index;

    const mayWait = !made || made.index.places.length <= WAIT_FOR_MAX;
    const isDue = mayWait || performance.now() - made!.at > made!.tookMs / BUILD_SHARE;
    if (!making && isDue) {
      making = make().finally(() => {
        making = undefined;
      });
      // Callers who do not wait for it see its failure at their next request.
      making.catch(() => {});
    }
    return made && !mayWait ? made.index : making!; // it is due, so it is already being built
  }

  /** This part of the index or, until there is one, the same part made from the matching rows. */
  async function partFor<Part extends keyof Parts>(part: Part, filter: PositionFilter): Promise<Index[Part]> {
    if (made) return (await current())[part];
    // One at a time, because many together would only delay the index, which then answers all of them.
    const read = reading.then(() => readPart(part, filter));
    reading = read.catch(() => {});
    const found = await read;
    const index = current();
    if (!found) return (await index)[part];
    index.catch(() => {});
    return found;
  }

  /** Undefined if the index was ready sooner, or will be: that is so when most rows match, as in a view of the whole
   *  country. */
  async function readPart<Part extends keyof Parts>(part: Part, filter: PositionFilter) {
    const begun = PARTS[part]();
    let steps = 0;
    let found = 0;
    const isRead = await readRows(db, filter, (rows) => {
      begun.add(rows);
      steps++;
      found += rows.length;
      return !made && (steps < STEPS_TRIED || found < (steps * READ_AT_ONCE) / 2);
    });
    return isRead ? ((await begun.finished()) as Index[Part]) : undefined;
  }

  return {
    async revision() {
      if (made) await current();
      return made?.revision ?? revision(db, EVENTS_REVISION);
    },
    async view(query) {
      const { category, ...filter } = query;
      const places = await partFor('places', {
        ...filter,
        ...(category !== undefined && { category_key: keyOf(category) }),
      });
      return places.view(query);
    },
    async page(query) {
      const [category, town] = [query.category, query.venue_town].map((words) => words?.trim());
      const list = await partFor('list', {
        from: query.from,
        until: query.until,
        ...(category && { category_key: keyOf(category) }),
        ...(town && { town_key: keyOf(town) }),
      });
      const { ids, more, total } = await list.near(query);
      return { ...(await events(db).page(ids, query, more)), total };
    },
    async inUse(at) {
      return (await partFor('towns', {})).inUse(at);
    },
    async make() {
      await current();
    },
  };
}

/** Reads all rows that match, a few at a time, as long as `take` wants more. False if it stopped early. */
async function readRows(
  db: Db,
  filter: PositionFilter,
  take: (rows: readonly IndexedRow[]) => boolean,
): Promise<boolean> {
  for (let after = 0; ;) {
    const step = await events(db).positions(after, READ_AT_ONCE, filter);
    if (!step) return true;
    if (!take(step.rows.map(indexedRow))) return false;
    after = step.last;
    await setImmediate();
  }
}

/** How many performances each category and town has at any time, for the lists of those in use. */
interface TownIndex {
  /** Categories and towns of the performances that are not over at this instant. */
  inUse(at: Date): { categories: string[]; towns: TownCount[] };
}

/** All performances by category and town, also those without a position. */
type Groups = ReadonlyMap<string, { category: string; town: string | null; overMs: Float64Array }>;

/** Takes rows page by page. */
function townIndex() {
  const groups = new Map<string, { category: string; town: string | null; over: number[] }>();

  return {
    add(rows: readonly IndexedRow[]): void {
      for (const { category, town, overMs, spelling } of rows) {
        const name = `${category}\n${town ?? ''}`;
        const group = groups.get(name);
        if (group) group.over.push(overMs);
        else groups.set(name, { ...spelling, over: [overMs] });
      }
    },

    async finished(): Promise<TownIndex> {
      const made = new Map<string, { category: string; town: string | null; overMs: Float64Array }>();
      for (const [key, { category, town, over }] of groups) {
        made.set(key, { category, town, overMs: Float64Array.from(over).sort() });
        over.length = 0;
      }
      return { inUse: (at) => inUse(made, at.getTime()) };
    },
  };
}

function inUse(groups: Groups, atMs: number): { categories: string[]; towns: TownCount[] } {
  const categories = new Map<string, string>();
  const towns = new Map<string, TownCount>();
  for (const { category, town, overMs } of groups.values()) {
    const count = overMs.length - firstAfter(overMs, atMs);
    if (count === 0) continue;
    if (!categories.has(keyOf(category))) categories.set(keyOf(category), category);
    if (town === null) continue;
    const known = towns.get(keyOf(town));
    if (known) known.event_count += count;
    else towns.set(keyOf(town), { town, event_count: count });
  }
  return {
    categories: [...categories.values()].sort(byName),
    towns: [...towns.values()].sort((a, b) => byName(a.town, b.town)),
  };
}

const { compare: byName } = new Intl.Collator('en-GB');

/** How many of the sorted times are at or before this one. */
function firstAfter(ascending: Float64Array, ms: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}
