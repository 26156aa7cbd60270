/**
 * Makes the tables as `schema.ts` has them. Until version 1.0.0 is released they may change freely, and no earlier
 * database is upgraded. After that, a change also needs a migration of its own for databases with the earlier tables.
 */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { statementsOf } from '../columns.ts';
import { TABLES, type Tables } from '../schema.ts';

/** Changes that decide who may make a call. The last sign-in and the last code are left out, because each sign-in
 *  changes them. */
const ACCESS_CHANGES = [
  ['users', 'update of email, display_name, role, is_active, is_verified'],
  ['users', 'delete'],
  ['sessions', 'update of user_id, display_id, revoked_at'],
  ['sessions', 'delete'],
  ['api_keys', 'update of key_hash, user_id, rate_limit_tier, scope'],
  ['api_keys', 'delete'],
  ['account_security', 'insert'],
  ['account_security', 'update of password_until, factor_since'],
  ['account_security', 'delete'],
] as const;

const RAISE_ACCESS = `insert into revisions (name, value) values ('access', 1)
  on conflict (name) do update set value = revisions.value + 1`;

export async function up(db: Kysely<Tables>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const [name, table] of Object.entries(TABLES))
    for (const statement of statementsOf(name, table, isPostgres)) await sql.raw(statement).execute(db);

  // Triggers also see the changes of an operator's command or of a statement by hand.
  if (isPostgres)
    await sql
      .raw(
        `create function raise_access() returns trigger language plpgsql as $$ begin ${RAISE_ACCESS}; return null; end $$`,
      )
      .execute(db);
  for (const [table, change] of ACCESS_CHANGES) {
    const name = `${table}_${change.split(' ')[0]}_raises_access`;
    const does = isPostgres
      ? 'for each statement execute function raise_access()'
      : `begin ${RAISE_ACCESS}; end`;
    await sql.raw(`create trigger ${name} after ${change} on ${table} ${does}`).execute(db);
  }

  // Everybody is in this team, unless a provider serves several teams.
  await db
    .insertInto('teams')
    .values({
      id: 'everyone',
      name: 'Everyone',
      shift_starts: '["06:00","14:00","22:00"]',
      created_at: new Date().toISOString(),
    })
    .execute();
}
