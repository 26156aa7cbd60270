import { useId, type ReactNode } from 'react';
import styles from './Panel.module.css';

/** A part of a page under a heavy rule, with its heading. */
export function Panel({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId();

  return (
    <section className={styles.panel} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
