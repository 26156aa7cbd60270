/** Refusals: the caller's mistake or missing right, as a status and one sentence. Any other error is our fault. */

export class Refused extends Error {
  readonly status: number;
  /** One sentence for the user, sent as `{ detail }`. */
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'Refused';
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

export const badInput = (detail: string) => new Refused(422, detail);

/** 401. Clients respond with one token refresh, so a missing right is never a 401: that is `forbidden`. */
export const unauthorised = (detail: string) =>
  new Refused(401, detail, { 'www-authenticate': 'Bearer realm="clearway"' });

export const forbidden = (detail: string) => new Refused(403, detail);
export const notFound = (detail: string) => new Refused(404, detail);
export const conflict = (detail: string) => new Refused(409, detail);

export const tooMany = (detail: string, retryAfterSeconds: number) =>
  new Refused(429, detail, { 'retry-after': String(retryAfterSeconds) });

export const unavailable = (detail: string, retryAfterSeconds?: number) =>
  new Refused(
    503,
    detail,
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
