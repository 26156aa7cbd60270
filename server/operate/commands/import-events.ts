/** `npm run import-events -- FILE_OR_URL`: imports events into the database. */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/open.ts';
import {
  type DownloadedFile,
  downloadedFile,
  Stopped,
} from '../../geography/events/import/downloadedFile.ts';
import { type Format, FORMATS, formatOf, UnusableFile } from '../../geography/events/import/eventFile.ts';
import { importEvents, type ImportReport } from '../../geography/events/import/importEvents.ts';
import { COLUMNS, REQUIRED_COLUMNS } from '../../geography/events/import/importRow.ts';
import { keepSample, SAMPLE_SOURCE } from '../../geography/events/sample/sampleEvents.ts';
import { TICKETMASTER_SOURCE } from '../../geography/events/import/ticketmaster.ts';
import { oneLine, Unusable } from './running.ts';

const HELP = `Usage: npm run import-events -- FILE_OR_URL [--source NAME] [--format FORMAT]

Stores the events of a file in the database of DATA_DIR or DATABASE_URL, and reports what became of the rows. A server
that keeps its data in DATA_DIR must be stopped meanwhile; one on DATABASE_URL may go on.

  --source NAME    whose events they are, for instance the venue's; "import" by default. Events of other sources never change.
  --format FORMAT  ${FORMATS.join(', ')}; by default from the name's ending (.csv, .ndjson, .jsonl, .json, .jsonld,
                   .ics) or the beginning of the file
  --help           this text

A truncated file, or one of another kind, changes nothing. Otherwise wrong rows are left out and listed, and the others are
stored. The same file again changes nothing; after an interruption it stores the rest. Events that a file does not name
stay. A CSV file that does not end with a line break is stored, with a warning that its last row may be cut.

csv        UTF-8, with a first line of column names, separated by commas. Required: ${REQUIRED_COLUMNS.join(', ')}.
           All: ${wrapped(COLUMNS)}.
           One row for each performance. Several performances of one event share its event_id and have a
           performance_id each; the first row describes the event. Times are ISO 8601; without a zone they are London
           times. A date alone lasts to the end of that day.
           sub_categories and tags are separated by semicolons; prices are in pounds unless currency says otherwise.
ndjson     One JSON object on each line, with the same names, or in the shape of GET /api/v1/events/{id}.
json-ld    schema.org events, in one object, a list or a graph; or one on each line as NDJSON.
icalendar  VEVENTs; a series gives its dates in the next 400 days.

Exit code: 0 when the file was stored, 1 when nothing was, 130 when stopped.
`;

function wrapped(names: readonly string[]): string {
  return names.join(', ').replace(/(.{80,100}?,) /g, '$1\n           ');
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const source = readSource(values.source);
  const format = readFormat(values.format);
  const [name, ...more] = positionals;
  if (name === undefined) throw new Unusable('Name a file or an address (see --help).');
  if (more.length > 0) throw new Unusable(`One file at a time; what is "${more.join(' ')}"?`);

  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  process.once('SIGTERM', () => stopped.abort());

  const config = readConfig(process.env, []);
  const file = await fileOf(name, stopped.signal);
  try {
    const { db, close } = await openDatabase(config);
    try {
      const now = new Date();
      const bar = progressBar();
      const report = await importEvents({
        db,
        path: file.path,
        format: format ?? (await formatOf(file.path)),
        source,
        now,
        onProgress: bar.show,
        signal: stopped.signal,
      }).finally(bar.clear);
      // Real events replace the sample.
      await keepSample(db, now);
      process.stdout.write(inWords(report));
      if (report.stopped) return 130;
      return report.rejected === report.rows ? 1 : 0;
    } finally {
      await close();
    }
  } finally {
    await file.remove();
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        source: { type: 'string' },
        format: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Unusable(`${oneLine(error)} (see --help)`, { cause: error });
  }
}

function readSource(name = 'import'): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,49}$/.test(name)) {
    throw new Unusable('--source must be a short name of small letters, digits, dots and dashes.');
  }
  if (name === SAMPLE_SOURCE || name === TICKETMASTER_SOURCE) {
    throw new Unusable(`--source ${name} is reserved: choose another one.`);
  }
  return name;
}

function readFormat(name: string | undefined): Format | undefined {
  const format = FORMATS.find((one) => one === name);
  if (name !== undefined && !format) throw new Unusable(`--format must be one of ${FORMATS.join(', ')}.`);
  return format;
}

async function fileOf(name: string, signal: AbortSignal): Promise<DownloadedFile> {
  if (/^https?:\/\//i.test(name)) {
    const onBegin = (where: string) => process.stdout.write(`Downloading ${where} ...\n`);
    return downloadedFile(name, { signal, onBegin });
  }
  const found = await stat(name).catch(() => undefined);
  if (!found) throw new Unusable(`${name}: there is no such file.`);
  if (!found.isFile()) throw new Unusable(`${name} is not a file.`);
  return { path: name, remove: async () => {} };
}

/** Shown only on a terminal: in a log it would fill a thousand lines. */
function progressBar() {
  const isTerminal = process.stderr.isTTY;
  const width = 30;
  return {
    show(step: 'checking' | 'storing', rows: number, total?: number) {
      if (!isTerminal) return;
      if (total === undefined) {
        process.stderr.write(`\r${step} ${grouped(rows)} rows\u001b[K`);
        return;
      }
      const done = Math.round((rows / total) * width);
      const bar = '█'.repeat(done) + '░'.repeat(width - done);
      process.stderr.write(`\r${step} ${bar} ${grouped(rows)} of ${grouped(total)}\u001b[K`);
    },
    clear() {
      if (isTerminal) process.stderr.write('\r\u001b[K');
    },
  };
}

function inWords(report: ImportReport): string {
  const { rows, imported, updated, unchanged, rejected, problems, unendedLine } = report;
  const counted = `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const lines = [
    report.stopped
      ? `Stopped after ${counted}: whole rows were stored, and the same file again stores the rest.`
      : `${counted}: ${grouped(imported)} imported, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged, ${grouped(rejected)} rejected`,
    ...problems.map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(rejected > problems.length ? [`  and ${grouped(rejected - problems.length)} more`] : []),
    ...(unendedLine === null
      ? []
      : [`The file does not end with a line break: its last row, on line ${unendedLine}, may be cut.`]),
  ];
  return `${lines.join('\n')}\n`;
}

const grouped = (count: number) => count.toLocaleString('en-GB');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const more = error instanceof UnusableFile ? ' Nothing was changed.' : '';
  process.stderr.write(`import-events: ${oneLine(error)}${more}\n`);
  process.exitCode = error instanceof Stopped ? 130 : 1;
}
