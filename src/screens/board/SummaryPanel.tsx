import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import { type ReactNode, Fragment } from 'react';
import type { Summary } from '../../api/alerts/feeds.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { dateOf, sinceText } from '../../feeds/alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import styles from './SummaryPanel.module.css';
import { figures, sentencesOf, summaryName, type Sentence } from '../../feeds/rows/summarySentences.ts';
import { Fitted } from '../../ui/signs/Fitted.tsx';
import { clausesOf, namesOf } from '../../feeds/alerts/titles.ts';

/** The summary of a feed, its writer, and how much it is based on. `faint`: the data is too old to plan from. */
export function SummaryPanel({
  feedTitle,
  summary,
  counts,
  boardStale,
  faint,
  brief = false,
  children,
}: {
  feedTitle: string;
  summary: Summary | null | undefined;
  /** "13 active, 4 planned", beside the number of events. */
  counts?: string;
  /** True: hides the "Refreshing" badge, because nothing refreshes without an answer. Its space stays, so that no
   *  row moves. */
  boardStale: boolean;
  faint: boolean;
  /** True: without the writer. */
  brief?: boolean;
  /** The button that shows the sources, beside the figures. */
  children?: ReactNode;
}) {
  const made = dateOf(summary?.generated_at);
  const madeText = useClock((now) => made && sinceText(made, now));
  const name = summaryName(summary);
  const parts = summary?.metadata?.parts;
  if (brief) return <Brief name={name} feedTitle={feedTitle} summary={summary} updated={madeText} />;

  return (
    <section className={styles.summary} aria-label={`${name}, ${feedTitle}`}>
      <h3 className={styles.heading} data-row data-tight data-text="strong">
        {name} {madeText && <Updated>{madeText}</Updated>}
        {summary?.stale && (
          <span className={styles.refreshing} hidden={boardStale}>
            <Badge>
              <ArrowClockwiseIcon weight="bold" aria-hidden />
              Refreshing
            </Badge>
          </span>
        )}
      </h3>
      {parts ? (
        <dl className={styles.parts} data-tone={faint ? 3 : undefined}>
          {linesOf(parts).map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt> <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles.text} data-tone={faint ? 3 : undefined}>
          {summary?.text?.trim() ? <SummaryText sentences={sentencesOf(summary)} /> : 'No summary yet'}
        </p>
      )}
      <div className={styles.foot} data-split="4">
        {summary && (
          <p className={styles.figures} data-text="small" data-tone="3">
            {figuresOf(summary, counts)}
          </p>
        )}
        {children}
      </div>
    </section>
  );
}

const Updated = ({ children }: { children: string }) => (
  <span data-text="small" data-tone="2">
    Updated {children}
  </span>
);

/** The summary as high as a Compact row, in whole sentences. The opened row has the whole text. */
function Brief({
  name,
  feedTitle,
  summary,
  updated,
}: {
  name: string;
  feedTitle: string;
  summary: Summary | null | undefined;
  updated: string | null;
}) {
  const parts = summary?.metadata?.parts;
  const given = PARTS.filter((part) => parts?.[part]?.trim());
  const text = summary?.text?.trim();

  return (
    <section
      className={styles.summary}
      aria-label={`${name}, ${feedTitle}`}
      data-brief={given.length || (text ? 'text' : 'none')}
    >
      <h3 className={styles.heading} data-row data-tight data-text="strong">
        {name} {updated && <Updated>{updated}</Updated>}
      </h3>
      {parts && given.length > 0 ? (
        <dl className={styles.parts}>
          {given.map((part) => (
            <div key={part}>
              <dt>{WORDS[part]}</dt>{' '}
              <dd>
                <Fitted forms={formsOf(part, parts[part]!.trim())} className={styles.fitted} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles.text}>
          {text ? <Fitted forms={[...clausesOf(text), '']} className={styles.fitted} /> : 'No summary yet'}
        </p>
      )}
    </section>
  );
}

/** The shorter forms of a part. Advice is never cut within a sentence, because half of it can say the opposite. */
const formsOf = (part: (typeof PARTS)[number], text: string): string[] =>
  part === 'affected' ? namesOf(text) : [...clausesOf(text), 'Open to read'];

const PARTS = ['affected', 'advice', 'until'] as const;
const WORDS = { affected: 'Affected', advice: 'Advice', until: 'Until' };

/**
 * The lines of the summary. Parts that the publisher does not give share one line, at the place of the last of them.
 */
function linesOf(parts: Partial<Record<(typeof PARTS)[number], string | null>>) {
  const missing = PARTS.filter((part) => !parts[part]?.trim());
  return PARTS.flatMap((part) => {
    const text = parts[part]?.trim();
    if (text) return [{ name: WORDS[part], text }];
    if (part !== missing.at(-1)) return [];
    return [{ name: missing.map((one) => WORDS[one]).join(', '), text: 'Not given' }];
  });
}

/** The figures. Lines can break between them, but not inside one. */
const figuresOf = (summary: Summary, counts: string | undefined) =>
  figures(summary)
    .map((figure) => (counts && figure.endsWith('analysed') ? `${figure} (${counts})` : figure))
    .map((figure) => figure.replaceAll(' ', '\u00a0'))
    .join(' · ');

/** The sentences. One about an alert that has ended is marked before its text, on screen and when read out. */
function SummaryText({ sentences }: { sentences: readonly Sentence[] }) {
  return sentences.map(({ text, hasEnded }, index) => (
    // The AI can repeat a sentence, and with equal keys React would leave a copy behind.
    <Fragment key={`${index} ${text}`}>
      {index > 0 && ' '}
      {hasEnded ? (
        <span data-tone="3">
          <Badge>
            Ended<span data-hidden>:</span>
          </Badge>{' '}
          {text}
        </span>
      ) : (
        text
      )}
    </Fragment>
  ));
}
