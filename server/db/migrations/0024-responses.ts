/** What teams do about incidents, the log of it, their own reports, and which displays may show names. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  const real = 'double precision' as const;

  await db.schema
    .createTable('responses')
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('disposition', text)
    .addColumn('by_user', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('severity_rank', 'integer', (column) => column.notNull())
    .addColumn('version_seen_at', text)
    .addColumn('lapsed', text)
    .addColumn('lapsed_at', text)
    .addColumn('snooze_until', text)
    .addColumn('snooze_change', 'integer', (column) => column.notNull())
    .addColumn('snoozed_by', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('snoozed_at', text)
    .addColumn('changed_by', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('changed_at', text, (column) => column.notNull())
    .addColumn('change', text, (column) => column.notNull())
    .addColumn('rev', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('responses_key', ['team_id', 'event_id'])
    .execute();
  await db.schema.createIndex('responses_of_incident').on('responses').column('event_id').execute();

  await db.schema
    .createTable('response_log')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('event_id', text)
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('received_at', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('response_log_of_incident')
    .on('response_log')
    .columns(['event_id', 'team_id', 'at'])
    .execute();
  await db.schema.createIndex('response_log_of_team').on('response_log').columns(['team_id', 'at']).execute();

  await db.schema
    .createTable('own_reports')
    .addColumn('event_id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('by_user', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('severity_rank', 'integer', (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('note', text, (column) => column.notNull())
    .addColumn('latitude', real)
    .addColumn('longitude', real)
    .addColumn('geometry', text)
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('facts', text, (column) => column.notNull())
    .addColumn('start_time', text, (column) => column.notNull())
    .addColumn('end_time', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('ended_at', text)
    .addColumn('rev', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('own_reports_in_force')
    .on('own_reports')
    .column('team_id')
    .where(sql.ref('ended_at'), 'is', null)
    .execute();

  await db.schema
    .alterTable('displays')
    .addColumn('show_names', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
