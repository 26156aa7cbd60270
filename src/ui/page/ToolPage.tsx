import type { ComponentProps, ReactNode } from 'react';
import styles from './ToolPage.module.css';

/** A page of rows under a header that stays: its title, state and tools. With few rows it is as high as the window.
 *  On an upright tablet and on phones a chosen row has the page to itself: elements with `data-listed` belong only
 *  to the list and are hidden then. */
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
