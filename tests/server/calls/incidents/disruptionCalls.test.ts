import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import { DisruptionHistory, DisruptionsOfNumber } from '#contract/incidents/disruptionHistory.ts';
import {
  CollectorStatus,
  DisruptionPage,
  DisruptionStats,
  SourceEvents,
  SourceList,
} from '#contract/incidents/disruptions.ts';
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import { z } from 'zod/mini';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { lineShape, pointsShape } from '../../../../server/geography/shapes/shape.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { factsOf } from '../../../support/facts.ts';

/** Collectors without that of one known source: a source may be known before it has a collector. */
const CONNECTED = COLLECTORS.filter(({ source }) => source !== 'kb-incidents');

const KEY = 'k3y-of-the-operator';
/** Position that some publishers send for "not known". */
const ZERO = { latitude: 0, longitude: 0 };

let test: TestApp;
let token: string;

beforeEach(async () => {
  test = await openTestApp({
    config: { settings: { NATIONAL_HIGHWAYS_API_KEY: KEY } },
    collectors: CONNECTED,
  });
  await test.addUser();
  token = (await test.signIn()).access_token;
});
afterEach(() => test.close());

const ask = (path: string, as = token) => test.get(`/api/v1/disruptions${path}`, as);
async function get<T>(schema: z.ZodMiniType<T>, path: string, as = token): Promise<T> {
  const reply = await ask(path, as);
  expect(reply.statusCode, reply.body).toBe(200);
  return schema.parse(reply.json());
}

it('each GET is for signed-in callers only', async () => {
  const cases = ['/', '/sources', '/sources/tfl', '/stats', '/collectors/status', '/tfl:victoria'];
  for (const path of cases) {
    expect((await test.get(`/api/v1/disruptions${path}`)).statusCode, path).toBe(401);
  }
});

