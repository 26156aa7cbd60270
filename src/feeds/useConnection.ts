import { dataFreshness } from '../time/freshness.ts';
import { sinceText } from './alerts.ts';
import { useClock } from '../time/clock.ts';
import { type Connection, connectionOf } from './connection.ts';
import type { Problem } from './refreshOnce.ts';
import { useOnline } from '../device/useOnline.ts';

/** The connection in one word, and the time of the last refresh. `at`: when the server gave what is shown; null if
 *  nothing is. */
export function useConnection(
  at: Date | null,
  problem: Problem | null,
  { demo = false }: { demo?: boolean } = {},
): { connection: Connection; refreshed: string } {
  const online = useOnline();
  const freshness = useClock((now) => (at ? dataFreshness(at, now) : null));
  const refreshed = useClock((now) => (at ? sinceText(at, now, { seconds: true }) : '–'));
  return { connection: connectionOf({ demo, freshness, problem, online }), refreshed };
}
