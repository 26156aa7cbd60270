import { Fragment, type ReactNode, useState } from 'react';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { useMedia } from '../../ui/useMedia.ts';
import type { Column } from './columnMeanings.ts';
import type { Sheet } from './daySheet.ts';
import type { ReadRow } from './sheetJobs.ts';
import { type Meaning, MEANINGS } from './headingWords.ts';
import styles from './ImportPage.module.css';

/** The sheet as understood: each column with its meaning, and each row with a problem with the words beside it. */
export function SheetColumns({
  sheet,
  about,
  onMeaning,
  children,
}: {
  sheet: Sheet;
  about: string;
  onMeaning: (at: number, meaning: Meaning) => void;
  /** The questions to answer. */
  children: ReactNode;
}) {
  const narrow = useMedia('(width < 60rem)');
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { columns, rows } = sheet;
  const understood = rows.filter(({ problem }) => problem === null).length;
  const select = (column: Column, at: number) => (
    <select
      aria-label={`Meaning of ${column.heading ?? `column ${at + 1}`}`}
      value={column.meaning}
      data-off={column.meaning === 'none' || undefined}
      onChange={({ target }) => onMeaning(at, target.value as Meaning)} // one of the options
    >
      {Object.entries(MEANINGS).map(([meaning, words]) => (
        <option key={meaning} value={meaning}>
          {words}
        </option>
      ))}
    </select>
  );

  return (
    <section className={styles.part} data-pad="4">
      <header data-split="5" data-align="baseline">
        <h2 data-size="h3">What was understood</h2>
        <p data-text="line" data-tone="2">
          <b>
            {understood} of {counted(rows.length, 'row')}.
          </b>{' '}
          {about}
        </p>
      </header>
      {children}
      {sheet.said.length > 0 && (
        <ul
          className={styles.about}
          data-list
          data-text="line"
          data-tone="2"
          aria-label="What is left out or kept elsewhere"
        >
          {sheet.said.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {narrow && (
        <ul className={styles.columnList} data-list data-text="strong">
          {columns.map((column, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a column is known only by its place
            <li key={at}>
              <p>
                {column.heading ?? `Column ${at + 1}`}
                <span>{column.samples.join(', ')}</span>
              </p>
              {select(column, at)}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.scroll}>
        <table className={styles.sheet} data-text="line">
          {!narrow && (
            <thead>
              <tr>
                <th scope="col" className={styles.line}>
                  Row
                </th>
                {columns.map((column, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a column is known only by its place
                  <th key={at} scope="col">
                    <span data-text="note">{column.heading ?? `Column ${at + 1}`}</span>
                    {select(column, at)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {partsOf(rows, narrow).map((part) =>
              'rows' in part ? (
                opened.has(part.from) ? (
                  part.rows.map((row) => <Row key={row.line} row={row} columns={columns} narrow={narrow} />)
                ) : (
                  <tr key={`fold ${part.from}`}>
                    <td colSpan={columns.length + 1} className={styles.fold}>
                      <Disclosure
                        open={false}
                        onOpen={() => setOpened((before) => new Set(before).add(part.from))}
                      >
                        {part.from === part.to ? `Row ${part.from}` : `Rows ${part.from} to ${part.to}`}
                        {part.isLeft ? ': of other days, left out' : ': understood'}
                      </Disclosure>
                    </td>
                  </tr>
                )
              ) : (
                <Row key={part.row.line} row={part.row} columns={columns} narrow={narrow} />
              ),
            )}
          </tbody>
        </table>
      </div>
      {sheet.passedOver.length > 0 && <PassedOver sheet={sheet} />}
    </section>
  );
}

type Part = { row: ReadRow } | { from: number; to: number; isLeft: boolean; rows: ReadRow[] };

/** Which rows are shown: the first two, rows with a message, and the one after each of these. Runs between them, and
 *  rows of other days, are folded. On a phone only rows with a message are shown. */
function partsOf(rows: readonly ReadRow[], narrow: boolean): Part[] {
  const isOther = (row: ReadRow) => row.left === 'other day';
  const says = (row: ReadRow | undefined) =>
    row !== undefined && !isOther(row) && (row.problem !== null || row.note !== null);
  const parts: Part[] = [];
  for (const [index, row] of rows.entries()) {
    const isShown = says(row) || (!narrow && !isOther(row) && (index < 2 || says(rows[index - 1])));
    const last = parts.at(-1);
    if (isShown) parts.push({ row });
    else if (last && 'rows' in last && last.isLeft === isOther(row)) {
      last.rows.push(row);
      last.to = row.line;
    } else parts.push({ from: row.line, to: row.line, isLeft: isOther(row), rows: [row] });
  }
  return parts;
}

function Row({ row, columns, narrow }: { row: ReadRow; columns: readonly Column[]; narrow: boolean }) {
  const state = row.problem !== null ? 'bad' : row.note !== null ? 'note' : undefined;
  const shown = columns.flatMap(({ meaning }, at) =>
    narrow && (meaning === 'none' || !row.cells[at]) ? [] : [{ meaning, at }],
  );
  return (
    <Fragment>
      <tr data-state={state}>
        <th scope="row" className={styles.line}>
          {row.line}
        </th>
        {shown.map(({ meaning, at }) => (
          <td
            key={at}
            data-time={meaning === 'time' || undefined}
            data-doubt={row.doubtful === at || undefined}
          >
            {row.cells[at] ?? ''}
          </td>
        ))}
      </tr>
      {state && (
        <tr data-state={state} className={styles.said}>
          <td colSpan={columns.length + 1}>
            <StatusLine status={state === 'bad' ? 'severe' : 'minor'}>
              {row.problem === null ? row.note : `${row.problem} Left out.`}
            </StatusLine>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** Titles, totals and lines between groups. They are not jobs, so they are only counted; the user can open them. */
function PassedOver({ sheet: { passedOver } }: { sheet: Sheet }) {
  return (
    <details data-text="line" data-tone="2">
      <summary>
        {passedOver.length === 1 ? '1 line that is no job' : `${passedOver.length} lines that are no jobs`}:
        titles, totals, headings
      </summary>
      <ul>
        {passedOver.map(({ line, cells }) => (
          <li key={line}>
            Row {line}: {cells.filter(Boolean).join(' · ')}
          </li>
        ))}
      </ul>
    </details>
  );
}
