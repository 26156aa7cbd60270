/** The database query of a filter, and how far the answer can be relied on: the same for every format. */
import { DAY_MS } from '#contract/durations.ts';
import type { ListedDisruption, Source } from '#contract/incidents/disruptions.ts';
import { kilometres } from '#contract/places/distance.ts';
import { FEEDS, knownFeed } from '#contract/feeds/feeds.ts';
import type { DataState, SilentSource } from '#contract/watches/formats.ts';
import { publisherOf } from '../../sources/allSources.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import { KNOWN_SOURCES, knownSource } from '#contract/feeds/knownSources.ts';
import {
  isWatching,
  type When,
  watchingChangesAt as watchingChangesAfter,
} from '#contract/watches/whenWatched.ts';
import { collections } from '../../incidents/collectionState.ts';
import {
  type DisruptionQuery,
  isAboutEnded,
  type Near,
  outlinesNear,
  type Watched,
} from '../../incidents/list/disruptionFilter.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import type { Db } from '../../db/open.ts';
import { watches } from '../../watches/watchStore.ts';
import { type Condition, conditionsAt, soonest, toSource } from '../../feeds/sourceCondition.ts';
import type { Collector } from '../../incidents/collector.ts';
import type { Geocoder } from '../../geography/names/geocoder.ts';
import { badInput, invalid } from '../../refusals.ts';
import { type Conditions, RADIUS_KM } from './formatConditions.ts';

export interface FormatParts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
  geocoder: Geocoder;
}

const NO_ROUTE = 'watch: there is no such route. It may have been deleted.';

/** The conditions and active alerts of all sources, in two queries. */
export type Overview = Awaited<ReturnType<typeof overview>>;

export async function overview({ db, collectors, now }: Pick<FormatParts, 'db' | 'collectors' | 'now'>) {
  const rows = await collections(db).all();
  const counts = await disruptions(db).counts();
  const conditionOf = conditionsAt(rows, collectors, now());
  const names = [
    ...new Set([...Object.keys(KNOWN_SOURCES), ...[...collectors, ...rows].map(({ source }) => source)]),
  ];
  return {
    rows,
    counts,
    names,
    conditionOf,
    alertsOf: (source: string) =>
      counts.filter((one) => one.source === source).reduce((total, { count }) => total + count, 0),
  };
}

export const isConnected = ({ state }: Condition) => state !== 'not_configured';

export const sourcesIn = (known: Overview): Source[] =>
  known.names.map((source) => toSource(known.conditionOf(source), known.alertsOf(source)));

/** A requested place, and the distance around it. */
export interface NearPlace extends Near {
  label: string;
  /** Must be shown with the place; null for coordinates. */
  attribution: string | null;
}

export interface Asked {
  query: DisruptionQuery;
  /** The same query, but also outside the hours of its route, area or feeds. */
  whenever: DisruptionQuery;
  when: When;
  /** In ms since 1970: when the next hours begin or end; null: never. */
  watchingChangesAt: number | null;
  near: NearPlace | null;
  /** The sources that could have matching incidents. */
  sources: readonly string[];
}

/** Refuses an unknown source, place or route of the team. */
export async function askedOf(
  { db, geocoder }: Pick<FormatParts, 'db' | 'geocoder'>,
  { watch, level, radius_km, changes_only, ...conditions }: Conditions,
  { teamId, known, at }: { teamId: string | null; known: Overview; at: Date },
): Promise<Asked> {
  const { names, rows, conditionOf } = known;
  if (conditions.source && !names.includes(conditions.source)) {
    throw invalid([{ path: 'source', message: `source must be one of ${names.join(', ')}` }]);
  }
  const words = conditions.near?.trim();
  const place = words ? { ...(await placeNamed(geocoder, words)), radius_km: radius_km ?? RADIUS_KM } : null;
  const near = place && { ...place, outlines: await outlinesNear(db, place, isAboutEnded(conditions)) };
  const touched = watch || level ? await routesOf(db, { teamId, watch }) : null;
  const [watched] = watch ? touched! : []; // refused if there is none
  const whenever: DisruptionQuery = {
    ...conditions,
    near,
    road: conditions.road && normalRoad(conditions.road),
    state: conditions.state?.toLowerCase(),
    feed: conditions.feed?.toLowerCase(),
    position: conditions.position?.toLowerCase(),
    phase: conditions.phase?.toLowerCase(),
    min_severity: conditions.min_severity?.toLowerCase(),
    changed_since: changes_only ? new Date(at.getTime() - DAY_MS) : null,
    touching: level && touched ? { watchIds: touched.map(({ id }) => id), levels: level } : null,
    watched: watched ? pick(watched) : null,
    // The last incidents of a disconnected source are no longer kept up to date, and are left out. Incidents that
    // touch a route stay.
    except:
      watched && watched.kind !== 'feeds'
        ? []
        : rows.map(({ source }) => source).filter((source) => !isConnected(conditionOf(source))),
  };
  const when = watched?.when ?? null;
  const query = isWatching(when, at) ? whenever : { ...whenever, event_ids: [] };
  const named = touched && new Set(touched.flatMap(({ sources }) => sources));
  const sources = names.filter(
    (source) =>
      (!conditions.source || source === conditions.source) &&
      (!query.feed || knownFeed(query.feed)?.sources.includes(source)) &&
      (!conditions.category || isOfCategory(source, conditions.category.toLowerCase())) &&
      (!named || named.has(source)),
  );
  const watchingChangesAt = watchingChangesAfter(when, at)?.getTime() ?? null;
  return { query, whenever, when, watchingChangesAt, near, sources };
}

