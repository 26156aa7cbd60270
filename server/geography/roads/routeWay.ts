/** A route's legs as a way: its line, its length, its roads by kilometres, the places on it, and the sources that
 *  report on it. */
import type { Geometry } from '#contract/incidents/disruptions.ts';
import type { Direction } from '#contract/incidents/facts.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import {
  knownSource,
  type Nation,
  sourcesOn,
  TOWN_ROADS,
  UNCOVERED_ROADS,
  UNKNOWN_ROADS,
} from '#contract/feeds/knownSources.ts';
import {
  type Coverage,
  type CoursePart,
  type ExactLeg,
  type Leg,
  type RoadLeg,
  type RoutePlace,
  WATCH_LIMITS,
} from '#contract/watches/watches.ts';
import { coveredByName, type CoveredPart, coveredPartOf } from './coveredRoads.ts';
import { COMPASS } from './incidentPlace.ts';
import { nationsAt } from './nations.ts';
import {
  along,
  labelOf,
  lineBetween,
  nearestJunctions,
  periodOf,
  roadTable,
  rulerAt,
  waypointIndex,
  type Chain,
  type LonLat,
  type RoadTable,
  type Sense,
} from './roadTable.ts';

export interface Way {
  geometry: Geometry;
  length_km: number;
  course: CoursePart[];
  places: RoutePlace[];
  coverage: Coverage[];
}

/** A stretch of one road, in the order of the route; `at` is each point's position on the chain. */
export interface Piece {
  chain: Chain;
  sense: Sense;
  points: LonLat[];
  at: number[];
}

/** Both ends of a break are at most this far from the road that the way follows there. */
const BREAK_OFF_KM = 2;
/** A position this close to a waypoint is at it, as a share of the way to the next. */
const AT_WAYPOINT = 0.3;

/** Throws, in words, when the leg names something that the table does not have. If the road is another road there,
 *  that road's piece is used. If it is none in the table, a piece ends on each side of the break, even if it has
 *  only one point. */
export function piecesOf({ road, from, to, sense }: RoadLeg, table: RoadTable): Piece[] {
  const chain = table.chain(road) ?? table.named(road)[0];
  if (!chain) throw new Error(`The road ${road} is not in our table.`);
  const [start, end] = [from, to].map((label) => {
    const index = waypointIndex(chain, label);
    if (index < 0) throw new Error(unknownJunction(chain, label));
    return index;
  }) as [number, number];
  const period = periodOf(chain);
  const last = period && (end - start) * sense <= 0 ? end + sense * period : end;
  if ((last - start) * sense <= 0)
    throw new Error(`The ${chain.road} does not lead from ${from} to ${to} in this direction.`);

  const pieces: Piece[] = [];
  let begun = start;
  let detour: Piece | null = null;
  for (let at = start; at !== last; at += sense) {
    const chord = sense === 1 ? at : at - 1;
    const as = chain.breaks.get(indexAt(chain, chord));
    if (as === undefined) continue;
    const [here, there] = [at, at + sense].map((end) => lineBetween(chain, end, end).points[0]!);
    const other = table.chain(as ?? '');
    detour = other ? detourOf(other, here!, there!) : null;
    if (at !== begun || !detour) pieces.push({ chain, sense, ...lineBetween(chain, begun, at) });
    if (detour) pieces.push(detour);
    begun = at + sense;
  }
  if (begun !== last || !detour) pieces.push({ chain, sense, ...lineBetween(chain, begun, last) });
  return pieces;
}

function unknownJunction(chain: Chain, label: string): string {
  const near = nearestJunctions(chain, label);
  return `${chain.road} has no ${label} in our table.${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}`;
}

/** Along another road between two points on it; on a ring the shorter way. */
function detourOf(chain: Chain, start: LonLat, end: LonLat): Piece | null {
  const [from, to] = [along(chain, start), along(chain, end)];
  if (!from || !to || from.off > BREAK_OFF_KM || to.off > BREAK_OFF_KM) return null;
  const period = periodOf(chain);
  let [first, last] = [atWaypoint(from.at), atWaypoint(to.at)];
  if (period && Math.abs(last - first) > period / 2) {
    if (last < first) last += period;
    else first += period;
  }
  if (first === last) return null;
  return { chain, sense: last > first ? 1 : -1, ...lineBetween(chain, first, last) };
}

