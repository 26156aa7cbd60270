/** One timer for all live feeds of a board. Times are `performance.now()`, so a change of the device's clock has no
 *  effect. */

/** Whether the reader asked the system for less motion. */
export function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Two feeds never step at once: a step takes 600 ms (`--m-step`). */
export const STEP_MS = 600;

const due = new Map<symbol, { at: number; run: () => void }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastStepAt = -Infinity;

/** Calls `run` once at `at`, or when the feed that is stepping then has stopped. Returns a function that cancels
 *  it. */
export function stepAt(at: number, run: () => void): () => void {
  const key = Symbol();
  due.set(key, { at, run });
  arm();
  return () => {
    due.delete(key);
    arm();
  };
}

function arm() {
  clearTimeout(timer);
  if (due.size === 0) return;
  const now = performance.now();
  const restsUntil = lastStepAt > now ? now : lastStepAt + STEP_MS; // if the clock has gone back, ignore the step
  const next = Math.max(restsUntil, Math.min(...[...due.values()].map(({ at }) => at)));
  timer = setTimeout(fire, Math.max(0, next - now));
}

function fire() {
  const now = performance.now();
  const [first] = [...due].sort(([, a], [, b]) => a.at - b.at);
  if (first && first[1].at <= now) {
    due.delete(first[0]);
    lastStepAt = now;
    first[1].run();
  }
  arm();
}
