/** Displays that show the board unattended, and their pairing codes. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('pairings')
    .addColumn('device_code_hash', text, (column) => column.notNull().primaryKey())
    .addColumn('user_code_hash', text, (column) => column.notNull().unique())
    .addColumn('user_agent', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('asked_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('interval_seconds', 'integer', (column) => column.notNull())
    .addColumn('polled_at', text)
    .execute();
  await db.schema
    .createIndex('pairings_of_network')
    .on('pairings')
    .columns(['network', 'expires_at'])
    .execute();
  await db.schema.createIndex('pairings_by_expiry').on('pairings').column('expires_at').execute();

  await db.schema
    .createTable('displays')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('owner_id', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('user_agent', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('paired_at', text, (column) => column.notNull())
    .addColumn('last_seen_at', text)
    .addColumn('build', text)
    .addColumn('data_age_seconds', 'integer')
    .addColumn('screen_width', 'integer')
    .addColumn('screen_height', 'integer')
    .addColumn('pixel_ratio', 'double precision')
    .addColumn('wake_lock', text)
    .addColumn('visibility', text)
    // Four bytes would end at 2 GB on PostgreSQL.
    .addColumn('heap_bytes', 'double precision')
    .addColumn('blank_asked_at', text)
    .addColumn('blank_told_at', text)
    .execute();
  await db.schema.createIndex('displays_of_owner').on('displays').column('owner_id').execute();

  // Deleted together: a session without its display would count as its owner's own.
  await db.schema
    .alterTable('sessions')
    .addColumn('display_id', text, (column) => column.references('displays.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('sessions_of_display').on('sessions').column('display_id').execute();
}
