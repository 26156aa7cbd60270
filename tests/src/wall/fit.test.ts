import { describe, expect, it } from 'vitest';
import { FACES, linesOf } from '../../../src/wall/fit.ts';
import { textPages } from '../../../src/wall/textPages.ts';
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
    ['a Llanfairpwll b', ['a ', 'Llanfairpw', 'll b']],
    ['  one two  ', ['one two']],
  ])('%j', (text, lines) => expect(linesOf(text, letters(10), 'body')).toEqual(lines));

  it('together make up the text', () => {
    const text = 'A487: Pont ar Ddyfi – ffordd ar gau, Machynlleth-Corris-Llanfairpwllgwyngyll';
    expect(linesOf(text, letters(7), 'body').join('')).toBe(text);
  });
});

describe('a text in pages', () => {
  const inForce = (...texts: string[]) => texts.map((text) => ({ text, hasEnded: false }));
  const pagesOf = (texts: string[], width: number, lines: number, most?: number) =>
    textPages(inForce(...texts), letters(width), lines, most).map((page) =>
      page.map(({ text }) => text).join(' '),
    );
  const pages = (...args: Parameters<typeof pagesOf>) =>
    pagesOf(...args).map((page) => page.replaceAll('\u00a0', ' '));

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

  it('does not read an abbreviation or a decimal point as an end', () => {
    expect(pages(['Delays at St. Pancras of 1.5 hours. Others run.'], 50, 1)).toHaveLength(1);
    expect(pages(['Delays at St. Pancras of 1.5 hours. Others run.'], 36, 1)).toEqual([
      'Delays at St. Pancras of 1.5 hours.',
      'Others run.',
    ]);
  });

  it('continues a sentence that is longer than a page, and leaves no page with a word or two', () => {
    expect(pages(['Amber wind warning: North East England; North West England and 1 more.'], 32, 2)).toEqual([
      'Amber wind warning: North East England…',
      '… North West England and 1 more.',
    ]);
    expect(pages(['Road closures in Westminster for a demonstration tomorrow.'], 48, 1)).toEqual([
      'Road closures in Westminster…',
      '… for a demonstration tomorrow.',
    ]);
  });

  it.each([
    ['Shut at Low Moor, with all exits, and no bus runs today.', 36, 'Shut at Low Moor, with all exits…'],
    ['M62 eastbound at Leeds between J26 (Bar) and J27 (Gildersome).', 44, 'M62 eastbound at Leeds…'],
    ['Slow on the A6 at Chapel-en-le-Frith (works) in both directions.', 40, 'Slow on the A6…'],
    ['Slow near Shap (J39 and all of the exits) as far as Tebay East.', 36, 'Slow near Shap…'],
    ['Trains to Slough run up to 40 minutes late this evening now.', 31, 'Trains to Slough run…'],
    ['Buses turn short by way of Junction 12 on the old road.', 38, 'Buses turn short by way…'],
    ['Replacement buses wait in front of Vauxhall Cross for you.', 44, 'Replacement buses wait…'],
    ['No trains run on the line until 22 Nov 2026, 23:00 and few later.', 46, 'No trains run on the line…'],
    ['Flooding here is expected now. Levels at the Foss Barrier rise.', 46, 'Flooding here is expected now.'],
    ['Large waves and spray are possible around high water today.', 27, 'Large waves and spray…'],
  ])('ends a page where a reader would pause: %s', (text, width, first) => {
    expect(pages([text], width, 1)[0]).toBe(first);
  });

  it('ends it elsewhere if a better place would cost words', () => {
    const text = ['Slow on the M62 between Bar and Hull today.'];
    expect(pages(text, 31, 1, 2)).toEqual(['Slow on the M62…', '… between Bar and Hull today.']);
    expect(pages(text, 28, 1, 2)).toEqual(['Slow on the M62 between Bar…', '… and Hull today.']);
  });

  it('begins a long sentence after a short one, but not with a word or two', () => {
    expect(pages(['Short. One two three four five six-seven eight.'], 12, 2)).toEqual([
      'Short. One two three…',
      '… four five…',
      '… six-seven eight.',
    ]);
    expect(pages(['Shut. 2 incidents are planned, among them: A82.'], 16, 2)[0]).toBe(
      'Shut. 2 incidents are…',
    );
    expect(pages(['Shut. 2 incidents are planned, among them: A82.'], 19, 1)[0]).toBe('Shut.');
    expect(pages(['Shut now. Llanfairpwll and all of the roads round it.'], 24, 1)).toEqual([
      'Shut now.',
      'Llanfairpwll and all…',
      '… of the roads round it.',
    ]);
  });

  it('splits a word that is longer than a page at the page’s end, but never within a character', () => {
    expect(pages(['Trenau Llanfairpwllgwyngyll heddiw nawr.'], 14, 1)).toEqual([
      'Trenau…',
      '… Llanfairpwl…',
      '… lgwyngyll…',
      '… heddiw nawr.',
    ]);
    for (const page of pages(['Shut 😀😀😀😀😀😀😀😀😀😀😀😀 now.'], 7, 1))
      expect(page).not.toMatch(/\p{Cs}/u);
  });

  it('keeps every page within its lines', () => {
    const text =
      'Trenau rhwng Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch a Chaergybi heddiw.';
    for (const hasEnded of [false, true]) {
      for (let width = 12; width < 60; width += 1) {
        for (const page of textPages([{ text, hasEnded }], letters(width), 1)) {
          const { text } = page[0]!;
          const badge = hasEnded ? 'mmmm ' : '';
          expect(linesOf(badge + text, letters(width), 'body'), `${width} ${hasEnded} ${text}`).toHaveLength(
            1,
          );
        }
      }
    }
  });

  it('keeps a sentence that fits whole, however uneven the pages become', () => {
    expect(pages(['One two three four five six. Seven.'], 14, 2)).toEqual([
      'One two three four five six.',
      'Seven.',
    ]);
  });

  it('loses no word, however narrow', () => {
    const text = 'Flood warning: River Severn at Bewdley. Llanfairpwllgwyngyll! Nothing else? “Yes.” 9 more.';
    const letter = /[^\s….:]/gu;
    expect(pages([text], 8, 2).join('').match(letter)).toEqual(text.match(letter));
  });

  it('leaves no word alone on its last line, where a line has room for two', () => {
    const last = (text: string, width: number) =>
      linesOf(pagesOf([text], width, 4)[0]!, letters(width), 'body').at(-1);
    expect(last('Weather risk at Leeds Bradford: gusts of 52 knots.', 17)).toBe('52\u00a0knots.');
    expect(last('Severe delays. Expect more.', 21)).toBe('Expect\u00a0more.');
    expect(last('To Llanfairpwllgwyngyll.', 21)).toBe('Llanfairpwllgwyngyll.');
  });

  it('shows by an ellipsis that there was no time for more', () => {
    const texts = ['Use the A65. The M621 is shut. Expect long delays.'];
    expect(pages(texts, 20, 1)).toHaveLength(3);
    expect(pages(texts, 20, 1, 2)).toEqual(['Use the A65.', 'The M621 is shut. …']);
    expect(pages(texts, 18, 1, 2)).toEqual(['Use the A65.', 'The M621 is shut.']); // it has no room
    expect(pages(['One two three four five six seven eight.'], 12, 1, 2)).toEqual(['One two…', '… three…']);
    expect(pages([''], 12, 1, 2)).toEqual(['']);
  });

  it('keeps sentences about ended alerts separate', () => {
    const sentences = [
      { text: 'M6\u00a0closed.', hasEnded: false },
      { text: 'M5\u00a0closed.', hasEnded: true },
    ];
    expect(textPages(sentences, letters(30), 2)).toEqual([sentences]);
    expect(textPages(sentences, letters(16), 1)).toEqual([[sentences[0]], [sentences[1]]]);
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
