import { expect, it } from 'vitest';
import { sortInSteps } from '../../../../../server/geography/events/indexes/indexedRow.ts';

it.each([0, 1, 10_000, 10_001, 50_007])(
  'sorts %i numbers as in one piece, equal ones in their order',
  async (length) => {
    let state = 5;
    const keys = Array.from(
      { length },
      () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 5000,
    );
    const numbers = new Uint32Array(length).map((_, at) => at);
    const expected = numbers.toSorted((a, b) => keys[a]! - keys[b]!);

    await sortInSteps(numbers, (a, b) => keys[a]! - keys[b]!);
    expect(numbers).toEqual(expected);
  },
);
