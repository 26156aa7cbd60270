/** Events, their performances and venues: storage and every query. */
import { hash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { EventRecord, MapEvent, Performance, Venue } from '#contract/events.ts';
import { badInput } from '../refusals.ts';
import type { EventInput } from './eventInput.ts';
import { iso, type Instant } from './instant.ts';
import type { Db } from './open.ts';
import { raiseRevision, takeTurn } from './revisions.ts';
import type { EventsTable, PerformancesTable, VenuesTable } from './schema.ts';

/** Raised by every change to an event. */
export const EVENTS_REVISION = 'events';

/** A performance without an end time counts as over after this long. */
const ASSUMED_LENGTH_MS = 3 * 60 * 60 * 1000;

/** Lists show the beginning of a long description; the record has all of it. */
const SHOWN_DESCRIPTION_MAX = 600;

export const EVENTS_LIMIT_DEFAULT = 50;
export const EVENTS_LIMIT_MAX = 500;

/** With 15 columns each, and two queries for existing ones. */
const PERFORMANCES_PER_STATEMENT = 500;
const IDS_PER_STATEMENT = 2000;

/** The result for one event. `imported`: it added a performance. `taken`: its id, or that of a performance, belongs
 *  to another, and nothing was stored. */
export type Outcome = 'imported' | 'updated' | 'unchanged' | 'taken';

/** Performances that take place, at least partly, from `from` to before `until`, UTC. */
export interface EventQuery {
  /** In any case. */
  venue_town?: string;
  category?: string;
  /** Text in the name, venue or town, upper or lower case. */
  q?: string;
  from: Instant;
  until?: Instant;
  limit?: number;
  cursor?: string;
}

/** The place, time and name of a performance, for the in-memory indexes. */
export type Position = Pick<
  PerformancesTable,
  'latitude' | 'longitude' | 'start_datetime' | 'over_at' | 'category' | 'town' | 'search_text'
> & { id: number };

/** Each text is a MapEvent as JSON. */
export type ShownEvents = string[];

export const events = (db: Db) => ({
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
      const outcomes: Outcome[] = [];
      const venues = new Map<string, VenuesTable>();
      const eventRows = new Map<string, EventsTable>();
      const performances = new Map<string, NewPerformance>();
      const changed: { input: EventInput; before: KnownEvent; row: EventsTable }[] = [];
      const isThere = (venueId: string) => venues.has(venueId) || known.venues.has(venueId);
      /** The venue as stored, from whichever row or source describes it. */
      const standing = (venue: Venue): Venue => {
        const row = venues.get(venue.venue_id) ?? known.venues.get(venue.venue_id);
        return row ? (JSON.parse(row.record) as Venue) : venue; // we wrote it
      };

      for (const input of arriving) {
        const before = known.events.get(input.event_id);
        const isTaken =
          (before && before.source !== source) ||
          input.performances.some(({ performance_id }) => {
            const owner = performances.get(performance_id) ?? known.performances.get(performance_id);
            return owner !== undefined && owner.event_id !== input.event_id;
          });
        if (isTaken) {
          outcomes.push('taken');
          continue;
        }

        let isChanged = false;
        if (
          input.venue &&
          (isFirst(described, `venue ${input.venue.venue_id}`) || !isThere(input.venue.venue_id))
        ) {
          const row = toVenueRow(source, input.venue);
          const { source: owner = source, content_hash } = known.venues.get(row.venue_id) ?? {};
          if (owner === source && content_hash !== row.content_hash) {
            venues.set(row.venue_id, row);
            isChanged = true;
          }
        }
        if (isFirst(described, `event ${input.event_id}`)) {
          const row = toEventRow({ source, isSample, input, at: iso(now) });
          if (before?.content_hash !== row.content_hash) {
            eventRows.set(row.event_id, row);
            if (before) changed.push({ input, before, row });
            isChanged = true;
          }
        }
        let isNew = false;
        const venue = input.venue && standing(input.venue);
        for (const performance of input.performances) {
          const row = toPerformanceRow({ isSample, input, venue, performance });
          const there = known.performances.get(row.performance_id);
          if (there?.content_hash === row.content_hash && there.venue_id === row.venue_id) continue;
          performances.set(row.performance_id, row);
          isChanged = true;
          isNew ||= !there;
        }
        outcomes.push(isNew ? 'imported' : isChanged ? 'updated' : 'unchanged');
      }

      await upsert(trx, { venues, events: eventRows, performances });
      for (const { venue_id, record } of venues.values()) {
        if (known.venues.has(venue_id)) await movePerformances(trx, JSON.parse(record) as Venue);
      }
      for (const { input, before, row } of changed) {
        const after = { ...input, venue_id: row.venue_id, venue: input.venue && standing(input.venue) };
        await renamePerformances(trx, before, after, performances);
      }
      if (venues.size + eventRows.size + performances.size > 0) await raiseRevision(trx, EVENTS_REVISION);
      return outcomes;
    });
  },

  /** How many events this source has. */
  async countOf(source: string): Promise<number> {
    const { count } = await db
      .selectFrom('events')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('source', '=', source)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  async hasOtherThan(source: string): Promise<boolean> {
    const other = await db
      .selectFrom('events')
      .select('event_id')
      .where((eb) => eb.or([eb('source', '<', source), eb('source', '>', source)]))
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  },

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

  /** Of these performances, those after the cursor, soonest first, at most `limit`. `next_cursor` is null when
   *  neither `more` nor any of these follow. */
  async page(
    ids: readonly number[],
    { limit = EVENTS_LIMIT_DEFAULT, cursor }: Pick<EventQuery, 'limit' | 'cursor'>,
    more: boolean,
  ): Promise<{ shown: ShownEvents; next_cursor: string | null }> {
    if (ids.length === 0) return { shown: [], next_cursor: null };
    const after = cursor ? readCursor(cursor) : null;
    let page = db
      .selectFrom('performances')
      .select(['start_datetime', 'performance_id', 'shown'])
      .where(isAmong(ids));
    if (after) {
      page = page.where((eb) =>
        eb(eb.refTuple('start_datetime', 'performance_id'), '>', eb.tuple(after.start, after.id)),
      );
    }
    const rows = await page
      .orderBy('start_datetime')
      .orderBy('performance_id')
      .limit(limit + 1)
      .execute();
    const shown = rows.slice(0, limit);
    const last = more || rows.length > limit ? shown.at(-1) : undefined;
    return {
      shown: shown.map((row) => row.shown),
      next_cursor: last ? writeCursor({ start: last.start_datetime, id: last.performance_id }) : null,
    };
  },

  /** These performances in this order, without those that no longer exist. */
  async shown(ids: readonly number[]): Promise<ShownEvents> {
    if (ids.length === 0) return [];
    const rows = await db.selectFrom('performances').select(['id', 'shown']).where(isAmong(ids)).execute();
    const byId = new Map(rows.map(({ id, shown }) => [id, shown]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  },

  /** The next ones by number, for reading all in batches. */
  positions(afterId: number, limit: number): Promise<Position[]> {
    return db
      .selectFrom('performances')
      .select(['id', 'latitude', 'longitude', 'start_datetime', 'over_at', 'category', 'town', 'search_text'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute();
  },

  /** The whole record: future performances, then past ones, each by start. */
  async byId(eventId: string, now: Instant): Promise<Omit<EventRecord, 'nearby_stations'> | undefined> {
    const event = await db
      .selectFrom('events')
      .selectAll()
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    if (!event) return undefined;

    const venue = event.venue_id
      ? await db
          .selectFrom('venues')
          .select('record')
          .where('venue_id', '=', event.venue_id)
          .executeTakeFirst()
      : undefined;
    const rows = await db
      .selectFrom('performances')
      .select(['performance_id', 'start_datetime', 'over_at', 'shown'])
      .where('event_id', '=', eventId)
      .orderBy('start_datetime')
      .orderBy('performance_id')
      .execute();
    const at = iso(now);
    const toPerformance = ({ performance_id, start_datetime, shown }: (typeof rows)[number]): Performance => {
      const { end_datetime, booking_url } = JSON.parse(shown) as MapEvent; // we wrote it
      return { performance_id, start_datetime, end_datetime, booking_url };
    };
    const [coming, past] = [
      rows.filter(({ over_at }) => over_at > at),
      rows.filter(({ over_at }) => over_at <= at),
    ];
    const record = JSON.parse(event.record) as EventContent; // we wrote it
    return {
      event_id: event.event_id,
      ...record,
      is_sample: event.is_sample === 1,
      source: event.source,
      updated_at: event.updated_at,
      venue: venue ? (JSON.parse(venue.record) as Venue) : null,
      performances: [...coming, ...past].map(toPerformance),
    };
  },
});

/** Whether `page` accepts it as a cursor: for request validation. */
export const isEventCursor = (text: string): boolean => parseCursor(text) !== null;

/** For comparison: lower case, with one form of é. */
export const keyOf = (text: string) => text.normalize('NFC').toLowerCase();

type EventContent = Omit<EventInput, 'event_id' | 'venue' | 'performances'>;
type KnownEvent = Pick<EventsTable, 'source' | 'content_hash' | 'record' | 'venue_id'>;
type NewPerformance = Omit<PerformancesTable, 'id'> & { id?: never };

function isFirst(met: Set<string>, name: string): boolean {
  const isNew = !met.has(name);
  met.add(name);
  return isNew;
}

const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);

function toVenueRow(source: string, venue: Venue): VenuesTable {
  const record = JSON.stringify(venue);
  return { venue_id: venue.venue_id, source, record, content_hash: hashOf(record) };
}

function toEventRow({
  source,
  isSample,
  input,
  at,
}: {
  source: string;
  isSample: boolean;
  input: EventInput;
  at: string;
}): EventsTable {
  const { event_id, venue, performances: _, ...content } = input;
  const record = JSON.stringify(content satisfies EventContent);
  const venue_id = venue?.venue_id ?? null;
  const is_sample = isSample ? 1 : 0;
  const content_hash = hashOf(JSON.stringify([record, venue_id, is_sample]));
  return { event_id, source, is_sample, venue_id, record, content_hash, updated_at: at };
}

function toPerformanceRow({
  isSample,
  input,
  venue,
  performance,
}: {
  isSample: boolean;
  input: EventInput;
  venue: Venue | null;
  performance: Performance;
}): NewPerformance {
  const { event_id, name, category } = input;
  const { performance_id, start_datetime, end_datetime, booking_url } = performance;
  const { latitude, longitude, ...place } = placeOf(venue);
  const shown: MapEvent = {
    performance_id,
    event_id,
    name,
    category,
    start_datetime,
    end_datetime,
    ...place,
    booking_url,
    description: shortened(input.description),
    latitude,
    longitude,
    is_sample: isSample,
  };
  return rowOf(shown, venue?.venue_id ?? null);
}

const placeOf = (venue: Venue | null) => ({
  venue_name: venue?.name ?? null,
  venue_town: venue?.town ?? null,
  postcode: venue?.postcode ?? null,
  capacity: venue?.capacity ?? null,
  latitude: venue?.latitude ?? null,
  longitude: venue?.longitude ?? null,
});

function rowOf(event: MapEvent, venue_id: string | null): NewPerformance {
  const { performance_id, event_id, name, category, start_datetime, end_datetime } = event;
  const { venue_name, venue_town: town, latitude, longitude } = event;
  const shown = JSON.stringify(event);
  return {
    performance_id,
    event_id,
    venue_id,
    start_datetime,
    over_at: end_datetime ?? new Date(Date.parse(start_datetime) + ASSUMED_LENGTH_MS).toISOString(),
    category,
    category_key: keyOf(category),
    town,
    town_key: town ? keyOf(town) : null,
    latitude,
    longitude,
    search_text: keyOf([name, venue_name, town].filter(Boolean).join('\n')),
    shown,
    content_hash: hashOf(shown),
  };
}

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

/** Updates all performances at the venue with its new position. */
const movePerformances = (trx: Db, venue: Venue) =>
  rewritePerformances(trx, { venue_id: venue.venue_id }, (shown) =>
    rowOf({ ...shown, ...placeOf(venue) }, venue.venue_id),
  );

/** Updates the performances of an event that the input does not name, where they said the same as the event before:
 *  a tour can have other names and venues. */
const renamePerformances = (
  trx: Db,
  before: KnownEvent,
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

function shortened(text: string | null): string | null {
  if (text === null || text.length <= SHOWN_DESCRIPTION_MAX) return text;
  const cut = text.slice(0, SHOWN_DESCRIPTION_MAX).replace(/(?<!\s)\s+\S*$/, '');
  return `${cut.toWellFormed()} …`;
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

async function upsert(
  trx: Db,
  rows: {
    venues: ReadonlyMap<string, VenuesTable>;
    events: ReadonlyMap<string, EventsTable>;
    performances: ReadonlyMap<string, NewPerformance>;
  },
): Promise<void> {
  for (const values of chunks([...rows.venues.values()], PERFORMANCES_PER_STATEMENT)) {
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
  for (const values of chunks([...rows.events.values()], PERFORMANCES_PER_STATEMENT)) {
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

async function upsertPerformances(trx: Db, rows: readonly NewPerformance[]): Promise<void> {
  for (const values of chunks(rows, PERFORMANCES_PER_STATEMENT)) {
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

/** Every column, set from the row that was to be inserted. */
const allOf = (eb: { ref(column: never): unknown }, row: object) =>
  Object.fromEntries(
    Object.keys(row).map((column) => [column, eb.ref(`excluded.${column}` as never)]),
  ) as Record<string, never>;

/** As the keys of one JSON object, which both databases can read: one parameter for any number of ids. */
const isAmong = (ids: readonly number[]) =>
  sql<SqlBool>`id in (select cast(key as integer) from json_each(${`{"${ids.join('":0,"')}":0}`}))`;

interface Cursor {
  start: string;
  id: string;
}

const writeCursor = ({ start, id }: Cursor) => Buffer.from(JSON.stringify([start, id])).toString('base64url');

export function readCursor(text: string): Cursor {
  const cursor = parseCursor(text);
  if (!cursor) throw badInput('cursor must be the next_cursor of an earlier answer');
  return cursor;
}

function parseCursor(text: string): Cursor | null {
  try {
    const [start, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof start === 'string' && typeof id === 'string' ? { start, id } : null;
  } catch {
    return null;
  }
}

function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
