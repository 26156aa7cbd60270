import { describe, expect, it } from 'vitest';
import { nextOf, occurrences } from '#contract/incidents/windows.ts';

const clock = (ms: number) => new Date(ms).toISOString().slice(5, 16);
const found = (window: Parameters<typeof occurrences>[0], from: string, to: string) =>
  occurrences(window, { from: Date.parse(from), to: Date.parse(to) }).map(
    (span) => `${clock(span.from)} to ${clock(span.to)}`,
  );

describe('the times of a window', () => {
  it('are its period if it has no hours, and that meets the span', () => {
    const window = { start: '2026-11-20T08:00:00Z', end: '2026-11-20T10:00:00Z' };
    expect(found(window, '2026-11-20T09:00:00Z', '2026-11-20T12:00:00Z')).toEqual([
      '11-20T08:00 to 11-20T10:00',
    ]);
    expect(found(window, '2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z')).toEqual([]);
    expect(found(window, '2026-11-20T06:00:00Z', '2026-11-20T08:00:00Z')).toEqual([]);
    // A single clock time gives no hours.
    for (const half of [{ from: '09:00' }, { to: '09:00' }])
      expect(found({ ...window, ...half }, '2026-11-20T09:00:00Z', '2026-11-20T12:00:00Z')).toHaveLength(1);
  });

  it('are none if it ends before it begins, or has nothing to be counted from', () => {
    const day = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'] as const;
    const [early, late] = ['2026-11-20T08:00:00Z', '2026-11-20T10:00:00Z'];
    expect(found({ start: late, end: early }, ...day)).toEqual([]);
    expect(found({ start: early, end: early }, ...day)).toEqual([]);
    expect(occurrences({ from: '20:00', to: '06:00' }, { from: -Infinity, to: Infinity })).toEqual([]);
  });

  it('are a whole day if both clocks are the same, and none that only touch the span or the period', () => {
    const nightly = {
      start: '2026-11-19T12:00:00Z',
      end: '2026-11-21T20:00:00Z',
      from: '20:00',
      to: '06:00',
    };
    expect(found(nightly, '2026-11-20T06:00:00Z', '2026-11-20T20:00:00Z')).toEqual([]);
    // The third night would begin at its end.
    expect(found(nightly, '2026-11-19T00:00:00Z', '2026-11-25T00:00:00Z')).toHaveLength(2);
    expect(found({ ...nightly, to: '20:00' }, '2026-11-20T06:00:00Z', '2026-11-20T12:00:00Z')).toEqual([
      '11-19T20:00 to 11-20T20:00',
    ]);
  });

  it('are nights that end on the next day, on its days, within its period', () => {
    const window = {
      start: '2026-11-19T20:00:00Z',
      end: '2026-11-24T06:00:00Z',
      days: ['mon' as const, 'thu' as const, 'fri' as const],
      from: '20:00',
      to: '06:00',
    };
    expect(found(window, '2026-11-20T03:00:00Z', '2026-12-20T00:00:00Z')).toEqual([
      '11-19T20:00 to 11-20T06:00',
      '11-20T20:00 to 11-21T06:00',
      '11-23T20:00 to 11-24T06:00',
    ]);
  });

  it('are as long as the clock says in the nights in which it changes', () => {
    const nightly = { start: null, end: null, from: '22:00', to: '05:00' };
    expect(found(nightly, '2026-10-24T21:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
      '10-24T21:00 to 10-25T05:00',
    ]);
    expect(found(nightly, '2026-03-28T22:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '03-28T22:00 to 03-29T04:00',
    ]);
  });

  it('are found ahead: the next, and none when all are over', () => {
    const window = { start: '2026-11-20T00:00:00Z', end: '2026-11-23T00:00:00Z', from: '09:30', to: '15:30' };
    const next = nextOf([window], new Date('2026-11-21T16:00:00Z'));
    expect(next && clock(next.from)).toBe('11-22T09:30');
    const sooner = { ...window, from: '08:00' };
    for (const both of [
      [window, sooner],
      [sooner, window],
    ])
      expect(clock(nextOf(both, new Date('2026-11-21T16:00:00Z'))!.from)).toBe('11-22T08:00');
    expect(nextOf([window], new Date('2026-11-23T16:00:00Z'))).toBeNull();
  });
});
