import { useId } from 'react';
import { gradeOf } from '../feeds/alerts.ts';
import { worstFirst } from '#contract/disruptions.ts';
import { Severity } from '../ui/Severity.tsx';
import { StatusLine } from '../ui/StatusLine.tsx';
import type { RouteState } from '../watches/state.ts';
import styles from './StateShape.module.css';

/** The state's shape: solid where it is certain, hatched where possible, a dash where nothing can be said, a tick.
 *  The words beside it say the same. */
export function StateShape({ state: { standing, certain, possible } }: { state: RouteState }) {
  const id = useId();
  // What is snoozed has no grade here.
  if (standing === 'certain' && certain.length > 0) {
    const worst = certain[0]?.alert;
    return (
      <span aria-hidden="true">
        <Severity grade={worst ? gradeOf(worst) : 'unrated'} wordless />
      </span>
    );
  }
  if (standing === 'possible' && possible.length > 0) {
    const [worst] = possible.flatMap(({ alert }) => alert ?? []).toSorted(worstFirst);
    return (
      <svg
        className={styles.hatched}
        viewBox="0 0 24 24"
        aria-hidden="true"
        data-severity={worst ? gradeOf(worst) : 'unrated'}
      >
        <defs>
          <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0h3v6H0z" />
          </pattern>
        </defs>
        <path d="M12 1.2 22.8 12 12 22.8 1.2 12z" fill={`url(#${id})`} />
      </svg>
    );
  }
  return <StatusLine status={standing === 'clear' ? 'good' : 'none'}>{null}</StatusLine>;
}