describe('GET /', () => {
  const ids = async (query: string) => {
    const { events } = await get(DisruptionPage, `/${query}`);
    return events.map(({ event_id }) => event_id);
  };

  beforeEach(async () => {
    await poll(
      test.db,
      'national-highways',
      [
        record('national-highways:m6', {
          severity: 'critical',
          event_type: 'road.closure',
          title: 'M6 southbound closed, J20 to J19',
          facts: factsOf({ roads: ['M6', 'M56'] }),
          latitude: 53.35,
          longitude: -2.5,
          updated_at: '2026-11-21T08:30:00.000Z',
        }),
        record('national-highways:a1', {
          severity: 'low',
          phase: 'planned',
          updated_at: '2026-11-20T08:00:00.000Z',
        }),
      ],
      test.now(),
    );
    await poll(
      test.db,
      'met-office',
      [
        record('met-office:wind', {
          severity: 'high',
          event_type: 'weather.wind',
          title: 'Amber wind warning',
          latitude: 57,
          longitude: -4,
        }),
      ],
      test.now(),
    );
    await poll(
      test.db,
      'nsi-service',
      [record('nsi-service:GW', { kind: 'status', severity: 'low', event_type: 'rail.operator_status' })],
      test.now(),
    );
  });

  it('lists alerts in force, worst first, and no rail operator that runs normally', async () => {
    expect(await get(DisruptionPage, '/')).toMatchObject({ total: 3, next_cursor: null });
    expect(await ids('')).toEqual(['national-highways:m6', 'met-office:wind', 'national-highways:a1']);
  });

  it('finds what each question asks for', async () => {
    const cases = [
      ['?source=met-office', ['met-office:wind']],
      ['?category=Roads', ['national-highways:m6', 'national-highways:a1']],
      ['?category=weather', ['met-office:wind']],
      ['?category=transport', ['national-highways:m6', 'national-highways:a1']],
      ['?feed=weather-flood', ['met-office:wind']],
      ['?severity=critical', ['national-highways:m6']],
      ['?severity=CRITICAL', ['national-highways:m6']],
      ['?severity=critical,LOW', ['national-highways:m6', 'national-highways:a1']],
      ['?severity=low&severity=critical', ['national-highways:m6', 'national-highways:a1']],
      ['?severity=low,&severity=Critical,%20low', ['national-highways:m6', 'national-highways:a1']],
      ['?severity=high,low&feed=roads-uk', ['national-highways:a1']],
      ['?severity=,', 'all'],
      ['?event_type=road.closure', ['national-highways:m6']],
      ['?q=WIND', ['met-office:wind']],
      ['?q=100%25', []],
      ['?north=54&south=53&east=-2&west=-3', ['national-highways:m6']],
      ['?position=none', ['national-highways:a1']],
      ['?position=known', ['national-highways:m6', 'met-office:wind']],
      ['?since=2026-11-21T08:30:00Z', ['national-highways:m6']],
      ['?since=2026-11-21T09:30:00%2B01:00', ['national-highways:m6']],
      ['?since=2026-11-21T09:30:00+01:00', ['national-highways:m6']],
      ['?since=2026-11-21T08:30:00.001Z', []],
      ['?severity=high&feed=roads-uk', []],
      ['?near=53.4,-2.6', ['national-highways:m6']],
      ['?near=53.4,-2.6&radius_km=5', []],
      ['?near=53.4,-2.6&radius_km=1000', ['national-highways:m6', 'met-office:wind']],
      ['?near=Warrington&radius_km=30', ['national-highways:m6']],
      ['?road=m6', ['national-highways:m6']],
      ['?road=M60', []],
      ['?road=M%25', []],
      ['?state=active', ['national-highways:m6', 'met-office:wind']],
      ['?state=Planned', ['national-highways:a1']],
      ['?state=ended', []],
      ['?near=&road=&state=&sort=&ended_since=&radius_km=', 'all'],
      ['?source=&category=&feed=&severity=&q=&since=&cursor=&limit=&north=', 'all'],
    ] as const;
    for (const [query, found] of cases) {
      const all = ['national-highways:m6', 'met-office:wind', 'national-highways:a1'];
      expect(await ids(query), query).toEqual(found === 'all' ? all : found);
    }
  });

  it('refuses a place, an order or a state that there is not', async () => {
    const cases = [
      ['?near=Atlantis%20Nowhere', /no place is known as 'Atlantis Nowhere'/],
      ['?near=99,0', /no place/],
      ['?radius_km=5', /Give near as well/],
      ['?near=Leeds&radius_km=0', /above 0/],
      ['?state=over', /must be one of active, planned, ended/],
      ['?state=active&ended_since=2026-11-21T08:00:00Z', /only for state=ended/],
      ['?sort=oldest', /must be one of worst, newest/],
      ['?bearing=5', /bearing/],
    ] as const;
    for (const [query, why] of cases) {
      const reply = await ask(`/${query}`);
      expect(reply.statusCode, query).toBe(422);
      expect(reply.body, query).toMatch(why);
    }
  });

  it('says which place was meant, how far each alert is, and how many have no position', async () => {
    const answer = await get(DisruptionPage, '/?near=53.4,-2.6&radius_km=100');
    expect(answer).toMatchObject({
      total: 1,
      total_without_position: 1,
      near: { latitude: 53.4, longitude: -2.6, radius_km: 100, attribution: null },
    });
    expect(answer.events.map(({ distance_km }) => distance_km)).toEqual([8.7]);
    expect(answer.sources).not.toEqual([]);
    const named = await get(DisruptionPage, '/?near=Warrington');
    expect(named.near).toMatchObject({ label: expect.stringContaining('Warrington') });
    expect(named.near?.attribution).toContain('GeoNames');
  });

  it('lists within a radius only what lies there, or is outlined into it, and says which', async () => {
    const glasgow = [-4.25, 55.86] as const;
    const at = (own: string, east: number, north: number, rest: object = {}) =>
      record(`sepa-flood:${own}`, {
        longitude: glasgow[0] + east,
        latitude: glasgow[1] + north,
        ...rest,
      });
    const ring = (...points: [number, number][]) => {
      const closed = [...points, points[0]!].map(([x, y]): [number, number] => [
        glasgow[0] + x,
        glasgow[1] + y,
      ]);
      const [x, y] = [closed.map(([one]) => one), closed.map(([, one]) => one)];
      return {
        shape: {
          geometry: JSON.stringify({ type: 'Polygon', coordinates: [closed] }),
          west: Math.min(...x),
          east: Math.max(...x),
          south: Math.min(...y),
          north: Math.max(...y),
        },
      };
    };
    const all = [
      at('inside', 0.1, 0.1),
      // Words alone say how far a region reaches, and its middle lies 93 km away.
      at('region', 0, 0.84, {
        metadata: { location_method: 'area', location_names: ['Tayside'], location_reach_km: 80 },
      }),
      at('around', 0.9, 0.3, ring([-1, -1], [2, -1], [2, 1], [-1, 1])),
      at('touching', 0.9, 0, ring([0.4, -0.1], [1.4, -0.1], [1.4, 0.1], [0.4, 0.1])),
      // Its box meets the circle, but its line goes round the circle.
      at('corner', 0.8, 0.8, ring([-0.1, 0.9], [0.9, -0.1], [0.9, 0.9])),
      at('beside', 0.9, 0, ring([0.6, -0.1], [1.4, -0.1], [1.4, 0.1], [0.6, 0.1])),
    ];
    await poll(test.db, 'sepa-flood', all, test.now());
    const query = 'near=55.86,-4.25&radius_km=30&source=sepa-flood';
    const answer = await get(DisruptionPage, `/?${query}`);
    expect(
      Object.fromEntries(
        answer.events.map(({ event_id, distance_km, distance_to }) => [
          event_id.split(':')[1],
          [distance_to, distance_km],
        ]),
      ),
    ).toEqual({
      inside: ['position', 12.7],
      around: ['outline', 0],
      touching: ['outline', expect.closeTo(25, 0)],
    });
    expect(answer.total).toBe(3);
    for (const ending of ['.csv', '.json', '.geojson', '.rss', '.atom']) {
      const reply = await ask(`${ending}?${query}`);
      expect(reply.statusCode, ending).toBe(200);
      expect(reply.body, ending).toContain(
        'sepa-flood:touching'.replace(':', ending === '.rss' ? '' : ':').slice(0, 10),
      );
      for (const own of ['region', 'corner', 'beside']) expect(reply.body, ending).not.toContain(own);
    }
    await poll(test.db, 'sepa-flood', [], new Date(test.now().getTime() + 60_000));
    const ended = await get(DisruptionPage, `/?${query}&state=ended`);
    expect(ended.total).toBe(3);
  });

  it('lists those that ended, the last first, with when and why, and without a trend', async () => {
    const later = new Date(test.now().getTime() + 60_000);
    await poll(test.db, 'met-office', [], later);
    const { events } = await get(DisruptionPage, '/?state=ended');
    expect(events).toMatchObject([
      { event_id: 'met-office:wind', ended_at: later.toISOString(), ended_reason: 'absent' },
    ]);
    expect(await ids(`?ended_since=${later.toISOString()}`)).toEqual(['met-office:wind']);
    expect(await ids(`?state=ended&ended_since=2026-12-01T00:00:00Z`)).toEqual([]);
    expect(await ids('')).toEqual(['national-highways:m6', 'national-highways:a1']);
  });

  it('gives each alert its trend, here, in its own answer and in that of its source', async () => {
    const later = new Date(test.now().getTime() + 60_000);
    const worse = record('met-office:wind', { severity: 'critical', event_type: 'weather.wind' });
    await poll(test.db, 'met-office', [worse], later);
    test.pass(60_000);
    const trend = { direction: 'worse', change: 'High to Critical', since: later.toISOString() };
    expect((await get(DisruptionPage, '/?source=met-office')).events[0]?.trend).toEqual(trend);
    expect((await get(SourceEvents, '/sources/met-office')).events[0]?.trend).toEqual(trend);
    expect((await get(DisruptionHistory, '/met-office:wind')).trend).toEqual(trend);
  });

  it('pages through every order with its own cursors', async () => {
    for (const query of ['', '&sort=newest', '&near=55,-3&radius_km=2000']) {
      const whole = await ids(`?limit=200${query}`);
      const paged: string[] = [];
      let next: string | null = '';
      while (next !== null) {
        const page: z.infer<typeof DisruptionPage> = await get(
          DisruptionPage,
          `/?limit=1${query}${next && `&cursor=${next}`}`,
        );
        paged.push(...page.events.map(({ event_id }) => event_id));
        next = page.next_cursor;
      }
      expect(paged, query).toEqual(whole);
    }
  });

  it('refuses the cursor of another order', async () => {
    const { next_cursor } = await get(DisruptionPage, '/?limit=1');
    for (const query of ['sort=newest', 'near=55,-3&radius_km=2000']) {
      expect((await ask(`/?limit=1&cursor=${next_cursor}&${query}`)).statusCode).toBe(422);
    }
  });

  it('says in an alert’s own answer who publishes it, and what is near it', async () => {
    await poll(
      test.db,
      'traffic-wales',
      [record('traffic-wales:a', { latitude: 53.4, longitude: -2.55 })],
      test.now(),
    );
    const found = await get(DisruptionHistory, '/national-highways:m6');
    expect(found.published).toMatchObject({
      name: 'National Highways',
      feed: { slug: 'roads-uk', title: 'UK Roads' },
      licence: { name: 'Open Government Licence v3.0' },
    });
    expect(found.nearby?.alerts).toMatchObject([{ event_id: 'traffic-wales:a', distance_km: 6.5 }]);
    expect((await get(DisruptionHistory, '/national-highways:a1')).nearby).toBeNull();
  });

  describe('of an area', () => {
    const UK = 'north=61&south=49&east=3&west=-11';
    const withoutPosition = async (query: string) =>
      (await get(DisruptionPage, `/?${query}`)).total_without_position;

    it('counts the matching incidents without a position, which are in no area', async () => {
      await poll(test.db, 'tfl', [record('tfl:piccadilly'), record('tfl:null-island', ZERO)], test.now());
      expect(await withoutPosition(UK)).toBe(3);
      expect(await withoutPosition('north=54&south=53&east=-2&west=-3&limit=1')).toBe(3);
      expect(await withoutPosition(`${UK}&feed=roads-uk`)).toBe(1);
      expect((await get(DisruptionPage, '/?position=none')).total).toBe(3);

      await collections(test.db).ensure('tfl', false);
      expect(await withoutPosition(UK)).toBe(1);
    });

    it('gives each source’s freshness, so that one call is enough', async () => {
      const { sources } = await get(SourceList, '/sources');
      expect((await get(DisruptionPage, `/?${UK}`)).sources).toEqual(sources);
    });

    it('gives neither if no area is asked for', async () => {
      const page = await get(DisruptionPage, '/');
      expect(page).not.toHaveProperty('total_without_position');
      expect(page).not.toHaveProperty('sources');
    });
  });

  it('leaves out a source that is no longer connected, as feeds and counts do', async () => {
    await collections(test.db).ensure('national-highways', false);
    expect(await get(DisruptionPage, '/')).toMatchObject({ total: 1 });
    expect(await ids('?feed=roads-uk')).toEqual([]);
    expect(await ids('?source=national-highways')).toEqual([]);
  });

  it('gives 50 at a time by default, and each exactly once, even if many are alike', async () => {
    const alike = Array.from({ length: 120 }, (_, n) => record(`tfl:${n}`));
    await poll(test.db, 'tfl', alike, test.now());
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: z.infer<typeof DisruptionPage> = await get(DisruptionPage, `/?source=tfl&cursor=${cursor}`);
      expect(page.total).toBe(120);
      seen.push(...page.events.map(({ event_id }) => event_id));
      sizes.push(page.events.length);
      cursor = page.next_cursor;
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(seen)).toEqual(new Set(alike.map(({ event_id }) => event_id)));
    expect(await get(DisruptionPage, '/?source=tfl&limit=120')).toMatchObject({ next_cursor: null });
    expect((await get(DisruptionPage, '/?limit=200')).events).toHaveLength(123);
  });

  it('is read page by page', async () => {
    const first = await get(DisruptionPage, '/?limit=2');
    expect(first).toMatchObject({ total: 3, events: [{}, {}] });
    const second = await get(DisruptionPage, `/?limit=2&cursor=${first.next_cursor}`);
    expect(second.events.map(({ event_id }) => event_id)).toEqual(['national-highways:a1']);
    expect(second.next_cursor).toBeNull();
  });

  it('refuses each bad parameter in words', async () => {
    const cases = [
      ['?severity=dreadful', 'severity must be one of critical, high, medium, low'],
      ['?severity=high,dreadful', 'severity must be one of critical, high, medium, low'],
      ['?severity=high&severity=dreadful', 'severity must be one of critical, high, medium, low'],
      [
        '?feed=no-such-feed',
        'feed must be one of rail-network, roads-uk, aviation, weather-flood, public-safety',
      ],
      ['?category=sport', expect.stringMatching(/^category must be one of rail, roads, /)],
      ['?limit=0', 'limit must be at least 1'],
      ['?limit=201', 'limit must be at most 200'],
      ['?limit=many', 'limit must be a whole number'],
      ['?limit=1.5', 'limit must be a whole number'],
      ['?limit=Infinity', 'limit must be a whole number'],
      ['?since=yesterday', 'since must be an ISO 8601 time such as 2026-11-21T08:00:00Z'],
      ['?since=2026-11-21', 'since must be an ISO 8601 time such as 2026-11-21T08:00:00Z'],
      ['?since=9999-12-31T23:59:59-14:00', 'since must be an ISO 8601 time such as 2026-11-21T08:00:00Z'],
      ['?since=2026-13-45T99:00:00Z', 'since must be an ISO 8601 time such as 2026-11-21T08:00:00Z'],
      ['?cursor=nonsense', 'cursor must be the next_cursor of an earlier answer'],
      ['?cursor=bnVsbA', 'cursor must be the next_cursor of an earlier answer'],
      ['?position=somewhere', 'position must be one of known, none'],
      ['?north=54', 'Give all four of north, south, east and west, or none of them.'],
      ['?north=54&south=53&east=1', 'Give all four of north, south, east and west, or none of them.'],
      ['?north=53&south=54&east=1&west=0', 'north must be greater than south'],
      ['?north=54&south=53&east=0&west=1', 'east must be greater than west'],
      ['?north=91&south=53&east=1&west=0', 'north must be between -90 and 90'],
      ['?north=54&south=53&east=181&west=0', 'east must be between -180 and 180'],
      ['?north=54&south=-91&east=1&west=0', 'south must be between -90 and 90'],
      ['?north=54&south=53&east=1&west=-181', 'west must be between -180 and 180'],
      ['?north=54&south=53&east=1&west=here', 'west must be a number of degrees'],
      ['?north=up&south=53&east=1&west=0', 'north must be a number of degrees'],
      ['?north=NaN&south=53&east=1&west=0', 'north must be a number of degrees'],
      ['?source=tfl&source=met-office', 'source must be given only once'],
      [`?source=${'x'.repeat(101)}`, 'source must be at most 100 characters'],
      [`?event_type=${'x'.repeat(101)}`, 'event_type must be at most 100 characters'],
      ['?source=smoke-signals', expect.stringMatching(/^source must be one of .*met-office.*$/)],
      ['?limit=-1', 'limit must be at least 1'],
      [`?q=${'x'.repeat(201)}`, 'q must be at most 200 characters'],
    ] as const;
    for (const [query, detail] of cases) {
      const reply = await ask(`/${query}`);
      expect(reply.statusCode, query).toBe(422);
      expect(reply.json(), query).toMatchObject({ detail, errors: expect.any(Array) });
    }
  });

  it('survives odd text', async () => {
    for (const odd of ["'%3B%20drop%20table%20users", '%F0%9F%9A%97', '%25_%5C', '%E2%80%AE']) {
      expect((await ask(`/?q=${odd}&event_type=${odd}`)).statusCode).toBe(200);
      expect((await ask(`/?source=${odd}`)).statusCode).toBe(422);
    }
    expect((await ask('/?since=9999-12-31T23:59:59-23:59')).statusCode).toBeLessThan(500);
    expect((await ask('/?since=0000-01-01T00:00:00%2B23:59')).statusCode).toBeLessThan(500);
  });
});

