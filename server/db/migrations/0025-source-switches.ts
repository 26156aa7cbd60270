/** A source can be turned off by an administrator, and asked out of turn. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  for (const column of ['off_at', 'off_by', 'asked_at']) {
    await db.schema.alterTable('collections').addColumn(column, text).execute();
  }
}
