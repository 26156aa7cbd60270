/**
 * Takes a file of events into the store. It is read to its end first, so that a file that is cut, or is none, changes
 * nothing. Then rows are stored some hundred at a time, each with all that belongs to it, in short transactions beside
 * which a running server goes on writing. Stopped in the middle, what was stored is whole; the same file again stores
 * the rest, as rows that are unchanged write nothing. What the file does not name stays.
 */
import type { Db } from '../db/open.ts';
import { events } from '../db/events.ts';
import { type Format, lastRowMayBeCut, rowsIn, UnusableFile } from './eventFile.ts';
import type { EventInput } from '../db/eventInput.ts';
import { readRow } from './row.ts';

export interface ImportReport {
  rows: number;
  imported: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** The first of the rejected. */
  problems: { line: number; reason: string }[];
  /** The line of the last row when no line break follows it, so that it may be cut; else null. It is stored all the same:
   *  the whole file again mends it. */
  unendedLine: number | null;
  /** True when it was stopped before the end. */
  stopped: boolean;
}

const PROBLEMS_MAX = 1000;
/** Performances. */
const STORED_AT_ONCE = 500;

export interface ImportParts {
  db: Db;
  path: string;
  format: Format;
  /** Who says so: an id that another source uses already is left to that source. */
  source: string;
  now: Date;
  /** How many rows each of the two steps has done; the second knows of how many. */
  onProgress?: (step: 'checking' | 'storing', rows: number, total?: number) => void;
  signal?: AbortSignal;
}

/** Throws UnusableFile, having changed nothing, when the file cannot be taken in as a whole. */
export async function importEvents(parts: ImportParts): Promise<ImportReport> {
  const { db, path, format, source, now, onProgress, signal } = parts;
  const report: ImportReport = {
    rows: 0,
    imported: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    problems: [],
    unendedLine: null,
    stopped: false,
  };

  const total = await countRows(parts);
  if (signal?.aborted) return { ...report, stopped: true };
  if (total === 0) throw new UnusableFile('The file holds no event.');

  const reject = (line: number, reason: string) => {
    report.rejected++;
    if (report.problems.length < PROBLEMS_MAX) report.problems.push({ line, reason });
  };
  const described = new Set<string>();
  const performances = new Set<string>();
  let arriving: { line: number; input: EventInput }[] = [];
  let waiting = 0;
  const store = async () => {
    const outcomes = await events(db).store({
      source,
      arriving: arriving.map(({ input }) => input),
      now,
      described,
    });
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome !== 'taken') report[outcome]++;
      else reject(arriving[at]!.line, 'event_id or performance_id belongs to another source or event');
    }
    arriving = [];
    waiting = 0;
    onProgress?.('storing', report.rows, total);
  };

  let lastLine = 0;
  for await (const row of rowsIn(path, format, source, now, signal)) {
    lastLine = row.line;
    if (signal?.aborted) {
      report.stopped = true;
      return report;
    }
    report.rows++;
    const read = row.problem === undefined ? readRow(row.value, source) : { problem: row.problem };
    const twice =
      'problem' in read ? undefined : read.performances.find((one) => performances.has(one.performance_id));
    if ('problem' in read) reject(row.line, read.problem);
    else if (twice) {
      reject(
        row.line,
        `performance_id ${JSON.stringify(twice.performance_id.slice(0, 80))} was there on an earlier line`,
      );
    } else {
      for (const { performance_id } of read.performances) performances.add(performance_id);
      arriving.push({ line: row.line, input: read });
      waiting += read.performances.length;
      if (waiting >= STORED_AT_ONCE) await store();
    }
  }
  await store();
  if (await lastRowMayBeCut(path, format)) report.unendedLine = lastLine;
  return report;
}

/** To the end, so that a file that is cut is known before anything is stored. */
async function countRows({ path, format, source, now, onProgress, signal }: ImportParts): Promise<number> {
  let rows = 0;
  const all = rowsIn(path, format, source, now, signal);
  while (!(await all.next()).done) {
    rows++;
    if (rows % STORED_AT_ONCE === 0) onProgress?.('checking', rows);
    if (signal?.aborted) break;
  }
  return rows;
}
