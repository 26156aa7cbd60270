import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import { useMemo } from 'react';
import type { Summary } from '../api/feeds.ts';
import { dateOf, sinceText } from '../feeds/alerts.ts';
import { useClock } from '../time/clock.ts';
import { SummaryText } from '../feeds/SummaryText.tsx';
import { figures, sentencesOf } from '../feeds/summarySentences.ts';
import { Badge } from '../ui/Badge.tsx';
import { LOW_ROOM, pageAt } from './feedPages.ts';
import { textWidth, useFacesLoaded } from './fit.ts';
import { SUMMARY_LINE } from './measures.ts';
import { textPages } from './textPages.ts';
import styles from './WallSummary.module.css';

/** The room for these lines, in units. */
const HEADING = 28;
const FIGURES = 24;

const PAGE_MS = 14_000;

/** The AI's summary of a feed. What does not fit is on the next page. */
export function WallSummary({
  feedTitle,
  summary,
  boardStale,
  faint,
  width,
  room,
  place,
}: {
  feedTitle: string;
  summary: Summary | null | undefined;
  /** Hides the "Refreshing" badge, as nothing refreshes without an answer. */
  boardStale: boolean;
  /** The data is too old to plan from. */
  faint: boolean;
  /** The width of the text, in units. */
  width: number;
  /** The available height, in units. */
  room: number;
  /** The row's, from 0. It staggers the turns, so that two rows do not turn their pages at once. */
  place: number;
}) {
  const loaded = useFacesLoaded();
  // In low rows the text takes the room of the figures.
  const hasFigures = room >= LOW_ROOM;
  const lines = Math.max(1, Math.floor((room - HEADING - (hasFigures ? FIGURES : 0)) / SUMMARY_LINE));
  // `loaded`: measured again when the fonts have loaded.
  const pages = useMemo(() => pagesOf(summary, width, lines, loaded), [summary, width, lines, loaded]);
  const turn = useClock((now) => pageAt(now.getTime() + place * 3000, Math.max(1, pages.length), PAGE_MS));
  const made = dateOf(summary?.generated_at);
  const madeText = useClock((now) => made && sinceText(made, now));
  // `loaded`: as above.
  const [model, ...counts] = useMemo(() => figuresOf(summary, width, loaded), [summary, width, loaded]);

  return (
    <section className={styles.summary} aria-label={`AI Summary, ${feedTitle}`}>
      <h3 className={styles.heading}>
        AI Summary {madeText && <span className={styles.updated}>Updated {madeText}</span>}
        {summary?.stale && !boardStale && (
          <Badge>
            <ArrowClockwiseIcon weight="bold" aria-hidden />
            Refreshing
          </Badge>
        )}
        {pages.length > 1 && (
          <span className={styles.page}>
            {turn + 1} of {pages.length}
          </span>
        )}
      </h3>
      <p className={styles.text} data-faint={faint || undefined}>
        {pages.length === 0 && 'No summary yet'}
        {pages[turn] && <SummaryText sentences={pages[turn]} endedClass={styles.ended} />}
      </p>
      {hasFigures && model && (
        <p className={styles.figures}>
          <span className={styles.model}>{model}</span>
          {counts.map((count) => (
            <span key={count}> · {count}</span>
          ))}
        </p>
      )}
    </section>
  );
}

function pagesOf(summary: Summary | null | undefined, width: number, lines: number, _loaded: boolean) {
  return summary?.text?.trim() ? textPages(sentencesOf(summary), width, lines) : [];
}

/** The model and the figures, on one line. If they do not fit, the count of tokens is left out first; then the style
 *  sheet cuts the model's name. */
function figuresOf(summary: Summary | null | undefined, width: number, _loaded: boolean): string[] {
  const all = summary ? figures(summary) : [];
  return textWidth(all.join(' · '), 'meta') <= width ? all : all.slice(0, 2);
}
