import type { Geometry } from '#contract/incidents/disruptions.ts';
import outline from 'virtual:outline';
import { type CSSProperties, useState } from 'react';
import { useRuntimeConfig } from '../../../api/runtimeConfig.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { touchTitle } from '../../../watches/watchState.ts';
import type { Touch } from '../../../watches/timeWindow.ts';
import {
  frameAround,
  isArea,
  linesOf,
  type LonLat,
  pathOf,
  placed as placedAt,
  ring,
  Tiles,
  toPixels,
} from '../../../maps/StillMap.tsx';
import styles from './RouteMap.module.css';

const HIGH_PX = { wide: 380, small: 232 } as const;
const FIRST_WIDTH_PX = 640;
const MARGIN_PX = 36;
const ZOOMS = { nearest: 13, farthest: 5 };
/** As close as a driver needs it. */
const CLOSER = { nearest: 12, farthest: 12 };

/** The route's line and the alerts on it, on street tiles. Without tiles there is the outline of the islands. */
export default function RouteMap({
  geometry,
  radiusKm,
  touches,
  shapes,
  name,
  look,
  selected,
  onSelect,
}: {
  geometry: Geometry | null;
  /** The radius of a circle, whose geometry is only its middle. */
  radiusKm: number;
  touches: readonly Touch[];
  /** The lines and areas of incidents, by id, if they have one. */
  shapes: ReadonlyMap<string, Geometry>;
  name: string;
  /** `small`: the map of an area, beside its alerts. */
  look: 'wide' | 'small';
  selected: string | null;
  onSelect: (id: string) => void;
}) {
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const [failed, setFailed] = useState<string | null>(null);
  const [close, setClose] = useState(false);
  const [width, setWidth] = useState(FIRST_WIDTH_PX);
  // There is no box before the line is known, which can come later than this.
  const [box] = useState(() => (shown: HTMLDivElement) => {
    const measure = new ResizeObserver(() => setWidth(Math.max(200, shown.clientWidth)));
    measure.observe(shown);
    return () => measure.disconnect();
  });

  const high = HIGH_PX[look];
  const lines = linesOf(geometry);
  const way = radiusKm > 0 && lines[0]?.[0] ? [ring(lines[0][0], radiusKm)] : lines;
  const points = way.flat();
  if (points.length === 0)
    return <p>{look === 'small' ? 'Its map' : 'The line of this route'} is not kept on this device.</p>;

  const placed = touches.flatMap((touch) => {
    const { latitude, longitude } = touch.alert ?? {};
    return latitude == null || longitude == null ? [] : [{ touch, at: [longitude, latitude] as LonLat }];
  });
  const chosen = placed.find(({ touch }) => touch.match.subject_id === selected);
  const room = { wide: width - 2 * MARGIN_PX, high: high - 2 * MARGIN_PX };
  const middle =
    close && chosen
      ? frameAround([chosen.at], { ...room, ...CLOSER })
      : frameAround(points, { ...room, ...ZOOMS });
  /** The frame counts from the upper left corner. */
  const frame = { ...middle, left: middle.left - width / 2, top: middle.top - high / 2 };
  const hasTiles = failed !== tile_url;

  return (
    <div className={styles.frame} data-look={look} data-only="screen">
      <div
        ref={box}
        className={styles.map}
        role="group"
        aria-label={`Map of ${name}`}
        style={{ '--high': `${high}px` } as CSSProperties}
      >
        {hasTiles && (
          <Tiles
            frame={frame}
            box={{ left: 0, top: 0, right: width, bottom: high }}
            template={tile_url}
            onFailed={() => setFailed(tile_url)}
          />
        )}
        <svg width={width} height={high} aria-hidden="true">
          {!hasTiles &&
            outline.features.map(({ geometry: land, properties }) => (
              <path
                key={properties.name}
                fill="var(--map-land)"
                stroke="var(--map-coast)"
                strokeWidth="1.5"
                d={pathOf(linesOf(land), frame)}
              />
            ))}
          {touches.flatMap(({ match, alert }) => {
            const shape = shapes.get(match.subject_id);
            return shape
              ? [
                  <path
                    key={match.subject_id}
                    className={styles.shape}
                    data-area={isArea(shape) || undefined}
                    data-severity={alert ? gradeOf(alert) : 'unrated'}
                    d={pathOf(linesOf(shape), frame)}
                  />,
                ]
              : [];
          })}
          <path className={styles.halo} d={pathOf(way, frame)} />
          <path className={styles.line} d={pathOf(way, frame)} />
        </svg>
        {placed.map(({ touch, at }) => {
          const id = touch.match.subject_id;
          return (
            <button
              key={id}
              type="button"
              className={styles.mark}
              aria-pressed={selected === id}
              aria-label={touchTitle(touch)}
              style={placedAt(toPixels(at, frame))}
              onClick={() => {
                onSelect(id);
                document
                  .querySelector(`[data-match="${CSS.escape(id)}"]`)
                  ?.scrollIntoView({ block: 'nearest' });
              }}
            >
              <Severity grade={touch.alert ? gradeOf(touch.alert) : 'unrated'} wordless />
            </button>
          );
        })}
      </div>
      <p className={styles.credit} data-justify="between" data-line="4" data-text="small" data-tone="2">
        <Button small disabled={!chosen} aria-pressed={close} onClick={() => setClose(!close)}>
          {close ? (look === 'wide' ? 'Whole route' : 'Whole area') : 'Closer'}
        </Button>
        <span>{hasTiles ? tile_attribution : 'Street map unavailable'}</span>
      </p>
    </div>
  );
}