describe('GET /sources', () => {
  it('lists all known sources, and any other that was collected, with the freshness of each', async () => {
    await poll(
      test.db,
      'tfl',
      [record('tfl:victoria'), record('tfl:works', { phase: 'planned' })],
      test.now(),
    );
    await poll(test.db, 'carrier-pigeons', [record('carrier-pigeons:1')], test.now());
    await collections(test.db).ensure('nsi-service', false);

    const { sources, total } = await get(SourceList, '/sources');
    expect(sources.map(({ source }) => source)).toEqual([...Object.keys(KNOWN_SOURCES), 'carrier-pigeons']);
    expect(total).toBe(sources.length);
    const of = (name: string) => sources.find(({ source }) => source === name);
    const nothing = { event_count: 0, last_collected: null, freshness: null };
    expect(of('tfl')).toEqual({
      source: 'tfl',
      event_count: 1,
      last_collected: test.now().toISOString(),
      state: 'ok',
      freshness: 'fresh',
    });
    expect(of('met-office')).toEqual({ source: 'met-office', ...nothing, state: 'idle' });
    expect(of('nsi-service')).toEqual({ source: 'nsi-service', ...nothing, state: 'not_configured' });
    expect(of('kb-incidents')).toEqual({ source: 'kb-incidents', ...nothing, state: 'not_configured' });
    expect(of('carrier-pigeons')).toEqual({ source: 'carrier-pigeons', ...nothing, state: 'not_configured' });
  });

  it('gives the times of the newest and the oldest collection', async () => {
    const nothing = { last_updated: null, oldest_collected: null, freshness: null };
    expect(await get(SourceList, '/sources')).toMatchObject(nothing);

    const old = new Date(test.now().getTime() - 20 * 60_000);
    await poll(test.db, 'ea-flood', [], old);
    await poll(test.db, 'tfl', [], test.now());
    expect(await get(SourceList, '/sources')).toMatchObject({
      last_updated: test.now().toISOString(),
      oldest_collected: old.toISOString(),
      freshness: 'late', // not all of them were collected
    });
  });
});

