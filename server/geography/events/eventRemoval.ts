/** How events leave: those that their source no longer has, and those that are over. */
import { chunks, IDS_PER_STATEMENT } from '../../db/batches.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { EVENTS_REVISION, raiseRevision, takeTurn } from '../../db/revisions.ts';

export const eventRemoval = (db: Db) => ({
  /** Deletes the events of this source that are not among these. Returns how many. */
  async keepOnly(source: string, ids: ReadonlySet<string>): Promise<number> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, EVENTS_REVISION);
      const there = await trx.selectFrom('events').select('event_id').where('source', '=', source).execute();
      const gone = there.map(({ event_id }) => event_id).filter((id) => !ids.has(id));
      for (const some of chunks(gone, IDS_PER_STATEMENT)) {
        await trx.deleteFrom('performances').where('event_id', 'in', some).execute();
        await trx.deleteFrom('events').where('event_id', 'in', some).execute();
      }
      while ((await deleteUnusedVenues(trx)) === IDS_PER_STATEMENT);
      if (gone.length > 0) await raiseRevision(trx, EVENTS_REVISION);
      return gone.length;
    });
  },

  /** Deletes performances that were over before then, events without any left, and unused venues. Returns the number
   *  of performances. */
  async prune(before: Instant): Promise<number> {
    const at = iso(before);
    const some = () =>
      db.transaction().execute(async (trx) => {
        await takeTurn(trx, EVENTS_REVISION);
        const past = await trx
          .selectFrom('performances')
          .select(['id', 'event_id'])
          // Both conditions: there is an index by start.
          .where('start_datetime', '<', at)
          .where('over_at', '<', at)
          .orderBy('start_datetime')
          .limit(IDS_PER_STATEMENT)
          .execute();
        if (past.length === 0) return 0;
        const ids = past.map(({ id }) => id);
        await trx.deleteFrom('performances').where('id', 'in', ids).execute();
        await trx
          .deleteFrom('events')
          .where('event_id', 'in', [...new Set(past.map(({ event_id }) => event_id))])
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('performances')
                  .select('id')
                  .whereRef('performances.event_id', '=', 'events.event_id'),
              ),
            ),
          )
          .execute();
        await raiseRevision(trx, EVENTS_REVISION);
        return past.length;
      });

    const venues = () =>
      db.transaction().execute(async (trx) => {
        await takeTurn(trx, EVENTS_REVISION);
        return deleteUnusedVenues(trx);
      });

    let gone = 0;
    for (let deleted = IDS_PER_STATEMENT; deleted === IDS_PER_STATEMENT;) {
      deleted = await some();
      gone += deleted;
    }
    while ((await venues()) === IDS_PER_STATEMENT);
    return gone;
  },
});

/** Deletes venues without events, some at a time. Returns the number. Nothing shows these venues. */
async function deleteUnusedVenues(trx: Db): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('venues')
    .where(
      'venue_id',
      'in',
      trx
        .selectFrom('venues')
        .select('venue_id')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('events').select('event_id').whereRef('events.venue_id', '=', 'venues.venue_id'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('performances')
                .select('id')
                .whereRef('performances.venue_id', '=', 'venues.venue_id'),
            ),
          ),
        )
        .limit(IDS_PER_STATEMENT),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
