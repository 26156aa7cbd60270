import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mayReload, noteReload } from '../../../../../src/screens/wall/kiosk/reloads.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a page may be loaded again if the last time is long enough ago, or there was none', () => {
  expect(mayReload(MINUTE)).toBe(true);
  noteReload();
  expect(mayReload(MINUTE)).toBe(false);
  vi.setSystemTime(NOON + MINUTE);
  expect(mayReload(MINUTE)).toBe(true);
});

it('a clock that is set back neither prevents reloads for that long, nor causes a storm of them', () => {
  noteReload();
  vi.setSystemTime(NOON - 30_000);
  expect(mayReload(MINUTE)).toBe(false);
  vi.setSystemTime(NOON - 60 * MINUTE);
  expect(mayReload(MINUTE)).toBe(true);
  noteReload();
  expect(mayReload(MINUTE)).toBe(false);
});

it('a page never loads itself again if the last time cannot be kept', () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
  expect(mayReload(MINUTE)).toBe(false);
});
