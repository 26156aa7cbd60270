/** How old the data on screen is, and the word for that age. Only this file decides it (decision 6). How old a source
 *  may be is decided by server/feeds/sourceCondition.ts. */
import { clockOffsetMs } from './serverClock.ts';

export type DataFreshness = 'fresh' | 'late' | 'stale' | 'veryOld';

const LATE_FROM_MS = 90_000;
export const STALE_FROM_MS = 3 * 60_000;
export const VERY_OLD_FROM_MS = 60 * 60_000;

/** The server's time now: the device's clock, corrected by the server's answers. */
export function serverNow(): Date {
  return new Date(Date.now() + clockOffsetMs());
}

/** Milliseconds since `at`. Negative when `at` is in the future, which only a wrong clock can cause. */
export function dataAge(at: Date, now: Date = serverNow()): number {
  return now.getTime() - at.getTime();
}

/** Fresh under 90 s, late up to 3 minutes, stale from 3 minutes, very old from 60. Data with a time well in the
 *  future is stale: its age is unknown, and unknown must not look new. */
export function dataFreshness(at: Date, now: Date = serverNow()): DataFreshness {
  const age = dataAge(at, now);
  if (age >= VERY_OLD_FROM_MS) return 'veryOld';
  if (age >= STALE_FROM_MS || age <= -LATE_FROM_MS) return 'stale';
  if (age >= LATE_FROM_MS) return 'late';
  return 'fresh';
}

/** Whether the data is too old to rely on: if it holds no alerts, that must not be shown as calm. */
export const isTooOld = (freshness: DataFreshness): boolean =>
  freshness === 'stale' || freshness === 'veryOld';

export const isStale = (at: Date, now: Date = serverNow()): boolean => isTooOld(dataFreshness(at, now));
