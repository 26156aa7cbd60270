import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** Shown when a list is empty: what it will hold, and how to begin. */
export function Empty({
  heading,
  as: Heading = 'h2',
  children,
}: {
  heading: ReactNode;
  as?: 'h2' | 'h3';
  children: ReactNode;
}) {
  return (
    <div className={styles.empty} data-stack="3" data-align="start" data-text="line">
      <Heading data-size="h3">{heading}</Heading>
      {children}
    </div>
  );
}
