import { describe, expect, it } from 'vitest';
import {
  changeBeside,
  clockOf,
  dayOf,
  beforeWords,
  hoursOf,
  momentAt,
  momentOf,
  momentWords,
  shareOf,
  stepOf,
} from '../../../../src/screens/history/moments.ts';

const at = (time: string) => new Date(time);
const now = at('2026-11-22T18:00:00Z');

describe('a time in words', () => {
  it('names the day and London’s clock, and the year when it is another', () => {
    expect(momentWords(at('2026-11-21T08:10:00Z'), now)).toBe('Saturday 21 November, 08:10');
    expect(momentWords(at('2026-07-01T08:10:00Z'), now)).toBe('Wednesday 1 July, 09:10');
    expect(momentWords(at('2025-12-31T23:10:00Z'), now)).toBe('Wednesday 31 December 2025, 23:10');
    const begun = at('2026-08-23T05:00:00Z');
    expect(beforeWords(begun, at('2026-08-22T22:59:00Z'), now)).toBe(
      'Nothing was recorded before 23 August.',
    );
    expect(beforeWords(begun, at('2026-08-22T23:00:00Z'), now)).toBe(
      'Nothing was recorded before 06:00 on 23 August.',
    );
  });

  it('says which of the two hours it is in the night in which the clocks go back', () => {
    expect(clockOf(at('2026-10-25T00:30:00Z'))).toBe('01:30 BST');
    expect(clockOf(at('2026-10-25T01:30:00Z'))).toBe('01:30 GMT');
    expect(clockOf(at('2026-10-25T02:30:00Z'))).toBe('02:30');
    expect(clockOf(at('2026-03-29T01:30:00Z'))).toBe('02:30');
  });
});

describe('a day of London', () => {
  it.each([
    ['an ordinary one', '2026-11-21T12:00:00Z', 24],
    ['that in which the clocks go back', '2026-10-25T12:00:00Z', 25],
    ['that in which they go forward', '2026-03-29T12:00:00Z', 23],
  ])('has all its hours: %s', (_, time, hours) => {
    const day = dayOf(at(time));
    expect(day.to.getTime() - day.from.getTime()).toBe(hours * 3_600_000);
    const ticks = hoursOf(day);
    expect(ticks.map(({ words }) => words)).toEqual(['00:00', '06:00', '12:00', '18:00', '24:00']);
    expect(ticks.map(({ share }) => share)).toEqual(
      ticks.map(({ share }) => share).toSorted((a, b) => a - b),
    );
    expect(ticks[2]!.share).toBeCloseTo((hours - 12) / hours);
    expect(shareOf(momentAt(0.5, day), day)).toBeCloseTo(0.5, 2);
  });
});

describe('a time that somebody writes', () => {
  const beside = at('2026-11-20T10:00:00Z');

  it.each([
    ['21 Nov 2026, 08:10', '2026-11-21T08:10'],
    ['21 November 2026 8:10', '2026-11-21T08:10'],
    ['Saturday 21 November, 08:10', '2026-11-21T08:10'],
    ['21/11/2026 08:10', '2026-11-21T08:10'],
    ['2026-11-21 08:10', '2026-11-21T08:10'],
    ['1 Jul 2026, 09:10', '2026-07-01T08:10'],
    ['08:10', '2026-11-20T08:10'],
  ])('is read: %s', (text, time) => {
    expect(momentOf(text, beside)?.toISOString().slice(0, 16)).toBe(time);
  });

  it.each(['', '21 Nov 2026', '31 Feb 2026, 08:10', '08:61', '25:00', 'yesterday 08:10', '08:10 tomorrow'])(
    'is refused: %s',
    (text) => expect(momentOf(text, beside)).toBeNull(),
  );
});

describe('the slider', () => {
  it('moves a minute, with Shift ten, and an hour by the page keys', () => {
    const key = (name: string, shiftKey = false) => stepOf({ key: name, shiftKey });
    expect([key('ArrowLeft'), key('ArrowRight'), key('ArrowLeft', true), key('ArrowRight', true)]).toEqual([
      -1, 1, -10, 10,
    ]);
    expect([key('PageUp'), key('PageDown'), key('a')]).toEqual([60, -60, null]);
  });

  it('jumps to the minute at which the change before or after was on the board', () => {
    const change = (time: string) => ({ at: `2026-11-21T${time}.000Z`, count: 1 });
    const timeline = {
      from: '',
      to: '',
      recorded_from: null,
      recorded_to: null,
      silent: [],
      changes: [change('05:31:12'), change('08:10:00'), change('09:40:59')],
    };
    const beside = (time: string, step: 1 | -1) =>
      changeBeside(timeline, at(`2026-11-21T${time}:00Z`), step)
        ?.toISOString()
        .slice(11, 16);
    expect(beside('08:10', -1)).toBe('05:32');
    expect(beside('08:10', 1)).toBe('09:41');
    expect(beside('08:09', 1)).toBe('08:10');
    expect(beside('05:32', -1)).toBeUndefined();
    expect(beside('09:41', 1)).toBeUndefined();
  });
});
