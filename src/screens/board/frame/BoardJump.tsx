import { FEEDS } from '#contract/feeds/feeds.ts';
import type { MouseEvent, ReactNode } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { gradeOf, isCounted } from '../../../feeds/alerts/alerts.ts';
import {
  feedCounts,
  feedGrades,
  totalGrades,
  withOurs,
  categoryOf,
  titleOf,
} from '../../../feeds/alerts/counts.ts';
import { readRow } from '../../../feeds/rows/readRow.ts';
import { prefersStillness } from '../../../feeds/rows/liveLoop.ts';
import { type Grade, GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import styles from './BoardJump.module.css';

/** The alerts of all feeds by grade, and one cell for each feed. Each leads to its row. */
export function BoardJump({
  rows,
  ours,
  at,
}: {
  rows: readonly Row[];
  /** The team's own reports. They count in the totals and have a cell of their own. */
  ours: readonly Alert[];
  at: Date | null;
}) {
  const worstOfOurs = feedGrades({ events: ours })[0]?.grade;
  return (
    <nav className={styles.jump} data-line="1" data-align="stretch" aria-label="All feeds">
      <ul className={styles.grades} data-line="0" data-only="desk" aria-label="Active alerts of all feeds">
        {totalGrades(withOurs(rows, ours)).map(({ grade, count }) => (
          <li key={grade}>
            <Jump to={rowWith(grade, rows)}>
              <Severity grade={grade} count={count} plate />
            </Jump>
          </li>
        ))}
      </ul>
      <ul className={styles.feeds} data-line="0" aria-label="Feeds">
        {rows.length > 0 && at
          ? rows.map((row) => (
              <li key={row.feed.slug}>
                <Jump to={row.feed.slug}>
                  {categoryOf(row.feed) ?? titleOf(row.feed)} <Count row={row} at={at} />
                </Jump>
              </li>
            ))
          : FEEDS.map(({ slug, category }) => (
              <li key={slug}>
                <span className={styles.cell} data-tap data-text="strong">
                  {category} <b>–</b>
                </span>
              </li>
            ))}
        {worstOfOurs && (
          <li>
            <Jump to={OURS}>
              Ours{' '}
              <span className={styles.count} data-tone="1">
                <Severity grade={worstOfOurs} count={ours.length} wordless word={activeWords(worstOfOurs)} />
              </span>
            </Jump>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** The worst grade's symbol and the number of active alerts; – when 0 would be a claim. */
function Count({ row, at }: { row: Row; at: Date }) {
  const { count, stale } = readRow(row, { at, freshness: 'fresh', change: undefined });
  const worst = feedGrades(row)[0]?.grade;
  const { active } = feedCounts(row);

  return (
    <span className={styles.count} data-tone="1" data-fresh={stale ? 'stale' : undefined}>
      {count === null ? (
        <>
          –<span data-hidden> unknown</span>
        </>
      ) : worst ? (
        <Severity grade={worst} count={active} wordless word={activeWords(worst)} />
      ) : (
        active
      )}
    </span>
  );
}

const activeWords = (worst: Grade) => `active, worst ${GRADE_WORDS[worst]}`;

/** The id of the list of the team's own reports. */
const OURS = 'ours';

/** The row of the first alert of this grade. If no feed has one, it is in the team's own reports. */
function rowWith(grade: Grade, rows: readonly Row[]): string {
  const listed = rows.find(({ events }) =>
    events.some((alert) => isCounted(alert) && gradeOf(alert) === grade),
  );
  const row = listed ?? rows.find((one) => feedGrades(one).some((some) => some.grade === grade));
  return row?.feed.slug ?? OURS;
}

function Jump({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      className={styles.cell}
      href={`#${to}`}
      data-tap
      data-text="strong"
      onClick={(event) => jump(event, to)}
    >
      {children}
    </a>
  );
}

/** Moves the focus too, so that the next Tab goes on from the row. */
function jump(event: MouseEvent, to: string) {
  event.preventDefault();
  const row = document.getElementById(to);
  row?.scrollIntoView({ block: 'start', behavior: prefersStillness() ? 'instant' : 'smooth' });
  row?.focus({ preventScroll: true });
}
