/** A performance as the indexes in memory read it. */
import { keyOf } from '../eventRows.ts';
import type { Position } from '../events.ts';
import { setImmediate } from 'node:timers/promises';

export interface IndexedRow {
  id: number;
  /** WGS84 degrees; null: no place. */
  latitude: number | null;
  longitude: number | null;
  startMs: number;
  overMs: number;
  /** Category and town as keys; null: there is no town. */
  category: string;
  town: string | null;
  text: string;
  /** As they are spelt. */
  spelling: { category: string; town: string | null };
}

export const indexedRow = ({
  category,
  town,
  start_datetime,
  over_at,
  search_text,
  ...rest
}: Position): IndexedRow => ({
  ...rest,
  startMs: Date.parse(start_datetime),
  overMs: Date.parse(over_at),
  category: keyOf(category),
  town: town === null ? null : keyOf(town),
  text: search_text,
  spelling: { category, town },
});

// Sorting in steps, so that it never delays other work for long: half a million entries at once take half a second.

/** How many entries are sorted or merged in one step: about 10 ms. */
const AT_ONCE = 10_000;

/** Sorts these numbers in place. If `compare` calls two of them equal, they keep their order. */
export async function sortInSteps(
  numbers: Uint32Array,
  compare: (a: number, b: number) => number,
): Promise<void> {
  if (numbers.length <= AT_ONCE) return void numbers.sort(compare);

  let from: Uint32Array = numbers;
  let to: Uint32Array = new Uint32Array(numbers.length);
  for (let begin = 0; begin < from.length; begin += AT_ONCE) {
    from.subarray(begin, begin + AT_ONCE).sort(compare);
    await setImmediate();
  }
  for (let width = AT_ONCE; width < from.length; width *= 2) {
    for (let begin = 0; begin < from.length; begin += 2 * width) {
      const middle = Math.min(begin + width, from.length);
      const end = Math.min(begin + 2 * width, from.length);
      let left = begin;
      let right = middle;
      for (let at = begin; at < end; at++) {
        if (at % AT_ONCE === 0) await setImmediate();
        const isLeft = left < middle && (right === end || compare(from[left]!, from[right]!) <= 0);
        to[at] = from[isLeft ? left++ : right++]!;
      }
    }
    [from, to] = [to, from];
  }
  if (from !== numbers) numbers.set(from);
}
