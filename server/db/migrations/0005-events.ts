/** Events, their performances and their venues. Fields that no filter uses are stored in one text, as sent. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // By bytes, as in the first: cursors and times are compared as text.
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);
  // `real` has but four bytes on PostgreSQL, which moves a venue by a metre.
  const real = 'double precision' as const;

  await db.schema
    .createTable('venues')
    .addColumn('venue_id', text, (column) => column.notNull().primaryKey())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('record', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('venues_of_source').on('venues').column('source').execute();

  await db.schema
    .createTable('events')
    .addColumn('event_id', text, (column) => column.notNull().primaryKey())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('is_sample', 'integer', (column) => column.notNull())
    .addColumn('venue_id', text)
    .addColumn('record', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('events_of_source').on('events').column('source').execute();

  await db.schema
    .createTable('performances')
    // A separate number, so that half a million can be held in memory and read by the hundred.
    .addColumn('id', isPostgres ? 'serial' : 'integer', (column) =>
      isPostgres ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('performance_id', text, (column) => column.notNull().unique())
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('start_datetime', text, (column) => column.notNull())
    .addColumn('over_at', text, (column) => column.notNull())
    .addColumn('category', text, (column) => column.notNull())
    .addColumn('category_key', text, (column) => column.notNull())
    .addColumn('town', text)
    .addColumn('town_key', text)
    .addColumn('latitude', real)
    .addColumn('longitude', real)
    .addColumn('search_text', text, (column) => column.notNull())
    .addColumn('shown', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('performances_of_event').on('performances').column('event_id').execute();
  await db.schema
    .createIndex('performances_by_start')
    .on('performances')
    .columns(['start_datetime', 'performance_id'])
    .execute();
  await db.schema
    .createIndex('performances_of_town')
    .on('performances')
    .columns(['town_key', 'start_datetime', 'performance_id'])
    .execute();
}
