/** Messages: the alerts of each route, who is notified how, what each was last sent, and the outbox. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('alert_instances')
    .addColumn('watch_id', text, (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('event_id', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('recover_since', text)
    .addColumn('no_data_since', text)
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('urgent_at', text)
    .addColumn('rev', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_instances_key', ['watch_id', 'event_id'])
    .execute();

  await db.schema
    .createTable('receivers')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('session_id', text, (column) => column.references('sessions.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('target', text, (column) => column.notNull())
    .addColumn('target_hash', text, (column) => column.notNull().unique())
    .addColumn('secret', text)
    .addColumn('quiet', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('hide_details', 'integer', (column) => column.notNull())
    .addColumn('confirmed_at', text)
    .addColumn('paused_until', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_ok', text)
    .addColumn('last_error', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('receivers_of_team')
    .on('receivers')
    .columns(['team_id', 'created_at'])
    .execute();
  await db.schema.createIndex('receivers_of_user').on('receivers').column('user_id').execute();
  await db.schema.createIndex('receivers_of_session').on('receivers').column('session_id').execute();

  await db.schema
    .createTable('notification_log')
    .addColumn('watch_id', text, (column) => column.notNull())
    .addColumn('receiver_id', text, (column) =>
      column.notNull().references('receivers.id').onDelete('cascade'),
    )
    .addColumn('firing', text, (column) => column.notNull())
    .addColumn('severities', text, (column) => column.notNull())
    .addColumn('sent_at', text, (column) => column.notNull())
    .addColumn('repeats', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('notification_log_key', ['watch_id', 'receiver_id'])
    .execute();
  await db.schema
    .createIndex('notification_log_of_receiver')
    .on('notification_log')
    .column('receiver_id')
    .execute();

  await db.schema
    .createTable('messages')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('receiver_id', text, (column) => column.references('receivers.id').onDelete('cascade'))
    .addColumn('watch_id', text, (column) => column.references('watches.id').onDelete('cascade'))
    .addColumn('bundle', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', text)
    .addColumn('last_status', 'integer')
    .addColumn('valid_until', text, (column) => column.notNull())
    .addColumn('sent_at', text)
    .addColumn('seen_at', text)
    .execute();
  await db.schema
    .createIndex('messages_of_receiver')
    .on('messages')
    .columns(['receiver_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('messages_of_watch')
    .on('messages')
    .columns(['watch_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('messages_waiting')
    .on('messages')
    .column('next_at')
    .where(sql.ref('next_at'), 'is not', null)
    .execute();
  await db.schema.createIndex('messages_by_age').on('messages').column('created_at').execute();
}
