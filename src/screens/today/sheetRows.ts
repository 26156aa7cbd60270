/** The rows of a day sheet that may be jobs: without titles, totals and repeated headings, and with what they take over from
 *  the lines above. */
import { headingsOf, isHeading, isMeaning } from './sheetHeadings.ts';
import { clockColumn, dayIn, daysWithin, isDitto, type SheetRow, timeIn } from './sheetCells.ts';

export interface JobRow extends SheetRow {
  group: GroupLine;
}

/** What the lines above its group say of all of it: "SATURDAY 28TH NOVEMBER", "Driver: K. Nowak"; '' where they do not. */
interface GroupLine {
  day: string | null;
  vehicle: string;
  driver: string;
}

interface SheetRows {
  headings: string[] | null;
  width: number;
  rows: JobRow[];
  /** Lines above the headings. */
  titles: SheetRow[];
  /** Titles, totals, and lines between groups. */
  passedOver: SheetRow[];
  /** Each job was a column. */
  isTurned: boolean;
}

export function sheetRows(
  sheet: readonly SheetRow[],
  { day, remembered }: { day: string; remembered: Readonly<Record<string, string>> },
): SheetRows {
  const isTurned = isOnItsSide(sheet);
  const all = isTurned ? turned(sheet) : sheet;
  const top = headingRow(all, remembered);
  const titles = all.slice(0, Math.max(0, top));
  const headings = top >= 0 ? all[top]!.cells : null;
  const { rows, passedOver } = withoutTotals(all.slice(top + 1), headings, day);
  const full = withClocks(withoutDittos(rows), headings);
  const split = timesBefore(full, headings);
  return {
    headings: split === null ? headings : null,
    width: Math.max(0, ...(split ?? all).map(({ cells }) => cells.length)),
    rows: split ?? full,
    titles,
    passedOver: [...titles, ...passedOver],
    isTurned,
  };
}

/** The row of headings among the first; -1 where there is none. */
function headingRow(all: readonly SheetRow[], remembered: Readonly<Record<string, string>>): number {
  const known = (cell: string) =>
    isHeading(cell) ||
    (Object.hasOwn(remembered, cell.toLowerCase()) && isMeaning(remembered[cell.toLowerCase()]!));
  /** A heading of times alone, with times below it. */
  const isOverTimes = (cells: readonly string[], top: number) =>
    cells.some(
      (cell, at) =>
        headingsOf(cell).includes('time') &&
        all.slice(top + 1, top + 6).filter((row) => timeIn(row.cells[at] ?? '')).length >= 3,
    );
  return all.slice(0, 12).findIndex(({ cells }, top) => {
    const said = cells.filter((cell) => cell !== '');
    if (said.length < 2 || said.some((cell) => timeIn(cell) !== null)) return false;
    const found = said.filter(known).length;
    const hasFigures = said.some((cell) => /\d{2}/.test(cell));
    if (found >= 2) return found >= said.length / 3 || !hasFigures;
    return said.length > 2 && !hasFigures && isOverTimes(cells, top);
  });
}

/** Headings one below the other, and jobs beside each other. */
function isOnItsSide(all: readonly SheetRow[]): boolean {
  const heads = all.filter(({ cells }) => headingsOf(cells[0] ?? '').length > 0);
  const timed = heads.find(({ cells }) => headingsOf(cells[0]!).includes('time'));
  const times = timed?.cells.slice(1).filter(Boolean) ?? [];
  return heads.length >= 3 && times.length > 1 && times.every((cell) => timeIn(cell) !== null);
}

function turned(all: readonly SheetRow[]): SheetRow[] {
  const width = Math.max(0, ...all.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => ({
    line: at + 1,
    cells: all.map(({ cells }, row) => cells[at] || (at === 0 && row === 0 ? 'Job' : '')),
  })).filter(({ cells }) => cells.some(Boolean));
}

const TOTAL =
  /^(?:sub ?-?|grand )?totals?\b|^end(?: of (?:sheet|day|list))?$|^page \d|^printed\b|^(?:sum|count)$|^not read:|^[-=_–—]{3,}$/i;

