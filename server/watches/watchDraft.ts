/** Stored form of a route, an area or feeds: what its author decided, and the line, the sources and the name made of it. */
import type { DepartureInput, Watch, WatchChange, WatchRequest } from '#contract/watches/watches.ts';
import { KNOWN_SOURCES, knownSource } from '#contract/feeds/sources.ts';
import { madeName } from '#contract/watches/watchName.ts';
import { chosenSources, WHICH, type Which } from '#contract/watches/which.ts';
import type { KeptWatch, WatchDraft } from './watchStore.ts';
import { airports } from '../geography/names/gazetteer.ts';
import { badInput } from '../refusals.ts';
import { outlineOf, storedOutline } from './typed/outline.ts';
import { roadTable } from '../geography/roads/roadTable.ts';
import {
  coverageAround,
  NO_LENGTH,
  SHORTEST_KM,
  sourcesOf,
  sourcesOfArea,
  wayOf,
  type Way,
} from '../geography/roads/routeWay.ts';

const NO_LEGS = 'A route needs at least one leg.';
const LEGS_OF_ANOTHER = { area: 'An area has no legs.', feeds: 'Feeds have no legs.' };
const LINE_OF_ROUTE = 'The line of a route is made from its legs: leave geometry out.';
const PLACE_OF_FEEDS = 'Feeds have no place: leave geometry, reach_m and departures out.';
const DATES = 'A departure cannot end before it begins.';
const noSource = (source: string) => `which.sources: there is no source '${source}'`;

/** Feeds have no place. */
const NOWHERE: Watch['geometry'] = { type: 'MultiPoint', coordinates: [] };

/** Refuses, in words, what is no route, area or feeds. */
export function draftOf(asked: Omit<WatchRequest, 'notify'> & Pick<WatchDraft, 'notify'>): WatchDraft {
  const { kind, name, made_by, legs, reach_m, departures, place = null, notify } = asked;
  const { which = WHICH, when = null } = asked;
  checkDepartures(departures);
  checkSources(which);
  if (kind === 'feeds' && (departures.length > 0 || asked.geometry || reach_m !== null))
    throw badInput(PLACE_OF_FEEDS);
  const { ends, ...line } = lineOf({ kind, legs, geometry: asked.geometry, reach_m, which });
  const made_name = madeName({ kind, ends, place, reach_m, which });
  const named = { name: name ?? made_name, made_name, named_by_hand: name != null };
  return { kind, ...named, made_by, legs, reach_m, place, which, when, departures, notify, ...line };
}

/** The name follows the change, unless somebody typed one. */
export function changeOf(before: KeptWatch, change: WatchChange): Partial<WatchDraft> {
  const { legs, geometry, departures, name, ...others } = change;
  if (departures) checkDepartures(departures);
  if (change.which) checkSources(change.which);
  const after = { ...before, ...defined(change) };
  const { kind, reach_m, place, which } = after;
  if (kind === 'feeds' && (geometry || reach_m !== null || departures?.length))
    throw badInput(PLACE_OF_FEEDS);
  const movesLine = legs !== undefined || geometry !== undefined || change.reach_m !== undefined;
  // The stored line of a route is what was made of its legs.
  const given = geometry === undefined && kind === 'area' ? before.geometry : (geometry ?? null);
  const line = movesLine ? lineOf({ kind, legs: after.legs, geometry: given, reach_m, which }) : null;
  const ends = line?.ends ?? (kind === 'route' ? endsOf(wayOfKept(before)) : NO_ENDS);
  const made_name = madeName({ kind, ends, place, reach_m, which });
  const named_by_hand = name === undefined ? before.named_by_hand : name !== null;
  return {
    ...defined(others),
    ...(departures && { departures }),
    made_name,
    named_by_hand,
    name: named_by_hand ? (name ?? before.name) : made_name,
    ...(line && {
      legs: after.legs,
      geometry: line.geometry,
      length_km: line.length_km,
      sources: line.sources,
    }),
    ...(!line && change.which && { sources: narrowed(allSourcesOf(before), which) }),
  };
}

