/** From the line of a file to a leg with the roads along the line, for the user to confirm. Nothing is stored. */
import { setImmediate } from 'node:timers/promises';
import simplify from 'simplify-js';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import {
  isOnTheIslands,
  OUTSIDE_THE_ISLANDS,
  tooLong,
  type ExactLeg,
  type FoundRoad,
  type Leg,
  type Resolved,
  type RouteProblem,
} from '#contract/watches/watches.ts';
import { DIRECTION_WORDS } from '../geography/roads/incidentPlace.ts';
import {
  labelOf,
  lineBetween,
  roadTable,
  rulerAt,
  type LonLat,
  type RoadTable,
  along,
  periodOf,
  type Chain,
} from '../geography/roads/roadTable.ts';
import { directionOf, indexAt, NO_LENGTH, SHORTEST_KM, wayOf } from '../geography/roads/routeWay.ts';

export const NO_LINE = 'This file holds no track or line that we can read.';

/** With this tolerance nothing is lost that matters for a road. */
const SIMPLE_KM = 0.025;
/** The work grows with the square of the points. */
const POINTS_A_TURN = 1000;

/** `roads`: the roads that its author says the line uses. It works in steps of some milliseconds, so that others get
 *  their turn. */
export async function resolveLine(
  { geometry, roads = [] }: { geometry: Geometry; roads?: readonly string[] | undefined },
  table: RoadTable = roadTable(),
): Promise<Resolved> {
  const read = pointsOf(geometry);
  if (!read) return refused(NO_LINE, table);
  if (!read.every(isOnTheIslands)) return refused(OUTSIDE_THE_ISLANDS, table);
  const points = await simplified(read);
  const leg: ExactLeg = { type: 'exact', points, roads: [] };
  const long = tooLong([leg]);
  if (long) return refused(long, table);

  const found = await roadsOfLine(points, table, roads);
  const legs: Leg[] = [{ ...leg, roads: found }];
  const way = wayOf(legs, table);
  if (way.length_km < SHORTEST_KM) return refused(NO_LENGTH, table);
  const problems: RouteProblem[] = roads
    .filter((road) => {
      const chains = [table.chain(road)?.id ?? road, ...table.named(road).map(({ id }) => id)];
      return !found.some((own) => chains.includes(own.road));
    })
    .map((road) => say('done', `We do not find the ${road} along this line.`));
  const words = found.map((road) => roadWords(road, table));
  problems.push(
    words.length > 0
      ? say('understood', `We think this runs on ${words.join(', ')}.`)
      : say('done', 'We find none of the roads that we know along this line.'),
  );
  return { ...way, legs, problems, name: null };
}

const say = (level: RouteProblem['level'], text: string): RouteProblem => ({
  level,
  text,
  at: null,
  repairs: [],
});

const refused = (text: string, table: RoadTable): Resolved => ({
  ...wayOf([], table),
  legs: [],
  problems: [say('stop', text)],
  name: null,
});

/** "M1 J43–J6A southbound", by the nearest junctions. */
function roadWords({ road, lo, hi, sense }: FoundRoad, table: RoadTable): string {
  const chain = table.chain(road);
  if (!chain) return road;
  const ends = sense === 1 ? [lo, hi] : [hi, lo];
  const [from, to] = ends.map((at) => labelOf(chain.waypoints[indexAt(chain, Math.round(at))]!));
  const direction = directionOf(chain, sense, lineBetween(chain, ends[0]!, ends[1]!).points);
  return [chain.road, from === to ? `at ${from}` : `${from}–${to}`, direction && DIRECTION_WORDS[direction]]
    .filter(Boolean)
    .join(' ');
}

/** The points of a line, or of several lines one after the other. Null: fewer than two points. */
function pointsOf({ type, coordinates }: Geometry): LonLat[] | null {
  const lines = type === 'LineString' ? [coordinates] : type === 'MultiLineString' ? coordinates : [];
  const points = lines.flatMap((line) => (Array.isArray(line) ? line.flatMap(pointOf) : []));
  const distinct = points.filter(
    ([longitude, latitude], index) =>
      index === 0 || longitude !== points[index - 1]![0] || latitude !== points[index - 1]![1],
  );
  return distinct.length > 1 ? distinct : null;
}