describe('GET /sources/{source}', () => {
  it('gives 12 events by default, and counts all', async () => {
    await poll(
      test.db,
      'tfl',
      [
        ...Array.from({ length: 15 }, (_, n) => record(`tfl:${n}`)),
        ...Array.from({ length: 4 }, (_, n) =>
          record(`tfl:works-${n}`, { phase: 'planned', severity: 'critical' }),
        ),
      ],
      test.now(),
    );
    const answer = await get(SourceEvents, '/sources/tfl');
    expect(answer).toMatchObject({
      source: 'tfl',
      total: 19,
      event_count: 15,
      state: 'ok',
      freshness: 'fresh',
    });
    expect(answer.last_collected).toBe(test.now().toISOString());
    expect(answer.last_updated).toBe(test.now().toISOString());
    expect(answer.events).toHaveLength(12);
    expect(
      (await get(SourceEvents, '/sources/tfl?limit=100')).events.map(({ metadata }) => metadata.phase),
    ).toEqual([...Array.from({ length: 15 }, () => 'active'), ...Array.from({ length: 4 }, () => 'planned')]);
  });

  it('lists rail operators that run normally last, and counts both kinds', async () => {
    const operator = (code: string, status: string) =>
      record(`nsi-service:${code}`, {
        event_type: 'rail.operator_status',
        kind: status === 'Good service' ? 'status' : 'alert',
        severity: status === 'Good service' ? 'low' : 'high',
        metadata: { nsi: { toc_code: code, toc_name: code, status, service_groups: [] } },
      });
    await poll(
      test.db,
      'nsi-service',
      [operator('AW', 'Good service'), operator('VT', 'Major delays'), operator('GW', 'Good service')],
      test.now(),
    );
    const answer = await get(SourceEvents, '/sources/nsi-service');
    expect(answer).toMatchObject({ event_count: 1, total: 3, operators_total: 3, operators_disrupted: 1 });
    expect(answer.events.map(({ metadata }) => metadata.nsi?.status)).toEqual([
      'Major delays',
      'Good service',
      'Good service',
    ]);
  });

  it('of a source that was never collected is empty and says so', async () => {
    const cases = [
      ['kb-incidents', 'not_configured'],
      ['twitter.metpoliceuk', 'idle'],
      ['tfl', 'idle'],
    ] as const;
    for (const [source, state] of cases) {
      expect((await ask(`/sources/${source}`)).json(), source).toEqual({
        source,
        events: [],
        total: 0,
        event_count: 0,
        last_collected: null,
        last_updated: null,
        state,
        freshness: null,
      });
    }
  });

  it('shows nothing of a source that is no longer connected', async () => {
    await poll(test.db, 'tfl', [record('tfl:victoria')], test.now());
    await collections(test.db).ensure('tfl', false);
    expect(await get(SourceEvents, '/sources/tfl')).toMatchObject({
      events: [],
      event_count: 0,
      last_collected: null,
      state: 'not_configured',
    });
  });

  it('keeps the time of a source that has become old, and says stale', async () => {
    await poll(test.db, 'tfl', [record('tfl:victoria')], test.now());
    const collectedAt = test.now().toISOString();
    test.pass(COLLECTORS.find(({ source }) => source === 'tfl')!.maxAgeMinutes * 60_000 + 1);
    const { access_token } = await test.signIn();
    expect(await get(SourceEvents, '/sources/tfl', access_token)).toMatchObject({
      state: 'failing',
      freshness: 'stale',
      last_collected: collectedAt,
    });
  });

  it('does not know other names', async () => {
    const cases = [
      ['smoke-signals', 'smoke-signals'],
      ['toString', 'toString'],
      ['__proto__', '__proto__'],
      ["it's", "it's"],
      ['%E2%98%83', '☃'],
    ] as const;
    for (const [path, source] of cases) {
      const reply = await ask(`/sources/${path}`);
      expect(reply.statusCode, path).toBe(404);
      expect(reply.json(), path).toMatchObject({ detail: `Source '${source}' not found or has no events` });
    }
  });

  it('refuses a limit out of bounds', async () => {
    const cases = ['0', '201', 'x'];
    for (const limit of cases) {
      const reply = await ask(`/sources/tfl?limit=${limit}`);
      expect(reply.statusCode, limit).toBe(422);
      expect(reply.json<{ detail: string }>().detail, limit).toMatch(/^limit must be /);
    }
  });
});

