import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectForms, placeForms, titleForms } from '../../../../contract/incidents/titleForms.ts';
import { Facts } from '../../../../contract/incidents/facts.ts';
import { factsOf } from '../../../support/readAs.ts';
import type { Reported } from '../../../../server/incidents/facts/reported.ts';

const NOTHING = {
  event_type: 'road.closure',
  summary_line: '',
  updated_at: null,
  start_time: null,
  end_time: null,
  metadata: {},
};

const read = (title: string, summary_line = '', more: Partial<Reported> = {}) =>
  factsOf({ ...NOTHING, event_id: 'traffic-scotland:1', title, summary_line, ...more });

describe('the advice, in whole sentences', () => {
  it.each([
    ['Traffic is diverted by the M621. Two cars collided.', ['Traffic is diverted by the M621.']],
    [
      'Tickets are accepted on buses. Trains may be cancelled or diverted.',
      ['Tickets are accepted on buses.'],
    ],
    ['Replacement buses run', ['Replacement buses run.']],
    ['DO NOT TRAVEL to Leeds today. See https://example.org/x', ['Do not travel to Leeds today.']],
    ['Use St. Helens Road. Avoid the area.', ['Avoid the area.']],
    // Cut off: the rest may say something else.
    ['Buses replace trains. Tickets are accepted on…', ['Buses replace trains.']],
    ['Road closed.', []],
  ])('%s', (text, advice) => {
    expect(read('M62 closed', text).advice).toEqual(advice);
  });

  it('takes a diversion from the title if the text has none', () => {
    expect(read('A77 Southbound at Symington - road closed, diversion in place').advice).toEqual([
      'Diversion in place.',
    ]);
  });
});

describe('lanes and minutes', () => {
  it.each([
    ['M62 J26: lanes 1 and 2 closed', { closed: 2, of: null }, null],
    ['M62 J26: 2 of 4 lanes closed', { closed: 2, of: 4 }, null],
    ['M62 J26: two lanes closed, delays of up to 45 minutes', { closed: 2, of: null }, 45],
    ['M62 J26: lane closed', null, null],
    ['M62 J26: all lanes closed', null, null],
    ['M62 J26: one lane open', null, null],
    ['M62 J26: delays of an hour', null, 60],
    ['M62 J26: delays of 20 to 30 minutes', null, 30],
    ['M62 J26: closed, every 20 minutes a convoy', null, null],
    ['M62 J26: delays since 08:45', null, null],
  ])('%s', (title, lanes, minutes) => {
    expect(read(title)).toMatchObject({ lanes, delay_minutes: minutes });
  });

  it('adds to the lanes of the comment how many there are', () => {
    const metadata = { roads: ['M62'], direction: 'eastbound', lanes_restricted: 2, lanes_operational: 2 };

    expect(
      read('M62 eastbound J26 to J27 lanes 1 and 2 closed, collision', '', {
        event_id: 'national-highways:1',
        metadata,
      }),
    ).toMatchObject({
      effect: 'lanes 1 and 2 of 4 closed',
      lanes: { closed: 2, of: 4 },
      roads: ['M62'],
      direction: 'E',
    });
  });
});

describe('roads', () => {
  it('are those of the incident, not of its diversion', () => {
    expect(
      read('M74 Northbound Jct 14 to Jct 13 - road closed', 'Traffic is diverted by the B7078.'),
    ).toMatchObject({
      roads: ['M74'],
      stretch: [{ road: 'M74', from: 'J14', to: 'J13' }],
      direction: 'N',
    });
  });

  it('come from the text if the title names none', () => {
    expect(
      read('Lorry on its side in Edmonton', 'The A406 is closed eastbound. Diverted by the A10.'),
    ).toMatchObject({
      place: 'A406 eastbound, Edmonton',
      roads: ['A406'],
      direction: 'E',
    });
  });

  it('hold the junction of the text if the title names the road alone', () => {
    const said = {
      event_id: 'news-rss:1',
      event_type: 'news.road',
      title: 'M5 queues after crash at Almondsbury',
      summary_line: 'Three southbound lanes are shut at junction 15.',
      updated_at: null,
      start_time: null,
      end_time: null,
      metadata: {},
    };
    expect(factsOf(said).stretch).toEqual([{ road: 'M5', from: 'J15', to: 'J15' }]);
  });

  it('are none at an airport', () => {
    expect(
      read('Delays at Luton: departures', 'An A320 is late.', { event_id: 'airport-status:1' }).roads,
    ).toEqual([]);
  });
});

it.each([
  ['M62 eastbound closed, 3 cars and 14 sheep dancing'],
  ['Not all is as it was on the M62'],
  ['M62'],
  [''],
])('leaves a form that it does not know to the publisher: %s', (title) => {
  expect(read(title)).toMatchObject({ place: null, effect: null, cause: null });
});

it('never loses a "not"', () => {
  expect(read('Euston station is not closed')).toMatchObject({
    place: 'Euston station',
    effect: 'not closed',
  });
});

const PIECES =
  'M62| eastbound| J26 to J27| closed| due to| a collision|, |: | - | until 13:00| not| delays of up to 20 minutes| between Leeds and York| #M62|SEVERE DELAYS|…| lanes 1 and 2| at |.'.split(
    '|',
  );
const SOURCES =
  'national-highways traffic-wales kb-incidents nsi-service tfl bods-bus airport-status met-office ea-flood news-rss met-police twitter.metpoliceuk'.split(
    ' ',
  );

it('reads any text into facts that the contract allows, and never more than it says', () => {
  const piece = fc.constantFrom(...PIECES);
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
  );
  const source = fc.constantFrom(...SOURCES);
  const metadata = fc.record(
    {
      roads: fc.oneof(text, fc.array(text)),
      places: fc.array(text),
      cause: fc.anything(),
      direction: text,
      lanes_restricted: fc.anything(),
      nsi: fc.anything(),
      statuses: fc.array(fc.oneof(fc.anything(), fc.record({ reason: text }))),
      regions: fc.array(text),
      departures: fc.anything(),
      delay_minutes: fc.oneof(fc.nat(), fc.anything()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(source, text, text, metadata, (source, title, summary_line, metadata) => {
      const record = { ...NOTHING, event_id: `${source}:1`, title, summary_line, metadata };
      const facts = factsOf({ ...record, updated_at: '2026-11-20T09:00:00.000Z' });

      expect(Facts.parse(facts)).toEqual(facts);
      expect(facts.place === null).toBe(facts.effect === null);
      for (const form of [
        ...titleForms(facts, title),
        ...placeForms(facts.place ?? ''),
        ...effectForms(facts),
      ])
        expect(form).not.toMatch(/…$|\s$/);
    }),
    { numRuns: 400 },
  );
});

it('counts a field that is no direction as none, whatever it is called', () => {
  const metadata = { roads: ['M62'], direction: 'constructor' };
  const record = { ...NOTHING, event_id: 'national-highways:1', title: 'M62 closed', metadata };

  expect(factsOf(record).direction).toBeNull();
});
