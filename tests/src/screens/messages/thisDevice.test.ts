import { get, set } from 'idb-keyval';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import {
  type Abilities,
  deviceName,
  deviceState,
  deviceWords,
  renewDevice,
} from '../../../../src/screens/messages/thisDevice.ts';
import { DEVICE_RECEIVER } from '../../../../sw/workerMessages.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

const able: Abilities = { isSecure: true, hasPush: true, isApple: false, permission: 'default' };
const mine = {
  id: 'r1',
  state: 'working',
  since: '2026-11-19T08:00:00.000Z',
} as const;

it.each<[string, Partial<Abilities>, typeof mine | undefined, boolean]>([
  ['On', {}, mine, false],
  ['Off', {}, undefined, false],
  ["Blocked in the browser's settings", { permission: 'denied' }, undefined, false],
  ['Not on this device: needs https', { isSecure: false, hasPush: false }, undefined, false],
  [
    'On iPhone and iPad: add Clearway to the home screen first',
    { hasPush: false, isApple: true },
    undefined,
    false,
  ],
  ['Not on this device: this browser takes no messages', { hasPush: false }, undefined, false],
  ['The push service could not be reached', {}, undefined, true],
])('says "%s"', (words, abilities, receiver, failed) => {
  expect(deviceWords(deviceState({ ...able, ...abilities }, receiver, failed))).toBe(words);
});

it('says when it was last heard of', () => {
  expect(deviceWords(deviceState(able, { ...mine, state: 'off' }, false))).toMatch(
    /^Lost 19 Nov.*: turn on again$/,
  );
});

it('names a device by its browser and system', () => {
  expect(deviceName('Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/130 Safari/537.36')).toBe(
    'Chrome on Windows',
  );
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18) Version/18.0 Mobile Safari/604.1')).toBe(
    'Safari on iPhone',
  );
});

describe('a device that is on', () => {
  const DAY = 24 * 60 * 60_000;
  const NOON = Date.parse('2026-11-21T12:00:00Z');
  let permission: NotificationPermission;
  let asked: number;
  let posted: string[];
  let made: string[];
  let key: ArrayBuffer;
  let server: ReturnType<typeof startFakeServer>;

  beforeEach(() => {
    localStorage.clear();
    forgetEverything();
    permission = 'granted';
    asked = 0;
    posted = [];
    made = ['first'];
    key = Uint8Array.from([1, 2, 3]).buffer;
    server = startFakeServer();
    saveTokens(server.signedIn());
    const answering = fetch;
    vi.stubGlobal('fetch', async (input: Request) =>
      new URL(input.url).pathname === '/config.json' ? json(200, { push_key: 'AQID' }) : answering(input),
    );
    server.answers.set('channels/', ({ body }) => {
      posted.push((body['subscription'] as { endpoint: string }).endpoint);
      return json(201, { channel: { id: 'r1', kind: 'device' }, secret: null });
    });
    vi.stubGlobal('Notification', {
      get permission() {
        return permission;
      },
      requestPermission: async () => (asked++, permission),
    });
    const subscription = () => ({
      options: { applicationServerKey: key },
      toJSON: () => ({ endpoint: `https://push.example/${made.at(-1)}`, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => void made.pop(),
    });
    const pushManager = {
      getSubscription: async () => (made.length > 0 ? subscription() : null),
      async subscribe() {
        if (made.length === 0) made.push('second');
        return subscription();
      },
    };
    Object.defineProperty(navigator, 'serviceWorker', {
      value: { ready: Promise.resolve({ pushManager }) },
      configurable: true,
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });

  it('says where it is once a day, even by a clock that was ahead', async () => {
    await set(DEVICE_RECEIVER, 'r1');
    for (const at of [NOON, NOON + DAY - 1, NOON + DAY]) await renewDevice(at);
    expect(posted).toEqual(['https://push.example/first', 'https://push.example/first']);
    await renewDevice(NOON - 30 * DAY);
    expect(posted).toHaveLength(3);
    expect(await get(DEVICE_RECEIVER)).toBe('r1');
  });

  it('is made again for another key of the server', async () => {
    await set(DEVICE_RECEIVER, 'r1');
    key = Uint8Array.from([9, 9, 9]).buffer;
    await renewDevice(NOON);
    expect(posted).toEqual(['https://push.example/second']);
  });

  it('asks nobody for permission, and does nothing for a person who has not turned it on', async () => {
    await renewDevice(NOON);
    await set(DEVICE_RECEIVER, 'r1');
    for (permission of ['default', 'denied'] as const) await renewDevice(NOON);
    expect([asked, posted]).toEqual([0, []]);
  });

  it('tries again at the next look when the server was not there', async () => {
    await set(DEVICE_RECEIVER, 'r1');
    server.line = 'cut';
    await renewDevice(NOON);
    server.line = 'good';
    await renewDevice(NOON + 60_000);
    expect(posted).toHaveLength(1);
  });
});
