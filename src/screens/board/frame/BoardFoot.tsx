import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { NextUp } from '../../../api/alerts/feeds.ts';
import { dateOf, sinceText } from '../../../feeds/alerts/alerts.ts';
import { endOfHours, nextHours } from '../../../feeds/rows/nextHours.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { formatClock } from '../../../time/london.ts';
import styles from './BoardFoot.module.css';

const MOST = 5;

/** The foot below the rows: the times that sources state for the next hours, and the way to all alerts. */
export function BoardFoot({
  nextUp,
  asOf,
}: {
  /** Null: the server does not say. */
  nextUp: readonly NextUp[] | null;
  /** The time of an old board, to which the hours belong; null while it is current. */
  asOf: Date | null;
}) {
  const minute = useClock((now) => (asOf ?? now).getTime() - ((asOf ?? now).getTime() % 60_000));
  const from = useMemo(() => new Date(minute), [minute]);
  const entries = nextHours(nextUp ?? [], from, MOST);

  return (
    <footer className={styles.foot}>
      {nextUp && (
        <section aria-labelledby="next-hours">
          <h2 className={styles.heading} id="next-hours">
            Next 6 hours{asOf && `, as of ${sinceText(asOf, from)}`}
          </h2>
          {entries.length === 0 ? (
            <p>Nothing expected before {formatClock(endOfHours(from))}</p>
          ) : (
            <ol className={styles.entries}>
              {entries.map((entry, index) => (
                <li key={`${entry.event_id} ${index}`} data-kind={entry.kind}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ol>
          )}
        </section>
      )}
      <p className={styles.all}>
        <Link href={pageAddress('list')}>All alerts</Link>
      </p>
      <p className={styles.past}>
        <Link href={pageAddress('handover')}>Handover</Link>{' '}
        <Link href={pageAddress('history')}>History</Link>
      </p>
    </footer>
  );
}

/** People leave an event, which has no page of an alert. */
function Entry({ entry: { at, kind, place, what, event_id } }: { entry: NextUp }) {
  const time = dateOf(at);
  return (
    <>
      <time>{time && formatClock(time)}</time>{' '}
      {kind === 'leaves' || !event_id ? place : <Link href={pageAddressOf('alert', event_id)}>{place}</Link>},{' '}
      {what}
    </>
  );
}
