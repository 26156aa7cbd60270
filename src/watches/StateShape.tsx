import { useId } from 'react';
import { gradeOf } from '../feeds/alerts/alerts.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { OUTLINES, Severity } from '../ui/signs/Severity.tsx';
import { StatusLine } from '../ui/signs/StatusLine.tsx';
import type { RouteState } from './watchState.ts';
import type { Touch } from './timeWindow.ts';
import styles from './StateShape.module.css';

/** The shape of a state: the grade's shape, solid if certain and hatched if possible; a dash if nothing is known; or
 *  a tick. The words beside it say the same. */
export function StateShape({ state: { standing, certain, possible } }: { state: RouteState }) {
  // A snoozed alert has no grade here.
  if (standing === 'certain' && certain[0]) return <TouchShape touch={certain[0]} />;
  if (standing === 'possible' && possible[0]) return <TouchShape touch={worstOf(possible)} />;
  return <StatusLine status={standing === 'clear' ? 'good' : 'none'}>{null}</StatusLine>;
}

const worstOf = (touches: readonly Touch[]): Touch =>
  touches.reduce((worst, touch) =>
    touch.alert && (!worst.alert || worstFirst(touch.alert, worst.alert) < 0) ? touch : worst,
  );

/** A job without a route: a broken ring, which is neither clear nor silent. */
export function NoRouteShape() {
  return (
    <svg className={styles.broken} viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="9" />
    </svg>
  );
}

/** The shape of one alert that touches a route. */
export function TouchShape({ touch: { match, alert } }: { touch: Touch }) {
  const id = useId();
  const grade = alert ? gradeOf(alert) : 'unrated';
  if (match.level === 'certain')
    return (
      <span aria-hidden="true">
        <Severity grade={grade} wordless />
      </span>
    );
  return (
    <svg
      className={styles.hatched}
      data-forced="own"
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-severity={grade}
    >
      <defs>
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0h3v6H0z" />
        </pattern>
      </defs>
      <g fill={`url(#${id})`}>{OUTLINES[grade]}</g>
    </svg>
  );
}
