import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import type { ReactNode } from 'react';
import type { Summary } from '../api/feeds.ts';
import { Badge } from '../ui/Badge.tsx';
import { dateOf, sinceText } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import styles from './SummaryPanel.module.css';
import { SummaryText } from '../feeds/SummaryText.tsx';
import { figures, sentencesOf } from '../feeds/summarySentences.ts';

/** The AI's summary of a feed, its model, and how much it read. `faint`: the data is too old to plan from. */
export function SummaryPanel({
  feedTitle,
  summary,
  boardStale,
  faint,
  children,
}: {
  feedTitle: string;
  summary: Summary | null | undefined;
  /** Hides the "Refreshing" badge, as nothing refreshes without an answer. Its space stays, so that no row moves. */
  boardStale: boolean;
  faint: boolean;
  /** The button that shows the sources, beside the figures. */
  children: ReactNode;
}) {
  const made = dateOf(summary?.generated_at);
  const madeText = useClock((now) => made && sinceText(made, now));

  return (
    <section className={styles.summary} aria-label={`AI Summary, ${feedTitle}`}>
      <h3 className={styles.heading}>
        AI Summary {madeText && <span className={styles.updated}>Updated {madeText}</span>}
        {summary?.stale && (
          <span className={styles.refreshing} hidden={boardStale}>
            <Badge>
              <ArrowClockwiseIcon weight="bold" aria-hidden />
              Refreshing
            </Badge>
          </span>
        )}
      </h3>
      <p className={styles.text} data-faint={faint || undefined}>
        {summary?.text?.trim() ? (
          <SummaryText sentences={sentencesOf(summary)} endedClass={styles.ended} />
        ) : (
          'No summary yet'
        )}
      </p>
      <div className={styles.foot}>
        {summary && <p className={styles.figures}>{figuresOf(summary)}</p>}
        {children}
      </div>
    </section>
  );
}

/** Lines can break between the figures, not inside one. */
const figuresOf = (summary: Summary) =>
  figures(summary)
    .map((figure) => figure.replaceAll(' ', '\u00a0'))
    .join(' · ');
