/** The stored form of a route, an area or feeds: the decisions of its author, and the line, the sources and the name
 *  that follow from them. */
import {
  type DepartureInput,
  type Watch,
  type WatchChange,
  type WatchRequest,
  isOnTheIslands,
  OUTSIDE_THE_ISLANDS,
  Position,
  WATCH_LIMITS,
} from '#contract/watches/watches.ts';
import { KNOWN_SOURCES, knownSource } from '#contract/feeds/knownSources.ts';
import { madeName } from '#contract/watches/watchName.ts';
import { chosenSources, WHICH, type Which } from '#contract/watches/whichIncidents.ts';
import type { KeptWatch, WatchDraft } from './watchStore.ts';
import { airports, towns } from '../geography/names/gazetteer.ts';
import { badInput } from '../refusals.ts';
import { roadTable, rulerAt, type LonLat } from '../geography/roads/roadTable.ts';
import {
  coverageAround,
  NO_LENGTH,
  SHORTEST_KM,
  sourcesOf,
  sourcesOfArea,
  wayOf,
  type Way,
} from '../geography/roads/routeWay.ts';
import Flatbush from 'flatbush';
import { z } from 'zod';
import type { Geometry } from '#contract/incidents/disruptions.ts';

const NO_LEGS = 'A route needs at least one leg.';
const LEGS_OF_ANOTHER = { area: 'An area has no legs.', feeds: 'Feeds have no legs.' };
const LINE_OF_ROUTE = 'The line of a route is made from its legs: leave geometry out.';
const PLACE_OF_FEEDS = 'Feeds have no place: leave geometry, reach_m and departures out.';
const DATES = 'A departure cannot end before it begins.';
const noSource = (source: string) => `which.sources: there is no source '${source}'`;

/** Feeds have no place. */
const NOWHERE: Watch['geometry'] = { type: 'MultiPoint', coordinates: [] };

/** Refuses, in words, input that is not a route, an area or feeds. */
export function draftOf(asked: Omit<WatchRequest, 'notify'> & Pick<WatchDraft, 'notify'>): WatchDraft {
  const { kind, name, made_by, legs, reach_m, departures, place = null, notify } = asked;
  const { which = WHICH, when = null } = asked;
  checkDepartures(departures);
  checkSources(which);
  if (kind === 'feeds' && (departures.length > 0 || asked.geometry || reach_m !== null))
    throw badInput(PLACE_OF_FEEDS);
  const { ends, ...line } = lineOf({ kind, legs, geometry: asked.geometry, reach_m, which });
  const made_name = madeName({ kind, ends, place, which, ...reachOf(line.geometry, reach_m) });
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
  // The stored line of a route was made from its legs.
  const given = geometry === undefined && kind === 'area' ? before.geometry : (geometry ?? null);
  const line = movesLine ? lineOf({ kind, legs: after.legs, geometry: given, reach_m, which }) : null;
  const ends = line?.ends ?? (kind === 'route' ? endsOf(wayOfKept(before)) : NO_ENDS);
  const made_name = madeName({
    kind,
    ends,
    place,
    which,
    ...reachOf(line?.geometry ?? before.geometry, reach_m),
  });
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

/** A circle has a radius. An outline has none, and is named after the town nearest to its middle. */
function reachOf({ type, coordinates }: Geometry, reach_m: number | null) {
  if (type !== 'Polygon') return { reach_m };
  const ring = coordinates[0] as LonLat[]; // checked when it was stored
  const [west, south, east, north] = ring.reduce(
    ([w, s, e, n], [x, y]) => [Math.min(w, x), Math.min(s, y), Math.max(e, x), Math.max(n, y)],
    [Infinity, Infinity, -Infinity, -Infinity],
  ) as [number, number, number, number];
  const middle: LonLat = [(west + east) / 2, (south + north) / 2];
  const ruler = rulerAt(middle[1]);
  const all = towns();
  const offs = all.map(({ longitude, latitude }) => ruler.distance(middle, [longitude, latitude]));
  return { reach_m: null, near: all[offs.indexOf(Math.min(...offs))]?.name ?? null };
}

const allSourcesOf = (watch: KeptWatch): string[] | null =>
  watch.kind === 'feeds' ? null : sourcesOf(wayOfKept(watch));

/** The chosen sources among the ones that report on it; null: all that we know. If sources about roads are among
 *  them, the roads without a source are named too. */
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

/** Turns an error of the road tables, which say what they lack, into a refusal in words. */
function inWords<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    throw badInput((error as Error).message);
  }
}

