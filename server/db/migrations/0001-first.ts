/** The first schema: accounts and sessions, disruptions with their collections and summaries, usage, facts. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // By bytes in both databases: a linguistic collation would sort ids and cursors differently.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  // `real` has but four bytes on PostgreSQL, which moves an incident by a metre.
  const real = 'double precision' as const;

  await db.schema
    .createTable('users')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('email', text, (column) => column.notNull().unique())
    .addColumn('display_name', text, (column) => column.notNull())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('is_verified', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_login', text)
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_used_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('revoked_at', text)
    .addColumn('revoked_reason', text)
    .execute();
  await db.schema.createIndex('sessions_of_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

  await db.schema
    .createTable('refresh_tokens')
    .addColumn('token_hash', text, (column) => column.notNull().primaryKey())
    .addColumn('session_id', text, (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('spent_at', text)
    .addColumn('successor_hash', text)
    .execute();
  await db.schema
    .createIndex('refresh_tokens_of_session')
    .on('refresh_tokens')
    .column('session_id')
    .execute();
  await db.schema.createIndex('refresh_tokens_by_expiry').on('refresh_tokens').column('expires_at').execute();

  await db.schema
    .createTable('login_failures')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('failed_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('login_failures_of_subject')
    .on('login_failures')
    .columns(['subject', 'failed_at'])
    .execute();
  await db.schema.createIndex('login_failures_by_time').on('login_failures').column('failed_at').execute();

  await db.schema
    .createTable('disruptions')
    .addColumn('event_id', text, (column) => column.notNull().primaryKey())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('severity_rank', 'integer', (column) => column.notNull())
    .addColumn('event_type', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('summary_line', text, (column) => column.notNull())
    .addColumn('search_text', text, (column) => column.notNull())
    .addColumn('phase', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('start_time', text, (column) => column.notNull())
    .addColumn('end_time', text)
    .addColumn('ends_on_time', 'integer', (column) => column.notNull())
    .addColumn('latitude', real)
    .addColumn('longitude', real)
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('first_seen_at', text, (column) => column.notNull())
    .addColumn('last_seen_at', text, (column) => column.notNull())
    .addColumn('unseen', 'integer', (column) => column.notNull())
    .addColumn('absent_polls', 'integer', (column) => column.notNull())
    .addColumn('ended_at', text)
    .addColumn('ended_reason', text)
    .execute();
  // There is far more history than current data: the board's queries must never scan it.
  await db.schema
    .createIndex('disruptions_of_source')
    .on('disruptions')
    .columns(['source', 'kind', 'phase', 'severity_rank', 'updated_at desc', 'event_id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('disruptions_worst_first')
    .on('disruptions')
    .columns(['severity_rank', 'updated_at desc', 'event_id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema.createIndex('disruptions_by_end').on('disruptions').column('ended_at').execute();

  await db.schema
    .createTable('collections')
    .addColumn('source', text, (column) => column.notNull().primaryKey())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('last_attempt', text)
    .addColumn('last_success', text)
    .addColumn('next_run', text)
    .addColumn('consecutive_failures', 'integer', (column) => column.notNull())
    .addColumn('last_error', text)
    .addColumn('skipped', 'integer', (column) => column.notNull())
    .addColumn('problems', text, (column) => column.notNull())
    .addColumn('complete', 'integer', (column) => column.notNull())
    .addColumn('suspect_polls', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', text)
    .execute();

  await db.schema
    .createTable('summaries')
    .addColumn('feed', text, (column) => column.notNull().primaryKey())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('prompt_version', text, (column) => column.notNull())
    .addColumn('generated_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('event_ids', text, (column) => column.notNull())
    .addColumn('event_count', 'integer', (column) => column.notNull())
    .addColumn('last_event_at', text)
    .addColumn('tokens_prompt', 'integer', (column) => column.notNull())
    .addColumn('tokens_completion', 'integer', (column) => column.notNull())
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('input_hash', text, (column) => column.notNull())
    .execute();

  // Without a reference to users: usage outlives the person, under a replaced name.
  await db.schema
    .createTable('usage_events')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('event_type', text, (column) => column.notNull())
    .addColumn('event_category', text, (column) => column.notNull())
    .addColumn('session_id', text)
    .addColumn('occurred_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('usage_events_by_time').on('usage_events').column('occurred_at').execute();

  await db.schema
    .createTable('facts')
    .addColumn('key', text, (column) => column.notNull().primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('kept_at', text, (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('revisions')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('value', 'integer', (column) => column.notNull())
    .execute();
}
