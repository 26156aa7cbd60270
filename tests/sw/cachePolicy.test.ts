import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { apiPath, pageAddressOf } from '#contract/addresses.ts';
import { oddName, withOddNames } from '../support/oddNames.ts';
import { becomeWorker, newEvent } from './fakeWorker.ts';

becomeWorker();
const { carriesScope, keptAs, pages } = await import('../../sw/cachePolicy.ts');

const HERE = { app: 'https://clearway.example', api: 'https://clearway.example' };
const FOREIGN = { app: 'https://clearway.example', api: 'https://api.example' };
const request = (url: string, { method = 'GET', scope = 'anna' } = {}) =>
  new Request(new URL(url, HERE.app), { method, headers: scope ? { 'x-clearway-scope': scope } : {} });

it.each([
  '/api/v1/feeds/?include_events=true',
  '/api/v1/feeds',
  '/api/v1/feeds/rail-network',
  '/api/v1/feeds/rail-network/summary',
  '/api/v1/feeds/rail-network/events',
  '/api/v1/disruptions/',
  '/api/v1/disruptions/sources',
  '/api/v1/disruptions/sources/nsi-service?limit=12',
  '/api/v1/disruptions/sources/twitter.metpoliceuk',
  '/api/v1/watches/?summary=true',
  '/api/v1/watches/?north=54',
  '/api/v1/watches/w1',
  '/api/v1/responses/',
  '/api/v1/responses/tfl%3Acentral',
  '/api/v1/displays/me/routes',
  '/api/v1/displays/me/jobs',
  '/api/v1/displays/me/changes?screen=board',
  '/api/v1/watches/w1/matches?hours=12',
])('keeps %s for its session', (url) => {
  expect(keptAs(request(url), HERE)).toBe('board');
});

it.each([
  ['/api/v1/events/viewport?north=54&south=53&east=-1&west=-2', 'views'],
  ['/api/v1/disruptions/?north=54&south=53&east=-1&west=-2&limit=200', 'views'],
  ['/api/v1/disruptions/national-highways%3A12', 'alerts'],
  ['/api/v1/disruptions/signs%2FM6-1', 'alerts'],
  ['/api/v1/events/sample-7', 'events'],
  ['/api/v1/events/a%2Fb', 'events'],
  ['/api/v1/events/viewport-7', 'events'],
  ['/api/v1/events/categories', 'events'],
  ['/api/v1/geocode/search?query=leeds&limit=5', 'places'],
  ['/api/v1/geocode/search?query=Tokenhouse+Yard&limit=5', 'places'],
])('keeps %s for its session, separate from the board: %s', (url, kept) => {
  expect(keptAs(request(url), HERE)).toBe(kept);
  expect(keptAs(request(url, { scope: '' }), HERE)).toBeNull();
});

it.each([
  ['https://tile.openstreetmap.org/6/31/20.png', 'tiles'],
  ['https://tiles.example/style/12/2034/1323@2x.webp?key=1', 'tiles'],
  ['/tiles/6/31/20', 'tiles'],
  ['https://tiles.example/api/6/31/20.png', 'tiles'],
  ['https://tiles.example/6/31/20.png?token=abc', null],
  ['https://tiles.example/tile.png', null],
  ['/api/v1/events/6/31/20', null],
])('keeps a tile by its three numbers: %s', (url, kept) => {
  expect(keptAs(request(url, { scope: '' }), HERE)).toBe(kept);
});

it('keeps no opaque answer: each would cost 7 MB of the quota', () => {
  const tile = new Request('https://tiles.example/6/31/20.png', { mode: 'no-cors' });
  expect(keptAs(tile, HERE)).toBeNull();
});

