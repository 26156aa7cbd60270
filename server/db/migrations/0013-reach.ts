/** How far an incident reaches from its point, so that an area that it touches has it. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('disruptions')
    .addColumn('reach_km', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute();
}
