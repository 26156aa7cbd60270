import { useMemo } from 'react';
import { type Drawn, positionsOf } from '../../api/alerts/geometry.ts';
import { type Frame, pathOf, placed, toPixels } from '../../maps/frame.ts';
import type { Position } from '../../maps/land/ownDrawing.ts';
import { StillMap } from '../../maps/StillMap.tsx';
import { type Grade, Severity } from '../../ui/signs/Severity.tsx';
import styles from './SmallMap.module.css';

const HIGH_PX = 270;
/** Only the publisher's own point is exact. */
const EXACT_ZOOM = 12;
const APPROXIMATE_ZOOM = 10;
const FARTHEST_ZOOM = 4;

/** A still map around one place, with the line or area that is disrupted. */
export default function SmallMap({
  at,
  isExact,
  drawn,
  grade,
  label,
}: {
  at: Position;
  isExact: boolean;
  drawn: Drawn | null;
  grade: Grade;
  label: string;
}) {
  const points = useMemo(() => [at, ...(drawn ? positionsOf(drawn) : [])], [at, drawn]);
  return (
    <StillMap
      role="img"
      aria-label={label}
      points={points}
      high={HIGH_PX}
      nearest={isExact ? EXACT_ZOOM : APPROXIMATE_ZOOM}
      farthest={FARTHEST_ZOOM}
      drawn={(frame) => drawn && <Stretch drawn={drawn} grade={grade} frame={frame} />}
      marks={(frame) => (
        <span
          className={styles.mark}
          data-beside={drawn?.type === 'MultiLineString' || undefined}
          {...placed(toPixels(at, frame))}
        >
          <Severity grade={grade} wordless />
        </span>
      )}
    />
  );
}

/** The closed stretch is a thick bar with an ink edge, an area is tinted. */
function Stretch({ drawn, grade, frame }: { drawn: Drawn; grade: Grade; frame: Frame }) {
  const isArea = drawn.type === 'MultiPolygon';
  const lines: Position[][] = drawn.type === 'MultiPolygon' ? drawn.coordinates.flat() : drawn.coordinates;
  const path = pathOf(lines, frame, isArea);
  return (
    <g className={styles.disrupted} data-severity={grade}>
      {isArea ? (
        <path
          fill="var(--grade)"
          fillOpacity="0.25"
          stroke="var(--grade)"
          strokeWidth="2.5"
          fillRule="evenodd"
          d={path}
        />
      ) : (
        <g fill="none" strokeLinejoin="round">
          <path stroke="var(--line-ink)" strokeWidth="14" d={path} />
          <path stroke="var(--grade)" strokeWidth="9" d={path} />
        </g>
      )}
    </g>
  );
}
