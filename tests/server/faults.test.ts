/** Faults of the disk, the database and the network, one by one: words for the caller, no crash, and recovery by
 *  itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedList } from '#contract/feeds/feeds.ts';
import { collections } from '../../server/incidents/collectionState.ts';
import { DATABASE_FILE, type Db, openDatabase } from '../../server/db/open.ts';
import type { Collector } from '../../server/incidents/collector.ts';
import { downloader } from '../../server/http/documents/download.ts';
import { type Schedule, startSchedule } from '../../server/sources/polling/pollRunners.ts';
import { runHousekeeping } from '../../server/operate/housekeeping.ts';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import { createPostgresDatabase } from '../support/databases.ts';
import { openTestApp, type TestApp } from './app/testApp.ts';
import { collected, poll, record } from './feedsWorld.ts';
import { NOBODY } from '../support/publisher.ts';

const DAY_MS = 24 * 60 * 60_000;
const FULL = 'The disk of the server is full: it shows what it has, and can keep nothing new.';
const BUSY = 'The database is busy. Try again in a moment.';
const NO_ANSWER = 'The database does not answer. Try again in a moment.';

let dataDir: string;
let test: TestApp;
let token: string;
let logged: string[];
const running: Schedule[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'clearway-faults-'));
  logged = [];
});
afterEach(async () => {
  for (const schedule of running.splice(0)) await schedule.stop();
  await test.close();
  rmSync(dataDir, { recursive: true });
});

async function open(place: { databaseUrl?: string; patienceMs?: number } = {}) {
  test = await openTestApp({ open: () => openDatabase({ dataDir, ...place }) });
  token = (await test.signIn(await test.addUser({ role: 'admin' }))).access_token;
  await poll(test.db, 'tfl', [record('tfl:victoria')], test.now());
}
const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log = { info: note, warn: note, error: note };
const makeKey = (name: string) => test.post('/api/v1/keys/', { name, tier: 'free' }, token);
const detail = async (reply: ReturnType<typeof makeKey>) => {
  const { statusCode, headers, body } = await reply;
  return [statusCode, (JSON.parse(body) as { detail?: string }).detail, headers['retry-after']];
};
const board = async () => test.get('/api/v1/feeds/?include_events=true', token);

/** Schedule of one source, whose answer is this. */
function collect(db: Db, answer: Collector['collect']): Schedule {
  const schedule = startSchedule({
    db,
    collectors: [
      {
        source: 'ea-flood',
        publisher: NOBODY,
        everyMinutes: 15,
        maxAgeMinutes: 60,
        settings: [],
        absentPolls: 1,
        neverEmpty: false,
        collect: answer,
      },
    ],
    settings: {},
    download: downloader({ fetch: () => Promise.reject(new Error('Nothing is asked here.')) }),
    now: () => test.now(),
    random: () => 1,
    log,
    owner: 'node-1',
  });
  running.push(schedule);
  return schedule;
}
const status = () => collections(test.db).of('ea-flood');

describe('a full disk', () => {
  it('is reported to calls that write; all else goes on, and writes again when there is room', async () => {
    await open();
    const schedule = collect(test.db, async () =>
      collected(Array.from({ length: 2000 }, (_, n) => record(`ea-flood:${n}`, { title: 'x'.repeat(500) }))),
    );
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(test.db);
    await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(test.db);

    let reply = await detail(makeKey('0'));
    for (let n = 1; reply[0] === 201 && n < 500; n++) reply = await detail(makeKey('x'.repeat(60) + n));
    expect(reply).toEqual([503, FULL, '60']);
    const read = await board();
    expect(read.statusCode).toBe(200);
    expect(read.body).toContain('tfl:victoria');

    await schedule.collectNow('ea-flood');
    expect((await status())?.last_success ?? null).toBeNull();
    // Housekeeping makes room: each of its steps is independent.
    await runHousekeeping({
      db: test.db,
      historyDays: 30,
      usageDays: 90,
      jobDays: 7,
      collectors: COLLECTORS,
      now: () => test.now(),
      log,
    });

    await sql`pragma max_page_count = 1000000`.execute(test.db);
    expect((await makeKey('after')).statusCode).toBe(201);
    await schedule.collectNow('ea-flood');
    expect((await status())?.last_success).toBe(test.now().toISOString());
  });
});

describe('a locked database', () => {
  it('is reported to calls that write; reading goes on, and writing when the lock is gone', async () => {
    await open({ patienceMs: 20 });
    const schedule = collect(test.db, async () => collected([record('ea-flood:1')]));
    const other = new Sqlite(join(dataDir, DATABASE_FILE));
    other.exec('begin immediate');

    expect(await detail(makeKey('a'))).toEqual([503, BUSY, '5']);
    expect((await board()).body).toContain('tfl:victoria');
    await schedule.collectNow('ea-flood');
    expect(logged.join('\n')).toContain('Could not run the collector');

    other.exec('rollback');
    other.close();
    expect((await makeKey('a')).statusCode).toBe(201);
    await schedule.collectNow('ea-flood');
    expect((await status())?.last_success).toBe(test.now().toISOString());
  });

  it('for a moment holds up nobody: readers are answered, and writers when it is free', async () => {
    await open();
    const other = new Sqlite(join(dataDir, DATABASE_FILE));
    other.exec('begin immediate');
    const written = makeKey('a');
    expect((await board()).body).toContain('tfl:victoria');
    expect((await test.get('/api/v1/keys/', token)).json()).toEqual([]);

    other.exec('rollback');
    other.close();
    expect((await written).statusCode).toBe(201);
  });
});

