import 'mapbox-gl/dist/maplibre-gl.css'; // first, so that our own sheets override it
import type { Position } from '#contract/watches/watches.ts';
import type { Feature } from 'geojson';
import { Marker } from 'mapbox-gl';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useRuntimeConfig } from '../../../api/runtimeConfig.ts';
import { type MapView, START_VIEW } from '../../../maps/basemap.ts';
import { NO_SHAPES } from '../../../maps/shapes.ts';
import { useMap } from '../../../maps/useMap.ts';
import { moved, rounded } from './drawnLine.ts';
import styles from './DrawMap.module.css';

const NO_MAP = 'This browser cannot draw a map. Name the junctions, or choose a file.';

/** A map on which points are set, dragged and removed, in order. The arrow keys move the point with the focus. */
export default function DrawMap({
  points,
  closed = false,
  label,
  onPoints,
}: {
  points: readonly Position[];
  /** True: the points are the outline of an area. */
  closed?: boolean;
  label: string;
  onPoints: (points: readonly Position[]) => void;
}) {
  const container = useRef<HTMLDivElement>(null);
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const [gone, setGone] = useState(false);
  const [view] = useState(() => viewAround(points));
  const shapes = useMemo(() => shapesOf(points, closed), [points, closed]);
  const { map, hasNoTiles } = useMap(container, {
    view,
    tileUrl: tile_url,
    title: label,
    shapes,
    onMoved: () => {},
    onUnavailable: () => setGone(true),
    onGone: () => setGone(true),
  });

  /** The point that has the focus. It is kept while the marks are made again. */
  const focused = useRef<number | null>(null);
  const change = useEffectEvent(onPoints);
  const now = useEffectEvent(() => points);

  useEffect(() => {
    if (!map) return undefined;
    const add = ({ lngLat }: { lngLat: { lng: number; lat: number } }) =>
      change([...now(), rounded([lngLat.lng, lngLat.lat])]);
    map.on('click', add);
    return () => void map.off('click', add);
  }, [map]);

  useEffect(() => {
    if (!map) return undefined;
    const marks = points.map((point, index) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.className = styles.point!; // the sheet has it
      element.textContent = String(index + 1);
      element.ariaLabel = `Point ${index + 1} of ${points.length}`;
      element.addEventListener('focus', () => (focused.current = index));
      element.addEventListener('click', (event) => event.stopPropagation()); // the click would set another point
      element.addEventListener('keydown', (event) => {
        const next = moved(point, event.key);
        const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
        if (!next && !isRemoved) return;
        event.preventDefault();
        event.stopPropagation(); // the map would move
        if (isRemoved) focused.current = Math.max(0, index - 1);
        change(next ? points.with(index, next) : points.toSpliced(index, 1));
      });
      const mark = new Marker({ element, draggable: true }).setLngLat([point[0], point[1]]).addTo(map);
      mark.on('dragend', () => {
        const { lng, lat } = mark.getLngLat();
        change(points.with(index, rounded([lng, lat])));
      });
      if (focused.current === index) element.focus();
      return { mark, element };
    });
    return () => {
      // Removing a mark also removes the focus, although the user did not leave it.
      const kept = marks.findIndex(({ element }) => element === document.activeElement);
      focused.current = kept === -1 ? null : (focused.current ?? kept);
      for (const { mark } of marks) mark.remove();
    };
  }, [map, points]);

  if (gone) return <p>{NO_MAP}</p>;
  return (
    <div>
      <div ref={container} className={styles.map} />
      <p data-top="1" data-text="small" data-tone="2">
        {hasNoTiles ? 'Street map unavailable' : tile_attribution}
      </p>
    </div>
  );
}

function shapesOf(points: readonly Position[], closed: boolean) {
  if (points.length < 2) return NO_SHAPES;
  const geometry: Feature['geometry'] =
    closed && points.length > 2
      ? { type: 'Polygon', coordinates: [[...points, points[0]!].map((point) => [...point])] }
      : { type: 'LineString', coordinates: points.map((point) => [...point]) };
  const properties = { grade: 'low', stale: false, selected: true };
  return {
    type: 'FeatureCollection' as const,
    features: [{ type: 'Feature' as const, properties, geometry }],
  };
}

const NEAREST_ZOOM = 12;

function viewAround(points: readonly Position[]): MapView {
  if (points.length === 0) return START_VIEW;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  // The map is about 600 px wide, and a degree of latitude is drawn wider than one of longitude.
  const span = Math.max(east - west, 1.7 * (north - south), 0.01);
  return {
    longitude: (west + east) / 2,
    latitude: (south + north) / 2,
    zoom: Math.min(NEAREST_ZOOM, Math.log2((360 / span) * 1.6)),
  };
}