const atWaypoint = (at: number) => (Math.abs(at - Math.round(at)) < AT_WAYPOINT ? Math.round(at) : at);

/** If the ends of two legs are further apart than this, a straight line connects them. */
const GAP_KM = 0.05;
/** How far apart the junctions of two roads may be where a route changes from one to the other. */
const INTERCHANGE_KM = 1.5;

/** The shortest way. A shorter one is a single place: neither a departure nor a position on it would mean anything. */
export const SHORTEST_KM = 0.01;
export const NO_LENGTH = 'This line has no length: its points are one place.';

export interface Position {
  longitude: number;
  latitude: number;
}

/** Throws like `piecesOf`. `airports`: where they are, for an end at an airport that has another name or none. */
export function wayOf(
  legs: readonly Leg[],
  table: RoadTable = roadTable(),
  airports: readonly Position[] = [],
): Way {
  const { points, km, uncovered, stops, ...strip } = walked(legs, table);
  for (const [point, at] of [[points[0], 0] as const, [points.at(-1), km] as const])
    if (point && isAtOne(airports, point)) stops.push({ name: 'Airport', km: at, point });
  const gaps = { uncovered: longUncovered(uncovered, km), ...unknownOf(strip.course, km) };
  return {
    geometry: { type: 'LineString', coordinates: points.map((point) => point.map(degrees)) },
    length_km: metres(km),
    ...strip,
    coverage: coverageOf(points, gaps, stops),
  };
}

/** The way without the sources that report on it, which are most of the work. Throws like `piecesOf`. */
export function stripOf(
  legs: readonly Leg[],
  table: RoadTable = roadTable(),
): Pick<Way, 'course' | 'places'> {
  const { course, places } = walked(legs, table);
  return { course, places };
}

