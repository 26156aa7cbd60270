import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { trackView } from '../../../../src/api/accounts/analytics.ts';
import { listSources, sourceEvents } from '../../../../src/api/alerts/disruptions.ts';
import { failureText } from '../../../../src/api/http.ts';
import { listFeeds } from '../../../../src/api/alerts/feeds.ts';
import { json, startFakeServer } from '../fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  const { access_token, refresh_token, session_id } = server.signedIn();
  localStorage.setItem('access_token', access_token);
  localStorage.setItem('refresh_token', refresh_token);
  localStorage.setItem('session_id', session_id);
});
afterEach(() => vi.unstubAllGlobals());

it('reads the board with its events, and a row whose parts are missing is still a row', async () => {
  server.answers.set('feeds/', ({ query }) =>
    query.get('include_events') === 'true'
      ? json(
          200,
          {
            feeds: [
              {
                feed: { slug: 'rail-network', alert_count: 1 },
                summary: { text: 'One line is shut.' },
                events: [{ event_id: 'tfl:1' }],
              },
              { feed: { slug: 'roads-uk' } },
              { feed: { slug: 'aviation' }, summary: 'odd', events: 'odd' },
              { feed: {} },
            ],
          },
          { date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
        )
      : json(422, { detail: 'include_events expected' }),
  );
  const { data, fetchedAt, copyBecause } = await listFeeds();
  expect(data.rows.map(({ feed, summary, events }) => [feed.slug, summary?.text, events.length])).toEqual([
    ['rail-network', 'One line is shut.', 1],
    ['roads-uk', undefined, 0],
    ['aviation', undefined, 0],
  ]);
  expect([fetchedAt.toISOString(), copyBecause]).toEqual(['2026-11-21T12:00:00.000Z', null]);
  expect(data.outlook).toEqual({ nextUp: null, lastCriticalCleared: null });
});

it('reads the next expected times, without those that it cannot read', async () => {
  const clears = {
    at: '2026-11-21T14:00:00.000Z',
    kind: 'clears',
    place: 'M62, J26 to J27',
    what: 'expected clear',
  };
  server.answers.set('feeds/', () =>
    json(200, {
      feeds: [],
      next_up: [clears, 'a word'],
      last_critical_cleared: '2026-11-21T11:48:00.000Z',
    }),
  );
  const { data } = await listFeeds();
  expect(data.outlook).toEqual({ nextUp: [clears], lastCriticalCleared: '2026-11-21T11:48:00.000Z' });
});

it('asks one source for twelve events', async () => {
  server.answers.set('disruptions/sources/met%2Fpolice', ({ query }) =>
    json(200, { events: [{ event_id: 'a' }], total: 1, limit: query.get('limit') }),
  );
  const { data } = await sourceEvents('met/police');
  expect(data).toMatchObject({ events: [{ event_id: 'a' }], total: 1, limit: '12' });
});

it('reads the source directory as an object and as a bare array', async () => {
  server.answers.set('disruptions/sources', () =>
    json(200, { sources: [{ source: 'tfl', event_count: 2 }] }),
  );
  expect(await listSources()).toEqual([{ source: 'tfl', event_count: 2 }]);
  server.answers.set('disruptions/sources', () => json(200, [{ source: 'tfl', last_collected: null }]));
  expect(await listSources()).toEqual([{ source: 'tfl', last_collected: null }]);
});

it('reports a view with the session’s id, and ignores any failure', async () => {
  server.answers.set('analytics/events', () => new Response(null, { status: 204 }));
  await trackView('disruptions_board_viewed');
  expect(server.callsTo('analytics/events')[0]?.body).toEqual({
    event_type: 'disruptions_board_viewed',
    event_category: 'navigation',
    session_id: 'session-1',
  });
  server.line = 'cut';
  await expect(trackView('map_viewed')).resolves.toBeUndefined();
});

it('shows the server’s message when there is one, otherwise ours', async () => {
  const messageShown = async () =>
    failureText(await listFeeds().catch((error: unknown) => error), 'Unable to load AI feed summaries');
  server.answers.set('feeds/', () => json(403, { detail: 'Your account is disabled.' }));
  expect(await messageShown()).toBe('Your account is disabled.');
  server.answers.set('feeds/', () => json(403, { detail: '' }));
  expect(await messageShown()).toBe('Unable to load AI feed summaries');
  server.line = 'cut';
  expect(await messageShown()).toBe('Unable to load AI feed summaries');
});
