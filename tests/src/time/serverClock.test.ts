import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  clockOffsetMs,
  noteKeptAwake,
  noteServerDate,
  watchDeviceClock,
} from '../../../src/time/serverClock.ts';
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

it('learns nothing from an answer that was under way while the device’s clock was set back', async () => {
  const sentAt = Date.now();
  vi.setSystemTime(sentAt - 120 * MINUTE);
  noteServerDate(new Date(sentAt).toUTCString(), sentAt, Date.now());
  expect(clockOffsetMs() / MINUTE).toBeCloseTo(120, 1);
});

it('ignores a clock that is set forward, as by a sleep, or corrected by a second', async () => {
  const before = clockOffsetMs();
  vi.setSystemTime(Date.now() + 8 * 60 * MINUTE);
  await vi.advanceTimersByTimeAsync(1000);
  vi.setSystemTime(Date.now() - 1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clockOffsetMs()).toBe(before);
});

it('notices a clock that is set forward on a screen that is kept awake', async () => {
  noteKeptAwake(true);
  await vi.advanceTimersByTimeAsync(1000);
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(dataAge(NOW) / MINUTE).toBeCloseTo(1, 1);
  // It may have slept until the lock was given again.
  noteKeptAwake(false);
  await vi.advanceTimersByTimeAsync(1000);
  noteKeptAwake(true);
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(dataAge(NOW) / MINUTE).toBeCloseTo(61, 0);
  noteKeptAwake(false);
});

it('is moved by a step back of two seconds, not by less', async () => {
  const before = clockOffsetMs();
  vi.setSystemTime(Date.now() - 1999);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clockOffsetMs()).toBe(before);
  vi.setSystemTime(Date.now() - 2000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clockOffsetMs()).toBe(before + 2000);
});

it('takes an answer that goes back as a repeated one, until the next goes on from there', () => {
  const says = (seconds: number) => answer(NOW.getTime() + seconds * 1000);
  // An answer that was overtaken on its way may be half a minute old.
  expect([says(0), says(-30), says(0)]).toEqual([true, true, true]);
  expect([says(-31), says(-31), says(-600)]).toEqual([false, false, false]);
  expect(clockOffsetMs()).toBe(0);
  expect(says(-599)).toBe(true);
  expect(clockOffsetMs()).toBe(-598_000);
  expect([says(-590), says(-630)]).toEqual([true, false]);
  expect(says(0)).toBe(true);
});

it('learns nothing from an answer without a date, and from others only what they prove', () => {
  const now = Date.now();
  const says = (ms: number, tookMs = 0) =>
    noteServerDate(new Date(now + ms).toUTCString(), now - tookMs, now);
  expect([noteServerDate(null, now, now), noteServerDate('soon', now, now)]).toEqual([true, true]);
  says(-5000, 10_000); // it may have been made when it was sent, so the clock is right
  expect(clockOffsetMs()).toBe(0);
  says(3000);
  expect(clockOffsetMs()).toBe(3000);
  says(2000); // the header has whole seconds
  expect(clockOffsetMs()).toBe(3000);
  says(1000);
  expect(clockOffsetMs()).toBe(2000);
});
