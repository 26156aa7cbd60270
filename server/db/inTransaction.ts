import type { Db } from './open.ts';

/** In the caller's transaction where there is one, otherwise in its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
