/** A route's legs as a way: its line, its length, which roads it uses where, what it passes, and who reports on it. */
import type { Geometry } from '#contract/disruptions.ts';
import type { Direction } from '#contract/facts.ts';
import type { Coverage, CoursePart, ExactLeg, Leg, RoadLeg, RoutePlace } from '#contract/watches.ts';
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
  type Nation,
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

/** Both ends of a break lie on the road that it is there, as near as this. */
const BREAK_OFF_KM = 2;
/** Nearer to a waypoint than this, in parts of the way to the next, is at it. */
const AT_WAYPOINT = 0.3;

/** Throws, in words, where the leg names what the table has not. Where the road is another road, that one's piece. Where
 *  it is none that the table has, a piece ends on each side of the break, if need be of one point. */
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

/** Two legs whose ends are further apart than this have a straight connection between them. */
const GAP_KM = 0.05;
/** Where one road is left for another, their junctions lie as near as this. */
const INTERCHANGE_KM = 1.5;

/** What is shorter is one place: neither a departure nor a position on it would mean anything. */
export const SHORTEST_KM = 0.01;
export const NO_LENGTH = 'This line has no length: its points are one place.';

/** Throws as `piecesOf` does. */
export function wayOf(legs: readonly Leg[], table: RoadTable = roadTable()): Way {
  const points: LonLat[] = [];
  const course: CoursePart[] = [];
  const places: RoutePlace[] = [];
  let km = 0;
  /** Where the last waypoint was passed. */
  let atWaypointKm = -Infinity;

  const go = (to: LonLat) => {
    const before = points.at(-1);
    const step = before ? rulerAt(to[1]).distance(before, to) : 0;
    if (before && step === 0) return;
    km += step;
    points.push(to);
  };
  /** Straight to where a leg begins. */
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
  /** `isStart`: of a piece. Where one road is left for another, both junctions are one place. */
  const addPlace = (chain: Chain, index: number, minor: boolean, isStart: boolean) => {
    const { junction, name } = chain.waypoints[index]!;
    const junctions = junction ? [{ road: chain.road, junction }] : [];
    const before = isStart ? places.at(-1) : undefined;
    // A straight line that ends here has named it already.
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
    if (!name || (last && km - last.km < GAP_KM)) return;
    atWaypointKm = -Infinity;
    places.push({ km, latitude, longitude, name, junctions: [], minor: false });
  };

  for (const leg of legs) {
    if (leg.type === 'road') {
      const pieces = piecesOf(leg, table);
      for (const [number, { chain, sense, points: line, at }] of pieces.entries()) {
        begin(line[0]!);
        const from = km;
        for (const [index, point] of line.entries()) {
          go(point);
          const position = at[index]!;
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
    for (const point of line) go(point);
    if (leg.type === 'link') addNamed(leg.names?.[1]);
    if (leg.type === 'exact') {
      for (const found of exactParts(leg, from, km, table)) addPart(found);
      for (const place of exactPlaces(leg, from, table)) places.push(place);
    } else {
      const road = leg.type === 'line' ? (leg.road ?? null) : null;
      addPart({ ...part(from, km), road, line: leg.type === 'line' ? 'drawn' : 'link' });
    }
  }
  return {
    geometry: { type: 'LineString', coordinates: points.map((point) => point.map(degrees)) },
    length_km: metres(km),
    course: course.map((part) => ({ ...part, from_km: metres(part.from_km), to_km: metres(part.to_km) })),
    places: places.map((place) => ({ ...place, km: metres(place.km) })),
    coverage: coverageOf(points),
  };
}

const degrees = (value: number) => Math.round(value * 1e5) / 1e5;
const metres = (km: number) => Math.round(km * 1000) / 1000;

/** The waypoint at a whole position, which on a ring may lie beyond its ends. */
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

/** What signs call the waypoint at this position; null between two, and where there is no junction. */
function junctionAt(chain: Chain, position: number): string | null {
  const index = Math.round(position);
  const waypoint = chain.waypoints[indexAt(chain, index)];
  return waypoint && Math.abs(position - index) <= AT_WAYPOINT ? labelOf(waypoint) : null;
}

/** Of the words that the road's signs have for this direction, the one that fits the line best. */
export function directionOf({ signs }: Chain, sense: Sense, line: readonly LonLat[]): Direction | null {
  const words = (signs?.[sense] ?? []).filter((sign) => sign !== 'coast' && sign !== 'London');
  const [first, last] = [line[0]!, line.at(-1)!];
  const bearing = rulerAt(first[1]).bearing(first, last);
  const turn = (word: Direction) => Math.abs(((bearing - (COMPASS[word] ?? bearing) + 540) % 360) - 180);
  return words.toSorted((one, other) => turn(one) - turn(other))[0] ?? null;
}

/** The roads found along a surveyed line, and what lies between them. */
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

/** The junctions that a surveyed line passes, by its share of the way between two kilometres. */
function exactPlaces({ roads }: ExactLeg, startKm: number, table: RoadTable): RoutePlace[] {
  const places = roads.flatMap(({ road, lo, hi, sense, from_km, to_km }): RoutePlace[] => {
    const chain = table.chain(road);
    if (!chain) return [];
    if (lo > hi || (!periodOf(chain) && hi > chain.waypoints.length - 1))
      throw new Error(`The ${chain.road} does not lead so far in our table.`);
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

/** By nation: who reports on its roads, then on its floods. */
const SOURCES: Readonly<Record<Nation, readonly string[]>> = {
  england: ['national-highways', 'ea-flood'],
  scotland: ['traffic-scotland', 'sepa-flood'],
  wales: ['traffic-wales', 'nrw-flood'],
  // Nobody whom we ask reports on its roads: no route there reads as clear.
  'northern-ireland': ['northern-ireland-roads'],
};
/** They report on all of the United Kingdom. */
const EVERYWHERE = 'met-office';

const SAMPLE_KM = 2;
/** Of the longest line: they lie further apart then. */
const SAMPLES_MAX = 3000;

/** From where to where which source reports, roads first; several rows where the way leaves a nation and comes back. */
function coverageOf(points: readonly LonLat[]): Coverage[] {
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
    const here = new Set(nations.flatMap((nation) => SOURCES[nation]));
    if (nations.length > 0) here.add(EVERYWHERE);
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
  for (const part of all) Object.assign(part, { from_km: metres(part.from_km), to_km: metres(part.to_km) });
  return all.toSorted((one, other) => RANK.indexOf(one.source) - RANK.indexOf(other.source));
}

const RANK = [
  'national-highways',
  'traffic-scotland',
  'traffic-wales',
  EVERYWHERE,
  'ea-flood',
  'sepa-flood',
  'nrw-flood',
];

/** The sources that report on a way, most important first. */
export const sourcesOf = ({ coverage }: Pick<Way, 'coverage'>): string[] => [
  ...new Set(coverage.map(({ source }) => source)),
];

/** Of an area: who reports anywhere in it. `points`: its outline, or those of its circle. */
export const coverageAround = (points: readonly LonLat[]): Coverage[] =>
  sourcesOf({ coverage: coverageOf(points) }).map((source) => ({ source, from_km: 0, to_km: 0 }));
