/** Positions an element on the map: at a geographical point, or beside it. */
import type { Map as LibraryMap } from 'mapbox-gl';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Point } from '../../../api/alerts/bounds.ts';
import styles from './EventMap.module.css';

/** Keeps a popup clear of the ring of its mark. */
const POPUP_OFFSET_PX = 44;
const POPUP_HALF_HEIGHT_PX = 110;

type Side = 'left' | 'right' | 'top' | 'bottom';

/** The side with more room, unless the popup would cross an edge there. */
export function sideOf(map: LibraryMap, { latitude, longitude }: Point): Side {
  const { x, y } = map.project([longitude, latitude]);
  const { clientWidth, clientHeight } = map.getContainer();
  if (y < POPUP_HALF_HEIGHT_PX) return 'bottom';
  if (y > clientHeight - POPUP_HALF_HEIGHT_PX) return 'top';
  return x > clientWidth / 2 ? 'left' : 'right';
}

/** How an element beside a point is moved: by a share of its own size, and by pixels. */
const PLACEMENT: Record<Side, { anchor: string; offset: [x: number, y: number] }> = {
  left: { anchor: '-100%, -50%', offset: [-POPUP_OFFSET_PX, 0] },
  right: { anchor: '0, -50%', offset: [POPUP_OFFSET_PX, 0] },
  top: { anchor: '-50%, -100%', offset: [0, -POPUP_OFFSET_PX] },
  bottom: { anchor: '-50%, 0', offset: [0, POPUP_OFFSET_PX] },
};

const ON_PLACE: (typeof PLACEMENT)[Side] = { anchor: '-50%, -50%', offset: [0, 0] };
const NO_SHIFT: [x: number, y: number] = [0, 0];

/**
 * Its children at a geographical point. The library's marker is not used: each one needs a portal, and React adds
 * listeners for some eighty kinds of events to every portal, which was most of the work of a zoom.
 */
export function Placed({
  map,
  at: { latitude, longitude },
  shift: [right, down] = NO_SHIFT,
  level,
  beside,
  children,
}: {
  map: LibraryMap;
  at: Point;
  /** Pixels, right and down. */
  shift?: [x: number, y: number] | undefined;
  /** The higher of two that overlap is on top. */
  level: number;
  /** Next to the point, not on it. */
  beside?: Side;
  children: ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { anchor, offset } = beside ? PLACEMENT[beside] : ON_PLACE;
    const place = (event?: { type: string }) => {
      const { x, y } = map.project([longitude, latitude]);
      // A moving element can be between two pixels; at rest it is on a whole one, so that it is sharp.
      const on = event?.type === 'move' ? (value: number) => value : Math.round;
      element.current!.style.transform = `translate(${on(x + offset[0] + right)}px, ${on(y + offset[1] + down)}px) translate(${anchor})`;
    };
    place();
    map.on('move', place);
    map.on('moveend', place);
    return () => {
      map.off('move', place);
      map.off('moveend', place);
    };
  }, [map, latitude, longitude, right, down, beside]);

  return (
    <div ref={element} className={styles.placed} style={{ zIndex: level }}>
      {children}
    </div>
  );
}
