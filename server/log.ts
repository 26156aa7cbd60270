/** The structured log: one JSON object per line. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { linesTo } from './logLines.ts';
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

/** Goes to stderr: stdout is for messages to the person at the terminal. */
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
