/** The newest summary of each feed. */
import type { Db } from './open.ts';
import { raiseRevision } from './revisions.ts';
import type { SummariesTable } from './schema.ts';

export const summaries = (db: Db) => ({
  async all(): Promise<SummariesTable[]> {
    return db.selectFrom('summaries').selectAll().orderBy('feed').execute();
  },

  async of(feed: string): Promise<SummariesTable | undefined> {
    return summaryOf(db, feed);
  },

  /** False, and no new revision, when it is what is there already. */
  async put(row: SummariesTable): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const present = await summaryOf(trx, row.feed);
      if (present && isSame(present, row)) return false;

      await trx
        .insertInto('summaries')
        .values(row)
        .onConflict((conflict) => conflict.column('feed').doUpdateSet(row))
        .execute();
      await raiseRevision(trx, 'feeds');
      return true;
    });
  },
});

const summaryOf = (db: Db, feed: string) =>
  db.selectFrom('summaries').selectAll().where('feed', '=', feed).executeTakeFirst();

const isSame = (present: SummariesTable, row: SummariesTable) =>
  (Object.keys(row) as (keyof SummariesTable)[]).every((column) => present[column] === row[column]);
