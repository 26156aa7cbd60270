import { PostgresAdapter, sql } from 'kysely';
import type { Db } from './open.ts';

/** In the caller's transaction where there is one, otherwise in its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/**
 * In a transaction of its own whose commit does not wait for the disk, as others do, and everybody else with them on
 * SQLite. A power failure in the next moments may lose it, and nothing else can: only for what a person would merely do
 * again, and for statistics.
 */
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
