import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import styles from './Pane.module.css';

/** The chosen row of a list beside it, with a way back where it has the page to itself. */
export function Pane({
  back: [href, page],
  heading,
  about,
  acts,
  children,
}: {
  /** The address and name of the list. */
  back: readonly [href: string, page: string];
  heading: string;
  about: ReactNode;
  /** Its buttons. */
  acts: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.pane} aria-labelledby={id} data-detail>
      <Link href={href} className={styles.back} data-tap data-text="strong">
        <CaretLeftIcon weight="bold" aria-hidden /> {page}
      </Link>
      <header>
        <h2 id={id}>{heading}</h2>
        <p data-text="line" data-tone="2">
          {about}
        </p>
        <div className={styles.acts} data-row>
          {acts}
        </div>
      </header>
      {children}
    </section>
  );
}
