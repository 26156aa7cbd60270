import { PostgresAdapter, sql } from 'kysely';
import type { Db } from './open.ts';

/** Works in the caller's transaction if there is one, otherwise in its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Works in a transaction of its own that does not wait for the disk at its commit. Other transactions wait, and
 *  with them everybody else on SQLite. Only a power failure in the next moments can lose it, so it is meant for
 *  statistics, and for work that a person would merely do again. */
export function inQuickTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    return db.transaction().execute(async (trx) => {
      await sql`set local synchronous_commit = off`.execute(trx);
      return work(trx);
    });
  return db.connection().execute(async (own) => {
    await sql`pragma synchronous = normal`.execute(own);
    try {
      return await own.transaction().execute(work);
    } finally {
      await sql`pragma synchronous = full`.execute(own);
    }
  });
}
