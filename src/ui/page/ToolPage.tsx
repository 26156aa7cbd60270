import type { ComponentProps, ReactNode } from 'react';
import styles from './ToolPage.module.css';

/**
 * A page of rows under a header that stays: its title, state and tools. With few rows it is as high as the window. On a
 * tablet upright and on phones a chosen row has the page to itself: what belongs to the list alone has `data-listed`.
 */
export function ToolPage({
  header,
  className = '',
  chosen = false,
  children,
  ...page
}: {
  header: ReactNode;
  /** The header's own. */
  className?: string | undefined;
  chosen?: boolean;
} & Omit<ComponentProps<'div'>, 'className'>) {
  return (
    <div {...page} className={styles.page} data-chosen={chosen || undefined}>
      <header className={`${styles.header} ${className}`}>{header}</header>
      {children}
    </div>
  );
}
