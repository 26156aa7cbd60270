import type { Alert } from '../api/disruptions.ts';
import styles from '../ui/VisuallyHidden.module.css';
import { spoken } from './alerts.ts';

/** A live feed for screen readers: all its alerts, whichever lead on screen. */
export function AllAlerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <ol className={styles.hidden} aria-label="All alerts">
      {alerts.map((alert) => (
        <li key={alert.event_id}>{spoken(alert)}</li>
      ))}
    </ol>
  );
}
