import type { ComponentProps, ReactNode } from 'react';
import styles from './ListAndPane.module.css';

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
  /** For rows with much in them. */
  wide?: boolean;
  /** On a phone the pane is below the list, instead of in its place. */
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
