/** Every performance in list order, with its filter values and its searchable words: about 100 bytes each. A
 *  database without a word index would have to read all of its half a million rows to search for a word, and mostly
 *  also for an exact total. */
import { setImmediate } from 'node:timers/promises';
import { keyOf } from '../eventRows.ts';
import { type EventQuery, EVENTS_LIMIT_DEFAULT, EVENT_CURSOR } from '../events.ts';
import { type IndexedRow, sortInSteps } from './indexedRow.ts';

/** The search data of one performance. */
export type Listed = Pick<IndexedRow, 'id' | 'startMs' | 'overMs' | 'category' | 'town' | 'text'>;

interface ListIndex {
  /** The position of the requested page in the list. */
  near(query: EventQuery): Promise<Near>;
}

export interface Near {
  /** Everything that can be on the page, and perhaps some entries just before or after it. The database decides the
   *  order of performances that begin at the same instant. */
  ids: number[];
  /** Whether more follows the page. */
  more: boolean;
  /** The number of all that match the filters. */
  total: number;
}

/** After each batch of this many rows, other work gets a turn. */
const ROWS_AT_ONCE = 100_000;

interface Columns {
  ids: Int32Array;
  startMs: Float64Array;
  overMs: Float64Array;
  category: Uint32Array;
  town: Uint32Array;
}

/** Several texts joined into one string, which is faster to search. */
interface Texts {
  /** The number of its first row. */
  first: number;
  joined: string;
  /** For each row, the place where the next one begins. */
  ends: Uint32Array;
}

interface Page {
  columns: Columns;
  texts: Texts;
}

/** Takes rows page by page. */
export function listIndex() {
  const pages: Page[] = [];
  const names = new Map<string, number>();
  let length = 0;

  function numberOf(name: string): number {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  }

  return {
    add(rows: readonly Listed[]): void {
      const columns = newColumns(rows.length);
      const ends = new Uint32Array(rows.length);
      let end = 0;
      for (const [at, { id, startMs, overMs, category, town, text }] of rows.entries()) {
        columns.ids[at] = id;
        columns.startMs[at] = startMs;
        columns.overMs[at] = overMs;
        columns.category[at] = numberOf(`category ${category}`);
        columns.town[at] = numberOf(`town ${town ?? ''}`);
        end += text.length + 1;
        ends[at] = end;
      }
      pages.push({
        columns,
        texts: { first: length, joined: rows.map(({ text }) => text).join('\0'), ends },
      });
      length += rows.length;
    },

    async finished(): Promise<ListIndex> {
      const texts = pages.map((page) => page.texts);
      // The result keeps no reference to the data that it was made from.
      const made = { ...(await sorted(pages.splice(0), length)), texts, names };
      return { near: (query) => near(made, query) };
    },
  };
}

async function sorted(pages: readonly Page[], length: number): Promise<Pick<Made, 'byStart' | 'rows'>> {
  const all = newColumns(length);
  for (const { columns, texts } of pages) {
    for (const name of COLUMNS) all[name].set(columns[name], texts.first);
  }
  const rows = new Uint32Array(length).map((_, row) => row);
  await setImmediate();
  await sortInSteps(rows, (a, b) => all.startMs[a]! - all.startMs[b]! || a - b);
  const byStart = newColumns(length);
  for (const name of COLUMNS) {
    for (let at = 0; at < length; at++) byStart[name][at] = all[name][rows[at]!]!;
    await setImmediate();
  }
  return { byStart, rows };
}

const COLUMNS = ['ids', 'startMs', 'overMs', 'category', 'town'] as const;

const newColumns = (length: number): Columns => ({
  ids: new Int32Array(length),
  startMs: new Float64Array(length),
  overMs: new Float64Array(length),
  category: new Uint32Array(length),
  town: new Uint32Array(length),
});

interface Made {
  byStart: Columns;
  /** The number of each row in the texts. */
  rows: Uint32Array;
  texts: readonly Texts[];
  names: ReadonlyMap<string, number>;
}

const NOBODY = -1;

async function near({ byStart, rows, texts, names }: Made, query: EventQuery): Promise<Near> {
  const wanted = (kind: string, asked: string | undefined) =>
    asked?.trim() ? (names.get(`${kind} ${keyOf(asked.trim())}`) ?? NOBODY) : null;
  const category = wanted('category', query.category);
  const town = wanted('town', query.venue_town);
  if (category === NOBODY || town === NOBODY) return { ids: [], more: false, total: 0 };

  const words = keyOf(query.q?.trim() ?? '');
  const has = words ? await rowsWith(words, texts, rows.length) : null;
  const from = new Date(query.from).getTime();
  const until = query.until === undefined ? Infinity : new Date(query.until).getTime();
  const cursorMs = query.cursor ? Date.parse(EVENT_CURSOR.read(query.cursor)[0]) : NaN;
  const afterMs = Number.isNaN(cursorMs) ? -Infinity : cursorMs;
  const limit = query.limit ?? EVENTS_LIMIT_DEFAULT;

  const ids: number[] = [];
  let total = 0;
  let beyond = 0;
  let lastMs = Infinity;
  for (let at = 0; at < rows.length; at++) {
    const startMs = byStart.startMs[at]!;
    if (startMs >= until) break;
    if (byStart.overMs[at]! <= from) continue;
    if (category !== null && byStart.category[at] !== category) continue;
    if (town !== null && byStart.town[at] !== town) continue;
    if (has && !has[rows[at]!]) continue;

    total++;
    if (startMs < afterMs || (beyond > limit && startMs > lastMs)) continue;
    ids.push(byStart.ids[at]!);
    if (startMs > afterMs) beyond++; // events with the cursor's start time can come before it
    lastMs = startMs;
  }
  return { ids, more: beyond > limit, total };
}

/** 1 for each row whose text contains the words. */
async function rowsWith(words: string, texts: readonly Texts[], length: number): Promise<Uint8Array> {
  const has = new Uint8Array(length);
  if (words.includes('\0')) return has; // this character separates the texts, and no text contains it
  let turn = ROWS_AT_ONCE;
  for (const { first, joined, ends } of texts) {
    if (first >= turn) {
      turn += ROWS_AT_ONCE;
      await setImmediate();
    }
    let row = 0;
    for (let at = joined.indexOf(words); at >= 0; at = joined.indexOf(words, ends[row])) {
      while (ends[row]! <= at) row++;
      has[first + row] = 1;
    }
  }
  return has;
}
