import type { ComponentProps, ReactNode } from 'react';
import styles from './Table.module.css';

type Cell<Row> = (row: Row) => ReactNode;

/** The cells of a column. `as`: the heading of its row, a number, words on one line, or a column whose heading is
 *  only read out. */
type Column<Row> =
  | Cell<Row>
  | ({ cell: Cell<Row>; as?: 'head' | 'number' | 'line' | 'hidden' } & Pick<
      ComponentProps<'td'>,
      'className' | 'aria-hidden'
    >);

/** A table of records. When its columns have too little room, each row folds into labelled lines; a cell without
 *  content then has no label. `columns`: by their headings, at most 8. */
export function Table<Row>({
  label,
  rows,
  keyOf,
  rowProps,
  columns,
  empty,
}: {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  rowProps?: (row: Row) => ComponentProps<'tr'> & { 'data-sign'?: string };
  columns: Readonly<Record<string, Column<Row>>>;
  /** Shown instead of the table when there are no rows. */
  empty?: string;
}) {
  if (rows.length === 0 && empty) return <p data-tone="3">{empty}</p>;
  const all = Object.entries(columns).map(([name, column]) => ({
    name,
    ...(typeof column === 'function' ? { cell: column } : column),
  }));
  return (
    <div className={styles.wrap}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {all.map(({ name, as }) => (
              <th key={name} data-number={as === 'number' || undefined}>
                {as === 'hidden' ? <span data-hidden>{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...rowProps?.(row)}>
              {all.map(({ name, cell, as, ...props }) => {
                const content = cell(row);
                if (as === 'head')
                  return (
                    <th key={name} scope="row" {...props}>
                      {content}
                    </th>
                  );
                return (
                  <td
                    key={name}
                    {...props}
                    data-th={as === 'hidden' || content == null || content === '' ? '' : name}
                    data-number={as === 'number' || undefined}
                    data-nowrap={as === 'line' || undefined}
                  >
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
