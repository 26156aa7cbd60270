/** When a message that did not arrive is tried again, and how long an address rests. Pure: data and a time. */
import { MINUTE_MS } from '#contract/durations.ts';
import { isPosted } from './channelStore.ts';
import { WAIT_MOST_MINUTES } from './outboxStore.ts';
import type { RowOf } from '../../db/schema.ts';

/**
 * Waits for devices and mailboxes: after the first, second and third failure; the last one repeats while the message
 * is worth sending.
 */
const RETRY_AFTER_MS = [30_000, 2 * MINUTE_MS, 8 * MINUTE_MS] as const;
/** Webhooks, Slack and Teams: a message has failed after the last. */
const POSTED_RETRY_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS] as const;
/**
 * How much each wait is lengthened or shortened at random, so that addresses that failed together are not called
 * together.
 */
export const JITTER_SHARE = 0.2;
/** A posted message is news for longer than all its tries take. */
export const POSTED_VALID_MS = 6 * 60 * MINUTE_MS;
/** Limit of a date in a header. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
/** The address asks for a rest. */
const SLOW_DOWN: readonly number[] = [429, 502, 504];

/** Answer of an address that did not take a message now. */
export interface Later {
  status: number | null;
  /** As it asks; null: as we see fit. */
  afterMs: number | null;
}

/** When to try again after so many tries; null: no more. `random`: from 0 to 1. */
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

/** Nothing else is posted there before; null: at once. */
export function restUntil(channel: Pick<RowOf<'channels'>, 'kind'>, asked: Later, now: Date): Date | null {
  if (!isPosted(channel) || asked.status === null || !SLOW_DOWN.includes(asked.status)) return null;
  const ms = Math.max(asked.afterMs ?? 0, POSTED_RETRY_MS[0]);
  return new Date(now.getTime() + Math.min(ms, WAIT_MOST_MINUTES * MINUTE_MS));
}
