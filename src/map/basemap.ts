/** The base map below the events: where it starts, community tiles, and the outline for when there are no tiles. */
import type { FeatureCollection } from 'geojson';
import type { Bounds, Point } from '../api/bounds.ts';

/** `zoom` is the specification's: at zoom 0 the world is 256 px wide. */
export interface MapView {
  latitude: number;
  longitude: number;
  zoom: number;
}

/** The middle of the UK. */
export const START_VIEW: MapView = { latitude: 54.5, longitude: -3.2, zoom: 6 };

export const TILE_SIZE_PX = 256;

/** Farther out there is no UK to see; farther in there are no tiles. Zooms are the specification's. */
export const MIN_ZOOM = 4;
export const MAX_ZOOM = 19;

export const TILES = 'tiles';

export interface MapColours {
  sea: string;
  land: string;
  otherLand: string;
  coast: string;
  dark: boolean;
}

/** The style of the map: the sea, the outline, and the tiles above them, muted so that the events stand out. */
export function basemapStyle(
  tileUrl: string,
  outline: FeatureCollection | null,
  { sea, land, otherLand, coast, dark }: MapColours,
) {
  const isUk = ['==', ['get', 'name'], 'United Kingdom'];
  return {
    version: 8 as const,
    sources: {
      [TILES]: { type: 'raster', tiles: tileAddresses(tileUrl), tileSize: TILE_SIZE_PX, maxzoom: MAX_ZOOM },
      ...(outline && { outline: { type: 'geojson', data: outline } }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      ...(outline
        ? [
            {
              id: 'land',
              type: 'fill',
              source: 'outline',
              paint: { 'fill-color': ['case', isUk, land, otherLand] },
            },
            {
              id: 'coast',
              type: 'line',
              source: 'outline',
              paint: { 'line-color': coast, 'line-width': 1.5 },
            },
          ]
        : []),
      {
        id: TILES,
        type: 'raster',
        source: TILES,
        paint: {
          'raster-saturation': -0.85,
          'raster-contrast': -0.1,
          // At night white paper turns dark and black ink light.
          'raster-brightness-min': dark ? 0.45 : 0.08,
          'raster-brightness-max': dark ? 0.04 : 1,
        },
      },
    ],
  };
}

/** The map library needs complete addresses, and does not support `{s}`. */
export function tileAddresses(template: string): string[] {
  const whole = template.startsWith('/') ? `${location.origin}${template}` : template;
  return whole.includes('{s}') ? ['a', 'b', 'c'].map((host) => whole.replace('{s}', host)) : [whole];
}

/** What a map of this size in pixels would show: for the list, where no map can be drawn. */
export function boundsAround({ latitude, longitude, zoom }: MapView, width = 1024, height = 768): Bounds {
  const world = TILE_SIZE_PX * 2 ** zoom;
  const middle = mercator(latitude);
  return {
    north: latitudeAt(middle - height / 2 / world),
    south: latitudeAt(middle + height / 2 / world),
    east: longitude + (width / 2 / world) * 360,
    west: longitude - (width / 2 / world) * 360,
  };
}

const KM_PER_DEGREE = 111.2;

/** A box that contains everything within this many kilometres. */
export function boundsNear({ latitude, longitude }: Point, km: number): Bounds {
  const high = km / KM_PER_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return {
    north: latitude + high,
    south: latitude - high,
    east: longitude + wide,
    west: longitude - wide,
  };
}

/** How far down a square map of the world: 0 at 85° north, 1 at 85° south. */
export const mercator = (latitude: number) =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);

const latitudeAt = (y: number) =>
  (360 / Math.PI) * Math.atan(Math.exp((0.5 - Math.max(0, Math.min(1, y))) * 2 * Math.PI)) - 90;