describe('GET /?geometry=true', () => {
  const line = (count: number) =>
    lineShape([
      Array.from({ length: count }, (_, at) => ({
        latitude: 53 + at / 1000,
        longitude: -1.5 + (at % 2) / 20,
      })),
    ]);
  const drawn = async (query: string) => {
    const { events } = await get(DisruptionPage, `/${query}`);
    return events.map(({ event_id, geometry }) => [event_id, geometry?.type ?? null]);
  };

  it('gives lines and areas, but only if asked, and no points', async () => {
    const point = pointsShape([{ latitude: 53, longitude: -1 }]);
    await poll(
      test.db,
      'national-highways',
      [
        record('national-highways:a', { severity: 'critical', shape: line(3) }),
        record('national-highways:b', { severity: 'high', shape: point }),
        record('national-highways:c', { severity: 'low' }),
      ],
      test.now(),
    );
    expect(await drawn('?geometry=true')).toEqual([
      ['national-highways:a', 'LineString'],
      ['national-highways:b', null],
      ['national-highways:c', null],
    ]);
    expect(await drawn('')).toEqual([
      ['national-highways:a', null],
      ['national-highways:b', null],
      ['national-highways:c', null],
    ]);
  });

  it('simplifies long ones, and gives no more than 128 KB, to the worst first', async () => {
    const records = Array.from({ length: 80 }, (_, at) =>
      record(`national-highways:${at}`, {
        severity: at === 79 ? 'critical' : 'low',
        shape: line(at === 79 ? 500 : 150),
      }),
    );
    await poll(test.db, 'national-highways', records, test.now());
    const { events } = await get(DisruptionPage, '/?geometry=true&limit=200');
    const sizes = events.map(({ geometry }) => (geometry ? JSON.stringify(geometry.coordinates).length : 0));
    expect(sizes[0]).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(128 * 1024);
    expect(sizes.at(-1)).toBe(0);
  });
});

