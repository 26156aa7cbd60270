import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocationSuggestions } from '#contract/places/geocode.ts';
import { geocoder, type Geocoder } from '../../../../server/geography/names/geocoder.ts';
import { EMBEDDED_ATTRIBUTION } from '../../../../server/geography/names/placeSearch.ts';
import { OSM_ATTRIBUTION, type GeocoderKind } from '../../../../server/geography/names/geocodingServer.ts';

/** One record in the form of Nominatim's jsonv2. */
const OTLEY = {
  place_id: 1,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0',
  osm_type: 'relation',
  lat: '53.9056',
  lon: '-1.6913',
  category: 'boundary',
  type: 'administrative',
  place_rank: 16,
  addresstype: 'town',
  name: 'Otley',
  display_name: 'Otley, Leeds, West Yorkshire, England, United Kingdom',
  boundingbox: ['53.8900', '53.9300', '-1.7300', '-1.6500'],
  address: { town: 'Otley', county: 'West Yorkshire', country: 'United Kingdom', country_code: 'gb' },
};

/** One record in the form of Photon. */
const feature = (properties: object = {}, coordinates: unknown = [-1.6913, 53.9056]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: {
    osm_key: 'place',
    osm_value: 'town',
    type: 'city',
    name: 'Otley',
    county: 'West Yorkshire',
    state: 'England',
    country: 'United Kingdom',
    countrycode: 'GB',
    extent: [-1.73, 53.93, -1.65, 53.89],
    ...properties,
  },
});
const photon = (...features: unknown[]) => ({ type: 'FeatureCollection', features });

let server: Server;
let origin: string;
let asked: IncomingMessage[];
/** The upstream's answer: a value as JSON, a text as it is, a number as that status. Undefined: it never answers. */
let answer: (path: string) => unknown;
let time: number;
let logged: string[];

