import { pageAddressOf } from '#contract/addresses.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { useClock } from '../time/tickingClock.ts';
import { formatClock } from '../time/london.ts';
import { countOf, type RouteState } from './watchState.ts';
import { countWords, rowWindow, stateWords } from './stateWords.ts';
import { StateShape } from './StateShape.tsx';
import { rowCount, rowWords } from './whichWords.ts';
import styles from './RouteRow.module.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface Listed {
  watch: ListedWatch;
  state: RouteState;
}

/** One row of the list. The whole row is the link to the route. */
export function RouteRow({
  watch,
  state,
  besides = null,
  isOpen,
  counting,
  isSame = false,
}: Listed & {
  /** The route's state now, if it is worse than the state for the departures that the row is judged by. */
  besides?: RouteState | null;
  isOpen: boolean;
  /** Whether "in 25 min" can be shown. It cannot on an old answer. */
  counting: boolean;
  /** Whether the row above begins with the same words, which are not repeated. */
  isSame?: boolean;
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
  const same = isSame && (isRoute ? `The same, ${countWords(state)}` : 'The same');
  const counts = same || (isRoute ? countWords(state) : about);
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
      isLow={isSame}
    >
      {!same && (
        <span className={styles.state} data-strong={state.standing === 'silent' || undefined}>
          {first}
          {more > 0 && <small> {more} more</small>}
          {!counts && checked && <small> {checked}</small>}
        </span>
      )}
      {second && (
        <span className={styles.state} data-strong>
          {second}
        </span>
      )}
      {now && <span className={styles.state}>{now}</span>}
      {counts && (
        <span className={styles.counts} data-justify="between" data-line="3" data-align="stretch">
          <span>{counts}</span>
          <span data-nowrap>{checked}</span>
        </span>
      )}
    </Row>
  );
}

/** "Now: Medium: yellow rain warning, no departure meets it", "Possible trouble now, no departure meets it" */
const nowWords = (state: RouteState, at: Date): string =>
  `${state.standing === 'certain' ? 'Now: ' : ''}${stateWords(state, at)[0] ?? ''}`;

/** One row of a list of routes or jobs. The whole row is a link. A job's time comes first. */
export function Row({
  id,
  href,
  name,
  label,
  shape,
  time,
  slot,
  isOpen,
  isLow = false,
  children,
}: {
  id: string;
  href: string;
  name: string;
  /** Text that is read out instead of the row's content. */
  label?: string;
  shape: ReactNode;
  /** "06:10", and the weekday if it is another day. */
  time?: { clock: string; weekday: string | null };
  /** The text right of the name: "in 25 min". */
  slot: string;
  isOpen: boolean;
  /** Whether it has one line of words and no more. */
  isLow?: boolean;
  /** Its lines. */
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        href={href}
        className={styles.row}
        data-press
        aria-current={isOpen ? 'true' : undefined}
        aria-label={label}
        data-entry={id}
        data-timed={time ? true : undefined}
        data-low={isLow || undefined}
      >
        {time && (
          <time className={styles.time}>
            {time.clock}
            {time.weekday && (
              <small data-text="note" data-block>
                {time.weekday}
              </small>
            )}
          </time>
        )}
        <span className={styles.shape}>{shape}</span>
        <b className={styles.name} data-size="lead">
          {name}
        </b>
        <span className={styles.departure}>{slot}</span>
        {children}
      </Link>
    </li>
  );
}
