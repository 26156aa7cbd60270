/** Incidents: lists, counts, and queries about one of them. `lifecycleStore.ts` has how they begin, change and end. */
import { sql } from 'kysely';
import {
  type Disruption,
  isPlanned,
  type ListedDisruption,
  type Phase,
  plannedStart,
} from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import type { BoundingBox } from '../../geography/shapes/geometry.ts';
import { drawnWithin } from '../../geography/shapes/shape.ts';
import { badInput } from '../../refusals.ts';
import type { StoredIncident } from '../../geography/roads/incidentPlace.ts';
import { activeAlerts, isActiveAlert } from '../activeAlerts.ts';
import { rowsFor, rowCount } from '../../db/batches.ts';
import {
  type DisruptionQuery,
  fits,
  isAboutEnded,
  isAfter,
  isUnrated,
  matches,
  orderOf,
  DISRUPTION_CURSOR,
} from './disruptionFilter.ts';
import {
  inForce,
  isOneOf,
  isShown,
  type OneDisruption,
  rankOf,
  stored,
  toDisruption,
  toListed,
  withDuplicates,
  type ShapedDisruption,
  toShaped,
} from './disruptionRows.ts';
import {
  type AlsoReported,
  type Duplicates,
  findDuplicates,
  NO_DUPLICATES,
  incidentOf,
  incidentsOf,
} from './duplicates.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { asRoad, lifecycle } from '../lifecycle/lifecycleStore.ts';
import { OTHER_CURSOR } from '../../db/pageCursor.ts';
import type { Db } from '../../db/open.ts';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import {
  type DisruptionHistory,
  type DisruptionVersion,
  VersionedField,
  VERSIONS_SHOWN,
} from '#contract/incidents/disruptionHistory.ts';
import { pick } from '../incidentFields.ts';
import { type Version, versionsOf } from '../lifecycle/versions.ts';

/** The entry of a rail operator that runs normally (`status`) or not (`alert`). */
const OPERATOR_EVENT_TYPE = 'rail.operator_status';

export const PAGE_LIMIT_DEFAULT = 50;

export const PAGE_LIMIT_MAX = 200;

/** The most characters of one line or area in a list, and of all in one answer. */
const GEOMETRY_MAX = 3000;

const GEOMETRIES_MAX = 128 * 1024;

/** The most alerts of the outlook. The mildest are left out. */
const UPCOMING_MAX = 100;

/** The most that are read for it: the next window of a planned alert is known only once it is read. */
const UPCOMING_READ_MAX = 2000;

/** The number of incidents of one source, phase and grade. */
export interface Tally {
  source: string;
  phase: Phase;
  severity: Severity;
  /** True: its publisher gives no grade. */
  isUnrated: boolean;
  count: number;
}

