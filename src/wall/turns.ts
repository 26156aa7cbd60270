/** When a row of the wall changes: in its turn, never together with another row, never just before or after the band. */
import { create } from 'zustand';
import { serverNow } from '../time/freshness.ts';

/** Each alert of the band stands for so long, and a new critical one for twice as long. */
export const BAND_MS = 12_000;
export const NEWCOMER_MS = 2 * BAND_MS;
/** Around a change of the band nothing else changes. */
const STILL_MS = 2000;

export const TURN_MS = 7000;
const ROW_OFFSET_MS = 1400;
const SHORTEST_LOOP_MS = 30_000;
const TICK_MS = 1000;

/** Whether the band, if it alternates, changes within two seconds of this moment. */
export function bandIsChanging(now: number): boolean {
  const since = now % BAND_MS;
  return since < STILL_MS || since > BAND_MS - STILL_MS;
}

/** Of the rows (when each turned last, by its place) the one whose turn has come; null if none's has. */
export function rowToTurn(last: ReadonlyMap<number, number>, now: number): number | null {
  const due = [...last].filter(([, at]) => now - at >= TURN_MS).toSorted(([, a], [, b]) => a - b);
  return due[0]?.[0] ?? null;
}

/** How many turns of its row a queue of this many alerts shows each of them: its loop takes half a minute at least. */
export const turnsPerStep = (alerts: number): number =>
  Math.max(1, Math.ceil(SHORTEST_LOOP_MS / (TURN_MS * Math.max(1, alerts))));

/** How often each row has turned, by its place. */
export const useTurns = create<Record<number, number>>(() => ({}));

const last = new Map<number, number>();
let timer: ReturnType<typeof setInterval> | undefined;
let bandAlternates = false;

export function noteBand(alternates: boolean): void {
  bandAlternates = alternates;
}

/** The row turns until the returned function is called. */
export function takeTurns(place: number): () => void {
  last.set(place, performance.now() + place * ROW_OFFSET_MS);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    last.delete(place);
    if (last.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.visibilityState === 'hidden') return;
  // The band goes by the clock, so that displays side by side agree; the rows keep clear of it.
  if (bandAlternates && bandIsChanging(serverNow().getTime())) return;
  const now = performance.now();
  const place = rowToTurn(last, now);
  if (place === null) return;
  last.set(place, now);
  useTurns.setState((turns) => ({ [place]: (turns[place] ?? 0) + 1 }));
}
