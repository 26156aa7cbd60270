/** When a board asks: at once, then every 60 s to the dot, and how it goes on after a failure. */

/** While all is well, by the page's clock. */
export const REFRESH_MS = 60_000;

/** Before somebody's eyes a failed refresh is soon tried again, then less often; each wait is less up to a quarter. */
const RETRY_MS = [20_000, 40_000, 60_000] as const;
const SOONEST_RETRY_MS = 15_000;

const SOONEST_UNATTENDED_RETRY_MS = 5000;

/** A sleeping laptop stops timers but not the clock; looking this often, it refreshes as soon as it wakes. */
const LOOK_MS = 1000;

/**
 * - `attended`: somebody waits for this board, so it also asks as soon as the device is online again.
 * - `unattended`: one of many screens that lose their server together. At its first failure it moves to a place of its
 *   own in the minute and keeps it: a server or a line that comes back meets no more of them a second than on any day.
 */
export type Manner = 'attended' | 'unattended';

export interface Progress {
  refreshing: boolean;
  /** When it last asked, by the page's clock (`Date.now()`); while all is well it asks again REFRESH_MS later. */
  askedAt: number | null;
  /** When it asks again after a failure, by the page's clock; null while all is well. */
  nextTryAt: number | null;
}

/** Calls `ask`, which promises whether it was good, at once and then on time. `refresh` asks out of turn, never twice
 *  at a time. With `whileHidden: false` it waits until somebody can see the page. */
export function startRefreshing(
  ask: (signal: AbortSignal) => Promise<boolean>,
  publish: (progress: Partial<Progress>) => void,
  manner: Manner,
  { whileHidden = true }: { whileHidden?: boolean } = {},
): { refresh: () => void; stop: () => void } {
  let dueAt = Date.now();
  let failures = 0;
  let request: AbortController | null = null;
  let askAgain = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async () => {
    if (request || stopped) return;
    request = new AbortController();
    const startedAt = Date.now();
    dueAt = startedAt + REFRESH_MS;
    publish({ refreshing: true, askedAt: startedAt });
    const good = await ask(request.signal);
    request = null;
    if (stopped) return;

    if (!good) dueAt = retryAt(manner, failures, startedAt);
    failures = good ? 0 : failures + 1;
    if (askAgain && !good) dueAt = Date.now();
    askAgain = false;
    publish({ refreshing: false, nextTryAt: good ? null : dueAt });
    look();
  };

  const look = () => {
    clearTimeout(timer);
    if (stopped) return;
    const now = Date.now();
    // The clock was set back: nobody waits an hour for that, and only an answer tells what time it is.
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
    dueAt = Date.now();
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

/** `failures`: how many there were in a row before the one that began at `startedAt` and ended now. */
function retryAt(manner: Manner, failures: number, startedAt: number): number {
  const now = Date.now();
  if (manner === 'attended') {
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]! * (1 - Math.random() / 4);
    return Math.max(startedAt + wait, now + SOONEST_RETRY_MS);
  }
  if (failures > 0) return Math.max(startedAt + REFRESH_MS, now + SOONEST_UNATTENDED_RETRY_MS);
  const spread = REFRESH_MS - SOONEST_UNATTENDED_RETRY_MS;
  return now + SOONEST_UNATTENDED_RETRY_MS + Math.random() * spread;
}
