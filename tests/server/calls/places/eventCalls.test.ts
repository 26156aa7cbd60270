import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EventList, EventRecord, TownCount, ViewportEvents } from '#contract/places/events.ts';
import { events } from '../../../../server/geography/events/events.ts';
import { openMemoryDatabase } from '../../../../server/db/open.ts';
import { eventCalls } from '../../../../server/calls/places/eventCalls.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { event } from '../../geography/events/import/oneEvent.ts';

const UK = 'north=61&south=49&east=2&west=-9';

let test: TestApp;
let token: string;
beforeEach(async () => {
  const opened = await openMemoryDatabase();
  test = await openTestApp({
    open: async () => opened,
    routes: (app) =>
      void app.register(
        eventCalls({
          db: opened.db,
          now: () => test.now(),
          nearbyStations: (latitude, longitude) => [
            { name: 'Leeds', crs: 'LDS', latitude, longitude, distance_km: 0.4 },
          ],
        }),
        { prefix: '/with-stations' },
      ),
  });
  await test.addUser();
  token = (await test.signIn()).access_token;
});
afterEach(() => test.close());

const get = (path: string) => test.get(`/api/v1/events${path}`, token);
const put = (...arriving: Parameters<ReturnType<typeof events>['store']>[0]['arriving']) =>
  events(test.db).store({ source: 'hall', arriving, now: test.now() });

