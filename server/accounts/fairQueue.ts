/** A queue for costly tasks, with a fixed number of places, in which no caller can stand in the way of all others. */

interface Limits {
  /** Tasks that run at the same time. */
  atOnce: number;
  maxWaiting: number;
  /** Error thrown for those without a place. */
  full: () => Error;
}

interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/** Runs tasks in order of arrival, but takes one of each caller in turn. When all places are taken, one who holds fewer
 *  takes the place of the last of the caller who holds most. */
export function fairQueue({ atOnce, maxWaiting, full }: Limits) {
  /** By caller; the first in the map is the next to be served. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let running = 0;

  function place(from: string): Promise<void> {
    if (count >= maxWaiting) {
      const most = [...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one));
      if (most.length <= (waiting.get(from)?.length ?? 0) + 1) throw full();
      most.pop()!.refuse(full()); // it has two at least
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
      // The slot goes directly to the next in the queue; otherwise a new task could take it first.
      const one = next();
      if (one) one.start();
      else running -= 1;
    }
  };
}
