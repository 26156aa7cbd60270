import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteServerDate } from '../../../src/time/serverClock.ts';
import { dataAge, dataFreshness, serverNow } from '../../../src/time/freshness.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

beforeEach(() => localStorage.clear()); // an answer that another file noted may be newer
afterEach(() => vi.useRealTimers());

it.each([
  [0, 'fresh'],
  [89_999, 'fresh'],
  [90_000, 'late'],
  [179_999, 'late'],
  [180_000, 'stale'],
  [3_599_999, 'stale'],
  [3_600_000, 'veryOld'],
  [7 * 24 * 3_600_000, 'veryOld'],
  [-1000, 'fresh'], // a clock may be a little off
  [-89_999, 'fresh'],
  [-90_000, 'stale'], // but what is not known may not pass for new
])('data of %i ms is %s', (age, word) => {
  expect(dataFreshness(ago(age), NOW)).toBe(word);
});

it('uses the server’s clock on a device whose own is years behind', () => {
  vi.useFakeTimers({ now: new Date('2020-01-01T00:00:00Z'), toFake: ['Date'] });
  const received = Date.now();
  noteServerDate('Sat, 21 Nov 2026 12:00:00 GMT', received - 200, received);
  expect(Math.abs(serverNow().getTime() - NOW.getTime())).toBeLessThanOrEqual(1000);
  expect(dataFreshness(ago(200_000))).toBe('stale');

  vi.setSystemTime(Date.now() + 60_000);
  expect(Math.round(dataAge(NOW) / 1000)).toBe(60);
});

it('does not read a slow answer as a wrong clock', () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  noteServerDate(NOW.toUTCString(), NOW.getTime(), NOW.getTime()); // sets the clock right again
  const before = serverNow().getTime();
  noteServerDate(new Date(NOW.getTime() - 9000).toUTCString(), NOW.getTime() - 10_000, NOW.getTime());
  noteServerDate('no date', 0, 0);
  noteServerDate(null, 0, 0);
  expect(serverNow().getTime()).toBe(before);
});
