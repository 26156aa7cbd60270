/** Several routes in one text: a table from a spreadsheet or a CSV file, or a line for each route. The text is read
 *  here, and the server checks each row. */
import { parse } from 'csv-parse/browser/esm/sync';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';

export const TABLE_ROWS_MAX = 100;
export const TABLE_BYTES_MAX = 256 * 1024;

export interface TableRow {
  /** As the user counts: 1 is the first line of the text. */
  line: number;
  name: string;
  /** The way as it would be typed for one route: "Leeds, M62 J26, Hull". */
  way: string;
  /** Times of day in London: "06:10". */
  departures: string[];
  /** The fault of the row, in words; null: none. */
  problem: string | null;
}

type Column = 'name' | 'from' | 'to' | 'via' | 'departure';

const HEADINGS: readonly [Column, RegExp][] = [
  ['departure', /^(?:departures?|depart(?:s|ing)?|leaves?|leaving|times?|dep\.?|start time|pick-?up time)$/],
  ['from', /^(?:from|origin|start|pick-?up)$/],
  ['to', /^(?:to|destination|end|drop-?off)$/],
  ['via', /^(?:via|way|roads?|road|path|legs)$/],
  ['name', /^(?:name|route|routes?|title|service|trip|run)$/],
];

const headingOf = (cell: string): Column | null =>
  HEADINGS.find(([, words]) => words.test(cell.trim().toLowerCase()))?.[0] ?? null;

/** Separators between the stops of one route. */
const STOPS = /[,;→\t]|\s(?:to|via|then|-|–)\s/i;

/** Separators between the two ends in a name. */
const FROM_TO = /\s(?:to|-|–|→)\s/i;

/** Whether each line is a route of its own and not a stop of one route. */
export function isSeveralRoutes(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => STOPS.test(line.trim()));
}

/** The rows of the table, at most `TABLE_ROWS_MAX`. Throws an Error with a sentence for the user. */
export function readTable(text: string): TableRow[] {
  if (new Blob([text]).size > TABLE_BYTES_MAX) throw new Error('This table is larger than 256 KB.');
  const cells = cellsOf(text.replace(/^\uFEFF/, ''));
  const [first] = cells;
  if (!first) return [];
  const heads = first.values.map(headingOf);
  const hasHeadings = heads.filter((head) => head !== null).length > first.values.length / 2;
  const rows = (hasHeadings ? cells.slice(1) : cells).map(({ line, values }) =>
    rowOf(line, hasHeadings ? named(values, heads) : guessed(values, text.includes('\t'))),
  );
  if (rows.length > TABLE_ROWS_MAX)
    throw new Error(`A table may have ${TABLE_ROWS_MAX} rows. This has ${rows.length}.`);
  return rows;
}

/** The text without these rows, by their `line`. */
export function withoutRows(text: string, rows: ReadonlySet<number>): string {
  const lines = text.split(/\r?\n/);
  let from = 0;
  const left = cellsOf(text).flatMap(({ line }) => {
    const own = lines.slice(from, line); // a quoted cell can have several lines
    from = line;
    return rows.has(line) ? [] : own;
  });
  return [...left, ...lines.slice(from)].join('\n');
}

/** The cells. They are separated by tabs if there are any; otherwise by semicolons or commas if there are headings,
 *  or if each line ends in times of day. Otherwise a line is one cell. */
function cellsOf(text: string): { line: number; values: string[] }[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const cut = (line: string, mark: string) => line.replaceAll('"', '').split(mark);
  const isTable = (mark: string) =>
    cut(lines[0] ?? '', mark).filter((cell) => headingOf(cell) !== null).length > 1 ||
    lines.every((line) => cut(line, mark).length > 1 && timesOf(cut(line, mark).at(-1)!)?.length);
  const delimiter = text.includes('\t') ? '\t' : [';', ','].find(isTable);
  if (!delimiter)
    return text
      .split(/\r?\n/)
      .map((value, index) => ({ line: index + 1, values: [value.trim()] }))
      .filter(({ values: [value] }) => value !== '');
  return cellsBy(delimiter, text, 'table').filter(({ values }) => values.some((value) => value !== ''));
}

