import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import { Fragment, type ReactNode } from 'react';
import type { Summary } from '../api/feeds.ts';
import { Badge } from '../ui/Badge.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { dateOf, sinceText } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import styles from './SummaryPanel.module.css';
import { figures, sentencesOf } from '../feeds/summarySentences.ts';

/** What the AI says about a feed, who it is, and from how much. `faint`: the data is too old to plan from. */
export function SummaryPanel({
  feedTitle,
  summary,
  boardStale,
  faint,
  children,
}: {
  feedTitle: string;
  summary: Summary | null | undefined;
  /** Nothing is being refreshed while no answer comes; the badge's room stays, for no row may move. */
  boardStale: boolean;
  faint: boolean;
  /** The toggle of the sources, beside the figures. */
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
        {summary?.text?.trim() ? <Sentences summary={summary} /> : 'No summary yet'}
      </p>
      <div className={styles.foot}>
        {summary && <p className={styles.figures}>{figuresOf(summary)}</p>}
        {children}
      </div>
    </section>
  );
}

/** What has ended since it was written is said to have, before it is read: at a glance, and aloud. */
function Sentences({ summary }: { summary: Summary }) {
  return sentencesOf(summary).map(({ text, hasEnded }, index) => (
    <Fragment key={`${index} ${text}`}>
      {index > 0 && ' '}
      {hasEnded ? (
        <span className={styles.ended}>
          <Badge>
            Ended<VisuallyHidden>:</VisuallyHidden>
          </Badge>{' '}
          {text}
        </span>
      ) : (
        text
      )}
    </Fragment>
  ));
}

/** Lines may break between the figures, not inside one. */
const figuresOf = (summary: Summary) =>
  figures(summary)
    .map((figure) => figure.replaceAll(' ', '\u00a0'))
    .join(' · ');
