import type { ReactNode } from 'react';
import styles from './Plate.module.css';

/**
 * "Will miss it" is certain: a solid plate. "May miss it" is an outline with a hatched mark. Both are black, because
 * colour is only for severity.
 */
export function Plate({ kind, children }: { kind: 'will' | 'may'; children: ReactNode }) {
  return (
    <b className={styles.plate} data-kind={kind}>
      {children}
    </b>
  );
}
