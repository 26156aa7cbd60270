import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { lazy, Suspense } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, Field } from '../../../ui/controls/Field.tsx';
import { counted } from '#contract/numbers.ts';
import { distance, type Drawn, NOTHING_DRAWN, withPoints } from './drawnLine.ts';

/** Loaded only here, because the library of the map is large. */
export const DrawMap = lazy(() => import('./DrawMap.tsx'));

/** Draws a route point by point. Each stretch can have a road number. */
export function Draw({ drawn, onDrawn }: { drawn: Drawn; onDrawn: (drawn: Drawn) => void }) {
  const { points, roads } = drawn;
  const lengths = points.slice(1).map((point, index) => distance(points[index]!, point)); // it has one before
  const length = lengths.reduce((sum, one) => sum + one, 0);

  return (
    <div data-stack="3">
      <p>
        Tap the map to set the points of the route in order. Drag a point to move it. Arrow keys move a
        focused point by 100 m, Delete removes it.
      </p>
      <Suspense fallback={<p>Loading...</p>}>
        <DrawMap
          points={points}
          label="Map to draw the route on"
          onPoints={(next) => next.length <= WATCH_LIMITS.legs + 1 && onDrawn(withPoints(drawn, next))}
        />
      </Suspense>
      <p data-split>
        <span role="status" data-text="strong">
          {counted(points.length, 'point')}
          {length > 0 && `, ${length.toFixed(1)} km`}
        </span>
        <span data-row>
          <Button
            small
            disabled={points.length === 0}
            onClick={() => onDrawn(withPoints(drawn, points.slice(0, -1)))}
          >
            Remove the last point
          </Button>
          <Button small disabled={points.length === 0} onClick={() => onDrawn(NOTHING_DRAWN)}>
            Begin again
          </Button>
        </span>
      </p>
      {lengths.length > 0 && (
        <fieldset data-grid="11">
          <legend data-text="strong">Which road? (optional, makes matching certain)</legend>
          {lengths.map((km, index) => (
            <Field
              // oxlint-disable-next-line react/no-array-index-key -- a stretch is known only by its place in the line
              key={index}
              label={`Point ${index + 1} to ${index + 2}, ${km.toFixed(1)} km`}
              {...bound(roads[index] ?? '', (value) => onDrawn({ points, roads: roads.with(index, value) }))}
              maxLength={12}
              autoComplete="off"
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
