/** Values that rows of a day sheet take from the lines above them: merged cells, ditto marks, the day and its half. */
import { type JobRow, halfOf } from './groupLines.ts';
import type { SheetRow } from './sheetText.ts';
import { daysWithin, timeIn, isDitto, isOfTimes } from './sheetCells.ts';
import { headingsOf, isOfAnyCrew, type Meaning } from './headingWords.ts';

/** "EVENING WORK" above the headings counts for the rows above the next such line. */
export function withHalfAbove(rows: readonly JobRow[], titles: readonly SheetRow[]): readonly JobRow[] {
  const alone = titles.flatMap(({ cells }) => (cells.filter(Boolean).length === 1 ? cells.join('') : []));
  const half = alone.map((title) => halfOf(title).half).find((one) => one !== undefined);
  const next = rows.findIndex(({ group }) => group.half !== undefined);
  return half === undefined
    ? rows
    : rows.map((row, at) => (next < 0 || at < next ? { ...row, group: { ...row.group, half } } : row));
}

/** If lines below give other days, the day above the headings counts only for the first rows. */
export function withDayAbove(
  rows: readonly JobRow[],
  titles: readonly SheetRow[],
  day: string,
): readonly JobRow[] {
  const [above, ...more] = titles.flatMap(({ cells }) => cells.flatMap((cell) => daysWithin(cell, day)));
  if (above === undefined || more.length > 0 || rows.every(({ group }) => group.day === null)) return rows;
  return rows.map((row) => ({ ...row, group: { ...row.group, day: row.group.day ?? above } }));
}

/** "3.15" below "PM", beside a table below "AM", is in the afternoon. */
export function withHalvesAbove(rows: readonly JobRow[], above: readonly string[]): readonly JobRow[] {
  const halves = above.map((cell) => halfOf(cell).half);
  const isAfter = (at: number) => (halves.findLast((half, one) => one <= at && half) ?? 'am') !== 'am';
  const isOfDay = rows.some(({ cells }) =>
    cells.some((cell, at) => isAfter(at) && (timeIn(cell)?.local ?? '') >= '13:00'),
  );
  if (isOfDay || halves.filter(Boolean).length < 2) return rows;
  const inFull = (cell: string, at: number) =>
    isAfter(at) && /^(?:[1-9]|1[01])[:.]\d\d$/.test(cell) ? `${cell}pm` : cell;
  return rows.map((row) => ({ ...row, cells: row.cells.map(inFull) }));
}

export function withoutDittos(rows: readonly JobRow[]): JobRow[] {
  let above: readonly string[] = [];
  return rows.map((row) => {
    const cells = row.cells.map((cell, at) => (isDitto(cell) ? (above[at] ?? '') : cell));
    above = cells;
    return { ...row, cells };
  });
}

/** Fills merged cells: a driver, vehicle or duty number before the times also counts for the rows below, until the
 *  first column has the next value. If only one column has such gaps, they may be real gaps, unless the times start
 *  again with each value. The same is true of columns without headings. */
export function withMerged(rows: readonly JobRow[], headings: readonly string[] | null): readonly JobRow[] {
  const meant = (headings ?? []).map((cell) => headingsOf(cell));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, at) => at);
  const named = meant.findIndex((meanings) => meanings.includes('time'));
  const time =
    named >= 0 ? named : columns.findIndex((at) => isOfTimes(rows.map(({ cells }) => cells[at] ?? '')));
  const isCounted = (at: number) => rows.every(({ cells }, index) => Number(cells[at]) === index + 1);
  /** The rows in which the column has a cell. Below an unknown heading, merged cells are in the rows of a neighbour. */
  const given = (at: number) => rows.map(({ cells }) => (cells[at] ? '1' : '0')).join('');
  const isMeant = (at: number) =>
    headings === null || isOfAnyCrew(headings[at] ?? '') || !!meant[at]?.some((one) => LEADS.includes(one));
  const before = columns.slice(0, Math.max(0, time)).filter((at) => !isCounted(at));
  const isAsBeside = (at: number) =>
    meant[at]?.length === 0 &&
    given(at).startsWith('1') &&
    given(at).includes('0') &&
    before.some((one) => one !== at && given(one) === given(at));
  const leading = before.filter((at) => isMeant(at) || isAsBeside(at));
  const [first = -1] = leading;
  const begins = rows.map(({ cells }) => cells[first] ?? '');
  const runs = begins.filter(Boolean);
  const isMerged = begins[0] !== '' && runs.length < rows.length && new Set(runs).size === runs.length;
  const isSame = leading.every((at) => rows.every(({ cells }, index) => !cells[at] === !begins[index]));
  const isSeveral = leading.length > 1 && (headings !== null || isSame);
  if (!isMerged || !(isSeveral || (first >= 0 && beginsAnew(rows, begins, time)))) return rows;
  let above = rows[0]!; // `begins` has a cell of it
  return rows.map((row, index) => {
    const said = (at: number) => row.cells[at] || (begins[index] ? '' : (above.cells[at] ?? ''));
    const cells = row.cells.map((cell, at) => (leading.includes(at) ? said(at) : cell));
    above = { ...row, cells };
    return begins[index] ? row : { ...above, led: leading.filter((at) => !row.cells[at]) };
  });
}

/** Whether the times rise until the next driver and then fall, which does not happen in a sheet sorted by time. */
function beginsAnew(rows: readonly JobRow[], begins: readonly string[], time: number): boolean {
  const times = rows.map(({ cells }) => timeIn(cells[time] ?? '')?.local ?? '');
  const falls = times.map((local, index) => index > 0 && local < times[index - 1]!);
  return falls.some(Boolean) && falls.every((isFall, index) => !isFall || begins[index] !== '');
}

const LEADS: readonly Meaning[] = ['driver', 'vehicle', 'ref'];
