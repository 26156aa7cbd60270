/** How events are added, changed and deleted. */
import { rowsWith } from '../../db/statements.ts';
import type { Venue, MapEvent } from '#contract/places/events.ts';
import { allOf, chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from '../../db/batches.ts';
import type { EventInput } from './eventInput.ts';
import {
  type NewPerformance,
  toEventRow,
  toPerformanceRow,
  toVenueRow,
  type EventContent,
  placeOf,
  rowOf,
  shortened,
} from './eventRows.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { EVENTS_REVISION, raiseRevision, takeTurn } from '../../db/revisions.ts';
import type { RowOf } from '../../db/schema.ts';

/** The result for one event. `imported`: it added a performance. `taken`: its id, or that of a performance, belongs
 *  to another event, and nothing was stored. */
export type Outcome = 'imported' | 'updated' | 'unchanged' | 'taken';

export const eventStore = (db: Db) => ({
  /** Adds and changes events in one transaction; others stay. Returns one outcome for each, in order. If an event or
   *  a venue occurs several times, the first description counts: `described` remembers them between calls. A change
   *  to an event or venue changes all its performances, also those that are not in the input. */
  async store({
    source,
    isSample = false,
    arriving,
    now,
    described = new Set(),
  }: {
    source: string;
    isSample?: boolean;
    arriving: readonly EventInput[];
    now: Instant;
    described?: Set<string>;
  }): Promise<Outcome[]> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, EVENTS_REVISION);
      const known = await knownOf(trx, arriving);
      const changes = changesOf(arriving, { source, isSample, at: iso(now), known, described });
      const { outcomes, venues, events, performances, renamed } = changes;
      await upsert(trx, changes);
      for (const { venue_id, record } of venues.values()) {
        if (known.venues.has(venue_id)) await movePerformances(trx, JSON.parse(record) as Venue); // we wrote it
      }
      for (const { before, after } of renamed) await renamePerformances(trx, before, after, performances);
      if (venues.size + events.size + performances.size > 0) await raiseRevision(trx, EVENTS_REVISION);
      return outcomes;
    });
  },
});

type Known = Awaited<ReturnType<typeof knownOf>>;
type KnownEvent = Pick<RowOf<'events'>, 'source' | 'content_hash' | 'record' | 'venue_id'>;

/** By id. */
interface Changes {
  venues: Map<string, RowOf<'venues'>>;
  events: Map<string, RowOf<'events'>>;
  performances: Map<string, NewPerformance>;
}

interface Context {
  source: string;
  isSample: boolean;
  at: string;
  known: Known;
  described: Set<string>;
}

/** The changes to write. `renamed`: events that were known and whose names change. */
function changesOf(arriving: readonly EventInput[], context: Context) {
  const { source, isSample, at, known, described } = context;
  const changes: Changes = { venues: new Map(), events: new Map(), performances: new Map() };
  const { venues, events, performances } = changes;
  const renamed: { input: EventInput; before: KnownEvent; row: RowOf<'events'> }[] = [];

  const isTaken = (input: EventInput) =>
    (known.events.get(input.event_id)?.source ?? source) !== source ||
    input.performances.some(({ performance_id }) => {
      const owner = performances.get(performance_id) ?? known.performances.get(performance_id);
      return owner !== undefined && owner.event_id !== input.event_id;
    });

  /** The stored form of a venue, whichever row or source describes it. */
  const standing = (venue: Venue | null): Venue | null => {
    const row = venue && (venues.get(venue.venue_id) ?? known.venues.get(venue.venue_id));
    return row ? (JSON.parse(row.record) as Venue) : venue; // we wrote it
  };

  const changeVenue = ({ venue }: EventInput): boolean => {
    if (!venue) return false;
    const isThere = venues.has(venue.venue_id) || known.venues.has(venue.venue_id);
    if (!isFirst(described, `venue ${venue.venue_id}`) && isThere) return false;
    const row = toVenueRow(source, venue);
    const { source: owner = source, content_hash } = known.venues.get(row.venue_id) ?? {};
    if (owner !== source || content_hash === row.content_hash) return false;
    venues.set(row.venue_id, row);
    return true;
  };

  const changeEvent = (input: EventInput): boolean => {
    if (!isFirst(described, `event ${input.event_id}`)) return false;
    const before = known.events.get(input.event_id);
    const row = toEventRow({ source, isSample, input, at });
    if (before?.content_hash === row.content_hash) return false;
    events.set(row.event_id, row);
    if (before) renamed.push({ input, before, row });
    return true;
  };

  const changePerformances = (input: EventInput): string[] => {
    const venue = standing(input.venue);
    return input.performances.flatMap((performance) => {
      const row = toPerformanceRow({ isSample, input, venue, performance });
      const there = known.performances.get(row.performance_id);
      if (there?.content_hash === row.content_hash && there.venue_id === row.venue_id) return [];
      performances.set(row.performance_id, row);
      return row.performance_id;
    });
  };

  const outcomes = arriving.map((input): Outcome => {
    if (isTaken(input)) return 'taken';
    const isVenueChanged = changeVenue(input);
    const isEventChanged = changeEvent(input);
    const changed = changePerformances(input);
    if (changed.some((id) => !known.performances.has(id))) return 'imported';
    return isVenueChanged || isEventChanged || changed.length > 0 ? 'updated' : 'unchanged';
  });
  return {
    ...changes,
    outcomes,
    // All venues are known now in the form in which they will be stored.
    renamed: renamed.map(({ input, before, row }) => ({
      before,
      after: { ...input, venue_id: row.venue_id, venue: standing(input.venue) },
    })),
  };
}

