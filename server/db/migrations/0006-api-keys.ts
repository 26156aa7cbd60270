/** API keys, and how often each was used on each day. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // By bytes, as in the first: days and times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('api_keys')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull().unique())
    .addColumn('key_prefix', text, (column) => column.notNull())
    .addColumn('sealed', text)
    .addColumn('rate_limit_tier', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('api_keys_of_user').on('api_keys').column('user_id').execute();

  // No reference to the key: a call counted while its key is being deleted must not fail.
  await db.schema
    .createTable('api_key_usage')
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('api_key_usage_key', ['key_id', 'day'])
    .execute();
}
