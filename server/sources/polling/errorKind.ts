/** In one word why a poll was not good, for figures. What exactly went wrong is in words beside it. */

/** A poll that took too long. */
export class TooSlow extends Error {}

/**
 * - `timeout`: the collector did not finish in time.
 * - `refused`: the upstream answered 4xx: a wrong key, a moved document, too many calls.
 * - `upstream`: it answered 5xx.
 * - `unreachable`: it did not answer.
 * - `unreadable`: its document could not be read.
 * - `empty`: it lists nothing, although it is never empty.
 * - `partial`: only a part could be read, and that part is empty.
 */
export type ErrorKind =
  'timeout' | 'refused' | 'upstream' | 'unreachable' | 'unreadable' | 'empty' | 'partial';

export function errorKindOf(error: unknown): ErrorKind {
  if (error instanceof TooSlow) return 'timeout';
  // A failed download has a status, null when there was no answer; from the reading thread too, which sends no classes.
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === null) return 'unreachable';
  if (typeof status !== 'number') return 'unreadable';
  if (status >= 500) return 'upstream';
  return status >= 400 ? 'refused' : 'unreadable';
}
