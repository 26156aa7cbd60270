/** When the hosted model can next be called for each feed, and the day's cost. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('summary_calls')
    .addColumn('feed', text, (column) => column.notNull().primaryKey())
    .addColumn('next_at', text, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .execute();
}
