/** Reads files of events row by row: CSV and NDJSON of any length, JSON-LD and iCalendar up to 64 MB. */
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { toUtc } from '../../../http/documents/londonTime.ts';
import { isJsonLd, rowsOfJsonLd } from './jsonLd.ts';
import { entriesOf, rowsOf, seriesOf } from './icalendar.ts';
import { COLUMNS, REQUIRED_COLUMNS } from './importRow.ts';

export const FORMATS = ['csv', 'ndjson', 'json-ld', 'icalendar'] as const;
export type Format = (typeof FORMATS)[number];

/** A row of the file before it is checked, or its problem. Lines count from 1. */
interface RawRow {
  line: number;
  value: unknown;
  problem?: string;
}

/** The file as a whole cannot be imported; the message is one sentence. */
export class UnusableFile extends Error {}

const WHOLE_MAX_BYTES = 64 * 1024 * 1024;
/** A longer row means a missing closing quote. */
const ROW_MAX_CHARACTERS = 32 * 1024 * 1024;

/** The format, by the file name, otherwise by the first characters. */
export async function formatOf(path: string): Promise<Format> {
  const [, ending = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? [];
  const known = ENDINGS[ending];
  if (known) return known;

  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const head = buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart();
    if (/^BEGIN:VCALENDAR/i.test(head)) return 'icalendar';
    if (head.startsWith('[')) return 'json-ld';
    if (head.startsWith('{')) return /^\{[^\n]*\}\s*(?:\n|$)/.test(head) ? 'ndjson' : 'json-ld';
    return 'csv';
  } finally {
    await file.close();
  }
}

const ENDINGS: Readonly<Record<string, Format>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json-ld',
  jsonld: 'json-ld',
  ics: 'icalendar',
};

interface EventRows {
  total: number;
  /** In order. */
  rows: AsyncIterable<RawRow> | Iterable<RawRow>;
}

export interface Reading {
  source: string;
  now: Date;
  /** After an abort there are fewer rows. */
  signal?: AbortSignal;
  /** For files of any length, which are read twice: called with the number of rows so far. */
  onCounted?: (rows: number) => void;
}

/** The rows of a file that was read to its end. Throws UnusableFile when it is cut off or has another format. */
export async function rowsIn(path: string, format: Format, reading: Reading): Promise<EventRows> {
  switch (format) {
    case 'csv':
      return counted(() => csvRows(path), reading);
    case 'ndjson':
      return counted(() => ndjsonRows(path, reading.source), reading);
    case 'json-ld': {
      const rows = await jsonLdRows(path, reading.source);
      return { total: rows.length, rows };
    }
    case 'icalendar':
      return icalendarRows(path, reading);
  }
}

async function counted(
  read: () => AsyncGenerator<RawRow>,
  { signal, onCounted }: Reading,
): Promise<EventRows> {
  let total = 0;
  const all = read();
  while (!(await all.next()).done) {
    onCounted?.(++total);
    if (signal?.aborted) break;
  }
  return { total, rows: read() };
}

/** Rows of the wrong length and misplaced quotes are passed to our code, so that it can report their line. */
const TOLERANT = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true } as const;
const LINE_BREAK = /\r\n|\r|\n/;

async function* csvRows(path: string): AsyncGenerator<RawRow> {
  const parser = parse({ ...TOLERANT, raw: true, max_record_size: ROW_MAX_CHARACTERS });
  const file = Readable.from(textOf(path));
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);

  let columns: string[] | undefined;
  let short: { line: number; length: number } | undefined;
  let nextLine = 1;
  try {
    for await (const row of parser) {
      const { record, raw } = row as { record: string[]; raw: string };
      // The text of a row includes empty lines before it.
      const text = raw.replace(/^[\r\n]+/, '');
      const line = nextLine + breaksIn(raw.slice(0, raw.length - text.length));
      nextLine += breaksIn(raw);
      if (!columns) {
        columns = readHeader(record);
        continue;
      }
      for (const one of untorn({ line, record }, text, columns)) {
        if (short) yield tooShort(short, columns);
        short = undefined;
        if (!one.record) yield { line: one.line, value: null, problem: 'has a quote that is not closed' };
        else if (one.record.length !== columns.length) short = { line: one.line, length: one.record.length };
        else {
          const { record: cells } = one;
          yield { line: one.line, value: Object.fromEntries(columns.map((name, at) => [name, cells[at]])) };
        }
      }
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') {
      throw new UnusableFile(
        `The file is truncated, or a quote is never closed, in the row that begins on line ${nextLine}.`,
        { cause: error },
      );
    }
    throw error;
  } finally {
    file.destroy();
    parser.destroy();
  }
  if (!columns) throw new UnusableFile('The file is empty.');
  if (short) {
    if (short.length < columns.length && !(await endsWithLineBreak(path))) throw cut(short.line);
    yield tooShort(short, columns);
  }
}

const breaksIn = (text: string) => text.split(LINE_BREAK).length - 1;

/** If a closing quote is missing, a cell swallows the rows up to the next quote. Then each line is read as a
 *  separate row: only the line with the quote has no record, and the others are not lost. */
function untorn(
  row: { line: number; record: string[] },
  text: string,
  columns: readonly string[],
): { line: number; record?: string[] }[] {
  const lines = text.replace(/(?<![\r\n])[\r\n]+$/, '').split(LINE_BREAK);
  if (lines.length === 1) return [row];
  const isRow = (line: string) => {
    const cells = line.replaceAll('"', '').split(',');
    return cells.length === columns.length && toUtc(cells[columns.indexOf('start_datetime')]) !== null;
  };
  // The second test covers the next quote at the end of a cell, which closes the first one correctly.
  const isTorn = !isQuotedWell(lines.join('\n')) || (isRow(lines[0]!) && isRow(lines.at(-1)!)); // at least two
  if (!isTorn) return [row];
  return lines.flatMap((line, at) =>
    line === ''
      ? []
      : { line: row.line + at, record: isQuotedWell(line) ? parseSync(line, TOLERANT)[0] : undefined },
  );
}

