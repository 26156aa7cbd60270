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
