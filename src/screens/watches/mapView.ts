/** Where things lie on a still map: the street maps' projection, in pixels of a zoom. */
import type { Geometry } from '#contract/incidents/disruptions.ts';

export type LonLat = readonly [longitude: number, latitude: number];

export const TILE_PX = 256;
const FARTHEST = 5;
const NEAREST = 13;
const CLOSER = 12;
const MARGIN_PX = 36;

export interface MapFrame {
  /** As street maps count. */
  zoom: number;
  /** The world's pixel in the upper left corner. */
  left: number;
  top: number;
}

/** The pixel of a world that is 256 px wide at zoom 0. */
export function pixel([longitude, latitude]: LonLat, zoom: number): [x: number, y: number] {
  const world = TILE_PX * 2 ** zoom;
  const radians = (latitude * Math.PI) / 180;
  return [((longitude + 180) / 360) * world, ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * world];
}

/** The nearest whole zoom at which all these points are on a map of this size. */
export function frameAround(points: readonly LonLat[], width: number, height: number): MapFrame {
  for (let zoom = NEAREST; zoom > FARTHEST; zoom--) {
    const frame = frameAt(points, zoom, width, height);
    const places = points.map((point) => pixel(point, zoom));
    const isInside = places.every(
      ([x, y]) =>
        x - frame.left >= MARGIN_PX &&
        y - frame.top >= MARGIN_PX &&
        x - frame.left <= width - MARGIN_PX &&
        y - frame.top <= height - MARGIN_PX,
    );
    if (isInside) return frame;
  }
  return frameAt(points, FARTHEST, width, height);
}

/** One point in the middle, as near as a driver needs it. */
export const frameCloser = (point: LonLat, width: number, height: number): MapFrame =>
  frameAt([point], CLOSER, width, height);

function frameAt(points: readonly LonLat[], zoom: number, width: number, height: number): MapFrame {
  const places = points.map((point) => pixel(point, zoom));
  const middle = (axis: 0 | 1) => {
    const values = places.map((place) => place[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { zoom, left: Math.round(middle(0) - width / 2), top: Math.round(middle(1) - height / 2) };
}

/** The lines of a geometry, rings included; a point is a line of one. */
export function linesOf(geometry: Geometry | null | undefined): LonLat[][] {
  if (!geometry) return [];
  const { coordinates } = geometry;
  switch (geometry.type) {
    case 'Point':
      return [[coordinates as unknown as LonLat]];
    case 'MultiPoint':
      return (coordinates as LonLat[]).map((point) => [point]);
    case 'LineString':
      return [coordinates as LonLat[]];
    case 'MultiLineString':
    case 'Polygon':
      return coordinates as LonLat[][];
    case 'MultiPolygon':
      return (coordinates as LonLat[][][]).flat();
  }
}

export const isArea = ({ type }: Geometry): boolean => type === 'Polygon' || type === 'MultiPolygon';

/** A circle as a ring of points. */
export function ring([longitude, latitude]: LonLat, km: number): LonLat[] {
  const high = km / 111.2;
  const wide = high / Math.cos((latitude * Math.PI) / 180);
  return Array.from({ length: 65 }, (_, step) => {
    const angle = (step / 64) * 2 * Math.PI;
    return [longitude + wide * Math.sin(angle), latitude + high * Math.cos(angle)];
  });
}
