import { pageAddress } from '#contract/addresses.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import type { PastMatch } from '#contract/history/history.ts';
import { historyCsv, historyFile } from '#contract/history/historyCsv.ts';
import { londonDay } from '#contract/london.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { watchHistory } from '../../../api/alerts/history.ts';
import { useAction } from '../../../api/useAction.ts';
import { useLoad } from '../../../api/useLoad.ts';
import { serverNow } from '../../../time/freshness.ts';
import { dayWords, formatDate, formatDateTime } from '../../../time/london.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LoadState } from '../../../ui/page/Page.tsx';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { Table } from '../../../ui/page/Table.tsx';
import { betweenWords } from '../../../watches/routeWords.ts';
import styles from './RouteHistory.module.css';

/** The alerts that touched a route in a span of days, certain and possible ones apart, and a link to the same list
 *  as a file. */
export default function RouteHistory({ id, name }: { id: string; name: string }) {
  const heading = useId();
  const today = londonDay(serverNow());
  const [span, setSpan] = useState({ from: dayAfter(today, -29), to: today });
  const { reload, ...past } = useLoad(
    (signal) => watchHistory(id, span, signal),
    'Unable to load the history of this route',
  );
  const { run, isBusy: isAsking } = useAction();
  const found = past.data;

  const save = () => {
    if (!found) return;
    const address = URL.createObjectURL(new Blob([historyCsv(found)], { type: 'text/csv;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = historyFile(name, londonDay(new Date(found.from)));
    link.click();
    URL.revokeObjectURL(address);
  };
  const day = (key: 'from' | 'to') => ({
    id: `${heading}-${key}`,
    'aria-describedby': `${heading}-${key}-day`,
    type: 'date',
    value: span[key],
    max: today,
    onChange: ({ target }: { target: HTMLInputElement }) => setSpan({ ...span, [key]: target.value }),
  });

  return (
    <section className={styles.past} aria-labelledby={heading}>
      <h3 id={heading} data-text="lead">
        What touched {name},{' '}
        {betweenWords(found?.from ?? `${span.from}T12:00:00Z`, lastOf(found?.to) ?? span.to, serverNow())}
      </h3>
      <form
        data-row
        data-pad="3"
        onSubmit={(event) => {
          event.preventDefault();
          void run(reload, '');
        }}
      >
        <label htmlFor={`${heading}-from`}>From</label>
        <input {...day('from')} />
        <span id={`${heading}-from-day`} data-tone="2">
          {dayWords(span.from)}
        </span>
        <label htmlFor={`${heading}-to`}>to</label>
        <input {...day('to')} />
        <span id={`${heading}-to-day`} data-tone="2">
          {dayWords(span.to)}
        </span>
        <Button small type="submit" busy={isAsking} disabled={!span.from || !span.to || span.from > span.to}>
          Show
        </Button>
        <Button small onClick={save} disabled={!found || found.total === 0}>
          Save as CSV
        </Button>
        <Link href={pageAddress('history')}>The board as it was</Link>
      </form>
      <LoadState load={isAsking ? { state: 'loading' } : past} />
      {found && (
        <>
          {found.recorded_from && found.recorded_from > found.from && (
            <p data-tone="2">Nothing was recorded before {formatDate(found.recorded_from)}.</p>
          )}
          {found.watch.checking && <p data-tone="2">Checking… What touches it now can be missing.</p>}
          <Matches heading="Certain" matches={found.certain} />
          <Matches heading="Possible" matches={found.possible} />
          {!found.complete && <p data-tone="2">There is more: choose fewer days.</p>}
        </>
      )}
    </section>
  );
}

/** The last instant of the span, which does not include its end. */
const lastOf = (to: string | undefined) => to && new Date(Date.parse(to) - 1).toISOString();

function Matches({ heading, matches }: { heading: string; matches: readonly PastMatch[] }) {
  if (matches.length === 0)
    return (
      <p data-top="3" data-tone="2">
        <b data-tone="1">{heading}</b> Nothing
      </p>
    );
  return (
    <>
      <h4 data-top="3" data-text="strong">
        {heading} <span data-tone="2">{matches.length}</span>
      </h4>
      <Table
        label={heading}
        rows={matches}
        keyOf={({ event_id, began_at }) => `${event_id} ${began_at}`}
        columns={{
          Grade: ({ severity }) => <Severity grade={severity} />,
          What: ({ title }) => title,
          Where: (match) => kmWords(match) ?? match.why,
          Began: ({ began_at }) => formatDateTime(began_at),
          Ended: (match) => (match.ended_at ? endWords(match, match.ended_at) : 'in force'),
          Source: ({ source }) => knownSource(source).displayName,
        }}
      />
    </>
  );
}

function kmWords({ from_km, to_km }: PastMatch): string | null {
  if (from_km === null) return null;
  const [from, to] = [Math.round(from_km), Math.round(to_km ?? from_km)];
  return from === to ? `km ${from}` : `km ${from} to ${to}`;
}

/** The words for the end. "Source silent" is not "cleared". */
const endWords = ({ end_kind }: PastMatch, at: string) =>
  end_kind === 'lost' ? `no longer known since ${formatDateTime(at)}` : formatDateTime(at);
