/** One tick a second, shared by everything on the board that shows a running time. */
import { createContext, use, useSyncExternalStore } from 'react';
import { serverNow } from './freshness.ts';

const listeners = new Set<() => void>();
let tick: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  tick ??= setInterval(() => listeners.forEach((notify) => notify()), 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(tick);
    tick = undefined;
  };
}

const Then = createContext<Date | null>(null);

/** Everything inside stands at a time in the past: its clocks do not run. */
export const StandingAt = Then.Provider;

/** The time at which this page stands; null: now. */
export const useThen = (): Date | null => use(Then);

const noTicks = () => () => {};

/** States depend on the time; so often they are judged again. */
const JUDGE_MS = 5000;

/** Renders again every five seconds. Returns the time, in ms since 1970, in such steps. */
export const useJudgedAgain = (): number =>
  useClock((now) => Math.floor(now.getTime() / JUDGE_MS) * JUDGE_MS);

/** The result of `read` for the server's time now. `read` runs every second, but the component renders again only
 *  when its result changes: an age in minutes costs one render a minute. */
export function useClock<Value extends string | number | boolean | null>(read: (now: Date) => Value): Value {
  const then = useThen();
  return useSyncExternalStore(then ? noTicks : subscribe, () => read(then ?? serverNow()));
}
