import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CaretUpIcon } from '@phosphor-icons/react/dist/csr/CaretUp';
import { memo, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import type { Row } from '../api/feeds.ts';
import type { DataFreshness } from '../time/freshness.ts';
import { Button } from '../ui/Button.tsx';
import { Tally } from '../ui/Tally.tsx';
import { dateOf } from '../feeds/alerts.ts';
import { FeedHead } from '../feeds/FeedHead.tsx';
import { categoryOf } from '../feeds/feedNames.ts';
import styles from './FeedRow.module.css';
import { LiveFeed } from './LiveFeed.tsx';
import { prefersStillness } from '../feeds/stepTimer.ts';
import { type Change, newText } from '../feeds/newItems.ts';
import { isDrawnAlike, readRow } from '../feeds/readRow.ts';
import { SummaryPanel } from './SummaryPanel.tsx';
import { NoAlerts, QuietLine } from '../feeds/QuietLine.tsx';

/** One feed: its name and count, its AI summary, its alerts, and below them its sources. */
export const FeedRow = memo(function FeedRow({
  row: { feed, summary, events },
  place,
  at,
  freshness,
  change,
  expanded,
  onToggle,
  children,
}: {
  row: Row;
  /** From 0, in the order of the board. */
  place: number;
  /** When the server sent this row. */
  at: Date;
  /** Of the board's data as a whole. */
  freshness: DataFreshness;
  change: Change | undefined;
  expanded: boolean;
  onToggle: (slug: string) => void;
  /** The sheet of sources, when expanded. */
  children?: ReactNode;
}) {
  const id = useId();
  const article = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const { title, boardStale, stale, isNew, counts, uncounted, unlisted, count, caption, total, silent } =
    readRow({ feed, events }, { at, freshness, change });
  const asked = { feed, at, boardStale };

  const close = useEffectEvent(() => onToggle(feed.slug));
  useEffect(() => {
    if (!expanded) return;
    // Stops below the sticky header: the page's scroll padding is the header's height.
    article.current?.scrollIntoView({ block: 'start', behavior: prefersStillness() ? 'instant' : 'smooth' });

    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      close();
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [expanded]);

  return (
    <article
      className={styles.row}
      id={feed.slug}
      ref={article}
      aria-labelledby={id}
      data-fresh={stale ? 'stale' : undefined}
      data-new={isNew || undefined}
    >
      <FeedHead
        styles={styles}
        id={id}
        title={title}
        category={categoryOf(feed)}
        updated={dateOf(feed.last_updated)}
        count={count}
        unknown="Unknown number of"
        caption={caption}
        news={isNew && newText(change)}
      >
        {counts.length > 0 && (
          <div className={styles.tally}>
            <Tally label="Active alerts by severity" counts={counts} unlisted={uncounted} />
          </div>
        )}
        {silent !== null && (
          <p className={styles.silent}>
            <QuietLine {...asked} noteClass={styles.note} />
          </p>
        )}
      </FeedHead>

      <div className={styles.summary}>
        <SummaryPanel
          feedTitle={title}
          summary={summary}
          boardStale={boardStale}
          faint={freshness === 'veryOld'}
        >
          <Button
            small
            ref={toggle}
            aria-expanded={expanded}
            aria-controls={expanded ? `${id}-sources` : undefined}
            aria-describedby={id}
            onClick={() => onToggle(feed.slug)}
          >
            {expanded ? 'Hide sources' : 'View sources'}
            {expanded ? (
              <CaretUpIcon weight="bold" aria-hidden />
            ) : (
              <CaretDownIcon weight="bold" aria-hidden />
            )}
          </Button>
        </SummaryPanel>
      </div>

      <div className={styles.live}>
        {events.length > 0 ? (
          <LiveFeed
            events={events}
            unlisted={unlisted}
            row={place}
            held={expanded}
            stale={stale}
            feedTitle={title}
            describedBy={id}
          />
        ) : (
          <NoAlerts styles={styles} feedTitle={title} total={total} {...asked} />
        )}
      </div>

      {expanded && (
        <div className={styles.sheet} id={`${id}-sources`}>
          {children}
        </div>
      )}
    </article>
  );
}, isDrawnAlike);
