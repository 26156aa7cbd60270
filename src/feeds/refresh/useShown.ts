import type { Row } from '../../api/alerts/feeds.ts';
import { useClock } from '../../time/tickingClock.ts';
import { type DataFreshness, dataFreshness, isTooOld } from '../../time/freshness.ts';
import type { BoardView } from './useBoard.ts';

const NONE: Row[] = [];

/** The rows of a board, when the server sent them (null: nothing is shown), and what their age means. Samples have no
 *  age. */
export function useShown(
  view: BoardView,
  { samples = false }: { samples?: boolean } = {},
): { rows: Row[]; at: Date | null; freshness: DataFreshness; boardStale: boolean } {
  const at = view.state === 'loading' ? null : view.at;
  const freshness = useClock((now) => (at && !samples ? dataFreshness(at, now) : 'fresh'));
  return { rows: view.state === 'ready' ? view.rows : NONE, at, freshness, boardStale: isTooOld(freshness) };
}
