/** What a row of the board says of its feed, however it is drawn. */
import { EVENTS_PER_FEED } from '#contract/feeds.ts';
import type { Row } from '../api/feeds.ts';
import type { DataFreshness } from '../time/freshness.ts';
import { countsByGrade } from './alerts.ts';
import { titleOf } from './feedNames.ts';
import type { Change } from './newItems.ts';
import { quietLine } from './sources.ts';

/** Whether a row would be drawn the same: when it was given only tells once the board is stale, and the row with it. */
export function isDrawnAlike<Props extends { at: Date; freshness: DataFreshness }>(
  before: Props,
  after: Props,
): boolean {
  const isStale = after.freshness === 'stale' || after.freshness === 'veryOld';
  const names = Object.keys(after) as (keyof Props)[];
  return names.every((name) => Object.is(before[name], after[name]) || (name === 'at' && !isStale));
}

/** `at`: when the server gave the row; `freshness`: of the board's data as a whole. */
export function readRow(
  { feed, events }: Pick<Row, 'feed' | 'events'>,
  { at, freshness, change }: { at: Date; freshness: DataFreshness; change: Change | undefined },
) {
  const boardStale = freshness === 'stale' || freshness === 'veryOld';
  const stale = boardStale || feed.freshness === 'stale';
  const counts = countsByGrade(events);
  const counted = counts.reduce((sum, { count }) => sum + count, 0);
  const total = Math.max(feed.alert_count ?? 0, counted);
  const isCalm = quietLine(feed, { boardStale: false, at, now: at }).status === 'good';
  return {
    title: titleOf(feed),
    boardStale,
    /** Nothing in it may pass for current. */
    stale,
    isNew: change !== undefined && !stale,
    counts,
    total,
    /** Active alerts beyond those of `counts`. */
    uncounted: total - counted,
    /** Active alerts beyond those that the live feed shows, where planned ones stand last. */
    unlisted: total - Math.min(counted, EVENTS_PER_FEED),
    /** Null where a 0 would claim what nobody knows. */
    count: total === 0 && !isCalm ? null : total,
    caption: total === 1 ? 'active alert' : 'active alerts',
  };
}
