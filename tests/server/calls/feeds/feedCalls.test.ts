import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FeedBundle, FeedEvents, FeedList, FEEDS, Summary } from '#contract/feeds/feeds.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { startSummaries } from '../../../../server/feeds/summaries/summarise.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { COLLECTORS, poll, record } from '../../feedsWorld.ts';

let test: TestApp;
let token: string;

beforeEach(async () => {
  test = await openTestApp({ collectors: COLLECTORS });
  await test.addUser();
  token = (await test.signIn()).access_token;
});
afterEach(() => test.close());

const url = (path: string) => `/api/v1/feeds${path}`;
const get = async (path: string) => {
  const reply = await test.get(url(path), token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<unknown>();
};
const roads = (count: number, changes: Parameters<typeof record>[1] = {}, first = 0) =>
  Array.from({ length: count }, (_, n) => record(`national-highways:${first + n}`, changes));

async function summarise(): Promise<void> {
  const summaries = startSummaries({
    db: test.db,
    collectors: COLLECTORS,
    now: test.now,
    log: { warn: () => {}, error: (fields) => expect.unreachable(JSON.stringify(fields)) },
  });
  await summaries.remake();
  await summaries.stop();
}

it('each GET is for signed-in callers only', async () => {
  const cases = [
    '/',
    '/?include_events=true',
    '/roads-uk',
    '/roads-uk/summary',
    '/roads-uk/events',
    '/no-such-feed',
  ];
  for (const path of cases) {
    const reply = await test.get(url(path));
    expect(reply.statusCode, path).toBe(401);
    expect(reply.json(), path).toMatchObject({ detail: expect.any(String) });
  }
});

describe('GET /', () => {
  it('lists all feeds in their order before anything is collected, and none of them calm', async () => {
    const { feeds, total } = FeedList.parse(await get('/?include_events=true'));
    expect(total).toBe(5);
    expect(feeds.map(({ feed }) => feed.slug)).toEqual(FEEDS.map(({ slug }) => slug));
    for (const { feed, summary, events } of feeds) {
      expect({ summary, events }).toEqual({ summary: null, events: [] });
      expect(feed).toMatchObject({
        alert_count: 0,
        last_updated: null,
        oldest_collected: null,
        freshness: null,
      });
    }
    expect(feeds.find(({ feed }) => feed.slug === 'aviation')!.feed.sources).toEqual([
      {
        source: 'airport-status',
        event_count: 0,
        last_collected: null,
        state: 'not_configured',
        freshness: null,
      },
    ]);
  });

  it('sends events only when they are asked for', async () => {
    await poll(test.db, 'national-highways', roads(3), test.now());
    const events = async (query: string) =>
      FeedList.parse(await get(`/${query}`)).feeds.flatMap((bundle) =>
        bundle.events.map(({ event_id }) => event_id),
      );
    const all = ['national-highways:0', 'national-highways:1', 'national-highways:2'];
    expect(await events('?include_events=true')).toEqual(all);
    expect(await events('?include_events=1')).toEqual(all);
    expect(await events('')).toEqual([]);
    expect(await events('?include_events=false')).toEqual([]);
  });

  it('refuses what is neither true nor false, in words', async () => {
    for (const value of ['maybe', '']) {
      const reply = await test.get(url(`/?include_events=${value}`), token);
      expect(reply.statusCode).toBe(422);
      expect(reply.json()).toMatchObject({ detail: 'include_events must be true or false' });
    }
  });

  it('carries the summary, marked stale until it is made again', async () => {
    await poll(test.db, 'national-highways', roads(1, { severity: 'high', title: 'M6 closed' }), test.now());
    await summarise();
    const summary = async () =>
      FeedList.parse(await get('/')).feeds.find(({ feed }) => feed.slug === 'roads-uk')!.summary!;

    const first = await summary();
    expect(first).toMatchObject({
      text: expect.stringMatching(/^1 high alert on UK roads\. M6 closed\. /),
      model: 'clearway-extract-1',
      tokens: { prompt: 0, completion: 0 },
      event_ids: ['national-highways:0'],
      event_count: 1,
      stale: false,
    });

    test.pass(60_000);
    await poll(test.db, 'national-highways', [], test.now());
    expect(await summary()).toEqual({ ...first, stale: true });
    await summarise();
    expect(await summary()).toMatchObject({ stale: false, text: expect.stringMatching(/^No active alerts/) });
  });

  it('marks a summary stale when its feed is too old to rely on, even with nothing written', async () => {
    await poll(test.db, 'national-highways', [], test.now());
    await summarise();
    const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === 'national-highways')!;
    test.pass(maxAgeMinutes * 60_000 + 1);
    token = (await test.signIn()).access_token;
    const { feed, summary } = FeedBundle.parse(await get('/roads-uk'));
    expect(feed.freshness).toBe('stale');
    expect(summary!.stale).toBe(true);
  });
});

