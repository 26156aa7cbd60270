import { describe, expect, it } from 'vitest';
import { FACES } from '../../../../../src/screens/wall/words/textFit.ts';
import {
  heldPages,
  type SummaryPage,
  summaryPages,
} from '../../../../../src/screens/wall/rows/summaryPages.ts';

// Text cannot be measured here, so each letter counts as half as wide as high.
const letters = (count: number) => (count + 0.5) * (FACES.summary.size / 2);
const said = (sentences: SummaryPage) => sentences.join(' ');
/** Pages about the lead, and about nothing else. */
const pages = (text: string, room: number, lead = '') =>
  summaryPages(
    { text, metadata: { sentences: [{ text, event_ids: ['a'] }] } },
    { lead: { event_id: 'a', title: lead }, width: letters(room) },
  ).map(said);

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
  ['nor what it says of its subject', 'The Kirkstall Road, on the diversion, is likely to flood.', 40, []],
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

it('repeats no words of the lead, but keeps the advice', () => {
  const text =
    'M62 eastbound J26 to J27 is closed. Affected: Leeds traffic. Advice: at M62 eastbound J26 leave.';
  expect(pages(text, 200, 'M62 eastbound, J26 to J27: closed')).toEqual([
    'Affected: Leeds traffic. Advice: at M62 eastbound J26 leave.',
  ]);
});

describe('a model’s text', () => {
  const lead = {
    event_id: 'a',
    start_time: '2026-11-22T05:31:00.000Z',
    facts: { place: 'M62 eastbound, J26 to J27', effect: 'closed', roads: ['M62'] },
  };
  const shown = (summary: object, alert: object = lead) =>
    summaryPages(summary, { lead: { event_id: 'a', ...alert }, width: letters(200) }).map(said);
  const text = 'There are 13 alerts. Expect long queues on the M62. The A9 is shut.';

  it('is what it says about the lead: no count, and no other alert', () => {
    expect(shown({ text })).toEqual(['Expect long queues on the M62.']);
    const sentences = [
      { text: 'There are 13 alerts.', event_ids: [] },
      { text: 'Long queues.', event_ids: ['a'] },
      { text: 'The A9 is shut.', event_ids: ['b'] },
    ];
    expect(shown({ text, metadata: { sentences } })).toEqual(['Long queues.']);
    expect(shown({ text: 'The A9 is shut.' })).toEqual([]);
  });

  it('is nothing if it was written before the lead last changed', () => {
    const trend = { direction: 'worse', since: '2026-11-22T06:00:00.000Z', change: '' };
    expect(shown({ text, generated_at: '2026-11-22T05:40:00.000Z' })).toHaveLength(1);
    expect(shown({ text, generated_at: '2026-11-22T05:40:00.000Z' }, { ...lead, trend })).toEqual([]);
    expect(shown({ text, generated_at: '2026-11-22T05:00:00.000Z' })).toEqual([]);
  });
});

describe('the built-in summary', () => {
  const parts = {
    event_id: 'a',
    affected: 'Northern',
    advice: 'Leave at J26; the A65 is flooded.',
    until: 'Until further notice',
  };
  const summary = { text: 'One critical alert.', model: 'clearway-extract-1', metadata: { parts } };
  const of = (event_id: string, room: number, more: object = {}) =>
    summaryPages(
      { ...summary, ...more },
      {
        lead: { event_id, title: 'b', facts: { advice: ['Use the A1.'] } },
        width: letters(room),
      },
    );

  it('is whom the worst alert affects, what to do, and until when if that is no clock time', () => {
    expect(of('a', 200).map(said)).toEqual([
      'Affected: Northern. Advice: Leave at J26; the A65 is flooded. Until further notice.',
    ]);
    const until = { metadata: { parts: { ...parts, until: 'About 17:29', affected: null } } };
    expect(of('a', 200, until).map(said)).toEqual(['Advice: Leave at J26; the A65 is flooded.']);
    const nothing = {
      metadata: { parts: { event_id: 'a', affected: null, advice: null, until: 'About 17:29' } },
    };
    expect(of('a', 200, nothing).map(said)).toEqual(['Advice: Use the A1.']);
  });

  it('says what the publisher advises if no part fits, and only the first thing to do if both do not', () => {
    const advice = 'Stay away from the river and follow what the emergency services say.';
    const of2 = (room: number) =>
      of('a', room, { metadata: { parts: { ...parts, affected: null, until: null, advice } } });
    expect(of2(40).map(said)).toEqual(['Advice: Stay away from the river.']);
    expect(of2(22).map(said)).toEqual(['Advice: Use the A1.']);
    expect(of2(10)).toEqual([]);
  });

  it('gives for another lead the advice of its own publisher', () => {
    expect(of('c', 200).map(said)).toEqual(['Advice: Use the A1.']);
  });

  it('divides a sentence before it is left out', () => {
    expect(of('a', 30).map(said)).toEqual([
      'Affected: Northern.',
      'Advice: Leave at J26.',
      'Advice: the A65 is flooded.',
      'Until further notice.',
    ]);
  });

  it('is held by a critical alert as far as the advice', () => {
    expect([heldPages(of('a', 45)), heldPages(of('a', 30)), heldPages(of('a', 200)), heldPages([])]).toEqual([
      2, 3, 1, 1,
    ]);
  });
});
