import type { Map as LibraryMap } from 'mapbox-gl';
import { startTransition, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { isWithin } from '../api/bounds.ts';
import { isSameView, type MapView, START_VIEW } from './basemap.ts';
import {
  cameraOf,
  type Frame,
  frameOf,
  newMap,
  retryTiles,
  styleOf,
  viewOf,
  watchTiles,
  widened,
} from './libraryMap.ts';

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
): {
  map: LibraryMap | null;
  frame: Frame | null;
  isLost: boolean;
  /** No tile comes: only the project's own drawing is there. */
  hasNoTiles: boolean;
} {
  const [map, setMap] = useState<LibraryMap | null>(null);
  const [frame, setFrame] = useState<Frame | null>(null);
  const [isLost, setLost] = useState(false);
  const [hasNoTiles, setNoTiles] = useState(false);
  const isDark = useDarkTheme();

  const make = useEffectEvent((element: HTMLDivElement) =>
    newMap(element, view, styleOf(element, { tileUrl, dark: isDark, named: false })),
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
      last = { ...next, view: last.view }; // it is at rest nowhere
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

    watchTiles(made, (isAvailable) => setNoTiles(!isAvailable));
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

  const drawn = useRef({ map, tileUrl, isDark, hasNoTiles });
  useEffect(() => {
    const before = drawn.current;
    drawn.current = { map, tileUrl, isDark, hasNoTiles };
    if (!map || before.map !== map) return; // a new map has its style already
    map.setStyle(styleOf(map.getContainer(), { tileUrl, dark: isDark, named: hasNoTiles }));
  }, [map, tileUrl, isDark, hasNoTiles]);

  useEffect(() => {
    // Under reduced motion the library jumps instead of flying.
    if (map && !isSameView(viewOf(map), view)) map.flyTo(cameraOf(view, map.getContainer()));
  }, [map, view]);

  return { map, frame, isLost, hasNoTiles };
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
