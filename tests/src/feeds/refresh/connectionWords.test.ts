import { expect, it } from 'vitest';
import { connectionOf, connectionWords } from '../../../../src/feeds/refresh/connectionWords.ts';

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

it.each([
  ['Live', 'Live', {}],
  ['Live, 1 source silent', 'Live', { silent: 1 }],
  ['Live, 2 sources silent', 'Live', { silent: 2, minutes: 1 }],
  ['Late', 'Late', { silent: 2, minutes: 2 }],
  ['Offline', 'Offline', { minutes: null }],
  ['Offline', 'Offline', { minutes: 0 }],
  ['Offline, 1 minute', 'Offline', { minutes: 1 }],
  ['Offline, 18 minutes', 'Offline', { minutes: 18, silent: 2 }],
  ['Offline, 59 minutes', 'Offline', { minutes: 59 }],
  ['Offline, 1 hour', 'Offline', { minutes: 60 }],
  ['No answer, 2 hours', 'No answer', { minutes: 179 }],
  ['No answer, 23 hours', 'No answer', { minutes: 24 * 60 - 1 }],
  ['No answer, 1 day', 'No answer', { minutes: 24 * 60 }],
  ['No answer, 3 days', 'No answer', { minutes: 3 * 24 * 60 + 5 }],
] as const)('%s: %s, %o', (words, connection, more) => {
  expect(connectionWords(connection, more)).toBe(words);
});
