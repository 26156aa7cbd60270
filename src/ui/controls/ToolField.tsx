import type { ReactNode } from 'react';
import styles from './ToolField.module.css';

/** A field of a tool bar, with its label before it. Without a label its control names itself. */
export function ToolField({
  label,
  letter,
  className = '',
  children,
}: {
  label?: string;
  /** The key that leads to it, shown beside it. */
  letter?: string;
  /** Its place in the bar. */
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={`${styles.field} ${className}`}>
      {label ? (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the field is among the children
        <label>
          <span>{label}</span>
          {children}
        </label>
      ) : (
        children
      )}
      {letter && <kbd aria-hidden="true">{letter}</kbd>}
    </span>
  );
}
