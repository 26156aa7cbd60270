/** The shape of an incident, as a GeoJSON geometry (RFC 7946: longitude first). It is kept as text: made once,
 *  stored and sent unchanged, and small in memory. */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import { boundingBox, type BoundingBox, type Point, type Polygon, type Ring } from './geometry.ts';

/** The geometry, and the box around it. WGS84 degrees. */
export interface Shape extends BoundingBox {
  geometry: string;
}

/** About a metre. */
const DECIMALS = 5;
/** Longer geometries are simplified until they fit. */
export const GEOMETRY_MAX_BYTES = 64 * 1024;
/** Areas are drawn no finer than this. */
const AREA_METRES = 100;
const RING_MAX = 400;
/** The most points of a line or ring that are simplified, because the work grows with the square of their number. */
const READ_MAX = 2000;
/** How far a simplified line may be off: a map cannot show less. */
const LINE_METRES = 5;
/** The most points: further stops or ends of stretches do not say more about the place. */
export const POINTS_MAX = 50;
const METRES_PER_DEGREE = KM_PER_DEGREE * 1000;

type Position = [longitude: number, latitude: number];

/** Null when no line has two points. */
export const lineShape = (lines: readonly (readonly Point[])[]): Shape | null =>
  shapeOf((metres) => {
    const parts = lines
      .map((line) => simplified(positions(line), metres))
      .filter((part) => part.length > 1)
      .sort(byText);
    return parts.length === 1
      ? { type: 'LineString', coordinates: parts[0] }
      : parts.length > 1 && { type: 'MultiLineString', coordinates: parts };
  }, LINE_METRES);

/** Simplified at 100 m, with at most 400 points for each ring. Null when no polygon has an area. */
export const areaShape = (polygons: readonly Polygon[]): Shape | null =>
  shapeOf((metres) => {
    const parts = polygons
      .map((polygon) => ringsOf(polygon, metres))
      .filter((rings) => rings.length > 0)
      .sort(byText);
    return parts.length === 1
      ? { type: 'Polygon', coordinates: parts[0] }
      : parts.length > 1 && { type: 'MultiPolygon', coordinates: parts };
  }, AREA_METRES);

/** Null when there is no point. */
export const pointsShape = (points: readonly Point[]): Shape | null =>
  shapeOf(() => {
    const parts = positions(points);
    return parts.length === 1
      ? { type: 'Point', coordinates: parts[0] }
      : parts.length > 1 && { type: 'MultiPoint', coordinates: parts };
  }, 0);

/** Sorts by text, because publishers list the parts of one warning in any order. */
const byText = (one: unknown, other: unknown) => (String(one) < String(other) ? -1 : 1);

const MAP_METRES = 50;
const MAP_METRES_MAX = 5000;

/** A stored line or area for a map with many: coarser until it has at most this many characters. Null for points,
 *  and when it never fits. */
export function drawnWithin(geometry: string, charactersMax: number): Geometry | null {
  const { type, coordinates } = JSON.parse(geometry) as Geometry;
  if (type.endsWith('Point')) return null;
  let drawn = coordinates;
  for (let metres = MAP_METRES; JSON.stringify(drawn).length > charactersMax; metres *= 3) {
    if (metres > MAP_METRES_MAX) return null;
    drawn = COARSER[type as keyof typeof COARSER](drawn as never, metres);
  }
  return { type, coordinates: drawn };
}

const COARSER = {
  LineString: simplified,
  MultiLineString: (lines: Position[][], metres: number) => lines.map((line) => simplified(line, metres)),
  Polygon: (rings: Position[][], metres: number) => coarserArea(rings, metres) ?? rings.slice(0, 1),
  /** Islands too small to be seen are left out. */
  MultiPolygon: (areas: Position[][][], metres: number) => {
    const seen = areas.flatMap((rings) => {
      const area = coarserArea(rings, metres);
      return area ? [area] : [];
    });
    return seen.length > 0 ? seen : areas.slice(0, 1);
  },
};

/** Null when its outer ring has no area left. */
function coarserArea(rings: readonly Position[][], metres: number): Position[][] | null {
  const coarser = rings.map((ring) => coarserRing(ring, metres));
  return coarser[0]!.length > 3 ? coarser.filter((ring) => ring.length > 3) : null;
}

