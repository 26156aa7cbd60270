/** Day sheets of another shape than a table with a job in each row: turned on their side, as forms, cell below cell. */
import { headingsOf, isHeading } from './headingWords.ts';
import { LEADING, timeIn } from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';

/** Whether the headings are below each other and the jobs beside each other. */
export function isOnItsSide(all: readonly SheetRow[]): boolean {
  const heads = all.filter(({ cells }) => headingsOf(cells[0] ?? '').length > 0);
  const timed = heads.find(({ cells }) => headingsOf(cells[0]!).includes('time'));
  const times = timed?.cells.slice(1).filter(Boolean) ?? [];
  if (heads.length >= 3 && times.length > 1 && times.every((cell) => timeIn(cell) !== null)) return true;
  // Stops down the side, with the times of each journey beside them.
  const stops = all.filter(
    ({ cells: [name = '', ...beside] }) =>
      isStop(name) &&
      beside.length > 1 &&
      beside.every((cell) => cell === '' || timeIn(cell) !== null) &&
      beside.some(Boolean),
  );
  return stops.length > 1 && stops.length + heads.length >= all.length - 2;
}

const DASH = /^[-–—]$/;

export function turned(sheet: readonly SheetRow[]): SheetRow[] {
  const isTitle = ({ cells }: SheetRow) => cells.filter(Boolean).length === 1 && !isHeading(cells[0] ?? '');
  const titles = sheet.slice(
    0,
    Math.max(
      0,
      sheet.findIndex((row) => !isTitle(row)),
    ),
  );
  const all = sheet.slice(titles.length);
  const width = Math.max(0, ...all.map(({ cells }) => cells.length));
  const jobs = Array.from({ length: width }, (_, at) => ({
    line: at + 1,
    cells: all.map(({ cells }, row) => cells[at] || (at === 0 && row === 0 ? 'Job' : '')),
  }));
  return [...titles, ...jobs.filter(({ cells }) => cells.some(Boolean))];
}

/** "Hawick", "to", "Galashiels" in three cells become one cell. Below "From" and "To" only the word between them
 *  goes. All other cells stay below their headings. */
export function withoutJoints(sheet: readonly SheetRow[]): readonly SheetRow[] {
  const isOfEnds = ({ cells }: SheetRow) =>
    (['from', 'to'] as const).every((end) => cells.some((cell) => headingsOf(cell).includes(end)));
  const isNamed = sheet.some(isOfEnds);
  const freed = new Set<number>();
  // In a column that also has words, a dash says that there is nothing.
  const dash = sheet.map(({ cells }) => cells.findIndex((cell) => DASH.test(cell))).find((at) => at > 0);
  const isOfDashes =
    dash !== undefined &&
    sheet.some(({ cells }) => cells[dash + 1]) &&
    sheet.every(({ cells }) => !cells[dash + 1] || DASH.test(cells[dash]!) || cells.some(isHeading));
  const joint = isOfDashes ? /^(?:to|→|->|=>|>|[-–—])$/i : /^(?:to|→|->|=>|>)$/i;
  const rows = sheet.map(({ line, cells }) => {
    const at = cells.findIndex((cell) => joint.test(cell));
    const [from = '', mark = '', to = ''] = at < 1 ? [] : cells.slice(at - 1);
    const heads = cells.filter((cell, index) => index !== at && isHeading(cell)).length;
    if (!/\p{L}/u.test(from) || to === '' || isHeading(from) || heads > 1) return { line, cells };
    const ends = isNamed ? [from, '', to] : [`${from} ${mark} ${to}`, '', ''];
    for (const [index, end] of ends.entries()) if (end === '') freed.add(at - 1 + index);
    return { line, cells: cells.toSpliced(at - 1, 3, ...ends) };
  });
  const isKept = (at: number) => !freed.has(at) || rows.some(({ cells }) => cells[at]);
  return rows.map(({ line, cells }) => ({ line, cells: cells.filter((_, at) => isKept(at)) }));
}

/** Rows from cells that are below each other, as a phone copies a table: each row has as many lines as there are
 *  from one time to the next. Null when these numbers differ. */
