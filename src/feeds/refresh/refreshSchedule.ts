/** When a board refreshes: at once, then exactly every 60 s, and how it continues after a failure. */
import { backOff, spreadOut } from '#contract/backOff.ts';
import { NoConnection, type Reply, Unreachable } from '../../api/http.ts';

/** The interval while all is well, by the page's clock. */
export const REFRESH_MS = 60_000;

/** While somebody is watching, a failed refresh is retried soon, then less often, up to REFRESH_MS. */
const FIRST_RETRY_MS = 20_000;
const SOONEST_RETRY_MS = 15_000;

const SOONEST_UNATTENDED_RETRY_MS = 5000;

/** Waits before the next requests after a change whose answer was lost, and while an answer is not complete. After
 *  them the usual interval applies. */
export const SOON_MS = [1000, 2000, 4000, 8000, 15_000] as const;

/** How often the clock is checked. A sleeping laptop stops timers but not the clock, so the board refreshes as soon
 *  as it wakes. */
const LOOK_MS = 1000;

/**
 * Who waits for a refresh.
 *
 * - `attended`: somebody is waiting, so it also refreshes as soon as the device is online again.
 * - `unattended`: one of many screens that lose their server together. At its first failure it picks its own second
 *   of the minute and keeps it, so that a returning server or network gets no more requests a second than usual.
 *   Before its second comes, `tryEarly` can ask once.
 * - `once`: like `attended` until there is an answer. After it only `refresh` and `renew` ask again.
 */
export type Manner = 'attended' | 'unattended' | 'once';

export interface Progress {
  refreshing: boolean;
  /** When it last refreshed, by the page's clock (`Date.now()`). While all is well the next is REFRESH_MS later. */
  askedAt: number | null;
  /** When it retries after a failure, by the page's clock; null while all is well. */
  nextTryAt: number | null;
}

/**
 * Calls `ask`, which promises whether it succeeded, at once and then on schedule. `refresh` calls it out of turn, but
 * never while a call is in progress. `renew` is for use after a change: the answer to an earlier request no longer
 * counts. `tryEarly` is for use when another request was answered: unattended, it repeats a failed refresh once before
 * its time, and the later times stay. With `whileHidden: false` it waits until the page is visible. `isPartial`: the
 * last answer was not complete.
 */
export function startRefreshing(
  ask: (signal: AbortSignal) => Promise<boolean>,
  publish: (progress: Partial<Progress>) => void,
  manner: Manner,
  { whileHidden = true, isPartial = () => false }: { whileHidden?: boolean; isPartial?: () => boolean } = {},
): { refresh: () => void; renew: () => Promise<void>; tryEarly: () => void; stop: () => void } {
  let dueAt = Date.now();
  let failures = 0;
  let request: AbortController | null = null;
  let askAgain = false;
  /** How many waits of SOON_MS were used in a row. */
  let hurried = 0;
  let isRenewed = false;
  /** True: the present wait after a failure was already cut short once. */
  let isTriedEarly = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async (keptDueAt?: number) => {
    if (request || stopped) return;
    const own = (request = new AbortController());
    const startedAt = Date.now();
    dueAt = startedAt + REFRESH_MS;
    isTriedEarly = keptDueAt !== undefined;
    publish({ refreshing: true, askedAt: startedAt });
    const good = await ask(own.signal);
    if (stopped || request !== own) return;
    request = null;

    if (good && manner === 'once') dueAt = Infinity;
    else if (keptDueAt !== undefined) dueAt = keptDueAt;
    else if (!good) dueAt = retryAt(manner, failures, startedAt);
    const isSettled = good && !isPartial();
    const soonMs = isSettled || !(good || isRenewed) ? undefined : SOON_MS[hurried++];
    if (soonMs !== undefined) dueAt = Date.now() + soonMs;
    if (good) isRenewed = false;
    if (isSettled) hurried = 0;
    failures = good ? 0 : failures + 1;
    if (askAgain && !good) dueAt = Date.now();
    askAgain = false;
    publish({ refreshing: false, nextTryAt: good ? null : dueAt });
    look();
  };

  const look = () => {
    clearTimeout(timer);
    if (stopped || dueAt === Infinity) return;
    const now = Date.now();
    // The clock was set back: it asks at once, because only an answer gives the right time.
    if (dueAt - now > REFRESH_MS) dueAt = now;
    if (now >= dueAt && (whileHidden || isVisible())) void refresh();
    timer = setTimeout(look, Math.min(LOOK_MS, Math.max(0, dueAt - now) || LOOK_MS));
  };

  const whenOnline = () => {
    if (manner === 'unattended') return; // every screen behind the same switch hears this at the same moment
    if (request) {
      askAgain = true;
      return;
    }
    if (dueAt !== Infinity) dueAt = Date.now();
    look();
  };

  const whenVisible = () => {
    if (isVisible()) look();
  };

  window.addEventListener('online', whenOnline);
  document.addEventListener('visibilitychange', whenVisible);
  look();

  return {
    refresh: () => void refresh(),
    renew: () => {
      request?.abort();
      request = null;
      hurried = 0;
      isRenewed = true;
      return refresh();
    },
    tryEarly: () => {
      if (manner === 'unattended' && failures > 0 && !isTriedEarly) void refresh(dueAt);
    },
    stop: () => {
      stopped = true;
      request?.abort();
      clearTimeout(timer);
      window.removeEventListener('online', whenOnline);
      document.removeEventListener('visibilitychange', whenVisible);
    },
  };
}

