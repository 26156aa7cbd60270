/** One refresh of a screen's data, including stored copies and late answers from the worker. */
import { NoConnection, type Reply, Unreachable } from '../../api/http.ts';

/** Why a refresh failed: no connection, or no usable answer. */
export type Problem = 'offline' | 'noAnswer';

export interface Outcome<T> {
  /** Called with the worker's stored copy, and why there is no answer; it may still come. A copy does not count as an
   *  answer, but may be newer than the data on screen. */
  copied: (data: T, at: Date, problem: Problem) => void;
  /** Promises whether the answer is good. If it is not, this function reports the problem itself. */
  answered: (data: T, at: Date) => boolean | Promise<boolean>;
  failed: (problem: Problem) => void | Promise<void>;
}

/** Promises whether a good answer came. After an abort no more callbacks are called. */
export async function refreshOnce<T>(
  load: (signal: AbortSignal) => Promise<Reply<T>>,
  signal: AbortSignal,
  { copied, answered, failed }: Outcome<T>,
): Promise<boolean> {
  try {
    let reply = await load(signal);
    signal.throwIfAborted();
    if (reply.copyBecause) {
      copied(reply.data, reply.fetchedAt, problemIn(reply));
      reply = (await reply.late) ?? reply;
    }
    signal.throwIfAborted();
    if (!reply.copyBecause) return await answered(reply.data, reply.fetchedAt);
    await failed(problemIn(reply));
  } catch (error) {
    if (!signal.aborted) await failed(problemOf(error));
  }
  return false;
}

const problemIn = ({ copyBecause }: Pick<Reply<unknown>, 'copyBecause'>): Problem =>
  copyBecause === 'down' ? 'offline' : 'noAnswer';

function problemOf(error: unknown): Problem {
  if (!navigator.onLine) return 'offline';
  const cause = error instanceof Unreachable ? error.cause : undefined;
  return cause instanceof NoConnection ? 'offline' : 'noAnswer';
}
