import { pageAddressOf } from '#contract/addresses.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { useClock } from '../time/tickingClock.ts';
import { formatClock } from '../time/london.ts';
import { countOf, countWords, type RouteState, rowWindow, stateWords } from './watchState.ts';
import { Row } from './Row.tsx';
import { StateShape } from './StateShape.tsx';
import { rowCount, rowWords } from './whichWords.ts';
import styles from './RouteRow.module.css';

export interface Listed {
  watch: ListedWatch;
  state: RouteState;
}

/** One line of the list; all of it is the link to the route. */
export function RouteRow({
  watch,
  state,
  besides = null,
  isOpen,
  counting,
}: Listed & {
  /** How it stands now, where that is worse than for the departures by which the row is judged. */
  besides?: RouteState | null;
  isOpen: boolean;
  /** Whether "in 25 min" can be said: not of an old answer. */
  counting: boolean;
}) {
  const isRoute = watch.kind === 'route';
  const departure = useClock((now) =>
    isRoute
      ? rowWindow(state, now, counting)
      : counting || state.standing === 'off'
        ? rowCount(state, now)
        : '',
  );
  const first = useClock((now) => stateWords(state, now)[0] ?? '');
  const second = useClock((now) => stateWords(state, now)[1] ?? '');
  const now = useClock((at) => (besides ? nowWords(besides, at) : ''));
  const about = useClock((at) => (isRoute ? '' : rowWords(watch, at)));
  const counts = isRoute ? countWords(state) : about;
  const checked = state.checked ? `checked ${formatClock(state.checked)}` : '';
  const more = isRoute ? state.certain.length - 1 : state.standing === 'certain' ? countOf(state) - 1 : 0;

  return (
    <Row
      id={watch.id}
      href={pageAddressOf('route', watch.id)}
      name={watch.name}
      shape={<StateShape state={state} />}
      slot={departure}
      isOpen={isOpen}
    >
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
      {now && <span className={styles.state}>{now}</span>}
      {counts && (
        <span className={styles.counts} data-line="3" data-align="stretch">
          <span>{counts}</span>
          <span>{checked}</span>
        </span>
      )}
    </Row>
  );
}

/** "Now: Medium: yellow rain warning, no departure meets it", "Possible trouble now, no departure meets it" */
const nowWords = (state: RouteState, at: Date): string =>
  `${state.standing === 'certain' ? 'Now: ' : ''}${stateWords(state, at)[0] ?? ''}`;
