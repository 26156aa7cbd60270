/** Webhooks of saved filters: receivers with a filter, what each was last sent, and deliveries in order. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .alterTable('receivers')
    .addColumn('filter_id', text, (column) => column.references('filters.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('receivers_of_filter').on('receivers').column('filter_id').execute();

  await db.schema
    .createTable('webhooks')
    .addColumn('receiver_id', text, (column) =>
      column.notNull().primaryKey().references('receivers.id').onDelete('cascade'),
    )
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('filter_version', 'integer', (column) => column.notNull())
    .addColumn('silent', text, (column) => column.notNull())
    .addColumn('old_secret', text)
    .addColumn('old_secret_until', text)
    .addColumn('failing_since', text)
    .addColumn('wait_until', text)
    .execute();
  await db.schema
    .createTable('webhook_incidents')
    .addColumn('receiver_id', text, (column) =>
      column.notNull().references('webhooks.receiver_id').onDelete('cascade'),
    )
    .addColumn('event_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_incidents_key', ['receiver_id', 'event_id'])
    .execute();

  await db.schema.alterTable('messages').addColumn('about', text).execute();
  await db.schema.alterTable('messages').addColumn('place', text).execute();
  await db.schema
    .createIndex('messages_in_order')
    .on('messages')
    .columns(['receiver_id', 'about', 'place'])
    .where(sql.ref('place'), 'is not', null)
    .execute();
}
