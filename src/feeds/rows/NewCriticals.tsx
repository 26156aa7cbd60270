import { gradeOf, spoken, titleOf as alertTitleOf } from '../alerts/alerts.ts';
import { titleOf } from '../alerts/counts.ts';
import type { BoardView } from '../refresh/useBoard.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { SeverityMark } from '../../ui/signs/Severity.tsx';
import styles from '../alerts/AllAlerts.module.css';

/** New critical alerts, read out once when a reply brings them. */
export function NewCriticals({ view }: { view: BoardView }) {
  const rows = view.state === 'ready' ? view.rows : [];
  const changes = view.state === 'ready' ? view.changes : null;

  return (
    <span data-hidden>
      <span role="status" aria-label="New critical alerts">
        {rows.map(({ feed }) =>
          changes?.get(feed.slug)?.criticals.map((alert) => (
            <span key={alert.event_id}>
              New critical alert, {titleOf(feed)}: {alertTitleOf(alert)}.{' '}
            </span>
          )),
        )}
      </span>
    </span>
  );
}

/** All alerts of a live feed, for screen readers and on paper, whichever leads on screen. */
export function AllAlerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <ol className={styles.all} aria-label="All alerts">
      {alerts.map((alert) => (
        <li key={alert.event_id}>
          <svg className={styles.symbol} viewBox="0 0 24 24" aria-hidden="true">
            <SeverityMark grade={gradeOf(alert)} x={12} y={12} size={24} />
          </svg>
          {spoken(alert)}
        </li>
      ))}
    </ol>
  );
}
