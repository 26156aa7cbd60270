/** Jobs of a day sheet in lines of text, "06:10 Leeds to York, YN21 ABC": each part becomes a cell of its own. */
import { INITIALS, type JobRow, NAME, NUMBER_OF } from './groupLines.ts';
import {
  endsOf,
  isFirstName,
  LEADING,
  MAKES,
  PLACE,
  share,
  timeIn,
  tripEnds,
  vehicleAlone,
} from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';

const CLOCK = /(?<![\d:.£/])(?:\d{1,2}[:.]\d{2}|[012]\d[0-5]\d)(?: ?(?:[ap]m|hrs?)\b)?(?![\d:./])/gi;

/** "Leeds to York 06:10 YN21 ABC" as its time and the words around it; null when it has not exactly one time after
 *  words. */
function timeWithin({ cells }: SheetRow): [time: string, before: string, behind: string] | null {
  const [clock, ...more] = cells.length === 1 ? cells[0]!.matchAll(CLOCK) : [];
  if (!clock || more.length > 0) return null;
  const bare = (text: string) =>
    text
      .trim()
      .replace(/^[,–-] ?/, '')
      .replace(/ ?[,–-]$/, '')
      .replace(/(?:^| )(?:dep|at|@)\.?$/i, '')
      .replace(/^(?:[-*•·]|\d{1,3}[.)]) /, '');
  const before = bare(cells[0]!.slice(0, clock.index));
  const behind = bare(cells[0]!.slice(clock.index + clock[0].length));
  // "going to Greenwich" is part of a sentence.
  const isSentence = /^(?:going|heading|travelling|bound) /.test(behind);
  return /\p{L}/u.test(before) && !isSentence ? [clock[0], before, behind] : null;
}

const LEG = /^(dep|arr)[a-z]*\.?:? (\d{1,2}[:.]?\d{2} ?(?:[ap]m|hrs)?) (?:from |at |to )?(\p{L}.*)$/iu;

/** "Dep 0745 Tiverton" and "Arr 0930 Exeter" below each other are one trip; null when not all lines are like that. */
function legsOf(rows: readonly JobRow[]): JobRow[] | null {
  const legs = rows.map((row) => ({ row, found: LEG.exec(row.cells.filter(Boolean).join(', ')) }));
  if (legs.length < 2 || legs.some(({ found }) => found === null)) return null;
  const isDeparture = ({ found }: (typeof legs)[0]) => found![1]!.toLowerCase() === 'dep';
  return legs.flatMap((leg, index) => {
    if (!isDeparture(leg)) return [];
    const next = legs[index + 1];
    const end = next && !isDeparture(next) ? next.found![3]! : '';
    return { ...leg.row, cells: [leg.found![2]!, leg.found![3]!, end] };
  });
}

const IN_BRACKETS = /^(.+?)((?: ?[([][^()[\]]+[)\]])+)$/;

const MARKS = [/( ?[,;] ?)/, /( \/ )/, /( [-–] )/, /( \| )/];

/** The trip of a line and the parts behind it, by one separator; null when there are none. */
function tailOf(cell: string, mark: RegExp | null): [trip: string, ...parts: string[]] | null {
  if (mark === null) {
    const [, trip, tail] = IN_BRACKETS.exec(cell) ?? [];
    const parts = tail?.split(/[()[\]]+|[,;/] ?| [-–|] /).map((part) => part.trim()) ?? [];
    return trip === undefined ? null : [trip, ...parts.filter(Boolean)];
  }
  const pieces = cell.split(mark);
  const ends = pieces.findIndex((_, at) => at % 2 === 0 && endsOf(pieces.slice(0, at + 1).join('')) !== null);
  const parts = pieces.slice(ends + 1).filter((_, at) => at % 2 === 1);
  // "Shaz. Back 16:15" is not one part.
  const isMore = parts.some((part) => /\d[:.]\d\d/.test(part));
  return ends < 0 || parts.length === 0 || isMore ? null : [pieces.slice(0, ends + 1).join(''), ...parts];
}

/** "Barry to Penarth, Delme, 11 pax" in nearly all rows: what stands behind the trip becomes columns, which are read
 *  by all their cells. Only parts that cannot be places are taken off. */
