import { beforeEach, expect, it, vi } from 'vitest';
import { clearSnapshots, loadSnapshot, saveSnapshot } from '../../../src/offline/snapshot.ts';
import { everythingKept, forgetEverything } from './fakeStorage.ts';

const AT = new Date('2026-11-21T12:00:00Z');
const beScope = (scope: string) => localStorage.setItem('clearway_scope', scope);

beforeEach(() => {
  localStorage.clear();
  forgetEverything();
});

it('comes back with its time', async () => {
  beScope('one');
  await saveSnapshot('board', ['row'], AT);
  expect(await loadSnapshot('board')).toEqual({ data: ['row'], at: AT });
  expect(await loadSnapshot('map')).toBeNull();
});

it('is never given to another session', async () => {
  beScope('one');
  await saveSnapshot('board', ['row'], AT);
  beScope('two');
  expect(await loadSnapshot('board')).toBeNull();
});

it('is not made without a session', async () => {
  const rows = ['row'];
  await saveSnapshot('board', rows, AT);
  expect(everythingKept()).toBe('[]');
  beScope('one');
  await saveSnapshot('board', rows, AT);
  expect(await loadSnapshot('board')).toEqual({ data: rows, at: AT });
});

it('is not a record that was torn', async () => {
  beScope('one');
  await saveSnapshot('board', ['row'], 'yesterday' as unknown as Date);
  expect(await loadSnapshot('board')).toBeNull();
});

it('is written whole for another session, after clearing, and if the last one could not be', async () => {
  const rows = ['row'];
  const later = new Date(AT.getTime() + 60_000);
  const saved = async () => {
    await saveSnapshot('board', rows, later);
    return loadSnapshot('board');
  };
  for (const scope of ['one', 'two']) {
    beScope(scope);
    expect(await saved()).toEqual({ data: rows, at: later });
  }
  await clearSnapshots();
  expect(await saved()).toEqual({ data: rows, at: later });
  const store = globalThis.keptStores!.get('clearway-snapshots/snapshots')!;
  const full = vi.spyOn(store, 'set').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  expect(await saveSnapshot('board', ['newer'], later)).toBe(false);
  full.mockRestore();
  store.clear(); // the browser has made room
  expect(await saved()).toEqual({ data: rows, at: later });
});

it('is gone after clearing', async () => {
  beScope('one');
  await saveSnapshot('board', ['row'], AT);
  await clearSnapshots();
  expect(await loadSnapshot('board')).toBeNull();
});

it('is written once while the data is identical; its stamp then moves, and no other copy’s', async () => {
  const later = new Date('2026-11-21T12:01:00Z');
  beScope('one');
  const rows = ['row'];
  await saveSnapshot('board', rows, AT);
  await saveSnapshot('board', rows, later);
  expect(await loadSnapshot('board')).toEqual({ data: ['row'], at: later });
  expect(everythingKept().match(/"row"/g)).toHaveLength(1);
  expect(everythingKept()).toContain(`"data":["row"],"at":"${AT.toISOString()}"`);

  await saveSnapshot('board', ['of another tab'], new Date('2026-11-21T12:00:30Z'));
  expect(await loadSnapshot('board')).toMatchObject({ at: new Date('2026-11-21T12:00:30Z') });
  beScope('two');
  expect(await loadSnapshot('board')).toBeNull();
});
