/** How each poll of a source went, and what is kept of the old ones: sums of an hour. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('polls')
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('ok', 'integer', (column) => column.notNull())
    .addColumn('ms', 'integer', (column) => column.notNull())
    .addColumn('records', 'integer', (column) => column.notNull())
    .addColumn('changed', 'integer', (column) => column.notNull())
    .addColumn('error_kind', text)
    .addPrimaryKeyConstraint('polls_key', ['source', 'at'])
    .execute();
  await db.schema
    .createTable('polls_hourly')
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('hour', text, (column) => column.notNull())
    .addColumn('polls', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('fresh_s', 'integer', (column) => column.notNull())
    .addColumn('ms_p50', 'integer', (column) => column.notNull())
    .addColumn('ms_p95', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('polls_hourly_key', ['source', 'hour'])
    .execute();
}
