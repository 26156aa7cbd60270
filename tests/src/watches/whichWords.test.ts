import { expect, it } from 'vitest';
import { WHICH } from '#contract/watches/which.ts';
import type { ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  columnName,
  columnWords,
  leftOutWords,
  modesWords,
  rowWords,
  whichWords,
} from '../../../src/watches/whichWords.ts';
import { daysWords } from '../../../src/watches/routeWords.ts';

const HIGH = { ...WHICH, min_severity: 'high' as const };
const HOURS = { days: 0b0011111, from: '06:00', to: '20:00' };
const area = (fields: Partial<ListedWatch> = {}) =>
  ({
    kind: 'area',
    name: 'Within 30 km of Leeds',
    named_by_hand: false,
    place: 'Leeds',
    reach_m: 30_000,
    which: HIGH,
    when: HOURS,
    left_out: { grade: 9, others: 0 },
    ...fields,
  }) as ListedWatch;

/** Friday. */
const MORNING = new Date('2026-11-27T06:05:00Z');
const NIGHT = new Date('2026-11-27T21:00:00Z');

it.each([
  [0b1111111, 'every day'],
  [0b0011111, 'Mon to Fri'],
  [0b1100000, 'Sat, Sun'],
  [0b0011101, 'Mon, Wed to Fri'],
])('names the days %i', (days, words) => {
  expect(daysWords(days, ' to ')).toBe(words);
});

it('says which and when in one line', () => {
  expect(whichWords(area())).toBe('High and worse, all modes · Mon to Fri 06:00–20:00');
  expect(
    whichWords(area({ which: { ...HIGH, feeds: ['rail-network'], level: 'certain' }, when: null })),
  ).toBe('High and worse, rail, certain only · always');
  expect(modesWords({ feeds: ['rail-network', 'roads-uk'], sources: [] })).toBe('rail and roads');
});

it('says on its row until when it is watched, and outside its hours which they are', () => {
  expect(rowWords(area(), MORNING)).toBe('High and worse, to 20:00');
  expect(rowWords(area({ when: null }), MORNING)).toBe('High and worse, always');
  expect(rowWords(area(), NIGHT)).toBe('Mon to Fri 06:00–20:00');
  // The made name has the grade.
  expect(rowWords(area({ kind: 'feeds', when: null }), MORNING)).toBe('always');
});

it('heads a column with the place of a made name, otherwise with the typed name', () => {
  expect([columnName(area()), columnWords(area(), MORNING, true)]).toEqual([
    'Leeds',
    'within 30 km · until 20:00',
  ]);
  expect(columnName(area({ name: 'Our city', named_by_hand: true }))).toBe('Our city');
  // Old words never name a time that runs on.
  expect(columnWords(area(), MORNING, false)).toBe('within 30 km · Mon to Fri 06:00–20:00');
});

it('says what is left out', () => {
  expect(leftOutWords(area())).toBe('9 below high');
  expect(leftOutWords(area({ left_out: { grade: 1, others: 2 } }))).toBe('1 below high and 2 others');
  expect(leftOutWords(area({ left_out: { grade: 0, others: 0 } }))).toBe('');
});
