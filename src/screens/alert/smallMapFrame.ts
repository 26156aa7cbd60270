/** Frame of a still map: its middle and its zoom, and where a place lies on it. */
import type { Position } from '../../maps/land/ownDrawing.ts';

const TILE_PX = 256;
/** The narrowest figure, with room at its edges. */
const FITS_PX = { wide: 270, high: 170 };
/** Half of the narrowest figure. */
const HALF_PX = { wide: 175, high: 135 };
const FARTHEST_ZOOM = 4;

export interface Frame {
  /** As street maps count: at zoom 0 the world is 256 px wide. */
  zoom: number;
  /** Its middle, in tiles of this zoom. */
  column: number;
  row: number;
  /** Extent of the usual figure, in pixels from its middle. */
  halfWidth: number;
  halfHeight: number;
}

/** All of these in the middle of the figure, no closer than `most`. */
export function frameAround(positions: readonly Position[], most: number): Frame {
  const places = positions.map(inWorld);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [west, east] = [least(xs), greatest(xs)];
  const [north, south] = [least(ys), greatest(ys)];
  let zoom = most;
  const isTooLarge = () =>
    (east - west) * TILE_PX * 2 ** zoom > FITS_PX.wide ||
    (south - north) * TILE_PX * 2 ** zoom > FITS_PX.high;
  while (zoom > FARTHEST_ZOOM && isTooLarge()) zoom--;
  const tiles = 2 ** zoom;
  return {
    zoom,
    column: ((west + east) / 2) * tiles,
    row: ((north + south) / 2) * tiles,
    halfWidth: HALF_PX.wide,
    halfHeight: HALF_PX.high,
  };
}

/** Without a call of as many arguments as there are numbers. */
const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b));
const greatest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b));

/** In parts of a square map of the world. */
function inWorld([longitude, latitude]: Position): [x: number, y: number] {
  const radians = (latitude * Math.PI) / 180;
  return [(longitude + 180) / 360, (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2];
}

/** How many pixels right of the middle, and below it. */
export function toPixels(position: Position, { zoom, column, row }: Frame): [x: number, y: number] {
  const tiles = 2 ** zoom;
  const [x, y] = inWorld(position);
  return [round((x * tiles - column) * TILE_PX), round((y * tiles - row) * TILE_PX)];
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** The `d` of an SVG path. */
export const pathOf = (lines: readonly (readonly Position[])[], frame: Frame, isClosed = false): string =>
  lines
    .map(
      (line) =>
        `M${line.map((position) => toPixels(position, frame).join(' ')).join('L')}${isClosed ? 'Z' : ''}`,
    )
    .join('');
