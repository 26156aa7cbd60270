/** How a live feed rotates: each alert leads in turn, worst first. A new critical alert leads at once. */
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { isCritical } from '../alerts/alerts.ts';

const SECONDS_PER_ALERT = 7;
const SHORTEST_LOOP_SECONDS = 30;
/** Rows step in turn. */
const ROW_OFFSET_MS = 1400;

/** How long the feed takes to show every alert once, in seconds. */
export function loopSeconds(alerts: number): number {
  return Math.max(SECONDS_PER_ALERT * alerts, SHORTEST_LOOP_SECONDS);
}

/** Takes at least one alert, in order. `index`: the alert that leads. `steps`: the number of steps so far. `moving`:
 *  false for a single alert and on a hidden page. `step` moves on at once. */
export function useLiveLoop(
  alerts: readonly Alert[],
  {
    row,
    running,
    stale,
  }: {
    /** The feed's place on the board, from 0. */
    row: number;
    /** Whether it may move. */
    running: boolean;
    stale: boolean;
  },
) {
  const hidden = useSyncExternalStore(onVisibility, () => document.visibilityState === 'hidden');
  const moving = running && alerts.length > 1 && !hidden;

  const [place, setPlace] = useState<Place>({ id: alerts[0]?.event_id, index: 0, steps: 0 });
  const index = indexOf(place, alerts);

  // The feed stops on the worst alert, because it may stay on screen for hours.
  const [wasStale, setWasStale] = useState(stale);
  if (stale !== wasStale) {
    setWasStale(stale);
    if (stale) setPlace({ id: alerts[0]?.event_id, index: 0, steps: place.steps });
  }
  const known = useRef(new Set(alerts.map(({ event_id }) => event_id)));

  const step = () => {
    // A critical alert that was added since the last step does not wait for its turn.
    const urgent = alerts.findIndex((alert) => isCritical(alert) && !known.current.has(alert.event_id));
    known.current = new Set(alerts.map(({ event_id }) => event_id));
    setPlace((before) => {
      const next = urgent === -1 ? (indexOf(before, alerts) + 1) % alerts.length : urgent;
      return { id: alerts[next]!.event_id, index: next, steps: before.steps + 1 };
    });
  };
  const takeTurn = useEffectEvent(step);

  const [startedAt] = useState(() => performance.now());
  const interval = (loopSeconds(alerts.length) * 1000) / alerts.length;
  useEffect(() => {
    if (!moving) return;
    let cancel = () => {};
    const wait = () => {
      cancel = stepAt(nextTurn(startedAt + row * ROW_OFFSET_MS, interval), () => {
        takeTurn();
        wait();
      });
    };
    wait();
    return () => cancel();
  }, [moving, interval, row, startedAt]);

  return { index, steps: place.steps, step, moving };
}

/** The alert that leads, its index at that time, and the number of steps of the feed. */
interface Place {
  id: string | undefined;
  index: number;
  steps: number;
}

/** The index of the leading alert. When it has ended, the next one takes its place. */
function indexOf({ id, index }: Place, alerts: readonly Alert[]): number {
  const found = alerts.findIndex(({ event_id }) => event_id === id);
  return found === -1 ? Math.min(index, alerts.length - 1) : found;
}

/** The row's next turn that still gives the alert on screen at least half its time. */
function nextTurn(startedAt: number, interval: number): number {
  const earliest = performance.now() + interval / 2;
  return startedAt + interval * Math.max(1, Math.ceil((earliest - startedAt) / interval));
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** One timer for all live feeds of a board. Times are `performance.now()`, so a change of the device's clock has no
 *  effect. */

/** Whether the reader has asked the system for less motion. */
export function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** How long one step takes, in ms (`--m-step`). Two feeds never step at once. */
export const STEP_MS = 600;

const due = new Map<symbol, { at: number; run: () => void }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastStepAt = -Infinity;

/** Calls `run` once at `at`, or after that when the feed that is stepping has stopped. Returns a function that
 *  cancels it. */
function stepAt(at: number, run: () => void): () => void {
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
  const restsUntil = lastStepAt > now ? now : lastStepAt + STEP_MS; // when the clock has gone back, the last step is ignored
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
