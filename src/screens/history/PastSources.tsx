import { knownSource } from '#contract/feeds/sources.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { dateOf, sinceText } from '../../feeds/alerts/alerts.ts';
import { isSilent, sourcesOf } from '../../feeds/alerts/sourceStatus.ts';
import { counted } from '../../ui/numbers.ts';
import styles from './PastSources.module.css';

/** The sources of a feed, and how fresh each was. */
export function PastSources({ feed, at }: { feed: FeedEntry; at: Date }) {
  const entries = new Map(feed.sources?.map((entry) => [entry.source, entry]));

  return (
    <ul className={styles.sources} data-stack="1" data-text="note">
      {sourcesOf(feed).map((source) => {
        const entry = entries.get(source);
        const last = dateOf(entry?.last_collected);
        return (
          <li key={source}>
            <b>{knownSource(source).displayName}</b>{' '}
            {!entry || entry.state === 'not_configured' || !last
              ? 'Not connected'
              : isSilent(entry)
                ? `had not answered since ${sinceText(last, at)}`
                : `${counted(entry.event_count ?? 0, 'alert')}, answered ${sinceText(last, at)}`}
          </li>
        );
      })}
    </ul>
  );
}
