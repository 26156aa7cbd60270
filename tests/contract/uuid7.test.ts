import { expect, it } from 'vitest';
import { uuid7 } from '#contract/uuid7.ts';

it('makes ids that sort by time', () => {
  const ids = [1, 2, 1000, 2 ** 32, 2 ** 40].map((ms) => uuid7(new Date(ms)));
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

it('makes those of one millisecond sort in the order of their making', () => {
  const at = new Date('2026-11-27T06:10:00.000Z');
  for (let round = 0; round < 20; round++) {
    const ids = Array.from({ length: 1000 }, () => uuid7(at));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(1000);
    uuid7(new Date(at.getTime() - 1)); // the clock was set back in between
  }
});