describe('/api/v1/events', () => {
  it('is for signed-in callers only', async () => {
    for (const path of ['', '/viewport', '/categories', '/venues/towns', '/e1']) {
      expect((await test.get(`/api/v1/events${path}`)).statusCode, path).toBe(401);
    }
  });

  it('lists what the dashboard’s example asks for, and pages through it', async () => {
    await put(
      ...Array.from({ length: 12 }, (_, at) => event({ id: `e${at}` })),
      event({ id: 'york', place: { venue_id: 'v2', town: 'York' } }),
    );
    const first = EventList.parse((await get('?venue_town=leeds&limit=10')).json());
    expect([first.events.length, first.total]).toEqual([10, 12]);
    const second = EventList.parse(
      (await get(`?venue_town=leeds&limit=10&cursor=${first.next_cursor}`)).json(),
    );
    expect([second.events.length, second.next_cursor]).toEqual([2, null]);
    expect(EventList.parse((await get('/')).json()).total).toBe(13);
  });

  it('gives a view with every field of the contract, hostile texts as they are', async () => {
    const name = '</script> "quoted", \\ and ,"latitude":1,"longitude":2,"is_sample":true}';
    await put(event({ name, category: 'Food & drink' }), event({ id: 'e2', place: null }));

    const reply = await get(`/viewport?${UK}&category=Food%20%26%20drink&include_nearby_stations=true`);
    expect(reply.headers['content-type']).toContain('application/json');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(ViewportEvents.parse(reply.json())).toEqual({
      total: 1,
      events: [expect.objectContaining({ name, venue_town: 'Leeds', is_sample: false, nearby_stations: [] })],
    });
    const { events: shown } = (
      await test.get(`/with-stations/viewport?${UK}&include_nearby_stations=1`, token)
    ).json<ViewportEvents>();
    expect(shown[0]).toMatchObject({
      name,
      nearby_stations: [{ crs: 'LDS', latitude: 53.8, longitude: -1.55 }],
    });
    expect((await get(`/viewport?${UK}`)).json().events[0]).not.toHaveProperty('nearby_stations');
  });

  it('gives the total when it shows fewer, and is compressed for a client that accepts it', async () => {
    await put(...Array.from({ length: 30 }, (_, at) => event({ id: `e${at}` })));
    expect((await get(`/viewport?${UK}&max_results=7`)).json()).toMatchObject({
      total: 30,
      events: { length: 7 },
    });

    // The places of the others come only on request.
    const whole = (await get(`/viewport?${UK}&max_results=7&include_others=true`)).json<ViewportEvents>();
    expect(whole.others!.reduce((sum, { count }) => sum + count, whole.events.length)).toBe(30);
    expect(whole.others![0]!.latitude).toBeCloseTo(whole.events[0]!.latitude!, 3);
    expect((await get(`/viewport?${UK}&max_results=7`)).json()).not.toHaveProperty('others');

    const reply = await test.app.inject({
      url: `/api/v1/events/viewport?${UK}`,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br' },
    });
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(reply.rawPayload).toString()).total).toBe(30);
  });

  it('counts its days in London, both of them whole', async () => {
    await put(
      event({ id: 'late', start: '2027-06-30T22:30:00.000Z' }), // 23:30 there
      event({ id: 'next', start: '2027-06-30T23:30:00.000Z' }), // 00:30 of the first of July
    );
    const on = async (path: string) =>
      (await get(path)).json<EventList>().events.map(({ event_id }: { event_id: string }) => event_id);
    expect(await on('?start_date=2027-06-30&end_date=2027-06-30')).toEqual(['late']);
    expect(await on('?start_date=2027-07-02')).toEqual([]);
    expect(await on(`/viewport?${UK}&end_date=2027-06-30`)).toEqual(['late']);
    // An event that lasts into the next day takes place on that day too.
    expect(await on(`/viewport?${UK}&start_date=2027-07-01`)).toEqual(['late', 'next']);
  });

  it('gives one event whole, with its stations, also under an id with slashes', async () => {
    await put(event({ id: 'https://hall.example/e/1' }));

    const record = EventRecord.parse(
      (await get(`/${encodeURIComponent('https://hall.example/e/1')}`)).json(),
    );
    expect(record).toMatchObject({ event_id: 'https://hall.example/e/1', nearby_stations: [] });
    const there = await test.get('/with-stations/https://hall.example/e/1', token);
    expect(EventRecord.parse(there.json()).nearby_stations).toHaveLength(1);
    const none = await get('/e9');
    expect([none.statusCode, none.json()]).toMatchObject([404, { detail: "Event 'e9' not found" }]);
  });

  it('names categories and towns', async () => {
    await put(event(), event({ id: 'e2', category: 'Sport', place: { venue_id: 'v2', town: 'York' } }));

    expect((await get('/categories')).json()).toEqual(['Music', 'Sport']);
    expect(z.array(TownCount).parse((await get('/venues/towns')).json())).toEqual([
      { town: 'Leeds', event_count: 1 },
      { town: 'York', event_count: 1 },
    ]);
  });

  it('refuses each bad parameter in words', async () => {
    const cases = [
      ['/viewport', 'north must be a number of degrees'],
      ['/viewport?north=NaN&south=49&east=2&west=-9', 'north must be a number of degrees'],
      ['/viewport?north=&south=49&east=2&west=-9', 'north must be a number of degrees'],
      ['/viewport?north=91&south=49&east=2&west=-9', 'north must be between -90 and 90'],
      ['/viewport?north=50&south=51&east=2&west=-9', 'north must be greater than south'],
      [
        '/viewport?north=61&south=49&east=-170&west=170',
        'east must be greater than west: a view across the 180th meridian is two views',
      ],
      [`/viewport?${UK}&max_results=501`, 'max_results must be at most 500'],
      [`/viewport?${UK}&max_results=0`, 'max_results must be at least 1'],
      [`/viewport?${UK}&max_results=many`, 'max_results must be a whole number'],
      [`/viewport?${UK}&start_date=tomorrow`, 'start_date must be a date such as 2026-11-21'],
      [`/viewport?${UK}&start_date=2026-02-30`, 'start_date must be a date such as 2026-11-21'],
      [`/viewport?${UK}&start_date=2026-12-02&end_date=2026-12-01`, 'end_date must not be before start_date'],
      [`/viewport?${UK}&end_date=9999-12-31`, 'end_date must be between 1970 and 2199'],
      [`/viewport?${UK}&include_nearby_stations=maybe`, 'include_nearby_stations must be true or false'],
      ['?limit=501', 'limit must be at most 500'],
      ['?cursor=nonsense', 'cursor must be the next_cursor of an earlier answer'],
      ['?start_date=2026-12-02&end_date=2026-12-01', 'end_date must not be before start_date'],
    ] as const;
    for (const [path, detail] of cases) {
      const reply = await get(path);
      expect([reply.statusCode, reply.json().detail], path).toEqual([422, detail]);
    }
  });

  it('ignores an empty parameter', async () => {
    await put(event());
    const reply = await get(
      `/viewport?${UK}&category=&start_date=&end_date=&max_results=&include_nearby_stations=`,
    );
    expect(reply.json().total).toBe(1);
  });
});
