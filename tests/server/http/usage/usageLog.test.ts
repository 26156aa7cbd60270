import fastify from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AnalyticsOverview, ApiUsage } from '#contract/accounts/analytics.ts';
import { DEVICE_CODE_GRANT } from '#contract/displays/displays.ts';
import { openMemoryDatabase } from '../../../../server/db/open.ts';
import { usage } from '../../../../server/http/usage/usage.ts';
import { noteAnswers } from '../../../../server/http/calls/answered.ts';
import { addUsageLog } from '../../../../server/http/usage/usageLog.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VIEWED = { event_type: 'map_viewed', event_category: 'navigation' };

let test: TestApp;
let token: string;

const overview = async () => (await test.get('/api/v1/analytics/overview', token)).json<AnalyticsOverview>();
const calls = async (query = '') =>
  (await test.get(`/api/v1/analytics/api-usage${query}`, token)).json<ApiUsage>();

beforeEach(async () => {
  test = await openTestApp({ config: { keyLimits: { free: 1, pro: 50_000, enterprise: null } } });
  await test.addUser({ email: 'ada@clearway.example', display_name: 'Ada', role: 'admin' });
  token = (await test.signIn({ email: 'ada@clearway.example' })).access_token;
});
afterEach(async () => {
  vi.useRealTimers();
  await test.close();
});

it('counts each call by its route, with its answer and its caller, and no more', async () => {
  test.pass(1000);
  await test.get('/api/v1/feeds/roads-uk?secret=x', token);
  test.pass(1000);
  await test.get('/api/v1/feeds/?include_events=true');
  test.pass(1000);
  await test.get('/api/v1/events/opera/1', token);
  test.pass(1000);
  await test.get('/api/v1/no-such/place');

  const { usage: rows, total } = await calls();
  expect(
    rows.map((row) =>
      [row.method, row.endpoint, row.status_code, row.user_email ?? '-', row.auth_type].join(' '),
    ),
  ).toEqual([
    'GET /api/v1/events/{event_id} 404 ada@clearway.example session',
    'GET /api/v1/feeds/{slug} 422 ada@clearway.example session',
  ]);
  expect(total).toBe(2);
  // Requests of strangers are only in the sums.
  expect((await overview()).api_requests_last_24_hours).toBe(6);
  expect(JSON.stringify(rows)).not.toContain('secret');
  expect(rows.every(({ response_time_ms }) => response_time_ms >= 0)).toBe(true);
});

it('counts a refused call for its caller, or for nobody if the credential is no longer valid', async () => {
  await test.addUser();
  const rosa = (await test.signIn()).access_token;
  const { key } = (await test.post('/api/v1/keys/', { name: 'Hammer', tier: 'free' }, rosa)).json();
  const { user_code, device_code } = (await test.post('/api/v1/displays/device_authorization')).json();
  await test.post('/api/v1/displays/pairing/approve', { user_code, name: 'Foyer' }, rosa);
  const display = (
    await test.post('/api/v1/displays/token', { grant_type: DEVICE_CODE_GRANT, device_code })
  ).json().access_token;
  await test.get('/api/v1/feeds/', key); // all that the key may today

  const refused = async (path: string, credential: string) => {
    test.pass(1000);
    await test.get(path, credential);
  };
  const beat = async (credential: string) => {
    test.pass(1000);
    await test.post('/api/v1/displays/heartbeat', {}, credential);
  };
  await refused('/api/v1/feeds/', key);
  await refused('/api/v1/events', key);
  await refused('/api/v1/keys/', key);
  await beat(key);
  await refused('/api/v1/admin/users', rosa);
  await beat(rosa);
  await refused('/api/v1/events', display);
  await refused('/api/v1/keys/', display);
  await test.db.updateTable('users').set({ is_active: 0 }).where('display_name', '=', 'Rosa').execute();
  await refused('/api/v1/feeds/', key);
  await refused('/api/v1/keys/', key);
  await refused('/api/v1/feeds/', rosa);

  const { usage: rows } = await calls();
  expect(
    rows
      .filter(({ status_code }) => status_code >= 400)
      .map((row) => [row.endpoint, row.status_code, row.user_email ?? '-', row.auth_type].join(' '))
      .toReversed(),
  ).toEqual([
    '/api/v1/feeds 429 rosa@coaches.example api_key',
    '/api/v1/events 429 rosa@coaches.example api_key',
    '/api/v1/keys 403 rosa@coaches.example api_key',
    '/api/v1/displays/heartbeat 403 rosa@coaches.example api_key',
    '/api/v1/admin/users 403 rosa@coaches.example session',
    '/api/v1/displays/heartbeat 403 rosa@coaches.example session',
    '/api/v1/events 403 - display',
    '/api/v1/keys 403 - display',
  ]);
});

it('counts the last 24 hours and the last 7 days', async () => {
  await test.addUser();
  const before = await overview();
  expect([before.logins_last_7_days, before.active_users_last_24_hours]).toEqual([1, 1]);

  test.pass(30 * HOUR);
  token = (await test.signIn({ email: 'ada@clearway.example' })).access_token;
  const rosa = await test.signIn();
  for (let n = 0; n < 3; n++) await test.get('/api/v1/feeds/', rosa.access_token);
  test.pass(1000);
  await test.post('/api/v1/analytics/events', VIEWED, rosa.access_token);

  const now = await overview();
  expect(now.logins_last_7_days).toBe(3);
  expect(now.logins_by_day.map(({ day, count }) => `${day} ${count}`).slice(-2)).toEqual([
    '2026-11-21 1',
    '2026-11-22 2',
  ]);
  expect(now.active_users_last_24_hours).toBe(2);
  expect(now.api_requests_last_24_hours).toBe(6);
  expect(now.requests_by_hour.at(-1)).toEqual({ hour: '2026-11-22T15:00:00.000Z', count: 6, failed: 0 });
  expect(now.requests_by_hour).toHaveLength(24);
  expect(now.top_endpoints_last_24_hours[0]).toMatchObject({
    method: 'GET',
    endpoint: '/api/v1/feeds',
    count: 3,
  });
  expect(now.recent_events[0]).toMatchObject({ display_name: 'Rosa', ...VIEWED });

  test.pass(8 * 24 * HOUR);
  token = (await test.signIn({ email: 'ada@clearway.example' })).access_token;
  expect((await overview()).logins_last_7_days).toBe(1);
});

