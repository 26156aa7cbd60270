/** The map itself: the only file that creates a map of the library, and the only one that counts zooms as it does. */
import 'mapbox-gl/dist/maplibre-gl.css';
import { backOff } from '#contract/backOff.ts';
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import { Map as LibraryMap, setWorkerUrl, type StyleSpecification } from 'mapbox-gl';
import workerUrl from 'mapbox-gl/dist/maplibre-gl-worker.mjs?worker&url';
import {
  memo,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import outline from 'virtual:outline';
import type { Bounds, Point } from '../api/bounds.ts';
import type { MapEvent } from '../api/events.ts';
import { gradeOf } from '../feeds/alerts.ts';
import { Severity } from '../ui/Severity.tsx';
import { basemapStyle, type MapColours, MAX_ZOOM, MIN_ZOOM, TILES, type MapView } from './basemap.ts';
import { clusters, inReadingOrder, type Mark, offNumerals } from './clusters.ts';
import styles from './EventMap.module.css';
import { eventInWords } from './eventWords.ts';
import { incidentInWords } from './incidentWords.ts';
import { type MarkKeys, useRovingFocus } from './markKeys.ts';
import { isSameView, rounded } from './mapFilters.ts';
import { Placed, sideOf } from './Placed.tsx';
import type { Incident } from './useIncidents.ts';

// From our own address: by default the library starts it from a `blob:`, which our content policy forbids.
setWorkerUrl(workerUrl);

/** The library counts zooms by tiles of 512 px, the specification by tiles of 256. */
const ZOOM_OFFSET = 1;

/** Marks are made this share of the view beyond it on each side, so that a pan finds them in place. */
const MARGIN = 1 / 4;
/** After a pan of this share, marks are made again during the movement; the rest of the margin gives time for it. */
const ALLOWANCE = 1 / 8;

/** The first wait after the network has come back; doubled each time up to the longest. */
const TILE_RETRY_MS = 5000;
const LONGEST_TILE_RETRY_MS = 30_000;
/** How long the browser has to restore a lost drawing context before a new map is made. */
const CONTEXT_PATIENCE_MS = 4000;

/** The worst severity is on top. */
const LEVELS = { events: 1, unrated: 2, low: 2, medium: 3, high: 4, critical: 5, selected: 6, popup: 7 };

/** What the map shows after a movement. `height` in pixels. */
export interface Frame {
  view: MapView;
  bounds: Bounds;
  height: number;
}

interface MapProps {
  /** The map flies there when this changes to a view that it does not show already. */
  view: MapView;
  tileUrl: string;
  events: readonly MapEvent[];
  incidents: readonly Incident[];
  /** The id of a performance or of an incident. */
  selected: string | null;
  popup: { at: Point; content: ReactNode } | null;
  onMoved: (frame: Frame) => void;
  onSelectEvent: (performance: string) => void;
  onSelectIncident: (id: string) => void;
  /** A cluster was opened that no zoom can split: its events are all in one place. */
  onOpenPlace: (performances: string[]) => void;
  /** This browser cannot draw a map. */
  onUnavailable: () => void;
}

/** A map, replaced by a new one when the browser stops drawing it and does not resume. */
export function EventMap(props: MapProps) {
  const [generation, setGeneration] = useState(0);
  return <DrawnMap key={generation} {...props} onGone={() => setGeneration(generation + 1)} />;
}

function DrawnMap({
  view,
  tileUrl,
  events,
  incidents,
  selected,
  popup,
  onMoved,
  onSelectEvent,
  onSelectIncident,
  onOpenPlace,
  onUnavailable,
  onGone,
}: MapProps & { onGone: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  const { map, frame, isLost } = useMap(container, { view, tileUrl, onMoved, onUnavailable, onGone });
  const index = useMemo(() => clusters(events), [events]);
  const marks = useMemo(
    () => (frame ? inReadingOrder(index.within(widened(frame.bounds, MARGIN), frame.view.zoom)) : []),
    [index, frame],
  );
  const shifts = useMemo(
    () =>
      new Map(
        incidents.map(({ alert, at }) => [
          alert.event_id,
          offNumerals(at, marks, frame?.view.zoom ?? MIN_ZOOM),
        ]),
      ),
    [incidents, marks, frame],
  );
  const { current, keys } = useRovingFocus(container, map, marks.length + incidents.length);

  // Kept the same function for as long as possible: a new one renders hundreds of marks again.
  const open = useCallback(
    (mark: Mark) => {
      if (mark.kind === 'event') return onSelectEvent(mark.id);
      const zoom = mark.partsAt();
      if (zoom === null) return onOpenPlace(mark.members());
      map?.flyTo({ center: [mark.longitude, mark.latitude], zoom: Math.min(zoom, MAX_ZOOM) - ZOOM_OFFSET });
    },
    [map, onSelectEvent, onOpenPlace],
  );

  return (
    <>
      <div ref={container} className={styles.map} />
      {map &&
        createPortal(
          <>
            {marks.map((mark, order) => (
              <EventMark
                key={mark.id}
                map={map}
                mark={mark}
                order={order}
                isCurrent={order === current}
                isSelected={
                  selected !== null &&
                  (mark.kind === 'cluster' ? mark.members().includes(selected) : mark.id === selected)
                }
                keys={keys}
                onOpen={open}
              />
            ))}
            {incidents.map((incident, order) => {
              const { event_id: id } = incident.alert;
              return (
                <Placed
                  key={id}
                  map={map}
                  at={incident.at}
                  shift={shifts.get(id)}
                  level={selected === id ? LEVELS.selected : LEVELS[gradeOf(incident.alert)]}
                >
                  <button
                    type="button"
                    className={styles.incident}
                    data-fresh={incident.staleSince ? 'stale' : undefined}
                    data-selected={selected === id || undefined}
                    aria-pressed={selected === id}
                    aria-label={incidentInWords(incident)}
                    data-order={marks.length + order}
                    tabIndex={marks.length + order === current ? 0 : -1}
                    {...keys}
                    onClick={() => onSelectIncident(id)}
                  >
                    <Severity grade={gradeOf(incident.alert)} wordless />
                  </button>
                </Placed>
              );
            })}
            {popup && (
              <Placed
                map={map}
                at={popup.at}
                shift={shifts.get(selected ?? '')}
                level={LEVELS.popup}
                beside={sideOf(map, popup.at)}
              >
                <div
                  className={styles.popup}
                  data-side={sideOf(map, popup.at)}
                  role="dialog"
                  aria-label="Selected event"
                >
                  {popup.content}
                </div>
              </Placed>
            )}
          </>,
          map.getCanvasContainer(),
        )}
      {isLost && (
        <p className={styles.lost} role="status">
          The browser stopped drawing the map. It is being drawn again.
        </p>
      )}
      <div className={styles.zoom}>
        <button type="button" aria-label="Zoom in" onClick={() => map?.zoomIn()}>
          <PlusIcon weight="bold" aria-hidden />
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => map?.zoomOut()}>
          <MinusIcon weight="bold" aria-hidden />
        </button>
      </div>
    </>
  );
}

/** An event, or a cluster of events. Memoised, because most do not change when the rest of the map does. */
const EventMark = memo(function EventMark({
  map,
  mark,
  order,
  isCurrent,
  isSelected,
  keys,
  onOpen,
}: {
  map: LibraryMap;
  mark: Mark;
  order: number;
  isCurrent: boolean;
  isSelected: boolean;
  keys: MarkKeys;
  onOpen: (mark: Mark) => void;
}) {
  return (
    <Placed map={map} at={mark} level={isSelected ? LEVELS.selected : LEVELS.events}>
      <button
        type="button"
        className={mark.kind === 'cluster' ? styles.cluster : styles.event}
        data-size={mark.kind === 'cluster' ? mark.size : undefined}
        data-selected={isSelected || undefined}
        aria-pressed={mark.kind === 'event' ? isSelected : undefined}
        aria-label={labelOf(mark)}
        data-order={order}
        tabIndex={isCurrent ? 0 : -1}
        {...keys}
        onClick={() => onOpen(mark)}
      >
        {mark.kind === 'cluster' && <span>{mark.count}</span>}
      </button>
    </Placed>
  );
});

/** Makes the map, reports its movements, and keeps it going through lost contexts and networks and theme changes. */
function useMap(
  container: React.RefObject<HTMLDivElement | null>,
  {
    view,
    tileUrl,
    onMoved,
    onUnavailable,
    onGone,
  }: Pick<MapProps, 'view' | 'tileUrl' | 'onMoved' | 'onUnavailable'> & { onGone: () => void },
): { map: LibraryMap | null; frame: Frame | null; isLost: boolean } {
  const [map, setMap] = useState<LibraryMap | null>(null);
  const [frame, setFrame] = useState<Frame | null>(null);
  const [isLost, setLost] = useState(false);
  const isDark = useDarkTheme();

  const make = useEffectEvent((element: HTMLDivElement) => {
    try {
      return new LibraryMap({
        container: element,
        style: styleOf(element, tileUrl, isDark),
        ...cameraOf(view),
        minZoom: MIN_ZOOM - ZOOM_OFFSET,
        maxZoom: MAX_ZOOM - ZOOM_OFFSET,
        maxPitch: 0,
        dragRotate: false,
        pitchWithRotate: false,
        touchPitch: false,
        renderWorldCopies: false,
        attributionControl: false, // always visible, so the page shows it
        locale: { 'Map.Title': 'Map of events' },
      });
    } catch {
      return null; // no WebGL2
    }
  });
  const moved = useEffectEvent((next: Frame) => {
    startTransition(() => setFrame(next)); // marks are made in slices, between frames
    onMoved(next);
  });
  const unavailable = useEffectEvent(onUnavailable);
  const gone = useEffectEvent(onGone);

  useEffect(() => {
    const made = make(container.current!); // the container exists while this component does
    if (!made) return unavailable();

    made.keyboard.disableRotation();
    made.touchZoomRotate.disableRotation();
    let last = { zoom: made.getZoom(), bounds: boundsOf(made) };
    made.on('moveend', () => {
      last = { zoom: made.getZoom(), bounds: boundsOf(made) };
      moved(frameOf(made));
    });
    made.on('move', () => {
      // Clusters split during the movement, not only at its end, and a long pan does not reach a part without marks.
      const next = { zoom: made.getZoom(), bounds: boundsOf(made) };
      const isAsBefore = Math.floor(next.zoom) === Math.floor(last.zoom);
      if (isAsBefore && isWithin(next.bounds, widened(last.bounds, ALLOWANCE))) return;
      last = next;
      startTransition(() => setFrame(frameOf(made)));
    });

    let patience: ReturnType<typeof setTimeout> | undefined;
    made.on('webglcontextlost', () => {
      setLost(true);
      patience = setTimeout(() => gone(), CONTEXT_PATIENCE_MS);
    });
    made.on('webglcontextrestored', () => {
      clearTimeout(patience);
      setLost(false);
    });

    const stopRetrying = retryTiles(made);
    // oxlint-disable-next-line react/set-state-in-effect -- the map needs its container first
    setMap(made);
    moved(frameOf(made));
    return () => {
      clearTimeout(patience);
      stopRetrying();
      setMap(null);
      made.remove();
    };
  }, [container]);

  const drawn = useRef({ map, tileUrl, isDark });
  useEffect(() => {
    const before = drawn.current;
    drawn.current = { map, tileUrl, isDark };
    if (!map || before.map !== map) return; // a new map has its style already
    map.setStyle(styleOf(map.getContainer(), tileUrl, isDark));
  }, [map, tileUrl, isDark]);

  useEffect(() => {
    // Under reduced motion the library jumps instead of flying.
    if (map && !isSameView(viewOf(map), view)) map.flyTo(cameraOf(view));
  }, [map, view]);

  return { map, frame, isLost };
}

/** The library never asks again for a tile that failed. */
function retryTiles(map: LibraryMap): () => void {
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

const cameraOf = ({ latitude, longitude, zoom }: MapView) => ({
  center: [longitude, latitude] as [number, number],
  zoom: zoom - ZOOM_OFFSET,
});

function viewOf(map: LibraryMap): MapView {
  const { lat, lng } = map.getCenter();
  return rounded({ latitude: lat, longitude: lng, zoom: map.getZoom() + ZOOM_OFFSET });
}

function frameOf(map: LibraryMap): Frame {
  return { view: viewOf(map), bounds: boundsOf(map), height: map.getContainer().clientHeight };
}

function boundsOf(map: LibraryMap): Bounds {
  const bounds = map.getBounds();
  return {
    north: bounds.getNorth(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    west: bounds.getWest(),
  };
}

/** Extended by this share of its size on each side. */
function widened({ north, south, east, west }: Bounds, part: number): Bounds {
  const height = (north - south) * part;
  const width = (east - west) * part;
  return {
    north: Math.min(85, north + height),
    south: Math.max(-85, south - height),
    east: Math.min(180, east + width),
    west: Math.max(-180, west - width),
  };
}

const isWithin = (inner: Bounds, outer: Bounds) =>
  inner.north <= outer.north &&
  inner.south >= outer.south &&
  inner.east <= outer.east &&
  inner.west >= outer.west;

function styleOf(element: HTMLElement, tileUrl: string, dark: boolean): StyleSpecification {
  const tokens = getComputedStyle(element);
  const colours: MapColours = {
    sea: tokens.getPropertyValue('--map-sea'),
    land: tokens.getPropertyValue('--map-land'),
    otherLand: tokens.getPropertyValue('--map-land-2'),
    coast: tokens.getPropertyValue('--map-coast'),
    dark,
  };
  // basemap.ts does not know the library's types.
  return basemapStyle(tileUrl, outline, colours) as StyleSpecification;
}

function useDarkTheme(): boolean {
  return useSyncExternalStore(watchTheme, () =>
    getComputedStyle(document.documentElement).colorScheme.includes('dark'),
  );
}

function watchTheme(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function labelOf(mark: Mark): string {
  if (mark.kind === 'event') return eventInWords(mark.event);
  return `${mark.count} events, ${mark.partsAt() === null ? 'list them' : 'zoom in'}`;
}
