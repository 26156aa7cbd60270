/** How many versions and ends of an incident were deleted for their age, so that their numbers are not given again. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('pruned_versions')
    .addColumn('event_id', text, (column) => column.notNull().primaryKey())
    .addColumn('numbers', 'integer', (column) => column.notNull())
    .addColumn('last_at', text, (column) => column.notNull())
    .execute();
}
