import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock';
import { MonitorIcon } from '@phosphor-icons/react/dist/csr/Monitor';
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { type ReactNode, useState } from 'react';
import { clockOffsetMs } from '../../../time/serverClock.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { NextTry, useDataSign } from '../../../feeds/refresh/dataSign.tsx';
import type { Board } from '../../../feeds/refresh/useBoard.ts';
import { useOnline } from '../../../device/useOnline.ts';
import { dataFreshness, serverNow } from '../../../time/freshness.ts';
import { counted } from '#contract/numbers.ts';
import { ProductSign } from '../../../ui/signs/ProductSign.tsx';
import styles from './WallHeader.module.css';

/** A sign that stays longer than this is outlined every other minute, so that it does not burn into the screen. */
const SOFT_FROM_MINUTES = 2;

/** From this difference on, the device's clock is reported as wrong. */
const CLOCK_DIFFERS_MS = 60_000;

/** Set when the server has refused this display. */
export interface SignedOut {
  at: Date;
  /** The code that pairs it again; null until there is one. */
  code: string | null;
  /** The address at which the code is entered. */
  address: string | null;
}

export interface Sign {
  icon: ReactNode;
  /** The main line, read from across the room. */
  head: string;
  /** The words beside it: "Board as of 05:47." */
  asOf: string | null;
  /** Consequence of it. */
  more: string;
  /** The code, shown large at the right. */
  code: string | null;
  /** True: the seconds until the next attempt follow. */
  countsDown: boolean;
  /** True: the sign says that the data is old. */
  old: boolean;
  /** A sign with a new key is read out. */
  key: string;
}

/** The display's notice about itself, one at a time: first about its data, then its session, then its clock. */
export function useWallSign({
  at,
  board: { problem },
  signedOut,
  what = 'Board',
}: {
  /** When the server sent the data on screen; null when there is none. */
  at: Date | null;
  /** The name of the data on screen: "Board", "Jobs". */
  what?: string;
  board: Pick<Board, 'problem'>;
  signedOut: SignedOut | null;
}): Sign | null {
  const online = useOnline();
  const data = useDataSign(at, problem);
  const asOf = useClock((now) => at && sinceText(at, now));
  const since = signedOut?.at ?? null;
  const refused = useClock((now) => since && `Signed out ${sinceText(since, now)}`);
  const wrongClock = useClock(() => clockWords(clockOffsetMs()));
  const pairAgain = signedOut?.code
    ? `Enter this code at ${signedOut.address}`
    : 'This display asks for a code to pair it again.';
  const isVeryOld = useClock((now) => at !== null && dataFreshness(at, now) === 'veryOld');
  if (refused && !isVeryOld)
    return {
      icon: <MonitorIcon weight="bold" aria-hidden />,
      head: refused,
      asOf: null,
      more: pairAgain,
      code: signedOut?.code ?? null,
      countsDown: false,
      old: data?.old ?? false,
      key: `session ${data?.key}`,
    };
  if (data)
    return {
      icon: <WifiSlashIcon weight="bold" aria-hidden />,
      head: problem || !online ? 'No connection.' : 'No new data.',
      asOf: asOf && `${what} as of ${asOf}.`,
      more: [
        isVeryOld
          ? `Do not plan from this ${what.toLowerCase()}.`
          : at
            ? 'Nothing below has changed since then.'
            : 'Unable to load AI feed summaries.',
        refused && `${refused}. ${pairAgain}.`,
      ]
        .filter(Boolean)
        .join(' '),
      code: signedOut?.code ?? null,
      countsDown: true,
      old: data.old,
      key: `data ${data.key}`,
    };
  if (wrongClock)
    return {
      code: null,
      countsDown: false,
      old: false,
      icon: <ClockIcon weight="bold" aria-hidden />,
      head: wrongClock,
      asOf: null,
      more: 'The times shown here are right: they are the server’s. Set the clock of this device.',
      key: 'clock',
    };
  return null;
}

export function WallSign({
  sign: { icon, head, asOf, more, code, countsDown },
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
    <ProductSign icon={icon} soft={soft}>
      <span className={styles.words} data-justify="between" data-line aria-live="off">
        <span>
          <strong>
            {head}
            {asOf && <small> {asOf}</small>}
          </strong>{' '}
          <span>
            {more}{' '}
            {countsDown && (
              <span data-figures>
                <NextTry {...board} />
              </span>
            )}
          </span>
        </span>
        {code && (
          <b className={styles.code} data-testid="code">
            {code}
          </b>
        )}
      </span>
    </ProductSign>
  );
}

/** "This display’s clock is 5 minutes slow"; null when it is about right. */
export function clockWords(offsetMs: number): string | null {
  // Rounded, because the measured difference is always slightly too small, and most wrong clocks are wrong by whole
  // hours.
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
