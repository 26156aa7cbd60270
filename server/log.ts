/** The structured log: one JSON object per line. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { withSourceLines } from './sourceLines.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that could bring a secret into the log by mistake, at the top level and one level down. */
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

/** Lines are written together, a quarter of a second late at most: one by one they would cost as much as a request. */
const FLUSH_MS = 250;
const WRITE_FROM_BYTES = 32 * 1024;
const WRITE_MAX_BYTES = 64 * 1024;

/**
 * stdout is for messages to the person at the terminal. What waits is also written when the process ends. Each line is
 * made bytes at once: waiting texts would be measured and joined again with every line, the most of what a request left
 * for the garbage collection.
 */
function stderr(): DestinationStream {
  const waiting = pino.destination({
    dest: 2,
    sync: false,
    contentMode: 'buffer',
    minLength: WRITE_FROM_BYTES,
    maxWrite: WRITE_MAX_BYTES,
    periodicFlush: FLUSH_MS,
  });
  // Its types know texts only.
  const write = waiting.write.bind(waiting) as unknown as (line: Buffer) => boolean;
  return { write: (line) => void write(Buffer.from(line)) };
}

export function makeLog(level: LogLevel, destination: DestinationStream = stderr()): Logger {
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

/** The library's own way costs ten times as much as the rest of a line. */
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