function pointOf(value: unknown): LonLat[] {
  if (!Array.isArray(value)) return [];
  const [longitude, latitude] = value as unknown[];
  return Number.isFinite(longitude) && Number.isFinite(latitude)
    ? [[longitude as number, latitude as number]] // both are finite numbers
    : [];
}

/** Simplifies to 25 m, in pieces that keep their ends. */
async function simplified(points: readonly LonLat[]): Promise<LonLat[]> {
  const all: LonLat[] = [];
  for (let from = 0; from < points.length - 1; from += POINTS_A_TURN) {
    if (from > 0) await setImmediate();
    const { kx, ky } = rulerAt(points[from]![1]);
    const piece = points.slice(from, from + POINTS_A_TURN + 1).map((point) => ({
      x: point[0] * kx,
      y: point[1] * ky,
      point,
    }));
    const kept = simplify(piece, SIMPLE_KM, true) as typeof piece; // the same objects
    all.push(...kept.slice(all.length > 0 ? 1 : 0).map(({ point }) => point));
  }
  return all.map(([longitude, latitude]) => [rounded(longitude), rounded(latitude)]);
}

const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

// The roads of the table along a line that comes from a file or a router.

const STEP_KM = 0.5;
/** The most samples of a line; a longer line has longer steps. */
const SAMPLES_MAX = 3000;
/** A motorway can be as far as this from the straight line between two of its junctions. */
const OFF_MAX_KM = 2.2;
/** The furthest that a vehicle can go along the road in one step: in intervals, or in kilometres where junctions are
 *  close together. */
const JUMP_MAX = 1.6;
const JUMP_MAX_KM = 1.5;
const GAP_MAX_KM = 2.5;
const RUN_MIN_KM = 2.5;
const RUN_MIN_SPAN = 0.45;
/** The limits for a road that the author has named. */
const NAMED_MIN_KM = 0.5;
const NAMED_MIN_SPAN = 0.05;
/** The largest part of a run that may be on another road as well. */
const OVERLAP_MAX = 0.6;

interface Sample {
  point: LonLat;
  km: number;
}

interface Run {
  chain: Chain;
  isNamed: boolean;
  /** The positions of the first and the last sample. */
  first: number;
  last: number;
  /** By sample: the distance from the road; absent in a gap. */
  offs: Map<number, number>;
  positions: number[];
}

/** In the order of the line. `named`: the roads that its author says it uses. Other work gets its turn between two
 *  roads. */
export async function roadsOfLine(
  points: readonly LonLat[],
  table: RoadTable,
  named: readonly string[] = [],
): Promise<FoundRoad[]> {
  const samples = resampled(points);
  const asked = new Set(named.flatMap((road) => [table.chain(road), ...table.named(road)]));
  const runs: Run[] = [];
  for (const chain of table.chains) {
    const near = samplesNear(chain, samples);
    if (near.length === 0) continue;
    await setImmediate();
    runs.push(...(await runsAlong(chain, samples, near, asked.has(chain))));
  }
  return runs
    .filter((run) => run.isNamed || !runs.some((other) => other !== run && isBetter(other, run)))
    .map((run) => foundRoad(run, samples))
    .toSorted((one, other) => one.from_km - other.from_km || one.to_km - other.to_km);
}

function resampled(points: readonly LonLat[]): Sample[] {
  const steps = points.map((point, index) =>
    index === 0 ? 0 : rulerAt(point[1]).distance(points[index - 1]!, point),
  );
  const length = steps.reduce((sum, step) => sum + step, 0);
  const step = Math.max(STEP_KM, length / SAMPLES_MAX);
  const samples: Sample[] = points[0] ? [{ point: points[0], km: 0 }] : [];
  let km = 0;
  for (const [index, part] of steps.entries()) {
    const [from, to] = [points[index - 1] ?? points[index]!, points[index]!];
    for (let next = samples.at(-1)!.km + step; next <= km + part; next += step) {
      const t = (next - km) / part;
      samples.push({ point: [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])], km: next });
    }
    km += part;
  }
  const end = points.at(-1);
  if (end && km > samples.at(-1)!.km) samples.push({ point: end, km });
  return samples;
}

const boxes = new WeakMap<Chain, readonly [west: number, south: number, east: number, north: number]>();

