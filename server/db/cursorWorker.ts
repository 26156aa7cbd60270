/**
 * Work on the change log that one node does for all: one look at a time, whenever something may have changed and every so
 * often, by the node that has the lease on the cursor.
 */
import { cursors } from './cursors.ts';
import type { Db } from './open.ts';

export interface WorkerParts {
  db: Db;
  now: () => Date;
  log: { error(fields: object, message: string): void };
  /** Names this node in the lease. */
  owner: string;
}

export interface CursorWorker {
  /** Something may have changed. Settles when all that was known by then is done, or cannot be. Never rejects. */
  changed(): Promise<void>;
  /** Waits for a look that is under way, and gives the lease back. */
  stop(): Promise<void>;
}

/** Another node does the work now, or this one was stopped: nothing is wrong. */
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
    /** Takes it, or renews it; false while another node has it, and once this one was stopped. */
    take: async () => !isStopped && (await takeOn(db)),

    /** As `take`, but renews it only in the second half of its time. */
    async keep(): Promise<boolean> {
      const leftMs = leasedUntil - now().getTime();
      // More than a whole one is left only by a clock that was set back, which the others do not have.
      if (!isStopped && leftMs > leaseMs / 2 && leftMs <= leaseMs) return true;
      return !isStopped && (await takeOn(db));
    },

    /** Writes in a transaction in which no other node can take it. Rejects with `LeaseLost` where it is lost. */
    async store<T>(write: (trx: Db) => Promise<T>): Promise<T> {
      return db.transaction().execute(async (trx) => {
        if (isStopped || !(await takeOn(trx))) throw new LeaseLost();
        return write(trx);
      });
    },

    /** It is taken again before the next use. */
    doubt: () => void (leasedUntil = 0),

    /** Nothing is taken or written from now on. */
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
  /** After a failure it rests so long. */
  retryMs?: number;
  look: () => Promise<void>;
  /** Words of the log on a failure. */
  failure: string;
  /** A look did not come to its end: what is remembered of it may be wrong. */
  onBroken?: () => void | Promise<void>;
  /** Work under way comes to its end before the lease is given back. */
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
    // Less than none where the clock was set back.
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
    // A look under way may have read before the change.
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
