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

  /** False, and no new revision, when it is already stored. */
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

  /** False, and nothing is written, when another node has meanwhile replaced `seen` (undefined: there was none). */
  async putInsteadOf(seen: SummariesTable | undefined, row: SummariesTable): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const insert = trx.insertInto('summaries').values(row);
      const { numInsertedOrUpdatedRows } = await insert
        .onConflict((conflict) =>
          seen
            ? conflict
                .column('feed')
                .doUpdateSet(row)
                .where('summaries.input_hash', '=', seen.input_hash)
                .where('summaries.generated_at', '=', seen.generated_at)
            : conflict.column('feed').doNothing(),
        )
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return false;
      await raiseRevision(trx, 'feeds');
      return true;
    });
  },

  /** Which of these alerts are no longer in force: ended or deleted. */
  async endedOf(eventIds: readonly string[]): Promise<string[]> {
    if (eventIds.length === 0) return [];
    const rows = await db
      .selectFrom('disruptions')
      .select('event_id')
      .where('event_id', 'in', eventIds)
      .where('ended_at', 'is', null)
      .where('kind', '=', 'alert')
      .execute();
    const alive = new Set(rows.map(({ event_id }) => event_id));
    return eventIds.filter((id) => !alive.has(id));
  },
});

const summaryOf = (db: Db, feed: string) =>
  db.selectFrom('summaries').selectAll().where('feed', '=', feed).executeTakeFirst();

const isSame = (present: SummariesTable, row: SummariesTable) =>
  (Object.keys(row) as (keyof SummariesTable)[]).every((column) => present[column] === row[column]);
