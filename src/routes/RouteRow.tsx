import { pageAddressOf } from '#contract/addresses.ts';
import { Link } from 'wouter';
import type { ListedWatch } from '../api/watches.ts';
import { useClock } from '../time/clock.ts';
import { formatClock } from '../time/london.ts';
import { countWords, type RouteState, stateWords, tripWords } from '../watches/state.ts';
import { StateShape } from './StateShape.tsx';
import styles from './RouteRow.module.css';

export interface Listed {
  watch: ListedWatch;
  state: RouteState;
}

/** One line of the list; all of it is the link to the route. */
export function RouteRow({
  watch,
  state,
  isOpen,
  counting,
}: Listed & {
  isOpen: boolean;
  /** Whether "in 25 min" can be said: not of an old answer. */
  counting: boolean;
}) {
  const departure = useClock((now) => (state.trip ? tripWords(state.trip, now, counting) : ''));
  const first = useClock((now) => stateWords(state, now)[0] ?? '');
  const second = useClock((now) => stateWords(state, now)[1] ?? '');
  const counts = countWords(state);
  const checked = state.checked ? `checked ${formatClock(state.checked)}` : '';
  const more = state.certain.length - 1;

  return (
    <li>
      <Link
        href={pageAddressOf('route', watch.id)}
        className={styles.row}
        aria-current={isOpen ? 'true' : undefined}
        data-row={watch.id}
      >
        <span className={styles.shape}>
          <StateShape state={state} />
        </span>
        <b className={styles.name}>{watch.name}</b>
        <span className={styles.departure}>{departure}</span>
        <span className={styles.state} data-strong={state.standing === 'silent' || undefined}>
          {first}
          {more > 0 && <small> {more} more</small>}
          {!counts && checked && <small> {checked}</small>}
        </span>
        {second && (
          <span className={styles.state} data-strong>
            {second}
          </span>
        )}
        {counts && (
          <span className={styles.counts}>
            <span>{counts}</span>
            <span>{checked}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
