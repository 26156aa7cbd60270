/** What it takes to show the board as it was: content that makes no version, absences, and summaries in full. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  const real = 'double precision' as const;

  await db.schema
    .createTable('content_versions')
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('replaced_at', text, (column) => column.notNull())
    .addColumn('event_type', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('latitude', real)
    .addColumn('longitude', real)
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('details', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('content_versions_key', ['event_id', 'replaced_at'])
    .execute();
  await db.schema
    .createIndex('content_versions_by_time')
    .on('content_versions')
    .column('replaced_at')
    .execute();

  await db.schema
    .createTable('absences')
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('back_at', text, (column) => column.notNull())
    .addColumn('seen_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('absences_key', ['event_id', 'back_at'])
    .execute();
  await db.schema.createIndex('absences_by_time').on('absences').column('back_at').execute();

  await db.schema
    .alterTable('disruption_versions')
    .addColumn('kind', text, (column) => column.notNull().defaultTo('alert'))
    .execute();
  // Both ranges of a query about a time are read from an index alone. They replace those by the first column.
  await db.schema
    .createIndex('disruption_versions_between')
    .on('disruption_versions')
    .columns(['replaced_at', 'seen_at', 'ended_at', 'event_id'])
    .execute();
  await db.schema
    .createIndex('disruptions_between')
    .on('disruptions')
    .columns(['ended_at', 'version_seen_at', 'event_id'])
    .execute();
  await db.schema.dropIndex('disruption_versions_by_time').execute();
  await db.schema.dropIndex('disruptions_by_end').execute();

  // Of earlier summaries only the words are known.
  for (const [name, type] of [
    ['prompt_version', text],
    ['expires_at', text],
    ['metadata', text],
    ['last_event_at', text],
    ['event_count', 'integer'],
    ['tokens_prompt', 'integer'],
    ['tokens_completion', 'integer'],
  ] as const)
    await db.schema.alterTable('summary_versions').addColumn(name, type).execute();
}
