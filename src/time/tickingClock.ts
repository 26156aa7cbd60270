/** One tick a second, shared by all parts of the page that show a running time. */
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

/** Everything inside shows a time in the past: its clocks do not run. */
export const StandingAt = Then.Provider;

/** The time in the past that this page shows; null: now. */
export const useThen = (): Date | null => use(Then);

const noTicks = () => () => {};

/** How often states that depend on the time are judged again. */
const JUDGE_MS = 5000;

/** Renders again every five seconds. Returns the time in these steps, in ms since 1970. */
export const useJudgedAgain = (): number =>
  useClock((now) => Math.floor(now.getTime() / JUDGE_MS) * JUDGE_MS);

/** The result of `read` for the server's time now. `read` runs every second, but the component renders again only
 *  when its result changes: an age in minutes costs one render a minute. */
export function useClock<Value extends string | number | boolean | null>(read: (now: Date) => Value): Value {
  const then = useThen();
  return useSyncExternalStore(then ? noTicks : subscribe, () => read(then ?? serverNow()));
}
