import { expect, it } from 'vitest';
import { lastInstantOf, nextInstantOf, shiftAt, shiftHandedOver } from '#contract/shift/shifts.ts';

const STARTS = ['06:00', '14:00', '22:00'];
const at = (time: string) => new Date(time);
const span = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];
const hours = ({ from, to }: { from: Date; to: Date }) => (to.getTime() - from.getTime()) / 3_600_000;

it('is the shift of the time, from its first instant on', () => {
  expect(span(shiftAt(at('2026-11-21T06:00:00Z'), STARTS))).toEqual([
    '2026-11-21T06:00:00.000Z',
    '2026-11-21T14:00:00.000Z',
  ]);
  expect(shiftAt(at('2026-11-21T06:00:00Z'), STARTS.toReversed())).toEqual(
    shiftAt(at('2026-11-21T06:00:00Z'), STARTS),
  );
  expect(span(shiftAt(at('2026-11-21T05:59:59Z'), STARTS))).toEqual([
    '2026-11-20T22:00:00.000Z',
    '2026-11-21T06:00:00.000Z',
  ]);
});

it('has an hour more on the night when clocks go back, and one less when they go forward', () => {
  expect(hours(shiftAt(at('2026-10-25T01:30:00Z'), STARTS))).toBe(9);
  expect(span(shiftAt(at('2026-10-25T00:30:00Z'), STARTS))[0]).toBe('2026-10-24T21:00:00.000Z');
  expect(hours(shiftAt(at('2027-03-28T02:00:00Z'), STARTS))).toBe(7);
});

it('is a whole day with one start', () => {
  expect(hours(shiftAt(at('2026-11-21T12:00:00Z'), ['07:30']))).toBe(24);
});

it('hands over the shift before for an hour', () => {
  expect(span(shiftHandedOver(at('2026-11-21T14:59:59Z'), STARTS))[0]).toBe('2026-11-21T06:00:00.000Z');
  expect(span(shiftHandedOver(at('2026-11-21T15:00:00Z'), STARTS))[0]).toBe('2026-11-21T14:00:00.000Z');
});

it('finds the last and the next time that clocks show this', () => {
  expect(lastInstantOf('06:00', at('2026-11-21T06:00:00Z')).toISOString()).toBe('2026-11-21T06:00:00.000Z');
  expect(lastInstantOf('06:00', at('2026-11-21T05:59:00Z')).toISOString()).toBe('2026-11-20T06:00:00.000Z');
  expect(nextInstantOf('06:00', at('2026-11-20T22:00:00Z')).toISOString()).toBe('2026-11-21T06:00:00.000Z');
  expect(nextInstantOf('06:00', at('2026-11-21T06:00:00Z')).toISOString()).toBe('2026-11-22T06:00:00.000Z');
});
