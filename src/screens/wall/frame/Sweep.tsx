import { type CSSProperties, useState } from 'react';
import styles from './Sweep.module.css';

/**
 * A bar that fills once, from `since` (by the page's clock) over this many milliseconds. Empty when `since` is null.
 * The browser's compositor draws it, so no script runs meanwhile.
 */
export function Sweep({ since, ms }: { since: number | null; ms: number }) {
  return (
    <div className={styles.sweep} role="presentation">
      {since !== null && <Line since={since} ms={ms} />}
    </div>
  );
}

function Line({ since, ms }: { since: number; ms: number }) {
  const [passed] = useState(() => Math.max(0, Date.now() - since));
  const style = { '--sweep': `${ms}ms`, '--passed': `${-passed}ms` } as CSSProperties;
  return <i data-forced="ink" style={style} />;
}
