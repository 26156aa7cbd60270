/** Events, their performances and venues: all queries. How they are stored and deleted is in `eventStore.ts`. */
import { z } from 'zod';
import { pageCursor } from '../../db/pageCursor.ts';
import { rowsWith } from '../../db/statements.ts';
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import { DAY_MS } from '#contract/durations.ts';
import { type SqlBool, sql } from 'kysely';
import type { EventRecord, MapEvent, NearbyEvent, Performance, Venue } from '#contract/places/events.ts';
import { rowsFor, rowCount } from '../../db/batches.ts';
import { eventRemoval, eventStore } from './eventStore.ts';
import type { EventContent } from './eventRows.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { takesPlace } from './inventedEvents.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';

export const EVENTS_LIMIT_DEFAULT = 50;
export const EVENTS_LIMIT_MAX = 500;

/** A box contains a little more than its circle, so more rows are read. */
const NEAR_READ_MAX = 100;
/** How many days ahead calendars go. */
const AHEAD_DAYS = 60;
const AHEAD_READ_MAX = 1000;

/** Performances that take place, at least partly, from `from` until just before `until`, UTC. */
export interface EventQuery {
  /** In any case. */
  venue_town?: string;
  category?: string;
  /** Text in the name, venue or town, in upper or lower case. */
  q?: string;
  from: Instant;
  until?: Instant;
  limit?: number;
  cursor?: string;
}

/** The place, time and name of a performance, for the in-memory indexes. */
export type Position = Pick<
  RowOf<'performances'>,
  'latitude' | 'longitude' | 'start_datetime' | 'over_at' | 'category' | 'town' | 'search_text'
> & { id: number };

/** Performances that may match a query: all that do, and some just outside a view. */
export interface PositionFilter {
  /** WGS84 degrees. */
  south?: number;
  north?: number;
  west?: number;
  east?: number;
  from?: Instant | undefined;
  until?: Instant | undefined;
  category_key?: string;
  town_key?: string;
}

const concealed = (column: 'start_datetime' | 'town_key') => sql<string>`coalesce(${sql.ref(column)}, '')`;

/** The index compares degrees rounded to a millionth. */
const ROUNDED_DEGREES = 0.000_001;

/** Each text is a MapEvent as JSON. */
export type ShownEvents = string[];

/** The start of a performance, and its id. */
export const EVENT_CURSOR = pageCursor(z.tuple([z.string(), z.string()]));

