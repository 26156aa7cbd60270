import { expect, it } from 'vitest';
import type { NextUp } from '../../../../src/api/alerts/feeds.ts';
import { nextHours } from '../../../../src/feeds/rows/nextHours.ts';

const NOW = new Date('2026-11-22T06:14:00Z');
const entry = (event_id: string, time: string, fields: Partial<NextUp> = {}): NextUp => ({
  event_id,
  at: `2026-11-22T${time}:00.000Z`,
  kind: 'clears',
  severity: 'medium',
  ...fields,
});
const ids = (entries: NextUp[], most: number) =>
  nextHours(entries, NOW, most)
    .map(({ event_id }) => event_id)
    .join(' ');

it('holds six hours, by time', () => {
  const entries = [entry('past', '06:14'), entry('a', '06:15'), entry('b', '12:14'), entry('late', '12:15')];
  expect(ids(entries, 5)).toBe('a b');
});

it('drops the mildest if there are too many, never a warning', () => {
  const warning = entry('w', '09:00', { kind: 'begins', what: 'warning begins', severity: 'low' });
  const entries = [
    entry('l', '07:00', { severity: 'low' }),
    entry('c', '08:00', { severity: 'critical' }),
    warning,
    entry('crowd', '10:00', { kind: 'leaves', severity: null }),
    entry('h', '11:00', { severity: 'high' }),
  ];
  expect(ids(entries, 5)).toBe('l c w crowd h');
  expect(ids(entries, 4)).toBe('c w crowd h');
  expect(ids(entries, 2)).toBe('c w');
});

it('says each thing once, even if two incidents end at one time', () => {
  const same = { place: 'M62 eastbound, J26 to J27', what: 'expected clear' };
  const entries = [
    entry('a', '07:00', same),
    entry('b', '07:00', same),
    entry('c', '07:30', same),
    entry('d', '07:30', { ...same, place: 'M1' }),
  ];
  expect(ids(entries, 5)).toBe('a c d');
});