const pick = ({ id, kind, which }: Watched): Watched => ({ id, kind, which });

async function routesOf(db: Db, { teamId, watch }: { teamId: string | null; watch: string | undefined }) {
  if (teamId === null) throw badInput(NO_ROUTE, 'watch');
  const found = watch ? await watches(db).brief(teamId, [watch]) : await watches(db).brief(teamId);
  if (watch && found.length === 0) throw badInput(NO_ROUTE, 'watch');
  return found;
}

/** The category of a source as the database computes it. */
function isOfCategory(source: string, category: string): boolean {
  const feed = FEEDS.find(({ sources }) => sources.includes(source));
  return feed?.category.toLowerCase() === category || knownSource(source).category === category;
}

const COORDINATES = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/;

/** The place that words or coordinates name; refused if it is unknown. */
export async function placeNamed(geocoder: Geocoder, words: string) {
  const given = COORDINATES.exec(words);
  if (given) {
    const [latitude, longitude] = [Number(given[1]), Number(given[2])];
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw badInput(noPlace(words), 'near');
    return { label: `${latitude}, ${longitude}`, latitude, longitude, attribution: null };
  }
  const { results, attribution } = await geocoder.search(words, 1);
  const [best] = results;
  if (!best) throw badInput(noPlace(words), 'near');
  const { label, latitude, longitude } = best;
  return { label, latitude, longitude, attribution };
}

const noPlace = (words: string) => `near: no place is known as '${words}'`;

export function withDistance(
  event: ListedDisruption,
  { latitude, longitude, outlines }: Pick<Near, 'latitude' | 'longitude' | 'outlines'>,
): ListedDisruption {
  const toOutline = outlines?.get(event.event_id);
  if (toOutline !== undefined)
    return { ...event, distance_km: Math.round(toOutline * 10) / 10, distance_to: 'outline' };
  if (event.latitude === null || event.longitude === null) return event;
  const km = kilometres(latitude, longitude, event.latitude, event.longitude);
  return { ...event, distance_km: Math.round(km * 10) / 10, distance_to: 'position' };
}

/** The sources that cannot be relied on: connected, and stale or not yet collected. */
export function silentOf(sources: readonly string[], conditionOf: Overview['conditionOf']): SilentSource[] {
  return sources
    .map(conditionOf)
    .filter((one) => isConnected(one) && one.freshness !== 'fresh' && one.freshness !== 'late')
    .map(toSilent);
}

/** The silent sources for an answer. If none of its sources is connected, all of them are named: such an answer is
 *  not calm. */
export function unheardOf(sources: readonly string[], conditionOf: Overview['conditionOf']): SilentSource[] {
  const conditions = sources.map(conditionOf);
  return conditions.some(isConnected) ? silentOf(sources, conditionOf) : conditions.map(toSilent);
}

const toSilent = ({ source, last_collected }: Condition): SilentSource => ({
  source,
  name: knownSource(source).displayName,
  since: last_collected,
});

/** `named`: the sources of the incidents in the answer; `isCut`: the answer does not have all incidents that match. */
export function stateOf(
  { sources, query, whenever, watchingChangesAt }: Omit<Asked, 'near' | 'when'>,
  known: Overview,
  { named, isCut }: { named: ReadonlySet<string>; isCut: boolean },
): { state: DataState; nextChangeAt: number | null } {
  const silent = unheardOf(sources, known.conditionOf);
  const conditions = sources.map(known.conditionOf);
  const relied = conditions.filter(
    ({ source, last_collected }) => last_collected && !silent.some((one) => one.source === source),
  );
  return {
    state: {
      ...(query !== whenever && { watching: false as const }),
      complete: !isCut && silent.length === 0,
      data_time: relied.map(({ last_collected }) => last_collected!).toSorted()[0] ?? null,
      silent,
      attribution: [...named].toSorted().map((source) => ({ source, text: attributionOf(source) })),
    },
    nextChangeAt: soonest([watchingChangesAt, ...conditions.map(({ nextChangeAt }) => nextChangeAt)]),
  };
}

/** The sources whose incidents or reports are in these rows. */
export const sourcesNamed = (rows: readonly ListedDisruption[]): Set<string> =>
  new Set(
    rows.flatMap(({ source, metadata }) => [
      source,
      ...(metadata.also_reported_by ?? []).map((other) => other.source),
    ]),
  );

export const attributionOf = (source: string): string =>
  publisherOf(source)?.attribution ?? `${knownSource(source).displayName}.`;