/** Without lines that are no jobs: totals, and headings of groups such as "SCHOOLS" or a day. */
function withoutTotals(
  body: readonly SheetRow[],
  headings: readonly string[] | null,
  day: string,
): { rows: JobRow[]; passedOver: SheetRow[] } {
  const usual = body.map(({ cells }) => cells.filter(Boolean).length).toSorted((a, b) => a - b);
  const middle = usual[Math.floor(usual.length / 2)] ?? 0;
  const again = headings?.filter(Boolean).join('\t').toLowerCase();
  const rows: JobRow[] = [];
  const passedOver: SheetRow[] = [];
  let group: GroupLine = { day: null, vehicle: '', driver: '' };
  for (const row of body) {
    const said = row.cells.filter(Boolean);
    const [alone = ''] = said;
    const isTotal = said.some((cell) => TOTAL.test(cell)) && !said.some((cell) => timeIn(cell));
    const dayAlone =
      said.length === 1 && !timeIn(alone) ? (dayIn(alone, day) ?? daysWithin(alone, day)[0]) : undefined;
    const labels = said.some((cell) => timeIn(cell)) ? {} : labelsOf(said);
    const isGroup =
      (said.length === 1 && ((middle > 2 && !timeIn(alone)) || dayAlone !== undefined)) ||
      Object.keys(labels).length > 0;
    const isAgain =
      said.length > 2 && (said.every((cell) => isHeading(cell)) || said.join('\t').toLowerCase() === again);
    if (!isTotal && isGroup) group = { day: dayAlone ?? group.day, vehicle: '', driver: '', ...labels };
    if (isTotal || isGroup || isAgain) passedOver.push(row);
    else rows.push({ ...row, group });
  }
  return { rows, passedOver };
}

/** "Driver: K. Nowak", or "Driver" and "K. Nowak" beside it; empty where any cell is something else. */
function labelsOf(said: readonly string[]): Partial<Pick<GroupLine, 'vehicle' | 'driver'>> {
  const labels: Partial<Pick<GroupLine, 'vehicle' | 'driver'>> = {};
  for (let at = 0; at < said.length; at++) {
    const [label = '', beside = ''] = said[at]!.split(/:(.*)/);
    const [meaning] = headingsOf(label);
    if (meaning !== 'vehicle' && meaning !== 'driver') return {};
    labels[meaning] = beside.trim() || (said[++at] ?? '');
  }
  return labels;
}

function withoutDittos(rows: readonly JobRow[]): JobRow[] {
  let above: readonly string[] = [];
  return rows.map((row) => {
    const cells = row.cells.map((cell, at) => (isDitto(cell) ? (above[at] ?? '') : cell));
    above = cells;
    return { ...row, cells };
  });
}

/** Numbers below a heading of times are clock times. */
function withClocks(rows: readonly JobRow[], headings: readonly string[] | null): JobRow[] {
  const clocks = (headings ?? []).map((heading, at) => {
    const isOfTimes = headingsOf(heading).some(
      (one) => one === 'time' || one === 'back' || one === 'arrives',
    );
    return isOfTimes ? clockColumn(rows.map(({ cells }) => cells[at] ?? '')) : null;
  });
  return rows.map((row, index) => ({
    ...row,
    cells: row.cells.map((cell, at) => clocks[at]?.[index] ?? cell),
  }));
}

const LEADING = /^(?:[-*•·] ?)?(\d{1,2}[:.]\d{2} ?(?:[ap]m|hrs?)?|\d{4}(?: ?hrs)?)[ ,–-]+(?=\p{L})(.+)$/iu;

/** Lines of an e-mail, "06:10 Leeds to York, YN21 ABC": the time is a cell of its own. Null where no column is so. */
function timesBefore(rows: readonly JobRow[], headings: readonly string[] | null): JobRow[] | null {
  if (headings !== null || rows.some(({ cells }) => cells.some((cell) => timeIn(cell) !== null))) return null;
  const isTimed = ({ cells }: JobRow) => LEADING.test(cells[0] ?? '') && timeIn(LEADING.exec(cells[0]!)![1]!);
  if (rows.filter(isTimed).length < Math.max(2, rows.length * 0.5)) return null;
  return rows.map((row) => {
    const [, time = '', rest = row.cells[0] ?? ''] = LEADING.exec(row.cells[0] ?? '') ?? [];
    return { ...row, cells: [time, rest, ...row.cells.slice(1)] };
  });
}
