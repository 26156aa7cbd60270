import { expect, it } from 'vitest';
import type { CoursePart } from '#contract/watches/watches.ts';
import type { Alert } from '../../../src/api/alerts/disruptions.ts';
import {
  betweenWords,
  daysWords,
  durationWords,
  fromMiddleWords,
  kmWords,
  stretchWords,
  takesWords,
  usesWords,
  whyWords,
} from '../../../src/watches/routeWords.ts';
import type { Touch } from '../../../src/watches/timeWindow.ts';

const facts: Alert['facts'] = {
  roads: ['M62'],
  stretch: [{ road: 'M62', from: 'J27', to: 'J26' }],
  direction: 'W',
};
const touch = (match: Partial<Touch['match']>): Touch => ({
  match: { subject_id: 'a', level: 'certain', why: '', from_km: 14, to_km: 19, ...match },
  alert: { event_id: 'a', source: 'national-highways', facts },
  event: null,
});

it.each([
  [
    'certain',
    'names the M62, J27 to J26, westbound',
    'Certain: National Highways names the M62, J27 to J26, westbound.',
  ],
  ['certain', 'runs through the area for 38 km', 'Certain: this route runs through the area for 38 km.'],
  ['certain', 'lies on the line', 'Certain: it lies on the line.'],
  ['possible', 'the other carriageway', 'Possible: the other carriageway.'],
  ['possible', 'its words and its position disagree', 'Possible: its words and its position disagree.'],
] as const)('explains a %s match by "%s"', (level, why, words) => {
  expect(whyWords(touch({ level, why }))).toBe(words);
});

it('names whose words they are, and says if there are none', () => {
  const by = (source: string | undefined, why = 'names the M62') => {
    const one = touch({ why });
    return whyWords({ ...one, alert: { ...one.alert!, source } as Alert });
  };
  expect(by('own:north')).toBe('Certain: Our team names the M62.');
  expect(by(undefined)).toBe('Certain: Its publisher names the M62.');
  expect(whyWords({ ...touch({ why: 'names the M62' }), alert: null })).toBe(
    'Certain: Its publisher names the M62.',
  );
  expect(by('own:north', '')).toBe('Certain: no reason was given.');
});

it('names the part of the route on that road, the one at the match if there are several', () => {
  const part = (from_km: number, to_km: number, from: string, to: string) =>
    ({ from_km, to_km, road: 'M62', from, to, direction: 'W', line: 'chain' }) as const;
  const course = [
    { ...part(0, 2, 'J43', 'J42'), road: 'M1' },
    { ...part(2, 3, '', ''), road: null },
    part(3, 8, 'J29', 'J28'),
    part(10, 60, 'J27', 'J18'),
    { ...part(70, 90, 'J17', 'J12'), from: null, to: null, direction: null },
  ] as CoursePart[];
  const uses = (from_km: number | null) => usesWords(touch({ from_km }), course);
  const [first, second] = ['M62 from J29 to J28 westbound', 'M62 from J27 to J18 westbound'];

  for (const km of [14, 10, 60]) expect(uses(km)).toBe(`This route uses the ${second}.`);
  for (const km of [3, 8, null, 65]) expect(uses(km)).toBe(`This route uses the ${first}.`);
  expect(uses(80)).toBe('This route uses the M62.');
  expect(usesWords(touch({}), [])).toBe('');
  expect(usesWords({ ...touch({}), alert: null }, course)).toBe('');
});

it('says where on the road and where on the route', () => {
  const stretch = (changes: object) =>
    stretchWords({ ...touch({}).alert!, facts: { ...facts, ...changes } } as Alert);
  expect(stretch({})).toBe('M62 J27–J26 westbound');
  expect(stretch({ roads: ['M1'] })).toBe('M62 J27–J26 westbound');
  expect(stretch({ direction: null })).toBe('M62 J27–J26');
  expect(stretch({ stretch: [], roads: ['M1', 'M62'] })).toBe('M1 westbound');
  expect(stretch({ stretch: [], roads: [] })).toBe('');
  for (const to of ['J27', null])
    expect(stretch({ stretch: [{ road: 'M62', from: 'J27', to }] })).toBe('M62 J27 westbound');
  expect(stretchWords(null)).toBe('');
  expect(kmWords(touch({}).match)).toBe('km 14–19');
  expect(kmWords(touch({ from_km: 289.2, to_km: 289.4 }).match)).toBe('km 289');
  expect(kmWords(touch({ from_km: null, to_km: null }).match)).toBe('');
  expect(kmWords(touch({ from_km: 14, to_km: null }).match)).toBe('km 14');
});

it('says how far from the middle of an area it is, and in which direction', () => {
  const from = (latitude: number | null, longitude: number | null) =>
    fromMiddleWords([-1.5, 53.8], { ...touch({}).alert!, latitude, longitude });
  expect([from(53.9, -1.5), from(53.7, -1.5)]).toEqual(['11 km north', '11 km south']);
  expect([from(53.8, -1.4), from(53.8, -1.6)]).toEqual(['6.6 km east', '6.6 km west']);
  expect([from(53.85, -1.415), from(53.75, -1.585)]).toEqual(['7.9 km north-east', '7.9 km south-west']);
  // A degree of longitude is shorter than one of latitude.
  expect([from(53.85, -1.35), from(53.75, -1.65)]).toEqual(['11 km north-east', '11 km south-west']);
  expect([from(53.803, -1.5), from(null, -1.5), from(53.8, null)]).toEqual(['in the middle', '', '']);
  expect(fromMiddleWords(null, { ...touch({}).alert!, latitude: 53.8, longitude: -1.5 })).toBe('');
  expect(fromMiddleWords([-1.5, 53.8], null)).toBe('');
});

it.each([
  [0b1111111, 'every day'],
  [0b0011111, 'Mon–Fri'],
  [0b1100000, 'Sat, Sun'],
  [0b0011101, 'Mon, Wed–Fri'],
  [0b0000001, 'Mon'],
])('says on which days (%i): %s', (days, words) => {
  expect(daysWords(days)).toBe(words);
});

it('says how long it takes, and when that was guessed', () => {
  expect([245, 240, 45].map(durationWords)).toEqual(['4 h 05', '4 h', '45 min']);
  expect([2879, 2880, 110 * 60 + 19].map(durationWords)).toEqual(['47 h 59', '2 days', '5 days']);
  expect(takesWords({ duration_min: null }, 324)).toBe('takes 4 h 05 (we guessed from 324 km at 80 km/h)');
  expect(takesWords({ duration_min: 220 }, 300)).toBe('takes 3 h 40');
});

it('says a span of days without what its ends share', () => {
  const now = '2026-11-21T08:00:00Z';
  const said = (from: string, to: string) => betweenWords(`${from}T12:00:00Z`, `${to}T12:00:00Z`, now);
  expect(said('2026-11-01', '2026-11-30')).toBe('1–30 November');
  expect(said('2026-10-25', '2026-11-23')).toBe('25 October to 23 November');
  expect(said('2026-11-21', '2026-11-21')).toBe('21 November');
  expect(said('2025-12-24', '2026-01-02')).toBe('24 December 2025 to 2 January 2026');
  expect(said('2025-11-01', '2025-11-30')).toBe('1–30 November 2025');
});
