/** The line or area of an alert, as maps draw it. Points are drawn as marks, not as geometry. */
import { DEGREE_KM } from '#contract/incidents/disruptions.ts';

type Position = [longitude: number, latitude: number];

export type Drawn =
  | { type: 'MultiLineString'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

/** For each form, the depth of its lists of coordinates, and the form with one more list. */
const FORMS: Readonly<Record<string, { drawn: Drawn['type']; depth: number }>> = {
  LineString: { drawn: 'MultiLineString', depth: 1 },
  MultiLineString: { drawn: 'MultiLineString', depth: 2 },
  Polygon: { drawn: 'MultiPolygon', depth: 2 },
  MultiPolygon: { drawn: 'MultiPolygon', depth: 3 },
};

/** The line or area; null if the alert has none, or one that cannot be drawn. */
export function geometryOf(alert: object): Drawn | null {
  const given = 'geometry' in alert ? alert.geometry : null;
  const { type = '', coordinates } = (given ?? {}) as { type?: string; coordinates?: unknown };
  const form = Object.hasOwn(FORMS, type) ? FORMS[type]! : null;
  if (!form || !isOf(coordinates, form.depth)) return null;
  const { drawn, depth } = form;
  const isMany = depth === (drawn === 'MultiPolygon' ? 3 : 2);
  return { type: drawn, coordinates: isMany ? coordinates : [coordinates] } as Drawn; // its depth was checked
}

const isOf = (value: unknown, depth: number): boolean =>
  Array.isArray(value) &&
  (depth === 0
    ? value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1])
    : value.length > 0 && value.every((part) => isOf(part, depth - 1)));

/** All its positions. */
export const positionsOf = (drawn: Drawn): Position[] =>
  drawn.type === 'MultiLineString' ? drawn.coordinates.flat() : drawn.coordinates.flat(2);

/** The part of the world that a map shows, in WGS84 degrees. */
export interface Bounds {
  north: number;
  south: number;
  east: number;
  west: number;
}

export interface Point {
  latitude: number;
  longitude: number;
}

/** Whether the point is inside. The edges count as inside. */
export const contains = ({ north, south, east, west }: Bounds, { latitude, longitude }: Point) =>
  latitude <= north && latitude >= south && longitude <= east && longitude >= west;

/** Whether the circle of `reachKm` around the point is at least partly inside. */
export const touches = (
  { north, south, east, west }: Bounds,
  { latitude, longitude }: Point,
  reachKm: number,
): boolean => {
  const high = reachKm / DEGREE_KM.latitude;
  const wide = reachKm / DEGREE_KM.longitude;
  return (
    latitude - high <= north &&
    latitude + high >= south &&
    longitude - wide <= east &&
    longitude + wide >= west
  );
};

export const isWithin = (inner: Bounds, outer: Bounds) =>
  inner.north <= outer.north &&
  inner.south >= outer.south &&
  inner.east <= outer.east &&
  inner.west >= outer.west;

export const overlap = (a: Bounds, b: Bounds) =>
  a.south <= b.north && a.north >= b.south && a.west <= b.east && a.east >= b.west;

/**
 * The precision of a query, about ten metres: then the same view makes the same request and finds its stored answer.
 */
const STEPS_PER_DEGREE = 10_000;

/** The bounds for a query: rounded, and clipped to the world when the map is zoomed out further. */
export function boundsQuery({ north, south, east, west }: Bounds): Record<keyof Bounds, number> {
  return {
    north: within(90, north),
    south: within(90, south),
    east: within(180, east),
    west: within(180, west),
  };
}

const within = (most: number, degrees: number) =>
  Math.round(Math.max(-most, Math.min(most, degrees)) * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
