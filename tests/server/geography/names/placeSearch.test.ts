import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LocationSuggestions, SUGGESTIONS } from '#contract/places/geocode.ts';
import { EMBEDDED_ATTRIBUTION, searchEmbedded } from '../../../../server/geography/names/placeSearch.ts';
import { words } from '../../../../server/geography/names/abbreviations.ts';
import { kilometres } from '#contract/places/distance.ts';

interface Case {
  query: string;
  first?: { type: string; latitude: number; longitude: number; within_km: number };
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../../fixtures/location-search-cases.json', import.meta.url), 'utf8'),
) as { cases: Case[] };

const search = (query: string, limit = SUGGESTIONS) => searchEmbedded(query, limit).results;
const labels = (query: string, limit?: number) => search(query, limit).map(({ label }) => label);

describe('the cases of the place search', () => {
  it.each(cases.flatMap(({ query, first }) => (first ? [[query, first] as const] : [])))(
    'finds %s first where it is, as what it is',
    (query, { type, latitude, longitude, within_km }) => {
      const [first] = search(query);
      expect(first, `the first of ${JSON.stringify(labels(query))}`).toMatchObject({ type });
      expect(kilometres(first!.latitude, first!.longitude, latitude, longitude)).toBeLessThan(within_km);
    },
  );

  it('finds both Bangors among the first three', () => {
    expect(labels('Bangor').slice(0, 3)).toEqual(
      expect.arrayContaining(['Bangor, County Down', 'Bangor, Gwynedd']),
    );
  });

  it('finds Leeds for "Lee", and the places named Lee', () => {
    expect(labels('Lee')).toEqual(
      expect.arrayContaining(['Leeds, West Yorkshire', 'Lee, Greater London', 'Lee, Buckinghamshire']),
    );
  });

  it.each(['zzzz', 'X', '', '  ', '--', "'", 'é'])('finds nothing for %j', (query) => {
    expect(search(query)).toEqual([]);
  });
});

describe('a query', () => {
  it.each([
    ['prefixes of several words', 'milt key', 'Milton Keynes, Buckinghamshire'],
    ['only words within the name', 'on the wold', 'Stow on the Wold, Gloucestershire'],
    ['no spaces', 'miltonkeynes', 'Milton Keynes, Buckinghamshire'],
    ['too many spaces', 'Haver ford west', 'Haverfordwest, Pembrokeshire'],
    ['other punctuation', 'weston super mare', 'Weston-super-Mare, Somerset'],
    ['"on" for "upon"', 'newcastle-on-tyne', 'Newcastle upon Tyne, Tyne and Wear'],
    ['a typographic apostrophe', 'King’s Lynn', "King's Lynn, Norfolk"],
    ['its county', 'newport, isle of wight', 'Newport, Isle of Wight'],
    ['its nation', 'newport wales', 'Newport, Wales'],
    ['more than the name', 'Abingdon-on-Thames', 'Abingdon, Oxfordshire'],
    ['an address', '12 High Street, Otley', 'Otley, West Yorkshire'],
    ['a Welsh name', 'Y Fenni', 'Abergavenny, Monmouthshire'],
    ['a Gaelic name', 'Dùn Èideann', 'Edinburgh, Scotland'],
    ['an Irish name', 'Béal Feirste', 'Belfast, Northern Ireland'],
    ['a code, and no short word', 'ctl', 'Cattal station (CTL)'],
    ['an address in the town of Street', 'Wells Road, Street', 'Street, Somerset'],
    ['an X for "Cross"', 'kings x', "King's Cross, Greater London"],
    ['an X for "Cross" of a station', 'kings x station', 'London Kings Cross station (KGX)'],
    ['a junction in short', 'clapham jn', 'Clapham Junction station (CLJ)'],
    ['a road in short', 'blackhorse rd', 'Blackhorse Road station (BHO)'],
    ['a road that is no place', 'edgware rd', 'Edgware, Greater London'],
    ['the letters of a station', 'LDS', 'Leeds station (LDS)'],
    ['the word station', 'leeds railway station', 'Leeds station (LDS)'],
    ['a station of Northern Ireland', 'lanyon place', 'Belfast Lanyon Place station, Northern Ireland'],
    ['the code of an airport', 'EMA', 'East Midlands Airport, Leicestershire'],
    ['a London borough', 'tower hamlets', 'Tower Hamlets, Greater London'],
    ['the Isle of Man', 'douglas isle of man', 'Douglas, Isle of Man'],
    ['the Channel Islands', 'saint helier', 'St Helier, Jersey'],
    ['Guernsey', 'st peter port', 'St Peter Port, Guernsey'],
    ['Ireland', 'baile atha cliath', 'Dublin, County Dublin, Ireland'],
    ['a place that only a postcode has', 'llanarthney', 'SA32, Llanarthney'],
  ])('may hold %s: %s', (_what, query, label) => {
    expect(labels(query)[0]).toBe(label);
  });

  it.each([
    ['EH1 1AA', 'EH1 1AA (shown at district EH1, Edinburgh Old Town)', 'EH1 1AA'],
    ['eh11aa', 'EH1 1AA (shown at district EH1, Edinburgh Old Town)', 'EH1 1AA'],
    ['sw1a 1aa', 'SW1A 1AA (shown at district SW1A, Westminster)', 'SW1A 1AA'],
    ['The Royal Mile, Edinburgh EH1  1AA', 'EH1 1AA (shown at district EH1, Edinburgh Old Town)', 'EH1 1AA'],
    ['EH1 1', 'EH1, Edinburgh Old Town', undefined],
    ['EH1 1A', 'EH1, Edinburgh Old Town', undefined],
    ['je2 3ab', 'JE2 3AB (shown at district JE2, St Helier)', 'JE2 3AB'],
    ['im1 1aa', 'IM1 1AA (shown at district IM1, Douglas)', 'IM1 1AA'],
  ])('that is a postcode, %s, says how exactly it is shown', (query, label, postcode) => {
    const results = search(query);
    expect(results.map(({ label }) => label)).toEqual([label]);
    expect(results[0]!.raw.address).toMatchObject({ postcode: postcode ?? label.split(',')[0] });
  });

  it('of words that every object of the language has is words like any other', () => {
    expect(words('constructor, Leeds')).toEqual(['constructor', 'leeds']);
    expect(words('constructor')).toEqual(['constructor']);
  });

  it('that is a postcode of no known district finds nothing', () => {
    expect(search('ZZ99 9ZZ')).toEqual([]);
  });

  it.each([
    'sw1a 1aa '.repeat(20),
    's '.repeat(100),
    'a'.repeat(200),
    '((((',
    '\u202e\0\u{1f682} .*',
    '%',
    '__proto__',
  ])('is answered however odd it is: %j', (query) => {
    expect(LocationSuggestions.safeParse(searchEmbedded(query, 10)).success).toBe(true);
  });
});

