/** The day's quota is counted by owner and tier: what their keys used so far is carried over. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: days are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  // No reference to the user: a call counted while its owner is being deleted must not fail.
  await db.schema
    .createTable('api_quota_usage')
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('tier', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('api_quota_usage_key', ['user_id', 'tier', 'day'])
    .execute();
  await sql`
    insert into api_quota_usage (user_id, tier, day, used)
    select api_keys.user_id, api_keys.rate_limit_tier, api_key_usage.day, sum(api_key_usage.used)
    from api_key_usage inner join api_keys on api_keys.id = api_key_usage.key_id
    group by api_keys.user_id, api_keys.rate_limit_tier, api_key_usage.day`.execute(db);
}
