/** When a source is polled again. Its interval (`everyMinutes`) stands in its file in server/sources. */
import { SECOND_MS, MINUTE_MS } from '#contract/durations.ts';
import { backOff } from '#contract/backOff.ts';

/** The interval varies by up to this share either way, so that many installations do not poll in step. */
export const JITTER_SHARE = 0.1;
/** The longest wait after failures. The wait is one interval after the first failure and then doubles; a longer
 *  interval counts instead of this. */
export const BACK_OFF_MAX_MS = 15 * MINUTE_MS;
/** The wait until a source is first read after the start: perhaps only our own network is not up yet. */
export const FIRST_RETRY_MS = 15 * SECOND_MS;
/** The longest wait that an upstream can ask for. After this time it is polled anyway. */
export const RETRY_AFTER_MAX_MS = 6 * 60 * MINUTE_MS;

/** The time from the start of a failed poll to the next one, in ms. Once the source has been read, it is never
 *  shorter than the interval. */
export function delayAfterFailure({
  failures,
  isStarting,
  rhythmMs,
  intervalScale = 1,
  retryAfterMs,
  random,
}: {
  /** The number of failures in a row, including this one. */
  failures: number;
  isStarting: boolean;
  rhythmMs: number;
  intervalScale?: number;
  retryAfterMs: number | null;
  random: () => number;
}): number {
  const firstMs = isStarting ? Math.min(FIRST_RETRY_MS * intervalScale, rhythmMs) : rhythmMs;
  const capMs = Math.max(BACK_OFF_MAX_MS * intervalScale, rhythmMs);
  const delayMs = backOff(failures - 1, firstMs, capMs);
  return Math.max(
    delayMs * (1 + 2 * JITTER_SHARE * random()),
    Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS),
  );
}

/** The wait that the upstream asks for, in ms. */
export function retryAfterOf(error: unknown): number | null {
  const isPatient = error instanceof Error && 'retryAfterMs' in error;
  return isPatient && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : null;
}

/** A factor between 0.9 and 1.1. */
export const jitter = (random: () => number) => 1 + JITTER_SHARE * (2 * random() - 1);

export const later = (time: Date, ms: number) => new Date(time.getTime() + ms).toISOString();
