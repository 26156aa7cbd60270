import { describe, expect, it } from 'vitest';
import { FACES, fitting, wordlessLevels } from '../../../../../src/screens/wall/words/textFit.ts';

// Text cannot be measured here, so each letter counts as half as wide as high.
const LETTER = FACES.queue.size / 2;
/** Room for this many letters in a line. */
const letters = (count: number) => (count + 0.5) * LETTER;

describe('the form that fits', () => {
  it.each([
    [
      'the fullest that fits',
      ['M62, J26 to J27: closed, lorry', 'M62: closed'],
      40,
      'M62, J26 to J27: closed, lorry',
    ],
    ['a shorter one', ['M62, J26 to J27: closed, lorry', 'M62: closed'], 12, 'M62: closed'],
    ['whole words of the shortest', ['River Teviot at Hawick'], 16, 'River Teviot'],
    ['none that ends with a word that leads on', ['Leeds to Huddersfield'], 10, 'Leeds'],
    ['no number without what it counts', ['M5, J4 to J3: 20 minutes late'], 18, 'M5, J4 to J3'],
    ['no number without what it leaves out', ['Wales and 2 more'], 13, 'Wales'],
    ['a number that is a name', ['Heathrow Terminal 5 closed'], 20, 'Heathrow Terminal 5'],
    ['nothing where not even a word fits', ['Llanfairpwllgwyngyll'], 5, ''],
    ['nothing of nothing', [], 5, ''],
  ])('is %s', (_, forms, room, form) => expect(fitting(forms, letters(room), 'queue')).toBe(form));

  it.each([
    'M62 eastbound, J26 to J27',
    'Heddlu De Cymru: Gŵyl y Gŵr, ŷd a llifogydd',
    'A82 – rathad dùinte',
  ])('never ends in an ellipsis, a mark or half a word: %s', (text) => {
    const words = text.split(/[\s,:–]+/);
    for (let room = 1; room < text.length; room++) {
      const form = fitting([text], letters(room), 'queue');
      expect(form).not.toMatch(/[\s,:–…]$/);
      if (form) expect(words).toContain(form.split(' ').at(-1));
    }
  });
});

describe('a tally', () => {
  const LEVELS = ['critical', 'high', 'medium', 'low'] as const;
  const wordless = (counts: number[], { width = 548, unlisted = 0 } = {}) =>
    wordlessLevels(
      { counts: counts.map((count, place) => ({ grade: LEVELS[place]!, count })), unlisted },
      { width, face: 'tally' },
    );

  it('has a word with every level while they fit', () => {
    expect(wordless([1, 4])).toBe(0);
    expect(wordless([1, 4, 8, 5], { width: 700 })).toBe(0);
    expect(wordless([])).toBe(0);
  });

  it('drops the words of the last two levels, and only those', () => {
    expect(wordless([12, 14, 18, 15])).toBe(2);
  });

  it('drops more if that is not enough, and never a level', () => {
    expect(wordless([120, 140, 180, 150], { width: 660, unlisted: 40 })).toBe(3);
    expect(wordless([120, 140, 180, 150], { width: 10 })).toBe(4);
  });
});
