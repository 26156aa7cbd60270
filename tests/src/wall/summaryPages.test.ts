import { expect, it } from 'vitest';
import { FACES } from '../../../src/wall/fit.ts';
import { summaryPages } from '../../../src/wall/summaryPages.ts';

// Where nothing can be measured every letter is taken for half as wide as high.
const letters = (count: number) => (count + 0.5) * (FACES.summary.size / 2);
const pages = (text: string, room: number, lead = '') =>
  summaryPages({ text }, { lead, width: letters(room) }).map((page) =>
    page.map((part) => part.text).join(' '),
  );

it.each<[string, string, number, string[]]>([
  ['is one line while it fits', 'One two. Three four.', 20, ['One two. Three four.']],
  ['ends its lines only where a sentence ends', 'One two. Three four.', 12, ['One two.', 'Three four.']],
  [
    'begins a sentence at a number',
    'The A9 is shut. 7 others are medium.',
    20,
    ['The A9 is shut.', '7 others are medium.'],
  ],
  [
    'reads no abbreviation or decimal point as an end',
    'Delays at St. Pancras of 1.5 hours. Others run.',
    36,
    ['Delays at St. Pancras of 1.5 hours.', 'Others run.'],
  ],
  [
    'leaves brackets out of a sentence that is too long',
    'The A9 is shut (as always).',
    15,
    ['The A9 is shut.'],
  ],
  ['leaves its last clauses out', 'Trains are late, says the operator.', 17, ['Trains are late.']],
  ['but none with a number or a "not"', 'Trains are late, for 20 minutes.', 17, []],
  [
    'leaves a sentence out that fits in no form',
    'One. Llanfairpwllgwyngyllgogerychwyrndrobwll.',
    20,
    ['One.'],
  ],
  ['is nothing of nothing', ' ', 20, []],
])('%s', (_, text, room, expected) => expect(pages(text, room)).toEqual(expected));

it('never ends in an ellipsis, however narrow', () => {
  const text = 'Affected: Leeds traffic towards Hull, and Bradford (all ways). Advice: at J26 take the A58.';
  for (let room = 5; room < 100; room++)
    for (const page of pages(text, room)) expect(page).toMatch(/[^.…]\.$/);
});

it('does not say the words of the lead again, but keeps the advice', () => {
  const text =
    'M62 eastbound J26 to J27 is closed. Affected: Leeds traffic. Advice: at M62 eastbound J26 leave.';
  expect(pages(text, 200, 'M62 eastbound, J26 to J27: closed')).toEqual([
    'Affected: Leeds traffic. Advice: at M62 eastbound J26 leave.',
  ]);
});

it('keeps sentences about ended alerts apart', () => {
  const text = 'The A9 is shut. The A1 is open.';
  const sentences = [
    { text: 'The A9 is shut.', event_ids: ['a'] },
    { text: 'The A1 is open.', event_ids: ['b'] },
  ];
  const metadata = { sentences, ended_event_ids: ['a'] };
  expect(summaryPages({ text, metadata }, { lead: '', width: letters(100) })).toEqual([
    [
      { text: 'The A9 is shut.', hasEnded: true },
      { text: 'The A1 is open.', hasEnded: false },
    ],
  ]);
});