beforeEach(async () => {
  asked = [];
  logged = [];
  time = Date.parse('2026-11-21T09:00:00Z');
  answer = () => [OTLEY];
  server = createServer((request, response) => {
    asked.push(request);
    const given = answer(new URL(request.url!, origin).pathname);
    if (given === undefined) request.socket.destroy();
    else if (typeof given === 'number') response.writeHead(given).end();
    else response.end(typeof given === 'string' ? given : JSON.stringify(given));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function made({
  path = '',
  kind,
  replay = false,
}: { path?: string; kind?: GeocoderKind; replay?: boolean } = {}): Geocoder {
  const note = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  return geocoder({
    config: { geocoder: { url: `${origin}${path}`, kind }, contactEmail: 'ops@coaches.example', replay },
    now: () => new Date(time),
    log: { info: note, warn: note },
  });
}

describe('a Nominatim server', () => {
  it('is asked for our countries only, with our name in the request', async () => {
    const found = await made().search('otley', 5);

    const { pathname, searchParams } = new URL(asked[0]!.url!, origin);
    expect(pathname).toBe('/search');
    expect(Object.fromEntries(searchParams)).toEqual({
      q: 'otley',
      limit: '5',
      format: 'jsonv2',
      addressdetails: '1',
      countrycodes: 'gb,ie,im,je,gg',
    });
    expect(asked[0]!.headers['user-agent']).toMatch(/^Clearway\/\S+ \(\+ops@coaches\.example\)$/);
    expect(found).toEqual({
      results: [
        {
          label: 'Otley, Leeds, West Yorkshire, England',
          latitude: 53.9056,
          longitude: -1.6913,
          type: 'town',
          bounding_box: { north: 53.93, south: 53.89, east: -1.65, west: -1.73 },
          raw: { address: OTLEY.address },
        },
      ],
      attribution: OSM_ATTRIBUTION,
    });
  });

  it.each([
    [{ category: 'boundary', type: 'administrative', addresstype: 'county' }, 'administrative'],
    [{ category: 'place', type: 'postcode', addresstype: 'postcode' }, 'postcode'],
    [{ category: 'railway', type: 'station', addresstype: 'railway' }, 'station'],
    [{ category: 'aeroway', type: 'aerodrome', addresstype: 'aeroway' }, 'airport'],
    [{ category: 'amenity', type: 'theatre', addresstype: 'amenity' }, 'theatre'],
    [{ category: null, type: 7, addresstype: [] }, 'place'],
  ])('may say what a place is: %o', async (words, type) => {
    answer = () => [{ ...OTLEY, ...words }];
    expect((await made().search('otley', 5)).results[0]!.type).toBe(type);
  });

  it('loses only the malformed records', async () => {
    answer = () => [
      null,
      'Otley',
      { ...OTLEY, lat: 'north' },
      { ...OTLEY, lat: undefined },
      { ...OTLEY, lat: '-33.9', lon: '151.2' },
      { ...OTLEY, display_name: '' },
      { ...OTLEY, display_name: 'Otley, Iowa', address: { country_code: 'us' } },
      {
        ...OTLEY,
        display_name: '<b onclick="x()">Otley</b>\u202e &amp; about',
        boundingbox: ['a'],
        address: [1],
      },
      OTLEY,
      OTLEY,
    ];
    const found = await made().search('otley', 10);

    expect(found.results.map(({ label }) => label)).toEqual([
      'Otley & about',
      'Otley, Leeds, West Yorkshire, England',
    ]);
    expect(found.results[0]).toMatchObject({ bounding_box: null });
    expect(LocationSuggestions.safeParse(found).success).toBe(true);
    expect(logged.join()).toContain('"skipped":7');
  });

  it('never gives more results than were asked for', async () => {
    answer = () => Array.from({ length: 40 }, (_, at) => ({ ...OTLEY, display_name: `Otley ${at}` }));
    expect((await made().search('otley', 3)).results).toHaveLength(3);
  });
});

describe('a Photon server', () => {
  it('is recognised by its answer, its address or the setting', async () => {
    answer = (path) => (path.endsWith('/api') ? photon(feature()) : 404);
    const unknown = made();
    for (const [search, paths] of [
      [unknown, ['/search', '/api']],
      [unknown, ['/api']],
      [made({ path: '/api' }), ['/api']],
      [made({ path: '/geo/', kind: 'photon' }), ['/geo/api']],
    ] as const) {
      asked = [];
      time += 3_600_000;
      const found = await search.search('otley', 5);
      expect(asked.map(({ url }) => new URL(url!, origin).pathname)).toEqual(paths);
      expect(found).toMatchObject({
        attribution: OSM_ATTRIBUTION,
        results: [
          {
            label: 'Otley, West Yorkshire, England',
            latitude: 53.9056,
            longitude: -1.6913,
            bounding_box: { north: 53.93, south: 53.89, east: -1.65, west: -1.73 },
            raw: { address: { name: 'Otley', country_code: 'gb' } },
          },
        ],
      });
    }
  });

  it('loses only the records that are malformed or lie elsewhere', async () => {
    answer = () =>
      photon(
        7,
        {},
        feature({ name: null, county: null, state: null }),
        feature({ countrycode: 'US' }),
        feature({}, ['x', 'y']),
        feature({}, [2000, 5]),
        feature({ extent: [1, 2], name: 'Otley & Ilkley' }),
      );
    const { results } = await made({ kind: 'photon' }).search('otley', 5);
    expect(results.map(({ label, bounding_box }) => [label, bounding_box])).toEqual([
      ['Otley & Ilkley, West Yorkshire, England', null],
    ]);
  });
});

describe('when the upstream fails', () => {
  it.each([
    ['answers with an error', () => 503],
    ['refuses', () => 403],
    ['breaks off', () => undefined],
    ['answers with a page', () => '<!doctype html><title>Sign in to the Wi-Fi</title>'],
    ['answers with half a JSON', () => '[{"lat":'],
    ['answers with something else', () => ({ error: 'Unable to geocode' })],
    ['answers with too much', () => `["${'x'.repeat(2_000_000)}"]`],
  ])('because %s, our own gazetteer answers, and the log says why', async (_how, given) => {
    answer = given;
    const found = await made().search('leeds', 5);

    expect(found.attribution).toBe(EMBEDDED_ATTRIBUTION);
    expect(found.results[0]!.label).toBe('Leeds, West Yorkshire');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(
      /^GEOCODER_URL does not answer: places are searched in the embedded gazetteer \{"reason":".+"\}$/,
    );
  });

  it('it is left alone for half a minute; its failure and its return are logged once', async () => {
    const search = made();
    answer = () => 503;
    await search.search('leeds', 5);
    await search.search('york', 5);
    expect(asked).toHaveLength(1);

    time += 30_000;
    await search.search('york', 5);
    expect(asked).toHaveLength(2);
    expect(logged).toHaveLength(1);

    time += 30_000;
    answer = () => [OTLEY];
    expect((await search.search('otley', 5)).attribution).toBe(OSM_ATTRIBUTION);
    expect(logged.at(-1)).toContain('answers again');
  });

  it('it is asked again at the usual time if the clock was set back', async () => {
    const search = made();
    answer = () => 503;
    await search.search('leeds', 5);
    time -= 365 * 24 * 3_600_000;
    answer = () => [OTLEY];
    expect((await search.search('otley', 5)).attribution).toBe(OSM_ATTRIBUTION);
  });

  it('the gazetteer also answers when it finds nothing', async () => {
    answer = () => [];
    expect((await made().search('leeds', 5)).attribution).toBe(EMBEDDED_ATTRIBUTION);
    expect(logged).toEqual([]);
  });
});

it('is not asked twice for the same query within an hour, for a single letter, or in a replay', async () => {
  const search = made();
  await search.search('Otley', 5);
  await search.search('otley', 5);
  await search.search('x', 5);
  expect(asked).toHaveLength(1);
  time += 3_600_000;
  await search.search('otley', 5);
  expect(asked).toHaveLength(2);

  await made({ replay: true }).search('otley', 5);
  expect(asked).toHaveLength(2);
});

it('is asked again for a longer list, and each answer is cached separately', async () => {
  answer = () => Array.from({ length: 9 }, (_, at) => ({ ...OTLEY, display_name: `Otley ${at}` }));
  const search = made();
  for (const limit of [1, 5, 1, 5, 3]) {
    expect((await search.search('otley', limit)).results).toHaveLength(limit);
  }
  expect(asked.map(({ url }) => new URL(url!, origin).searchParams.get('limit'))).toEqual(['1', '5', '3']);
});