type Line = Pick<WatchDraft, 'kind' | 'legs' | 'reach_m' | 'which'> & {
  geometry: WatchDraft['geometry'] | null;
};
type Ends = Parameters<typeof madeName>[0]['ends'];

const NO_ENDS: Ends = [null, null];

function lineOf({
  kind,
  legs,
  geometry,
  reach_m,
  which,
}: Line): Pick<WatchDraft, 'geometry' | 'length_km' | 'sources'> & { ends: Ends } {
  if (kind !== 'route') {
    if (legs.length > 0) throw badInput(LEGS_OF_ANOTHER[kind]);
    if (kind === 'feeds')
      return { geometry: NOWHERE, length_km: 0, sources: narrowed(null, which), ends: NO_ENDS };
    const outline = outlineOf(geometry, reach_m);
    if ('problem' in outline) throw badInput(outline.problem);
    const sources = narrowed(sourcesOfArea(outline.points), which);
    return { geometry: geometry!, length_km: 0, sources, ends: NO_ENDS }; // an outline was found in it
  }
  if (geometry) throw badInput(LINE_OF_ROUTE);
  if (legs.length === 0) throw badInput(NO_LEGS);
  const way = inWords(() => wayOf(legs, roadTable(), airports()));
  if (way.length_km < SHORTEST_KM) throw badInput(NO_LENGTH);
  const sources = narrowed(sourcesOf(way), which);
  return { geometry: way.geometry, length_km: way.length_km, sources, ends: endsOf(way) };
}

const endsOf = ({ places }: Way): Ends => [places[0]?.name ?? null, places.at(-1)?.name ?? null];

const allSourcesOf = (watch: KeptWatch): string[] | null =>
  watch.kind === 'feeds' ? null : sourcesOf(wayOfKept(watch));

/** The chosen sources among those that report on it; null: all that we know. What says that nobody covers a road is of
 *  interest to whoever asks for roads. */
function narrowed(all: readonly string[] | null, which: Which): string[] {
  const chosen = chosenSources(which);
  if (!chosen) return [...(all ?? Object.keys(KNOWN_SOURCES))];
  if (!all) return [...chosen];
  const withRoads = [...chosen].some((source) => knownSource(source).subject === 'roads');
  return all.filter((source) => chosen.has(source) || (withRoads && !Object.hasOwn(KNOWN_SOURCES, source)));
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

function checkDepartures(departures: readonly DepartureInput[]): void {
  for (const { from_date, to_date, except } of departures) {
    const periods = [{ from: from_date, to: to_date }, ...except];
    if (periods.some(({ from, to }) => from && to && from > to)) throw badInput(DATES);
  }
}

function checkSources({ sources }: Which): void {
  const unknown = sources.find((source) => !Object.hasOwn(KNOWN_SOURCES, source));
  if (unknown !== undefined) throw badInput(noSource(unknown));
}

/** The road tables say in words what they do not have. */
function inWords<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw badInput((error as Error).message);
  }
}

/** A table that has changed since may lack a junction: then the line stands as it was stored. */
export function wayOfKept({
  kind,
  legs,
  geometry,
  length_km,
  reach_m,
  sources,
}: Pick<WatchDraft, 'kind' | 'legs' | 'geometry' | 'length_km' | 'reach_m' | 'sources'>): Way {
  const bare = { geometry, length_km, course: [], places: [] };
  const everywhere = () => sources.map((source) => ({ source, from_km: 0, to_km: length_km }));
  if (kind === 'feeds') return { ...bare, coverage: everywhere() };
  if (kind === 'area') return { ...bare, coverage: coverageAround(storedOutline(geometry, reach_m)) };
  try {
    return wayOf(legs, roadTable(), airports());
  } catch {
    return { ...bare, coverage: everywhere() };
  }
}
