/** The outline of an area: whether it can be watched, and the points around it. */
import Flatbush from 'flatbush';
import { z } from 'zod';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import { isOnTheIslands, OUTSIDE_THE_ISLANDS, Position, WATCH_LIMITS } from '#contract/watches/watches.ts';
import { rulerAt, type LonLat } from '../../geography/roads/roadTable.ts';

const RADIUS_MIN_M = 1000;
/** The points of a circle's outline. */
const CIRCLE_POINTS = 32;

const Circle = z.object({ type: z.literal('Point'), coordinates: Position });
const Polygon = z.object({ type: z.literal('Polygon'), coordinates: z.tuple([z.array(Position)]) });

const NO_AREA =
  'An area is a Point with reach_m as its radius, or a Polygon with one outline, in degrees, longitude first.';
const RADIUS = 'The circle of an area has a radius from 1 to 50 km.';
const TOO_FEW = 'The outline of an area needs three points that are not on one line.';
const OPEN = 'The outline of an area ends where it begins.';

export type Outline = { points: LonLat[] } | { problem: string };

/** Fault of the area, in a sentence, or the points around it. */
export function outlineOf(geometry: Geometry | null, reachM: number | null): Outline {
  const circle = Circle.safeParse(geometry);
  if (circle.success) {
    const centre = circle.data.coordinates as LonLat;
    if (!isOnTheIslands(centre)) return { problem: OUTSIDE_THE_ISLANDS };
    if (reachM === null || reachM < RADIUS_MIN_M) return { problem: RADIUS };
    return { points: around(centre, reachM / 1000) };
  }
  // Counted before it is read: what is too long costs nothing.
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
export function storedOutline({ type, coordinates }: Geometry, reachM: number | null): LonLat[] {
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

/** The points, from 1, at which the two edges begin that cross; null: none do. Edges that share a point meet there. */
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

/** Also where one only touches the other. */
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
