/** The rows and cells of a day sheet, from pasted text or the bytes of a file. */
import { Unusable } from '../../api/http.ts';
import { cellsBy } from '../watches/making/routeTable.ts';

/** The most rows of a sheet that are read. */
const SHEET_ROWS_MAX = 1500;
const SHEET_COLUMNS_MAX = 60;
/** Far more than a note can hold. */
const CELL_MAX = 2000;

export interface SheetRow {
  /** As the user counts: 1 is the first line. */
  line: number;
  cells: string[];
}

/** The text without the pictures of a chat, which say no more than its words. Its arrows, ticks and crosses, and
 *  lights for states, do. */
export const withoutPictures = (text: string): string =>
  text
    .replaceAll(/ ?[➔➜➝➞➡]\uFE0F? ?/gu, ' → ')
    // A cross before a line would be lost with its dashes and dots. One in a cell of its own stays there.
    .replaceAll(/^([❌🚫⛔])(?!\uFE0F?(?: ?[,;|]| {2}))\uFE0F? ?([^\t\r\n]+)$/gmu, '$2 $1')
    .replaceAll(
      /(?![\u2190-\u21FF☑⚠⛔✅✓✔✖❌❎❓❗🚫🛑🔴🟠🟡🟢©®™])\p{Extended_Pictographic}\uFE0F? ?/gu,
      '',
    );

/** The text of a file: UTF-8 or UTF-16 by their marks, otherwise in the encoding of Windows. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The rows of a pasted text. Cells are separated by tabs, otherwise by the sign that gives most lines the same
 *  number of cells. Throws Unusable. */
export function rowsOfText(pasted: string): SheetRow[] {
  const plain = withoutPictures(pasted)
    .replace(/^\uFEFF/, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\r\n?/g, '\n')
    // Marks of Markdown: "**06:10**", and the rule below the headings of a table.
    .replaceAll(/\*\*([^*\n]+)\*\*/g, '$1')
    .replaceAll(/^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/gm, '');
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  // These are lines that an e-mail quotes.
  if (lines.length > 2 && lines.filter((line) => /^>(?: |$)/.test(line)).length >= lines.length * 0.6)
    return rowsOfText(plain.replaceAll(/^> ?/gm, ''));
  const mark = plain.includes('\t') ? '\t' : bestMark(lines);
  // A quotation mark alone in its cell repeats the cell above, and does not begin a quoted cell.
  const text = mark === '\t' ? plain.replaceAll(/(?<=^|\t) *" *(?=\t|$)/gm, '〃') : plain;
  if (mark === 'spaces')
    return tidied(inGaps(plain.split('\n')).map((cells, index) => ({ line: index + 1, cells })));
  if (mark === null)
    return tidied(plain.split('\n').map((line, index) => ({ line: index + 1, cells: [line] })));
  const parsed = cellsBy(mark, text, 'sheet');
  // "| 06:10 | Leeds |" has its marks at both edges.
  const isFramed =
    mark === '|' &&
    parsed.every(({ values }) => values.length === 1 || (values[0] === '' && values.at(-1) === ''));
  return tidied(
    parsed.map(({ line, values }) => ({
      line,
      cells: isFramed && values.length > 1 ? values.slice(1) : values,
    })),
  );
}

/** Columns separated by two or more spaces. */
const byGaps = (line: string): string[] =>
  line
    .split('  ')
    .map((cell) => cell.trim())
    .filter(Boolean)
    // Words in brackets belong to the cell before.
    .reduce<string[]>((cells, cell) => {
      if (cell.startsWith('(') && cells.length > 0) cells.push(`${cells.pop()} ${cell}`);
      else cells.push(cell);
      return cells;
    }, []);

/** The same for all lines together: if a long cell leaves only one space, the next cell begins where it does in the
 *  other lines. */
function inGaps(lines: readonly string[]): string[][] {
  const startsOf = (line: string) => [...line.matchAll(/(?<= {2}|^)\S/g)].map(({ index }) => index);
  const counts = new Map<number, number>();
  for (const start of lines.flatMap(startsOf)) counts.set(start, (counts.get(start) ?? 0) + 1);
  counts.delete(0);
  const most = Math.max(0, ...counts.values());
  const usual = [...counts].flatMap(([start, count]) => (count >= most / 2 ? start : []));
  return lines.map((line) => {
    const missed = usual.filter((start) => /^[^ ] [^ ]/.test(line.slice(start - 2, start + 1)));
    const isOfColumns = startsOf(line).filter((start) => usual.includes(start)).length >= usual.length / 2;
    const apart = isOfColumns ? missed.toSorted((one, other) => other - one) : [];
    return byGaps(apart.reduce((whole, start) => `${whole.slice(0, start)}  ${whole.slice(start)}`, line));
  });
}

function bestMark(lines: readonly string[]): string | null {
  // In lines that begin with their times, commas are those of sentences.
  const isTimed = (line: string) =>
    /^\W*\d{1,2}(?:[:.]\d{2}|\d{2}| ?(?=[ap]m)) ?(?:[ap]m|hrs)?\b (?![ap]m\b)[^,;|]*\p{L}/iu.test(line);
  const isProse = lines.filter(isTimed).length >= lines.length * 0.4;
  const ranked = (isProse ? [';', '|', ' / ', 'spaces'] : [',', ';', '|', ' / ', 'spaces'])
    .map((mark) => {
      const counts = lines
        .slice(0, 50)
        .map((line) => line.replaceAll(/\([^()]*\)/g, ''))
        .map((line) => (mark === 'spaces' ? byGaps(line) : line.split(mark)).length);
      const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1;
      return { mark, usual, share: counts.filter((count) => count === usual).length / counts.length };
    })
    // "Leeds / York" is a trip.
    .filter(({ mark, usual }) => usual > (mark === ' / ' ? 3 : 1))
    .toSorted((a, b) => b.share * Math.min(b.usual, 6) - a.share * Math.min(a.usual, 6));
  return ranked[0]?.mark ?? null;
}

/** The rows that are not empty, with single spaces. Throws Unusable. */
const tidied = (rows: readonly SheetRow[]): SheetRow[] => {
  const given = rows
    .map(({ line, cells }) => ({
      line,
      // Lines within one cell are parts of it: two pick-ups, an address.
      cells: cells.slice(0, SHEET_COLUMNS_MAX).map((cell) =>
        cell
          .slice(0, CELL_MAX)
          .split('\n')
          .map((line) => line.trim().replace(/[,;]$/, ''))
          .filter(Boolean)
          .join('; ')
          .replaceAll(/\s+/g, ' '),
      ),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (given.length > SHEET_ROWS_MAX)
    throw new Unusable(
      `This sheet has ${given.length.toLocaleString('en-GB')} rows, and ${SHEET_ROWS_MAX.toLocaleString('en-GB')} can be read. Paste the rows of one day.`,
    );
  // "1. 0655 | Leeds to York", "2. 0720 | Hull to Selby"
  const isCounted = ({ cells: [first = '', ...more] }: SheetRow) => more.length > 0 && COUNTED.test(first);
  const counted = given.filter(isCounted);
  if (counted.length < 2 || counted.some(({ cells }, at) => Number.parseInt(cells[0]!) !== at + 1))
    return given;
  return given.map((row) =>
    isCounted(row) ? { ...row, cells: row.cells.with(0, row.cells[0]!.replace(COUNTED, '')) } : row,
  );
};

const COUNTED = /^\d{1,3}[.)] (?=\S)/;
