import { pageAddress } from '#contract/addresses.ts';
import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import { memo, type ReactNode, type Ref } from 'react';
import { Link } from 'wouter';
import { formatDateTime } from '../../../time/london.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { PrintHead } from '../../../ui/page/PrintHead.tsx';
import { SegmentedSwitch } from '../../../ui/controls/SegmentedSwitch.tsx';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { BoardJump } from './BoardJump.tsx';
import styles from './BoardHeader.module.css';
import { PageState } from '../../../feeds/refresh/PageState.tsx';
import type { Problem } from '../../../feeds/refresh/refreshSchedule.ts';
import { useConnection } from '../../../feeds/refresh/connectionWords.ts';

/** Title, connection, live or demo data, density and Refresh; below them an overview of all feeds, and the sign. It
 *  stays visible while the page scrolls. */
export function BoardHeader({
  ref,
  rows,
  ours,
  demo,
  onDemo,
  compact,
  onCompact,
  at,
  silent,
  problem,
  refreshing,
  onRefresh,
  children,
}: {
  ref: Ref<HTMLElement>;
  rows: readonly Row[];
  /** The team's own reports. */
  ours: readonly Alert[];
  demo: boolean;
  onDemo: (demo: boolean) => void;
  compact: boolean;
  onCompact: (compact: boolean) => void;
  /** When the server sent the data on screen; null when there is none. */
  at: Date | null;
  /** The number of sources without recent information. */
  silent: number;
  problem: Problem | null;
  refreshing: boolean;
  onRefresh: () => void;
  /** The sign. */
  children: ReactNode;
}) {
  const { words } = useConnection(at, problem, { demo, silent });

  return (
    <header className={styles.header} ref={ref}>
      <PrintHead
        title="Live Disruptions Board"
        data={demo || !at ? 'Sample alerts' : `Data of ${formatDateTime(at)}`}
        about={words === 'Live' ? null : words}
      />
      <div className={styles.bar} data-row="3" data-only="screen">
        <h1 className={styles.title} data-nowrap data-size="h2">
          Live Disruptions Board
        </h1>
        {!demo && (
          <Link
            href={pageAddress('list')}
            className={styles.all}
            data-tap
            data-text="strong"
            data-only="desk"
          >
            All alerts
          </Link>
        )}
        <PageState {...{ at, problem, refreshing, silent, demo }} />
        <DataSwitch demo={demo} onDemo={onDemo} />
        <Button data-toggle aria-pressed={compact} onClick={() => onCompact(!compact)}>
          Compact
        </Button>
        <Button onClick={onRefresh}>
          <ArrowClockwiseIcon weight="bold" aria-hidden />
          Refresh
        </Button>
      </div>
      <BoardJump rows={rows} ours={ours} at={at} />
      {children}
    </header>
  );
}

/** React writes the name and type of a radio button to the document at every render, even when nothing changed. */
const DataSwitch = memo(function DataSwitch({
  demo,
  onDemo,
}: {
  demo: boolean;
  onDemo: (demo: boolean) => void;
}) {
  return (
    <SegmentedSwitch
      label="Data"
      options={[
        { value: 'live', label: 'Live data' },
        { value: 'demo', label: 'Demo data' },
      ]}
      value={demo ? 'demo' : 'live'}
      onChange={(value) => onDemo(value === 'demo')}
    />
  );
});
