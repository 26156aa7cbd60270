/** How old what we show is, and what that is called: the only place that decides it (decision 6). */
import { clockOffsetMs } from './serverClock.ts';

export type DataFreshness = 'fresh' | 'late' | 'stale' | 'veryOld';

const LATE_FROM_MS = 90_000;
export const STALE_FROM_MS = 3 * 60_000;
export const VERY_OLD_FROM_MS = 60 * 60_000;

/** The server's time now: the device's clock, corrected by the answers of the server. */
export function serverNow(): Date {
  return new Date(Date.now() + clockOffsetMs());
}

/** Milliseconds since `at`. Negative when `at` lies ahead, which only a wrong clock can bring about. */
export function dataAge(at: Date, now: Date = serverNow()): number {
  return now.getTime() - at.getTime();
}

/**
 * Fresh under 90 s, late to 3 minutes, stale from 3 minutes, very old from 60. Data from well ahead of the clock is
 * stale: its age cannot be known, and what is not known may not pass for new.
 */
export function dataFreshness(at: Date, now: Date = serverNow()): DataFreshness {
  const age = dataAge(at, now);
  if (age >= VERY_OLD_FROM_MS) return 'veryOld';
  if (age >= STALE_FROM_MS || age <= -LATE_FROM_MS) return 'stale';
  if (age >= LATE_FROM_MS) return 'late';
  return 'fresh';
}

/** Too old for its silence to mean anything: nothing may be called calm by it. */
export function isStale(at: Date, now: Date = serverNow()): boolean {
  const freshness = dataFreshness(at, now);
  return freshness === 'stale' || freshness === 'veryOld';
}
