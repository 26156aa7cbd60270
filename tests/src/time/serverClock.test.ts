import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clockOffsetMs, noteServerDate, watchDeviceClock } from '../../../src/time/serverClock.ts';
import { dataAge, dataFreshness } from '../../../src/time/freshness.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const MINUTE = 60_000;

let stop: () => void;

const answer = (at = Date.now()) => noteServerDate(new Date(at).toUTCString(), Date.now(), Date.now());

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: NOW });
  answer();
  stop = watchDeviceClock();
});
afterEach(() => {
  stop();
  answer();
  vi.useRealTimers();
});

it('makes nothing look newer when the device’s clock is set back and no server answers', async () => {
  await vi.advanceTimersByTimeAsync(75 * MINUTE);
  vi.setSystemTime(Date.now() - 74 * MINUTE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(dataFreshness(NOW)).toBe('veryOld');
  expect(dataAge(NOW) / MINUTE).toBeCloseTo(75, 1);
  expect(Number(localStorage.getItem('clearway_clock_offset_ms'))).toBe(clockOffsetMs()); // for a reload
});

it('is corrected by the first answer after that', async () => {
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  vi.setSystemTime(Date.now() - 35 * MINUTE);
  answer(NOW.getTime() + 5 * MINUTE);
  await vi.advanceTimersByTimeAsync(3000);
  expect(dataAge(NOW) / MINUTE).toBeCloseTo(5, 0);
});

it('ignores a clock that is set forward, as by a sleep, or corrected by a second', async () => {
  const before = clockOffsetMs();
  vi.setSystemTime(Date.now() + 8 * 60 * MINUTE);
  await vi.advanceTimersByTimeAsync(1000);
  vi.setSystemTime(Date.now() - 1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clockOffsetMs()).toBe(before);
});
