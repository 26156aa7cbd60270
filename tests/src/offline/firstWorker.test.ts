import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Events that the library hears from the browser. */
let hears: Map<string, () => void>;
vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener(type: string, listener: () => void) {
      hears.set(type, listener);
    }
    register = async () => (registering.shift() ?? (async () => registration))();
    update = async () => void looks++;
    messageSkipWaiting = () => void skips++;
  },
}));

let registration: { active: object; waiting: object | null };
/** The results of the first tries to register. */
let registering: (() => Promise<object>)[];
/** How often the waiting version was told to take over. */
let skips: number;
let posted: unknown[];
/** How often the browser was told to look for a new version. */
let looks: number;
/** How the server answers. */
let answer: () => Promise<Response>;
let worker: typeof import('../../../src/offline/serviceWorker.ts');

async function openTab(controller: object | null) {
  const active = { postMessage: (message: unknown) => posted.push(message) };
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { controller, ready: Promise.resolve({ active }) },
    configurable: true,
  });
  worker = await import('../../../src/offline/serviceWorker.ts');
  await worker.startServiceWorker();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  hears = new Map();
  registration = { active: {}, waiting: null };
  registering = [];
  skips = 0;
  posted = [];
  looks = 0;
  answer = async () => new Response();
  vi.stubGlobal('fetch', () => answer());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
});

const isOffered = () => worker.useWorker.getState().updateReady;

it('a tab older than the first worker asks to be served by it, and is offered no update', async () => {
  await openTab(null);
  expect(posted).toEqual([{ type: 'CLAIM' }]);
  hears.get('controlling')!();
  expect(isOffered()).toBe(false);
});

it('a tab older than the first worker is offered the next one when another tab has installed it', async () => {
  await openTab(null);
  hears.get('controlling')!();
  hears.get('controlling')!();
  expect(isOffered()).toBe(true);
});

it('a tab that is served by a worker from the start asks for nothing, and is offered the next one', async () => {
  await openTab({});
  expect(posted).toEqual([]);
  hears.get('controlling')!();
  expect(isOffered()).toBe(true);
});

it('a tab offers the version that waits, even if the one before it could not be installed', async () => {
  await openTab({});
  // The library has followed the failed worker, and does not report the next one.
  registration.waiting = {};
  expect(isOffered()).toBe(false);
  worker.lookForUpdate();
  await vi.waitFor(() => expect(isOffered()).toBe(true));
});

it('a tab looks each hour, and offers nothing while no other version waits', async () => {
  await openTab({});
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect([looks, isOffered()]).toEqual([1, false]);
});

it('a tab installs the worker later if a file of it was lost', async () => {
  const lost = Object.assign(new EventTarget(), { state: 'installing' });
  registering = [() => Promise.reject(new TypeError('Failed to fetch')), async () => ({ installing: lost })];
  const opened = openTab(null);
  await vi.advanceTimersByTimeAsync(10_000);
  lost.state = 'redundant';
  lost.dispatchEvent(new Event('statechange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(posted).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_000);
  await opened;
  expect(posted).toEqual([{ type: 'CLAIM' }]);
});

it('a tab applies an update: it reloads once the new version has taken over, or after four seconds', async () => {
  await openTab({});
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  hears.get('waiting')!();
  worker.applyUpdate();
  await vi.advanceTimersByTimeAsync(3999);
  expect([skips, reload.mock.calls.length]).toEqual([1, 0]);
  hears.get('controlling')!();
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(reload).toHaveBeenCalledTimes(2);
  // Another tab has applied it: there is nothing to wait for.
  await vi.advanceTimersByTimeAsync(0);
  vi.resetModules();
  await openTab({});
  hears.get('controlling')!();
  reload.mockClear();
  worker.applyUpdate();
  expect([skips, reload.mock.calls.length]).toEqual([1, 1]);
  reload.mockRestore();
});

it('on a silent line the browser does not look for a version: the look would hold a connection for ever', async () => {
  await openTab({});
  let giveUp = () => {};
  answer = () =>
    new Promise((_, reject) => {
      giveUp = () => reject(new DOMException('signal timed out', 'TimeoutError'));
    });
  worker.lookForUpdate();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toBe(0);
  giveUp();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toBe(0);

  answer = async () => new Response();
  worker.lookForUpdate();
  await vi.waitFor(() => expect(looks).toBe(1));
});

it('a tab says that another version has taken over, and offers the next one', async () => {
  await openTab({});
  hears.get('controlling')!();
  expect(worker.useWorker.getState()).toMatchObject({ updateReady: true, tookOver: true });
  hears.get('waiting')!();
  expect(worker.useWorker.getState()).toMatchObject({ updateReady: true, tookOver: false });
});
