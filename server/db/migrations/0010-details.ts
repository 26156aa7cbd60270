/** Where the fields of an incident are kept that have no column of their own. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('disruptions')
    .addColumn('details', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
}
