/** How many grades of a tally must lose their word so that the tally stays on one line. */
import { moreWords } from '../../../ui/signs/Tally.tsx';
import { type Grade, GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { type Face, FACES, textWidth } from '../words/wallFit.ts';

/** As shares of the type size: a symbol with the gap after it, the padding of a plate, and the gap between grades. */
const SYMBOL = 0.84 + 0.42;
const PLATE = 0.9;
const GAP = 0.6;

interface Counts {
  counts: readonly { grade: Grade; count: number }[];
  unlisted: number;
}

/** 0 if the tally fits. Otherwise the last two grades lose their word, then one more at a time, from the last to
 *  all. One more than there are grades: also the word for unlisted alerts. */
export function wordlessLevels(
  { counts, unlisted }: Counts,
  { width, face }: { width: number; face: Face },
): number {
  const tries = [0, ...counts.map((_, place) => place + 1).filter((levels) => levels >= 2), counts.length];
  const most = unlisted > 0 ? counts.length + 1 : counts.length;
  return tries.find((wordless) => tallyWidth({ counts, unlisted }, wordless, face) <= width) ?? most;
}

/** The width when this many grades have no word, in units. */
export function tallyWidth({ counts, unlisted }: Counts, wordless: number, face: Face): number {
  const { size } = FACES[face];
  const more = moreWords(unlisted, wordless > counts.length);
  const tail = more ? textWidth(more, face) + GAP * size : 0;
  return counts.reduce((sum, { grade, count }, place) => {
    const words = place >= counts.length - wordless ? `${count}` : `${count} ${GRADE_WORDS[grade]}`;
    const round = SYMBOL + (grade === 'critical' ? PLATE : 0) + (place > 0 ? GAP : 0);
    return sum + textWidth(words, face) + round * size;
  }, tail);
}