it('shows at most as many calls as are asked for, newest first', async () => {
  for (let n = 0; n < 60; n++) {
    test.pass(1000);
    await test.get('/api/v1/feeds/', token);
  }
  expect((await calls()).usage).toHaveLength(50);
  const { usage: rows } = await calls('?limit=3');
  expect(rows).toHaveLength(3);
  expect(rows[0]!.created_at > rows[2]!.created_at).toBe(true);
  for (const limit of ['0', '501', 'x', '1.5']) {
    expect((await test.get(`/api/v1/analytics/api-usage?limit=${limit}`, token)).statusCode).toBe(422);
  }
});

it('does not accept a sign-in event from the app', async () => {
  const reply = await test.post(
    '/api/v1/analytics/events',
    { event_type: 'login', event_category: 'session' },
    token,
  );
  expect([reply.statusCode, reply.json().detail]).toEqual([
    422,
    'event_category session may be written only by the server',
  ]);
  expect((await overview()).logins_last_7_days).toBe(1);
});

it('is written when the server stops', async () => {
  const kept = await openMemoryDatabase();
  const other = await openTestApp({ open: async () => ({ db: kept.db, close: async () => {} }) });
  await other.addUser();
  await other.get('/api/v1/auth/me', (await other.signIn()).access_token);
  await other.close();
  expect((await usage(kept.db).recentCalls(10)).total).toBe(1);
  await kept.close();
});

/** Calls of strangers have no rows. */
const SOMEBODY = { type: 'display', displayId: 'hall' } as never;

it('drops only the oldest calls when too many wait for the database', async () => {
  const { db, close } = await openMemoryDatabase();
  const app = fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => void (request.caller = SOMEBODY));
  const logged: unknown[] = [];
  const log = { error: (fields: object) => void logged.push(fields) };
  noteAnswers(app);
  const { flush } = addUsageLog(app, { db, now: test.now, log: log as never, mostWaiting: 3 });
  for (let n = 1; n <= 5; n++) app.get(`/api/${n}`, async () => 'done');

  await db.schema.alterTable('api_calls').renameTo('away').execute();
  const ask = async (n: number) => {
    test.pass(1000);
    await app.inject(`/api/${n}`);
  };
  for (const n of [1, 2, 3]) {
    await ask(n);
    await flush();
  }
  let flushed: Promise<void> | undefined;
  await db.transaction().execute(async () => {
    // It waits for the database, and these two come meanwhile.
    flushed = flush();
    for (const n of [4, 5]) await ask(n);
  });
  await flushed;
  expect(logged).toHaveLength(4);
  await db.schema.alterTable('away').renameTo('api_calls').execute();
  await flush();

  const { usage: rows } = await usage(db).recentCalls(10);
  expect(rows.map(({ endpoint }) => endpoint)).toEqual(['/api/5', '/api/4', '/api/3']);
  await app.close();
  await close();
});

it('does not try at every call again while the database cannot be written', async () => {
  const { db, close } = await openMemoryDatabase();
  const app = fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => void (request.caller = SOMEBODY));
  const problems: unknown[] = [];
  const log = { error: (fields: object) => void problems.push(fields) };
  noteAnswers(app);
  const { flush } = addUsageLog(app, { db, now: test.now, log: log as never });
  app.get('/api/1', async () => 'done');

  await db.schema.alterTable('api_calls').renameTo('away').execute();
  for (let call = 0; call < 520; call++) await app.inject('/api/1');
  await flush();
  expect(problems.length).toBeLessThan(10); // at 500 calls, by the timer, and just now, but not at each of the last 20

  await db.schema.alterTable('away').renameTo('api_calls').execute();
  await flush();
  expect(await usage(db).recentCalls(1000)).toMatchObject({ total: 520 });
  await app.close();
  await close();
});

it('tries no more once the service has closed', async () => {
  const { db, close } = await openMemoryDatabase();
  const app = fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => void (request.caller = SOMEBODY));
  noteAnswers(app);
  addUsageLog(app, { db, now: test.now, log: { error: () => {} } as never });
  app.get('/api/1', async () => 'done');
  await db.schema.alterTable('api_calls').renameTo('away').execute();
  await app.ready();

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await app.inject('/api/1');
  expect(vi.getTimerCount()).toBe(1);
  await app.close();
  expect(vi.getTimerCount()).toBe(0);
  await close();
});

it('survives a database that cannot be written for a while', async () => {
  await test.get('/api/v1/feeds/', token);
  await overview();
  await test.db.schema.alterTable('api_calls').renameTo('away').execute();
  await test.get('/api/v1/feeds/', token);
  await overview();
  await test.db.schema.alterTable('away').renameTo('api_calls').execute();
  const { top_endpoints_last_24_hours: top } = await overview();
  expect(top.find(({ endpoint }) => endpoint === '/api/v1/feeds')?.count).toBe(2);
  expect((await calls()).usage.filter(({ endpoint }) => endpoint === '/api/v1/feeds')).toHaveLength(2);
});
