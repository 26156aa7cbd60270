import type { FeatureCollection } from 'geojson';
import type { Map as LibraryMap } from 'mapbox-gl';
import { startTransition, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { isWithin } from '../api/alerts/geometry.ts';
import { isSameView, type MapView, START_VIEW } from './basemap.ts';
import {
  cameraOf,
  drawShapes,
  type Frame,
  frameOf,
  newMap,
  retryTiles,
  styleOf,
  viewOf,
  watchTiles,
  widened,
} from './libraryMap.ts';

/** After a pan of this share of the map, marks are made again during the movement; the rest of the margin leaves
 *  time for this. */
const ALLOWANCE = 1 / 8;

/** The map waits this long for its first tile before it draws the names of towns itself. */
const TILE_PATIENCE_MS = 1000;

/** How long the browser has to restore a lost drawing context before a new map is made. */
const CONTEXT_PATIENCE_MS = 4000;

/** Makes the map, reports its movements, and keeps it working when contexts or networks are lost and when the theme
 *  changes. */
export function useMap(
  container: React.RefObject<HTMLDivElement | null>,
  {
    view,
    tileUrl,
    title = 'Map of events',
    shapes,
    onMoved,
    onUnavailable,
    onGone,
  }: {
    /** When this changes to a view that is not on screen, the map flies there. */
    view: MapView;
    tileUrl: string;
    /** The map's name for screen readers. */
    title?: string;
    /** The lines and areas of disruptions. */
    shapes: FeatureCollection;
    onMoved: (frame: Frame) => void;
    /** Called if this browser cannot draw a map. */
    onUnavailable: () => void;
    /** Called if the browser has stopped drawing the map and does not resume. */
    onGone: () => void;
  },
): {
  map: LibraryMap | null;
  frame: Frame | null;
  isLost: boolean;
  /** No tile comes: only the project's own drawing is on screen. */
  hasNoTiles: boolean;
} {
  const [map, setMap] = useState<LibraryMap | null>(null);
  const [frame, setFrame] = useState<Frame | null>(null);
  const [isLost, setLost] = useState(false);
  /** `awaited` for a short time at first: then names are drawn, so that nobody sees an empty map. */
  const [tiles, setTiles] = useState<'awaited' | 'slow' | 'there' | 'missing'>('awaited');
  const named = tiles === 'slow' || tiles === 'missing';
  const isDark = useDarkTheme();

  const make = useEffectEvent((element: HTMLDivElement) =>
    newMap(element, view, styleOf(element, { tileUrl, dark: isDark, named, shapes }), title),
  );
  const shapesNow = useEffectEvent(() => shapes);
  const moved = useEffectEvent((next: Frame) => {
    startTransition(() => setFrame(next)); // marks are made in slices, between frames
    onMoved(next);
  });
  const unavailable = useEffectEvent(onUnavailable);
  const gone = useEffectEvent(onGone);

  useEffect(() => {
    const made = make(container.current!); // the container exists while this component does
    if (!made) return unavailable();

    let last = frameOf(made);
    made.on('moveend', () => {
      last = frameOf(made);
      moved(last);
    });
    made.on('resize', () => {
      if (isSameView(last.view, START_VIEW)) made.jumpTo(cameraOf(START_VIEW, made.getContainer()));
    });
    made.on('move', () => {
      // Clusters split during the movement, not only at its end, and a long pan does not reach a part without marks.
      const next = frameOf(made);
      const isAsBefore = Math.floor(next.zoom) === Math.floor(last.zoom);
      if (isAsBefore && isWithin(next.bounds, widened(last.bounds, ALLOWANCE))) return;
      last = { ...next, view: last.view }; // while it moves there is no view at rest
      startTransition(() => setFrame(next));
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

    const awaiting = setTimeout(
      () => setTiles((now) => (now === 'awaited' ? 'slow' : now)),
      TILE_PATIENCE_MS,
    );
    watchTiles(made, (isAvailable) => setTiles(isAvailable ? 'there' : 'missing'));
    const stopRetrying = retryTiles(made);
    // oxlint-disable-next-line react/set-state-in-effect -- the map needs its container first
    setMap(made);
    moved(frameOf(made));
    return () => {
      clearTimeout(patience);
      clearTimeout(awaiting);
      stopRetrying();
      setMap(null);
      made.remove();
    };
  }, [container]);

  const styled = useRef(map);
  useEffect(() => {
    const before = styled.current;
    styled.current = map;
    if (!map || before !== map) return; // a new map has its style already
    map.setStyle(styleOf(map.getContainer(), { tileUrl, dark: isDark, named, shapes: shapesNow() }));
  }, [map, tileUrl, isDark, named]);

  useEffect(() => {
    if (map) drawShapes(map, shapes);
  }, [map, shapes]);

  useEffect(() => {
    // Under reduced motion the library jumps instead of flying.
    if (map && !isSameView(viewOf(map), view)) map.flyTo(cameraOf(view, map.getContainer()));
  }, [map, view]);

  return { map, frame, isLost, hasNoTiles: tiles === 'missing' };
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
