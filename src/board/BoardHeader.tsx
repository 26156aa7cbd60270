import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import type { ReactNode, Ref } from 'react';
import { type DataFreshness, dataFreshness } from '../offline/freshness.ts';
import { Button } from '../ui/Button.tsx';
import { SegmentedSwitch } from '../ui/SegmentedSwitch.tsx';
import { sinceText } from './alerts.ts';
import styles from './BoardHeader.module.css';
import { useClock } from './clock.ts';
import { useOnline } from './useOnline.ts';
import type { Problem } from './useBoard.ts';

export type Connection = 'Loading...' | 'Live' | 'Late' | 'Offline' | 'No answer' | 'Demo';

/** The connection in one word. `freshness`: of what is shown, null when nothing is. */
export function connectionOf({
  demo,
  freshness,
  problem,
  online,
}: {
  demo: boolean;
  freshness: DataFreshness | null;
  problem: Problem | null;
  online: boolean;
}): Connection {
  if (demo) return 'Demo';
  if (!online) return 'Offline';
  const why = problem === 'offline' ? 'Offline' : 'No answer';
  if (!freshness) return problem ? why : 'Loading...';
  if (freshness === 'fresh') return problem ? 'Late' : 'Live';
  return freshness === 'late' ? 'Late' : why;
}

/** Title, connection, Demo/Live and Refresh; stays in sight while the page scrolls, with the sign under it. */
export function BoardHeader({
  ref,
  demo,
  onDemo,
  at,
  problem,
  refreshing,
  onRefresh,
  children,
}: {
  ref: Ref<HTMLElement>;
  demo: boolean;
  /** Absent where nobody may switch. */
  onDemo?: (demo: boolean) => void;
  /** When the server gave what is shown; null when nothing is. */
  at: Date | null;
  problem: Problem | null;
  refreshing: boolean;
  onRefresh: () => void;
  /** The sign. */
  children: ReactNode;
}) {
  const online = useOnline();
  const freshness = useClock((now) => (at ? dataFreshness(at, now) : null));
  const refreshed = useClock((now) => (at ? sinceText(at, now, { seconds: true }) : '–'));
  const connection = connectionOf({ demo, freshness, problem, online });

  return (
    <header className={styles.header} ref={ref}>
      <div className={styles.bar}>
        <h1 className={styles.title}>Live Disruptions Board</h1>
        <p className={styles.state} data-refreshing={refreshing || undefined}>
          <b>
            <Shape of={connection} />
            {connection}
          </b>
          {demo ? 'Sample alerts' : `Last refresh ${refreshed}`}
        </p>
        {onDemo && (
          <SegmentedSwitch
            label="Data"
            options={[
              { value: 'demo', label: 'Demo' },
              { value: 'live', label: 'Live' },
            ]}
            value={demo ? 'demo' : 'live'}
            onChange={(value) => onDemo(value === 'demo')}
          />
        )}
        <Button onClick={onRefresh}>
          <ArrowClockwiseIcon weight="bold" aria-hidden />
          Refresh
        </Button>
      </div>
      {children}
    </header>
  );
}

/** Solid: current. A ring: not, or not yet. A square: not live at all. */
function Shape({ of }: { of: Connection }) {
  return (
    <svg className={styles.shape} viewBox="0 0 24 24" aria-hidden="true" data-connection={of}>
      {of === 'Live' ? (
        <circle cx="12" cy="12" r="11" />
      ) : of === 'Demo' ? (
        <path d="M2 2h20v20H2z" />
      ) : (
        <circle cx="12" cy="12" r="9" />
      )}
    </svg>
  );
}
