/**
 * The last answers of what may be kept, as they were read, by their ETags: what has not changed is neither loaded nor
 * read again. In this page's memory only, and of one session: another's are forgotten as soon as it has one to remember.
 */

export interface KnownAnswer {
  etag: string;
  data: unknown;
}

/** The board, its directory and all its sources, with room to spare; a map's views would soon be too much. */
const MOST_KNOWN = 24;

let owner: string | null = null;
const known = new Map<string, KnownAnswer>();

/** `scope` is the session that asks, `call` its path and query. */
export const knownAnswer = (scope: string, call: string): KnownAnswer | undefined =>
  scope === owner ? known.get(call) : undefined;

export function rememberAnswer(scope: string, call: string, answer: KnownAnswer): void {
  if (scope !== owner) forgetAnswers();
  owner = scope;
  known.delete(call); // or it would keep its old place in the order
  known.set(call, answer);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest!);
}

export function forgetAnswers(): void {
  owner = null;
  known.clear();
}