export const disruptions = (db: Db) => ({
  ...lifecycle(db),
  ...oneDisruption(db),

  /** The duplicates among these sources, taken together. */
  async duplicates(sources: readonly string[]): Promise<Duplicates> {
    if (sources.length < 2) return NO_DUPLICATES;
    return findDuplicates(db, sources);
  },

  /** All active alerts that stand for other reports, by event id. */
  async merges(): Promise<{ event_id: string; source: string; title: string; also: AlsoReported[] }[]> {
    const { mains } = await findDuplicates(db);
    return [...mains]
      .map(([event_id, { source, title, also }]) => ({ event_id, source, title, also }))
      .sort((one, other) => (one.event_id < other.event_id ? -1 : 1));
  },

  /** Alerts in force without duplicates: active ones, then planned ones, each worst first, then newest.
   *  `alert_count` is the number of all active ones. */
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
    const all = activeAlerts(db)
      .where((eb) => isOneOf(eb, sources))
      .where((eb) => isShown(eb, duplicates));
    return {
      events: rows.map((row) => toDisruption(withDuplicates(row, duplicates))),
      alert_count: await rowCount(all),
    };
  },

  /** All incidents of one source: as in `alertsOf`, then the rail operators that run normally. `total` is the number
   *  before `events` was cut; `event_count` counts only active alerts. The numbers of operators are set when the
   *  source lists operators. */
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

  /** Alerts in force, active and planned, or ended ones; without duplicates. `total` is the number of all matches.
   *  Refuses a cursor of another order. */
  async page(
    query: DisruptionQuery,
  ): Promise<{ events: ListedDisruption[]; total: number; next_cursor: string | null }> {
    const limit = Math.min(Math.max(Math.trunc(query.limit ?? PAGE_LIMIT_DEFAULT), 1), PAGE_LIMIT_MAX);
    return { ...(await this.rows(query, limit, query.cursor)), total: await this.total(query) };
  },

  /** Only a page, because counting all takes longer than reading some. */
  async rows(
    query: DisruptionQuery,
    limit: number,
    cursor?: string | null,
  ): Promise<{ events: ListedDisruption[]; next_cursor: string | null }> {
    const after = cursor ? DISRUPTION_CURSOR.read(cursor) : null;
    const duplicates = await duplicatesAmong(db, query);
    const order = orderOf(query, duplicates);
    if (after && !fits(after, order, query)) throw badInput(OTHER_CURSOR, 'cursor');

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
      next_cursor: last
        ? DISRUPTION_CURSOR.write([
            ...order.map((_, at) => (last as Keyed)[`key_${at}`]!),
            last.event_id,
          ] as never) // as `order` is
        : null,
    };
  },

  /** How many match. */
  async total(query: DisruptionQuery): Promise<number> {
    return totalOf(db, query, await duplicatesAmong(db, query));
  },

  /** How many incidents match by source, phase and grade, as they are shown, in one count; and the other sources
   *  that report one of them. */
  async tally(query: DisruptionQuery): Promise<{ groups: Tally[]; others: Set<string> }> {
    const duplicates = await duplicatesAmong(db, query);
    const rows = await db
      .selectFrom('disruptions')
      .select((eb) => [
        'disruptions.source',
        'phase',
        sql<number>`${rankOf(eb, duplicates)}`.as('shown_rank'),
        eb.case().when(isUnrated(eb, duplicates)).then(1).else(0).end().as('is_unrated'),
        eb.fn.countAll().as('count'),
      ])
      .where((eb) => matches(eb, query, duplicates))
      .groupBy(['disruptions.source', 'phase', 'shown_rank', 'is_unrated'])
      .execute();
    const { mains } = duplicates;
    const reported =
      mains.size === 0
        ? []
        : await db
            .selectFrom('disruptions')
            .select('event_id')
            .where('event_id', 'in', [...mains.keys()])
            .where((eb) => matches(eb, query, duplicates))
            .execute();
    return {
      groups: rows.map(({ shown_rank, is_unrated, count, ...row }) => ({
        ...row,
        severity: Severity.options[shown_rank]!, // it is one of them
        isUnrated: Number(is_unrated) === 1,
        count: Number(count),
      })),
      others: new Set(
        reported.flatMap(({ event_id }) => mains.get(event_id)?.also.map(({ source }) => source) ?? []),
      ),
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
  plannedCount: (sources: readonly string[]): Promise<number> =>
    rowCount(
      db
        .selectFrom('disruptions')
        .where('ended_at', 'is', null)
        .where('kind', '=', 'alert')
        .where('phase', '=', 'planned')
        .where((eb) => isOneOf(eb, sources)),
    ),

  /** Alerts of these sources that end, or planned ones that begin or have their next window, in this span. */
  async upcoming(sources: readonly string[], from: Instant, until: Instant): Promise<Disruption[]> {
    const within = (eb: OneDisruption, time: 'start_time' | 'end_time') =>
      eb.and([eb(time, '>', iso(from)), eb(time, '<=', iso(until))]);
    const rows = await inForce(db)
      .where('kind', '=', 'alert')
      .where((eb) => isOneOf(eb, sources))
      .where((eb) =>
        eb.or([
          eb.and([
            eb('phase', '=', 'planned'),
            eb.or([within(eb, 'start_time'), eb('details', 'like', '%"windows":[{%')]),
          ]),
          eb.and([eb('phase', '!=', 'planned'), within(eb, 'end_time')]),
        ]),
      )
      .orderBy('severity_rank')
      .orderBy('event_id')
      .limit(UPCOMING_READ_MAX)
      .execute();
    const isWithin = (start: string | null) => start !== null && start > iso(from) && start <= iso(until);
    return rows
      .map(toDisruption)
      .filter((alert) => !isPlanned(alert) || isWithin(plannedStart(alert)))
      .slice(0, UPCOMING_MAX);
  },

  /** When the last stored critical alert ended; null when none has. */
  async lastCriticalEnded(): Promise<string | null> {
    const last = await db
      .selectFrom('disruptions')
      .select('ended_at')
      .where('severity_rank', '=', severityRank('critical'))
      .where('kind', '=', 'alert')
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.ended_at ?? null;
  },

  /** Alerts in force, without duplicates, that may touch things in this box or on these roads. */
  async candidates(
    { west, south, east, north }: BoundingBox,
    roads: readonly string[],
  ): Promise<StoredIncident[]> {
    const { merged } = await findDuplicates(db);
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

  /** These incidents, with the lines and areas that a map can draw, in their order, as long as there is room. */
  async withGeometry(
    events: readonly ListedDisruption[],
    most = GEOMETRIES_MAX,
  ): Promise<ListedDisruption[]> {
    const byId = new Map<string, string | null>();
    const all = events.map(({ event_id }) => event_id);
    const rows = await rowsFor(all, (ids) =>
      db
        .selectFrom('disruptions')
        .select(['event_id', 'geometry'])
        .where('event_id', 'in', ids)
        .where('geometry', 'is not', null),
    );
    for (const { event_id, geometry } of rows) byId.set(event_id, geometry);
    let room = most;
    return events.map((event) => {
      const stored = byId.get(event.event_id);
      const geometry = stored && room > 0 ? drawnWithin(stored, GEOMETRY_MAX) : null;
      if (!geometry) return event;
      room -= JSON.stringify(geometry.coordinates).length;
      return room < 0 ? event : { ...event, geometry };
    });
  },
});

type Keyed = Record<`key_${number}`, string | number | undefined>;

/** The duplicates among the incidents of a query. Ended incidents have their last form. */
export const duplicatesAmong = async (db: Db, query: DisruptionQuery): Promise<Duplicates> =>
  isAboutEnded(query) ? NO_DUPLICATES : findDuplicates(db);

async function totalOf(db: Db, query: DisruptionQuery, duplicates: Duplicates): Promise<number> {
  return rowCount(db.selectFrom('disruptions').where((eb) => matches(eb, query, duplicates)));
}

const oneDisruption = (db: Db) => ({
  /** One incident in force; undefined when it has ended or never existed. */
  async byId(eventId: string): Promise<Disruption | undefined> {
    const row = await inForce(db).where('event_id', '=', eventId).executeTakeFirst();
    return row && toDisruption(row);
  },

  /** All incidents with this number, in force or ended after that time; those in force first, then the one that
   *  ended last. */
  async ofNumber(number: string, endedSince: Instant): Promise<ListedDisruption[]> {
    const isWithin = (eb: OneDisruption) =>
      eb.and([
        eb('kind', '=', 'alert'),
        eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', iso(endedSince))]),
      ]);
    const all = await db.selectFrom('disruptions').select('event_id').where(isWithin).execute();
    const ids = all.map(({ event_id }) => event_id).filter((id) => alertNumber(id) === number);
    if (ids.length === 0) return [];
    const known = await incidentsOf(db, ids);
    const duplicates = await findDuplicates(db);
    const rows = await stored(db)
      .where('event_id', 'in', [...new Set(ids.map((id) => known.get(id) ?? id))])
      .orderBy((eb) => sql`coalesce(${eb.ref('ended_at')}, '~')`, 'desc')
      .orderBy('event_id')
      .execute();
    return rows.map((row) => toListed(withDuplicates(row, duplicates)));
  },

  /** The incidents with these ids that are in force, with the grades of their other reports. */
  async standing(eventIds: readonly string[]): Promise<Disruption[]> {
    const duplicates = await findDuplicates(db);
    const rows = await rowsFor(eventIds, (ids) => inForce(db).where('event_id', 'in', ids));
    return rows.map((row) => toDisruption(withDuplicates(row, duplicates)));
  },

  /** The same incidents, each with its shape. */
  async withShapes(eventIds: readonly string[]): Promise<ShapedDisruption[]> {
    const duplicates = await findDuplicates(db);
    const rows = await rowsFor(eventIds, (ids) =>
      inForce(db).select('geometry').where('event_id', 'in', ids),
    );
    return rows.map(({ geometry, ...row }) => toShaped({ ...withDuplicates(row, duplicates), geometry }));
  },

  /** One incident, in force or ended and not deleted yet, with its earlier versions; also by the id of a report that
   *  is part of it. */
  async history(asked: string): Promise<Omit<DisruptionHistory, 'published' | 'nearby'> | undefined> {
    const eventId = await incidentOf(db, asked);
    const row = await stored(db)
      .select(['first_seen_at', 'version_seen_at', 'geometry'])
      .where('event_id', '=', eventId)
      .executeTakeFirst();
    if (!row) return undefined;

    // One version more than is shown, so that the changes of the first one are known.
    const { versions, total } = await versionsOf(db, eventId, VERSIONS_SHOWN);
    const all = [...versions, { ...row, seen_at: row.version_seen_at }];
    const { first_seen_at, ended_at, ended_reason } = row;
    const duplicates = ended_at ? NO_DUPLICATES : await findDuplicates(db);
    return {
      ...toDisruption(withDuplicates(row, duplicates)),
      ...(asked !== eventId && { asked_for: asked }),
      geometry: row.geometry === null ? null : JSON.parse(row.geometry),
      first_seen_at,
      ended_at,
      ended_reason,
      history: all.map((version, at) => toVersion(version, all[at - 1])).slice(-VERSIONS_SHOWN),
      versions: total + 1,
    };
  },
});

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
