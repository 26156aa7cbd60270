import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOLD_MS, isHeld, obeyRemoteControl } from '../../../../../src/screens/wall/kiosk/remoteControl.ts';

/** The browser's part: whether it grants full screen now, and how often it was asked. */
let granting: boolean;
let asked: number;
let full: boolean;
let stop: () => void;

beforeEach(() => {
  [granting, asked, full] = [false, 0, false];
  Object.defineProperty(document, 'fullscreenElement', {
    get: () => (full ? document.documentElement : null),
    configurable: true,
  });
  document.exitFullscreen = async () => void (full = false);
  document.documentElement.requestFullscreen = async () => {
    asked += 1;
    if (!granting) throw new TypeError('Permissions check failed');
    full = true;
  };
  stop = obeyRemoteControl();
});
afterEach(() => stop());

/** Presses the key, and waits until its effect has ended. */
async function press(key: string) {
  dispatchEvent(new KeyboardEvent('keydown', { key }));
  await new Promise((resolve) => setTimeout(resolve));
}

it.each(['f', 'r'])('asks for full screen again after it was refused on the key %s', async (key) => {
  await press(key);
  expect([asked, full]).toEqual([1, false]);
  granting = true;
  await press('1');
  expect([asked, full]).toEqual([2, true]);
});

it('stops asking once it is granted, or when somebody has left it with F', async () => {
  granting = true;
  await press('f');
  await press('r');
  expect([asked, full]).toEqual([1, true]);
  await press('f');
  await press('r');
  expect([asked, full]).toEqual([1, false]);
  await press('f');
  expect([asked, full]).toEqual([2, true]);
});

it('holds a feed for its minute, even if the clock was set back', () => {
  const at = Date.parse('2026-11-21T12:00:00Z');
  const held = (ms: number) => isHeld({ place: 1, at }, new Date(at + ms));
  expect([-1, 0, HOLD_MS - 1, HOLD_MS].map(held)).toEqual([false, true, true, false]);
});
