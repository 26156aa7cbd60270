import { afterEach, beforeEach, expect, it } from 'vitest';
import { COLLECTORS } from '../../../server/sources/allSources.ts';
import { collections } from '../../../server/incidents/collectionState.ts';
import { openDatabase, openMemoryDatabase } from '../../../server/db/open.ts';
import { makeMetrics, type Metrics } from '../../../server/operate/metrics.ts';
import { createPostgresDatabase } from '../../support/databases.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';

const TOKEN = 'a-token-of-the-tests-1234';
const MINUTE_MS = 60_000;

let test: TestApp;
let metrics: Metrics;
let faults: string[];

beforeEach(async () => {
  faults = [];
  const opened = await openMemoryDatabase();
  metrics = makeMetrics({
    db: opened.db,
    engine: 'sqlite',
    collectors: COLLECTORS,
    settings: {},
    now: () => test.now(),
    log: { error: (_: unknown, message?: string) => void faults.push(message ?? '') },
  });
  test = await openTestApp({
    open: async () => opened,
    routes(app) {
      metrics.count(app);
      metrics.serve(app, TOKEN);
    },
  });
});
afterEach(async () => {
  metrics.stop();
  await test.close();
});

const ask = (authorization?: string) =>
  test.app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} });
/** Figures by name and labels. */
async function figures(): Promise<Record<string, number>> {
  const text = await metrics.text();
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

it('are given to callers with the token, and to nobody else', async () => {
  for (const wrong of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`])
    expect((await ask(wrong)).statusCode, wrong).toBe(401);
  const reply = await ask(`Bearer ${TOKEN}`);
  expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(reply.headers['content-type']).toContain('text/plain');
  expect(reply.body).toContain('clearway_database_up 1');
  expect((await test.get('/metrics?token=' + TOKEN)).statusCode).toBe(401);
});

it('are nowhere without a setting', async () => {
  const plain = await openTestApp();
  const reply = await plain.app.inject({ url: '/metrics', headers: { accept: 'text/html' } });
  expect(reply.statusCode).toBe(404);
  await plain.close();
});

it('on a port of their own are for this machine alone', async () => {
  const { port, address, close } = await metrics.listen(0);
  expect(address).toBe('127.0.0.1');
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await reply.text()).toContain('clearway_source_standing');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
  await close();
});

it('count requests by their route, however many addresses people make up', async () => {
  for (const id of ['a', 'b', 'c']) await test.get(`/api/v1/feeds/${id}`);
  await test.get('/healthz');
  const known = await figures();
  expect(known['clearway_http_requests_total{method="GET",route="/healthz",status="200"}']).toBe(1);
  expect(known['clearway_http_requests_total{method="GET",route="/api/v1/feeds/:slug",status="401"}']).toBe(
    3,
  );
  expect(known['clearway_http_request_seconds_count{route="/healthz"}']).toBe(1);
  expect(known['nodejs_eventloop_lag_seconds']).toBeGreaterThanOrEqual(0);
});

it('say how old each source is, how often it failed, and what the database holds', async () => {
  await poll(test.db, 'tfl', [record('tfl:1', { severity: 'high' })], test.now());
  test.pass(3 * MINUTE_MS);
  await collections(test.db).ensure('ea-flood', true);
  await collections(test.db).noteFailure('ea-flood', { now: test.now(), nextRun: null, error: 'no answer' });
  const known = await figures();
  expect(known['clearway_source_age_seconds{source="tfl"}']).toBe(180);
  expect(known['clearway_source_age_seconds{source="ea-flood"}']).toBeUndefined();
  expect(known['clearway_source_failures{source="ea-flood"}']).toBe(1);
  expect(known['clearway_source_standing{source="ea-flood",standing="failing"}']).toBe(1);
  expect(known['clearway_source_standing{source="ea-flood",standing="working"}']).toBe(0);
  expect(known['clearway_alerts_active{source="tfl",severity="high"}']).toBe(1);
  expect(known['clearway_database_bytes']).toBeGreaterThan(100_000);
  expect(known['clearway_displays_seen']).toBe(0);
  expect(known['clearway_messages_waiting']).toBe(0);
  expect(known['clearway_summary_tokens_today']).toBe(0);
});

it('go on without the database, and say so', async () => {
  await metrics.text();
  await test.db.schema.dropTable('polls').execute();
  const known = await figures();
  expect(known['clearway_database_up']).toBe(0);
  expect(known['clearway_database_bytes']).toBeUndefined();
  expect(known['process_cpu_seconds_total']).toBeGreaterThan(0);
  expect(faults).toEqual(['Could not read the figures of the database']);
});

it('know the size of a PostgreSQL database too', async () => {
  const { url, drop } = await createPostgresDatabase();
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
  const own = makeMetrics({
    db,
    engine: 'postgres',
    collectors: COLLECTORS,
    settings: {},
    now: () => new Date(),
    log: { error: (_: unknown, message?: string) => void faults.push(message ?? '') },
  });
  expect(Number(/^clearway_database_bytes (\d+)$/m.exec(await own.text())?.[1])).toBeGreaterThan(1_000_000);
  own.stop();
  await close();
  await drop();
});
