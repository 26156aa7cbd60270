/**
 * `npm run bench -- overview`: the administrators' figures on use, after a year and 50 million calls: sums by the
 * hour, and a million calls and 200,000 events that are kept singly. On SQLite, in a temporary folder, by processor
 * time; and on PostgreSQL (TEST_DATABASE_URL, otherwise one of its own), whose work is in another process, by the
 * clock.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Db, openDatabase } from '../server/db/open.ts';
import type { Tables } from '../server/db/schema.ts';
import { usage } from '../server/http/usage/usage.ts';
import { startPostgres } from '../tests/support/postgres.ts';

const CALLS = 50_000_000;
const HOURS = 365 * 24;
const KEPT_HOURS = 90 * 24;
const ENDPOINTS = 40;
const ACTIVE_AN_HOUR = 200;
const USERS = 2000;
const KEPT_CALLS = 1_000_000;
const KEPT_EVENTS = 200_000;
const ROUNDS = 40;
const NOW = new Date();
const HOUR_SECONDS = 3600;
const THIS_HOUR = Math.floor(NOW.getTime() / 1000 / HOUR_SECONDS) * HOUR_SECONDS;

interface Engine {
  name: string;
  /** An expression for this number of seconds since 1970, as our times are written. */
  written: (seconds: string) => string;
  /** In milliseconds. */
  clock: () => number;
}

const SQLITE: Engine = {
  name: 'SQLite',
  written: (seconds) => `strftime('%Y-%m-%dT%H:%M:%S.000Z', ${seconds}, 'unixepoch')`,
  clock: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
const POSTGRESQL: Engine = {
  name: 'PostgreSQL',
  written: (seconds) =>
    `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
  clock: () => performance.now(),
};

async function measure(db: Db, { name: engine, written, clock }: Engine): Promise<void> {
  const ago = (seconds: string) => written(`${THIS_HOUR} - (${seconds})`);
  // The database makes the rows from their numbers, because sending them would take minutes.
  const fill = (table: keyof Tables, columns: string, count: number, row: string) =>
    sql`insert into ${sql.table(table)} (${sql.raw(columns)})
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${sql.lit(count)})
      select ${sql.raw(row)} from numbers`.execute(db);

  const endpoint = `'/api/v1/endpoint-' || (n % ${ENDPOINTS})`;
  const anHour = Math.round(CALLS / HOURS / ENDPOINTS);
  await fill(
    'api_calls_hourly',
    'hour, method, endpoint, count, failed, total_ms',
    HOURS * ENDPOINTS,
    `${ago(`n / ${ENDPOINTS} * ${HOUR_SECONDS}`)}, 'GET', ${endpoint}, ${anHour} + n % 7, n % 3, ${anHour * 25}`,
  );
  await fill(
    'active_hours',
    'hour, user_id',
    KEPT_HOURS * ACTIVE_AN_HOUR,
    `${ago(`n / ${ACTIVE_AN_HOUR} * ${HOUR_SECONDS}`)}, 'user-' || (n * 7 % ${USERS})`,
  );
  const everySeconds = (count: number) => Math.floor((KEPT_HOURS * HOUR_SECONDS) / count);
  await fill(
    'api_calls',
    'id, occurred_at, method, endpoint, status_code, response_ms, auth_type, user_id, caller_id',
    KEPT_CALLS,
    `'bench-call-' || n, ${ago(`n * ${everySeconds(KEPT_CALLS)}`)}, 'GET', ${endpoint}, 200, 25, 'api_key', 'user-' || (n % ${USERS}), 'key-' || (n % ${USERS})`,
  );
  await fill(
    'usage_events',
    'id, user_id, event_type, event_category, session_id, occurred_at',
    KEPT_EVENTS,
    `'bench-event-' || n, 'user-' || (n % ${USERS}), case n % 5 when 0 then 'login' else 'map_viewed' end, case n % 5 when 0 then 'session' else 'navigation' end, null, ${ago(`n * ${everySeconds(KEPT_EVENTS)}`)}`,
  );

  if (engine === 'PostgreSQL') await sql`analyze`.execute(db); // as its own autovacuum does within a minute
  for (const [name, ask] of [
    ['overview', () => usage(db).overview(NOW)],
    ['the newest 50 calls', () => usage(db).recentCalls(50)],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = clock();
      await ask();
      times.push(clock() - began);
    }
    const [first] = times;
    times.sort((a, b) => a - b);
    const cells = [first!, times[ROUNDS / 2]!, times.at(-1)!].map((ms) => ms.toFixed(1));
    console.log(`| ${engine} | ${name} | ${cells.join(' | ')} |`);
  }
}

console.log('| engine | what | first, ms | p50, ms | slowest, ms |\n| --- | --- | --: | --: | --: |');
const folder = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
const postgres = await startPostgres();
try {
  for (const [engine, databaseUrl] of [
    [SQLITE, undefined],
    [POSTGRESQL, postgres.url],
  ] as const) {
    const { db, close } = await openDatabase({ dataDir: folder, databaseUrl });
    await measure(db, engine);
    await close();
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
