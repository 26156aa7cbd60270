import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock';
import { MonitorIcon } from '@phosphor-icons/react/dist/csr/Monitor';
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { type ReactNode, useState } from 'react';
import { clockOffsetMs } from '../time/serverClock.ts';
import { sinceText } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { NextTry, useDataSign } from '../feeds/dataSign.tsx';
import type { Board } from '../feeds/useBoard.ts';
import { serverNow } from '../time/freshness.ts';
import { counted } from '../ui/numbers.ts';
import { TempSign } from '../ui/TempSign.tsx';
import styles from './WallHeader.module.css';

/** A sign that stays is outlined every other minute from then on, so that it does not burn into the screen. */
const SOFT_FROM_MINUTES = 2;

/** A difference from which the device's clock is reported as wrong. */
const CLOCK_DIFFERS_MS = 60_000;

const PAIR_AGAIN = 'Pair this display again with its code.';

export interface Sign {
  icon: ReactNode;
  /** The main line, read from across the room. */
  head: string;
  /** What follows from it. */
  more: string;
  /** Whether the seconds until the next attempt follow. */
  countsDown: boolean;
  /** Whether it says that the data is old. */
  old: boolean;
  /** A sign with another key is read out. */
  key: string;
}

/** The display's notice about itself, one at a time: about its data, then its session, then its clock. */
export function useWallSign({
  at,
  board: { problem },
  signedOutAt,
}: {
  /** When the server sent what is shown; null when nothing is shown. */
  at: Date | null;
  board: Pick<Board, 'problem'>;
  signedOutAt: Date | null;
}): Sign | null {
  const data = useDataSign(at, problem);
  const signedOut = useClock((now) => signedOutAt && `Signed out ${sinceText(signedOutAt, now)}`);
  const wrongClock = useClock(() => clockWords(clockOffsetMs()));

  if (data) {
    // A server that refuses has answered.
    const failed = data.failed && 'Unable to load AI feed summaries';
    const head = (data.old ? data.head : signedOut) ?? data.head ?? (failed || data.advice);
    const more =
      head === signedOut
        ? [PAIR_AGAIN] // without the advice for no answer
        : [
            signedOut && `${signedOut}.`,
            failed && !signedOut && head !== failed && `${failed}.`,
            head !== data.advice && data.advice,
          ];
    return {
      icon: signedOut ? (
        <MonitorIcon weight="bold" aria-hidden />
      ) : (
        <WifiSlashIcon weight="bold" aria-hidden />
      ),
      head: head.replace(/\.$/, ''),
      more: more.filter(Boolean).join(' '),
      countsDown: true,
      old: data.old,
      key: `data ${data.key}`,
    };
  }
  const quiet = { countsDown: false, old: false };
  if (signedOut)
    return {
      ...quiet,
      icon: <MonitorIcon weight="bold" aria-hidden />,
      head: signedOut,
      more: PAIR_AGAIN,
      key: 'session',
    };
  if (wrongClock)
    return {
      ...quiet,
      icon: <ClockIcon weight="bold" aria-hidden />,
      head: wrongClock,
      more: 'The times shown here are right: they are the server’s. Set the clock of this device.',
      key: 'clock',
    };
  return null;
}

export function WallSign({
  sign: { icon, head, more, countsDown },
  board,
}: {
  sign: Sign;
  board: Pick<Board, 'refreshing' | 'nextTryAt'>;
}) {
  const [upSince] = useState(serverNow);
  const soft = useClock((now) => {
    const minutes = Math.floor((now.getTime() - upSince.getTime()) / 60_000);
    return minutes >= SOFT_FROM_MINUTES && minutes % 2 === 0;
  });

  return (
    <TempSign icon={icon} soft={soft}>
      <span aria-live="off">
        <strong>{head}</strong>{' '}
        <span>
          {more}{' '}
          {countsDown && (
            <span className={styles.counting}>
              <NextTry {...board} />
            </span>
          )}
        </span>
      </span>
    </TempSign>
  );
}

/** "This display’s clock is 5 minutes slow"; null while it is about right. */
export function clockWords(offsetMs: number): string | null {
  // Rounded: the measured difference is never quite the full one, and most wrong clocks are wrong by whole hours.
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  if (Math.abs(offsetMs) <= CLOCK_DIFFERS_MS) return null;
  const amount =
    minutes < 120
      ? counted(minutes, 'minute')
      : minutes < 48 * 60
        ? counted(Math.round(minutes / 60), 'hour')
        : counted(Math.round(minutes / 60 / 24), 'day');
  return `This display’s clock is ${amount} ${offsetMs > 0 ? 'slow' : 'fast'}`;
}
