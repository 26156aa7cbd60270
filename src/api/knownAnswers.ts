/** The last answers that may be stored, as they were read, with their ETags: an unchanged answer is neither
 *  downloaded nor parsed again. They are kept only in this page's memory and for one session: the first answer of
 *  another session clears them. */

export interface KnownAnswer {
  etag: string;
  data: unknown;
}

/** Enough for the board, the directory and all sources. There is a limit, because the map's views would use too much
 *  memory. */
const MOST_KNOWN = 24;

let owner: string | null = null;
const known = new Map<string, KnownAnswer>();

/** `scope`: the session that asks. `call`: its path and query. */
export const knownAnswer = (scope: string, call: string): KnownAnswer | undefined =>
  scope === owner ? known.get(call) : undefined;

export function rememberAnswer(scope: string, call: string, answer: KnownAnswer): void {
  if (scope !== owner) forgetAnswers();
  owner = scope;
  known.delete(call); // otherwise it would keep its old place in the order
  known.set(call, answer);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest!);
}

export function forgetAnswers(): void {
  owner = null;
  known.clear();
}