/** A closed ring, simplified in two halves: between a point and itself, every other point would be far away. */
function coarserRing(ring: readonly Position[], metres: number): Position[] {
  const half = Math.floor((ring.length - 1) / 2);
  const there = simplified(ring.slice(0, half + 1), metres);
  const back = simplified(ring.slice(half), metres);
  return [...there, ...back.slice(1)];
}

/** Coarser and coarser until it fits; null when it never does. */
function shapeOf(draw: (metres: number) => object | false, finest: number): Shape | null {
  for (let metres = finest; metres <= 2000; metres = Math.max(1, metres) * 3) {
    const drawn = draw(metres);
    if (!drawn) return null;
    const geometry = JSON.stringify(drawn);
    if (geometry.length <= GEOMETRY_MAX_BYTES)
      return { geometry, ...boxOf(drawn as { coordinates: unknown }) };
  }
  return null;
}

function boxOf({ coordinates }: { coordinates: unknown }): BoundingBox {
  const numbers = (coordinates as unknown[]).flat(3) as number[];
  const points = numbers.flatMap((longitude, at) =>
    at % 2 === 0 ? { longitude, latitude: numbers[at + 1]! } : [],
  );
  return boundingBox(points)!; // a shape has a point
}

/** The positions without repetitions in a row. Of very many, some at equal distances, with both ends. */
function positions(points: readonly Point[]): Position[] {
  const step = Math.max(1, Math.ceil(points.length / READ_MAX));
  const read = points.filter((_, at) => at % step === 0 || at === points.length - 1);
  const rounded = read.map(({ longitude, latitude }): Position => [
    Number(longitude.toFixed(DECIMALS)),
    Number(latitude.toFixed(DECIMALS)),
  ]);
  return rounded.filter(
    (one, at) => at === 0 || one[0] !== rounded[at - 1]![0] || one[1] !== rounded[at - 1]![1],
  );
}

/** The outer ring and its holes, closed. Empty when the outer ring has no area. */
function ringsOf(polygon: Polygon, metres: number): Position[][] {
  const rings = polygon.map((ring) => ringOf(ring, metres));
  return rings[0]?.length ? rings.filter((ring) => ring.length > 0) : [];
}

/** Empty when too little of it is left. */
function ringOf(ring: Ring, finest: number): Position[] {
  const open = positions(ring);
  const [first] = open;
  if (!first) return [];
  const last = open.at(-1)!;
  if (open.length > 1 && first[0] === last[0] && first[1] === last[1]) open.pop();
  if (open.length < 3) return [];
  for (let metres = finest; ; metres *= 1.5) {
    const drawn = coarserRing([...open, first], metres);
    if (drawn.length <= RING_MAX) return drawn.length > 3 ? drawn : [...open.slice(0, 3), first];
  }
}

/** Douglas and Peucker's method: no point that is left out is further than this from the line. Without recursion. */
function simplified(line: readonly Position[], metres: number): Position[] {
  if (line.length < 3) return [...line];
  const wide = METRES_PER_DEGREE * Math.cos((line[0]![1] * Math.PI) / 180);
  const x = (at: number) => line[at]![0] * wide;
  const y = (at: number) => line[at]![1] * METRES_PER_DEGREE;
  const distance = (at: number, from: number, to: number) => {
    const [dx, dy] = [x(to) - x(from), y(to) - y(from)];
    const long = dx * dx + dy * dy;
    const along = long === 0 ? 0 : ((x(at) - x(from)) * dx + (y(at) - y(from)) * dy) / long;
    const t = Math.min(1, Math.max(0, along));
    return Math.hypot(x(at) - x(from) - t * dx, y(at) - y(from) - t * dy);
  };

  const kept = new Set([0, line.length - 1]);
  const spans: [number, number][] = [[0, line.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    let furthest = metres;
    let split = -1;
    for (let at = from + 1; at < to; at++) {
      const off = distance(at, from, to);
      if (off <= furthest) continue;
      furthest = off;
      split = at;
    }
    if (split < 0) continue;
    kept.add(split);
    spans.push([from, split], [split, to]);
  }
  return line.filter((_, at) => kept.has(at));
}
