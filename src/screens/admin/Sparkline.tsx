import type { SourceReport } from '../../api/alerts/sources.ts';
import { counted } from '../../ui/numbers.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import styles from './SourcesPage.module.css';

const HIGH = 28;
const STEP = 5;
const POLLS = 30;

/** How many records each poll listed, on a scale of its own: a cross is a failed poll, a flat bar an empty one. */
export function Sparkline({ polls, dim }: { polls: NonNullable<SourceReport['polls']>; dim: boolean }) {
  if (polls.length === 0) return <span className={styles.detail}>no polls</span>;

  const most = Math.max(1, ...polls.map(({ records }) => records ?? 0));
  const failed = polls.filter(({ ok }) => ok === false).length;
  return (
    <>
      <svg
        className={styles.spark}
        data-dim={dim || undefined}
        viewBox={`0 0 ${POLLS * STEP} ${HIGH}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {polls.slice(-POLLS).map(({ at, ok, records }, n) => {
          const x = n * STEP;
          if (ok === false) return <path key={at ?? n} d={`M${x} ${HIGH - 4}l4 4m0-4-4 4`} />;
          const height = Math.max(1, ((records ?? 0) / most) * HIGH);
          return <rect key={at ?? n} x={x} y={HIGH - height} width={STEP - 1} height={height} />;
        })}
      </svg>
      <VisuallyHidden>
        {counted(polls.length, 'poll')}
        {failed > 0 ? `, ${failed} failed` : ''}, {most === 1 ? 'at most 1 record' : `up to ${most} records`}
      </VisuallyHidden>
    </>
  );
}
