/** The filters and orders of a list of incidents, and its cursors. */
import { z } from 'zod';
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { DEGREE_KM, type Phase } from '#contract/incidents/disruptions.ts';
import { Severity, severityRank } from '#contract/incidents/severity.ts';
import { FEEDS, knownFeed } from '#contract/feeds/feeds.ts';
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import type { MatchLevel, WatchKind } from '#contract/watches/watches.ts';
import { chosenSources, type Which } from '#contract/watches/whichIncidents.ts';
import { isOneOf, never, type OneDisruption, rankOf } from './disruptionRows.ts';
import type { Duplicates } from './duplicates.ts';
import { iso, type Instant } from '../../db/instant.ts';
import { pageCursor } from '../../db/pageCursor.ts';
import type { Db } from '../../db/open.ts';
import { asRoad, searchable } from '../lifecycle/lifecycleStore.ts';
import { isInside, nearestTo, type Nearest } from '../../geography/roads/flatLine.ts';
import { shapeOf } from '../../geography/roads/incidentPlace.ts';
import { rulerAt } from '../../geography/roads/roadTable.ts';

export interface Near {
  /** WGS84 degrees. */
  latitude: number;
  longitude: number;
  radius_km: number;
  /**
   * Incidents whose position is further away but whose outline meets the circle, with their distance: `outlinesNear`.
   */
  outlines?: ReadonlyMap<string, number>;
}

/** The filters of a list. An unknown source, feed or category finds nothing. */
export interface DisruptionQuery {
  source?: string | null;
  /** The category of a feed (`Roads`) or of a source (`transport`), in upper or lower case. */
  category?: string | null;
  feed?: string | null;
  /** Any of these. */
  severity?: readonly string[] | null;
  event_type?: string | null;
  /** Text in the title or summary, in upper or lower case. */
  q?: string | null;
  north?: number | null;
  south?: number | null;
  east?: number | null;
  west?: number | null;
  /** Whether the incident has a position. */
  position?: string | null;
  /** Updated at or after. */
  since?: Instant | null;
  /** The normal name of a road in its text: "M62". */
  road?: string | null;
  /** Its position, or the publisher's outline, is at most this far away. */
  near?: Near | null;
  /** `active` or `planned` for incidents in force, or `ended`; all in force if not given. */
  state?: string | null;
  /** Only ended incidents, at or after this time. */
  ended_since?: Instant | null;
  /** `worst` first (then the nearest if `near` is given, otherwise the newest), or `newest` first. */
  sort?: string | null;
  limit?: number | null;
  cursor?: string | null;
  /** Sources that are left out. */
  except?: readonly string[];
  /** This severity or worse; unrated incidents stay. */
  min_severity?: string | null;
  hide_unrated?: boolean | null;
  /** `active` or `planned`. */
  phase?: string | null;
  /** It began or changed at or after this time. */
  changed_since?: Instant | null;
  /** It touches one of these with one of these levels of evidence; any level if not given. */
  touching?: { watchIds: readonly string[]; levels?: readonly string[] | undefined } | null;
  /** Let through by this route, this area or these feeds, whatever their hours. The database decides most of it; the
   *  one condition in `filteredDisruptions.ts` decides about its results. */
  watched?: Watched | null;
  /** The sources that it may come from. */
  sources?: readonly string[] | null;
  /** Ids it may have. */
  event_ids?: readonly string[];
}

/** The routes and areas whose stored matches decide. Matches are known a little later than the incidents. */
export const matchedWith = ({ touching, watched }: DisruptionQuery): readonly string[] | null =>
  touching?.watchIds ?? (watched && watched.kind !== 'feeds' ? [watched.id] : null);

export interface Watched {
  id: string;
  kind: WatchKind;
  which: Which;
}

/** A state that only we use: in force or ended. */
export const EITHER = 'either';

export const isAboutEnded = ({ state, ended_since }: Pick<DisruptionQuery, 'state' | 'ended_since'>) =>
  state === 'ended' || ended_since != null;

/** The condition for a row. Several reports of one incident are one row: its grade is the worst of all, and its
 *  place and phase are its own. A condition on words, roads or sources holds if it holds for one of its reports. */
