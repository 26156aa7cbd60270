import styles from './inHand.module.css';

/** "5 snoozed"; nothing while there are none. */
export function SnoozedCount({ count, onOpen }: { count: number; onOpen: () => void }) {
  if (count === 0) return null;

  return (
    <button type="button" className={styles.snoozed} aria-haspopup="dialog" onClick={onOpen}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1.4 2.500h2.800v5.200l3.600 2.100-1.400 2.400-5-2.900z" />
      </svg>
      <span>
        <b>{count}</b> snoozed
      </span>
    </button>
  );
}