function walked(legs: readonly Leg[], table: RoadTable) {
  const points: LonLat[] = [];
  const course: CoursePart[] = [];
  const places: RoutePlace[] = [];
  const uncovered: Stretch[] = [];
  const stops: Stop[] = [];
  let km = 0;
  /** The kilometre of the last waypoint. */
  let atWaypointKm = -Infinity;

  const go = (to: LonLat) => {
    const before = points.at(-1);
    const step = before ? rulerAt(to[1]).distance(before, to) : 0;
    if (before && step === 0) return;
    km += step;
    points.push(to);
  };
  /** Goes straight to the beginning of a leg. */
  const begin = (at: LonLat) => {
    const from = km;
    go(at);
    if (km - from > GAP_KM) addPart({ ...part(from, km), line: 'link' });
  };
  const addPart = (next: CoursePart) => {
    const last = course.at(-1);
    const goesOn =
      last &&
      last.line === next.line &&
      last.road === next.road &&
      last.direction === next.direction &&
      last.to === next.from;
    if (goesOn) Object.assign(last, { to_km: next.to_km, to: next.to });
    else course.push(next);
  };
  /**
   * `isStart`: it is the beginning of a piece. If a route changes to another road here, both junctions are one place.
   */
  const addPlace = (chain: Chain, index: number, minor: boolean, isStart: boolean) => {
    const { junction, name } = chain.waypoints[index]!;
    const junctions = junction ? [{ road: chain.road, junction }] : [];
    const before = isStart ? places.at(-1) : undefined;
    // A straight line that ends here has already named it.
    const isNamed = before !== undefined && km - before.km < GAP_KM && before.km > atWaypointKm;
    const last = isNamed || km - atWaypointKm < INTERCHANGE_KM ? before : undefined;
    atWaypointKm = km;
    if (last) {
      const isKnown = last.junctions.some((own) => own.road === chain.road && own.junction === junction);
      if (isNamed || (last.junctions.length === 0 && junction)) last.name = name;
      if (!isKnown) last.junctions.push(...junctions);
      last.minor &&= minor;
      return;
    }
    const [longitude, latitude] = points.at(-1)!;
    places.push({ km, latitude, longitude, name, junctions, minor });
  };
  const addNamed = (name: string | null | undefined) => {
    const [longitude, latitude] = points.at(-1)!;
    const last = places.at(-1);
    if (name) stops.push({ name, km, point: [longitude, latitude] });
    if (!name || (last && km - last.km < GAP_KM)) return;
    atWaypointKm = -Infinity;
    places.push({ km, latitude, longitude, name, junctions: [], minor: false });
  };

  checkFound(legs, table);
  for (const leg of legs) {
    if (leg.type === 'road') {
      const pieces = piecesOf(leg, table);
      for (const [number, { chain, sense, points: line, at }] of pieces.entries()) {
        begin(line[0]!);
        const from = km;
        const covered = coveredPartOf(chain);
        for (const [index, point] of line.entries()) {
          const before = km;
          go(point);
          const position = at[index]!;
          if (index > 0 && !isCovered(covered, chain, (at[index - 1]! + position) / 2))
            uncovered.push([before, km]);
          if (!Number.isInteger(position)) continue;
          const isEnd =
            (number === 0 && index === 0) || (number === pieces.length - 1 && index === line.length - 1);
          addPlace(chain, indexAt(chain, position), !isEnd, index === 0);
        }
        if (line.length === 1) continue;
        const [start, end] = [at[0]!, at.at(-1)!].map((position) => junctionAt(chain, position));
        addPart({
          ...part(from, km),
          road: chain.road,
          from: start!,
          to: end!,
          direction: directionOf(chain, sense, line),
          line: 'chain',
        });
      }
      continue;
    }
    const line = leg.points as LonLat[];
    begin(line[0]!);
    const from = km;
    if (leg.type === 'link') addNamed(leg.names?.[0]);
    const isDrawnCovered = coverOfDrawn(leg, table);
    for (const point of line) {
      const before = km;
      go(point);
      if (!isDrawnCovered(point)) uncovered.push([before, km]);
    }
    if (leg.type === 'link') addNamed(leg.names?.[1]);
    if (leg.type === 'exact') {
      uncovered.push(...uncoveredOfExact(leg, from, table));
      for (const found of exactParts(leg, from, km, table)) addPart(found);
      for (const place of exactPlaces(leg, from, table)) places.push(place);
    } else {
      const road = leg.type === 'line' ? (leg.road ?? null) : null;
      addPart({ ...part(from, km), road, line: leg.type === 'line' ? 'drawn' : 'link' });
    }
  }
  return {
    points,
    km,
    uncovered,
    stops,
    course: course.map((part) => ({ ...part, from_km: metres(part.from_km), to_km: metres(part.to_km) })),
    places: places.map((place) => ({ ...place, km: metres(place.km) })),
  };
}

const degrees = (value: number) => Math.round(value * 1e5) / 1e5;
const metres = (km: number) => Math.round(km * 1000) / 1000;

/** The waypoint at a whole position, which on a ring may be beyond its ends. */
export function indexAt(chain: Chain, position: number): number {
  const period = periodOf(chain);
  return period ? ((position % period) + period) % period : position;
}

const part = (from_km: number, to_km: number) => ({
  from_km,
  to_km,
  road: null,
  from: null,
  to: null,
  direction: null,
});

/** The name of the waypoint at this position as on signs; null between two, and where there is no junction. */
function junctionAt(chain: Chain, position: number): string | null {
  const index = Math.round(position);
  const waypoint = chain.waypoints[indexAt(chain, index)];
  return waypoint && Math.abs(position - index) <= AT_WAYPOINT ? labelOf(waypoint) : null;
}

/** The name of this direction, of the road's names, that fits the line best. */
export function directionOf({ signs }: Chain, sense: Sense, line: readonly LonLat[]): Direction | null {
  const words = (signs?.[sense] ?? []).filter((sign) => sign !== 'coast' && sign !== 'London');
  const [first, last] = [line[0]!, line.at(-1)!];
  const bearing = rulerAt(first[1]).bearing(first, last);
  const turn = (word: Direction) => Math.abs(((bearing - (COMPASS[word] ?? bearing) + 540) % 360) - 180);
  return words.toSorted((one, other) => turn(one) - turn(other))[0] ?? null;
}

