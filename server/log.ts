/** The structured log: one JSON object per line. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { readFileSync, write, writeSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { FastifyBaseLogger } from 'fastify';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that could bring a secret into the log by mistake. They are removed at the top level and one level below. */
const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  'key',
]);

/** Writes to stderr: stdout is for messages to the person at the terminal. */
export function makeLog(level: LogLevel, destination: DestinationStream = linesTo(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields) },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** Removes secrets. The library's own way costs ten times as much as the rest of a line. */
function withoutSecrets(fields: Record<string, unknown>, below = 1): Record<string, unknown> {
  let safe = fields;
  for (const [name, value] of Object.entries(fields)) {
    const shown = SECRET_NAMES.has(name) ? '[hidden]' : below > 0 ? withoutSecretsOf(value) : value;
    if (shown !== value) safe = { ...safe, [name]: shown };
  }
  return safe;
}

const withoutSecretsOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Error)
    ? withoutSecrets(value as Record<string, unknown>, 0)
    : value;

/** Selected fields only: drivers and HTTP clients attach whole requests, with their secrets, to errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, cause } = error;
  const stack = error.stack && withSourceLines(error.stack);
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, message, code, stack, cause: cause === undefined ? undefined : describeError(cause) };
}

// Writes the lines of the log, also the waiting ones when the process ends. When they cannot be written (a full disk,
// a pipe that nobody reads any more), the service goes on without them and tries again. The log library's own writer
// would keep all lines in memory, and would never let the process end.

/** How long lines wait, so that several are written together: one by one they would cost as much as a request. */
const WRITE_AFTER_MS = 250;
const WRITE_FROM_BYTES = 32 * 1024;
/** The most bytes that wait. Lines beyond that are lost, and counted. */
const WAITING_MAX_BYTES = 1024 * 1024;

/** Turns each line into bytes at once. Waiting texts would be measured and joined again with every line, which was
 *  most of a request's garbage. */
function linesTo(file: number): DestinationStream {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let lost = 0;
  let isWriting = false;
  let isFailing = false;

  function add(line: string): void {
    const added = Buffer.from(line);
    waiting.push(added);
    bytes += added.byteLength;
  }

  function noteLost(): void {
    if (lost === 0) return;
    const [level, time] = ['warn', new Date().toISOString()];
    add(`${JSON.stringify({ level, time, lines: lost, msg: 'lines of the log could not be written' })}\n`);
    lost = 0;
  }

  /** The next part to write. While writing fails it is the first part alone, so that it is copied only once. */
  const next = () => (isFailing ? waiting.shift()! : Buffer.concat(waiting.splice(0)));

  function writeWaiting(): void {
    if (isWriting || bytes === 0) return;
    isWriting = true;
    const part = next();
    write(file, part, (error, written) => {
      isWriting = false;
      isFailing = error !== null;
      const done = isFailing ? 0 : written;
      bytes -= done;
      if (done < part.byteLength) waiting.unshift(part.subarray(done));
      if (isFailing) return;
      noteLost();
      if (done < part.byteLength || bytes >= WRITE_FROM_BYTES) writeWaiting();
    });
  }

  setInterval(writeWaiting, WRITE_AFTER_MS).unref();
  process.on('exit', () => {
    try {
      noteLost();
      let rest = Buffer.concat(waiting.splice(0));
      while (rest.byteLength > 0) rest = rest.subarray(writeSync(file, rest));
    } catch {
      // By design: there is nobody left to tell.
    }
  });

  return {
    write(line) {
      if (bytes + line.length > WAITING_MAX_BYTES) lost += 1;
      else add(line);
      if (bytes >= WRITE_FROM_BYTES && !isFailing) writeWaiting();
    },
  };
}

// Stack traces of the built server, with the lines of its sources. Source maps are read only after a fault: Node's
// `--enable-source-maps` reads them at the start, which takes 80 ms and 17 MB.

const maps = new Map<string, SourceMap | null>();

/** Places without a source of ours, such as places in packages, stay as they are. */
export function withSourceLines(stack: string): string {
  return stack.replace(
    /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      // For a line of a package, this finds the last line of ours before it.
      if (!entry || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return place;
      return `${new URL(entry.originalSource, file).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    try {
      map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
    } catch {
      map = null; // a file of a package, or a source file itself
    }
    maps.set(file, map);
  }
  return map;
}

// Events that are counted and logged once a minute, because they come too often for a line each, or because
// strangers can cause them at will.

const EVERY_MS = 60_000;

export interface Sums {
  count(name: string): void;
  /** Writes the counts, if anything was counted. */
  flush(): void;
}

/** `names` come from our code, never from the caller: otherwise a stranger would choose what is kept. */
export function sums(log: Pick<FastifyBaseLogger, 'warn'>, message: string): Sums {
  let counts: Record<string, number> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (Object.keys(counts).length > 0) log.warn({ counts }, message);
    counts = {};
  };
  return {
    count(name) {
      counts[name] = (counts[name] ?? 0) + 1;
      timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    flush,
  };
}
