/** The board's words for its connection. */
import { counted } from '#contract/numbers.ts';
import { type DataFreshness, dataAge, dataFreshness } from '../../time/freshness.ts';
import type { Problem } from './refreshSchedule.ts';
import { sinceText } from '../alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import { useOnline } from '../../device/useOnline.ts';

export type Connection = 'Loading...' | 'Live' | 'Late' | 'Offline' | 'No answer' | 'Demo';

/** The connection in one word. `freshness`: of the data on screen; null when there is none. */
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

/** The words beside the title: "Live, 2 sources silent", "Offline, 18 minutes". */
export function connectionWords(
  connection: Connection,
  { silent = 0, minutes = null }: { silent?: number; minutes?: number | null } = {},
): string {
  if (connection === 'Live' && silent > 0) return `Live, ${counted(silent, 'source')} silent`;
  const isAway = connection === 'Offline' || connection === 'No answer';
  return isAway && minutes !== null && minutes > 0 ? `${connection}, ${ageText(minutes)}` : connection;
}

/** "18 minutes", "2 hours", "3 days": whole units, rounded down. */
export function ageText(minutes: number): string {
  if (minutes < 60) return counted(minutes, 'minute');
  return minutes < 24 * 60
    ? counted(Math.floor(minutes / 60), 'hour')
    : counted(Math.floor(minutes / 60 / 24), 'day');
}

/** The connection in one word and in full, and the time of the last refresh. `at`: when the server gave the data on
 *  screen; null if there is none. `silent`: the number of silent sources. `isWall`: its sign says from the
 *  first failure on that there is no connection, and "Late" beside it would say less. */
export function useConnection(
  at: Date | null,
  problem: Problem | null,
  { demo = false, silent = 0, isWall = false }: { demo?: boolean; silent?: number; isWall?: boolean } = {},
): { connection: Connection; words: string; refreshed: string } {
  const online = useOnline();
  const freshness = useClock((now) => (at ? dataFreshness(at, now) : null));
  const minutes = useClock((now) => (at ? Math.floor(dataAge(at, now) / 60_000) : null));
  const refreshed = useClock((now) => (at ? sinceText(at, now, { seconds: true }) : '–'));
  const connection = connectionOf({
    demo,
    freshness: isWall && problem ? null : freshness,
    problem,
    online,
  });
  return { connection, words: connectionWords(connection, { silent, minutes }), refreshed };
}
