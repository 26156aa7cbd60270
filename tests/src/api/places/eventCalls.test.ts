import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { disruptionsWithin } from '../../../../src/api/alerts/disruptions.ts';
import { eventRecord, listCategories, viewportEvents } from '../../../../src/api/places/events.ts';
import { searchPlaces } from '../../../../src/api/places/geocode.ts';
import { json, startFakeServer } from '../fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
});
afterEach(() => vi.unstubAllGlobals());

const bounds = { north: 54.000049, south: 53, east: 200, west: -1.5 };
const asked = (path: string) => Object.fromEntries(server.callsTo(path)[0]!.query);

it('asks for a view as specified, rounded, within the world, with any ampersand of a category encoded', async () => {
  server.answers.set('events/viewport', () => json(200, { events: [], total: 0 }));
  await viewportEvents({
    bounds,
    category: 'Arts & crafts',
    dates: { start: '2026-11-21', end: '2026-11-28' },
  });
  expect(asked('events/viewport')).toEqual({
    north: '54',
    south: '53',
    east: '180',
    west: '-1.5',
    category: 'Arts & crafts',
    start_date: '2026-11-21',
    end_date: '2026-11-28',
    max_results: '500',
    include_nearby_stations: 'true',
    include_others: 'true',
  });
});

it('leaves out what is not filtered by', async () => {
  server.answers.set('events/viewport', () => json(200, []));
  await viewportEvents({ bounds, category: null, dates: null });
  expect(Object.keys(asked('events/viewport'))).not.toContain('category');
  expect(Object.keys(asked('events/viewport'))).not.toContain('start_date');
});

it('reads events with nothing but an id', async () => {
  server.answers.set('events/viewport', () =>
    json(200, {
      events: [
        { event_id: 7, performance_id: 71, name: 'Whole', latitude: 53.8, longitude: -1.55 },
        { event_id: 'bare' },
        { event_id: 'odd', name: {}, latitude: 'north', start_datetime: 'soon', nearby_stations: 'none' },
        { name: 'Without an id' },
      ],
      total: 812,
    }),
  );
  const { data } = await viewportEvents({ bounds, category: null, dates: null });
  expect(data.items.map(({ event_id, performance_id }) => [event_id, performance_id])).toEqual([
    ['7', '71'],
    ['bare', 'bare'],
    ['odd', 'odd'],
  ]);
  expect(data.items[2]).toMatchObject({ name: undefined, latitude: undefined, start_datetime: undefined });
  expect(data.total).toBe(812);
});

it('reads one event, whatever its id holds', async () => {
  server.answers.set('events/a%2Fb', () =>
    json(200, { event_id: 'a/b', venue: { name: 'Hall' }, prices: [{}] }),
  );
  expect((await eventRecord('a/b')).data).toMatchObject({ event_id: 'a/b', venue: { name: 'Hall' } });
});

it('reads categories as a bare array and as an object', async () => {
  for (const answer of [['Music', 'Sport'], { categories: ['Music', 7, 'Sport'], total: 2 }]) {
    server.answers.set('events/categories', () => json(200, answer));
    expect(await listCategories()).toEqual(['Music', 'Sport']);
  }
});

it('finds at most five places, and none without a position', async () => {
  const place = (label: string, over = {}) => ({
    label,
    latitude: 53.8,
    longitude: -1.55,
    type: 'city',
    ...over,
  });
  server.answers.set('geocode/search', () =>
    json(200, {
      results: [
        place('Leeds', { bounding_box: { north: 54, south: 53.7 } }),
        place('Text', { latitude: '51.5', longitude: ' -0.1 ' }),
        place('Nowhere', { latitude: null }),
        place('Words', { latitude: 'north' }),
        ...['A', 'B', 'C', 'D'].map((label) => place(label)),
      ],
      attribution: 'Contains OS data',
    }),
  );
  const { places, attribution } = await searchPlaces('leeds');
  expect(asked('geocode/search')).toEqual({ query: 'leeds', limit: '5' });
  expect(places.map(({ label, latitude }) => [label, latitude])).toEqual([
    ['Leeds', 53.8],
    ['Text', 51.5],
    ['A', 53.8],
    ['B', 53.8],
    ['C', 53.8],
  ]);
  expect(attribution).toBe('Contains OS data');
});

it('asks for the incidents of an area', async () => {
  server.answers.set('disruptions/', () => json(200, { events: [{ event_id: 'tfl:1' }], total: 1 }));
  expect((await disruptionsWithin(bounds)).data).toMatchObject({ events: [{ event_id: 'tfl:1' }], total: 1 });
  expect(asked('disruptions/')).toMatchObject({ north: '54', limit: '200' });
});
