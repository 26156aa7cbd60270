/**
 * The board's data: loaded at once, then every 60 s, kept through every failure. What was loaded last is also kept in
 * this browser, so that a reload without a network shows it again with its age.
 */
import { FEEDS } from '#contract/feeds.ts';
import { useEffect, useRef, useState } from 'react';
import { listFeeds, type Row } from '../api/feeds.ts';
import { type Reply, Unreachable } from '../api/http.ts';
import { dataAge, VERY_OLD_FROM_MS } from '../offline/freshness.ts';
import { loadSnapshot, saveSnapshot } from '../offline/snapshot.ts';
import { type Change, changesBetween, NEW_FOR_MS } from './newItems.ts';

/** While all is well, by the page's clock. */
export const REFRESH_MS = 60_000;

/** After a failure, each less up to a quarter, so that a hundred boards do not come back in step. */
const RETRY_MS = [20_000, 40_000, 60_000] as const;
const SOONEST_RETRY_MS = 15_000;

/** A sleeping laptop stops timers but not the clock; looking this often, it refreshes as soon as it wakes. */
const LOOK_MS = 1000;

/** The name carries the shape's version: a copy of another shape is not found. */
const SNAPSHOT = 'board-1';

export type BoardView =
  | { state: 'loading' }
  /** Nothing to show: the server listed no feeds (`at`), or no answer was ever kept (null). */
  | { state: 'empty'; at: Date | null }
  | { state: 'ready'; rows: Row[]; at: Date; changes: ReadonlyMap<string, Change> };

/** Why the last refresh brought nothing: no connection, or no answer that can be used. */
export type Problem = 'offline' | 'noAnswer';

export interface Board {
  /** `at`: when the server gave these rows, by its own clock. */
  view: BoardView;
  refreshing: boolean;
  /** Null while the last refresh was good, or none has ended yet. */
  problem: Problem | null;
  /** When the board last asked, by the page's clock (`Date.now()`); while all is well it asks again REFRESH_MS later. */
  askedAt: number | null;
  /** When the board asks again after a failure, by the page's clock. */
  nextTryAt: number | null;
}

const NO_CHANGES: ReadonlyMap<string, Change> = new Map();
const LOADING: Board = {
  view: { state: 'loading' },
  refreshing: false,
  problem: null,
  askedAt: null,
  nextTryAt: null,
};

/** Runs while `live`; the rows of the last run stay meanwhile. `refresh` asks at once, and never twice at a time. */
export function useBoard(live: boolean): Board & { refresh: () => void } {
  const [board, setBoard] = useState(LOADING);
  const shown = useRef(LOADING);
  const refresh = useRef(() => {});

  useEffect(() => {
    if (!live) return;
    const run = runBoard(shown.current, (next) => {
      shown.current = next;
      setBoard(next);
    });
    refresh.current = run.refresh;
    return run.stop;
  }, [live]);

  return { ...board, refresh: () => refresh.current() };
}

