/** The base map below the events: its first view, community tiles, and the outline for times without tiles. */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import type { FeatureCollection } from 'geojson';
import type { Bounds, Point } from '../api/alerts/geometry.ts';
import { shapeLayers, type ShapeColours } from './shapes.ts';
import { ROADS, TOWNS } from './land/ownDrawing.ts';

/** `zoom` as in the specification: at zoom 0 the world is 256 px wide. */
export interface MapView {
  latitude: number;
  longitude: number;
  zoom: number;
}

/** The middle of the UK. This view stands for the whole UK: if the map is too small to show all of it at this zoom,
 *  it shows the UK from farther away (`wholeUk`). */
export const START_VIEW: MapView = { latitude: 54.5, longitude: -3.2, zoom: 6 };

/** From Scilly to Shetland, from Fermanagh to Lowestoft. */
const UK: Bounds = { north: 60.87, south: 49.86, east: 1.77, west: -8.18 };
/** The attribution can be on the lower edge. */
const UK_MARGIN_PX = { top: 10, bottom: 30, sides: 10 };

/** The view that has the whole UK on a map of this size in pixels. */
export function wholeUk(width: number, height: number): MapView {
  const [top, bottom] = [mercator(UK.north), mercator(UK.south)];
  const { top: above, bottom: below, sides } = UK_MARGIN_PX;
  const fits = Math.min(
    (height - above - below) / (bottom - top),
    (width - 2 * sides) / ((UK.east - UK.west) / 360),
  );
  const zoom = Math.max(MIN_ZOOM, Math.min(START_VIEW.zoom, Math.log2(Math.max(1, fits) / TILE_SIZE_PX)));
  const world = TILE_SIZE_PX * 2 ** zoom;
  return {
    latitude: latitudeAt((top + bottom) / 2 + (below - above) / 2 / world),
    longitude: (UK.east + UK.west) / 2,
    zoom,
  };
}

export const isSameView = (a: MapView, b: MapView) =>
  a.latitude === b.latitude && a.longitude === b.longitude && a.zoom === b.zoom;

export const rounded = ({ latitude, longitude, zoom }: MapView): MapView => ({
  latitude: Math.round(latitude * 1e5) / 1e5,
  longitude: Math.round(longitude * 1e5) / 1e5,
  zoom: Math.round(zoom * 100) / 100,
});

export const TILE_SIZE_PX = 256;

/** At smaller zooms the UK cannot be seen; at larger zooms there are no tiles. Zooms are the specification's. */
export const MIN_ZOOM = 4;
export const MAX_ZOOM = 19;

export const TILES = 'tiles';
/** The lines and areas of disruptions. */
export const SHAPES = 'shapes';

export interface MapColours {
  sea: string;
  land: string;
  otherLand: string;
  coast: string;
  text: string;
  dark: boolean;
  shapes: ShapeColours;
}

/** The style of the map: the sea, the outline and the motorways; the tiles above them, in muted colours so that the
 *  events are easy to see; and the disruptions' lines and areas. Names are drawn only if there are no tiles, which
 *  have names: drawing letters costs time. */
export function basemapStyle(
  tileUrl: string,
  outline: FeatureCollection | null,
  shapes: FeatureCollection,
  { sea, land, otherLand, coast, text, dark, shapes: colours }: MapColours,
  { fades = true, named = false } = {},
) {
  const visibility = named ? ('visible' as const) : ('none' as const);
  const paint = { 'text-color': text, 'text-halo-color': land, 'text-halo-width': 1.5 };
  const isUk = ['==', ['get', 'name'], 'United Kingdom'];
  return {
    version: 8 as const,
    sources: {
      [TILES]: { type: 'raster', tiles: tileAddresses(tileUrl), tileSize: TILE_SIZE_PX, maxzoom: MAX_ZOOM },
      ...(outline && { outline: { type: 'geojson', data: outline } }),
      roads: { type: 'geojson', data: ROAD_LINES },
      towns: { type: 'geojson', data: TOWN_POINTS },
      [SHAPES]: { type: 'geojson', data: shapes },
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
        id: 'roads',
        type: 'line',
        source: 'roads',
        layout: { 'line-join': 'round', 'line-cap': 'round' },
        paint: { 'line-color': coast, 'line-width': 2, 'line-opacity': 0.7 },
      },
      {
        id: 'road names',
        type: 'symbol',
        source: 'roads',
        minzoom: 5,
        layout: {
          visibility,
          'symbol-placement': 'line',
          'symbol-spacing': 350,
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 12,
          'text-rotation-alignment': 'viewport',
        },
        paint,
      },
      {
        id: 'towns',
        type: 'symbol',
        source: 'towns',
        // The library's zooms are for larger tiles.
        filter: ['<=', ['get', 'from'], ['+', ['zoom'], 1.3]],
        layout: {
          visibility,
          'symbol-sort-key': ['get', 'from'],
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 14,
          'text-padding': 6,
        },
        paint,
      },
      {
        id: TILES,
        type: 'raster',
        source: TILES,
        paint: {
          'raster-saturation': -0.85,
          'raster-contrast': -0.1,
          // At night the white of the tiles becomes dark, and the black becomes light.
          'raster-brightness-min': dark ? 0.45 : 0.08,
          'raster-brightness-max': dark ? 0.04 : 1,
          ...(!fades && { 'raster-fade-duration': 0 }),
        },
      },
      ...shapeLayers(SHAPES, colours),
    ],
  };
}

/** Drawn by the browser from its own fonts: nothing is downloaded. */
const FONT = ['sans-serif'];

const collection = (features: FeatureCollection['features']): FeatureCollection => ({
  type: 'FeatureCollection',
  features,
});
const TOWN_POINTS = collection(
  TOWNS.map(({ name, at, from }) => ({
    type: 'Feature',
    properties: { name, from },
    geometry: { type: 'Point', coordinates: at },
  })),
);
const ROAD_LINES = collection(
  ROADS.map(({ name, line }) => ({
    type: 'Feature',
    properties: { name },
    geometry: { type: 'LineString', coordinates: line },
  })),
);

/** The map library needs complete addresses, and does not support `{s}`. */
export function tileAddresses(template: string): string[] {
  const whole = template.startsWith('/') ? `${location.origin}${template}` : template;
  return whole.includes('{s}') ? ['a', 'b', 'c'].map((host) => whole.replace('{s}', host)) : [whole];
}

/** The bounds that a map of this size in pixels would show: for the list, if no map can be drawn. */
export function boundsAround(view: MapView, width = 1024, height = 768): Bounds {
  const { latitude, longitude, zoom } = isSameView(view, START_VIEW) ? wholeUk(width, height) : view;
  const world = TILE_SIZE_PX * 2 ** zoom;
  const middle = mercator(latitude);
  return {
    north: latitudeAt(middle - height / 2 / world),
    south: latitudeAt(middle + height / 2 / world),
    east: longitude + (width / 2 / world) * 360,
    west: longitude - (width / 2 / world) * 360,
  };
}

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

/** The position from top to bottom on a square map of the world: 0 at 85° north, 1 at 85° south. */
export const mercator = (latitude: number) =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);

const latitudeAt = (y: number) =>
  (360 / Math.PI) * Math.atan(Math.exp((0.5 - Math.max(0, Math.min(1, y))) * 2 * Math.PI)) - 90;