describe('the alerts of a feed', () => {
  it('are at most 20, active ones before planned ones, worst first, and only active ones count', async () => {
    await poll(
      test.db,
      'national-highways',
      [
        ...roads(12, { severity: 'low' }),
        ...roads(3, { severity: 'critical', phase: 'planned' }, 100),
        ...roads(4, { severity: 'critical' }, 200),
        ...roads(6, { severity: 'medium', phase: 'planned' }, 300),
      ],
      test.now(),
    );
    const { feed, events } = FeedBundle.parse(await get('/roads-uk'));
    expect(feed.alert_count).toBe(16);
    expect(feed.sources[0]).toMatchObject({ source: 'national-highways', event_count: 16 });
    expect(events.map(({ metadata, severity }) => `${metadata.phase} ${severity}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'active critical'),
      ...Array.from({ length: 12 }, () => 'active low'),
      ...Array.from({ length: 3 }, () => 'planned critical'),
      'planned medium',
    ]);
  });

  it('leave out rail operators that run normally', async () => {
    await poll(
      test.db,
      'nsi-service',
      [
        record('nsi-service:VT', { severity: 'high', event_type: 'rail.operator_status' }),
        record('nsi-service:GW', { severity: 'low', event_type: 'rail.operator_status', kind: 'status' }),
      ],
      test.now(),
    );
    const { feed, events } = FeedBundle.parse(await get('/rail-network'));
    expect(feed.alert_count).toBe(1);
    expect(events.map(({ event_id }) => event_id)).toEqual(['nsi-service:VT']);
  });

  it('leave out a source that is no longer connected', async () => {
    await poll(test.db, 'national-highways', roads(3), test.now());
    await collections(test.db).ensure('national-highways', false);
    const { feed, events } = FeedBundle.parse(await get('/roads-uk'));
    expect({ alert_count: feed.alert_count, freshness: feed.freshness, events }).toEqual({
      alert_count: 0,
      freshness: null,
      events: [],
    });
  });

  it('stay, with their age, while the source fails', async () => {
    await poll(test.db, 'national-highways', roads(2), test.now());
    const collectedAt = test.now().toISOString();
    test.pass(14 * 60_000);
    for (let n = 0; n < 3; n++) {
      await collections(test.db).noteFailure('national-highways', {
        now: test.now(),
        nextRun: null,
        error: 'gone',
      });
    }
    const { feed, events } = FeedBundle.parse(await get('/roads-uk'));
    expect(events.map(({ collected_at }) => collected_at)).toEqual([collectedAt, collectedAt]);
    expect(feed).toMatchObject({ alert_count: 2, last_updated: collectedAt, oldest_collected: collectedAt });
    expect(feed.sources[0]).toMatchObject({ state: 'failing', last_collected: collectedAt });
  });
});

describe('one feed', () => {
  it('is given whole, or without its events', async () => {
    await poll(test.db, 'national-highways', roads(2), test.now());
    expect(FeedBundle.parse(await get('/roads-uk')).events).toHaveLength(2);
    expect(FeedBundle.parse(await get('/roads-uk/')).events).toHaveLength(2);
    expect(FeedBundle.parse(await get('/roads-uk?include_events=false')).events).toHaveLength(0);
  });

  it('has its summary, null before there is one', async () => {
    expect(await get('/roads-uk/summary')).toBeNull();
    await summarise();
    expect(Summary.parse(await get('/roads-uk/summary')).text).toContain('UK roads');
  });

  it('has its events, as many as are asked for', async () => {
    await poll(
      test.db,
      'national-highways',
      [...roads(25), ...roads(3, { phase: 'planned' }, 100)],
      test.now(),
    );
    const events = async (query: string) => FeedEvents.parse(await get(`/roads-uk/events${query}`));
    expect((await events('')).events).toHaveLength(20);
    expect(await events('?limit=2')).toMatchObject({ events: [{}, {}], total: 25 });
    expect((await events('?limit=2')).events).toHaveLength(2);

    await poll(
      test.db,
      'national-highways',
      [...roads(5), ...roads(3, { phase: 'planned' }, 100)],
      test.now(),
    );
    expect((await events('?limit=1')).total).toBe(8);
  });

  it('refuses a limit out of bounds in words', async () => {
    const cases = [
      ['0', 'limit must be at least 1'],
      ['21', 'limit must be at most 20'],
      ['-1', 'limit must be at least 1'],
      ['1.5', 'limit must be a whole number'],
      ['ten', 'limit must be a whole number'],
      ['1e99', expect.stringMatching(/^limit must be/)],
    ] as const;
    for (const [limit, detail] of cases) {
      const reply = await test.get(url(`/roads-uk/events?limit=${limit}`), token);
      expect(reply.statusCode, limit).toBe(422);
      expect(reply.json(), limit).toMatchObject({ detail });
    }
  });

  it('says that there is no such feed', async () => {
    const cases = ['/no-such-feed', '/no-such-feed/summary', '/no-such-feed/events'];
    for (const path of cases) {
      const reply = await test.get(url(path), token);
      expect(reply.statusCode, path).toBe(404);
      expect(reply.json(), path).toMatchObject({ detail: "Feed 'no-such-feed' not found" });
    }
  });

  it('knows no odd name', async () => {
    const cases = ['/toString', '/__proto__', '/constructor/events', '/%00', '/%E2%80%AE'];
    for (const path of cases) {
      expect((await test.get(url(path), token)).statusCode, path).toBe(404);
    }
  });
});

describe('an answer', () => {
  const ask = (headers: Record<string, string>, path = '/?include_events=true') =>
    test.app.inject({ url: url(path), headers: { authorization: `Bearer ${token}`, ...headers } });

  beforeEach(() => poll(test.db, 'national-highways', roads(20), test.now()));

  it('comes in the encoding that the caller likes best', async () => {
    const plain = await ask({});
    const gzipped = await ask({ 'accept-encoding': 'gzip, deflate' });
    const brotlied = await ask({ 'accept-encoding': 'gzip, deflate, br' });

    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(brotlied.headers['content-encoding']).toBe('br');
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(plain.body);
    expect(brotliDecompressSync(brotlied.rawPayload).toString()).toBe(plain.body);
    for (const reply of [plain, gzipped, brotlied]) {
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(reply.headers['vary']).toBe('Accept-Encoding');
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length);
    }
    expect(brotlied.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  });

  it('is not sent again to a caller that has it until it changes', async () => {
    const first = await ask({ 'accept-encoding': 'br' });
    const known = { 'accept-encoding': 'br', 'if-none-match': String(first.headers['etag']) };
    const second = await ask(known);
    expect(second.statusCode).toBe(304);
    expect(second.body).toBe('');
    expect(second.headers).toMatchObject({ etag: first.headers['etag'], vary: 'Accept-Encoding' });
    expect((await ask({ 'if-none-match': known['if-none-match'] })).statusCode).toBe(200);

    await poll(test.db, 'national-highways', roads(19), test.now());
    const third = await ask(known);
    expect(third.statusCode).toBe(200);
    expect(third.headers['etag']).not.toBe(first.headers['etag']);
  });

  it('varies by origin too if other sites may call', async () => {
    const open = await openTestApp({ config: { corsOrigins: ['https://app.example'] } });
    await open.addUser();
    const { access_token } = await open.signIn();
    const reply = await open.app.inject({
      url: url('/'),
      headers: { authorization: `Bearer ${access_token}`, origin: 'https://app.example' },
    });
    expect(String(reply.headers['vary']).split(', ').toSorted()).toEqual(['Accept-Encoding', 'Origin']);
    await open.close();
  });
});
