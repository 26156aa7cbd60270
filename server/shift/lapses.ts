/**
 * Ends acknowledgements and snoozes of incidents that changed since, for all teams. It reads the change log from its own
 * cursor; of all nodes on a database the one with the lease does this.
 */
import { changesSince } from '../db/changes.ts';
import { cursors } from '../db/cursors.ts';
import type { Db } from '../db/open.ts';
import { ownReports } from '../db/ownReports.ts';
import { responses } from '../db/responses.ts';

const CURSOR = 'lapses';
/** Other nodes store changes too; this one's own are reported at once. */
const LOOK_EVERY_MS = 5000;
const LEASE_MS = 20_000;
const CHANGES_AT_ONCE = 500;

export interface Lapses {
  /** Something may have changed. Settles when all that is known by then is applied. Never rejects. */
  changed(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts {
  db: Db;
  now: () => Date;
  log: { error(fields: object, message: string): void };
  /** Names this node in the lease. */
  owner: string;
}

export function startLapses({ db, now, log, owner }: Parts): Lapses {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;

  const takeLease = (on: Db) =>
    cursors(on).takeLease(CURSOR, owner, now(), new Date(now().getTime() + LEASE_MS));

  async function look(): Promise<void> {
    await ownReports(db).endDue(now());
    const known = await cursors(db).batch(CURSOR);
    // Before the first time there was nothing to end: no team had acted.
    // A poll can make thousands of changes: they are not read where nobody has anything in hand.
    const isNeeded = await responses(db).isAny();
    const list = await changesSince(db, known === 0 || !isNeeded ? undefined : known, CHANGES_AT_ONCE);
    if (list.batch === known || isStopped) return;
    const isOurs = await db.transaction().execute(async (trx) => {
      if (!(await takeLease(trx))) return false;
      // Somebody acted since: the changes are read the next time.
      if (!isNeeded && known !== 0 && (await responses(trx).isAny())) return false;
      await responses(trx).applyChanges(list.changes, now());
      await cursors(trx).move(CURSOR, list.batch);
      return true;
    });
    if (isOurs && list.changes.length > 0) await look();
  }

  async function lookOnce(): Promise<void> {
    if (isStopped) return;
    try {
      await look();
    } catch (error) {
      log.error({ err: error }, 'Could not apply changes to what teams have in hand');
    }
  }

  function changed(): Promise<void> {
    // What is under way may have read before the change.
    if (running) isAskedAgain = true;
    running ??= (async () => {
      do {
        isAskedAgain = false;
        await lookOnce();
      } while (isAskedAgain);
    })().finally(() => (running = null));
    return running;
  }

  const timer = setInterval(() => void changed(), LOOK_EVERY_MS);
  void changed();

  return {
    changed,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
      await cursors(db).dropLease(CURSOR, owner);
    },
  };
}
