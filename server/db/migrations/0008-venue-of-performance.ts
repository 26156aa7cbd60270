/** Each performance names its venue, so that a changed venue updates them all, and unused venues can be found. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await db.schema
    .alterTable('performances')
    .addColumn('venue_id', isPostgres ? sql`text collate "C"` : 'text')
    .execute();
  // For a tour the event holds only the first venue: the next import adds the others.
  await sql`
    update performances
    set venue_id = (select venue_id from events where events.event_id = performances.event_id)
    where event_id in (
      select event_id from performances group by event_id
      having count(distinct town_key) <= 1 and count(distinct latitude) <= 1 and count(distinct longitude) <= 1
    )`.execute(db);
  await db.schema
    .createIndex('performances_of_venue')
    .on('performances')
    .columns(['venue_id', 'id'])
    .execute();
  await db.schema.createIndex('events_of_venue').on('events').column('venue_id').execute();
}
