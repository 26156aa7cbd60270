/** One refresh of what a screen keeps current, whatever the line and the worker make of it. */
import { type Reply, Unreachable } from '../api/http.ts';

/** Why a refresh brought nothing: no connection, or no answer that can be used. */
export type Problem = 'offline' | 'noAnswer';

export interface Outcome<T> {
  /** A copy that the worker kept, which is no answer; it may still be newer than what is shown. */
  copied: (data: T, at: Date) => void;
  /** The worker gave up waiting; the answer itself may still come. */
  slow: (problem: Problem) => void;
  /** Promises whether the answer is a good one; one that is not says so itself. */
  answered: (data: T, at: Date) => boolean | Promise<boolean>;
  failed: (problem: Problem) => void | Promise<void>;
}

/** Promises whether a good answer came. After an abort only a `copied` that came before was called. */
export async function refreshOnce<T>(
  load: (signal: AbortSignal) => Promise<Reply<T>>,
  signal: AbortSignal,
  { copied, slow, answered, failed }: Outcome<T>,
): Promise<boolean> {
  try {
    let reply = await load(signal);
    if (reply.copyBecause) {
      copied(reply.data, reply.fetchedAt);
      if (reply.late) slow(problemIn(reply));
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
  return cause instanceof Error && cause.name === 'NetworkError' ? 'offline' : 'noAnswer';
}
