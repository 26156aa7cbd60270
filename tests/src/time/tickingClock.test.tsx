import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useClock } from '../../../src/time/tickingClock.ts';
import { TimeAgo } from '../../../src/time/TimeAgo.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime('2026-11-21T12:00:00Z');
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Time({ name }: { name: string }) {
  return <p title={name}>{useClock((now) => now.getTime())}</p>;
}
const timeOf = (name: string) => Number(screen.getByTitle(name).textContent);

it('a reader that leaves does not stop the others’ clock', async () => {
  const { rerender } = render([<Time key="a" name="a" />, <Time key="b" name="b" />]);
  const before = timeOf('b');
  rerender([<Time key="b" name="b" />]);
  await pass(3000);
  expect(timeOf('b') - before).toBe(3000);
});

it('a reader that leaves does not stop the others’ ages', async () => {
  const age = (key: string) => <TimeAgo key={key} at="2026-11-21T11:59:00Z" />;
  const { rerender } = render([age('a'), age('b')]);
  rerender([age('b')]);
  await pass(60_000);
  expect(screen.getByText('2 minutes ago')).toBeTruthy();
});

it('starts again for the next reader after all have left', async () => {
  const { rerender } = render([<Time key="a" name="a" />]);
  rerender([]);
  expect(vi.getTimerCount()).toBe(0);
  rerender([<Time key="b" name="b" />]);
  const before = timeOf('b');
  await pass(2000);
  expect(timeOf('b') - before).toBe(2000);
});