/** If the table has lost a junction since, the line stays as it was stored. */
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

const RADIUS_MIN_M = 1000;
/** The number of points of a circle's outline. */
const CIRCLE_POINTS = 32;

const Circle = z.object({ type: z.literal('Point'), coordinates: Position });
const Polygon = z.object({ type: z.literal('Polygon'), coordinates: z.tuple([z.array(Position)]) });

const NO_AREA =
  'An area is a Point with reach_m as its radius, or a Polygon with one outline, in degrees, longitude first.';
const RADIUS = 'The circle of an area has a radius from 1 to 50 km.';
const TOO_FEW = 'The outline of an area needs three points that are not on one line.';
const OPEN = 'The outline of an area ends where it begins.';

type Outline = { points: LonLat[] } | { problem: string };

/** The fault of the area, in a sentence, or the points around it. */
export function outlineOf(geometry: Geometry | null, reachM: number | null): Outline {
  const circle = Circle.safeParse(geometry);
  if (circle.success) {
    const centre = circle.data.coordinates as LonLat;
    if (!isOnTheIslands(centre)) return { problem: OUTSIDE_THE_ISLANDS };
    if (reachM === null || reachM < RADIUS_MIN_M) return { problem: RADIUS };
    return { points: around(centre, reachM / 1000) };
  }
  // The points are counted before they are read, so that an outline that is too long costs nothing.
  const outline = geometry?.coordinates[0];
  if (geometry?.type === 'Polygon' && Array.isArray(outline) && outline.length > WATCH_LIMITS.outlinePoints)
    return {
      problem: `An outline may have ${WATCH_LIMITS.outlinePoints} points. This has ${outline.length.toLocaleString('en-GB')}.`,
    };
  const polygon = Polygon.safeParse(geometry);
  if (!polygon.success) return { problem: NO_AREA };

  const ring = polygon.data.coordinates[0] as LonLat[];
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || ring.length < 4) return { problem: TOO_FEW };
  if (first[0] !== last[0] || first[1] !== last[1]) return { problem: OPEN };
  if (!ring.every(isOnTheIslands)) return { problem: OUTSIDE_THE_ISLANDS };
  const crossing = crossingIn(ring);
  if (crossing)
    return { problem: `The outline crosses itself between points ${crossing[0]} and ${crossing[1]}.` };
  return areaOf(ring) === 0 ? { problem: TOO_FEW } : { points: ring };
}

/** The points around an area that was checked when it was stored. */
function storedOutline({ type, coordinates }: Geometry, reachM: number | null): LonLat[] {
  return type === 'Point'
    ? around(coordinates as LonLat, (reachM ?? RADIUS_MIN_M) / 1000)
    : (coordinates[0] as LonLat[]);
}

function around(centre: LonLat, radiusKm: number): LonLat[] {
  const ruler = rulerAt(centre[1]);
  return Array.from({ length: CIRCLE_POINTS + 1 }, (_, at) =>
    ruler.destination(centre, radiusKm, (at * 360) / CIRCLE_POINTS),
  );
}

/** The numbers, from 1, of the points at which two crossing edges begin; null: no edges cross. Edges that share a
 *  point meet there. */
function crossingIn(ring: readonly LonLat[]): [number, number] | null {
  const edges = ring.length - 1;
  const boxes = Array.from({ length: edges }, (_, at) => boxOf(ring[at]!, ring[at + 1]!));
  const index = new Flatbush(edges);
  for (const box of boxes) index.add(...box);
  index.finish();
  for (let one = 0; one < edges; one++) {
    for (const other of index.search(...boxes[one]!).sort((a, b) => a - b)) {
      if (other < one + 2 || (one === 0 && other === edges - 1)) continue;
      if (cross(ring[one]!, ring[one + 1]!, ring[other]!, ring[other + 1]!)) return [one + 1, other + 1];
    }
  }
  return null;
}

const boxOf = (a: LonLat, b: LonLat) =>
  [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])] as const;

/** Also true if one only touches the other. */
function cross(a: LonLat, b: LonLat, c: LonLat, d: LonLat): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (
    (abc === 0 && isWithin(a, b, c)) ||
    (abd === 0 && isWithin(a, b, d)) ||
    (cda === 0 && isWithin(c, d, a)) ||
    (cdb === 0 && isWithin(c, d, b))
  );
}

const side = (a: LonLat, b: LonLat, c: LonLat) =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));

const isWithin = (a: LonLat, b: LonLat, c: LonLat) =>
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1]);

const areaOf = (ring: readonly LonLat[]) =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
