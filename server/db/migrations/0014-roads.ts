/** The roads that an incident names, so that a list can ask for one of them. Without an index: a list walks along the
 *  one of its order, through the few thousand that are in force. */
import type { Kysely } from 'kysely';

const ROWS_PER_READ = 500;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('disruptions')
    .addColumn('roads', 'text', (column) => column.notNull().defaultTo(''))
    .execute();

  const old = db as Kysely<{ disruptions: { event_id: string; details: string; roads: string } }>;
  for (let after = ''; ;) {
    const rows = await old
      .selectFrom('disruptions')
      .select(['event_id', 'details'])
      .where('event_id', '>', after)
      .orderBy('event_id')
      .limit(ROWS_PER_READ)
      .execute();
    for (const { event_id, details } of rows) {
      const { facts } = JSON.parse(details) as { facts?: { roads?: string[] } };
      const roads = (facts?.roads ?? []).map((road) => `|${road}|`).join('');
      if (roads)
        await old.updateTable('disruptions').set({ roads }).where('event_id', '=', event_id).execute();
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.event_id;
  }
}
