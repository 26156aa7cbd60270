import { expect, it } from 'vitest';
import { nextWords } from '../../../src/wall/nextWords.ts';

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
])('says of %s, %s, which and where', (place, what, { first, last, among = first, ...rest }) => {
  const words = nextWords({ event_id: 'a', place, what });
  expect(words).toMatchObject({ last, ...rest });
  expect(words.places[0]).toBe(first);
  expect(words.places).toContain(among);
});
