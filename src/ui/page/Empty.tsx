import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** The place of things that are not there yet: what they would be, and how to begin. */
export function Empty({
  heading,
  level = 3,
  children,
}: {
  heading: ReactNode;
  /** Of its heading: 2 right under the page's own. */
  level?: 2 | 3;
  children: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty} data-stack="3" data-align="start" data-text="line">
      <Heading>{heading}</Heading>
      {children}
    </div>
  );
}
