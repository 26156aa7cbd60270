import { expect, it } from 'vitest';
import { WHICH } from '#contract/watches/whichIncidents.ts';
import type { ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  columnName,
  columnWords,
  leftOutWords,
  modesWords,
  placeWords,
  rowCount,
  rowWords,
  whichWords,
} from '../../../src/watches/whichWords.ts';
import type { RouteState } from '../../../src/watches/watchState.ts';
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
  const which = { ...HIGH, unrated: false, words: 'M62', level: 'certain' as const };
  expect(whichWords(area({ kind: 'feeds', which, when: null }))).toBe(
    'High and worse, rated only, all modes, “M62” · always',
  );
  expect(modesWords({ feeds: ['rail-network', 'roads-uk'], sources: [] })).toBe('rail and roads');
  const phases = (['planned', 'active'] as const).map((phase) =>
    whichWords(area({ which: { ...HIGH, phase } })),
  );
  expect(phases.map((words) => words.split(', ')[2])).toEqual([
    'planned · Mon to Fri 06:00–20:00',
    'begun · Mon to Fri 06:00–20:00',
  ]);
});

it('says on its row until when it is watched, and outside its hours which they are', () => {
  expect(rowWords(area(), MORNING)).toBe('High and worse, to 20:00');
  expect(rowWords(area({ when: null }), MORNING)).toBe('High and worse, always');
  expect(rowWords(area(), NIGHT)).toBe('Mon to Fri 06:00–20:00');
  // The made name has the grade.
  expect(rowWords(area({ kind: 'feeds', when: null }), MORNING)).toBe('always');
  const typed = area({ kind: 'feeds', when: null, named_by_hand: true });
  expect(rowWords(typed, MORNING)).toBe('High and worse, always');
});

it('counts its alerts by the window, and says from when it is watched', () => {
  const state = (fields: Partial<RouteState>) =>
    ({
      window: { kind: 'now' },
      trip: null,
      standing: 'clear',
      certain: [],
      possible: [],
      beyond: {},
      ...fields,
    }) as unknown as RouteState;
  const count = (fields: Partial<RouteState>) => rowCount(state(fields), NIGHT);
  expect(count({ beyond: { high: 1200 } })).toBe('1,200 now');
  expect(count({ window: { kind: 'hours' } })).toBe('0, next 12 hours');
  expect(count({ window: { kind: 'date', day: '2026-11-26', clock: null } })).toBe('Thu 26 Nov');
  expect(count({ standing: 'off', from: null })).toBe('');
  const from = (time: string) => count({ standing: 'off', from: new Date(time) });
  expect(from('2026-11-28T07:00:00Z')).toBe('from 07:00');
  expect([from('2026-11-28T20:59:00Z'), from('2026-11-28T21:00:00Z')]).toEqual([
    'from 20:59',
    'from Sat 21:00',
  ]);
});

it('heads a column with the place of a made name, otherwise with the typed name', () => {
  expect([columnName(area()), columnWords(area(), MORNING, true)]).toEqual([
    'Leeds',
    'within 30 km · until 20:00',
  ]);
  expect(columnName(area({ name: 'Our city', named_by_hand: true }))).toBe('Our city');
  expect(columnName(area({ kind: 'feeds', name: 'Rail' }))).toBe('Rail');
  expect(columnName(area({ name: 'An outline', place: null }))).toBe('An outline');
  expect(columnWords(area({ when: null }), NIGHT, true)).toBe('within 30 km · always');
  expect(columnWords(area(), NIGHT, true)).toBe('within 30 km · Mon to Fri 06:00–20:00');
  expect(columnWords(area({ reach_m: null, when: null }), NIGHT, true)).toBe('always');
  expect(columnWords(area({ kind: 'route', when: null }), NIGHT, true)).toBe('always');
  expect(placeWords(area())).toBe('30 km round Leeds');
  expect(placeWords(area({ reach_m: null, place: null }))).toBe('The area');
  // Old words never name a time that runs on.
  expect(columnWords(area(), MORNING, false)).toBe('within 30 km · Mon to Fri 06:00–20:00');
});

it('says what is left out', () => {
  expect(leftOutWords(area())).toBe('9 below high');
  expect(leftOutWords(area({ left_out: { grade: 1, others: 2 } }))).toBe('1 below high and 2 others');
  expect(leftOutWords(area({ left_out: { grade: 0, others: 0 } }))).toBe('');
  expect(leftOutWords(area({ left_out: { grade: 0, others: 2 } }))).toBe('2 by what it lets through');
  expect(leftOutWords(area({ kind: 'feeds', left_out: { grade: 1, others: 2 } }))).toBe('1 below high');
});
