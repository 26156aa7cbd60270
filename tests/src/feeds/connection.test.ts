import { expect, it } from 'vitest';
import { connectionOf } from '../../../src/feeds/connection.ts';

const NOTHING = { demo: false, freshness: null, problem: null, online: true } as const;

it.each([
  ['Loading...', NOTHING],
  ['Offline', { ...NOTHING, problem: 'offline' }],
  ['No answer', { ...NOTHING, problem: 'noAnswer' }],
  ['Live', { ...NOTHING, freshness: 'fresh' }],
  ['Late', { ...NOTHING, freshness: 'fresh', problem: 'noAnswer' }],
  ['Late', { ...NOTHING, freshness: 'late' }],
  ['Late', { ...NOTHING, freshness: 'late', problem: 'offline' }],
  ['No answer', { ...NOTHING, freshness: 'stale' }],
  ['No answer', { ...NOTHING, freshness: 'stale', problem: 'noAnswer' }],
  ['Offline', { ...NOTHING, freshness: 'stale', problem: 'offline' }],
  ['Offline', { ...NOTHING, freshness: 'veryOld', problem: 'offline' }],
  ['Offline', { ...NOTHING, freshness: 'fresh', online: false }],
  ['Demo', { ...NOTHING, demo: true, freshness: 'veryOld', online: false }],
] as const)('%s: %o', (word, state) => {
  expect(connectionOf(state)).toBe(word);
});