export function matches(eb: OneDisruption, query: DisruptionQuery, duplicates: Duplicates) {
  return eb.and(
    [query, ...(query.watched ? narrowedTo(query.watched) : [])].map((one) => holds(eb, one, duplicates)),
  );
}

/** Splits a query, because sources and words can belong to different reports. */
const narrowedTo = ({ id, kind, which }: Watched): DisruptionQuery[] => {
  const chosen = chosenSources(which);
  return [
    {
      state: EITHER,
      ...(kind !== 'feeds' && {
        touching: { watchIds: [id], levels: which.level === 'certain' ? ['certain'] : undefined },
      }),
      ...(which.min_severity !== 'low' && { min_severity: which.min_severity }),
      hide_unrated: !which.unrated,
      phase: which.phase,
      ...(chosen && { sources: [...chosen] }),
    },
    ...(which.words ? [{ state: EITHER, q: which.words }] : []),
  ];
};

function holds(eb: OneDisruption, query: DisruptionQuery, duplicates: Duplicates) {
  const members = [...duplicates.merged.keys()];
  const bySome = (one: OneDisruption) => one.and(ofReport(one, query));
  const isReported =
    members.length === 0
      ? bySome(eb)
      : eb.or([
          bySome(eb),
          eb('event_id', 'in', (inner) =>
            inner
              .selectFrom('merged_reports')
              .select('merged_reports.incident_id')
              .where('merged_reports.until', 'is', null)
              .where('merged_reports.event_id', 'in', (report) =>
                report
                  .selectFrom('disruptions')
                  .select('event_id')
                  .where('event_id', 'in', members)
                  .where(bySome),
              ),
          ),
        ]);
  return eb.and([...ofIncident(eb, query, duplicates), isReported]);
}

function ofIncident(eb: OneDisruption, query: DisruptionQuery, duplicates: Duplicates) {
  const conditions: Expression<SqlBool>[] = [eb('kind', '=', 'alert'), isOwn(eb)];
  const add = (condition: Expression<SqlBool>) => void conditions.push(condition);

  if (query.event_ids) add(query.event_ids.length === 0 ? never() : eb('event_id', 'in', query.event_ids));
  if (query.state !== EITHER) add(eb('ended_at', isAboutEnded(query) ? 'is not' : 'is', null));
  if (query.ended_since) add(eb('ended_at', '>=', iso(query.ended_since)));
  if (query.state === 'active' || query.state === 'planned') add(eb('phase', '=', query.state));
  if (query.near) {
    add(eb.not(hasNoPosition(eb)));
    add(eb.or([isWithin(eb, query.near), isAmong(eb, [...(query.near.outlines?.keys() ?? [])])]));
  }
  if (query.severity) {
    const ranks = Severity.options.filter((level) => query.severity?.includes(level)).map(severityRank);
    add(eb.or(ranks.map((rank) => eb(rankOf(eb, duplicates), '=', rank))));
  }
  if (query.min_severity) {
    const rank = severityRank(query.min_severity as Severity); // the call has checked it
    add(eb.or([eb(rankOf(eb, duplicates), '<=', rank), isUnrated(eb, duplicates)]));
  }
  if (query.hide_unrated) add(eb.not(isUnrated(eb, duplicates)));
  if (query.phase) add(eb('phase', '=', query.phase as Phase));
  if (query.touching) add(touches(eb, query.touching));
  // An incident that reaches into the area is in it, even if the point in its middle is not.
  if (query.north != null) add(sql<SqlBool>`latitude - reach_km / ${KM_OF_LATITUDE} <= ${query.north}`);
  if (query.south != null) add(sql<SqlBool>`latitude + reach_km / ${KM_OF_LATITUDE} >= ${query.south}`);
  if (query.east != null) add(sql<SqlBool>`longitude - reach_km / ${KM_OF_LONGITUDE} <= ${query.east}`);
  if (query.west != null) add(sql<SqlBool>`longitude + reach_km / ${KM_OF_LONGITUDE} >= ${query.west}`);
  if (query.position === 'none') add(hasNoPosition(eb));
  if (query.position === 'known') add(eb.not(hasNoPosition(eb)));
  return conditions;
}

