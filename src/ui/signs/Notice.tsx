import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle';
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** A failure message, shown where it happened and read out at once. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice} data-line data-align="start" role="alert">
      <WarningCircleIcon weight="fill" aria-hidden />
      <span>{children}</span>
    </p>
  );
}
