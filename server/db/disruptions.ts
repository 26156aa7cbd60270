/** Incidents: every query about them. How they begin, change and end is in `lifecycle.ts`. */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import {
  type DisruptionHistory,
  type DisruptionVersion,
  VersionedField,
  VERSIONS_SHOWN,
} from '#contract/disruptionHistory.ts';
import {
  DEGREE_KM,
  type Disruption,
  type Geometry,
  type ListedDisruption,
  type Phase,
  Severity,
  severityRank,
} from '#contract/disruptions.ts';
import { alertNumber } from '#contract/alertNumber.ts';
import { FEEDS, knownFeed } from '#contract/feeds.ts';
import { KNOWN_SOURCES } from '#contract/sources.ts';
import type { BoundingBox } from '../reading/geometry.ts';
import { drawnWithin } from '../reading/shape.ts';
import { badInput } from '../refusals.ts';
import type { StoredIncident } from '../roads/incidentPlace.ts';
import { chunks, IDS_PER_STATEMENT } from './batches.ts';
import { activeAlerts, isActiveAlert } from './activeAlerts.ts';
import { COLUMNS, pick, toContent } from './content.ts';
import { type AlsoReported, type Duplicates, findDuplicates, NO_DUPLICATES } from './duplicates.ts';
import { iso, type Instant } from './instant.ts';
import { asRoad, lifecycle, searchable } from './lifecycle.ts';
import type { Db } from './open.ts';
import type { Tables } from './schema.ts';
import { type Version, versionsOf } from './versions.ts';

/** A rail operator's entry, running normally (`status`) or not (`alert`). */
const OPERATOR_EVENT_TYPE = 'rail.operator_status';

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** Characters of one line or area in a list, and of all in one answer. */
const GEOMETRY_MAX = 3000;
const GEOMETRIES_MAX = 128 * 1024;

/** The mildest are left out. */
const UPCOMING_MAX = 100;

export interface Near {
  /** WGS84 degrees. */
  latitude: number;
  longitude: number;
  radius_km: number;
}

/** The filters of a list. An unknown source, feed or category finds nothing. */
export interface DisruptionQuery {
  source?: string | null;
  /** A feed's (`Roads`) or a source's (`transport`), upper or lower case. */
  category?: string | null;
  feed?: string | null;
  /** Any of these. */
  severity?: readonly string[] | null;
  event_type?: string | null;
  /** Text in title or summary, upper or lower case. */
  q?: string | null;
  north?: number | null;
  south?: number | null;
  east?: number | null;
  west?: number | null;
  /** Whether it has a position. */
  position?: string | null;
  /** Updated at or after. */
  since?: Instant | null;
  /** The normal name of a road that it names: "M62". */
  road?: string | null;
  /** Its position, or what reaches from there, is at most so far. */
  near?: Near | null;
  /** `active` or `planned` among those in force, or `ended`; both in force if not given. */
  state?: string | null;
  /** Only ended ones: at or after. */
  ended_since?: Instant | null;
  /** `worst` first (then nearest, if `near` is asked, else newest), or `newest` first. */
  sort?: string | null;
  limit?: number | null;
  cursor?: string | null;
  /** Sources to leave out. */
  except?: readonly string[];
}