function ofReport(eb: OneDisruption, query: DisruptionQuery) {
  const conditions: Expression<SqlBool>[] = [];
  const add = (condition: Expression<SqlBool>) => void conditions.push(condition);

  if (query.road) add(sql<SqlBool>`roads like ${containing(asRoad(query.road))} escape '\\'`);
  if (query.source) add(eb('disruptions.source', '=', query.source));
  if (query.sources) add(isOneOf(eb, query.sources));
  if (query.except?.length) add(eb('disruptions.source', 'not in', query.except));
  if (query.feed) {
    add(isOneOf(eb, knownFeed(query.feed)?.sources ?? []));
  }
  if (query.category) add(isOfCategory(eb, query.category.toLowerCase()));
  if (query.changed_since) {
    const since = iso(query.changed_since);
    add(eb.or([eb('version_seen_at', '>=', since), eb('ended_at', '>=', since)]));
  }
  if (query.event_type) add(eb('event_type', '=', query.event_type));
  const words = searchable(query.q?.trim() ?? '');
  if (words) add(sql<SqlBool>`search_text like ${containing(words)} escape '\\'`);
  if (query.since) add(eb('disruptions.updated_at', '>=', iso(query.since)));
  return conditions;
}

/** Whether it stands for its incident: another report of an incident does not, even of one that has ended. */
const isOwn = (eb: OneDisruption) =>
  eb('event_id', 'not in', (inner) =>
    inner
      .selectFrom('merged_reports')
      .select('merged_reports.event_id')
      .where('merged_reports.until', 'is', null),
  );

/** Whether it is shown as unrated. If a duplicate gives it a worse rate, it is rated. */
export const isUnrated = (eb: OneDisruption, duplicates: Duplicates) =>
  eb.and([
    eb('metadata', 'like', '%"severity_unrated":true%'),
    eb(rankOf(eb, duplicates), '=', eb.ref('severity_rank')),
  ]);

/** Whether it touches them. An ended incident touches what it touched at its end. */
function touches(eb: OneDisruption, { watchIds, levels }: NonNullable<DisruptionQuery['touching']>) {
  if (watchIds.length === 0) return never();
  return eb.exists(
    eb
      .selectFrom('matches')
      .select('matches.watch_id')
      .whereRef('matches.subject_id', '=', 'disruptions.event_id')
      .where('matches.subject', '=', 'disruption')
      .where('matches.watch_id', 'in', watchIds)
      .where('matches.level', 'in', (levels ?? ['certain', 'possible']) as MatchLevel[])
      .where((inner) =>
        inner.or([
          inner('matches.ended_at', 'is', null),
          inner('matches.ended_at', '>=', inner.ref('disruptions.ended_at')),
        ]),
      ),
  );
}

const KM_OF_LATITUDE = sql.lit(DEGREE_KM.latitude);

const KM_OF_LONGITUDE = sql.lit(DEGREE_KM.longitude);

/** Whether it has no position. Some publishers write 0,0 for an unknown place. */
const hasNoPosition = (eb: OneDisruption) =>
  eb.or([
    eb('latitude', 'is', null),
    eb('longitude', 'is', null),
    eb.and([eb('latitude', '=', 0), eb('longitude', '=', 0)]),
  ]);

/** A pattern for the search. Wildcards in the text are escaped. */
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

interface Key {
  by: (eb: OneDisruption) => Expression<string | number>;
  desc: boolean;
}

/** The keys by which a list is sorted. The last key, which is not listed, is always the id. */
export function orderOf(query: DisruptionQuery, duplicates: Duplicates): Key[] {
  const { near, sort } = query;
  const newest: Key = {
    by: (eb) => (isAboutEnded(query) ? eb.ref('ended_at').$notNull() : eb.ref('disruptions.updated_at')),
    desc: true,
  };
  if (sort === 'newest') return [newest];
  const worst: Key = { by: (eb) => rankOf(eb, duplicates), desc: false };
  return [worst, near ? { by: () => squareTo(near), desc: false } : newest];
}

/** Whether the cursor belongs to a list in this order. */
export const fits = (cursor: Cursor, order: readonly Key[], { near, sort }: DisruptionQuery) =>
  cursor.length === order.length + 1 &&
  typeof cursor.at(-2) === (near && sort !== 'newest' ? 'number' : 'string');

