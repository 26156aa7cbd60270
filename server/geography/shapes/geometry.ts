/** One point for a shape: the position on the map when a publisher gives an area or a line. WGS84 degrees. */

export interface Point {
  latitude: number;
  longitude: number;
}

export type Ring = readonly Point[];

/** The outer ring first, then its holes. */
export type Polygon = readonly Ring[];

export interface BoundingBox {
  north: number;
  south: number;
  east: number;
  west: number;
}

/** Two numbers as a point; null when they are not a place on Earth. */
export function toPoint(latitude: unknown, longitude: unknown): Point | null {
  const [lat, lon] = [latitude, longitude].map((value) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : value,
  );
  if (typeof lat !== 'number' || typeof lon !== 'number') return null;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { latitude: lat, longitude: lon } : null;
}

/** Null when there are no points. */
export function boundingBox(points: readonly Point[]): BoundingBox | null {
  if (points.length === 0) return null;

  const box = { north: -90, south: 90, east: -180, west: 180 };
  for (const { latitude, longitude } of points) {
    box.north = Math.max(box.north, latitude);
    box.south = Math.min(box.south, latitude);
    box.east = Math.max(box.east, longitude);
    box.west = Math.min(box.west, longitude);
  }
  return box;
}

/** A point inside the largest polygon and outside its holes: its centre of mass if that is inside, otherwise the
 *  middle of the widest stretch across it. Null when no polygon has an area. */
export function pointInside(polygons: readonly Polygon[]): Point | null {
  const largest = polygons
    .filter(([outer]) => outer !== undefined && areaOf(outer) > 0)
    .sort((a, b) => areaOf(b[0]!) - areaOf(a[0]!))[0]; // the filter leaves only polygons with an outer ring
  if (!largest) return null;

  const centre = centreOfMass(largest[0]!);
  return rounded(contains(largest, centre) ? centre : middleOfWidest(largest));
}

/** The point, rounded, because a position within a warning area is accurate to about ten metres at best. */
function rounded({ latitude, longitude }: Point): Point {
  return { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) };
}

/** Twice the signed area in square degrees of longitude at the equator. This is good enough for comparing and
 *  weighting. */
function signedArea(ring: Ring): number {
  return edgesOf(ring).reduce((sum, [a, b]) => sum + cross(ring[0]!, a, b), 0);
}

function areaOf(ring: Ring): number {
  const middle = boundingBox(ring);
  // A degree of longitude becomes shorter towards the pole.
  return middle
    ? Math.abs(signedArea(ring)) * Math.cos((((middle.north + middle.south) / 2) * Math.PI) / 180)
    : 0;
}

function centreOfMass(ring: Ring): Point {
  const origin = ring[0]!;
  const area = signedArea(ring);
  let latitude = 0;
  let longitude = 0;
  for (const [a, b] of edgesOf(ring)) {
    const weight = cross(origin, a, b);
    latitude += (a.latitude + b.latitude + origin.latitude) * weight;
    longitude += (a.longitude + b.longitude + origin.longitude) * weight;
  }
  return { latitude: latitude / (3 * area), longitude: longitude / (3 * area) };
}

/** The edges. Rings may or may not repeat their first point at the end; both are closed. */
function edgesOf(ring: Ring): (readonly [Point, Point])[] {
  return ring.map((point, at) => [point, ring[(at + 1) % ring.length]!] as const);
}

function cross(origin: Point, a: Point, b: Point): number {
  return (
    (a.longitude - origin.longitude) * (b.latitude - origin.latitude) -
    (b.longitude - origin.longitude) * (a.latitude - origin.latitude)
  );
}

/** Counts crossings of all rings at once: a line from a point in a hole crosses twice. */
function contains(polygon: Polygon, point: Point): boolean {
  return (
    crossings(polygon, point.latitude).filter((longitude) => longitude > point.longitude).length % 2 === 1
  );
}

/** The longitudes at which a parallel crosses the rings, from west to east. */
function crossings(polygon: Polygon, latitude: number): number[] {
  return polygon
    .flatMap(edgesOf)
    .filter(([a, b]) => a.latitude > latitude !== b.latitude > latitude)
    .map(
      ([a, b]) =>
        a.longitude + ((latitude - a.latitude) / (b.latitude - a.latitude)) * (b.longitude - a.longitude),
    )
    .sort((a, b) => a - b);
}

const PARALLELS = 32;

function middleOfWidest(polygon: Polygon): Point {
  const box = boundingBox(polygon[0]!)!; // only called for a polygon with an area
  let best = { latitude: polygon[0]![0]!.latitude, longitude: polygon[0]![0]!.longitude };
  let widest = 0;
  for (let step = 1; step < PARALLELS; step++) {
    const latitude = box.south + ((box.north - box.south) * step) / PARALLELS;
    const found = crossings(polygon, latitude);
    for (let at = 0; at + 1 < found.length; at += 2) {
      const [west, east] = [found[at]!, found[at + 1]!];
      if (east - west <= widest) continue;
      widest = east - west;
      best = { latitude, longitude: (west + east) / 2 };
    }
  }
  return best;
}
