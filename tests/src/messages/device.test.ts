import { expect, it } from 'vitest';
import {
  type Abilities,
  deviceName,
  deviceState,
  deviceWords,
  lostWords,
} from '../../../src/messages/device.ts';

const able: Abilities = { isSecure: true, hasPush: true, isApple: false, permission: 'default' };
const mine = {
  id: 'r1',
  state: 'ok',
  last_ok: '2026-11-19T08:00:00.000Z',
  created_at: '2026-10-01T08:00:00.000Z',
} as const;

it.each<[string, Partial<Abilities>, typeof mine | undefined, boolean]>([
  ['On', {}, mine, false],
  ['Off', {}, undefined, false],
  ['Blocked in the browser’s settings', { permission: 'denied' }, undefined, false],
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
  expect(lostWords({ last_ok: null, created_at: '2026-11-12T08:00:00.000Z' })).toMatch(/^Lost 12 Nov/);
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