/** The roads found along a surveyed line, and the parts between them. */
function exactParts({ roads, points }: ExactLeg, startKm: number, endKm: number, table: RoadTable) {
  const parts: CoursePart[] = [];
  let from = startKm;
  const none = (to: number) => {
    if (to - from > GAP_KM) parts.push({ ...part(from, to), line: 'exact' });
  };
  for (const found of roads.toSorted((one, other) => one.from_km - other.from_km)) {
    const chain = table.chain(found.road);
    const [start, end] = [startKm + found.from_km, startKm + found.to_km];
    if (end <= from) continue;
    none(start);
    const ends = found.sense === 1 ? [found.lo, found.hi] : [found.hi, found.lo];
    const line = chain ? lineBetween(chain, ends[0]!, ends[1]!).points : [];
    parts.push({
      ...part(Math.max(from, start), Math.min(end, endKm)),
      road: chain?.road ?? found.road,
      from: chain ? junctionAt(chain, ends[0]!) : null,
      to: chain ? junctionAt(chain, ends[1]!) : null,
      direction: chain && line.length > 1 ? directionOf(chain, found.sense, line) : null,
      line: 'exact',
    });
    from = end;
  }
  none(endKm);
  return points.length > 1 ? parts : [];
}

/** Throws, in words, when a road that lies along a line has no end. */
function checkFound(legs: readonly Leg[], table: RoadTable): void {
  let places = 0;
  for (const { road, lo, hi } of legs.flatMap((leg) => (leg.type === 'exact' ? leg.roads : []))) {
    const chain = table.chain(road);
    if (!chain) continue;
    const round = periodOf(chain);
    if (lo > hi || (!round && hi > chain.waypoints.length - 1))
      throw new Error(`The ${chain.road} does not lead so far in our table.`);
    if (round && (hi - lo > round || hi > 2 * round))
      throw new Error(`A line goes round the ${chain.road} once at most.`);
    places += hi - lo;
  }
  if (places > WATCH_LIMITS.places)
    throw new Error(`A route may pass ${WATCH_LIMITS.places.toLocaleString('en-GB')} junctions and places.`);
}

/** The junctions on a surveyed line, by their share of the way between two kilometres. */
function exactPlaces({ roads }: ExactLeg, startKm: number, table: RoadTable): RoutePlace[] {
  const places = roads.flatMap(({ road, lo, hi, sense, from_km, to_km }): RoutePlace[] => {
    const chain = table.chain(road);
    if (!chain) return [];
    const { at, points } = lineBetween(chain, sense === 1 ? lo : hi, sense === 1 ? hi : lo);
    return at.flatMap((position, index): RoutePlace[] => {
      if (!Number.isInteger(position)) return [];
      const waypoint = chain.waypoints[indexAt(chain, position)]!;
      const share = hi === lo ? 0 : Math.abs(position - at[0]!) / (hi - lo);
      const [longitude, latitude] = points[index]!;
      return [
        {
          km: startKm + from_km + share * (to_km - from_km),
          latitude,
          longitude,
          name: waypoint.name,
          junctions: waypoint.junction ? [{ road: chain.road, junction: waypoint.junction }] : [],
          minor: true,
        },
      ];
    });
  });
  return places.toSorted((one, other) => one.km - other.km);
}

/** From one kilometre to another. */
type Stretch = readonly [from: number, to: number];

function isCovered(covered: CoveredPart, chain: Chain, position: number): boolean {
  if (typeof covered === 'string') return covered === 'all';
  return covered.has(indexAt(chain, Math.floor(position)));
}

