import { expect, it } from 'vitest';
import { isDrawnAlike } from '../../../../src/feeds/rows/readRow.ts';
import type { DataFreshness } from '../../../../src/time/freshness.ts';

const row = { feed: 'rail' };
const props = (at: string, freshness: DataFreshness, shown = row) => ({
  row: shown,
  at: new Date(`2026-11-21T${at}:00Z`),
  freshness,
});

it.each(['fresh', 'late'] as const)('a row that has not changed is not drawn again while it is %s', (now) => {
  expect(isDrawnAlike(props('12:00', now), props('12:01', now))).toBe(true);
  expect(isDrawnAlike(props('12:00', now), props('12:00', now, { feed: 'rail' }))).toBe(false);
});

it('an old row is drawn again when the time of its answer changes', () => {
  expect(isDrawnAlike(props('12:00', 'fresh'), props('12:01', 'stale'))).toBe(false);
  expect(isDrawnAlike(props('12:00', 'stale'), props('12:01', 'stale'))).toBe(false);
  expect(isDrawnAlike(props('12:01', 'veryOld'), props('12:00', 'veryOld'))).toBe(false);
});
