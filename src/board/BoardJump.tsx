import { FEEDS } from '#contract/feeds.ts';
import type { MouseEvent, ReactNode } from 'react';
import type { Row } from '../api/feeds.ts';
import { gradeOf, isCounted } from '../feeds/alerts.ts';
import { feedCounts, feedGrades, totalGrades } from '../feeds/counts.ts';
import { categoryOf, titleOf } from '../feeds/feedNames.ts';
import { readRow } from '../feeds/readRow.ts';
import { prefersStillness } from '../feeds/stepTimer.ts';
import { type Grade, GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './BoardJump.module.css';

/** The alerts of all feeds by grade, and one cell for each feed; each leads to its row. */
export function BoardJump({ rows, at }: { rows: readonly Row[]; at: Date | null }) {
  return (
    <nav className={styles.jump} aria-label="All feeds">
      <ul className={styles.grades} aria-label="Active alerts of all feeds">
        {totalGrades(rows).map(({ grade, count }) => (
          <li key={grade}>
            <Jump to={rowWith(grade, rows)}>
              <Severity grade={grade} count={count} plate />
            </Jump>
          </li>
        ))}
      </ul>
      <ul className={styles.feeds} aria-label="Feeds">
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
                <span className={styles.cell}>
                  {category} <b>–</b>
                </span>
              </li>
            ))}
      </ul>
    </nav>
  );
}

/** The worst grade's symbol and the number of active alerts; – where 0 would be a claim. */
function Count({ row, at }: { row: Row; at: Date }) {
  const { count, stale } = readRow(row, { at, freshness: 'fresh', change: undefined });
  const worst = feedGrades(row)[0]?.grade;
  const { active } = feedCounts(row);

  return (
    <span className={styles.count} data-fresh={stale ? 'stale' : undefined}>
      {count === null ? (
        <b>
          –<VisuallyHidden> unknown</VisuallyHidden>
        </b>
      ) : worst ? (
        <b>
          <Severity grade={worst} count={active} wordless word={`active, worst ${GRADE_WORDS[worst]}`} />
        </b>
      ) : (
        <b>{active}</b>
      )}
    </span>
  );
}

/** The row of the first alert of this grade. */
function rowWith(grade: Grade, rows: readonly Row[]): string {
  const listed = rows.find(({ events }) =>
    events.some((alert) => isCounted(alert) && gradeOf(alert) === grade),
  );
  const row = listed ?? rows.find((one) => feedGrades(one).some((some) => some.grade === grade)) ?? rows[0];
  return row?.feed.slug ?? '';
}

function Jump({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className={styles.cell} href={`#${to}`} onClick={(event) => jump(event, to)}>
      {children}
    </a>
  );
}

/** The next Tab goes on from the row. */
function jump(event: MouseEvent, to: string) {
  event.preventDefault();
  const row = document.getElementById(to);
  row?.scrollIntoView({ block: 'start', behavior: prefersStillness() ? 'instant' : 'smooth' });
  row?.focus({ preventScroll: true });
}
