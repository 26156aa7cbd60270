/** Work on the change log that one node does for all nodes. It looks whenever something may have changed, and at
 *  regular times, one look at a time. Only the node with the lease on the cursor works. */
import { cursors } from './cursors.ts';
import type { Db } from './open.ts';

export interface WorkerParts {
  db: Db;
  now: () => Date;
  log: { error(fields: object, message: string): void };
  /** The name of this node in the lease. */
  owner: string;
}

export interface CursorWorker {
  /** Call it when something may have changed. Settles when everything that was known by then is done, or has failed.
   *  Never rejects. */
  changed(): Promise<void>;
  /** Waits for a look that is under way, and gives the lease back. */
  stop(): Promise<void>;
}

/** Another node does the work now, or this one was stopped. This is no fault. */
class LeaseLost extends Error {}

type Lease = ReturnType<typeof cursorLease>;

export function cursorLease({ db, now, owner }: WorkerParts, name: string, leaseMs: number) {
  let leasedUntil = 0;
  let isTaken = false;
  let isStopped = false;

  async function takeOn(on: Db): Promise<boolean> {
    const at = now();
    const until = new Date(at.getTime() + leaseMs);
    isTaken = await cursors(on).takeLease(name, owner, at, until);
    leasedUntil = isTaken ? until.getTime() : 0;
    return isTaken;
  }

  return {
    /** Takes or renews the lease. False while another node has it, and after this node was stopped. */
    take: async () => !isStopped && (await takeOn(db)),

    /** Like `take`, but renews the lease only in the second half of its time. */
    async keep(): Promise<boolean> {
      const leftMs = leasedUntil - now().getTime();
      // More time than a whole lease is left only when our clock was set back, which the other nodes do not know.
      if (!isStopped && leftMs > leaseMs / 2 && leftMs <= leaseMs) return true;
      return !isStopped && (await takeOn(db));
    },

    /** Writes in a transaction during which no other node can take the lease. Rejects with `LeaseLost` when this
     *  node has lost it. */
    async store<T>(write: (trx: Db) => Promise<T>): Promise<T> {
      return db.transaction().execute(async (trx) => {
        if (isStopped || !(await takeOn(trx))) throw new LeaseLost();
        return write(trx);
      });
    },

    /** The lease is taken again before its next use. */
    doubt: () => void (leasedUntil = 0),

    /** From now on no lease is taken and nothing is written. */
    stop: () => void (isStopped = true),

    async drop(): Promise<void> {
      if (!isTaken) return;
      isTaken = false;
      leasedUntil = 0;
      await cursors(db).dropLease(name, owner);
    },
  };
}

interface Work {
  lease: Lease;
  everyMs: number;
  /** How long the worker rests after a failure. */
  retryMs?: number;
  look: () => Promise<void>;
  /** The message in the log after a failure. */
  failure: string;
  /** A look was broken off, so data that was remembered from it may be wrong. */
  onBroken?: () => void | Promise<void>;
  /** Lets work under way finish before the lease is given back. */
  onStop?: () => Promise<void>;
}

export function startCursorWorker({ now, log }: WorkerParts, work: Work): CursorWorker {
  const { lease, everyMs, retryMs = 0, look, failure, onBroken, onStop } = work;
  let failedAt = -Infinity;
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;

  async function lookOnce(): Promise<void> {
    const restedMs = now().getTime() - failedAt;
    // The rest is negative when the clock was set back; then the worker does not wait.
    if (isStopped || (restedMs >= 0 && restedMs < retryMs)) return;
    try {
      await look();
    } catch (error) {
      lease.doubt();
      if (!(error instanceof LeaseLost)) {
        log.error({ err: error }, failure);
        failedAt = now().getTime();
      }
      await onBroken?.();
    }
  }

  function changed(): Promise<void> {
    // A look that is under way may have read its data before the change.
    if (running) isAskedAgain = true;
    running ??= (async () => {
      do {
        isAskedAgain = false;
        await lookOnce();
      } while (isAskedAgain);
    })().finally(() => (running = null));
    return running;
  }

  const timer = setInterval(() => void changed(), everyMs);
  void changed();

  return {
    changed,
    async stop() {
      isStopped = true;
      lease.stop();
      clearInterval(timer);
      await running;
      await onStop?.();
      await lease.drop();
    },
  };
}
