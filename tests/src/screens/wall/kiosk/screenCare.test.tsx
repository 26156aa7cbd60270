import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useBoard } from '../../../../../src/feeds/refresh/useBoard.ts';
import { useSession } from '../../../../../src/session/session.ts';
import { useHeldFeed } from '../../../../../src/screens/wall/kiosk/remoteControl.ts';
import { useScreenCare } from '../../../../../src/screens/wall/kiosk/screenCare.ts';
import { useWakeLockState } from '../../../../../src/screens/wall/kiosk/wakeLock.ts';
import { ScreenEdge } from '../../../../../src/screens/wall/WallPage.tsx';
import { startBoardServer } from '../../board/boardServer.ts';
import { forgetEverything } from '../../../offline/fakeStorage.ts';

const root = document.documentElement;
let server: ReturnType<typeof startBoardServer>;
/** The browser's answer when it is asked to keep the screen awake. */
let give: () => Promise<EventTarget>;
let fullscreens: number;

function Wall() {
  useBoard(true);
  useScreenCare();
  return <ScreenEdge />;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const move = (screenX: number) => fireEvent(window, new MouseEvent('pointermove', { screenX }));
const press = (key: string) => fireEvent.keyDown(window, { key });

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
  vi.useFakeTimers();
  vi.setSystemTime('2026-11-21T12:00:00Z');
  history.replaceState(null, '', '/disruptions?display=wall');
  useSession.setState({ status: 'signedIn', user: null, offline: false });
  useHeldFeed.setState({ hold: null });
  server = startBoardServer();
  vi.stubGlobal('isSecureContext', true);
  give = async () => Object.assign(new EventTarget(), { release: async () => {} });
  Object.defineProperty(navigator, 'wakeLock', { value: { request: () => give() }, configurable: true });
  fullscreens = 0;
  root.requestFullscreen = async () => void (fullscreens += 1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('hides the cursor after 3 s without movement, and shows the way out for 5 s after one', async () => {
  render(<Wall />);
  expect(root.dataset['cursor']).toBeUndefined();
  await pass(3000);
  expect(root.dataset['cursor']).toBe('hidden');

  move(10); // the browser says where the cursor stands
  expect([root.dataset['cursor'], root.dataset['exit']]).toEqual(['hidden', undefined]);
  move(20);
  expect(root.dataset['cursor']).toBeUndefined();
  expect(root.dataset['exit']).toBe('shown');
  await pass(3000);
  expect(root.dataset['cursor']).toBe('hidden');
  expect(root.dataset['exit']).toBe('shown');
  await pass(2000);
  expect(root.dataset['exit']).toBeUndefined();

  move(20); // the page changed under a cursor that stands still
  expect(root.dataset['cursor']).toBe('hidden');
});

it('obeys a remote control', async () => {
  render(<Wall />);
  await pass(50);
  expect(server.loads()).toBe(1);
  press('r');
  await pass(50);
  expect(server.loads()).toBe(2);
  expect(fullscreens).toBe(1); // at the first key, and only then

  press('3');
  expect(useHeldFeed.getState().hold?.place).toBe(3);
  press('6');
  expect(useHeldFeed.getState().hold?.place).toBe(3);
  for (const held of ['ctrlKey', 'altKey', 'metaKey', 'repeat'])
    fireEvent.keyDown(window, { key: 'r', [held]: true });
  await pass(50);
  expect(server.loads()).toBe(2);

  press('f');
  expect(fullscreens).toBe(2);
  press('Escape');
  expect(location.pathname + location.search).toBe('/disruptions');
});

it('on Escape releases a held feed first, and never leads to a sign-in form', async () => {
  useSession.setState({ status: 'signedOut', user: null, offline: false });
  render(<Wall />);
  await pass(0);
  press('2');
  press('Escape');
  expect(useHeldFeed.getState().hold).toBeNull();
  expect(location.search).toBe('?display=wall');
  expect(screen.queryByRole('button', { name: 'Exit' })).toBeNull();
});

it('asks for full screen again when it was refused', async () => {
  root.requestFullscreen = async () => {
    fullscreens += 1;
    throw new TypeError('Permissions check failed');
  };
  render(<Wall />);
  fireEvent(window, new MouseEvent('pointerup'));
  await pass(0);
  fireEvent(window, new MouseEvent('pointerup'));
  expect(fullscreens).toBe(2);
});

it('says when the screen may sleep, and asks for the wake lock again when visible and while refused', async () => {
  const warning = () => screen.queryByText(/^This screen may go to sleep/)?.textContent;
  let lock = new EventTarget();
  give = async () => (lock = Object.assign(new EventTarget(), { release: async () => {} }));
  render(<Wall />);
  await pass(0);
  expect(warning()).toBeUndefined();

  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void lock.dispatchEvent(new Event('release')));
  await pass(60_000);
  expect(warning()).toContain('does not keep it awake now');
  visibility.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(0);
  expect(warning()).toBeUndefined();

  const good = give;
  give = () => Promise.reject(new DOMException('Weak battery', 'NotAllowedError'));
  act(() => void lock.dispatchEvent(new Event('release')));
  await pass(30_000);
  expect(warning()).toContain('does not keep it awake now');
  give = good;
  await pass(30_000);
  expect(warning()).toBeUndefined();
});

it('asks for one wake lock at a time, and gives back one that is granted after the wall is left', async () => {
  let grant = (_: EventTarget) => {};
  let asked = 0;
  let released = 0;
  const lock = Object.assign(new EventTarget(), { release: async () => void (released += 1) });
  give = () => {
    asked += 1;
    return new Promise((resolve) => (grant = resolve));
  };
  const first = render(<Wall />);
  await pass(60_000);
  expect(asked).toBe(1);
  await act(async () => grant(lock));
  await pass(60_000);
  expect(asked).toBe(1);
  first.unmount();
  expect([released, useWakeLockState.getState().state]).toEqual([1, 'released']);

  // The earlier wall learns late that its lock was released.
  const second = render(<Wall />);
  await act(async () => grant(Object.assign(new EventTarget(), { release: async () => {} })));
  lock.dispatchEvent(new Event('release'));
  expect(useWakeLockState.getState().state).toBe('held');
  second.unmount();

  const third = render(<Wall />);
  third.unmount();
  await act(async () => grant(lock));
  expect([released, useWakeLockState.getState().state]).toEqual([2, 'released']);
});

it('says what to do when the screen may sleep because the address is plain http', () => {
  Object.defineProperty(navigator, 'wakeLock', { value: undefined, configurable: true });
  vi.stubGlobal('isSecureContext', false);
  render(<Wall />);
  expect(screen.getByText('This screen may go to sleep: open this address by https')).toBeTruthy();
});

it('sets the drift on the root, and removes everything when the wall is left', async () => {
  const { unmount } = render(<Wall />);
  const before = root.style.getPropertyValue('--ox');
  expect(before).not.toBe('');
  vi.setSystemTime('2026-11-21T23:03:00Z'); // the machine slept
  await pass(1000);
  expect(root.style.getPropertyValue('--ox')).not.toBe(before);
  expect(root.hasAttribute('data-night')).toBe(true);
  unmount();
  expect(root.getAttributeNames().filter((name) => name.startsWith('data-'))).toEqual([]);
  expect(root.style.getPropertyValue('--ox')).toBe('');
});
