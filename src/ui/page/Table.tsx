import type { ReactNode } from 'react';
import styles from './Table.module.css';

/** A table of records. When its columns have too little room, each row folds into labelled lines. Give each `td` its
 *  column's heading as `data-th` (empty: no label), and `data-number` to cells with numbers and to their `th`. At
 *  most 8 columns. */
export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.wrap}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
