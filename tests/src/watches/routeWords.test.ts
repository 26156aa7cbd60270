import { expect, it } from 'vitest';
import type { Alert } from '../../../src/api/alerts/disruptions.ts';
import {
  betweenWords,
  daysWords,
  durationWords,
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

it('names the part of the route on that road, the one at the match if there are several', () => {
  const part = (from_km: number, to_km: number, from: string, to: string) =>
    ({ from_km, to_km, road: 'M62', from, to, direction: 'W', line: 'chain' }) as const;
  const course = [part(0, 8, 'J29', 'J28'), part(10, 60, 'J27', 'J18')];

  expect(usesWords(touch({}), course)).toBe('This route uses the M62 from J27 to J18 westbound.');
  expect(usesWords(touch({}), [])).toBe('');
});

it('says where on the road and where on the route', () => {
  expect(stretchWords(touch({}).alert)).toBe('M62 J27–J26 westbound');
  expect(stretchWords(null)).toBe('');
  expect(kmWords(touch({}).match)).toBe('km 14–19');
  expect(kmWords(touch({ from_km: 289.2, to_km: 289.4 }).match)).toBe('km 289');
  expect(kmWords(touch({ from_km: null, to_km: null }).match)).toBe('');
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
