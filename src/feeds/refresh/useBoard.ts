/** The board's data: loaded at once, then every 60 s, and kept through every failure. The last data is also stored
 *  in this browser, so that a reload without a network shows it again with its age. */
import { FEEDS } from '#contract/feeds/feeds.ts';
import { whenServerAnswers } from '../../api/http.ts';
import { createContext, use, useEffect, useRef, useState } from 'react';
import { type Feeds, listFeeds, type Outlook, type Row } from '../../api/alerts/feeds.ts';
import {
  dataAge,
  VERY_OLD_FROM_MS,
  type DataFreshness,
  dataFreshness,
  isStale,
  isTooOld,
} from '../../time/freshness.ts';
import { useOnline } from '../../device/useOnline.ts';
import { loadSnapshot, saveSnapshot } from '../../offline/snapshot.ts';
import { noteRows } from './boardNews.ts';
import { type Change, changesBetween, NEW_FOR_MS } from './newItems.ts';
import { type Manner, type Problem, type Progress, refreshOnce, startRefreshing } from './refreshSchedule.ts';
import { useClock } from '../../time/tickingClock.ts';

/** The name includes the version of the data's shape, so a copy in another shape is not found. */
export const BOARD_SNAPSHOT = 'board-2';

export type BoardView =
  | { state: 'loading' }
  /** Nothing to show: the server listed no feeds (`at`), or no answer was ever stored (null). */
  | { state: 'empty'; at: Date | null }
  | { state: 'ready'; rows: Row[]; outlook: Outlook; at: Date; changes: ReadonlyMap<string, Change> };

export interface Board extends Progress {
  /** `at`: when the server gave these rows, by its own clock. */
  view: BoardView;
  /** Null if the last refresh succeeded, or none has ended. */
  problem: Problem | null;
}

const NO_CHANGES: ReadonlyMap<string, Change> = new Map();
const LOADING: Board = {
  view: { state: 'loading' },
  refreshing: false,
  problem: null,
  askedAt: null,
  nextTryAt: null,
};

/** Refreshes while `live`; otherwise the last rows stay. `refresh` asks at once, but never while a call is in
 *  progress. */
export function useBoard(live: boolean, manner: Manner = 'attended'): Board & { refresh: () => void } {
  const [board, setBoard] = useState(LOADING);
  const shown = useRef(LOADING);
  const refresh = useRef(() => {});

  useEffect(() => {
    if (!live) return;
    const publish = (next: Board) => {
      shown.current = next;
      setBoard(next);
    };
    const run = runBoard(shown.current, publish, manner);
    refresh.current = run.refresh;
    running.add(run.refresh);
    return () => {
      running.delete(run.refresh);
      run.stop();
    };
  }, [live, manner]);

  return { ...board, refresh: () => refresh.current() };
}

const running = new Set<() => void>();

/** Refreshes from outside a board, for a remote control's key. */
export const refreshBoards = () => running.forEach((refresh) => refresh());

