/** Pairs of incidents that an administrator says are not the same. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('merge_splits')
    .addColumn('one', text, (column) => column.notNull())
    .addColumn('other', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('merge_splits_key', ['one', 'other'])
    .execute();
}
