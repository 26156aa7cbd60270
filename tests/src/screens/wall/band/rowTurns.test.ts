import { expect, it } from 'vitest';
import type { Alert } from '../../../../../src/api/alerts/disruptions.ts';
import {
  BAND_MS,
  bandIsChanging,
  NEWCOMER_MS,
  rowToTurn,
  TURN_MS,
  turnsPerStep,
} from '../../../../../src/screens/wall/band/rowTurns.ts';
import { leadAt } from '../../../../../src/screens/wall/band/useLead.ts';

it('lets one row turn at a time, each after seven seconds, the one that has waited longest first', () => {
  const last = new Map([0, 1, 2, 3, 4].map((place) => [place, place * 1400]));
  const turned: [number, number][] = [];
  for (let now = 0; now <= 60_000; now += 1000) {
    const place = rowToTurn(last, now);
    if (place === null) continue;
    expect(now - last.get(place)!).toBeGreaterThanOrEqual(TURN_MS);
    last.set(place, now);
    turned.push([place, now]);
  }
  expect(turned.slice(0, 5).map(([place]) => place)).toEqual([0, 1, 2, 3, 4]);
  expect(new Set(turned.map(([, now]) => now)).size).toBe(turned.length);
});

it('keeps two seconds clear of the band’s change', () => {
  const times = [0, 1999, 2000, 6000, 10_000, 10_001, 11_999, 12_000];
  expect(times.map(bandIsChanging)).toEqual([true, true, false, false, false, true, true, true]);
});

it.each([
  [1, 5],
  [2, 3],
  [4, 2],
  [5, 1],
  [18, 1],
])('shows each of %i waiting alerts for %i turns: a loop takes half a minute at least', (alerts, turns) => {
  expect(turnsPerStep(alerts)).toBe(turns);
  expect(turnsPerStep(alerts) * alerts * TURN_MS).toBeGreaterThanOrEqual(30_000);
});

const critical = (event_id: string, start: number): Alert => ({
  event_id,
  severity: 'critical',
  start_time: new Date(start).toISOString(),
});

it('shows the worst in turn, and a new critical alert at once and for twice as long', () => {
  const start = 100 * BAND_MS;
  const candidates = ['a', 'b', 'c', 'd'].map((id, place) => critical(id, start - place));
  const shown = (after: number, came: [string, number][] = []) =>
    leadAt(new Date(start + after), candidates, new Map(came));

  expect([0, 1, 2].map((turn) => shown(turn * BAND_MS)).toSorted()).toEqual(['a', 'b', 'c']); // and never 'd'
  expect(shown(0)).toBe(shown(BAND_MS - 1));
  const came: [string, number][] = [['d', start]];
  expect([shown(0, came), shown(NEWCOMER_MS - 1, came)]).toEqual(['d', 'd']);
  expect(shown(NEWCOMER_MS, came)).not.toBe('d');
});
