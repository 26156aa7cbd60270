/** The routes that a display was given to show. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('display_routes')
    .addColumn('display_id', text, (column) => column.notNull().references('displays.id').onDelete('cascade'))
    .addColumn('watch_id', text, (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('display_routes_key', ['display_id', 'watch_id'])
    .execute();
  await db.schema.createIndex('display_routes_of_watch').on('display_routes').column('watch_id').execute();
}