function runBoard(start: Board, publish: (board: Board) => void, manner: Manner) {
  let board = start;
  /** Whether a difference from the rows on screen is news. It is not when they are from an earlier visit, because
   *  they may be days old. */
  let comparable = start.view.state === 'ready';
  let answered = false;
  let stopped = false;
  let unmarkTimer: ReturnType<typeof setTimeout> | undefined;
  /** The content of the snapshot, which is written again only when its rows change. */
  let saved: Feeds | null = null;

  const show = (change: Partial<Board>) => {
    if (!stopped) publish((board = { ...board, ...change }));
  };

  const showRows = ({ rows, outlook }: Feeds, at: Date, changes = NO_CHANGES) => {
    clearTimeout(unmarkTimer);
    if (changes.size > 0) unmarkTimer = setTimeout(unmark, NEW_FOR_MS);
    noteRows(rows, changes.size > 0);
    show({ view: { state: 'ready', rows, outlook, at, changes } });
  };

  const unmark = () => {
    if (board.view.state === 'ready') show({ view: { ...board.view, changes: NO_CHANGES } });
  };

  const isNewer = (at: Date) => board.view.state !== 'ready' || at > board.view.at;

  const showCopy = (feeds: Feeds, at: Date) => {
    if (feeds.rows.length === 0 || !isNewer(at)) return;
    comparable = answered || dataAge(at) < VERY_OLD_FROM_MS;
    showRows(feeds, at);
  };

  const snapshotShown = (async () => {
    if (board.view.state === 'ready') return;
    const kept = await keptBoard();
    if (kept && !answered) showCopy(kept.feeds, kept.at);
  })();

  const succeed = (feeds: Feeds, at: Date) => {
    const { rows } = feeds;
    const shown = board.view.state === 'ready' ? board.view.rows : null;
    const before = comparable ? shown : null;
    answered = comparable = true;
    show({ problem: null, nextTryAt: null });
    if (rows.length === 0) {
      show({ view: { state: 'empty', at } });
      return;
    }
    if (shown && areSame(shown, rows)) {
      clearTimeout(unmarkTimer);
      show({ view: { state: 'ready', rows: shown, outlook: feeds.outlook, at, changes: NO_CHANGES } });
      save({ ...feeds, rows: shown }, at);
      return;
    }
    showRows(feeds, at, before ? changesBetween(before, rows) : NO_CHANGES);
    save(feeds, at);
  };

  const save = (feeds: Feeds, at: Date) => {
    if (saved?.rows !== feeds.rows) saved = feeds;
    void saveSnapshot(BOARD_SNAPSHOT, saved, at);
  };

  const fail = async (problem: Problem) => {
    await snapshotShown;
    show({ problem });
    if (board.view.state === 'loading') show({ view: { state: 'empty', at: null } });
  };

  const ask = (signal: AbortSignal) =>
    refreshOnce(listFeeds, signal, {
      copied(answer, at, problem) {
        showCopy(inFeedOrder(answer), at);
        show({ problem });
      },
      failed: fail,
      async answered(answer, at) {
        const feeds = inFeedOrder(answer);
        if (feeds.rows.length === 0 && board.view.state === 'ready') {
          // Feeds do not disappear: a server that lists none could not read them.
          await fail('noAnswer');
          return false;
        }
        succeed(feeds, at);
        return true;
      },
    });

  const { refresh, tryEarly, stop } = startRefreshing(ask, show, manner);
  // The sign "No connection." would be wrong from the first answer on, whichever call it is for.
  const stopHearing = whenServerAnswers(tryEarly);

  return {
    refresh,
    stop: () => {
      unmark();
      show({ refreshing: false, nextTryAt: null });
      stopped = true;
      stop();
      stopHearing();
      clearTimeout(unmarkTimer);
    },
  };
}

/** The rows in the fixed order of our feeds, whatever order the server sends, because people learn where Rail is.
 *  Other feeds follow. */
function inFeedOrder({ rows, outlook }: Feeds): Feeds {
  return { rows: rows.toSorted((a, b) => place(a) - place(b)), outlook };
}

function place({ feed }: Row): number {
  const index = FEEDS.findIndex(({ slug }) => slug === feed.slug);
  return index === -1 ? FEEDS.length : index;
}

/** An unchanged answer gives the identical row objects. */
const areSame = (before: readonly Row[], after: readonly Row[]) =>
  before.length === after.length && before.every((row, index) => row === after[index]);

/** The board's last data in this browser; null if there is none in this shape. */
export async function keptBoard(): Promise<{ feeds: Feeds; at: Date } | null> {
  const kept = await loadSnapshot(BOARD_SNAPSHOT);
  return kept && areFeeds(kept.data) ? { feeds: kept.data, at: kept.at } : null;
}

/** Checks stored data, which an older version of the app may have saved. */
function areFeeds(data: unknown): data is Feeds {
  const { rows, outlook } = (data ?? {}) as Partial<Feeds>;
  const nextUp = outlook?.nextUp;
  return (
    Array.isArray(rows) &&
    rows.every((row) => typeof row?.feed?.slug === 'string' && Array.isArray(row.events)) &&
    (nextUp === null || Array.isArray(nextUp))
  );
}

/** Inside this context all data on screen counts as old at once, however young it is: on a wall nothing calm may
 *  stand beside "No connection.". */
export const Unanswered = createContext(false);

export function useUnanswered({ problem }: Pick<Board, 'problem'>): boolean {
  const online = useOnline();
  return problem !== null || !online;
}

/** Whether data that the server gave at that time is too old to rely on. */
export function useIsOld(at: Date | null): boolean {
  const isOld = useClock((now) => at !== null && isStale(at, now));
  return use(Unanswered) || isOld;
}

const NONE: Row[] = [];

/** The rows of a board, the time when the server sent them (null: no rows), and what their age means. Samples have
 *  no age. */
export function useShown(
  view: BoardView,
  { samples = false }: { samples?: boolean } = {},
): { rows: Row[]; at: Date | null; freshness: DataFreshness; boardStale: boolean } {
  const at = view.state === 'loading' ? null : view.at;
  const byAge = useClock((now) => (at && !samples ? dataFreshness(at, now) : 'fresh'));
  const freshness = use(Unanswered) && !isTooOld(byAge) ? 'stale' : byAge;
  return { rows: view.state === 'ready' ? view.rows : NONE, at, freshness, boardStale: isTooOld(freshness) };
}
