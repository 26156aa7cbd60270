import type { Geometry } from '#contract/incidents/disruptions.ts';
import { useMemo, useState } from 'react';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { touchTitle } from '../../../watches/stateWords.ts';
import type { Touch } from '../../../watches/timeWindow.ts';
import {
  type Frame,
  isArea,
  linesOf,
  type LonLat,
  pathOf,
  placed,
  ring,
  toPixels,
} from '../../../maps/frame.ts';
import { StillMap } from '../../../maps/StillMap.tsx';
import styles from './RouteMap.module.css';

const HIGH_PX = { wide: 380, small: 232 } as const;
const ZOOMS = { nearest: 13, farthest: 5 };
/** As close as a driver needs it. */
const CLOSER = { nearest: 12, farthest: 12 };

/** The route's line and the alerts on it, on a still map. */
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
  const [close, setClose] = useState(false);
  const way = useMemo(() => {
    const lines = linesOf(geometry);
    return radiusKm > 0 && lines[0]?.[0] ? [ring(lines[0][0], radiusKm)] : lines;
  }, [geometry, radiusKm]);
  const marked = touches.flatMap((touch) => {
    const { latitude, longitude } = touch.alert ?? {};
    return latitude == null || longitude == null ? [] : [{ touch, at: [longitude, latitude] as LonLat }];
  });
  const chosen = marked.find(({ touch }) => touch.match.subject_id === selected);
  const middle = close && chosen ? chosen.at.join() : null;
  const points = useMemo(
    () => (middle ? [middle.split(',').map(Number) as unknown as LonLat] : way.flat()),
    [middle, way],
  );
  if (points.length === 0)
    return <p>{look === 'small' ? 'Its map' : 'The line of this route'} is not kept on this device.</p>;

  const drawn = (frame: Frame) => (
    <>
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
    </>
  );
  const marks = (frame: Frame) =>
    marked.map(({ touch, at }) => {
      const id = touch.match.subject_id;
      return (
        <button
          key={id}
          type="button"
          className={styles.mark}
          aria-pressed={selected === id}
          aria-label={touchTitle(touch)}
          {...placed(toPixels(at, frame))}
          onClick={() => {
            onSelect(id);
            document.querySelector(`[data-match="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <Severity grade={touch.alert ? gradeOf(touch.alert) : 'unrated'} wordless />
        </button>
      );
    });

  return (
    <div className={styles.frame} data-look={look} data-only="screen">
      <StillMap
        role="group"
        aria-label={`Map of ${name}`}
        className={styles.map}
        points={points}
        high={HIGH_PX[look]}
        {...(middle ? CLOSER : ZOOMS)}
        drawn={drawn}
        marks={marks}
        aside={
          <Button small disabled={!chosen} aria-pressed={close} onClick={() => setClose(!close)}>
            {close ? (look === 'wide' ? 'Whole route' : 'Whole area') : 'Closer'}
          </Button>
        }
      />
    </div>
  );
}
