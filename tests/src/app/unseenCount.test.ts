import { get, set } from 'idb-keyval';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../src/api/tokens.ts';
import { countUnseen, followPushes, forgetUnseen } from '../../../src/app/UnseenCount.tsx';
import { setUnseen, useUnseen } from '../../../src/shift/changes/changeStore.ts';
import { TAPPED } from '../../../sw/workerMessages.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';
import { forgetEverything } from '../offline/fakeStorage.ts';

const MINUTE = 60_000;

let server: ReturnType<typeof startFakeServer>;
let asked: number;
let unseen: number;
const worker = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-11-21T12:00:00Z');
  localStorage.clear();
  forgetEverything();
  forgetUnseen();
  server = startFakeServer();
  saveTokens(server.signedIn());
  asked = 0;
  unseen = 3;
  server.answers.set('messages/', () => {
    asked++;
    return json(200, { messages: [], unseen, next_cursor: null }, { date: new Date().toUTCString() });
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

const count = () => useUnseen.getState().count;

it('is requested once a minute, never by the board and the page of messages', async () => {
  for (const path of ['/disruptions', '/messages', '/routes', '/dashboard']) await countUnseen(path);
  expect([asked, count()]).toEqual([1, 3]);
  vi.setSystemTime(Date.now() + MINUTE);
  unseen = 4;
  await countUnseen('/routes');
  expect([asked, count()]).toEqual([2, 4]);
});

it('is asked for again when the clock was set back', async () => {
  await countUnseen('/routes');
  vi.setSystemTime(Date.now() - 24 * 60 * MINUTE);
  await countUnseen('/routes');
  expect(asked).toBe(2);
});

it('is gone when its person leaves, and requested at once for the next', async () => {
  await countUnseen('/routes');
  forgetUnseen();
  expect(count()).toBe(0);
  unseen = 1;
  await countUnseen('/routes');
  expect([asked, count()]).toEqual([2, 1]);
});

it('stays what it was without an answer', async () => {
  setUnseen(2);
  server.line = 'cut';
  await countUnseen('/routes');
  expect(count()).toBe(2);
});

it('follows the worker’s messages, and no others', async () => {
  const stop = followPushes();
  const say = (data: unknown) => worker.dispatchEvent(new MessageEvent('message', { data }));
  say({ type: 'PUSHED', unseen: 5 });
  for (const torn of [null, 'PUSHED', { type: 'PUSHED' }, { type: 'PUSHED', unseen: '9' }, { unseen: 9 }])
    say(torn);
  expect(count()).toBe(5);
  stop();
  say({ type: 'PUSHED', unseen: 6 });
  expect(count()).toBe(5);
});

it('does no harm if the tapped alert cannot be read', async () => {
  await set(TAPPED, []);
  const store = globalThis.keptStores!.get('keyval-store/keyval')!;
  const broken = vi.spyOn(store, 'get').mockImplementation(() => {
    throw new DOMException('Gone', 'InvalidStateError');
  });
  followPushes()();
  // An error that nobody handles fails the run.
  await new Promise((resolve) => setTimeout(resolve));
  broken.mockRestore();
  expect(await get(TAPPED)).toEqual([]);
});
