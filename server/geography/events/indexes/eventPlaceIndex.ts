/** The place and time of every performance with a place: about 40 bytes each. It answers a map view of any size in
 *  milliseconds, with an exact total. */
import { setImmediate } from 'node:timers/promises';
import type { EventsElsewhere } from '#contract/places/events.ts';
import { keyOf } from '../eventRows.ts';
import { type IndexedRow, sortInSteps } from './indexedRow.ts';

/** WGS84 degrees; the edges count as inside. */
export interface Bounds {
  north: number;
  south: number;
  east: number;
  west: number;
}

export interface ViewQuery extends Bounds {
  /** In upper or lower case. */
  category?: string;
  /** Performances that take place, at least partly, from this time until just before `until`. */
  from: Date;
  until?: Date;
  max: number;
}

export interface PlaceIndex {
  /** The number of performances with a place. */
  length: number;
  view(query: ViewQuery): InView;
}

export interface InView {
  ids: number[];
  total: number;
  /** The matches that are not in `ids`, by small squares: their number, and the middle of their places. */
  others: EventsElsewhere[];
}

/** A view is divided into at least this many squares, and each shows its soonest events. */
const SQUARES_MIN = 64;
/** Events that are not shown are counted in squares of at most a quarter of their side, which is about half a
 *  cluster's width on the screen. */
const COUNTED_PER_SQUARE_SIDE = 4;
/** One degree is divided into at most 128 by 128 squares of about 900 by 500 metres. A closer view shows one place. */
const SQUARES_PER_DEGREE_MAX = 128;

interface Columns {
  ids: Int32Array;
  /** In millionths of a degree, from the South Pole and from 180° west. */
  y: Int32Array;
  x: Int32Array;
  startMs: Float64Array;
  overMs: Float64Array;
  category: Uint16Array;
}
type Page = Columns & { length: number };

/** One entry for each performance with a position, sorted by one-degree square and then by start. */
interface Made extends Columns {
  /** The one-degree squares with entries, in order. Their entries go from `begin` until just before `end`. */
  squares: { row: number; column: number; begin: number; end: number }[];
  /** The number of each category in `category`, by key. */
  categories: ReadonlyMap<string, number>;
}

const DEGREE = 1_000_000;
/** The limit of a Uint16; no calendar has more. */
const CATEGORIES_MAX = 65_535;

/** How many entries are divided among the squares in one step. */
const ENTRIES_AT_ONCE = 100_000;

/** Takes rows page by page. */
export function placeIndex() {
  const pages: Page[] = [];
  const categories = new Map<string, number>();
  let length = 0;

  return {
    add(rows: readonly IndexedRow[]): void {
      const page = newColumns(rows.length);
      let at = 0;
      for (const { id, latitude, longitude, startMs, overMs, category } of rows) {
        if (latitude === null || longitude === null) continue;
        let number = categories.get(category);
        if (number === undefined) {
          number = Math.min(categories.size, CATEGORIES_MAX);
          categories.set(category, number);
        }
        page.ids[at] = id;
        page.y[at] = Math.round((latitude + 90) * DEGREE);
        page.x[at] = Math.round((longitude + 180) * DEGREE);
        page.startMs[at] = startMs;
        page.overMs[at] = overMs;
        page.category[at] = number;
        at++;
      }
      pages.push({ ...page, length: at });
      length += at;
    },

    async finished(): Promise<PlaceIndex> {
      const made = { ...(await sorted(pages.splice(0), length)), categories };
      return { length, view: (query) => viewOf(made, query) };
    },
  };
}

const newColumns = (length: number): Columns => ({
  ids: new Int32Array(length),
  y: new Int32Array(length),
  x: new Int32Array(length),
  startMs: new Float64Array(length),
  overMs: new Float64Array(length),
  category: new Uint16Array(length),
});

async function sorted(pages: readonly Page[], length: number): Promise<Columns & Pick<Made, 'squares'>> {
  const all = newColumns(length);
  const bySquare = new Map<number, number>();
  let at = 0;
  for (const page of pages) {
    for (const name of COLUMNS) all[name].set(page[name].subarray(0, page.length), at);
    at += page.length;
  }
  const squareOf = (entry: number) =>
    Math.floor(all.y[entry]! / DEGREE) * 360 + Math.floor(all.x[entry]! / DEGREE);
  for (let entry = 0; entry < length; entry++) {
    if (entry % ENTRIES_AT_ONCE === 0) await setImmediate();
    const square = squareOf(entry);
    bySquare.set(square, (bySquare.get(square) ?? 0) + 1);
  }

  const squares: Made['squares'] = [];
  const nextOf = new Map<number, number>();
  let begin = 0;
  for (const [square, count] of [...bySquare].toSorted(([a], [b]) => a - b)) {
    squares.push({ row: Math.floor(square / 360), column: square % 360, begin, end: begin + count });
    nextOf.set(square, begin);
    begin += count;
  }
  const order = new Uint32Array(length);
  for (let entry = 0; entry < length; entry++) {
    if (entry % ENTRIES_AT_ONCE === 0) await setImmediate();
    const square = squareOf(entry);
    const place = nextOf.get(square)!;
    order[place] = entry;
    nextOf.set(square, place + 1);
  }
  for (const { begin, end } of squares) {
    const { startMs, ids } = all;
    await sortInSteps(order.subarray(begin, end), (a, b) => startMs[a]! - startMs[b]! || ids[a]! - ids[b]!);
  }

  const inOrder = newColumns(length);
  for (const name of COLUMNS) {
    const from = all[name];
    const to = inOrder[name];
    for (let place = 0; place < length; place++) to[place] = from[order[place]!]!;
    await setImmediate();
  }
  return { ...inOrder, squares };
}

