/** How events are added and changed. */
import type { Venue } from '#contract/places/events.ts';
import { allOf, chunks, IDS_PER_STATEMENT, ROWS_PER_STATEMENT } from '../../db/batches.ts';
import type { EventInput } from './eventInput.ts';
import { type NewPerformance, toEventRow, toPerformanceRow, toVenueRow } from './eventRows.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { movePerformances, renamePerformances, upsertPerformances } from './performances.ts';
import { EVENTS_REVISION, raiseRevision, takeTurn } from '../../db/revisions.ts';
import type { EventsTable, PerformancesTable, VenuesTable } from '../../db/schema.ts';

/** The result for one event. `imported`: it added a performance. `taken`: its id, or that of a performance, belongs
 *  to another, and nothing was stored. */
export type Outcome = 'imported' | 'updated' | 'unchanged' | 'taken';

export const eventStore = (db: Db) => ({
  /** Adds and changes events in one transaction; others stay. Returns one outcome for each, in order. For an event or
   *  a venue that occurs several times, the first description counts: `described` remembers them between calls. A
   *  changed event or venue changes all its performances, also those not in the input. */
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
type KnownEvent = Pick<EventsTable, 'source' | 'content_hash' | 'record' | 'venue_id'>;

/** By id. */
interface Changes {
  venues: Map<string, VenuesTable>;
  events: Map<string, EventsTable>;
  performances: Map<string, NewPerformance>;
}

interface Context {
  source: string;
  isSample: boolean;
  at: string;
  known: Known;
  described: Set<string>;
}

/** What is to be written. `renamed`: the known events among those that change. */
function changesOf(arriving: readonly EventInput[], context: Context) {
  const { source, isSample, at, known, described } = context;
  const changes: Changes = { venues: new Map(), events: new Map(), performances: new Map() };
  const { venues, events, performances } = changes;
  const renamed: { input: EventInput; before: KnownEvent; row: EventsTable }[] = [];

  const isTaken = (input: EventInput) =>
    (known.events.get(input.event_id)?.source ?? source) !== source ||
    input.performances.some(({ performance_id }) => {
      const owner = performances.get(performance_id) ?? known.performances.get(performance_id);
      return owner !== undefined && owner.event_id !== input.event_id;
    });

  /** The venue as stored, from whichever row or source describes it. */
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
    // By now every venue is known as it will be stored.
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

  const events = new Map<string, KnownEvent>();
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const rows = await trx
      .selectFrom('events')
      .select(['event_id', 'source', 'content_hash', 'record', 'venue_id'])
      .where('event_id', 'in', some)
      .execute();
    for (const row of rows) events.set(row.event_id, row);
  }
  const performances = new Map<string, Pick<PerformancesTable, 'event_id' | 'venue_id' | 'content_hash'>>();
  for (const some of chunks(performanceIds, IDS_PER_STATEMENT)) {
    const rows = await trx
      .selectFrom('performances')
      .select(['performance_id', 'event_id', 'venue_id', 'content_hash'])
      .where('performance_id', 'in', some)
      .execute();
    for (const row of rows) performances.set(row.performance_id, row);
  }
  const venues = new Map<string, VenuesTable>();
  for (const some of chunks(venueIds, IDS_PER_STATEMENT)) {
    const rows = await trx.selectFrom('venues').selectAll().where('venue_id', 'in', some).execute();
    for (const row of rows) venues.set(row.venue_id, row);
  }
  return { events, performances, venues };
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
          // With two simultaneous imports, an id stays with the first.
          .whereRef('events.source', '=', 'excluded.source'),
      )
      .execute();
  }
  await upsertPerformances(trx, [...rows.performances.values()]);
}