describe('GET /numbers/{number}', () => {
  const ids = async (number: string) =>
    (await get(DisruptionsOfNumber, `/numbers/${encodeURIComponent(number)}`)).events.map(
      ({ event_id }) => event_id,
    );

  it('finds the alert that a wall shows with this number, also for a day after its end', async () => {
    const noon = test.now();
    await poll(test.db, 'tfl', [record('tfl:victoria'), record('tfl:central')], noon);
    const number = alertNumber('tfl:victoria');
    expect(number).toMatch(/^[1-9]\d{4}$/);
    expect(await ids(number)).toEqual(['tfl:victoria']);
    expect(await ids(`${number.slice(0, 2)} ${number.slice(2)}`)).toEqual(['tfl:victoria']);

    await poll(test.db, 'tfl', [record('tfl:central')], noon);
    expect(await ids(number)).toEqual(['tfl:victoria']);
    test.pass(25 * 60 * 60_000);
    token = (await test.signIn()).access_token;
    const reply = await ask(`/numbers/${number}`);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ detail: `No alert has the number '${number}'` });
  });

  it('gives all that have the same number, those in force first', async () => {
    const sameNumber = new Map<string, string>();
    let pair: string[] = [];
    for (let at = 0; pair.length === 0; at++) {
      const id = `tfl:line-${at}`;
      const other = sameNumber.get(alertNumber(id));
      if (other) pair = [other, id];
      sameNumber.set(alertNumber(id), id);
    }
    const [first, second] = pair as [string, string];
    await poll(test.db, 'tfl', [record(first), record(second)], test.now());
    expect(await ids(alertNumber(first))).toEqual([first, second].sort());
    await poll(test.db, 'tfl', [record(second)], test.now());
    expect(await ids(alertNumber(first))).toEqual([second, first]);
  });

  it('refuses what is no number of five digits', async () => {
    const cases = ['1', '123456', '01234', 'abcde'];
    for (const number of cases) {
      expect((await ask(`/numbers/${number}`)).statusCode, number).toBe(422);
    }
  });
});

