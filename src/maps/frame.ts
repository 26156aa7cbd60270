/** The part of the world that a still map shows, and the positions of things in it. */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import type { CSSProperties } from 'react';

export type LonLat = readonly [longitude: number, latitude: number];

export const TILE_PX = 256;

/** A part of the street maps' world, in pixels of a zoom; at zoom 0 the world is 256 px wide. */
export interface Frame {
  zoom: number;
  /** The pixel of the world in the map's middle, from which positions on the map are counted. */
  left: number;
  top: number;
}

/** The frame with all these points in the middle of a map of this size in pixels, at the nearest whole zoom. */
export function frameAround(
  points: readonly LonLat[],
  { wide, high, nearest, farthest }: { wide: number; high: number; nearest: number; farthest: number },
): Frame {
  const places = points.map((point) => inWorld(point));
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [west, east] = [least(xs), greatest(xs)];
  const [north, south] = [least(ys), greatest(ys)];
  const world = (zoom: number) => TILE_PX * 2 ** zoom;
  let zoom = nearest;
  while (zoom > farthest && ((east - west) * world(zoom) > wide || (south - north) * world(zoom) > high))
    zoom--;
  return { zoom, left: ((west + east) / 2) * world(zoom), top: ((north + south) / 2) * world(zoom) };
}

/** `Math.min` takes numbers as arguments, and there may be too many for that. */
const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
const greatest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));

/** The position on a square map of the world, as shares of its size. */
function inWorld([longitude, latitude]: LonLat): [x: number, y: number] {
  const radians = (latitude * Math.PI) / 180;
  return [(longitude + 180) / 360, (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2];
}

/** The pixels to the right of the frame's origin, and below it. */
export function toPixels(point: LonLat, { zoom, left, top }: Frame): [x: number, y: number] {
  const world = TILE_PX * 2 ** zoom;
  const [x, y] = inWorld(point);
  return [round(x * world - left), round(y * world - top)];
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** The `d` of an SVG path. */
export const pathOf = (lines: readonly (readonly LonLat[])[], frame: Frame, isClosed = false): string =>
  lines
    .map(
      (line) => `M${line.map((point) => toPixels(point, frame).join(' ')).join('L')}${isClosed ? 'Z' : ''}`,
    )
    .join('');

/** The position of an element on the map: `<span {...placed(pixels)}>`. */
export const placed = ([x, y]: readonly [number, number]) => ({
  'data-at': true,
  style: { '--left': `${x}px`, '--top': `${y}px` } as CSSProperties,
});

/** The lines of a geometry, rings included; a point is a line with one point. */
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
  const high = km / KM_PER_DEGREE;
  const wide = high / Math.cos((latitude * Math.PI) / 180);
  return Array.from({ length: 65 }, (_, step) => {
    const angle = (step / 64) * 2 * Math.PI;
    return [longitude + wide * Math.sin(angle), latitude + high * Math.cos(angle)];
  });
}