function isFirst(met: Set<string>, name: string): boolean {
  const isNew = !met.has(name);
  met.add(name);
  return isNew;
}

async function knownOf(trx: Db, arriving: readonly EventInput[]) {
  const ids = [...new Set(arriving.map(({ event_id }) => event_id))];
  const performanceIds = [
    ...new Set(arriving.flatMap((input) => input.performances.map(({ performance_id }) => performance_id))),
  ];
  const venueIds = [...new Set(arriving.flatMap(({ venue }) => venue?.venue_id ?? []))];

  const events = await rowsWith(trx, 'events', { event_id: ids }).all(
    'event_id',
    'source',
    'content_hash',
    'record',
    'venue_id',
  );
  const performances = await rowsWith(trx, 'performances', { performance_id: performanceIds }).all(
    'performance_id',
    'event_id',
    'venue_id',
    'content_hash',
  );
  const venues = await rowsWith(trx, 'venues', { venue_id: venueIds }).all();
  return {
    events: new Map<string, KnownEvent>(events.map((row) => [row.event_id, row])),
    performances: new Map(performances.map((row) => [row.performance_id, row])),
    venues: new Map(venues.map((row) => [row.venue_id, row])),
  };
}

async function upsert(trx: Db, rows: Changes): Promise<void> {
  for (const values of chunks([...rows.venues.values()], ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('venues')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column('venue_id')
          .doUpdateSet((eb) => allOf(eb, values[0]!))
          .whereRef('venues.content_hash', '<>', 'excluded.content_hash'),
      )
      .execute();
  }
  for (const values of chunks([...rows.events.values()], ROWS_PER_STATEMENT)) {
    await trx
      .insertInto('events')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .column('event_id')
          .doUpdateSet((eb) => allOf(eb, values[0]!))
          .whereRef('events.content_hash', '<>', 'excluded.content_hash')
          // If two imports run at once, an id stays with the first.
          .whereRef('events.source', '=', 'excluded.source'),
      )
      .execute();
  }
  await upsertPerformances(trx, [...rows.performances.values()]);
}

// How performances are written, and how they follow changes to their event and venue.

async function upsertPerformances(trx: Db, rows: readonly NewPerformance[]): Promise<void> {
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
const movePerformances = (trx: Db, venue: Venue) =>
  rewritePerformances(trx, { venue_id: venue.venue_id }, (shown) =>
    rowOf({ ...shown, ...placeOf(venue) }, venue.venue_id),
  );

/** Updates performances that the input does not name, if they had the same name as the event before. In a tour,
 *  performances can have other names and venues. */
const renamePerformances = (
  trx: Db,
  before: Pick<RowOf<'events'>, 'record' | 'venue_id'>,
  after: EventInput & Pick<RowOf<'events'>, 'venue_id'>,
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

/** Rewrites performances, a few at a time. Null leaves one unchanged. */
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

// How events are deleted: events that their source no longer has, and events that are over.

export const eventRemoval = (db: Db) => ({
  /** Deletes the events of this source that are not in the set. Returns how many. */
  async keepOnly(source: string, ids: ReadonlySet<string>): Promise<number> {
    return db.transaction().execute(async (trx) => {
      await takeTurn(trx, EVENTS_REVISION);
      const there = await trx.selectFrom('events').select('event_id').where('source', '=', source).execute();
      const gone = there.map(({ event_id }) => event_id).filter((id) => !ids.has(id));
      await rowsWith(trx, 'performances', { event_id: gone }).remove();
      await rowsWith(trx, 'events', { event_id: gone }).remove();
      while ((await deleteUnusedVenues(trx)) === IDS_PER_STATEMENT);
      if (gone.length > 0) await raiseRevision(trx, EVENTS_REVISION);
      return gone.length;
    });
  },

  /** Deletes performances that were over before that time, events without performances, and unused venues. Returns
   *  the number of performances. */
  async prune(before: Instant): Promise<number> {
    const at = iso(before);
    const some = () =>
      db.transaction().execute(async (trx) => {
        await takeTurn(trx, EVENTS_REVISION);
        const past = await trx
          .selectFrom('performances')
          .select(['id', 'event_id'])
          // Both conditions are given, because there is an index by start.
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

/** Deletes venues without events, a few at a time. Returns the number. Nothing shows these venues. */
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
