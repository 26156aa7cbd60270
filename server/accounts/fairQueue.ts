/** A queue for costly tasks with a fixed number of places. No caller can block it for the others. */

interface Limits {
  /** Tasks that run at the same time. */
  atOnce: number;
  maxWaiting: number;
  /** The error that is thrown for a task without a place. */
  full: () => Error;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/** Runs tasks in order of arrival, but takes one task of each caller in turn. When all places are taken, a caller
 *  with fewer tasks gets the place of the last task of the caller who has most. */
export function fairQueue({ atOnce, maxWaiting, full }: Limits) {
  /** Tasks by caller. The first caller in the map is the next to be served. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let running = 0;

  function place(from: string): Promise<void> {
    if (count >= maxWaiting) {
      const most = [...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one));
      if (most.length <= (waiting.get(from)?.length ?? 0) + 1) throw full();
      most.pop()!.refuse(full()); // this caller has at least two
      count -= 1;
    }
    count += 1;
    return new Promise<void>((start, refuse) => {
      const own = waiting.get(from);
      if (own) own.push({ start, refuse });
      else waiting.set(from, [{ start, refuse }]);
    });
  }

  function next(): Waiting | undefined {
    const [first] = waiting;
    if (!first) return undefined;
    const [from, [one, ...others]] = first;
    waiting.delete(from);
    if (others.length > 0) waiting.set(from, others);
    count -= 1;
    return one;
  }

  return async <T>(from: string, task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await place(from);
    else running += 1;
    try {
      return await task();
    } finally {
      // The place goes directly to the next task in the queue; otherwise a new task could take it first.
      const one = next();
      if (one) one.start();
      else running -= 1;
    }
  };
}
