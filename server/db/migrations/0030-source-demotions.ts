/** A source whose messages are marked as not ours too often is only possible, until an administrator restores it. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  for (const column of ['demoted_at', 'demoted_why', 'restored_at']) {
    await db.schema.alterTable('collections').addColumn(column, text).execute();
  }
}