describe('PostgreSQL that is restarted', () => {
  it('is reported while it is away, and used again as soon as it is back', async () => {
    const { url, drop } = await createPostgresDatabase();
    const name = new URL(url).pathname.slice(1);
    const keeper = new Client({ connectionString: url.replace(`/${name}`, '/postgres') });
    await keeper.connect();
    await open({ databaseUrl: url });
    const schedule = collect(test.db, async () => collected([record('ea-flood:1')]));
    try {
      await keeper.query(`alter database "${name}" with allow_connections false`);
      await keeper.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      // The pool may still hold dead connections without knowing it: each fails once.
      await vi.waitFor(async () => expect((await test.get('/readyz')).statusCode).toBe(503), {
        timeout: 20_000,
      });
      expect(await detail(makeKey('a'))).toEqual([503, NO_ANSWER, '10']);
      await schedule.collectNow('ea-flood');
      expect(logged.join('\n')).toContain('Could not run the collector');

      await keeper.query(`alter database "${name}" with allow_connections true`);
      expect((await test.get('/readyz')).statusCode).toBe(200);
      expect((await makeKey('a')).statusCode).toBe(201);
      await schedule.collectNow('ea-flood');
      expect((await status())?.last_success).toBe(test.now().toISOString());
    } finally {
      await keeper.query(`alter database "${name}" with allow_connections true`);
      await keeper.end();
    }
    running.push({ collectNow: async () => {}, look() {}, stop: async () => {} });
    for (const one of running.splice(0)) await one.stop();
    await test.close();
    await drop();
    test = await openTestApp();
  });
});

describe('a clock', () => {
  it('set back a day: nothing looks calm or new, and the next poll puts it right', async () => {
    await open();
    const schedule = collect(test.db, async () => collected([record('ea-flood:1')]));
    await schedule.collectNow('ea-flood');
    test.pass(-DAY_MS);

    const { feeds } = (await board()).json<FeedList>();
    const sources = feeds
      .flatMap(({ feed }) => feed.sources)
      .filter(({ source }) => ['tfl', 'ea-flood'].includes(source));
    for (const { state, freshness, last_collected } of sources)
      expect([state, freshness, last_collected]).toEqual(['failing', 'stale', null]);
    expect((await makeKey('then')).statusCode).toBe(201);

    await schedule.collectNow('ea-flood');
    expect(await status()).toMatchObject({ last_success: test.now().toISOString(), consecutive_failures: 0 });
    const { sources: after } = (await test.get('/api/v1/disruptions/sources', token)).json<{
      sources: { source: string; state: string; freshness: string }[];
    }>();
    expect(after.find(({ source }) => source === 'ea-flood')).toMatchObject({
      state: 'ok',
      freshness: 'fresh',
    });
  });

  it('set forward a day, and back: people sign in again, and sources are old until they are asked', async () => {
    await open();
    const schedule = collect(test.db, async () => collected([record('ea-flood:1')]));
    await schedule.collectNow('ea-flood');
    test.pass(DAY_MS);
    expect((await board()).statusCode).toBe(401);
    token = (await test.signIn()).access_token;
    const stale = (await test.get('/api/v1/disruptions/sources', token)).json<{
      sources: { source: string; freshness: string }[];
    }>();
    expect(stale.sources.find(({ source }) => source === 'ea-flood')?.freshness).toBe('stale');
    await schedule.collectNow('ea-flood');

    test.pass(-DAY_MS);
    expect((await board()).statusCode).toBe(200);
    await schedule.collectNow('ea-flood');
    expect(await status()).toMatchObject({ last_success: test.now().toISOString(), consecutive_failures: 0 });
  });
});

describe('names that are not found', () => {
  it('fail the source in words, keep what there is, and are tried again', async () => {
    await open();
    let isDead = true;
    const fetch = async () => {
      if (!isDead) return new Response('{"items":[]}', { headers: { 'content-type': 'application/json' } });
      const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN environment.data.gov.uk'), {
        code: 'EAI_AGAIN',
      });
      throw new TypeError('fetch failed', { cause });
    };
    const download = downloader({ fetch });
    await poll(test.db, 'ea-flood', [record('ea-flood:1')], test.now());
    const schedule = collect(test.db, async () => {
      await download.newGet().get('https://environment.data.gov.uk/flood-monitoring/id/floods');
      return collected([record('ea-flood:1')]);
    });
    await schedule.collectNow('ea-flood');
    expect(await status()).toMatchObject({ consecutive_failures: 1 });
    expect((await status())?.last_error).toMatch(
      /^GET environment\.data\.gov\.uk.*: its name could not be looked up \(EAI_AGAIN: does the name server answer\?\)$/,
    );
    expect((await board()).body).toContain('ea-flood:1');

    isDead = false;
    test.pass(60_000);
    await schedule.collectNow('ea-flood');
    expect(await status()).toMatchObject({ consecutive_failures: 0, last_success: test.now().toISOString() });
  });
});
