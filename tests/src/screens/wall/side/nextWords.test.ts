import { expect, it } from 'vitest';
import { bothWays, nextWords } from '../../../../../src/screens/wall/side/NextHours.tsx';

it.each<[string, string, { first: string; last: string; what: string; among?: string }]>([
  [
    'M62 eastbound, J26 to J27',
    'expected clear',
    { first: 'M62 eastbound, J26 to J27', last: 'M62, J26 to J27', what: 'expected clear' },
  ],
  [
    'Leeds Bradford Airport',
    'expected clear',
    { first: 'Leeds Bradford Airport', last: 'Leeds Bradford', what: 'expected clear' },
  ],
  [
    'Leeds First Direct Arena',
    '9,000 leave',
    { first: 'Leeds First Direct Arena', last: 'Leeds First Direct Arena', what: '9,000 leave' },
  ],
  [
    'Wales',
    'amber wind warning begins',
    { first: 'Amber wind, Wales', last: 'Amber wind', what: 'warning begins' },
  ],
  [
    'North East England, North West England and Yorkshire & Humber',
    'yellow snow and ice warning begins',
    {
      first: 'Yellow snow and ice, North East England, North West England and Yorkshire & Humber',
      among: 'Yellow snow and ice, North East England',
      last: 'Yellow snow and ice',
      what: 'warning begins',
    },
  ],
  ['Wales', 'warning begins', { first: 'Wales', last: 'Wales', what: 'warning begins' }],
])('says for %s, %s, which and where', (place, what, { first, last, among = first, ...rest }) => {
  const words = nextWords({ event_id: 'a', place, what });
  expect(words).toMatchObject({ last, ...rest });
  expect(words.places[0]).toBe(first);
  expect(words.places).toContain(among);
});

it('names a road once if both its carriageways clear at one time', () => {
  const entry = (event_id: string, place: string, at = '2026-11-22T11:00:00.000Z') => ({
    event_id,
    place,
    at,
    kind: 'clears' as const,
    what: 'expected clear',
  });
  const [both, later, other] = bothWays([
    entry('a', 'M62 eastbound, J26 to J27'),
    entry('b', 'M62 westbound, J26 to J27'),
    entry('c', 'M62 westbound, J26 to J27', '2026-11-22T11:30:00.000Z'),
    entry('d', 'A64 eastbound, York'),
  ]);
  expect([both?.place, later?.place, other?.place]).toEqual([
    'M62, J26 to J27',
    'M62 westbound, J26 to J27',
    'A64 eastbound, York',
  ]);
});
