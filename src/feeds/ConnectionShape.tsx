import type { Connection } from './connection.ts';
import styles from './ConnectionShape.module.css';

/** Solid: current. A ring: not current, or not yet. A square: not live. */
export function ConnectionShape({
  of,
  refreshing,
}: {
  of: Connection;
  /** A request is in progress. */
  refreshing: boolean;
}) {
  return (
    <svg
      className={styles.shape}
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-connection={of}
      data-refreshing={refreshing || undefined}
    >
      {of === 'Live' ? (
        <circle cx="12" cy="12" r="11" />
      ) : of === 'Demo' ? (
        <path d="M2 2h20v20H2z" />
      ) : (
        <circle cx="12" cy="12" r="9" />
      )}
    </svg>
  );
}