describe('GET /{event_id}', () => {
  const ODD = 'twitter.metpoliceuk:https://social.example/@met/posts?id=1 2%#é/';

  it('gives an incident with its history, also after its end', async () => {
    const noon = test.now();
    const soon = new Date(noon.getTime() + 60_000);
    const later = new Date(noon.getTime() + 120_000);
    await poll(test.db, 'tfl', [record('tfl:victoria', { severity: 'low' })], noon);
    await poll(test.db, 'tfl', [record('tfl:victoria', { severity: 'high' })], soon);
    expect(await get(DisruptionHistory, '/tfl:victoria')).toMatchObject({
      event_id: 'tfl:victoria',
      severity: 'high',
      ended_at: null,
      history: [
        { severity: 'low', changed: [] },
        { severity: 'high', changed: ['severity'], ended_at: null },
      ],
      versions: 2,
    });

    await poll(test.db, 'tfl', [], later);
    expect(await get(DisruptionHistory, '/tfl%3Avictoria')).toMatchObject({
      first_seen_at: noon.toISOString(),
      collected_at: soon.toISOString(),
      ended_at: later.toISOString(),
      ended_reason: 'absent',
      history: [{}, { ended_reason: 'absent' }],
    });
  });

  it('accepts an id with slashes and other odd characters', async () => {
    await poll(test.db, 'twitter.metpoliceuk', [record(ODD)], test.now());
    expect(await get(DisruptionHistory, `/${encodeURIComponent(ODD)}`)).toMatchObject({ event_id: ODD });

    await poll(test.db, 'national-highways', [record('national-highways:signs/M6-20-A')], test.now());
    expect(await get(DisruptionHistory, '/national-highways:signs/M6-20-A')).toMatchObject({
      event_id: 'national-highways:signs/M6-20-A',
    });
  });

  it('says in words that there is no such incident', async () => {
    const reply = await ask('/tfl:nowhere');
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ detail: "Disruption 'tfl:nowhere' not found" });
    expect((await ask(`/${'x'.repeat(1001)}`)).statusCode).toBe(422);
  });
});

it('GET /stats counts active alerts by severity, source and feed', async () => {
  const empty = { critical: 0, high: 0, medium: 0, low: 0 };
  expect(await get(DisruptionStats, '/stats')).toMatchObject({
    total_active: 0,
    by_severity: empty,
    by_source: [],
  });

  await poll(
    test.db,
    'tfl',
    [
      record('tfl:1', { severity: 'critical' }),
      record('tfl:2', { severity: 'low' }),
      record('tfl:3', { severity: 'low', phase: 'planned' }),
    ],
    test.now(),
  );
  await poll(
    test.db,
    'ea-flood',
    ['1', '2', '3'].map((id) => record(`ea-flood:${id}`, { severity: 'high' })),
    test.now(),
  );
  await poll(test.db, 'met-office', [record('met-office:1')], test.now());
  await collections(test.db).ensure('met-office', false);

  expect(await get(DisruptionStats, '/stats')).toEqual({
    total_active: 5,
    by_severity: { critical: 1, high: 3, medium: 0, low: 1 },
    by_source: [
      { source: 'ea-flood', count: 3 },
      { source: 'tfl', count: 2 },
    ],
    by_feed: [
      { feed: 'rail-network', count: 2 },
      { feed: 'roads-uk', count: 0 },
      { feed: 'aviation', count: 0 },
      { feed: 'weather-flood', count: 3 },
      { feed: 'public-safety', count: 0 },
    ],
    generated_at: test.now().toISOString(),
  });
});