it.each([
  '/api/v1/auth/me',
  '/api/v1/keys/',
  '/api/v1/admin/users',
  '/api/v1/analytics/overview',
  '/api/v1/watches/suggest?q=m1',
  '/api/v1/displays/d1/routes',
  '/api/v1/displays/d1/jobs',
  '/api/v1/watches/w1/explain/national-highways:1',
  '/api/v1/teams',
  '/api/v1/disruptions/stats',
  '/api/v1/disruptions/collectors/status',
  '/api/v1/events',
  '/api/v1/events/viewport',
  '/api/v1/events/venues/towns',
  '/api/v1/watches/w1.json',
  '/api/v1/watches/w1.ics',
  '/api/v1/addresses?watch_id=w1',
  '/api/v1/channels',
  '/api/v1/channels/told?watch_id=w1',
  '/api/v1/messages',
  '/api/v1/addresses',
  '/api/v1/disruptions.json',
  '/api/v1/disruptions.sse',
  '/f/w9JbmV2ZXItbWluZA.ics',
  '/f/w9JbmV2ZXItbWluZA.json',
  '/p/w9JbmV2ZXItbWluZA',
  '/docs',
  '/docs?token=abc',
  '/healthz',
  '/',
  '/api/v1/feeds/?token=abc',
  '/api/v1/feeds/?access_token=abc',
  '/api/v1/feeds/?refreshToken=abc',
  '/api/v1/feeds/?include_events=true&%74oken=abc',
  '/config.json?token=abc',
  'https://elsewhere.example/api/v1/feeds/',
])('keeps nothing of %s', (url) => {
  expect(keptAs(request(url), HERE)).toBeNull();
});

it.each(['authorization', 'x-clearway-scope'])('never keeps a request with %s as a tile', (header) => {
  for (const url of ['https://tile.openstreetmap.org/6/31/20.png', '/tiles/6/31/20']) {
    const authorised = new Request(new URL(url, HERE.app), { headers: { [header]: 'anna' } });
    expect(keptAs(authorised, HERE)).toBeNull();
  }
});

it('keeps only GET requests, and only with an owner', () => {
  expect(keptAs(request('/api/v1/feeds/', { method: 'POST' }), HERE)).toBeNull();
  expect(keptAs(request('/api/v1/feeds/', { scope: '' }), HERE)).toBeNull();
});

it('leaves a stream alone: it would end with the worker', () => {
  const stream = request('/api/v1/disruptions.sse', { scope: '' });
  expect([keptAs(stream, HERE), carriesScope(stream)]).toEqual([null, false]);
});

it('keeps the server’s settings for everybody', () => {
  expect(keptAs(request('/config.json', { scope: '' }), HERE)).toBe('settings');
  expect(keptAs(request('https://api.example/config.json', { scope: '' }), FOREIGN)).toBeNull();
});

it('recognises the API on another host, also below a path', () => {
  expect(keptAs(request('https://api.example/api/v1/feeds/'), FOREIGN)).toBe('board');
  expect(keptAs(request('https://api.example/clearway/api/v1/feeds/'), FOREIGN)).toBe('board');
  expect(keptAs(request('/api/v1/feeds/'), FOREIGN)).toBeNull();
});

/** Whether the worker answers with the app when somebody opens this address. */
const isPage = (path: string) => {
  const opened = { mode: 'navigate' } as Request; // none can be made by hand
  const url = new URL(path, HERE.app);
  return pages(async () => new Response()).match({
    url,
    request: opened,
    event: newEvent(opened),
    sameOrigin: true,
  });
};

it.each([
  '/',
  '/dashboard',
  '/disruptions?display=wall',
  '/events/7/venue',
  '/api-keys',
  '/documents',
  '/nowhere',
])('answers %s with the app', (path) => expect(isPage(path)).toBe(true));

it.each([
  '/api',
  '/api/v1/events',
  '/docs',
  '/docs/',
  '/docs?token=abc',
  '/docs/static/index.html',
  '/openapi.json',
  '/config.json',
  '/healthz',
  '/readyz',
  '/f/w9JbmV2ZXItbWluZA.rss',
  '/p/w9JbmV2ZXItbWluZA',
  '/assets/app-older.js',
])('leaves %s to the server', (path) => expect(isPage(path)).toBe(false));

it('answers any event’s page with the app, and keeps its record, whatever its id holds', () => {
  fc.assert(
    fc.property(oddName, (id) => {
      expect(isPage(pageAddressOf('event', id))).toBe(true);
      expect(isPage(pageAddressOf('venue', id))).toBe(true);
      expect(keptAs(request(`/api/v1/${apiPath`events/${id}`}`), HERE)).toBe('events');
    }),
    withOddNames(200),
  );
});
