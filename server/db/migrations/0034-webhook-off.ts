/** When a receiver was turned off because it does not take what is sent. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema.alterTable('receivers').addColumn('off_at', text).execute();
}