it('counts an incident that an operator refers to once in all, and once for each of its sources', async () => {
  const rail = [
    ...COLLECTORS.filter(({ source }) => source !== 'kb-incidents'),
    { ...COLLECTORS[0]!, source: 'kb-incidents', settings: [] },
  ];
  const app = await openTestApp({ collectors: rail });
  try {
    await app.addUser();
    const { access_token } = await app.signIn();
    const answer = async (path: string) => (await app.get(`/api/v1/${path}`, access_token)).json();
    await poll(app.db, 'kb-incidents', [record('kb-incidents:A', { severity: 'medium' })], app.now());
    const operator = record('nsi-service:SW', {
      severity: 'high',
      event_type: 'rail.operator_status',
      title: 'South Western Railway',
      metadata: { related_event_ids: ['kb-incidents:A'] },
    });
    await poll(app.db, 'nsi-service', [operator], app.now());

    expect(await answer('feeds/rail-network')).toMatchObject({
      feed: {
        alert_count: 1,
        sources: [
          { source: 'kb-incidents', event_count: 1 },
          { source: 'tfl', event_count: 0 },
          { source: 'nsi-service', event_count: 1 },
        ],
      },
      events: [
        {
          event_id: 'kb-incidents:A',
          severity: 'high',
          metadata: { also_reported_by: [{ source: 'nsi-service', title: 'South Western Railway' }] },
        },
      ],
    });
    expect(await answer('disruptions/stats')).toMatchObject({
      total_active: 1,
      by_severity: { critical: 0, high: 1, medium: 0, low: 0 },
      by_source: [
        { source: 'kb-incidents', count: 1 },
        { source: 'nsi-service', count: 1 },
      ],
      by_feed: expect.arrayContaining([{ feed: 'rail-network', count: 1 }]),
    });
    expect(await answer('disruptions/sources/nsi-service')).toMatchObject({
      event_count: 1,
      operators_disrupted: 1,
      events: [{ event_id: 'nsi-service:SW', severity: 'high' }],
    });
  } finally {
    await app.close();
  }
});

describe('GET /collectors/status', () => {
  const Answer = z.object({ collectors: z.array(CollectorStatus), total: z.number() });
  const of = async (source: string, as = token) => {
    const { collectors } = await get(Answer, '/collectors/status', as);
    return collectors.find((one) => one.source === source)!;
  };
  const asAdmin = async () => {
    await test.addUser({ email: 'ada@coaches.example', role: 'admin' });
    return (await test.signIn({ email: 'ada@coaches.example' })).access_token;
  };
  const fail = (source: string, error: string) =>
    collections(test.db).noteFailure(source, {
      now: test.now(),
      nextRun: new Date(test.now().getTime() + 60_000),
      error,
    });

  it('gives the state of each collector', async () => {
    await poll(test.db, 'tfl', [record('tfl:victoria')], test.now());
    const collectedAt = test.now().toISOString();
    test.pass(120_000);
    await fail('tfl', 'gone');

    const { collectors, total } = await get(Answer, '/collectors/status');
    expect(collectors.map(({ source }) => source)).toEqual(CONNECTED.map(({ source }) => source));
    expect(total).toBe(CONNECTED.length);
    expect(await of('tfl')).toEqual({
      source: 'tfl',
      enabled: true,
      state: 'degraded',
      interval_seconds: COLLECTORS.find(({ source }) => source === 'tfl')!.everyMinutes * 60,
      max_age_seconds: COLLECTORS.find(({ source }) => source === 'tfl')!.maxAgeMinutes * 60,
      last_attempt: '2026-11-21T09:02:00.000Z',
      last_success: collectedAt,
      next_run: '2026-11-21T09:03:00.000Z',
      consecutive_failures: 1,
      event_count: 1,
    });
  });

  it('gives the reason to administrators only, without keys and addresses', async () => {
    await poll(test.db, 'national-highways', [], test.now());
    await fail('national-highways', `GET https://api.example/closures?key=${KEY}: ${KEY} was refused`);
    await collections(test.db).ensure('nsi-service', false);

    const forUsers = (await ask('/collectors/status')).body;
    for (const word of ['last_error', 'missing_settings', 'skipped', 'problems', 'refused', 'RDM_NSI', KEY])
      expect(forUsers).not.toContain(word);

    const admin = await asAdmin();
    expect((await of('national-highways', admin)).last_error).toBe(
      'GET api.example/…: [redacted] was refused',
    );
    expect(await of('nsi-service', admin)).toMatchObject({
      enabled: false,
      state: 'not_configured',
      next_run: null,
      missing_settings: ['RDM_NSI_URL', 'RDM_NSI_KEY'],
    });
    expect((await of('tfl', admin)).missing_settings).toEqual([]);
  });

  it('shows administrators what the last good collection could not read', async () => {
    await poll(test.db, 'national-highways', [], test.now());
    await collections(test.db).noteSuccess('national-highways', {
      now: test.now(),
      nextRun: null,
      skipped: 2,
      problems: [`Situation 7 left out: no id (${KEY})`, 'and 1 more'],
      complete: false,
    });
    expect(await of('national-highways', await asAdmin())).toMatchObject({
      state: 'degraded',
      skipped: 2,
      problems: ['Situation 7 left out: no id ([redacted])', 'and 1 more'],
    });
  });

  it('flags a collection that is stamped ahead of the clock', async () => {
    await poll(test.db, 'tfl', [], new Date(test.now().getTime() + 3600_000));
    const status = await of('tfl', await asAdmin());
    expect(status.state).toBe('failing');
    expect(status.last_error).toMatch(/2026-11-21T10:00:00\.000Z, which is in the future/);
  });
});
