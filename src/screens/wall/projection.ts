/** The picture of the UK beside the feeds: an equirectangular projection, with Shetland in a box. */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';

/** In its own units. */
export const PICTURE = { width: 596, height: 1000 } as const;

/** The box of Shetland, at the top right, in the scale of the rest. */
export const SHETLAND_BOX = { x: 474, y: 0, width: 122, height: 140 } as const;
/** Places north of this are in the box. */
export const SHETLAND_FROM = 59.8;

const WEST = -8.4;
const NORTH = 59.82;
const UNITS_PER_LATITUDE = 98.9;
export const UNITS_PER_KM = UNITS_PER_LATITUDE / KM_PER_DEGREE;
/** A degree of longitude is shorter; this is its length in the middle of the country. */
const UNITS_PER_LONGITUDE = UNITS_PER_LATITUDE * Math.cos((54.75 * Math.PI) / 180);
/** How far Shetland is moved into its box. */
const TO_BOX = { x: 112, y: 120 } as const;

export interface Spot {
  x: number;
  y: number;
}

/** The spot of a place, which may be outside the picture. */
export function inPicture({ longitude, latitude }: { longitude: number; latitude: number }): Spot {
  const spot = { x: (longitude - WEST) * UNITS_PER_LONGITUDE, y: (NORTH - latitude) * UNITS_PER_LATITUDE };
  return latitude > SHETLAND_FROM ? { x: spot.x + TO_BOX.x, y: spot.y + TO_BOX.y } : spot;
}

/** Null when the place is not known, or outside the picture. */
export function spotOf({
  longitude,
  latitude,
}: {
  longitude?: number | null;
  latitude?: number | null;
}): Spot | null {
  if (longitude == null || latitude == null) return null;
  const spot = inPicture({ longitude, latitude });
  const isInside = spot.x >= 0 && spot.x <= PICTURE.width && spot.y >= 0 && spot.y <= PICTURE.height;
  return isInside ? spot : null;
}