/** Whether each cell that begins with a quote ends with the matching one. */
function isQuotedWell(row: string): boolean {
  for (let at = 0; ; at++) {
    if (row[at] === '"') {
      // A doubled quote is a quote within the cell.
      do {
        at = row.indexOf('"', at + 1) + 1;
        if (at === 0) return false;
      } while (row[at] === '"');
    } else {
      at = row.indexOf(',', at);
    }
    if (at < 0 || at === row.length) return true;
    if (row[at] !== ',') return false;
  }
}

const tooShort = ({ line, length }: { line: number; length: number }, columns: string[]) => ({
  line,
  value: null,
  problem: `has ${length} cells where the header has ${columns.length}`,
});

function readHeader(record: readonly string[]): string[] {
  const [only = '', ...others] = record;
  if (others.length === 0 && /[;\t]/.test(only)) {
    throw new UnusableFile(
      `The columns are separated by ${only.includes(';') ? 'semicolons' : 'tabs'}; they must be separated by commas.`,
    );
  }
  const columns = record.map((name) => name.trim().toLowerCase());
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new UnusableFile(`The first line must name the columns; it lacks ${missing.join(', ')}.`);
  }
  const unknown = columns.filter((name) => !COLUMNS.includes(name));
  if (unknown.length > 0) {
    throw new UnusableFile(
      `The columns ${unknown.map((name) => `"${name.slice(0, 40)}"`).join(', ')} are unknown. The known ones are ${COLUMNS.join(', ')}.`,
    );
  }
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice) throw new UnusableFile(`The column "${twice}" appears twice.`);
  return columns;
}

async function* ndjsonRows(path: string, source: string): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const { text, isWhole } of linesOf(path)) {
    line++;
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (!isWhole) throw cut(line);
      yield { line, value: null, problem: 'is not JSON' };
      continue;
    }
    if (isJsonLd(value)) {
      const rows = rowsOfJsonLd(value, source);
      if (rows.length === 0) yield { line, value: null, problem: 'is not a schema.org event' };
      for (const row of rows) yield { line, ...asRow(row) };
    } else yield { line, value };
  }
  if (line === 0) throw new UnusableFile('The file is empty.');
}

/** `isWhole`: the line has its line break. node:readline is not used, because it buffers a line of any length. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of createReadStream(path)) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop()!; // split returns at least one part
    if (rest.length > ROW_MAX_CHARACTERS) throw new UnusableFile('A line is longer than any event.');
    for (const text of lines) yield { text, isWhole: true };
  }
  rest += decoder.decode();
  if (rest !== '') yield { text: rest, isWhole: false };
}

async function jsonLdRows(path: string, source: string): Promise<RawRow[]> {
  const text = await wholeText(path);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new UnusableFile(`The file is truncated, or is not JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const rows = rowsOfJsonLd(document, source);
  if (rows.length === 0) throw new UnusableFile('The file contains no schema.org event.');
  // Line numbers mean little in JSON, so events are counted instead.
  return rows.map((row, at) => ({ line: at + 1, ...asRow(row) }));
}

async function icalendarRows(path: string, { source, now, signal }: Reading): Promise<EventRows> {
  const text = await wholeText(path);
  if (!/^BEGIN:VCALENDAR/i.test(text.trimStart())) throw new UnusableFile('The file is not an iCalendar.');
  const entries = entriesOf(text);
  if (!entries) throw new UnusableFile('The file is truncated: it does not end with END:VCALENDAR.');
  const series = await seriesOf(entries, signal);
  const rows = async function* (): AsyncGenerator<RawRow> {
    for await (const { line, value } of rowsOf(series, source, now, signal)) yield { line, ...asRow(value) };
  };
  return { total: series.length, rows: rows() };
}

const asRow = (value: object): Pick<RawRow, 'value' | 'problem'> =>
  'problem' in value && typeof value.problem === 'string'
    ? { value: null, problem: value.problem }
    : { value };

async function wholeText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > WHOLE_MAX_BYTES) {
    throw new UnusableFile(
      `The file has ${Math.round(size / 1e6)} MB; of this format at most 64 MB are read. NDJSON may have any length.`,
    );
  }
  return new TextDecoder().decode(await readFile(path));
}

/** Whether the end of the last cell can be missing. Only in CSV this is unclear: a file that was cut off there looks
 *  like one without the last line break, which RFC 4180 allows. */
export async function lastRowMayBeCut(path: string, format: Format): Promise<boolean> {
  return format === 'csv' && !(await endsWithLineBreak(path));
}

const cut = (line: number) => new UnusableFile(`The file is truncated in the middle of line ${line}.`);

async function endsWithLineBreak(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer: head } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const { buffer: tail } = await file.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    return /[\r\n]$/.test(new TextDecoder(encodingOf(head)).decode(tail));
  } finally {
    await file.close();
  }
}

/** The text of a file. Spreadsheets save "Unicode text" in UTF-16. */
async function* textOf(path: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of createReadStream(path)) {
    decoder ??= new TextDecoder(encodingOf(chunk as Buffer));
    yield decoder.decode(chunk as Buffer, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

/** The encoding by the byte order mark. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
