/** Calls, kept singly for a time and as hourly sums permanently; and the audit trail of administrators. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  const real = 'double precision' as const;

  // Without a reference to users: usage outlives the person, whose name is not in it.
  await db.schema
    .createTable('api_calls')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('occurred_at', text, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('status_code', 'integer', (column) => column.notNull())
    .addColumn('response_ms', real, (column) => column.notNull())
    .addColumn('auth_type', text, (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('caller_id', text)
    .execute();
  await db.schema.createIndex('api_calls_by_time').on('api_calls').columns(['occurred_at', 'id']).execute();

  await db.schema
    .createTable('api_calls_hourly')
    .addColumn('hour', text, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('endpoint', text, (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('total_ms', real, (column) => column.notNull())
    .addPrimaryKeyConstraint('api_calls_hourly_key', ['hour', 'method', 'endpoint'])
    .execute();

  await db.schema
    .createTable('active_hours')
    .addColumn('hour', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('active_hours_key', ['hour', 'user_id'])
    .execute();

  await db.schema
    .createIndex('usage_events_by_type')
    .on('usage_events')
    .columns(['event_category', 'event_type', 'occurred_at'])
    .execute();

  await db.schema
    .createTable('audit_trail')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('subject_id', text)
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('audit_trail_by_time').on('audit_trail').columns(['at', 'id']).execute();
}
