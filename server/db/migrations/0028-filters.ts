/** Saved filters of a team, and their secret addresses. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  await db.schema
    .createTable('filters')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('query', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('filters_of_team').on('filters').columns(['team_id', 'created_at']).execute();

  await db.schema
    .createTable('filter_addresses')
    .addColumn('hash', text, (column) => column.notNull().primaryKey())
    .addColumn('filter_id', text, (column) => column.notNull().references('filters.id').onDelete('cascade'))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('last_used_at', text)
    .addColumn('revoked_at', text)
    .execute();
  await db.schema
    .createIndex('filter_addresses_of_filter')
    .on('filter_addresses')
    .column('filter_id')
    .execute();
}
