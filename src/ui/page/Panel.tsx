import { useId, type ReactNode } from 'react';
import styles from './Panel.module.css';

/** A section of a page below a heavy rule, with its heading and what is shown beside it. */
export function Panel({
  heading,
  aside,
  sheet,
  children,
}: {
  heading: string;
  aside?: ReactNode;
  /** On a white background, for forms. */
  sheet?: boolean;
  children: ReactNode;
}) {
  const id = useId();

  return (
    <section className={styles.panel} aria-labelledby={id} data-sheet={sheet || undefined}>
      <header className={styles.head} data-split="4" data-align="baseline">
        <h2 id={id}>{heading}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
