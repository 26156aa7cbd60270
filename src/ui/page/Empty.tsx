import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** The place of things that are not there yet: what they would be, and how to begin. */
export function Empty({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.empty} data-stack="3" data-align="start" data-text="line">
      <h3>{heading}</h3>
      {children}
    </div>
  );
}