function boxAround(chain: Chain) {
  const known = boxes.get(chain);
  if (known) return known;
  const points = chain.lines.flatMap((line) => line.points);
  const margin = OFF_MAX_KM / 111;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [longitude, latitude] of points) {
    west = Math.min(west, longitude - margin * 2);
    east = Math.max(east, longitude + margin * 2);
    south = Math.min(south, latitude - margin);
    north = Math.max(north, latitude + margin);
  }
  const box = [west, south, east, north] as const;
  boxes.set(chain, box);
  return box;
}

/** The numbers of the samples in the box around the road. */
function samplesNear(chain: Chain, samples: readonly Sample[]): number[] {
  const [west, south, east, north] = boxAround(chain);
  return samples.flatMap(({ point: [longitude, latitude] }, index) =>
    longitude >= west && longitude <= east && latitude >= south && latitude <= north ? [index] : [],
  );
}

/** This takes some 10 ms. */
const SAMPLES_A_TURN = 500;

async function runsAlong(
  chain: Chain,
  samples: readonly Sample[],
  near: readonly number[],
  isNamed: boolean,
): Promise<Run[]> {
  const runs: Run[] = [];
  const period = periodOf(chain);
  let run: Run | null = null;
  for (const [count, index] of near.entries()) {
    if (count % SAMPLES_A_TURN === SAMPLES_A_TURN - 1) await setImmediate();
    const { point, km } = samples[index]!;
    const found = along(chain, point);
    if (!found || found.off > OFF_MAX_KM) continue;
    const before: number | undefined = run?.positions.at(-1);
    let { at } = found;
    if (period && before !== undefined) at += Math.round((before - at) / period) * period;
    const goesOn: boolean =
      run !== null &&
      km - samples[run.last]!.km <= GAP_MAX_KM &&
      (Math.abs(at - before!) <= JUMP_MAX || intervalKm(chain, at, before!) <= JUMP_MAX_KM);
    if (!run || !goesOn) {
      run = { chain, isNamed, first: index, last: index, offs: new Map(), positions: [] };
      runs.push(run);
    }
    run.last = index;
    run.positions.push(at);
    run.offs.set(index, found.off);
  }
  return runs.filter(({ first, last, positions }) => {
    const span = Math.abs(positions.at(-1)! - positions[0]!); // a run has a sample
    const km = samples[last]!.km - samples[first]!.km;
    return isNamed ? km >= NAMED_MIN_KM && span >= NAMED_MIN_SPAN : km >= RUN_MIN_KM && span >= RUN_MIN_SPAN;
  });
}

/** Along the road, from waypoint to waypoint. */
function intervalKm({ waypoints }: Chain, one: number, other: number): number {
  const count = waypoints.length;
  const pointAt = (at: number): LonLat => waypoints[((Math.round(at) % count) + count) % count]!.point;
  let km = 0;
  const [from, to] = [Math.round(Math.min(one, other)), Math.round(Math.max(one, other))];
  for (let at = from; at < to && km <= JUMP_MAX_KM; at++)
    km += rulerAt(pointAt(at)[1]).distance(pointAt(at), pointAt(at + 1));
  return km;
}

/** Most of the run is also beside the other road, and nearer to it. Roads that its author named are kept. */
function isBetter(other: Run, run: Run): boolean {
  const both = [...run.offs.keys()].filter((index) => other.offs.has(index));
  if (both.length <= run.offs.size * OVERLAP_MAX) return false;
  const mean = ({ offs }: Run) => both.reduce((sum, index) => sum + offs.get(index)!, 0) / both.length;
  return mean(other) < mean(run) || (mean(other) === mean(run) && other.chain.id < run.chain.id);
}

function foundRoad({ chain, first, last, positions }: Run, samples: readonly Sample[]): FoundRoad {
  const [from, to] = [positions[0]!, positions.at(-1)!];
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const ring = periodOf(chain);
  const base = ring ? Math.floor(Math.min(from, to) / ring) * ring : 0;
  return {
    road: chain.id,
    lo: round(Math.min(from, to) - base),
    hi: round(Math.max(from, to) - base),
    sense: to >= from ? 1 : -1,
    from_km: round(samples[first]!.km),
    to_km: round(samples[last]!.km),
  };
}
