/** From a file's line to a leg with the roads that it runs along, to confirm. Nothing is stored. */
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
import { DIRECTION_WORDS } from '../../geography/roads/incidentPlace.ts';
import {
  labelOf,
  lineBetween,
  roadTable,
  rulerAt,
  type LonLat,
  type RoadTable,
} from '../../geography/roads/roadTable.ts';
import { roadsOfLine } from './roadsOfLine.ts';
import { directionOf, indexAt, NO_LENGTH, SHORTEST_KM, wayOf } from '../../geography/roads/routeWay.ts';

export const NO_LINE = 'This file holds no track or line that we can read.';

/** Nothing is lost that matters to a road. */
const SIMPLE_KM = 0.025;
/** The work grows with the square of the points. */
const POINTS_A_TURN = 1000;

/** `roads`: those that its author says it uses. In steps of some milliseconds, between which others get their turn. */
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

/** The way along a line, or along several one after the other. Null: no two points. */
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

/** To 25 m, in pieces that keep their ends. */
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
