import { expect, it } from 'vitest';
import { tallyWidth, wordlessLevels } from '../../../../../src/screens/wall/words/textFit.ts';
import { META_WIDTH } from '../../../../../src/screens/wall/words/wallMeasures.ts';

const counts = (['critical', 'high', 'medium', 'low'] as const).map((grade) => ({ grade, count: 4 }));
const room = { width: META_WIDTH, face: 'tally' } as const;

it('drops words from the mildest level on, and the words about unlisted alerts last', () => {
  expect(wordlessLevels({ counts: counts.slice(0, 2), unlisted: 0 }, room)).toBe(0);
  expect(wordlessLevels({ counts: counts.slice(0, 3), unlisted: 0 }, room)).toBe(2);
  expect(wordlessLevels({ counts, unlisted: 124 }, room)).toBe(5);
});

it('stays within a row’s name and counts with 140 alerts of which 16 are listed', () => {
  const all = { counts, unlisted: 124 };
  expect(tallyWidth(all, wordlessLevels(all, room), 'tally')).toBeLessThanOrEqual(META_WIDTH);
});
