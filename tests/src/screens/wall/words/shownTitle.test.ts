import { expect, it } from 'vitest';
import type { Alert } from '../../../../../src/api/alerts/disruptions.ts';
import { FACES } from '../../../../../src/screens/wall/words/textFit.ts';
import { placed, shownTitle } from '../../../../../src/screens/wall/words/shownTitle.ts';

// Text cannot be measured here, so each letter counts as half as wide as high.
const letters = (count: number) => (count + 0.5) * (FACES.lead.size / 2);
const title = (alert: Partial<Alert>, room = 80) =>
  shownTitle({ event_id: 'a', ...alert }, letters(room), 'lead');
const facts = (place: string, more: Partial<NonNullable<Alert['facts']>> = {}): Partial<Alert> => ({
  facts: { place, effect: 'closed', cause: 'overturned lorry', ...more },
});

it.each<[string, Partial<Alert>, number, string]>([
  [
    'direction goes before cause',
    facts('M62, J26 to J27', { direction: 'E' }),
    40,
    'M62 eastbound, J26 to J27: closed, lorry',
  ],
  [
    'the cause goes first',
    facts('M62, J26 to J27', { direction: 'E' }),
    33,
    'M62 eastbound, J26 to J27: closed',
  ],
  [
    'junctions never go before what happens',
    facts('M62 eastbound, J26 to J27'),
    26,
    'M62 eastbound, J26 to J27',
  ],
  [
    'a direction that is named is not said twice',
    facts('M25 anti-clockwise, J10', { direction: 'AC' }),
    33,
    'M25 anti-clockwise, J10: closed',
  ],
  [
    'a road alone takes its junctions',
    facts('M1', { stretch: [{ road: 'M1', from: 'J40', to: 'J42' }], direction: 'N' }),
    33,
    'M1 northbound, J40 to J42: closed',
  ],
  [
    'the cause goes before where on the road it is',
    facts('A40 both ways, Carmarthen Pensarn'),
    33,
    'A40, Carmarthen Pensarn: closed',
  ],
  [
    'or the place that it is, before a road alone',
    facts('A40 both ways, Carmarthen Pensarn'),
    24,
    'A40, Carmarthen Pensarn',
  ],
  [
    'or the town beside it',
    { ...facts('A64 both ways, Askham Bryan Bilbrough'), latitude: 53.93, longitude: -1.15 },
    20,
    'A64, York: closed',
  ],
  [
    'less is said of what happens before a place loses its name',
    facts('River Nith at Dumfries', { effect: 'flood warning, roads closed', cause: null }),
    37,
    'River Nith at Dumfries: flood warning',
  ],
  [
    'a severe flood is one without the word warning',
    facts('River Nith at Dumfries', { effect: 'severe flood warning', cause: null }),
    36,
    'River Nith at Dumfries: severe flood',
  ],
  [
    'an airport is late before it loses what happens',
    facts('Leeds Bradford Airport', { effect: 'departures 58 min late', cause: null }),
    28,
    'Leeds Bradford: 58 min late',
  ],
  [
    'or its town',
    { ...facts('A64'), metadata: { location_names: ['A64', 'Malton'] } },
    20,
    'A64, Malton: closed',
  ],
  [
    'or the town that it is near',
    { ...facts('A64'), latitude: 53.96, longitude: -1.08 },
    20,
    'A64, York: closed',
  ],
  ['or the nation', { ...facts('A40'), source: 'traffic-wales' }, 20, 'A40, Wales: closed'],
  ['a road of which no more is known', facts('A40'), 12, 'A40: closed'],
  [
    'the far end of a stretch goes before what happens',
    facts('Leeds to Hull', { effect: 'delays' }),
    14,
    'Leeds: delays',
  ],
  [
    'what another feed tells is named there',
    { ...facts('M62 eastbound, J26'), see: { event_id: 'b', feed: 'roads-uk' } },
    80,
    'M62 eastbound: see UK Roads',
  ],
])('%s', (_, alert, room, expected) => expect(title(alert, room)).toBe(expected));

it('puts the direction after the whole name of the M6 Toll, and a place after it if it stands alone', () => {
  const place = (words: string, more = {}) => placed({ event_id: 'a', ...facts(words, more) }).facts?.place;
  expect(place('M6 Toll, Weeford', { direction: 'N' })).toBe('M6 Toll northbound, Weeford');
  const stretch = [{ road: 'M6 Toll', from: 'T4', to: 'T5' }];
  expect(place('M6 Toll', { direction: 'N', stretch })).toBe('M6 Toll northbound, T4 to T5');
});
