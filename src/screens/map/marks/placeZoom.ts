/** How close the map flies to a place. Zooms are the specification's: at zoom 0 the world is 256 px wide. */
import type { Place } from '../../../api/places/geocode.ts';
import { mercator, TILE_SIZE_PX } from '../../../maps/basemap.ts';

const ZOOM_BY_TYPE: Readonly<Record<string, number>> = {
  city: 11,
  administrative: 11,
  village: 12,
  hamlet: 12,
  postcode: 13,
  suburb: 13,
};
const OTHER_ZOOM = 10;

/** The size of a place decides its zoom, but only between these two. */
const FARTHEST = 8;
const NEAREST = 14;

/** The zoom at which the place's box fits a map of this height, within limits; without a box, its type's zoom. */
export function placeZoom(
  { type, bounding_box: box }: Pick<Place, 'type' | 'bounding_box'>,
  heightPx: number,
) {
  const height = box ? mercator(box.south ?? NaN) - mercator(box.north ?? NaN) : NaN;
  if (!(height > 0)) return ZOOM_BY_TYPE[type ?? ''] ?? OTHER_ZOOM;
  return Math.max(FARTHEST, Math.min(NEAREST, Math.floor(Math.log2(heightPx / (TILE_SIZE_PX * height)))));
}
