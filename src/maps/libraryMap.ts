/** The library's map: only this file makes one, and only this file uses the library's zooms. */
import { backOff } from '#contract/backOff.ts';
import type { FeatureCollection } from 'geojson';
import { type GeoJSONSource, Map as LibraryMap, setWorkerUrl, type StyleSpecification } from 'mapbox-gl';
import workerUrl from 'mapbox-gl/dist/maplibre-gl-worker.mjs?worker&url';
import outline from 'virtual:outline';
import type { Bounds, Point } from '../api/alerts/geometry.ts';
import {
  basemapStyle,
  isSameView,
  type MapColours,
  type MapView,
  MAX_ZOOM,
  MIN_ZOOM,
  rounded,
  SHAPES,
  START_VIEW,
  TILES,
  wholeUk,
} from './basemap.ts';
import { drawSeldom, isDrawnBySoftware } from './softwareDrawing.ts';

// From our own address: by default the library starts it from a `blob:`, which our content policy forbids.
setWorkerUrl(workerUrl);

/** The library's zooms are for tiles of 512 px, the specification's for tiles of 256. */
const ZOOM_OFFSET = 1;

/** The first wait after the network has come back; it is doubled each time up to the longest wait. */
const TILE_RETRY_MS = 5000;
const LONGEST_TILE_RETRY_MS = 30_000;
/** The frame of the map after a movement. `height` in pixels. */
export interface Frame {
  /** START_VIEW while the map still shows the whole UK. */
  view: MapView;
  /** As drawn. */
  zoom: number;
  bounds: Bounds;
  height: number;
}

/** Null if the browser cannot draw it because it has no WebGL2. */
export function newMap(
  element: HTMLElement,
  view: MapView,
  style: StyleSpecification,
  title: string,
): LibraryMap | null {
  try {
    const map = new LibraryMap({
      container: element,
      style,
      ...cameraOf(view, element),
      minZoom: MIN_ZOOM - ZOOM_OFFSET,
      maxZoom: MAX_ZOOM - ZOOM_OFFSET,
      maxPitch: 0,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      renderWorldCopies: false,
      attributionControl: false, // always visible, so the page shows it
      locale: { 'Map.Title': title },
      ...(isDrawnBySoftware() && { pixelRatio: 1, fadeDuration: 0, reduceMotion: true }),
    });
    if (isDrawnBySoftware()) map.once('remove', drawSeldom(map));
    map.keyboard.disableRotation();
    map.touchZoomRotate.disableRotation();
    return map;
  } catch {
    return null;
  }
}

/** The library's camera for a view on a map of this size. */
export function cameraOf(view: MapView, { clientWidth, clientHeight }: HTMLElement) {
  const { latitude, longitude, zoom } = isSameView(view, START_VIEW)
    ? wholeUk(clientWidth, clientHeight)
    : view;
  return { center: [longitude, latitude] as [number, number], zoom: zoom - ZOOM_OFFSET };
}

export function viewOf(map: LibraryMap): MapView {
  const { lat, lng } = map.getCenter();
  const view = rounded({ latitude: lat, longitude: lng, zoom: map.getZoom() + ZOOM_OFFSET });
  const { clientWidth, clientHeight } = map.getContainer();
  return isSameView(view, rounded(wholeUk(clientWidth, clientHeight))) ? START_VIEW : view;
}

export function frameOf(map: LibraryMap): Frame {
  return {
    view: viewOf(map),
    zoom: map.getZoom() + ZOOM_OFFSET,
    bounds: boundsOf(map),
    height: map.getContainer().clientHeight,
  };
}

export function boundsOf(map: LibraryMap): Bounds {
  const bounds = map.getBounds();
  return {
    north: bounds.getNorth(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    west: bounds.getWest(),
  };
}

/** Extended by this share of its size on each side. */
export function widened({ north, south, east, west }: Bounds, part: number): Bounds {
  const height = (north - south) * part;
  const width = (east - west) * part;
  return {
    north: Math.min(85, north + height),
    south: Math.max(-85, south - height),
    east: Math.min(180, east + width),
    west: Math.max(-180, west - width),
  };
}

/** Flies to the point and the zoom, or as close as the map goes. */
export const zoomInto = (map: LibraryMap, { latitude, longitude }: Point, zoom: number) =>
  map.flyTo(cameraOf({ latitude, longitude, zoom: Math.min(zoom, MAX_ZOOM) }, map.getContainer()));

interface Ground {
  tileUrl: string;
  dark: boolean;
  /** Whether the names of towns and motorways are drawn. */
  named: boolean;
  /** The lines and areas of disruptions. */
  shapes: FeatureCollection;
}

export function styleOf(element: HTMLElement, { tileUrl, dark, named, shapes }: Ground): StyleSpecification {
  const tokens = getComputedStyle(element);
  const token = (name: string) => tokens.getPropertyValue(name);
  const colours: MapColours = {
    sea: token('--map-sea'),
    land: token('--map-land'),
    otherLand: token('--map-land-2'),
    coast: token('--map-coast'),
    text: token('--text-2'),
    dark,
    shapes: {
      critical: token('--sev-critical-fill'),
      high: token('--sev-high'),
      medium: token('--sev-medium'),
      low: token('--sev-low'),
      unrated: token('--text-2'),
      ink: token('--line-ink'),
      ground: token('--surface'),
      chosen: token('--sign-yellow'),
    },
  };
  // basemap.ts does not know the library's types.
  return basemapStyle(tileUrl, outline, shapes, colours, {
    fades: !isDrawnBySoftware(),
    named,
  }) as StyleSpecification;
}

/** Draws these lines and areas from now on. */
export function drawShapes(map: LibraryMap, shapes: FeatureCollection): void {
  const draw = () => map.getSource<GeoJSONSource>(SHAPES)?.setData(shapes);
  if (map.getSource(SHAPES)) draw();
  else map.once('style.load', draw); // there are no sources while the context is lost
}

/** Reports whether there is a street map: false when tiles have failed and none has come since the last movement. */
export function watchTiles(map: LibraryMap, show: (isAvailable: boolean) => void): void {
  let hasCome = false;
  map.on('moveend', () => (hasCome = false));
  map.on('error', () => {
    if (!hasCome) show(false); // tiles are all that this map loads
  });
  map.on('data', (event) => {
    if (!('sourceId' in event) || event.sourceId !== TILES) return;
    if (event.tile?.state !== 'loaded') return;
    hasCome = true;
    show(true);
  });
}

/** The library never asks again for a tile that failed. */
export function retryTiles(map: LibraryMap): () => void {
  let failed = false;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout>;
  const retry = () => {
    timer = setTimeout(retry, backOff(tries++, TILE_RETRY_MS, LONGEST_TILE_RETRY_MS));
    if (!failed || !map.getSource(TILES)) return; // there are no sources while the context is lost
    failed = false;
    map.refreshTiles(TILES);
  };
  map.on('error', () => (failed = true)); // tiles are all that this map loads
  const retryNow = () => {
    clearTimeout(timer);
    tries = 0; // tiles requested without a network can fail only now
    retry();
  };
  retryNow();
  window.addEventListener('online', retryNow);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('online', retryNow);
  };
}
