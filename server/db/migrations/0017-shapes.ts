/** Where an incident is: its geometry, and the box around it. Rows get theirs with the next poll that lists them. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['disruptions', 'disruption_versions']) {
    await db.schema.alterTable(table).addColumn('geometry', 'text').execute();
    for (const side of ['west', 'south', 'east', 'north'])
      await db.schema.alterTable(table).addColumn(side, 'double precision').execute();
  }
}
