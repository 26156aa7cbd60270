/** Second factors, passwords set by somebody else, where a session was last used, and tickets for the reference. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What the guard reads of an account beside its own row. Not the last code: each sign-in changes that. */
const CHANGES = ['insert', 'update of password_until, factor_since', 'delete'] as const;

const RAISE = `insert into revisions (name, value) values ('access', 1)
  on conflict (name) do update set value = revisions.value + 1`;

/** A display that was paired long ago is not signed out by the update: it has 30 days of notice. */
const OLDEST_APPROVAL_DAYS = 335;

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = isPostgres ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('account_security')
    .addColumn('user_id', text, (column) =>
      column.notNull().primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('password_until', text)
    .addColumn('factor_sealed', text)
    .addColumn('factor_since', text)
    .addColumn('factor_step', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('code_hash', text, (column) => column.notNull().primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('recovery_codes_of_user').on('recovery_codes').column('user_id').execute();
  await db.schema
    .createTable('docs_tickets')
    .addColumn('ticket_hash', text, (column) => column.notNull().primaryKey())
    .addColumn('session_id', text, (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('docs_tickets_of_session').on('docs_tickets').column('session_id').execute();

  for (const column of ['address', 'user_agent'])
    await db.schema.alterTable('sessions').addColumn(column, text).execute();
  await db.schema.alterTable('displays').addColumn('approved_at', text).execute();
  const oldest = new Date(Date.now() - OLDEST_APPROVAL_DAYS * 24 * 60 * 60 * 1000).toISOString();
  await sql`update displays set approved_at = ${oldest} where paired_at < ${oldest}`.execute(db);

  for (const change of CHANGES) {
    const name = `account_security_${change.split(' ')[0]}_raises_access`;
    const does = isPostgres ? 'for each statement execute function raise_access()' : `begin ${RAISE}; end`;
    await sql.raw(`create trigger ${name} after ${change} on account_security ${does}`).execute(db);
  }
}
