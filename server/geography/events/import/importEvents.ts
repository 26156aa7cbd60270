/**
 * Imports a file of events. The file is first read to its end, so that a file that is cut off or wrong changes
 * nothing. Then rows are stored a few hundred at a time, each with all its data, in short transactions, so that a
 * running server can go on writing. If it is stopped midway, the stored rows are complete, and importing the file
 * again stores the rest: unchanged rows write nothing. Events that the file does not contain stay.
 */
import type { Db } from '../../../db/open.ts';
import { events } from '../events.ts';
import { type Format, lastRowMayBeCut, rowsIn, UnusableFile } from './eventFile.ts';
import type { EventInput } from '../eventInput.ts';
import { readRow } from './importRow.ts';

export interface ImportReport {
  rows: number;
  imported: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** The first rejected rows. */
  problems: { line: number; reason: string }[];
  /** The line of the last row when no line break follows, because the row may be cut off; otherwise null. The row is
   *  stored anyway: importing the complete file corrects it. */
  unendedLine: number | null;
  /** True when it was stopped before the end. */
  stopped: boolean;
}

const PROBLEMS_MAX = 1000;
/** In performances. */
const STORED_AT_ONCE = 500;

interface ImportParts {
  db: Db;
  path: string;
  format: Format;
  /** The source of the events. If another source already uses an id, it keeps it. */
  source: string;
  now: Date;
  /** The number of rows done in each of the two steps; `total` only in the second. */
  onProgress?: (step: 'checking' | 'storing', rows: number, total?: number) => void;
  signal?: AbortSignal;
}

/** Throws UnusableFile, before any change, when the file cannot be imported at all. */
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

  const onCounted = (count: number) => {
    if (count % STORED_AT_ONCE === 0) onProgress?.('checking', count);
  };
  const { total, rows } = await rowsIn(path, format, { source, now, signal, onCounted });
  if (signal?.aborted) return { ...report, stopped: true };
  if (total === 0) throw new UnusableFile('The file contains no event.');

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
  for await (const row of rows) {
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
        `performance_id ${JSON.stringify(twice.performance_id.slice(0, 80))} is also on an earlier line`,
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
