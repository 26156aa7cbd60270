import type { CSSProperties } from 'react';
import { grouped } from '../../ui/numbers.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import styles from './BarChart.module.css';

/** Counts as bars side by side, with the highest written out. To a screen reader it is a list. */
export function BarChart({
  label,
  bars,
}: {
  label: string;
  /** `name` is read out and shown on hover; `tick` stands under the bar. */
  bars: readonly { key: string; name: string; tick?: string; count: number }[];
}) {
  const most = Math.max(...bars.map(({ count }) => count), 0);

  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{label}</span>
        <span data-tone="3">{most > 0 ? `Highest ${grouped(most)}` : 'None'}</span>
      </figcaption>
      <ol>
        {bars.map(({ key, name, tick, count }) => (
          <li key={key} title={`${name}: ${grouped(count)}`}>
            <span
              className={styles.bar}
              style={{ '--share': most > 0 ? count / most : 0 } as CSSProperties}
              data-none={count === 0 || undefined}
            />
            <span className={styles.tick} data-text="small" data-tone="3" aria-hidden="true">
              {tick}
            </span>
            <VisuallyHidden>
              {name}: {grouped(count)}
            </VisuallyHidden>
          </li>
        ))}
      </ol>
    </figure>
  );
}
