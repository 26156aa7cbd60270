/** What we read out of an incident's earlier versions, so that a trend is the difference between two of them. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('disruption_versions')
    .addColumn('details', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
}
