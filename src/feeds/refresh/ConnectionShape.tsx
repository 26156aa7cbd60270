import type { Connection } from './connectionWords.ts';
import styles from './ConnectionShape.module.css';

/** A full disc: current. Half: current, but some sources are silent. A ring: not current, or not yet loaded. A
 *  square: not live. */
export function ConnectionShape({
  of,
  refreshing,
  partly = false,
}: {
  of: Connection;
  /** A request is in progress. */
  refreshing: boolean;
  /** Some sources are silent. */
  partly?: boolean;
}) {
  return (
    <svg
      className={styles.shape}
      data-forced="own"
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-connection={of}
      data-refreshing={refreshing || undefined}
    >
      {of === 'Live' && partly ? (
        <path fillRule="evenodd" d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 0 0 0 16z" />
      ) : of === 'Live' ? (
        <circle cx="12" cy="12" r="11" />
      ) : of === 'Demo' ? (
        <path d="M2 2h20v20H2z" />
      ) : (
        <circle cx="12" cy="12" r="9" />
      )}
    </svg>
  );
}