const COLUMNS = ['ids', 'y', 'x', 'startMs', 'overMs', 'category'] as const;

/** The entries that match a view, and the square of each. Only one call at a time uses them. */
let matched = new Int32Array(1024);
let squareOfMatched = new Int32Array(1024);

function viewOf(index: Made, query: ViewQuery): InView {
  const { max } = query;
  const wanted = query.category === undefined ? -1 : index.categories.get(keyOf(query.category));
  if (wanted === undefined) return { ids: [], total: 0, others: [] };

  const from = query.from.getTime();
  const until = query.until?.getTime() ?? Infinity;
  const south = Math.ceil((query.south + 90) * DEGREE);
  const north = Math.floor((query.north + 90) * DEGREE);
  const west = Math.ceil((query.west + 180) * DEGREE);
  const east = Math.floor((query.east + 180) * DEGREE);
  const divisions = divisionsOf(query);
  if (matched.length < index.ids.length) {
    matched = new Int32Array(index.ids.length);
    squareOfMatched = new Int32Array(index.ids.length);
  }

  // The squares are fixed on the globe and not in the view: when the view moves a little, they show the same events.
  const squares: Square[] = [];
  const local = new Int32Array(divisions * divisions);
  let total = 0;
  for (const { row, column, begin, end } of index.squares) {
    const [bottom, left] = [row * DEGREE, column * DEGREE];
    if (bottom > north || bottom + DEGREE <= south || left > east || left + DEGREE <= west) continue;

    local.fill(-1);
    for (let entry = begin; entry < end; entry++) {
      if (index.startMs[entry]! >= until) break;
      const y = index.y[entry]!;
      const x = index.x[entry]!;
      if (index.overMs[entry]! <= from || y < south || y > north || x < west || x > east) continue;
      if (wanted >= 0 && index.category[entry] !== wanted) continue;

      const place =
        Math.floor(((y - bottom) * divisions) / DEGREE) * divisions +
        Math.floor(((x - left) * divisions) / DEGREE);
      let square = local[place]!;
      if (square < 0) {
        square = squares.length;
        local[place] = square;
        squares.push({ order: scattered(row * 360 + column, place), count: 0, quota: 0 });
      }
      squares[square]!.count++;
      matched[total] = entry;
      squareOfMatched[total] = square;
      total++;
    }
  }

  if (total > max) divide(max, squares);
  const chosen: number[] = [];
  const elsewhere = counter(index, divisions * COUNTED_PER_SQUARE_SIDE);
  for (let at = 0; at < total; at++) {
    const entry = matched[at]!;
    if (total > max) {
      const square = squares[squareOfMatched[at]!]!;
      if (square.quota === 0) {
        elsewhere.add(entry);
        continue;
      }
      square.quota--;
    }
    chosen.push(entry);
  }
  const { startMs, ids } = index;
  chosen.sort((a, b) => startMs[a]! - startMs[b]! || ids[a]! - ids[b]!);
  return { ids: chosen.map((entry) => ids[entry]!), total, others: elsewhere.counted() };
}

/** Counts entries by squares of this part of a degree. */
function counter({ x, y }: Made, perDegree: number) {
  const side = DEGREE / perDegree;
  const columns = 360 * perDegree;
  const counts = new Map<number, { count: number; x: number; y: number }>();
  return {
    add(entry: number) {
      const [right, up] = [x[entry]!, y[entry]!];
      const square = Math.floor(up / side) * columns + Math.floor(right / side);
      const known = counts.get(square);
      if (known) {
        known.count++;
        known.x += right;
        known.y += up;
      } else counts.set(square, { count: 1, x: right, y: up });
    },
    counted: (): EventsElsewhere[] =>
      [...counts.values()].map(({ count, x: right, y: up }) => ({
        latitude: inDegrees(up / count) - 90,
        longitude: inDegrees(right / count) - 180,
        count,
      })),
  };
}

/** Degrees, to about ten metres, because an answer holds hundreds of them. */
const inDegrees = (millionths: number) => Math.round(millionths / 100) / 10_000;

interface Square {
  /** Decides which squares get one more when not all can. They are spread over the view, and the choice is always
   *  the same. */
  order: number;
  count: number;
  quota: number;
}

/** The number of parts into which each side of a one-degree square is divided for this view; a power of two. */
function divisionsOf({ north, south, east, west }: Bounds): number {
  const squareDegrees = (north - south) * (east - west);
  let divisions = 1;
  while (divisions < SQUARES_PER_DEGREE_MAX && squareDegrees * divisions ** 2 < SQUARES_MIN) divisions *= 2;
  return divisions;
}

/** Shares the places among the squares as evenly as their numbers of events allow. */
function divide(max: number, squares: readonly Square[]): void {
  let level = 0;
  let left = max;
  for (;;) {
    const open = squares.filter(({ count }) => count > level);
    const rise = Math.floor(left / open.length);
    if (rise === 0) {
      for (const square of squares) square.quota = Math.min(square.count, level);
      for (const square of open.toSorted((a, b) => a.order - b.order).slice(0, left)) square.quota++;
      return;
    }
    const full = Math.min(...open.map(({ count }) => count));
    const next = Math.min(level + rise, full);
    left -= open.length * (next - level);
    level = next;
  }
}

/** A hash, so that neighbouring squares get unrelated numbers. */
function scattered(square: number, place: number): number {
  let mixed = Math.imul(square ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
