import type { ReactNode } from 'react';
import { Severity as Level } from '#contract/incidents/severity.ts';
import styles from './Severity.module.css';

/** An alert's grade on screen; `unrated` when the publisher gave no severity that we know. */
export type Grade = Level | 'unrated';

/** Worst first, unrated last. */
export const GRADES: readonly Grade[] = [...Level.options, 'unrated'];

/** The four diversion symbols of UK road signs. Only their outlines distinguish them, so they are never rounded. */
export const OUTLINES: Readonly<Record<Grade, ReactNode>> = {
  critical: <path d="M2 2h20v20H2z" />,
  high: <path d="M12 1.6 23.4 21.8H.6z" />,
  medium: <path d="M12 .6 23.4 12 12 23.4.6 12z" />,
  low: <circle cx="12" cy="12" r="9.6" />,
  unrated: <circle cx="12" cy="12" r="9.6" />,
};

const SYMBOLS: Readonly<Record<Grade, ReactNode>> = {
  ...OUTLINES,
  critical: (
    <>
      {OUTLINES.critical}
      <path className={styles.cut} d="M10.3 5.2h3.4l-.6 8.6h-2.2zM10.4 15.6h3.2v3.2h-3.2z" />
    </>
  ),
};

export const GRADE_WORDS: Readonly<Record<Grade, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  unrated: 'Unrated',
};

/** A symbol, then a number if there is one, then a word; never only a symbol or a colour. Inside an element with
 *  `data-fresh="stale"` the symbol is hollow and there is no plate. */
export function Severity({
  grade,
  word = GRADE_WORDS[grade],
  count,
  plate = false,
  stacked = false,
  wordless = false,
}: {
  grade: Grade;
  word?: string;
  count?: number;
  /** White on deep red; only for critical. */
  plate?: boolean;
  /** The word is below a large symbol. */
  stacked?: boolean;
  /** Only the symbol and the number are shown; the word is still read out. */
  wordless?: boolean;
}) {
  return (
    <span
      className={styles.severity}
      data-severity={grade}
      data-plate={(plate && grade === 'critical') || undefined}
      data-stacked={stacked || undefined}
    >
      <svg className={styles.symbol} viewBox="0 0 24 24" aria-hidden="true">
        {SYMBOLS[grade]}
      </svg>
      {wordless ? (
        <span>
          {count}
          <span data-hidden> {word}</span>
        </span>
      ) : count === undefined ? (
        word
      ) : (
        `${count} ${word}`
      )}
    </span>
  );
}

/** The symbol alone, as part of a drawing: its centre and size are in the drawing's units. Words elsewhere say the
 *  same. */
export function SeverityMark({ grade, x, y, size }: { grade: Grade; x: number; y: number; size: number }) {
  return (
    <g className={styles.severity} data-severity={grade}>
      <svg
        x={x - size / 2}
        y={y - size / 2}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        className={styles.drawn}
      >
        {SYMBOLS[grade]}
      </svg>
    </g>
  );
}
