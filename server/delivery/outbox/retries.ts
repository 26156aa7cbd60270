/** When a message that did not arrive is tried again, and how long an address is left alone. Pure: depends only on
 *  data and a time. */
import { MINUTE_MS } from '#contract/durations.ts';
import { isPosted } from './channelState.ts';
import { WAIT_MOST_MINUTES } from './outboxStore.ts';
import type { RowOf } from '../../db/schema.ts';

/** Waits for devices and mailboxes: after the first, second and third failure; the last one repeats while the
 *  message is worth sending. */
const RETRY_AFTER_MS = [30_000, 2 * MINUTE_MS, 8 * MINUTE_MS] as const;
/** The waits for webhooks, Slack and Teams: after the last one the message has failed. */
const POSTED_RETRY_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS] as const;
/** How much each wait is lengthened or shortened at random, so that addresses that failed together are not called
 *  together. */
export const JITTER_SHARE = 0.2;
/** A posted message stays worth sending for longer than all its tries take. */
export const POSTED_VALID_MS = 6 * 60 * MINUTE_MS;
/** The latest date in a header. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
/** With these statuses the address asks for a pause. */
const SLOW_DOWN: readonly number[] = [429, 502, 504];

/** The answer of an address that did not take a message now. */
export interface Later {
  status: number | null;
  /** The wait for which it asks; null: we choose it. */
  afterMs: number | null;
}

/** When to try again after this many tries; null: no more tries. `random`: from 0 to 1. */
export function nextTry(
  channel: Pick<RowOf<'channels'>, 'kind'>,
  tries: number,
  asked: Later,
  now: Date,
  random: () => number,
): Date | null {
  const usual = isPosted(channel)
    ? POSTED_RETRY_MS[tries - 1]
    : RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length) - 1];
  if (usual === undefined) return null;
  const spread = isPosted(channel) ? usual * (1 + JITTER_SHARE * (2 * random() - 1)) : usual;
  return new Date(Math.min(now.getTime() + Math.max(asked.afterMs ?? 0, spread), LAST_TIME));
}

/** Before this time nothing else is posted there; null: it may be posted at once. */
export function restUntil(channel: Pick<RowOf<'channels'>, 'kind'>, asked: Later, now: Date): Date | null {
  if (!isPosted(channel) || asked.status === null || !SLOW_DOWN.includes(asked.status)) return null;
  const ms = Math.max(asked.afterMs ?? 0, POSTED_RETRY_MS[0]);
  return new Date(now.getTime() + Math.min(ms, WAIT_MOST_MINUTES * MINUTE_MS));
}
