/** The board's word for its connection. */
import type { DataFreshness } from '../time/freshness.ts';
import type { Problem } from './refreshOnce.ts';

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