/** The parts without a source. Its roads lie along it by their share of the way between two kilometres. */
function uncoveredOfExact({ roads }: ExactLeg, startKm: number, table: RoadTable): Stretch[] {
  return roads.flatMap(({ road, lo, hi, sense, from_km, to_km }): Stretch[] => {
    const chain = table.chain(road);
    const covered = chain ? coveredPartOf(chain) : coveredByName(road);
    if (covered === 'all') return [];
    if (!chain || covered === 'none' || hi <= lo) return [[startKm + from_km, startKm + to_km]];
    const kmAt = (position: number) => {
      const share = (sense === 1 ? position - lo : hi - position) / (hi - lo);
      return startKm + from_km + share * (to_km - from_km);
    };
    const stretches: Stretch[] = [];
    for (let at = lo; at < hi;) {
      const next = Math.min(hi, Math.floor(at) + 1);
      const [one, other] = [kmAt(at), kmAt(next)];
      if (!isCovered(covered, chain, (at + next) / 2))
        stretches.push([Math.min(one, other), Math.max(one, other)]);
      at = next;
    }
    return stretches;
  });
}

/** The most points at which a drawn line is compared with its road. */
const DRAWN_SAMPLES = 200;

/** Whether the way to a point of a drawn line is covered. Without a road's name that is not known, which is
 *  different from not covered. */
function coverOfDrawn(leg: Leg, table: RoadTable): (point: LonLat) => boolean {
  if (leg.type !== 'line' || !leg.road) return () => true;
  const [chain] = table.named(leg.road);
  const covered = chain ? coveredPartOf(chain) : coveredByName(normalRoad(leg.road));
  if (!chain || typeof covered === 'string') return () => covered === 'all';
  const every = Math.ceil(leg.points.length / DRAWN_SAMPLES);
  let passed = 0;
  let last = true;
  return (point) => {
    if (passed++ % every === 0) {
      const found = along(chain, point);
      last = found !== null && isCovered(covered, chain, found.at);
    }
    return last;
  };
}

/** A shorter uncovered part does not count, because our table is not more exact. */
const UNCOVERED_KM = 1;
/** The same for parts without a known road: that much is in a town, on slip roads and the like. */
const UNKNOWN_KM = 2;
/** How far a town's centre is from the junction at which its traffic joins a main road. 22 of 28 ends of ordinary
 *  routes (`npm run bench -- noise`) are within it, and the next are 3 km further out, on roads between towns. */
const TOWN_KM = 12;
/** The largest share of a way that may count as its ends in town. */
const TOWN_SHARE = 1 / 8;
/** How far apart our table's positions of two junctions may be where a route changes from one road to another. */
export const CHANGE_KM = 4;

/** The limit for a short way, which a small part must not cover as a whole. */
const atLeast = (km: number, length: number) => Math.min(km, length / 2);

const longUncovered = (stretches: readonly Stretch[], length: number): Stretch[] =>
  joined(stretches).filter(([from, to]) => to - from >= atLeast(UNCOVERED_KM, length));

/** Parts without a known road: straight and drawn lines without a road, and parts of a surveyed line for which none
 *  was found. */
function unknownOf(course: readonly CoursePart[], length: number): Pick<Gaps, 'unknown' | 'inTown'> {
  const without = course.filter(({ road }) => !road);
  const chains = course.filter(({ line }) => line === 'chain');
  const unknown: Stretch[] = [];
  const inTown: Stretch[] = [];
  for (const stretch of joined(without.map(({ from_km, to_km }) => [from_km, to_km]))) {
    const [from, to] = stretch;
    const isStraight = without.every(
      ({ line, from_km, to_km }) => line === 'link' || to_km <= from || from_km >= to,
    );
    const leavesRoad = chains.some(({ to_km }) => Math.abs(to_km - from) <= GAP_KM);
    const joinsRoad = chains.some(({ from_km }) => Math.abs(from_km - to) <= GAP_KM);
    if (to - from < atLeast(isStraight && leavesRoad && joinsRoad ? CHANGE_KM : UNKNOWN_KM, length)) continue;
    const isEnd = (from === 0 && joinsRoad) || (length - to <= GAP_KM && leavesRoad);
    const isTown = isStraight && isEnd && to - from <= Math.min(TOWN_KM, length * TOWN_SHARE);
    (isTown ? inTown : unknown).push(stretch);
  }
  return { unknown, inTown };
}

