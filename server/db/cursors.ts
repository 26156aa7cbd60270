/** Work that one node does for all, and which node that is: reading the change log, how far, and polling a source. */
import { iso, minutesBefore, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { putRow, rowsWith } from './statements.ts';

/** A lease that is longer than others by this much came from a clock that was ahead, so other nodes may take it. */
const LEASE_TOO_LONG_MINUTES = 10;

export const cursors = (db: Db) => ({
  /** The last batch that was read; 0 before the first. */
  async batch(name: string): Promise<number> {
    const row = await db.selectFrom('cursors').select('batch').where('name', '=', name).executeTakeFirst();
    return row?.batch ?? 0;
  },

  /** Call it in the transaction that writes the results of these batches. */
  async move(name: string, batch: number): Promise<void> {
    await putRow(db, 'cursors', { name, batch, lease_owner: null, lease_until: null }, ['name'], ['batch']);
  },

  /** True when only `owner` may work until that time. A node can renew its own lease, and take a lease that has
   *  expired or is so long that it came from a wrong clock. */
  async takeLease(name: string, owner: string, now: Instant, until: Instant): Promise<boolean> {
    const lease = { lease_owner: owner, lease_until: iso(until) };
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('cursors')
      .values({ name, batch: 0, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where((eb) =>
            eb.or([
              eb('cursors.lease_owner', 'is', null),
              eb('cursors.lease_owner', '=', owner),
              eb('cursors.lease_until', '<=', iso(now)),
              eb('cursors.lease_until', '>', minutesBefore(iso(until), -LEASE_TOO_LONG_MINUTES)),
            ]),
          ),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },

  /** Until when a node has the lease; null when none has it. */
  leasedUntil: async (name: string): Promise<string | null> =>
    (await rowsWith(db, 'cursors', { name }).first('lease_until'))?.lease_until ?? null,

  /** Gives the lease back. A lease of another owner stays. */
  async dropLease(name: string, owner: string): Promise<void> {
    await rowsWith(db, 'cursors', { name, lease_owner: owner }).set({ lease_owner: null, lease_until: null });
  },
});