export function isAfter(eb: OneDisruption, order: readonly Key[], cursor: Cursor): Expression<SqlBool> {
  const keys = [...order, { by: () => eb.ref('event_id'), desc: false }];
  const later = keys.map(({ by, desc }, at) =>
    eb.and([
      ...keys.slice(0, at).map((key, before) => eb(key.by(eb), '=', cursor[before]!)),
      eb(by(eb), desc ? '<' : '>', cursor[at]!), // the number of keys was checked
    ]),
  );
  return eb.or(later);
}

const isWithin = (eb: OneDisruption, near: Omit<Near, 'outlines'>) =>
  eb(squareTo(near), '<=', near.radius_km ** 2);

const isAmong = (eb: OneDisruption, ids: readonly string[]) =>
  ids.length === 0 ? never() : eb('disruptions.event_id', 'in', ids);

/** The most outlines that are compared: no circle that people ask for meets more. */
const OUTLINES_MAX = 500;

/** The incidents whose outline is near. Their boxes are compared first, and then the outlines themselves. */
export async function outlinesNear(
  db: Db,
  near: Omit<Near, 'outlines'>,
  isEnded: boolean,
): Promise<ReadonlyMap<string, number>> {
  const high = near.radius_km / KM_PER_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((near.latitude * Math.PI) / 180));
  const rows = await db
    .selectFrom('disruptions')
    .select(['event_id', 'geometry'])
    .where('kind', '=', 'alert')
    .where('ended_at', isEnded ? 'is not' : 'is', null)
    .where('geometry', 'is not', null)
    .where('west', '<=', near.longitude + wide)
    .where('east', '>=', near.longitude - wide)
    .where('south', '<=', near.latitude + high)
    .where('north', '>=', near.latitude - high)
    .where((eb) => eb.not(isWithin(eb, near)))
    .orderBy('severity_rank')
    .orderBy('updated_at', 'desc')
    .limit(OUTLINES_MAX)
    .execute();
  return new Map(
    rows.flatMap(({ event_id, geometry }) => {
      const km = geometry === null ? null : kmToShape(geometry, near);
      return km !== null && km <= near.radius_km ? [[event_id, km]] : [];
    }),
  );
}

/** The square of the distance in kilometres, on a plane that touches the Earth at that point: 1 % wrong at 300 km. */
function squareTo({ latitude, longitude }: Pick<Near, 'latitude' | 'longitude'>) {
  const wide = KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const north = sql`(latitude - ${sql.lit(latitude)}) * ${sql.lit(KM_PER_DEGREE)}`;
  const east = sql`(longitude - ${sql.lit(longitude)}) * ${sql.lit(wide)}`;
  return sql<number>`(${north} * (${north}) + ${east} * (${east}))`;
}

const Rank = z
  .int()
  .min(0)
  .max(Severity.options.length - 1);
/** The keys of the last row, then its id: `[severity rank, time or distance, id]`, or `[time, id]` for a list with the
 *  newest first. */
const Cursor = z.union([
  z.tuple([Rank, z.union([z.string(), z.number()]), z.string()]),
  z.tuple([z.string(), z.string()]),
]);
type Cursor = z.infer<typeof Cursor>;
export const DISRUPTION_CURSOR = pageCursor(Cursor);

// How far a publisher's outline is from a point: a stretch of road, a flood area, the stops of a bus.

/** The distance in kilometres; 0 inside. Null when there is no shape. `geometry`: GeoJSON as text. */
function kmToShape(
  geometry: string,
  { latitude, longitude }: { latitude: number; longitude: number },
): number | null {
  const shape = shapeOf(geometry);
  if (!shape) return null;
  const scale = rulerAt(latitude);
  const { points, lines, polygons } = shape;
  if (polygons.some(({ rings }) => isInside(rings, longitude, latitude))) return 0;
  const found: Nearest = { km: Infinity, vertex: -1, t: 0 };
  for (const line of [...lines, ...polygons.map(({ edges }) => edges)])
    nearestTo(line, [0, line.chunks.length / 2], longitude, latitude, scale, found);
  for (let at = 0; at < points.length; at += 2) {
    const [east, north] = [points[at]! - longitude, points[at + 1]! - latitude];
    found.km = Math.min(found.km, Math.hypot(east * scale.kx, north * scale.ky));
  }
  return found.km;
}
