import { knownSource } from '#contract/feeds/knownSources.ts';
import type { FeedEntry } from '../../../api/alerts/feeds.ts';
import { briefStatusOf } from '../../../feeds/alerts/sourceLine.ts';
import { serverNow } from '../../../time/freshness.ts';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../../ui/signs/StatusLine.tsx';
import styles from './WallSources.module.css';

const COLUMNS = 2;
const SOURCE = 58;
const GAPS = 16;
/** Upright they stand in columns above the alerts. In units. */
export const sourcesHeight = (sources: number): number =>
  sources === 0 ? 0 : Math.ceil(sources / COLUMNS) * SOURCE + GAPS;

/** The last report of each source of a held feed, as far as the board's answer gives it. */
export function WallSources({ feed, boardStale }: { feed: FeedEntry; boardStale: boolean }) {
  const sources = (feed.sources ?? []).toSorted(
    (a, b) => knownSource(a.source).priority - knownSource(b.source).priority,
  );

  return (
    <ul className={styles.sources} aria-label="Sources">
      {sources.map((source) => {
        const { status, text } = briefStatusOf(source, { boardStale, now: serverNow() });
        return (
          <li key={source.source}>
            <b className={styles.name}>{knownSource(source.source).displayName}</b>
            <StatusLine status={status}>
              {text}
              {status !== 'none' &&
                !text.includes('alert') &&
                !!source.event_count &&
                `: ${counted(source.event_count, 'alert')}`}
            </StatusLine>
          </li>
        );
      })}
    </ul>
  );
}
