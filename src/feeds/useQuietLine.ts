import type { FeedEntry } from '../api/feeds.ts';
import { serverNow } from '../time/freshness.ts';
import { useClock } from '../time/clock.ts';
import { quietLine } from './sources.ts';

/** What a feed without alerts says; of a time that has become another day's, the date too. */
export function useQuietLine(feed: FeedEntry, board: { boardStale: boolean; at: Date }) {
  const readAt = (now: Date) => quietLine(feed, { ...board, now });
  useClock((now) => readAt(now).text);
  return readAt(serverNow());
}
