import type { ReactNode } from 'react';
import type { Severity as Level } from '#contract/incidents/disruptions.ts';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import styles from './AlertRows.module.css';

/** Alerts in full, each with its severity beside it. */
export function AlertRows({
  rows,
  words = GRADE_WORDS,
}: {
  rows: readonly { key: string; severity: Level; title: string; line: string; small: ReactNode }[];
  words?: Readonly<Record<Level, string>>;
}) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ key, severity, title, line, small }) => (
        <li key={key}>
          <Severity grade={severity} word={words[severity]} plate />
          <div>
            <h3>{title}</h3>
            <p>{line}</p>
            <p className={styles.small}>{small}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
