/** Refusals: the caller made a mistake or lacks a right. Each is a status and one sentence. Any other error is our
 *  fault. */
import type { Refusal } from '#contract/errors.ts';

export class Refused extends Error {
  readonly status: number;
  /** The answer: one sentence for the user and, for bad input, a list of all problems. */
  readonly answer: Refusal;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    {
      headers = {},
      errors,
      reason,
    }: { headers?: Readonly<Record<string, string>>; errors?: Refusal['errors']; reason?: string } = {},
  ) {
    super(detail);
    this.name = 'Refused';
    this.status = status;
    this.answer = { detail, ...(reason !== undefined && { reason }), ...(errors && { errors }) };
    this.headers = headers;
  }
}

/** 422 with one problem. `path`: the field or parameter that has it; empty for the whole input. */
export const badInput = (detail: string, path = '') =>
  new Refused(422, detail, { errors: [{ path, message: detail }] });

/** 422 with all problems; there must be at least one. */
export const invalid = (errors: NonNullable<Refusal['errors']>) =>
  new Refused(422, errors[0]!.message, { errors });

/** 401. Clients answer it with one token refresh, so a missing right is never a 401: use `forbidden` for that. */
export const unauthorised = (detail: string, reason?: string) =>
  new Refused(401, detail, {
    headers: { 'www-authenticate': 'Bearer realm="clearway"' },
    ...(reason !== undefined && { reason }),
  });

export const forbidden = (detail: string, reason?: string) =>
  new Refused(403, detail, { ...(reason !== undefined && { reason }) });
export const notFound = (detail: string) => new Refused(404, detail);

/** The thing. Throws 404 with these words when there is none. */
export function orNotFound<T>(thing: T | undefined | null | false, detail: string): T {
  if (thing === undefined || thing === null || thing === false) throw notFound(detail);
  return thing;
}

/** 405 with the methods that the address takes. */
export const wrongMethod = (method: string, allowed: readonly string[]) =>
  new Refused(405, `${method} cannot be used here: this address takes ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  });

export const conflict = (detail: string) => new Refused(409, detail);

export const tooMany = (detail: string, retryAfterSeconds: number, headers: Record<string, string> = {}) =>
  new Refused(429, detail, { headers: { ...headers, 'retry-after': String(retryAfterSeconds) } });

export const unavailable = (detail: string, retryAfterSeconds?: number) =>
  new Refused(503, detail, {
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });

// Faults of our database, in words for the caller. All of them pass by themselves, or when the disk has room again.

interface DatabaseFault {
  words: string;
  retryAfterSeconds: number;
}

/** Faults by the beginning of SQLite's or PostgreSQL's error code. */
const FAULTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [
    /^(?:SQLITE_FULL|SQLITE_IOERR_WRITE|ENOSPC|53100)/,
    {
      words: 'The disk of the server is full: it shows what it has, and can keep nothing new.',
      retryAfterSeconds: 60,
    },
  ],
  [
    /^(?:SQLITE_BUSY|SQLITE_LOCKED|55P03|40P01|40001)/,
    { words: 'The database is busy. Try again in a moment.', retryAfterSeconds: 5 },
  ],
  [
    /^(?:08|57P|53|55000|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|SQLITE_CANTOPEN|SQLITE_IOERR)/,
    { words: 'The database does not answer. Try again in a moment.', retryAfterSeconds: 10 },
  ],
];

/** Messages of the PostgreSQL driver that come without a code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Null: the fault is not the database's but ours. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  if (LOST.test(error.message)) return FAULTS[2]![1];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const found = FAULTS.find(([codes]) => codes.test(code))?.[1];
  // When several connections are refused together, the codes are one level below.
  if (!found && error instanceof AggregateError) return databaseFault(error.errors[0]);
  return found ?? null;
}
