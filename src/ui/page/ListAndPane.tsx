import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './ListAndPane.module.css';
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { Link } from 'wouter';

/** The list of a tool page, which scrolls by itself, and the chosen row beside it. */
export function ListAndPane({
  list,
  label,
  as: List = 'section',
  wide = false,
  both = false,
  children,
}: {
  list: ReactNode;
  label: string;
  as?: 'section' | 'nav';
  /** True: the rows hold much and need more width. */
  wide?: boolean;
  /** True: on a phone the pane is below the list and does not replace it. */
  both?: boolean;
} & Pick<ComponentProps<'div'>, 'children'>) {
  return (
    <div className={styles.columns} data-wide={wide || undefined} data-both={both || undefined}>
      <List className={styles.rows} aria-label={label} tabIndex={List === 'nav' ? undefined : 0} data-listed>
        {list}
      </List>
      {children}
    </div>
  );
}

/** The chosen row of a list, beside it. When it has the page to itself, it has a link back to the list. */
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
      <Link href={href} className={styles.back} data-tone="1" data-only="screen" data-tap data-text="strong">
        <CaretLeftIcon weight="bold" aria-hidden /> {page}
      </Link>
      <header data-columns="80" data-align="center">
        <h2 id={id}>{heading}</h2>
        <p data-text="line" data-tone="2">
          {about}
        </p>
        <div className={styles.acts} data-only="screen" data-row>
          {acts}
        </div>
      </header>
      {children}
    </section>
  );
}

/** A part of a list under its heading, which stays visible, with the number of its rows. */
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
        <h2 data-tone="1" data-text="strong" id={id}>
          {heading} <span>{count}</span>
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
