import { FlaskIcon } from '@phosphor-icons/react/dist/csr/Flask';
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { useLayoutEffect, useRef } from 'react';
import { dataAge, dataFreshness } from '../offline/freshness.ts';
import { AppSign } from '../offline/OfflineNotice.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import { sinceText } from './alerts.ts';
import { useClock } from './clock.ts';
import styles from './BoardSign.module.css';
import type { Board } from './useBoard.ts';
import { useOnline } from './useOnline.ts';

/** At these ages, in minutes, the sign is read out again; in between it only counts on. */
const BANDS = [1, 3, 5, 10, 15, 30, 60];

/**
 * What the board has to say about its own data, under the header: that it is old, that it could not be refreshed, that
 * it is not real. One sign at a time. Its place is always there, or a screen reader would miss the first one.
 */
export function BoardSign({
  demo,
  at,
  board: { problem, refreshing, nextTryAt },
}: {
  demo: boolean;
  /** When the server gave what is shown; null when nothing is. */
  at: Date | null;
  board: Pick<Board, 'problem' | 'refreshing' | 'nextTryAt'>;
}) {
  const online = useOnline();
  const minutes = useClock((now) => (at ? Math.floor(dataAge(at, now) / 60_000) : null));
  const old = useClock((now) => at !== null && !['fresh', 'late'].includes(dataFreshness(at, now)));
  const veryOld = useClock((now) => at !== null && dataFreshness(at, now) === 'veryOld');
  const asOf = useClock((now) => (at ? sinceText(at, now) : null));
  const showing = demo || old || problem !== null || !online;
  const place = useRef<HTMLDivElement>(null);
  useHoldRows(place);
  const isOffline = !online || problem === 'offline';

  return (
    <div className={styles.place} ref={place} role="status">
      {sign()}
    </div>
  );

  function sign() {
    if (demo)
      return (
        <TempSign icon={<FlaskIcon weight="bold" aria-hidden />}>
          <strong>Demo data. Not live.</strong>
        </TempSign>
      );
    if (!showing) return <AppSign offlineSaid />;

    return (
      <TempSign
        // Content that is put in anew is read out; content that changes inside `aria-live="off"` is not.
        key={`${problem} ${isOffline} ${bandOf(minutes)}`}
        icon={<WifiSlashIcon weight="bold" aria-hidden />}
      >
        <strong>
          {problem && 'Unable to load AI feed summaries. '}
          {old && (
            <span aria-live="off" className={styles.age}>
              {ageText(minutes ?? 0)}{' '}
            </span>
          )}
        </strong>
        {veryOld && 'Do not plan from this board. '}
        {old && !veryOld && `Showing the board as it was at ${asOf}. Check before you act. `}
        {!old && at && `${isOffline ? 'Offline' : 'No answer'}: showing data from ${asOf}. `}
        {!old && !at && `${isOffline ? 'Offline' : 'No answer'}. `}
        <span aria-live="off" className={styles.next}>
          {refreshing ? 'Trying now.' : nextTryAt !== null && <Countdown to={nextTryAt} />}
        </span>
      </TempSign>
    );
  }
}

/**
 * No row moves when the sign comes up or grows: a page that is scrolled holds what it shows by itself, and one at its
 * very top gives up as much of the navigation as the sign takes.
 */
function useHoldRows(place: { current: HTMLDivElement | null }) {
  const before = useRef<number>(null);
  useLayoutEffect(() => {
    const height = place.current?.offsetHeight ?? 0;
    const grown = height - (before.current ?? height);
    before.current = height;
    const header = place.current?.closest('header');
    if (grown <= 0 || !header || window.scrollY > 0) return;
    window.scrollBy(0, Math.min(grown, header.getBoundingClientRect().top));
  });
}

function Countdown({ to }: { to: number }) {
  const seconds = useClock(() => Math.max(1, Math.ceil((to - Date.now()) / 1000)));
  return `Next try in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

function bandOf(minutes: number | null): number {
  return BANDS.findLast((band) => (minutes ?? 0) >= band) ?? 0;
}

/** "Data is 10 minutes old.", in whole units, rounded down. Data from the future has no age that is known. */
function ageText(minutes: number): string {
  if (minutes < 0) return 'The age of this data is not known.';
  const [amount, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 24 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 60 / 24), 'day'];
  return `Data is ${amount} ${unit}${amount === 1 ? '' : 's'} old.`;
}