/** The cells of each line that is not empty, without white space around them. Quoted cells can have several lines, of
 *  which the last counts. Throws an Error with a sentence for the user. */
export function cellsBy(
  delimiter: string,
  text: string,
  what: 'table' | 'sheet',
): { line: number; values: string[] }[] {
  try {
    return parse<{ record: string[]; info: { lines: number } }>(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }).map(({ record, info }) => ({ line: info.lines, values: record }));
  } catch {
    throw new Error(`This ${what} cannot be read: a quotation mark is opened and never closed.`);
  }
}

type Said = Record<Column, string[]>;
const nothing = (): Said => ({ name: [], from: [], to: [], via: [], departure: [] });

function named(values: readonly string[], heads: readonly (Column | null)[]): Said {
  const said = nothing();
  for (const [index, value] of values.entries()) {
    const head = heads[index];
    if (head && value !== '') said[head].push(value);
  }
  return said;
}

/** A row without headings. Times are departures. The first other cell is the name, if the text is from a spreadsheet
 *  or the cell is like "Leeds to Hull"; the rest is the way. */
function guessed(values: readonly string[], isSheet: boolean): Said {
  const said = nothing();
  const others: string[] = [];
  for (const value of values) {
    if (value === '') continue;
    if (timesOf(value)) said.departure.push(value);
    else others.push(value);
  }
  const [one = '', ...more] = others;
  if (more.length > 0 && (isSheet || FROM_TO.test(one))) {
    said.name.push(one);
    said.via.push(more.join(', '));
  } else said.via.push(others.join(', '));
  return said;
}

/** "06:10", "6.10am", "0610", "7 pm", "19:15:00", "0610hrs". */
const TIME = /^(\d{1,2})(?:[:.h]?([0-5]\d))?(?::00)? ?(am|pm|hrs|h)?$/i;

function rowOf(line: number, said: Said): TableRow {
  const times = said.departure.join(', ').trim();
  const departures = timesOf(times);
  const name = said.name.join(' ').trim();
  const way = wayOf(name, said);
  const problem =
    way === ''
      ? `Row ${line}: no way is given.`
      : departures === null
        ? `Row ${line}: “${times.slice(0, 40)}” is no time of day.`
        : departures.length > WATCH_LIMITS.departures
          ? `Row ${line}: a route may have ${WATCH_LIMITS.departures} departures.`
          : null;
  return { line, name: name.slice(0, WATCH_LIMITS.nameLength), way, departures: departures ?? [], problem };
}

function wayOf(name: string, { from, to, via }: Said): string {
  const between = via.join(', ').trim();
  if (from.length > 0 || to.length > 0) return [...from, between, ...to].filter(Boolean).join(', ');
  const [start, end, ...more] = name.split(FROM_TO);
  // "Leeds to Hull" by "M62": the two ends are in the name.
  if (between !== '' && start && end && more.length === 0 && !begins(between, start))
    return `${start}, ${between}, ${end}`;
  return between || name;
}

const begins = (way: string, place: string) =>
  way.toLowerCase().startsWith(place.trim().toLowerCase().slice(0, 4));

/** "06:10, 7.15pm" as times of day, each once and in order; null when one cannot be read. */
function timesOf(text: string): string[] | null {
  const said = text
    .replaceAll(/\s+/g, ' ')
    .split(/ ?[,;/&] ?| (?=\d)/)
    .filter((one) => one !== '');
  const times = said.map(timeOf);
  return times.includes(null) ? null : [...new Set(times as string[])].sort();
}

function timeOf(text: string): string | null {
  const [found, first = '', minute, half = ''] = TIME.exec(text.trim()) ?? [];
  const isHalf = /m$/i.test(half);
  // A bare number is not a time: "6" can be anything.
  if (found === undefined || (minute === undefined && half === '')) return null;
  const hour = isHalf ? (Number(first) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(first);
  if (hour > 23 || (isHalf && (Number(first) < 1 || Number(first) > 12))) return null;
  return `${String(hour).padStart(2, '0')}:${minute ?? '00'}`;
}
