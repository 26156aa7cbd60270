import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './ListGroup.module.css';

/** A part of a list under its heading, which stays in sight, with the number of its rows. */
export function ListGroup({
  heading,
  count,
  aside,
  children,
  ...section
}: { heading: string; count: number; aside?: ReactNode } & ComponentProps<'section'>) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={section['aria-label'] ? undefined : id} {...section}>
      <header data-split data-align="baseline" data-text="note">
        <h2 id={id}>
          {heading} <span>{count}</span>
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
