import type { ReactNode } from 'react';
import type { RailStatusClass } from '#contract/incidents/railStatus.ts';
import styles from './StatusLine.module.css';

/** The state of a network; `none` means unknown or no longer known. */
export type Status = RailStatusClass | 'none';

/** The symbols of a network's state. They differ from the severity symbols, which grade an alert. */
const SYMBOLS: Record<Status | 'off', ReactNode> = {
  good: (
    <path
      fillRule="evenodd"
      d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm6.2 7.6-1.9-1.9-6.1 6.2-2.6-2.6-1.9 1.9 4.5 4.5z"
    />
  ),
  minor: (
    <>
      <path
        fillRule="evenodd"
        d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3.2a7.8 7.8 0 1 0 0 15.6 7.8 7.8 0 0 0 0-15.6z"
      />
      <circle cx="12" cy="12" r="3.6" />
    </>
  ),
  moderate: (
    <>
      <path fillRule="evenodd" d="M12 1.6 23.4 21.8H.6zm0 6.2L6 18.6h12z" />
      <path d="M10.6 11h2.8v6.4h-2.8z" />
    </>
  ),
  severe: <path fillRule="evenodd" d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zM5.5 9.8v4.4h13V9.8z" />,
  none: <path d="M2 9.8h20v4.4H2z" />,
  off: <path fillRule="evenodd" d="M3 3h18v18H3zm3 3v12h12V6z" />,
};

/** A symbol with its text. The symbol turns grey inside `data-fresh="stale"`. */
export function StatusLine({ status, children }: { status: Status | 'off'; children: ReactNode }) {
  return (
    <span className={styles.status} data-status={status}>
      <svg className={styles.symbol} data-forced="own" viewBox="0 0 24 24" aria-hidden="true">
        {SYMBOLS[status]}
      </svg>
      <span data-break>{children}</span>
    </span>
  );
}

/** One or two words in a frame, without colour. `on` is inverted, `off` is dashed. */
export function Badge({ state, children }: { state?: 'on' | 'off'; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone="1" data-nowrap data-state={state}>
      {children}
    </span>
  );
}