export function stackedOf(sheet: readonly SheetRow[]): SheetRow[] | null {
  if (sheet.some(({ cells }) => cells.length > 1)) return null;
  const lines = sheet.map(({ cells }) => cells[0] ?? '');
  const times = lines.flatMap((line, at) => (timeIn(line) ? at : []));
  const [first = 0, second = 0] = times;
  const width = second - first;
  // The time is the first cell of its row, unless cells before it belong to the row too.
  const start = (lines.length - first) % width === 0 ? first : 0;
  const isEven = times.every((at, index) => at === first + index * width);
  const isWhole = lines.length === start + times.length * width && first - start < width;
  if (times.length < 2 || width < 3 || !isEven || !isWhole) return null;
  const isHeaded = start >= width && lines.slice(start - width, start).every(isHeading);
  const top = isHeaded ? start - width : start;
  const below = sheet.slice(top).filter((_, at) => at % width === 0);
  return [
    ...sheet.slice(0, top),
    ...below.map(({ line }, index) => ({
      line,
      cells: lines.slice(top + index * width, top + (index + 1) * width),
    })),
  ];
}

/** Forms below each other, "Pick up: 07:00 Omagh", "Drop: Belfast", as rows below their labels; null when the sheet
 *  is a table. */
export function formsOf(sheet: readonly SheetRow[]): { rows: SheetRow[]; others: SheetRow[] } | null {
  const labels: string[] = ['Time'];
  let first: string | undefined;
  const rows: SheetRow[] = [];
  const others: SheetRow[] = [];
  // "Job 4501 | Time: 05:15 | From: Leeds | To: York": a whole form in one line.
  const lines = sheet.flatMap((row) => {
    // "*** JOB 20617 ***", "Pax: 2 / Cases: 4"
    const said = row.cells
      .flatMap((cell) => cell.replaceAll(/^\*{2,9} ?| ?\*{2,9}$/g, '').split(/ ?\/ (?=\p{Lu}\p{L}+: )/u))
      .filter(Boolean);
    return said.filter(labelIn).length >= said.length * 0.7
      ? said.map((cell) => ({ line: row.line, cells: [cell] }))
      : [row];
  });
  for (const row of lines) {
    const [text = '', ...more] = row.cells.filter(Boolean);
    const [label, value] = labelIn(text) ?? [];
    if (more.length > 0 || label === undefined || value === undefined) {
      others.push(row);
      continue;
    }
    const known = labels.indexOf(label);
    const at = known < 0 ? labels.push(label) - 1 : known;
    first ??= label;
    if (label === first || rows.at(-1)!.cells[at] !== undefined) rows.push({ line: row.line, cells: [] });
    const cells = rows.at(-1)!.cells;
    const [, time, rest = value] = LEADING.exec(value) ?? [];
    if (time !== undefined && timeIn(time)) cells[0] ??= time;
    cells[at] = time === undefined ? value : rest;
  }
  const meanings = labels.flatMap(headingsOf);
  // A job in the other lines would otherwise be lost.
  const isTimed = ({ cells }: SheetRow) => cells.some((cell) => timeIn(cell) !== null || LEADING.test(cell));
  if (rows.length < 2 || others.length > sheet.length / 2 || others.some(isTimed)) return null;
  if (!meanings.includes('from') || !meanings.includes('to')) return null;
  const whole = rows.map(({ line, cells }) => ({ line, cells: labels.map((_, at) => cells[at] ?? '') }));
  const isUsed = labels.map((_, at) => whole.some(({ cells }) => cells[at] !== ''));
  return {
    rows: [{ line: sheet[0]!.line, cells: labels }, ...whole].map(({ line, cells }) => ({
      line,
      cells: cells.filter((_, at) => isUsed[at]),
    })),
    others,
  };
}

/** "Pick up: Omagh", "Job 4501": a heading and its value. */
function labelIn(text: string): [label: string, value: string] | null {
  const [, label = '', value = ''] =
    /^([^:\d]{2,30}): ?(.+)$/.exec(text) ??
    /^([^:.=\d]{1,29}[^:.=\d ]) ?(?:\.{2,}|=) ?([^.=].*)$/.exec(text) ??
    /^(job|booking|ref)(?: no\.?)? #?([A-Z]{0,5}-?\d[\w/-]{0,20})$/i.exec(text) ??
    [];
  return isHeading(label) ? [label, value] : null;
}

/** "Ely", or "Bishop School", which is below no other heading. */
export const isStop = (name: string): boolean =>
  /\p{L}{3}/u.test(name) && headingsOf(name).every((meaning) => meaning === 'note');
