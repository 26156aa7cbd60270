/** When a row of the wall changes: in its turn, never together with another row, never just before or after the band. */
import { create } from 'zustand';
import { serverNow } from '../../../time/freshness.ts';

/** Each alert of the band stands for so long, and a new critical one for twice as long. */
export const BAND_MS = 12_000;
export const NEWCOMER_MS = 2 * BAND_MS;
/** Around a change of the band nothing else changes. */
const STILL_MS = 2000;

export const TURN_MS = 7000;
/** Several critical alerts of a feed lead for so long each. */
const LEAD_MS = 12_000;
const ROW_OFFSET_MS = 1400;
const SHORTEST_LOOP_MS = 30_000;
const TICK_MS = 1000;

/** Whether the band, if it alternates, changes within two seconds of this moment. */
export function bandIsChanging(now: number): boolean {
  const since = now % BAND_MS;
  return since < STILL_MS || since > BAND_MS - STILL_MS;
}

/** The row whose turn has come (by when each changed last, in their order); null if none's has. */
export function rowToTurn(last: ReadonlyMap<number, number>, now: number, ms = TURN_MS): number | null {
  const due = [...last].filter(([, at]) => now - at >= ms).toSorted(([, a], [, b]) => a - b);
  return due[0]?.[0] ?? null;
}

/** How many turns of its row a queue of this many alerts shows each of them: its loop takes half a minute at least. */
export const turnsPerStep = (alerts: number): number =>
  Math.max(1, Math.ceil(SHORTEST_LOOP_MS / (TURN_MS * Math.max(1, alerts))));

interface Turns {
  /** How often its queue has moved on. */
  queue: number;
  /** How often another of its critical alerts has come to lead. */
  lead: number;
}

export const NO_TURNS: Turns = { queue: 0, lead: 0 };

/** How often each row has changed, by its place. */
export const useTurns = create<Record<number, Turns>>(() => ({}));

/** When each row changed last, by its place; of the leads only where several take turns. */
const last = { queue: new Map<number, number>(), lead: new Map<number, number>() };
let timer: ReturnType<typeof setInterval> | undefined;
let bandAlternates = false;

export function noteBand(alternates: boolean): void {
  bandAlternates = alternates;
}

/** The row changes until the returned function is called. */
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
  // The band goes by the clock, so that displays side by side agree; the rows keep clear of it.
  if (bandAlternates && bandIsChanging(serverNow().getTime())) return;
  const now = performance.now();
  // Half a tick early rather than a whole one late: leads keep the rhythm of the band, and so clear of it.
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
