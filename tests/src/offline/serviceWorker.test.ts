import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { knownAnswer, rememberAnswer } from '../../../src/api/knownAnswers.ts';
import { purgeOfflineCopies } from '../../../src/offline/serviceWorker.ts';
import { saveSnapshot } from '../../../src/offline/snapshot.ts';
import { everythingKept, forgetEverything } from './fakeStorage.ts';

let names: string[];
const withWorker = (active: object | null) =>
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration: async () => (active ? { active } : undefined) },
    configurable: true,
  });

beforeEach(async () => {
  forgetEverything();
  localStorage.setItem('clearway_scope', 'anna');
  await saveSnapshot('board', 'what Anna saw', new Date());
  names = ['clearway-private-board', 'clearway-settings', 'workbox-precache-v2'];
  vi.stubGlobal('caches', {
    keys: async () => names,
    delete: async (name: string) => {
      names = names.filter((kept) => kept !== name);
      return true;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
});

it('deletes what users saw and keeps the app itself, even without a worker', async () => {
  withWorker(null);
  rememberAnswer('anna', 'feeds', { etag: '"1"', data: 'what Anna saw' });
  const badge = vi.fn(async () => {});
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clearAppBadge: badge }));
  await purgeOfflineCopies('anna');
  expect(badge).toHaveBeenCalledOnce();
  expect(knownAnswer('anna', 'feeds')).toBeUndefined();
  expect(names).toEqual(['clearway-settings', 'workbox-precache-v2']);
  expect(everythingKept()).toBe('[]');
});

it('waits until the worker has done its part', async () => {
  let confirm = () => {};
  const posted: unknown[] = [];
  withWorker({
    postMessage: (message: unknown, [port]: MessagePort[]) => {
      posted.push(message);
      confirm = () => port!.postMessage('purged', []);
    },
  });
  let purged = false;
  const done = purgeOfflineCopies('anna').then(() => (purged = true));
  await vi.waitFor(() => expect(posted).toEqual([{ type: 'PURGE', scope: 'anna' }]));
  expect(purged).toBe(false);
  confirm();
  await done;
});

it('waits 2 seconds at most: a slow worker keeps nobody signed in', async () => {
  vi.useFakeTimers();
  withWorker({ postMessage: () => {} });
  let purged = false;
  void purgeOfflineCopies('anna').then(() => (purged = true));
  await vi.advanceTimersByTimeAsync(1900);
  expect(purged).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(purged).toBe(true);
});