/** The stretches in order, each once. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: [number, number][] = [];
  for (const [from, to] of stretches.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from - last[1] <= GAP_KM) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** Takes the stretches away from the sources that report on roads but not on these; `name` replaces them there. */
function withUncovered(
  coverage: readonly Coverage[],
  uncovered: readonly Stretch[],
  name: string,
): Coverage[] {
  if (uncovered.length === 0) return [...coverage];
  const cut: Stretch[] = [];
  const left = coverage.flatMap((part) => {
    if (knownSource(part.source).subject !== 'roads') return [part];
    const pieces: Coverage[] = [];
    let { from_km } = part;
    for (const [from, to] of uncovered) {
      if (to <= from_km || from >= part.to_km) continue;
      cut.push([Math.max(from, part.from_km), Math.min(to, part.to_km)]);
      if (from > from_km) pieces.push({ ...part, from_km, to_km: from });
      from_km = to;
    }
    if (from_km < part.to_km) pieces.push({ ...part, from_km });
    return pieces.filter((piece) => piece.to_km - piece.from_km > GAP_KM);
  });
  return [...left, ...joined(cut).map(([from_km, to_km]) => ({ source: name, from_km, to_km }))];
}

const isWithin = (nation: Nation) => (source: string) => knownSource(source).where === nation;

/** The sources that report on its roads, then on its floods. If none of our sources reports on its roads, a name
 *  replaces them, so that no route there looks clear. */
function reportersIn(nation: Nation): readonly string[] {
  const roads = sourcesOn('roads').filter(isWithin(nation));
  return [
    ...(roads.length > 0 ? roads : [`${nation}-roads`]),
    ...sourcesOn('floods').filter(isWithin(nation)),
  ];
}
const REPORTERS: Readonly<Record<Nation, readonly string[]>> = {
  england: reportersIn('england'),
  scotland: reportersIn('scotland'),
  wales: reportersIn('wales'),
  'northern-ireland': reportersIn('northern-ireland'),
};
/** Sources that report on all of the United Kingdom. */
const EVERYWHERE = sourcesOn('weather');

const SAMPLE_KM = 2;
/** The most samples of a line: in a longer one they are further apart. */
const SAMPLES_MAX = 3000;

/** Parts where no source reports on roads, in any nation. */
interface Gaps {
  uncovered: readonly Stretch[];
  /** Parts where no road is known. */
  unknown: readonly Stretch[];
  /** The same at its ends, in towns. */
  inTown: readonly Stretch[];
}

/** Which source reports from where to where, roads first. There are several rows when the way leaves a nation or a
 *  trunk road and comes back. */
function coverageOf(
  points: readonly LonLat[],
  { uncovered, unknown, inTown }: Gaps = { uncovered: [], unknown: [], inTown: [] },
  stops: readonly Stop[] = [],
): Coverage[] {
  const steps = points.map((point, index) =>
    rulerAt(point[1]).distance(points[Math.max(0, index - 1)]!, point),
  );
  const length = steps.reduce((sum, step) => sum + step, 0);
  const apart = Math.max(SAMPLE_KM, length / SAMPLES_MAX);
  const open = new Map<string, Coverage>();
  const all: Coverage[] = [];
  let km = 0;
  const visit = (point: LonLat) => {
    const nations = [...nationsAt(point)];
    const here = new Set(nations.flatMap((nation) => REPORTERS[nation]));
    if (nations.length > 0) for (const source of EVERYWHERE) here.add(source);
    for (const [source, part] of open) {
      part.to_km = km;
      if (!here.has(source)) open.delete(source);
    }
    for (const source of here) {
      if (open.has(source)) continue;
      const part = { source, from_km: km, to_km: km };
      open.set(source, part);
      all.push(part);
    }
  };
  for (const [index, point] of points.entries()) {
    const before = points[index - 1] ?? point;
    const step = steps[index]!;
    const samples = Math.max(1, Math.ceil(step / apart));
    for (let sample = 1; sample <= samples; sample++) {
      const t = sample / samples;
      km += step / samples;
      visit([before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])]);
    }
  }
  const gaps = [
    [uncovered, UNCOVERED_ROADS],
    [unknown, UNKNOWN_ROADS],
    [inTown, TOWN_ROADS],
  ] as const;
  const onRoads = gaps.reduce((parts, [stretches, name]) => withUncovered(parts, stretches, name), all);
  return [...onRoads, ...atStops(stops)]
    .map((part) => ({ ...part, from_km: metres(part.from_km), to_km: metres(part.to_km) }))
    .toSorted((one, other) => RANK.indexOf(one.source) - RANK.indexOf(other.source));
}