const isVisible = () => document.visibilityState === 'visible';

/** `failures`: the number of failures in a row before this one, which began at `startedAt` and has just ended. */
function retryAt(manner: Manner, failures: number, startedAt: number): number {
  const now = Date.now();
  if (manner !== 'unattended') {
    const wait = spreadOut(backOff(failures, FIRST_RETRY_MS, REFRESH_MS));
    return Math.max(startedAt + wait, now + SOONEST_RETRY_MS);
  }
  if (failures > 0) return Math.max(startedAt + REFRESH_MS, now + SOONEST_UNATTENDED_RETRY_MS);
  const spread = REFRESH_MS - SOONEST_UNATTENDED_RETRY_MS;
  return now + SOONEST_UNATTENDED_RETRY_MS + Math.random() * spread;
}

// One refresh of a screen's data, including stored copies and late answers from the worker.

/** Why a refresh failed: no connection, or no usable answer. */
export type Problem = 'offline' | 'noAnswer';

export interface Outcome<T> {
  /** Called with the worker's stored copy, and why there is no answer; it may still come. A copy does not count as an
   *  answer, but may be newer than the data on screen. */
  copied: (data: T, at: Date, problem: Problem) => void;
  /** Promises whether the answer is good. If it is not, this function reports the problem itself. */
  answered: (data: T, at: Date) => boolean | Promise<boolean>;
  failed: (problem: Problem) => void | Promise<void>;
}

/** Promises whether a good answer came. After an abort no more callbacks are called. */
export async function refreshOnce<T>(
  load: (signal: AbortSignal) => Promise<Reply<T>>,
  signal: AbortSignal,
  { copied, answered, failed }: Outcome<T>,
): Promise<boolean> {
  try {
    let reply = await load(signal);
    signal.throwIfAborted();
    if (reply.copyBecause) {
      copied(reply.data, reply.fetchedAt, problemIn(reply));
      reply = (await reply.late) ?? reply;
    }
    signal.throwIfAborted();
    if (!reply.copyBecause) return await answered(reply.data, reply.fetchedAt);
    await failed(problemIn(reply));
  } catch (error) {
    if (!signal.aborted) await failed(problemOf(error));
  }
  return false;
}

const problemIn = ({ copyBecause }: Pick<Reply<unknown>, 'copyBecause'>): Problem =>
  copyBecause === 'down' ? 'offline' : 'noAnswer';

function problemOf(error: unknown): Problem {
  if (!navigator.onLine) return 'offline';
  const cause = error instanceof Unreachable ? error.cause : undefined;
  return cause instanceof NoConnection ? 'offline' : 'noAnswer';
}
