/** Hostile texts cost no more than a few ordinary ones. Of each kind 5,000 characters are read; their processor time
 *  is compared with that of publishers' texts of the same length, in the same process. The lint proves each pattern
 *  linear; this test is about the whole reader. `npm run bench -- reading` prints the milliseconds. */
import { expect, it } from 'vitest';
import { leastMs, HOSTILE, hostileText, ordinaryText, readAll } from '../../../support/hostileWords.ts';

/** How many times as long as ordinary texts: the worst kind takes 3 times; a quadratic reader would take 100 times. */
const TIMES_MAX = 12;

it.each(HOSTILE)('reads 5,000 characters of %j as fast as ordinary words', (kind) => {
  const text = hostileText(kind);
  readAll(text);

  expect(leastMs(() => readAll(text)) / ordinaryMs()).toBeLessThan(TIMES_MAX);
});

let measured: number | undefined;

function ordinaryMs(): number {
  const text = ordinaryText();
  readAll(text);
  return (measured ??= leastMs(() => readAll(text)));
}
