import type { Alert } from '../../api/alerts/disruptions.ts';
import { SeverityMark } from '../../ui/signs/Severity.tsx';
import { gradeOf, spoken } from './alerts.ts';
import styles from './AllAlerts.module.css';

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
