import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../../../../../src/app/ErrorBoundary.tsx';
import { useWorker } from '../../../../../src/offline/serviceWorker.ts';
import { useSelfHealing } from '../../../../../src/screens/wall/WallPage.tsx';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = new Date('2026-11-21T12:00:00Z').getTime();

let reloads: number[];
let serverIsThere: boolean;
let broken: boolean;
let view: ReturnType<typeof render>;

function Board() {
  useSelfHealing();
  if (broken) throw new Error('broken');
  return <p>The board</p>;
}

const open = () => {
  view = render(
    <ErrorBoundary address="/disruptions">
      <Board />
    </ErrorBoundary>,
  );
};
/** Time goes second by second, because React draws when an act ends. */
async function pass(ms: number) {
  for (let left = ms; left > 0; left -= SECOND) await act(() => vi.advanceTimersByTimeAsync(SECOND));
}
const errorPage = () => screen.queryByRole('heading', { name: 'Unexpected Application Error!' });
const secondsOf = (times: number[]) => times.map((at) => Math.round((at - START) / SECOND));

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
  vi.setSystemTime(START);
  history.replaceState(null, '', '/disruptions?display=wall');
  vi.spyOn(console, 'error').mockImplementation(() => {});
  reloads = [];
  vi.spyOn(location, 'reload').mockImplementation(() => {
    reloads.push(Date.now());
    setTimeout(() => {
      view.unmount();
      open();
    });
  });
  serverIsThere = true;
  vi.stubGlobal('fetch', async () => {
    if (!serverIsThere) throw new TypeError('Failed to fetch');
    return new Response('the worker', { headers: { 'content-type': 'text/javascript' } });
  });
  useWorker.setState({ supported: false, updateReady: false });
  broken = true;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('reloads a wall that throws: at once, then at most once a minute, until it works', async () => {
  open();
  expect(errorPage()).toBeNull();
  await pass(SECOND);
  expect(reloads).toHaveLength(1);
  expect(errorPage()).toBeTruthy();
  expect(screen.getByText('This screen tries again by itself every 30 seconds.')).toBeTruthy();

  await pass(10 * MINUTE);
  const gaps = reloads.slice(1).map((at, index) => at - reloads[index]!);
  expect(reloads.length).toBeGreaterThanOrEqual(9);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(MINUTE);

  broken = false;
  const before = reloads.length;
  await pass(31 * SECOND);
  expect(screen.getByText('The board')).toBeTruthy();
  await pass(10 * MINUTE);
  expect(reloads.length).toBeLessThanOrEqual(before + 1);
});

it('draws the page again after 30 s when it was loaded within the minute', async () => {
  open();
  await pass(SECOND);
  expect(errorPage()).toBeTruthy();
  broken = false;
  await pass(31 * SECOND);
  expect(screen.getByText('The board')).toBeTruthy();
  expect(reloads).toHaveLength(1);
});

it('never reloads while the server is away', async () => {
  serverIsThere = false;
  open();
  await pass(5 * MINUTE);
  expect(reloads).toHaveLength(0);
  expect(errorPage()).toBeTruthy();
  serverIsThere = true;
  await pass(31 * SECOND);
  expect(reloads).toHaveLength(1);
});

it('leaves the interactive board to its reader', async () => {
  history.replaceState(null, '', '/disruptions');
  open();
  await pass(5 * MINUTE);
  expect(reloads).toHaveLength(0);
  expect(errorPage()).toBeTruthy();
});

it('reloads the wall after an uncaught error, and then leaves a working board alone for a while', async () => {
  broken = false;
  open();
  await pass(MINUTE);
  // A request that was given up says nothing about the page.
  window.dispatchEvent(new ErrorEvent('error', { error: new DOMException('Aborted', 'AbortError') }));
  const stray = setInterval(
    () => void window.dispatchEvent(new ErrorEvent('error', { error: new TypeError('x is undefined') })),
    SECOND,
  );
  window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop' }));
  await pass(10 * MINUTE);
  expect(secondsOf(reloads)).toEqual([61]);
  await pass(2 * SECOND);
  expect(reloads).toHaveLength(2);
  clearInterval(stray);
});
