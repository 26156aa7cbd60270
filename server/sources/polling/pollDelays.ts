/** When a source is asked again. */
import { SECOND_MS, MINUTE_MS } from '#contract/durations.ts';
import { backOff } from '#contract/backOff.ts';

/** The interval varies by up to this share either way, so that many installations do not poll in step. */
export const JITTER_SHARE = 0.1;
/** After a failure the wait is one interval, then twice that, up to this limit, or one interval if that is longer. */
export const BACK_OFF_MAX_MS = 15 * MINUTE_MS;
/** Used until a source is first read after the start: perhaps only our own network is not yet up. */
export const FIRST_RETRY_MS = 15 * SECOND_MS;
/** An upstream that asks us to wait longer than this is asked again after this time. */
export const RETRY_AFTER_MAX_MS = 6 * 60 * MINUTE_MS;

/** Ms from the start of a failed poll to the next. Never shorter than the interval once the source has been read. */
export function delayAfterFailure({
  failures,
  isStarting,
  rhythmMs,
  intervalScale = 1,
  retryAfterMs,
  random,
}: {
  /** In a row, including this one. */
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

/** Ms that the upstream asks us to wait. */
export function retryAfterOf(error: unknown): number | null {
  const isPatient = error instanceof Error && 'retryAfterMs' in error;
  return isPatient && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : null;
}

/** Between 0.9 and 1.1. */
export const jitter = (random: () => number) => 1 + JITTER_SHARE * (2 * random() - 1);

export const later = (time: Date, ms: number) => new Date(time.getTime() + ms).toISOString();
