import { useId, useState } from 'react';
import { Unusable } from '../../../api/http.ts';
import { useAnswer } from '../../../api/useAnswer.ts';
import { bound, Field, TextField } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../../ui/signs/StatusLine.tsx';
import { TABLE_BYTES_MAX } from './routeTable.ts';
import type { CheckedRow, RouteTable } from './useRouteTable.ts';

/**
 * Several routes from a table that is pasted or read from a file. Each row is checked and can be corrected in place.
 */
export function ManyRoutes({
  text,
  table,
  onText,
}: {
  text: string;
  table: RouteTable;
  onText: (text: string) => void;
}) {
  const id = useId();
  const { rows, failure, checking, ready } = table;
  const [file, setFile] = useState<File | null>(null);
  const { failure: unread } = useAnswer(
    file,
    () => {
      if (file!.size > TABLE_BYTES_MAX) throw new Unusable('This table is larger than 256 KB.');
      return file!.text(); // it asks only with a file
    },
    'This file cannot be read.',
    { take: onText },
  );

  return (
    <div data-stack="3" data-top="3">
      <TextField
        label="Paste a table: name, via, departure"
        hint="From a spreadsheet or a CSV file, or one route a line. The first row may name the columns."
        rows={4}
        placeholder={'Name, Via, Departure\nLeeds to Hull, M62, 06:10'}
        autoComplete="off"
        spellCheck={false}
        {...bound(text, (typed) => {
          setFile(null);
          onText(typed);
        })}
      />
      <div data-tight="2" data-row="4">
        <label htmlFor={id} data-text="strong">
          Or a CSV file
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt"
          onChange={({ target }) => target.files?.[0] && setFile(target.files[0])}
        />
      </div>
      {(unread ?? failure) && <Notice>{unread ?? failure}</Notice>}
      {rows.length > 0 && (
        <>
          <p role="status">
            {checking
              ? `Checking ${counted(rows.length, 'row')}...`
              : `${ready.length} of ${counted(rows.length, 'row')} can be added.`}
          </p>
          <ol data-ruled aria-label="Rows of the table">
            {rows.map((row) => (
              <li key={row.line} data-stack="1" data-pad="3" data-stop={row.stop !== null || undefined}>
                <p>
                  <b>{row.name || `Row ${row.line}`}</b>
                  {row.departures.length > 0 && ` · ${row.departures.join(', ')}`}
                </p>
                <RowState row={row} />
                {/* A fault in the typed row itself is corrected in the table. */}
                {row.stop !== null && row.problem === null && (
                  <Field
                    label={`Way of row ${row.line}`}
                    {...bound(row.way, (value) => table.edit(row.line, value))}
                    maxLength={4000}
                    autoComplete="off"
                  />
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function RowState({ row: { found, stop } }: { row: CheckedRow }) {
  if (stop) return <StatusLine status="severe">{stop}</StatusLine>;
  if (!found) return <StatusLine status="none">Checking...</StatusLine>;

  const roads = [...new Set(found.course.flatMap(({ road }) => road ?? []))];
  const doubts = found.problems.filter(({ level }) => level === 'done' || level === 'proposal');
  return (
    <>
      <StatusLine status="good">
        {`${Math.round(found.length_km)} km${roads.length > 0 ? ` on ${roads.join(', ')}` : ', on no road that we know'}`}
      </StatusLine>
      {doubts.map(({ text }) => (
        <StatusLine key={text} status="minor">
          {text}
        </StatusLine>
      ))}
    </>
  );
}
