import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/** A word or two in a frame, without colour. `on` is inverted, `off` dashed. */
export function Badge({ state, children }: { state?: 'on' | 'off'; children: ReactNode }) {
  return (
    <span className={styles.badge} data-state={state}>
      {children}
    </span>
  );
}