export function withTailsApart(rows: JobRow[]): JobRow[] {
  if (rows.length < 3 || rows.some(({ cells }) => cells.length > 2)) return rows;
  const ends = new Set(
    rows.flatMap(({ cells }) => tripEnds(cells[1] ?? '') ?? []).map((end) => end.toLowerCase()),
  );
  for (const mark of [null, ...MARKS]) {
    const tails = rows.map(({ cells }) => tailOf(cells[1] ?? '', mark));
    const many = Math.max(0, ...tails.map((tail) => (tail?.length ?? 1) - 1));
    const whole = tails.flatMap((tail) => (tail && tail.length - 1 === many ? [tail.slice(1)] : []));
    if (many === 0 || whole.length < rows.length * 0.8) continue;
    const columns = Array.from({ length: many }, (_, at) => whole.map((parts) => parts[at]!));
    const isClear = columns.map((cells) => share(cells, isNoPlace) >= 0.7);
    const isNamed = (cells: readonly string[]) =>
      share(cells, (cell) => NAME.test(cell) && !PLACE.test(cell) && !ends.has(cell.toLowerCase())) >= 0.9 &&
      (mark === null || (many > 1 ? isClear.includes(true) : cells.some(isFirstName)));
    if (!columns.every((cells, at) => isClear[at] || isNamed(cells))) continue;
    return rows.map((row, index) => {
      const tail = tails[index];
      return tail?.length === many + 1 ? { ...row, cells: [row.cells[0] ?? '', ...tail] } : row;
    });
  }
  return rows;
}

/** "KB Thorne to York" in every row: initials that come again before a trip become a column behind it. */
export function withCrewApart(rows: JobRow[]): JobRow[] {
  const leads = rows.map(({ cells }) => /^([A-Z]{2,4}) (?=\p{Lu})/u.exec(cells[1] ?? '')?.[1] ?? '');
  if (rows.length < 3 || leads.includes('') || new Set(leads).size === rows.length) return rows;
  return rows.map((row, index) => {
    const [time = '', trip = '', ...more] = row.cells;
    const lead = leads[index]!; // there is one for each row
    return { ...row, cells: [time, trip.slice(lead.length + 1), lead, ...more] };
  });
}

/** A vehicle, a number or a person. */
const isNoPlace = (part: string): boolean =>
  vehicleAlone(part) !== null ||
  MAKES.test(part) ||
  NUMBER_OF.test(part) ||
  INITIALS.test(part) ||
  isFirstName(part);

/** "Ret 1630 York to Leeds": no driver is called so. A word of all lines is written as no name is. */
const WAY = /^(?:r|rtn|ret|return|back|d|dep|out)\.?$/i;
const TWO = / ?[/;] ?(?=\d{1,2}[:.]\d{2} ?(?:[ap]m)? \p{L})/u;

/** Lines of an e-mail, "06:10 Leeds to York, YN21 ABC": the time becomes a cell of its own. Null when no column is
 *  like that. `others`: its greeting and signature, if they are long. */
export function timesBefore(
  rows: readonly JobRow[],
  headings: readonly string[] | null,
): { rows: JobRow[]; others: JobRow[] } | null {
  if (headings !== null || rows.some(({ cells }) => cells.some((cell) => timeIn(cell) !== null))) return null;
  // "7.15 Dore - Totley / 3.40 Totley - Dore"
  if (rows.some(({ cells }) => TWO.test(cells[0] ?? ''))) {
    const each = rows.flatMap((row) =>
      (row.cells[0] ?? '').split(TWO).map((cell) => ({ ...row, cells: [cell, ...row.cells.slice(1)] })),
    );
    return timesBefore(each, headings);
  }
  const legs = legsOf(rows);
  if (legs) return { rows: legs, others: [] };
  const isTimed = ({ cells }: JobRow) => LEADING.test(cells[0] ?? '') && timeIn(LEADING.exec(cells[0]!)![1]!);
  const timed = rows.filter(isTimed).length;
  if (timed === 0 && rows.length > 1 && rows.filter(timeWithin).length >= rows.length * 0.6) {
    const parts = rows.map((row) => timeWithin(row) ?? ['', ...row.cells]);
    const isEach = parts.every(([, before = '']) => WAY.test(before));
    const apart = (row: JobRow, index: number) => {
      const [time = '', before = '', ...behind] = parts[index]!; // there is one for each row
      const way = isEach ? before.toLowerCase() : before;
      return { ...row, cells: WAY.test(before) ? [time, '', ...behind, way] : [time, before, ...behind] };
    };
    return { rows: rows.map(apart), others: [] };
  }
  const isLong = timed < rows.length * 0.5;
  if (timed < (isLong ? 3 : 2)) return null;
  const isWords = (row: JobRow) => isLong && !row.cells.some((cell) => /\d[:.]\d\d|\bto\b/.test(cell));
  const split = (row: JobRow) => {
    const [, time = '', rest = row.cells[0] ?? ''] = LEADING.exec(row.cells[0] ?? '') ?? [];
    return { ...row, cells: [time, rest, ...row.cells.slice(1)] };
  };
  return { rows: rows.filter((row) => !isWords(row)).map(split), others: rows.filter(isWords) };
}
