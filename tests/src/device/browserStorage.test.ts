import { afterEach, expect, it, vi } from 'vitest';
import { browserStore } from '../../../src/device/browserStorage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('remembers a value that does not fit, and removes the older one, which the next page would read', () => {
  const kept = new Map([['token', 'traded']]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem() {
      throw new DOMException('No room', 'QuotaExceededError');
    },
  });
  expect(browserStore.get('token')).toBe('traded');
  expect(browserStore.set('token', 'new')).toBe(false);
  expect(browserStore.get('token')).toBe('new');
  expect(kept.size).toBe(0);
  browserStore.remove('token');
});
