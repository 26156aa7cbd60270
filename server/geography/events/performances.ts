/** How performances are written, and follow their event and their venue. */
import type { MapEvent, Venue } from '#contract/places/events.ts';
import { allOf, chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from '../../db/batches.ts';
import type { EventInput } from './eventInput.ts';
import { type EventContent, type NewPerformance, placeOf, rowOf, shortened } from './eventRows.ts';
import type { Db } from '../../db/open.ts';
import type { EventsTable } from '../../db/schema.ts';

export async function upsertPerformances(trx: Db, rows: readonly NewPerformance[]): Promise<void> {
  for (const values of chunks(rows, ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('performances')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column('performance_id')
          .doUpdateSet((eb) => allOf(eb, values[0]!))
          .where((eb) =>
            eb.or([
              eb('performances.content_hash', '<>', eb.ref('excluded.content_hash')),
              eb('performances.venue_id', 'is distinct from', eb.ref('excluded.venue_id')),
            ]),
          )
          .whereRef('performances.event_id', '=', 'excluded.event_id'),
      )
      .execute();
  }
}

/** Updates all performances at the venue with its new position. */
export const movePerformances = (trx: Db, venue: Venue) =>
  rewritePerformances(trx, { venue_id: venue.venue_id }, (shown) =>
    rowOf({ ...shown, ...placeOf(venue) }, venue.venue_id),
  );

/** Updates the performances of an event that the input does not name, where they said the same as the event before:
 *  a tour can have other names and venues. */
export const renamePerformances = (
  trx: Db,
  before: Pick<EventsTable, 'record' | 'venue_id'>,
  after: EventInput & Pick<EventsTable, 'venue_id'>,
  named: ReadonlyMap<string, unknown>,
) => {
  const was = JSON.parse(before.record) as EventContent; // we wrote it
  return rewritePerformances(trx, { event_id: after.event_id }, (shown, venueId) => {
    if (named.has(shown.performance_id)) return null;
    const isHere = venueId === before.venue_id;
    return rowOf(
      {
        ...shown,
        name: shown.name === was.name ? after.name : shown.name,
        category: shown.category === was.category ? after.category : shown.category,
        description:
          shown.description === shortened(was.description) ? shortened(after.description) : shown.description,
        ...(isHere && placeOf(after.venue)),
      },
      isHere ? after.venue_id : venueId,
    );
  });
};

/** Rewrites performances, some at a time; null leaves one as it is. */
async function rewritePerformances(
  trx: Db,
  of: { venue_id: string } | { event_id: string },
  rewritten: (shown: MapEvent, venueId: string | null) => NewPerformance | null,
): Promise<void> {
  const [[column, value]] = Object.entries(of) as [['venue_id' | 'event_id', string]];
  for (let after = 0; ;) {
    const rows = await trx
      .selectFrom('performances')
      .select(['id', 'venue_id', 'shown', 'content_hash'])
      .where(column, '=', value)
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_PER_STATEMENT)
      .execute();
    const changed = rows.flatMap(({ shown, venue_id, content_hash }) => {
      const row = rewritten(JSON.parse(shown) as MapEvent, venue_id); // we wrote it
      return !row || (row.content_hash === content_hash && row.venue_id === venue_id) ? [] : [row];
    });
    await upsertPerformances(trx, changed);
    const last = rows.at(-1);
    if (!last || rows.length < IDS_PER_STATEMENT) return;
    after = last.id;
  }
}
