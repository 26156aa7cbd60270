import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/** One or two words in a frame, without colour. `on` is inverted, `off` is dashed. */
export function Badge({ state, children }: { state?: 'on' | 'off'; children: ReactNode }) {
  return (
    <span className={styles.badge} data-state={state}>
      {children}
    </span>
  );
}
