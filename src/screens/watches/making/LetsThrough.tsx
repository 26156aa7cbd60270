import { useAnswer } from '../../../api/useAnswer.ts';
import { type Preview, previewWatch, type WatchAsked } from '../../../api/watches/oneWatch.ts';
import { serverNow } from '../../../time/freshness.ts';
import { counted, grouped } from '#contract/numbers.ts';
import { isInWindow, judgedIn, NOW } from '../../../watches/timeWindow.ts';
import styles from './LetsThrough.module.css';

/** How long nothing must be changed before a preview is loaded. */
const SETTLE_MS = 600;

/** How many alerts the watch lets through now, while it is made. Read out when that changes. Null: it cannot be said
 *  yet. */
export function LetsThrough({ asked }: { asked: WatchAsked | null }) {
  const { data, failure, isLoading } = useAnswer(
    asked && JSON.stringify(asked),
    (signal) => previewWatch(asked!, signal), // it asks only with something to ask
    'The alerts cannot be counted now.',
    { settleMs: SETTLE_MS },
  );
  return (
    <p className={styles.count} data-text="lead" role="status">
      {isLoading ? 'Counting...' : data ? previewWords(data) : failure}
    </p>
  );
}

/** "18 now, 12 left out", in the words of its later row. */
function previewWords({ matches, beyond, left_out: { grade, others } }: Preview): string {
  const now = serverNow();
  const judged = judgedIn({ departures: [], length_km: 0 }, NOW, now);
  const named = matches.filter(
    ({ level, disruption, ...match }) =>
      level !== 'near' &&
      isInWindow({ match: { ...match, level }, alert: disruption ?? null, event: null }, judged, now),
  ).length;
  const count = Object.values(beyond).reduce((sum, more) => sum + more, named);
  const left = grade + others;
  return `${grouped(count)} now${left > 0 ? `, ${counted(left, 'other')} left out` : ''}`;
}
