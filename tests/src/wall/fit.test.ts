import { describe, expect, it } from 'vitest';
import { FACES, linesOf } from '../../../src/wall/fit.ts';
import { summaryPages } from '../../../src/wall/summaryPages.ts';
import { wordlessLevels } from '../../../src/wall/tallyFit.ts';

// Where nothing can be measured every letter is taken for half as wide as high.
const LETTER = FACES.body.size / 2;
/** Room for so many letters a line. */
const letters = (count: number) => (count + 0.5) * LETTER;

describe('lines', () => {
  it.each([
    ['', []],
    ['one', ['one']],
    ['one two three', ['one two ', 'three']],
    ['meet-and-greet', ['meet-and-', 'greet']],
    ['Llanfairpwllgwyngyll stays', ['Llanfairpw', 'llgwyngyll ', 'stays']],
    ['a Llanfairpwll b', ['a Llanfair', 'pwll b']],
    ['  one two  ', ['one two']],
  ])('%j', (text, lines) => expect(linesOf(text, letters(10), 'body')).toEqual(lines));

  it('are together the text', () => {
    const text = 'A487: Pont ar Ddyfi – ffordd ar gau, Machynlleth-Corris-Llanfairpwllgwyngyll';
    expect(linesOf(text, letters(7), 'body').join('')).toBe(text);
  });
});

describe('a summary', () => {
  const told = (...texts: string[]) => texts.map((text) => ({ text, hasEnded: false }));
  const pages = (texts: string[], width: number, lines: number) =>
    summaryPages(told(...texts), letters(width), lines).map((page) => page.map(({ text }) => text).join(' '));

  it('is one page while it fits', () => {
    expect(pages(['One two. Three four.'], 11, 2)).toEqual(['One two. Three four.']);
    expect(pages([], 10, 2)).toEqual([]);
  });

  it('is split at the ends of sentences', () => {
    expect(pages(['Two lines, these. One. And two more of them.'], 12, 2)).toEqual([
      'Two lines, these. One.',
      'And two more of them.',
    ]);
    expect(pages(['The A9 is shut. 7 others are medium.'], 20, 1)).toEqual([
      'The A9 is shut.',
      '7 others are medium.',
    ]);
  });

  it('takes no abbreviation and no decimal for an end', () => {
    expect(pages(['Delays at St. Pancras of 1.5 hours. Others run.'], 50, 1)).toHaveLength(1);
    expect(pages(['Delays at St. Pancras of 1.5 hours. Others run.'], 36, 1)).toEqual([
      'Delays at St. Pancras of 1.5 hours.',
      'Others run.',
    ]);
  });

  it('goes on with a sentence that is longer than a page, and leaves no page with a word or two', () => {
    expect(pages(['Amber wind warning: North East England; North West England and 1 more.'], 32, 2)).toEqual([
      'Amber wind warning: North East England; ',
      'North West England and 1 more.',
    ]);
    expect(pages(['Road closures in Westminster for a demonstration tomorrow.'], 48, 1)).toEqual([
      'Road closures in Westminster ',
      'for a demonstration tomorrow.',
    ]);
  });

  it('begins a long sentence behind a short one, but not with a single word', () => {
    expect(pages(['Short. One two three four five six-seven eight.'], 12, 2)).toEqual([
      'Short. One two ',
      'three four five ',
      'six-seven eight.',
    ]);
    expect(pages(['Shut now. Llanfairpwll and all of the roads round it.'], 24, 1)).toEqual([
      'Shut now.',
      'Llanfairpwll and all ',
      'of the roads round it.',
    ]);
  });

  it('keeps a sentence whole that fits, however uneven that is', () => {
    expect(pages(['One two three four five six. Seven.'], 14, 2)).toEqual([
      'One two three four five six.',
      'Seven.',
    ]);
  });

  it('loses no word, however narrow', () => {
    const text = 'Flood warning: River Severn at Bewdley. Llanfairpwllgwyngyll! Nothing else? “Yes.” 9 more.';
    const shown = summaryPages(told(text), letters(8), 2)
      .flat()
      .map((sentence) => sentence.text)
      .join('');
    expect(shown.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('keeps apart what has ended', () => {
    const sentences = [
      { text: 'M6 closed.', hasEnded: false },
      { text: 'M5 closed.', hasEnded: true },
    ];
    expect(summaryPages(sentences, letters(30), 2)).toEqual([sentences]);
    expect(summaryPages(sentences, letters(16), 1)).toEqual([[sentences[0]], [sentences[1]]]);
  });
});

describe('the tally of a row', () => {
  const LEVELS = ['critical', 'high', 'medium', 'low'] as const;
  const wordless = (counts: number[], { width = 548, unlisted = 0 } = {}) =>
    wordlessLevels(
      counts.map((count, place) => ({ grade: LEVELS[place]!, count })),
      unlisted,
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

  it('drops more where that is not enough, and never a level', () => {
    expect(wordless([120, 140, 180, 150], { width: 660, unlisted: 40 })).toBe(3);
    expect(wordless([120, 140, 180, 150], { width: 10 })).toBe(4);
  });
});
