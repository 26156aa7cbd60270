/** What the summaries of the feeds said before. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('summary_versions')
    .addColumn('feed', text, (column) => column.notNull())
    .addColumn('generated_at', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('event_ids', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('summary_versions_key', ['feed', 'generated_at'])
    .execute();
}
