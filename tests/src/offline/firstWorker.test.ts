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

let container: EventTarget & { controller: object | null };

/** Another worker controls the tab from now on. */
function takeOver() {
  container.controller = {};
  container.dispatchEvent(new Event('controllerchange'));
}

async function openTab(controller: object | null) {
  const active = { postMessage: (message: unknown) => posted.push(message) };
  container = Object.assign(new EventTarget(), { controller, ready: Promise.resolve({ active }) });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  worker = await import('../../../src/offline/serviceWorker.ts');
  await worker.startServiceWorker();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  hears = new Map();
  sessionStorage.clear();
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
  takeOver();
  expect(isOffered()).toBe(false);
});

it('a tab older than the first worker is offered the next one when another tab has installed it', async () => {
  await openTab(null);
  takeOver();
  takeOver();
  expect(isOffered()).toBe(true);
});

it('a tab that is served by a worker from the start asks for nothing, and is offered the next one', async () => {
  await openTab({});
  expect(posted).toEqual([]);
  takeOver();
  expect(isOffered()).toBe(true);
});

it('a tab is offered a reload when the next worker takes over while the tab is still loading', async () => {
  let registered = (_: object) => {};
  registering = [() => new Promise((resolve) => (registered = resolve))];
  const opened = openTab({});
  await vi.waitFor(() => expect(registering).toEqual([]));
  takeOver();
  registered(registration);
  await opened;
  expect(worker.useWorker.getState()).toMatchObject({ updateReady: true, tookOver: true });
});

it.each([
  ['a reload when the next worker took over before its code ran', {}, true],
  ['nothing when the very first worker did', null, false],
])('a tab is offered %s', async (_, before, offered) => {
  vi.stubGlobal('firstController', before);
  await openTab({});
  expect(isOffered()).toBe(offered);
});

it.each([
  ['by itself, while it is being reloaded for it', true, 'interactive', 1],
  ['only when somebody agrees, after it was reloaded for it', true, 'complete', 0],
  ['only when somebody agrees, while it is being opened', false, 'interactive', 0],
] as const)('a tab that the next worker takes over reloads %s', async (_, applied, readyState, times) => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  if (applied) {
    await openTab({});
    worker.applyUpdate();
    reload.mockClear();
    vi.resetModules();
  }
  vi.spyOn(document, 'readyState', 'get').mockReturnValue(readyState);
  await openTab({});
  takeOver();
  expect([reload.mock.calls.length, isOffered()]).toEqual([times, times === 0]);
  vi.restoreAllMocks();
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
  takeOver();
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(reload).toHaveBeenCalledTimes(2);
  // Another tab has applied it: there is nothing to wait for.
  await vi.advanceTimersByTimeAsync(0);
  vi.resetModules();
  await openTab({});
  takeOver();
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
  takeOver();
  expect(worker.useWorker.getState()).toMatchObject({ updateReady: true, tookOver: true });
  hears.get('waiting')!();
  expect(worker.useWorker.getState()).toMatchObject({ updateReady: true, tookOver: false });
});
