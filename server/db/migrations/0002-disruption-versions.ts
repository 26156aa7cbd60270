/** What an incident was before it changed, or began again. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // As in the first migration: text sorts by bytes on both engines.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .alterTable('disruptions')
    .addColumn('version_seen_at', text, (column) => column.notNull().defaultTo(''))
    .execute();
  // The best estimate for existing rows: when they last changed was not recorded.
  await db
    .updateTable('disruptions')
    .set((eb) => ({ version_seen_at: eb.ref('first_seen_at') }))
    .execute();

  await db.schema
    .createTable('disruption_versions')
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('seen_at', text, (column) => column.notNull())
    .addColumn('replaced_at', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('summary_line', text, (column) => column.notNull())
    .addColumn('phase', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('start_time', text, (column) => column.notNull())
    .addColumn('end_time', text)
    .addColumn('ended_at', text)
    .addColumn('ended_reason', text)
    .addPrimaryKeyConstraint('disruption_versions_key', ['event_id', 'seen_at', 'replaced_at'])
    .execute();
  await db.schema
    .createIndex('disruption_versions_by_time')
    .on('disruption_versions')
    .column('replaced_at')
    .execute();
}
