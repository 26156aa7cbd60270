/** Every change to who may call what raises a revision, also by an operator’s command or a statement by hand. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What decides about a call. Not when somebody last signed in: that changes all the time. */
const CHANGES = [
  ['users', 'update of email, display_name, role, is_active, is_verified'],
  ['users', 'delete'],
  ['sessions', 'update of user_id, display_id, revoked_at'],
  ['sessions', 'delete'],
  ['api_keys', 'update of key_hash, user_id, rate_limit_tier'],
  ['api_keys', 'delete'],
] as const;

const RAISE = `insert into revisions (name, value) values ('access', 1)
  on conflict (name) do update set value = revisions.value + 1`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) {
    await sql
      .raw(
        `create function raise_access() returns trigger language plpgsql as $$ begin ${RAISE}; return null; end $$`,
      )
      .execute(db);
  }
  for (const [table, change] of CHANGES) {
    const name = `${table}_${change.split(' ')[0]}_raises_access`;
    const does = isPostgres ? 'for each statement execute function raise_access()' : `begin ${RAISE}; end`;
    await sql.raw(`create trigger ${name} after ${change} on ${table} ${does}`).execute(db);
  }
}