function runBoard(start: Board, publish: (board: Board) => void): { refresh: () => void; stop: () => void } {
  let board = start;
  /** Whether a difference from the rows on screen is news. Rows of another visit may be of another day. */
  let comparable = start.view.state === 'ready';
  let answered = false;
  let dueAt = Date.now();
  let failures = 0;
  let request: AbortController | null = null;
  let askAgain = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unmarkTimer: ReturnType<typeof setTimeout> | undefined;

  const show = (change: Partial<Board>) => {
    if (!stopped) publish((board = { ...board, ...change }));
  };

  const showRows = (rows: Row[], at: Date, changes = NO_CHANGES) => {
    clearTimeout(unmarkTimer);
    if (changes.size > 0) unmarkTimer = setTimeout(unmark, NEW_FOR_MS);
    show({ view: { state: 'ready', rows, at, changes } });
  };

  const unmark = () => {
    if (board.view.state === 'ready') show({ view: { ...board.view, changes: NO_CHANGES } });
  };

  const isNewer = (at: Date) => board.view.state !== 'ready' || at > board.view.at;

  const showCopy = (rows: Row[], at: Date) => {
    if (rows.length === 0 || !isNewer(at)) return;
    comparable = answered || dataAge(at) < VERY_OLD_FROM_MS;
    showRows(rows, at);
  };

  const snapshotShown = (async () => {
    if (board.view.state === 'ready') return;
    const kept = await loadSnapshot(SNAPSHOT);
    if (kept && !answered && areRows(kept.data)) showCopy(kept.data, kept.at);
  })();

  const succeed = (rows: Row[], at: Date) => {
    const before = comparable && board.view.state === 'ready' ? board.view.rows : null;
    answered = comparable = true;
    failures = 0;
    show({ problem: null, nextTryAt: null });
    if (rows.length === 0) {
      show({ view: { state: 'empty', at } });
      return;
    }
    showRows(rows, at, before ? changesBetween(before, rows) : NO_CHANGES);
    void saveSnapshot(SNAPSHOT, rows, at);
  };

  const fail = async (problem: Problem, startedAt: number) => {
    await snapshotShown;
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]! * (1 - Math.random() / 4);
    failures += 1;
    dueAt = Math.max(startedAt + wait, Date.now() + SOONEST_RETRY_MS);
    show({ problem, nextTryAt: dueAt });
    if (board.view.state === 'loading') show({ view: { state: 'empty', at: null } });
  };

  const ask = async (signal: AbortSignal, startedAt: number) => {
    try {
      let reply = await listFeeds(signal);
      if (reply.copyBecause) {
        // Not an answer: the worker found the network silent. Its copy may still be newer than ours.
        showCopy(inFeedOrder(reply.data), reply.fetchedAt);
        if (reply.late) show({ problem: problemIn(reply) });
        reply = (await reply.late) ?? reply;
      }
      signal.throwIfAborted();
      const rows = inFeedOrder(reply.data);
      if (reply.copyBecause) {
        await fail(problemIn(reply), startedAt);
      } else if (rows.length === 0 && board.view.state === 'ready') {
        // Feeds do not vanish; a server that lists none could not read them.
        await fail('noAnswer', startedAt);
      } else {
        succeed(rows, reply.fetchedAt);
      }
    } catch (error) {
      if (!signal.aborted) await fail(problemOf(error), startedAt);
    }
  };

  const refresh = async () => {
    if (request || stopped) return;
    request = new AbortController();
    const startedAt = Date.now();
    dueAt = startedAt + REFRESH_MS;
    show({ refreshing: true, askedAt: startedAt });
    await ask(request.signal, startedAt);
    request = null;
    show({ refreshing: false });

    if (askAgain && board.problem) dueAt = Date.now();
    askAgain = false;
    look();
  };

  const look = () => {
    clearTimeout(timer);
    if (stopped) return;
    const now = Date.now();
    // The clock was set back: nobody waits an hour for that, and only an answer tells what time it is.
    if (dueAt - now > REFRESH_MS) dueAt = now;
    if (now >= dueAt) void refresh();
    timer = setTimeout(look, Math.min(LOOK_MS, Math.max(0, dueAt - now) || LOOK_MS));
  };

  const whenOnline = () => {
    if (request) askAgain = true;
    else void refresh();
  };

  const whenVisible = () => {
    if (document.visibilityState === 'visible') look();
  };

  window.addEventListener('online', whenOnline);
  document.addEventListener('visibilitychange', whenVisible);
  look();

  return {
    refresh: () => void refresh(),
    stop: () => {
      unmark();
      show({ refreshing: false, nextTryAt: null });
      stopped = true;
      request?.abort();
      clearTimeout(timer);
      clearTimeout(unmarkTimer);
      window.removeEventListener('online', whenOnline);
      document.removeEventListener('visibilitychange', whenVisible);
    },
  };
}

const problemIn = ({ copyBecause }: Pick<Reply<Row[]>, 'copyBecause'>): Problem =>
  copyBecause === 'down' ? 'offline' : 'noAnswer';

function problemOf(error: unknown): Problem {
  if (!navigator.onLine) return 'offline';
  const cause = error instanceof Unreachable ? error.cause : undefined;
  return cause instanceof Error && cause.name === 'NetworkError' ? 'offline' : 'noAnswer';
}

/** People learn where Rail is: our feeds in their fixed order, whatever order they come in; others after them. */
function inFeedOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => place(a) - place(b));
}

function place({ feed }: Row): number {
  const index = FEEDS.findIndex(({ slug }) => slug === feed.slug);
  return index === -1 ? FEEDS.length : index;
}

/** What an older version of the app may have left is looked at before it is trusted. */
function areRows(data: unknown): data is Row[] {
  return (
    Array.isArray(data) &&
    data.every((row) => typeof row?.feed?.slug === 'string' && Array.isArray(row.events))
  );
}
