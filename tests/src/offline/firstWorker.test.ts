import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** What the library hears from the browser. */
let hears: Map<string, () => void>;
vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener(type: string, listener: () => void) {
      hears.set(type, listener);
    }
    register = async () => ({ active: {} });
    update = async () => {};
    messageSkipWaiting() {}
  },
}));

let posted: unknown[];
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
  posted = [];
});
afterEach(() => {
  vi.useRealTimers();
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
});

const isOffered = () => worker.useWorker.getState().updateReady;

it('a tab older than the first worker asks to be served by it, and then gets no offer of an update', async () => {
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
