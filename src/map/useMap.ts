import type { Map as LibraryMap } from 'mapbox-gl';
import { startTransition, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { isWithin } from '../api/bounds.ts';
import type { MapView } from './basemap.ts';
import {
  boundsOf,
  cameraOf,
  type Frame,
  frameOf,
  newMap,
  retryTiles,
  styleOf,
  viewOf,
  widened,
} from './libraryMap.ts';
import { isSameView } from './mapFilters.ts';

/** After a pan of this share, marks are made again during the movement; the rest of the margin gives time for it. */
const ALLOWANCE = 1 / 8;

/** How long the browser has to restore a lost drawing context before a new map is made. */
const CONTEXT_PATIENCE_MS = 4000;

/** Makes the map, reports its movements, and keeps it going through lost contexts and networks and theme changes. */
export function useMap(
  container: React.RefObject<HTMLDivElement | null>,
  {
    view,
    tileUrl,
    onMoved,
    onUnavailable,
    onGone,
  }: {
    /** The map flies there when this changes to a view that it does not show already. */
    view: MapView;
    tileUrl: string;
    onMoved: (frame: Frame) => void;
    /** This browser cannot draw a map. */
    onUnavailable: () => void;
    /** The browser has stopped drawing it and does not resume. */
    onGone: () => void;
  },
): { map: LibraryMap | null; frame: Frame | null; isLost: boolean } {
  const [map, setMap] = useState<LibraryMap | null>(null);
  const [frame, setFrame] = useState<Frame | null>(null);
  const [isLost, setLost] = useState(false);
  const isDark = useDarkTheme();

  const make = useEffectEvent((element: HTMLDivElement) =>
    newMap(element, view, styleOf(element, tileUrl, isDark)),
  );
  const moved = useEffectEvent((next: Frame) => {
    startTransition(() => setFrame(next)); // marks are made in slices, between frames
    onMoved(next);
  });
  const unavailable = useEffectEvent(onUnavailable);
  const gone = useEffectEvent(onGone);

  useEffect(() => {
    const made = make(container.current!); // the container exists while this component does
    if (!made) return unavailable();

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