const RANK = [
  ...sourcesOn('roads'),
  UNCOVERED_ROADS,
  UNKNOWN_ROADS,
  TOWN_ROADS,
  ...EVERYWHERE,
  ...sourcesOn('floods'),
  ...sourcesOn('trains'),
  ...sourcesOn('airports'),
];

/** The sources that report on a way, most important first. */
export const sourcesOf = ({ coverage }: Pick<Way, 'coverage'>): string[] => [
  ...new Set(coverage.map(({ source }) => source)),
];

/** A place where the route begins, calls or ends. */
interface Stop {
  /** The name that its author gave, or "Airport" when there is one at its end. */
  name: string;
  km: number;
  point: LonLat;
}

/** An end that is not named as an airport may be on a road beside it, so it must be this close. */
export const UNNAMED_AIRPORT_KM = 1.5;

const isAtOne = (airports: readonly Position[], point: LonLat): boolean =>
  airports.some(
    ({ longitude, latitude }) =>
      rulerAt(point[1]).distance(point, [longitude, latitude]) <= UNNAMED_AIRPORT_KM,
  );

/** The sources that report on airports and railway stations where the route begins, calls or ends. */
function atStops(stops: readonly Stop[]): Coverage[] {
  const at = new Map<string, Coverage>();
  for (const { name, km, point } of stops) {
    const sources = [
      ...(/\bairport\b/i.test(name) ? sourcesOn('airports') : []),
      ...(/(?<!\b(?:bus|coach) )\bstation\b/i.test(name) ? sourcesOn('trains') : []),
    ].filter((source) => knownSource(source).where !== 'london' || meetsLondon([point]));
    // The end of one leg and the beginning of the next are the same place.
    for (const source of sources) at.set(`${source} ${metres(km)}`, { source, from_km: km, to_km: km });
  }
  return [...at.values()];
}

/** Sources that touch an area but no road: trains, buses, airports, and texts of newsrooms and the police. */
const BESIDE_ROADS = (['trains', 'buses', 'airports', 'news'] as const).flatMap(sourcesOn);
/** London and the area of its lines. */
const LONDON = { west: -0.65, south: 51.25, east: 0.35, north: 51.75 } as const;

function meetsLondon(points: readonly LonLat[]): boolean {
  const [x, y] = [points.map(([east]) => east), points.map(([, north]) => north)];
  return (
    Math.min(...x) <= LONDON.east &&
    Math.max(...x) >= LONDON.west &&
    Math.min(...y) <= LONDON.north &&
    Math.max(...y) >= LONDON.south
  );
}

/** All sources about things that can be in an area. `points`: its outline, or that of its circle. */
export function sourcesOfArea(points: readonly LonLat[]): string[] {
  const isInLondon = meetsLondon(points);
  const nations = new Set<string>(points.flatMap((point) => [...nationsAt(point)]));
  const reportsHere = (source: string) => {
    const { where } = knownSource(source);
    return where === 'uk' || (where === 'london' ? isInLondon : nations.has(where));
  };
  return [...sourcesOf({ coverage: coverageOf(points) }), ...BESIDE_ROADS.filter(reportsHere)];
}

/** The coverage of an area: the sources that report anywhere in it. */
export const coverageAround = (points: readonly LonLat[]): Coverage[] =>
  sourcesOfArea(points).map((source) => ({ source, from_km: 0, to_km: 0 }));
