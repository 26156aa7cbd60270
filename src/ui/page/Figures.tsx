import type { ReactNode } from 'react';
import styles from './Figures.module.css';

/** A row of numbers, each below its name. */
export function Figures({
  figures,
}: {
  figures: readonly { key: string; name: ReactNode; value: ReactNode; note?: ReactNode }[];
}) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, name, value, note }) => (
        <div key={key} className={styles.figure}>
          <dt data-text="strong" data-tone="2">
            {name}
          </dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
