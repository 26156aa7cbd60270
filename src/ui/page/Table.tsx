import type { ReactNode } from 'react';
import styles from './Table.module.css';

/** The heading of a column: of words, of numbers, or one that is only read out. */
type Column = string | { number: string } | { hidden: string };

/** A table of records. When its columns have too little room, each row folds into labelled lines. Give each `td` its
 *  column's heading as `data-th` (empty: no label), and `data-number` to cells with numbers. At most 8 columns. */
export function Table({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly Column[];
  children: ReactNode;
}) {
  return (
    <div className={styles.wrap}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              if (typeof column === 'string') return <th key={column}>{column}</th>;
              if ('hidden' in column)
                return (
                  <th key={column.hidden}>
                    <span data-hidden>{column.hidden}</span>
                  </th>
                );
              return (
                <th key={column.number} data-number>
                  {column.number}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