export const events = (db: Db) => ({
  ...eventStore(db),
  ...eventRemoval(db),

  /** The number of events of this source. */
  countOf: (source: string): Promise<number> =>
    rowCount(db.selectFrom('events').where('source', '=', source)),

  async hasOtherThan(source: string): Promise<boolean> {
    const other = await db
      .selectFrom('events')
      .select('event_id')
      .where((eb) => eb.or([eb('source', '<', source), eb('source', '>', source)]))
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  },

  /** The performances with these numbers after the cursor, soonest first, at most `limit`. `next_cursor` is null
   *  when neither `more` nor further numbers follow. */
  async page(
    ids: readonly number[],
    { limit = EVENTS_LIMIT_DEFAULT, cursor }: Pick<EventQuery, 'limit' | 'cursor'>,
    more: boolean,
  ): Promise<{ shown: ShownEvents; next_cursor: string | null }> {
    if (ids.length === 0) return { shown: [], next_cursor: null };
    const after = cursor ? EVENT_CURSOR.read(cursor) : null;
    let page = db
      .selectFrom('performances')
      .select(['start_datetime', 'performance_id', 'shown'])
      .where(isAmong(ids));
    if (after) {
      page = page.where((eb) => eb(eb.refTuple('start_datetime', 'performance_id'), '>', eb.tuple(...after)));
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
      next_cursor: last ? EVENT_CURSOR.write([last.start_datetime, last.performance_id]) : null,
    };
  },

  /** The performances with these numbers in this order; deleted ones are left out. */
  async shown(ids: readonly number[]): Promise<ShownEvents> {
    if (ids.length === 0) return [];
    const rows = await db.selectFrom('performances').select(['id', 'shown']).where(isAmong(ids)).execute();
    const byId = new Map(rows.map(({ id, shown }) => [id, shown]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  },

  /** The performances with these ids that still exist and really take place. */
  async performances(performanceIds: readonly string[]): Promise<MapEvent[]> {
    const rows = await rowsFor(performanceIds, (ids) =>
      db
        .selectFrom('performances')
        .select('shown')
        .where('performance_id', 'in', ids)
        .where(takesPlace)
        .orderBy('start_datetime')
        .orderBy('performance_id'),
    );
    return rows.map(({ shown }) => JSON.parse(shown) as MapEvent); // we wrote it
  },

  /** Performances of the next day within this distance, soonest first. */
  async near(
    { latitude, longitude, radius_km }: { latitude: number; longitude: number; radius_km: number },
    now: Instant,
    limit: number,
  ): Promise<NearbyEvent[]> {
    return (await around(db, { latitude, longitude, radius_km }, now, DAY_MS))
      .map(({ event, distance_km }) => {
        const { event_id, name, venue_name, start_datetime, capacity, is_sample } = event;
        return { event_id, name, venue_name, start_datetime, capacity, is_sample, distance_km };
      })
      .slice(0, limit);
  },

  /** Performances of the next two months within this distance, soonest first. */
  async upcomingNear(
    place: { latitude: number; longitude: number; radius_km: number },
    now: Instant,
    limit: number,
  ): Promise<MapEvent[]> {
    return (await around(db, place, now, AHEAD_DAYS * DAY_MS)).map(({ event }) => event).slice(0, limit);
  },

  /** The positions of the next `numbers` numbers that match, for reading all in batches. `last`: the last of these
   *  numbers. Null when none follow. */
  async positions(
    afterId: number,
    numbers: number,
    { south, north, west, east, from, until, category_key, town_key }: PositionFilter = {},
  ): Promise<{ rows: Position[]; last: number } | null> {
    const next = await db
      .selectFrom('performances')
      .select('id')
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!next) return null;

    const last = next.id + numbers - 1;
    let rows = db
      .selectFrom('performances')
      .select(['id', 'latitude', 'longitude', 'start_datetime', 'over_at', 'category', 'town', 'search_text'])
      .where('id', '>=', next.id)
      .where('id', '<=', last)
      .orderBy('id');
    if (south !== undefined) rows = rows.where('latitude', '>=', south - ROUNDED_DEGREES);
    if (north !== undefined) rows = rows.where('latitude', '<=', north + ROUNDED_DEGREES);
    if (west !== undefined) rows = rows.where('longitude', '>=', west - ROUNDED_DEGREES);
    if (east !== undefined) rows = rows.where('longitude', '<=', east + ROUNDED_DEGREES);
    if (from !== undefined) rows = rows.where('over_at', '>', iso(from));
    // These are expressions, so that the indexes of starts and towns are not used: with them each batch would read
    // everything that they hold.
    if (until !== undefined) rows = rows.where(concealed('start_datetime'), '<', iso(until));
    if (category_key !== undefined) rows = rows.where('category_key', '=', category_key);
    if (town_key !== undefined) rows = rows.where(concealed('town_key'), '=', town_key);
    return { rows: await rows.execute(), last };
  },

  /** The whole record: future performances, then past ones, each by start. */
  async byId(eventId: string, now: Instant): Promise<Omit<EventRecord, 'nearby_stations'> | undefined> {
    const event = await rowsWith(db, 'events', { event_id: eventId }).first();
    if (!event) return undefined;

    const venue = event.venue_id
      ? await rowsWith(db, 'venues', { venue_id: event.venue_id }).first('record')
      : undefined;
    const rows = await rowsWith(db, 'performances', { event_id: eventId }, [
      'start_datetime',
      'performance_id',
    ]).all('performance_id', 'start_datetime', 'over_at', 'shown');
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

/** Performances that are not over and begin within this time, within this distance; soonest first. */
async function around(
  db: Db,
  { latitude, longitude, radius_km }: { latitude: number; longitude: number; radius_km: number },
  now: Instant,
  withinMs: number,
): Promise<{ event: MapEvent; distance_km: number }[]> {
  const high = radius_km / KM_PER_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const rows = await db
    .selectFrom('performances')
    .select('shown')
    .where(takesPlace)
    .where('over_at', '>', iso(now))
    .where('start_datetime', '<', iso(new Date(new Date(now).getTime() + withinMs)))
    .where('latitude', '>=', latitude - high)
    .where('latitude', '<=', latitude + high)
    .where('longitude', '>=', longitude - wide)
    .where('longitude', '<=', longitude + wide)
    .orderBy('start_datetime')
    .orderBy('performance_id')
    .limit(withinMs > DAY_MS ? AHEAD_READ_MAX : NEAR_READ_MAX)
    .execute();
  return rows
    .map(({ shown }) => JSON.parse(shown) as MapEvent) // we wrote it
    .map((event) => {
      const km = Math.hypot(
        (event.latitude! - latitude) * KM_PER_DEGREE,
        ((event.longitude! - longitude) * KM_PER_DEGREE * high) / wide,
      );
      return { event, distance_km: Math.round(km * 10) / 10 };
    })
    .filter(({ distance_km }) => distance_km <= radius_km);
}

/**
 * The ids as keys of one JSON object, which both databases can read: this needs one parameter for any number of ids.
 */
const isAmong = (ids: readonly number[]) =>
  sql<SqlBool>`id in (select cast(key as integer) from json_each(${`{"${ids.join('":0,"')}":0}`}))`;
