import { dataAge, dataFreshness } from '../../time/freshness.ts';
import { sinceText } from '../alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import { type Connection, connectionOf, connectionWords } from './connection.ts';
import type { Problem } from './refreshOnce.ts';
import { useOnline } from '../../device/useOnline.ts';

/** The connection in one word and in full, and the time of the last refresh. `at`: when the server gave what is shown;
 *  null if nothing is. `silent`: how many sources are. */
export function useConnection(
  at: Date | null,
  problem: Problem | null,
  { demo = false, silent = 0 }: { demo?: boolean; silent?: number } = {},
): { connection: Connection; words: string; refreshed: string } {
  const online = useOnline();
  const freshness = useClock((now) => (at ? dataFreshness(at, now) : null));
  const minutes = useClock((now) => (at ? Math.floor(dataAge(at, now) / 60_000) : null));
  const refreshed = useClock((now) => (at ? sinceText(at, now, { seconds: true }) : '–'));
  const connection = connectionOf({ demo, freshness, problem, online });
  return { connection, words: connectionWords(connection, { silent, minutes }), refreshed };
}