export const disruptions = (db: Db) => ({
  ...lifecycle(db),

  /** The duplicates among these sources, taken together. */
  async duplicates(sources: readonly string[]): Promise<Duplicates> {
    if (sources.length < 2) return NO_DUPLICATES;
    return findDuplicates(db, (eb) => isOneOf(eb, sources));
  },

  /** All active alerts that stand for others, by event id. */
  async merges(): Promise<{ event_id: string; source: string; title: string; also: AlsoReported[] }[]> {
    const { mains } = await findDuplicates(db, (eb) => eb.lit(true));
    return [...mains]
      .map(([event_id, { source, title, also }]) => ({ event_id, source, title, also }))
      .sort((one, other) => (one.event_id < other.event_id ? -1 : 1));
  },

  /** Alerts in force: active, then planned, each worst first, then newest; without duplicates. `alert_count` counts
   *  all active ones. */
  async alertsOf(
    sources: readonly string[],
    limit: number,
    known?: Duplicates,
  ): Promise<{ events: Disruption[]; alert_count: number }> {
    const duplicates = known ?? (await this.duplicates(sources));
    const rows = await inForce(db)
      .where((eb) => isOneOf(eb, sources))
      .where('kind', '=', 'alert')
      .where((eb) => isShown(eb, duplicates))
      .orderBy('phase')
      .orderBy((eb) => rankOf(eb, duplicates))
      .orderBy('disruptions.updated_at', 'desc')
      .orderBy('event_id')
      .limit(limit)
      .execute();
    const { count } = await activeAlerts(db)
      .select((eb) => eb.fn.countAll().as('count'))
      .where((eb) => isOneOf(eb, sources))
      .where((eb) => isShown(eb, duplicates))
      .executeTakeFirstOrThrow();
    return {
      events: rows.map((row) => toDisruption(withDuplicates(row, duplicates))),
      alert_count: Number(count),
    };
  },

  /** All of one source: as `alertsOf`, then the rail operators that run normally. `total` is the number before
   *  `events` was cut, `event_count` only active alerts. The operators' numbers are set when the source lists
   *  operators. */
  async ofSource(
    source: string,
    { limit, phase }: { limit: number; phase?: Phase },
  ): Promise<{
    events: Disruption[];
    total: number;
    event_count: number;
    operators_total?: number;
    operators_disrupted?: number;
  }> {
    let query = inForce(db).where('disruptions.source', '=', source);
    if (phase) query = query.where('phase', '=', phase);
    const rows = await query
      .orderBy('kind')
      .orderBy('phase')
      .orderBy('severity_rank')
      .orderBy('disruptions.updated_at', 'desc')
      .orderBy('event_id')
      .limit(limit)
      .execute();

    const groups = await db
      .selectFrom('disruptions')
      .select((eb) => [
        'kind',
        'phase',
        eb.case().when('event_type', '=', OPERATOR_EVENT_TYPE).then(1).else(0).end().as('is_operator'),
        eb.fn.countAll().as('count'),
      ])
      .where('source', '=', source)
      .where('ended_at', 'is', null)
      .groupBy(['kind', 'phase', 'is_operator'])
      .execute();
    const sum = (belongs: (group: (typeof groups)[number]) => boolean) =>
      groups.filter(belongs).reduce((total, { count }) => total + Number(count), 0);

    const operators = sum(({ is_operator }) => Number(is_operator) === 1);
    return {
      events: rows.map(toDisruption),
      total: sum((group) => !phase || group.phase === phase),
      event_count: sum(isActiveAlert),
      ...(operators > 0 && {
        operators_total: operators,
        operators_disrupted: sum((group) => Number(group.is_operator) === 1 && isActiveAlert(group)),
      }),
    };
  },

  /** Alerts in force, active and planned, or those that ended; without duplicates. `total` is the number of all
   *  matches. A cursor of another order is refused. */
  async page(
    query: DisruptionQuery,
  ): Promise<{ events: ListedDisruption[]; total: number; next_cursor: string | null }> {
    const limit = Math.min(Math.max(Math.trunc(query.limit ?? PAGE_LIMIT_DEFAULT), 1), PAGE_LIMIT_MAX);
    const after = query.cursor ? readCursor(query.cursor) : null;
    const duplicates = await duplicatesAmong(db, query);
    const order = orderOf(query, duplicates);
    if (after && !fits(after, order, query)) throw badInput(OTHER_CURSOR);

    let pageQuery = stored(db).where((eb) => matches(eb, query, duplicates));
    if (after) pageQuery = pageQuery.where((eb) => isAfter(eb, order, after));
    for (const { by, desc } of order) pageQuery = pageQuery.orderBy(by, desc ? 'desc' : 'asc');
    const rows = await pageQuery
      .select((eb) => order.map(({ by }, at) => sql<string | number>`${by(eb)}`.as(`key_${at}`)))
      .orderBy('event_id')
      .limit(limit + 1)
      .execute();

    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      events: shown.map((row) => toListed(withDuplicates(row, duplicates))),
      total: await totalOf(db, query, duplicates),
      next_cursor: last
        ? writeCursor([...order.map((_, at) => (last as Keyed)[`key_${at}`]!), last.event_id])
        : null,
    };
  },

  /** How many incidents match the other filters but have no position, and so are in no area. */
  async totalWithoutPosition(query: DisruptionQuery): Promise<number> {
    const anywhere = {
      ...query,
      north: null,
      south: null,
      east: null,
      west: null,
      near: null,
      position: 'none',
    };
    return totalOf(db, anywhere, await duplicatesAmong(db, anywhere));
  },

  /** Active alerts in force by source and severity, duplicates included. */
  async counts(): Promise<{ source: string; severity: Severity; count: number }[]> {
    const rows = await activeAlerts(db)
      .select((eb) => ['source', 'severity', eb.fn.countAll().as('count')])
      .groupBy(['source', 'severity', 'severity_rank'])
      .orderBy('source')
      .orderBy('severity_rank')
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  },

  /** Planned alerts of these sources. */
  async plannedCount(sources: readonly string[]): Promise<number> {
    const { count } = await db
      .selectFrom('disruptions')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('ended_at', 'is', null)
      .where('kind', '=', 'alert')
      .where('phase', '=', 'planned')
      .where((eb) => isOneOf(eb, sources))
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /** Alerts of these sources that end or begin in this span by a field of their record. */
  async upcoming(sources: readonly string[], from: Instant, until: Instant): Promise<Disruption[]> {
    const within = (eb: OneDisruption, time: 'start_time' | 'end_time') =>
      eb.and([eb(time, '>', iso(from)), eb(time, '<=', iso(until))]);
    const rows = await inForce(db)
      .where('kind', '=', 'alert')
      .where((eb) => isOneOf(eb, sources))
      .where((eb) =>
        eb.or([eb.and([eb('phase', '=', 'planned'), within(eb, 'start_time')]), within(eb, 'end_time')]),
      )
      .orderBy('severity_rank')
      .orderBy('event_id')
      .limit(UPCOMING_MAX)
      .execute();
    return rows.map(toDisruption);
  },

  /** When the last critical alert that is stored ended; null when none has. */
  async lastCriticalEnded(): Promise<string | null> {
    const { ended_at } = await db
      .selectFrom('disruptions')
      .select((eb) => eb.fn.max('ended_at').as('ended_at'))
      .where('severity', '=', 'critical')
      .where('kind', '=', 'alert')
      .executeTakeFirstOrThrow();
    return ended_at;
  },

  /** One incident in force; undefined when it has ended or never existed. */
  async byId(eventId: string): Promise<Disruption | undefined> {
    const row = await inForce(db).where('event_id', '=', eventId).executeTakeFirst();
    return row && toDisruption(row);
  },

  /** All with this number, in force or ended since then; those in force first, then the last that ended. */
  async ofNumber(number: string, endedSince: Instant): Promise<ListedDisruption[]> {
    const isWithin = (eb: OneDisruption) =>
      eb.and([
        eb('kind', '=', 'alert'),
        eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(endedSince))]),
      ]);
    const all = await db.selectFrom('disruptions').select('event_id').where(isWithin).execute();
    const ids = all.map(({ event_id }) => event_id).filter((id) => alertNumber(id) === number);
    if (ids.length === 0) return [];
    const rows = await stored(db)
      .where('event_id', 'in', ids)
      .orderBy((eb) => sql`coalesce(${eb.ref('ended_at')}, '~')`, 'desc')
      .orderBy('event_id')
      .execute();
    return rows.map(toListed);
  },

  /** Those of these ids that are in force, each with its shape. */
  async withShapes(eventIds: readonly string[]): Promise<ShapedDisruption[]> {
    const found: ShapedDisruption[] = [];
    for (const ids of chunks(eventIds, IDS_PER_STATEMENT)) {
      const rows = await inForce(db).select('geometry').where('event_id', 'in', ids).execute();
      found.push(...rows.map(toShaped));
    }
    return found;
  },

  /** Alerts in force, without duplicates, that can touch what lies in this box or on these roads. */
  async candidates(
    { west, south, east, north }: BoundingBox,
    roads: readonly string[],
  ): Promise<StoredIncident[]> {
    const { merged } = await findDuplicates(db, (eb) => eb.lit(true));
    const rows = await inForce(db)
      .select('geometry')
      .where('kind', '=', 'alert')
      .where((eb) =>
        eb.or([
          eb.and([
            eb('west', '<=', east),
            eb('east', '>=', west),
            eb('south', '<=', north),
            eb('north', '>=', south),
          ]),
          eb.and([
            eb('latitude', '>=', south),
            eb('latitude', '<=', north),
            eb('longitude', '>=', west),
            eb('longitude', '<=', east),
          ]),
          ...roads.map((road) => eb('roads', 'like', `%${asRoad(road)}%`)),
        ]),
      )
      .orderBy('event_id')
      .execute();
    return rows
      .filter(({ event_id }) => !merged.has(event_id))
      .map(({ geometry, ...row }) => ({ ...toDisruption(row), geometry }));
  },

  /** These, of those that have one with its line or area for a map: in their order, so long as there is room. */
  async withGeometry(events: readonly ListedDisruption[]): Promise<ListedDisruption[]> {
    const ids = events.map(({ event_id }) => event_id);
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('disruptions')
      .select(['event_id', 'geometry'])
      .where('event_id', 'in', ids)
      .where('geometry', 'is not', null)
      .execute();
    const byId = new Map(rows.map((row) => [row.event_id, row.geometry]));
    let room = GEOMETRIES_MAX;
    return events.map((event) => {
      const stored = byId.get(event.event_id);
      const geometry = stored && room > 0 ? drawnWithin(stored, GEOMETRY_MAX) : null;
      if (!geometry) return event;
      room -= JSON.stringify(geometry.coordinates).length;
      return room < 0 ? event : { ...event, geometry };
    });
  },

  /** One incident, in force or ended and not yet deleted, with its earlier versions. */
  async history(eventId: string): Promise<Omit<DisruptionHistory, 'published' | 'nearby'> | undefined> {
    const row = await stored(db)
      .select(['first_seen_at', 'version_seen_at', 'geometry'])
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    if (!row) return undefined;

    // One more than is shown, so that the changes of the first shown are known.
    const { versions, total } = await versionsOf(db, eventId, VERSIONS_SHOWN);
    const all = [...versions, { ...row, seen_at: row.version_seen_at }];
    const { first_seen_at, ended_at, ended_reason } = row;
    const duplicates = ended_at ? NO_DUPLICATES : await findDuplicates(db, (eb) => eb.lit(true));
    return {
      ...toDisruption(withOthers(row, duplicates)),
      geometry: row.geometry === null ? null : JSON.parse(row.geometry),
      first_seen_at,
      ended_at,
      ended_reason,
      history: all.map((version, at) => toVersion(version, all[at - 1])).slice(-VERSIONS_SHOWN),
      versions: total + 1,
    };
  },
});

