/** The words of a row of the board about its feed, on any screen. */
import { EVENTS_PER_FEED } from '#contract/feeds/feeds.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { type DataFreshness, isTooOld } from '../../time/freshness.ts';
import { countsByGrade } from '../alerts/alerts.ts';
import { titleOf } from '../alerts/counts.ts';
import type { Change } from '../refresh/newItems.ts';
import { isSilent, quietLine, silentSources } from '../alerts/sourceStatus.ts';

/** Whether a row would look the same. Its time is shown only when the board is stale, so only then does the time
 *  matter. */
export function isDrawnAlike<Props extends { at: Date; freshness: DataFreshness }>(
  before: Props,
  after: Props,
): boolean {
  const names = Object.keys(after) as (keyof Props)[];
  return names.every(
    (name) => Object.is(before[name], after[name]) || (name === 'at' && !isTooOld(after.freshness)),
  );
}

/** `at`: when the server gave the row; `freshness`: the freshness of the whole board. */
export function readRow(
  { feed, events }: Pick<Row, 'feed' | 'events'>,
  { at, freshness, change }: { at: Date; freshness: DataFreshness; change?: Change | undefined },
) {
  const boardStale = isTooOld(freshness);
  const stale = boardStale || isSilent(feed);
  const counts = countsByGrade(events);
  const counted = counts.reduce((sum, { count }) => sum + count, 0);
  const total = Math.max(feed.alert_count ?? 0, counted);
  const silent = silentSources(feed).length;
  const isCalm = quietLine(feed, { boardStale: false, at, now: at }).status === 'good';
  return {
    title: titleOf(feed),
    boardStale,
    /** True: nothing in the row may look current. */
    stale,
    /** The number of sources that have fallen silent, so that alerts may be missing; null: none has. */
    silent: events.length > 0 && (isSilent(feed) || silent > 0) ? silent : null,
    isNew: change !== undefined && !stale,
    counts,
    total,
    /** Active alerts that `counts` does not hold. */
    uncounted: total - counted,
    /** Active alerts that the live feed does not show. The feed shows planned ones last. */
    unlisted: total - Math.min(counted, EVENTS_PER_FEED),
    /** Null when the number is unknown, because 0 would be a claim. */
    count: total === 0 && !isCalm ? null : total,
    caption: total === 1 ? 'active alert' : 'active alerts',
  };
}
