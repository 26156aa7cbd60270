/** Counters that rise in the transaction that changes something, so that every node knows to build its answers again. */
import type { Db } from './open.ts';

/** 0 when it was never raised. */
export async function revision(db: Db, name: string): Promise<number> {
  const row = await db.selectFrom('revisions').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}

/**
 * As the first statement of a transaction that changes what the revision counts: others that do so wait until it ends, and
 * see what it has done. Writes nothing: PostgreSQL locks the row on a conflict, also where nothing is to be updated.
 */
export async function takeTurn(db: Db, name: string): Promise<void> {
  await db
    .insertInto('revisions')
    .values({ name, value: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ value: eb.ref('revisions.value') }))
        .where((eb) => eb.lit(false)),
    )
    .execute();
}

/** As the last statement of a transaction: on PostgreSQL its row is locked until the commit. */
export async function raiseRevision(db: Db, name: string): Promise<void> {
  await db
    .insertInto('revisions')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('revisions.value', '+', 1) })),
    )
    .execute();
}
