import { expect, it } from 'vitest';
import { formatClock, formatDate, formatDateTime, formatDay, timeAgo } from '../../../src/time/london.ts';

it.each([
  ['2026-11-21T15:10:32Z', '21 Nov 2026, 15:10', '15:10', '15:10:32'],
  ['2026-07-01T23:30:05Z', '2 Jul 2026, 00:30', '00:30', '00:30:05'], // summer time in London, whatever the device says
])('%s is shown in London time', (at, dateTime, clock, seconds) => {
  expect([formatDateTime(at), formatClock(at), formatClock(at, { seconds: true })]).toEqual([
    dateTime,
    clock,
    seconds,
  ]);
});

it.each([
  ['2026-01-01T00:00:00Z', '1 Jan'],
  ['2026-12-31T23:59:59Z', '31 Dec'],
  ['2027-06-30T23:30:00Z', '1 Jul 2027'],
  ['2025-12-31T23:59:59Z', '31 Dec 2025'],
])('the day of %s is "%s" to a reader in 2026', (at, words) => {
  expect(formatDay(at, new Date('2026-06-01T12:00:00Z'))).toBe(words);
});

it('an unreadable time gives no text', () => {
  expect(formatDay('soon', 0)).toBe('');
  expect([formatDateTime('soon'), formatClock(Number.NaN), formatDate('')]).toEqual(['', '', '']);
  expect(timeAgo('soon', 0)).toBe('');
});

it.each([
  [-60_000, '21 Nov 2026, 12:01'],
  [-5_000, 'Just now'],
  [0, 'Just now'],
  [59_999, 'Just now'],
  [60_000, '1 minute ago'],
  [120_000, '2 minutes ago'],
  [59 * 60_000 + 59_999, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [3 * 3_600_000, '3 hours ago'],
  [24 * 3_600_000 - 1, '23 hours ago'],
  [24 * 3_600_000, '1 day ago'],
  [49 * 3_600_000, '2 days ago'],
])('%i ms is "%s"', (age, words) => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(timeAgo(now - age, now)).toBe(words);
});
