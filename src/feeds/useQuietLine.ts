import type { FeedEntry } from '../api/feeds.ts';
import { serverNow } from '../time/freshness.ts';
import { useClock } from '../time/clock.ts';
import { quietLine } from './sources.ts';

/** The line of a feed without alerts. A time from another day includes its date. */
export function useQuietLine(feed: FeedEntry, board: { boardStale: boolean; at: Date }) {
  const readAt = (now: Date) => quietLine(feed, { ...board, now });
  useClock((now) => readAt(now).text);
  return readAt(serverNow());
}