// One took 120 ms of processor time and more.
it.each([
  'c b s c b s c b s c',
  's s s s s s s s s s',
  'b a b a b a b a b a',
  'an on an on an on an on an on',
  'st st st st st st st st st st',
])('thirty searches for %j hold nobody up', (query) => {
  search(query);
  const before = process.cpuUsage();
  for (let time = 0; time < 30; time++) search(query);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});

describe('the suggestions', () => {
  it('never repeat a label, and are never more than asked for', () => {
    for (const query of [
      'st',
      'new',
      'newport',
      'whitchurch',
      'ash',
      'leeds',
      'brighton',
      'sutton',
      'lo',
      'ls',
    ]) {
      const found = labels(query, 10);
      expect(new Set(found).size, query).toBe(found.length);
      expect(found.length).toBeLessThanOrEqual(10);
      expect(labels(query)).toEqual(found.slice(0, SUGGESTIONS));
    }
  });

  it('list a city, its airport and its station separately', () => {
    expect(labels('Leeds')).toEqual([
      'Leeds, West Yorkshire',
      'Leeds Bradford Airport, West Yorkshire',
      'Leeds station (LDS)',
    ]);
  });

  it('distinguish places of one name by their county', () => {
    expect(labels('whitchurch')).toEqual(
      expect.arrayContaining(['Whitchurch, Cardiff', 'Whitchurch, Shropshire', 'Whitchurch, Hampshire']),
    );
  });

  it('distinguish places of one name in one county by the postcode of the later one', () => {
    expect(labels('walton, west yorkshire').slice(0, 2)).toEqual([
      'Walton, West Yorkshire',
      'Walton, West Yorkshire (near LS23)',
    ]);
  });

  it('begin with names, not with codes that happen to begin so', () => {
    expect(labels('ls')[0]).toBe('LS1, Leeds');
  });

  it.each(['Isle of Man', 'Jersey', 'Guernsey', 'Ireland', 'Scotland'])('know the whole of %s', (country) => {
    expect(search(country)[0]).toMatchObject({ type: 'administrative' });
    expect(search(country)[0]!.bounding_box).not.toBeNull();
  });

  it('have a bounding box for towns, counties, airports and stations, with the place inside', () => {
    for (const query of ['Leeds', 'Otley', 'Cornwall', 'Leeds Bradford Airport', 'LDS']) {
      const [{ latitude, longitude, bounding_box: box } = expect.fail()] = search(query);
      expect(box!.south).toBeLessThan(latitude);
      expect(box!.north).toBeGreaterThan(latitude);
      expect(box!.west).toBeLessThan(longitude);
      expect(box!.east).toBeGreaterThan(longitude);
    }
    expect(search('Headingley')[0]!.bounding_box).toBeNull();
  });

  it('carry an address in words', () => {
    expect(search('Leeds')[0]!.raw.address).toEqual({
      city: 'Leeds',
      county: 'West Yorkshire',
      state: 'England',
      country: 'United Kingdom',
      country_code: 'gb',
    });
    expect(search('LDS')[0]!.raw.address).toMatchObject({ railway: 'Leeds', ref: 'LDS' });
  });

  it('name the owner of their data', () => {
    expect(EMBEDDED_ATTRIBUTION).toBe(
      'Place data © GeoNames, CC BY 4.0. Station data: uk-railway-stations (D. Wheatley), Trainline EU and its sources, ODbL 1.0',
    );
    expect(searchEmbedded('Leeds', 5).attribution).toBe(EMBEDDED_ATTRIBUTION);
  });
});