/** Whether `page` accepts it as a cursor: for request validation. */
export function isCursor(text: string): boolean {
  return parseCursor(text) !== null;
}

type OneDisruption = ExpressionBuilder<Tables, 'disruptions'>;

const isOneOf = (eb: OneDisruption, sources: readonly string[]) =>
  sources.length === 0 ? never() : eb('disruptions.source', 'in', sources);

const never = () => sql<SqlBool>`1 = 0`;

/** Unchanged polls do not write incidents: the time of the last collection is read from the source's row. */
const inForce = (db: Db) => stored(db).where('disruptions.ended_at', 'is', null);

const stored = (db: Db) =>
  db
    .selectFrom('disruptions')
    .leftJoin('collections', 'collections.source', 'disruptions.source')
    .select([
      'event_id',
      'disruptions.source',
      'severity_rank',
      ...COLUMNS,
      'unseen',
      'last_seen_at',
      'last_success',
      'ended_at',
      'ended_reason',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof stored>['execute']>>[number];

function toDisruption(row: Row): Disruption {
  const isInLastCollection =
    row.ended_at === null && !row.unseen && row.last_success !== null && row.last_success > row.last_seen_at;
  const { phase, kind: _, metadata, ...content } = toContent(row);
  return {
    event_id: row.event_id,
    source: row.source,
    ...content,
    collected_at: isInLastCollection ? row.last_success! : row.last_seen_at,
    metadata: { ...metadata, phase },
  };
}

/** Its shape is from its publisher; null where only words place it. */
export type ShapedDisruption = Disruption & { geometry: Geometry | null };

const toShaped = ({ geometry, ...row }: Row & { geometry: string | null }): ShapedDisruption => ({
  ...toDisruption(row),
  geometry: geometry === null ? null : (JSON.parse(geometry) as Geometry),
});

function toListed(row: Row): ListedDisruption {
  const { ended_at, ended_reason } = row;
  return {
    ...toDisruption(row),
    ...(ended_at && { ended_at }),
    ...(ended_at && ended_reason && { ended_reason }),
  };
}

type Shown = Omit<Version, 'event_id' | 'replaced_at' | 'details'>;

function toVersion(version: Shown, before: Shown | undefined): DisruptionVersion {
  const { seen_at, updated_at, ended_at, ended_reason } = version;
  return {
    seen_at,
    ...pick(version, VersionedField.options),
    updated_at,
    changed: before ? VersionedField.options.filter((field) => version[field] !== before[field]) : [],
    ended_at,
    ended_reason,
  };
}

const isShown = (eb: OneDisruption, { merged }: Duplicates) =>
  merged.size === 0 ? sql<SqlBool>`1 = 1` : eb('event_id', 'not in', [...merged.keys()]);

/** Severity rank, 0 to 3, including that of its duplicates. */
function rankOf(eb: OneDisruption, { mains }: Duplicates): Expression<number> {
  const raised = [...mains].filter(([, { severity, worst }]) => worst !== severity);
  return raised.reduce<Expression<number>>(
    (others, [id, { worst }]) =>
      sql<number>`case when ${eb.ref('event_id')} = ${id} then ${sql.lit(severityRank(worst))} else ${others} end`,
    eb.ref('severity_rank'),
  );
}

/** The row with the severity and names of its duplicates. */
function withDuplicates(row: Row, { mains }: Duplicates): Row {
  const main = mains.get(row.event_id);
  if (!main) return row;

  const { worst, also } = main;
  const { severity_unrated, ...said } = JSON.parse(row.metadata) as Disruption['metadata'];
  // The duplicate can have a rating where this publisher gave none.
  const isUnrated = severity_unrated && worst === row.severity;
  return {
    ...row,
    severity: worst,
    severity_rank: severityRank(worst),
    metadata: JSON.stringify({
      ...said,
      ...(isUnrated && { severity_unrated }),
      also_reported_by: also,
    }),
  };
}

/** As `withDuplicates`; one that is merged into another names that one and its other duplicates, as its own page does. */
function withOthers(row: Row, duplicates: Duplicates): Row {
  const into = duplicates.merged.get(row.event_id)?.into;
  const main = into === undefined ? undefined : duplicates.mains.get(into);
  if (into === undefined || !main) return withDuplicates(row, duplicates);

  const own = main.also.find(({ event_id }) => event_id === row.event_id);
  const first = { source: main.source, event_id: into, title: main.title, ...(own?.why && { why: own.why }) };
  const also = [first, ...main.also.filter((one) => one !== own)];
  const metadata = JSON.parse(row.metadata) as Disruption['metadata'];
  return { ...row, metadata: JSON.stringify({ ...metadata, also_reported_by: also }) };
}

/** Duplicates are merged only into alerts that match the other filters. The severity filter applies to the combined
 *  severity. */
const duplicatesAmong = async (db: Db, query: DisruptionQuery): Promise<Duplicates> =>
  isAboutEnded(query)
    ? NO_DUPLICATES
    : findDuplicates(db, (eb) => matches(eb, { ...query, severity: null }, NO_DUPLICATES));

const isAboutEnded = ({ state, ended_since }: DisruptionQuery) => state === 'ended' || ended_since != null;

interface Key {
  by: (eb: OneDisruption) => Expression<string | number>;
  desc: boolean;
}
type Keyed = Record<`key_${number}`, string | number | undefined>;

/** By what a list is sorted; the last key, which it has not, is always the id. */
function orderOf(query: DisruptionQuery, duplicates: Duplicates): Key[] {
  const { near, sort } = query;
  const newest: Key = {
    by: (eb) => (isAboutEnded(query) ? eb.ref('ended_at').$notNull() : eb.ref('disruptions.updated_at')),
    desc: true,
  };
  if (sort === 'newest') return [newest];
  const worst: Key = { by: (eb) => rankOf(eb, duplicates), desc: false };
  return [worst, near ? { by: () => squareTo(near), desc: false } : newest];
}

/** Whether the cursor is of a list in this order. */
const fits = (cursor: Cursor, order: readonly Key[], { near, sort }: DisruptionQuery) =>
  cursor.length === order.length + 1 &&
  typeof cursor.at(-2) === (near && sort !== 'newest' ? 'number' : 'string');

function isAfter(eb: OneDisruption, order: readonly Key[], cursor: Cursor): Expression<SqlBool> {
  const keys = [...order, { by: () => eb.ref('event_id'), desc: false }];
  const later = keys.map(({ by, desc }, at) =>
    eb.and([
      ...keys.slice(0, at).map((key, before) => eb(key.by(eb), '=', cursor[before]!)),
      eb(by(eb), desc ? '<' : '>', cursor[at]!), // as many as keys, which was checked
    ]),
  );
  return eb.or(later);
}

const KM_PER_DEGREE = 111.195;

/** The square of the distance in kilometres, on a plane that touches the Earth there: 1 % wrong at 300 km. */
function squareTo({ latitude, longitude }: Near) {
  const wide = KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const north = sql`(latitude - ${sql.lit(latitude)}) * ${sql.lit(KM_PER_DEGREE)}`;
  const east = sql`(longitude - ${sql.lit(longitude)}) * ${sql.lit(wide)}`;
  return sql<number>`(${north} * (${north}) + ${east} * (${east}))`;
}

async function totalOf(db: Db, query: DisruptionQuery, duplicates: Duplicates): Promise<number> {
  const { count } = await db
    .selectFrom('disruptions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where((eb) => matches(eb, query, duplicates))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function matches(eb: OneDisruption, query: DisruptionQuery, duplicates: Duplicates) {
  const conditions: Expression<SqlBool>[] = [eb('kind', '=', 'alert'), isShown(eb, duplicates)];
  const add = (condition: Expression<SqlBool>) => void conditions.push(condition);

  add(eb('ended_at', isAboutEnded(query) ? 'is not' : 'is', null));
  if (query.ended_since) add(eb('ended_at', '>=', iso(query.ended_since)));
  if (query.state === 'active' || query.state === 'planned') add(eb('phase', '=', query.state));
  if (query.road) add(sql<SqlBool>`roads like ${containing(asRoad(query.road))} escape '\\'`);
  if (query.near) {
    add(eb.not(hasNoPosition(eb)));
    const reached = sql<number>`(reach_km + ${sql.lit(query.near.radius_km)})`;
    add(eb(squareTo(query.near), '<=', sql<number>`${reached} * ${reached}`));
  }
  if (query.source) add(eb('disruptions.source', '=', query.source));
  if (query.except?.length) add(eb('disruptions.source', 'not in', query.except));
  if (query.feed) {
    add(isOneOf(eb, knownFeed(query.feed)?.sources ?? []));
  }
  if (query.category) add(isOfCategory(eb, query.category.toLowerCase()));
  if (query.severity) {
    const ranks = Severity.options.filter((level) => query.severity?.includes(level)).map(severityRank);
    add(eb.or(ranks.map((rank) => eb(rankOf(eb, duplicates), '=', rank))));
  }
  if (query.event_type) add(eb('event_type', '=', query.event_type));
  const words = searchable(query.q?.trim() ?? '');
  if (words) add(sql<SqlBool>`search_text like ${containing(words)} escape '\\'`);
  // What reaches into the area is in it, although the point in its middle is not.
  if (query.north != null) add(sql<SqlBool>`latitude - reach_km / ${KM_OF_LATITUDE} <= ${query.north}`);
  if (query.south != null) add(sql<SqlBool>`latitude + reach_km / ${KM_OF_LATITUDE} >= ${query.south}`);
  if (query.east != null) add(sql<SqlBool>`longitude - reach_km / ${KM_OF_LONGITUDE} <= ${query.east}`);
  if (query.west != null) add(sql<SqlBool>`longitude + reach_km / ${KM_OF_LONGITUDE} >= ${query.west}`);
  if (query.position === 'none') add(hasNoPosition(eb));
  if (query.position === 'known') add(eb.not(hasNoPosition(eb)));
  if (query.since) add(eb('disruptions.updated_at', '>=', iso(query.since)));
  return eb.and(conditions);
}

const KM_OF_LATITUDE = sql.lit(DEGREE_KM.latitude);
const KM_OF_LONGITUDE = sql.lit(DEGREE_KM.longitude);

/** Some publishers write 0,0 for an unknown place. */
const hasNoPosition = (eb: OneDisruption) =>
  eb.or([
    eb('latitude', 'is', null),
    eb('longitude', 'is', null),
    eb.and([eb('latitude', '=', 0), eb('longitude', '=', 0)]),
  ]);

/** Wildcards in the search text are escaped. */
const containing = (words: string) => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function isOfCategory(eb: OneDisruption, category: string) {
  const known = Object.entries(KNOWN_SOURCES);
  // An unknown source has the category `other`.
  const unknown = eb(
    'disruptions.source',
    'not in',
    known.map(([source]) => source),
  );
  const sources = [
    ...FEEDS.filter((feed) => feed.category.toLowerCase() === category).flatMap((feed) => feed.sources),
    ...known.filter(([, about]) => about.category === category).map(([source]) => source),
  ];
  return category === 'other' ? eb.or([unknown, isOneOf(eb, sources)]) : isOneOf(eb, sources);
}

/** The keys of the last row, then its id. */
type Cursor = (string | number)[];

const OTHER_CURSOR = 'cursor must be the next_cursor of an earlier answer';

const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

function readCursor(text: string): Cursor {
  const cursor = parseCursor(text);
  if (!cursor) throw badInput(OTHER_CURSOR);
  return cursor;
}

/** `[severity rank, time or distance, id]`, or `[time, id]` of a list that has the newest first. */
function parseCursor(text: string): Cursor | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(keys) || typeof keys.at(-1) !== 'string') return null;
    const [first, second] = keys;
    if (keys.length === 2) return typeof first === 'string' ? keys : null;
    const isRank = Number.isInteger(first) && first in Severity.options;
    const isKey = typeof second === 'string' || Number.isFinite(second);
    return keys.length === 3 && isRank && isKey ? keys : null;
  } catch {
    return null;
  }
}
