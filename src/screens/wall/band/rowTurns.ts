/** When a row of the wall changes: in its turn, never together with another row, and never just before or after the
 *  band. */
import { create } from 'zustand';
import { serverNow } from '../../../time/freshness.ts';

/** How long the band shows each alert. A new critical one stays twice as long. */
export const BAND_MS = 12_000;
export const NEWCOMER_MS = 2 * BAND_MS;
/** How long around a change of the band nothing else changes. */
const STILL_MS = 2000;

export const TURN_MS = 7000;
/** How long each of several critical alerts of a feed leads its row. */
const LEAD_MS = 12_000;
const ROW_OFFSET_MS = 1400;
const SHORTEST_LOOP_MS = 30_000;
const TICK_MS = 1000;

/** Whether the band, if it alternates, changes within two seconds of this moment. */
export function bandIsChanging(now: number): boolean {
  const since = now % BAND_MS;
  return since < STILL_MS || since > BAND_MS - STILL_MS;
}

/** The row whose turn has come; null if there is none. `last`: when each row changed last. */
export function rowToTurn(last: ReadonlyMap<number, number>, now: number, ms = TURN_MS): number | null {
  const due = [...last].filter(([, at]) => now - at >= ms).toSorted(([, a], [, b]) => a - b);
  return due[0]?.[0] ?? null;
}

/** For how many turns of its row each alert of the queue is shown: the whole queue takes at least half a minute. */
export const turnsPerStep = (alerts: number): number =>
  Math.max(1, Math.ceil(SHORTEST_LOOP_MS / (TURN_MS * Math.max(1, alerts))));

interface Turns {
  /** How often the queue has moved on. */
  queue: number;
  /** How often the lead has changed to another critical alert. */
  lead: number;
}

export const NO_TURNS: Turns = { queue: 0, lead: 0 };

/** The changes of each row, by its place. */
export const useTurns = create<Record<number, Turns>>(() => ({}));

/** When each row changed last, by its place. For leads only rows with several of them. */
const last = { queue: new Map<number, number>(), lead: new Map<number, number>() };
let timer: ReturnType<typeof setInterval> | undefined;
let bandAlternates = false;

export function noteBand(alternates: boolean): void {
  bandAlternates = alternates;
}

/** Lets the row change until the returned function is called. */
export function takeTurns(place: number, { severalLeads }: { severalLeads: boolean }): () => void {
  const from = performance.now() + place * ROW_OFFSET_MS;
  last.queue.set(place, from);
  if (severalLeads) last.lead.set(place, from);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    last.queue.delete(place);
    last.lead.delete(place);
    if (last.queue.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.visibilityState === 'hidden') return;
  // The band changes by the clock, so that displays side by side agree. The rows change at other moments.
  if (bandAlternates && bandIsChanging(serverNow().getTime())) return;
  const now = performance.now();
  // It may be half a tick early, but not a whole tick late, so that leads keep the rhythm of the band and never
  // change with it.
  if (!turn('lead', now, LEAD_MS - TICK_MS / 2)) turn('queue', now, TURN_MS);
}

function turn(part: keyof Turns, now: number, ms: number): boolean {
  const place = rowToTurn(last[part], now, ms);
  if (place === null) return false;
  last[part].set(place, now);
  useTurns.setState((turns) => {
    const before = turns[place] ?? NO_TURNS;
    return { [place]: { ...before, [part]: before[part] + 1 } };
  });
  return true;
}
