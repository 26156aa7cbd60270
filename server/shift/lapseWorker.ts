/** Ends acknowledgements and snoozes of incidents that changed since, for all teams. It reads the change log from
 *  its own cursor; if several nodes use one database, the node with the lease does this. */
import { changesSince } from '../db/changeLog.ts';
import { cursors } from '../db/cursors.ts';
import { cursorLease, type CursorWorker, startCursorWorker, type WorkerParts } from '../db/cursorWorker.ts';
import { ownReports } from './ownReports.ts';
import { responses } from './responses.ts';

const CURSOR = 'lapses';
/** Other nodes store changes too; changes of this node are reported at once. */
const LOOK_EVERY_MS = 5000;
const LEASE_MS = 20_000;
const CHANGES_AT_ONCE = 500;

export function startLapses(parts: WorkerParts): CursorWorker {
  const { db, now } = parts;
  const lease = cursorLease(parts, CURSOR, LEASE_MS);

  async function look(): Promise<void> {
    await ownReports(db).endDue(now());
    const known = await cursors(db).batch(CURSOR);
    // Before this worker first ran no team had acted, so nothing could end. A poll can make thousands of changes:
    // they are read only if somebody has something in hand.
    const isNeeded = await responses(db).isAny();
    const list = await changesSince(db, known === 0 || !isNeeded ? undefined : known, CHANGES_AT_ONCE);
    if (list.batch === known) return;
    const isApplied = await lease.store(async (trx) => {
      // Somebody has acted meanwhile: the changes are read in the next run.
      if (!isNeeded && known !== 0 && (await responses(trx).isAny())) return false;
      await responses(trx).applyChanges(list.changes, now());
      await cursors(trx).move(CURSOR, list.batch);
      return true;
    });
    if (isApplied && list.changes.length > 0) await look();
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: LOOK_EVERY_MS,
    look,
    failure: 'Could not apply changes to what teams have in hand',
  });
}
