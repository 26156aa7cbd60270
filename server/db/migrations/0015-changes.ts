/** The change log of incidents. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('changes')
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('severity_from', text)
    .addColumn('severity_to', text, (column) => column.notNull())
    .addColumn('phase_to', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('changes_key', ['batch', 'n'])
    .execute();
  await db.schema.createIndex('changes_of_incident').on('changes').columns(['event_id', 'batch']).execute();
  await db.schema.createIndex('changes_by_time').on('changes').column('at').execute();
}
