import { pageAddressOf } from '#contract/addresses.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { useClock } from '../time/tickingClock.ts';
import { formatClock } from '../time/london.ts';
import { countOf, countWords, type RouteState, rowWindow, stateWords } from './watchState.ts';
import { StateShape } from './StateShape.tsx';
import { rowCount, rowWords } from './whichWords.ts';
import styles from './RouteRow.module.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

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
        <span className={styles.counts} data-justify="between" data-line="3" data-align="stretch">
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

/** One line of a list of routes or jobs; all of it is the link to what it names. Of a job its time stands first. */
export function Row({
  id,
  href,
  name,
  label,
  shape,
  time,
  slot,
  isOpen,
  children,
}: {
  id: string;
  href: string;
  name: string;
  /** Text read out in place of all that it shows. */
  label?: string;
  shape: ReactNode;
  /** "06:10", with its weekday where that is another. */
  time?: { clock: string; weekday: string | null };
  /** Right of the name: "in 25 min". */
  slot: string;
  isOpen: boolean;
  /** Its lines. */
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        href={href}
        className={styles.row}
        aria-current={isOpen ? 'true' : undefined}
        aria-label={label}
        data-entry={id}
        data-timed={time ? true : undefined}
      >
        {time && (
          <time className={styles.time}>
            {time.clock}
            {time.weekday && <small>{time.weekday}</small>}
          </time>
        )}
        <span className={styles.shape}>{shape}</span>
        <b className={styles.name}>{name}</b>
        <span className={styles.departure}>{slot}</span>
        {children}
      </Link>
    </li>
  );
}
