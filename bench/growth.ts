/** `npm run bench -- growth`: how the database grows: the size of one record of each kind, and the total for an
 *  installation of one depot. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { COLLECTORS } from '../server/sources/allSources.ts';
import { type Db, openDatabase } from '../server/db/open.ts';
import { storePoll } from '../server/sources/polling/poll.ts';
import { downloader } from '../server/http/documents/download.ts';
import { startReplay } from '../server/operate/replay.ts';
import { memoryFacts } from '../tests/support/upstream.ts';

const ROWS = 20_000;
const MB = 1024 * 1024;

/** A depot: five walls and ten people, each asking once a minute, people for ten hours; and the roads of a busy day. */
const CALLS_A_DAY = 5 * 1440 + 10 * 600;
const ENDPOINTS_AN_HOUR = 20;
const INCIDENTS_A_DAY = 1500;
const POLLS_A_DAY = COLLECTORS.reduce((sum, { everyMinutes }) => sum + 1440 / everyMinutes, 0);

const folder = mkdtempSync(join(tmpdir(), 'clearway-growth-'));
const { db, close } = await openDatabase({ dataDir: folder });

async function bytes(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count(), pragma_page_size(), pragma_freelist_count()`.execute(db);
  return rows[0]!.bytes;
}

/** The bytes of one row, measured over many rows. */
async function cost(rows: number, fill: (trx: Db, n: number) => Promise<unknown>): Promise<number> {
  const before = await bytes();
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < rows; n++) await fill(trx, n);
  });
  return ((await bytes()) - before) / rows;
}

const at = (n: number, everyMs: number) =>
  new Date(Date.parse('2026-01-01T00:00:00Z') + n * everyMs).toISOString();
const perPoll = await cost(ROWS, (trx, n) =>
  trx
    .insertInto('polls')
    .values({
      source: 'national-highways',
      at: at(n, 60_000),
      ok: 1,
      ms: 800,
      records: 214,
      changed: 3,
      error_kind: null,
    })
    .execute(),
);
const perHour = await cost(ROWS, (trx, n) =>
  trx
    .insertInto('polls_hourly')
    .values({
      source: 'national-highways',
      hour: at(n, 3_600_000),
      polls: 60,
      failed: 0,
      fresh_s: 3600,
      ms_p50: 800,
      ms_p95: 1200,
    })
    .execute(),
);
const perCall = await cost(ROWS, (trx, n) =>
  trx
    .insertInto('api_calls')
    .values({
      id: randomUUID(),
      occurred_at: at(n, 6000),
      method: 'GET',
      endpoint: '/api/v1/feeds/',
      status_code: 200,
      response_ms: 2,
      auth_type: 'display',
      user_id: randomUUID(),
      caller_id: randomUUID(),
    })
    .execute(),
);
const perCallHour = await cost(ROWS, (trx, n) =>
  trx
    .insertInto('api_calls_hourly')
    .values({
      hour: at(n, 3_600_000),
      method: 'GET',
      endpoint: '/api/v1/feeds/',
      count: 300,
      failed: 0,
      total_ms: 600,
    })
    .execute(),
);

// Incidents as the publishers send them, each with three versions and its end, by the product's own rules.
const replay = await startReplay({ stepSeconds: 0 });
const { get } = downloader().newGet();
const now = new Date();
const read = await Promise.all(
  COLLECTORS.map(async (collector) => {
    const { records } = await collector.collect({
      get,
      now,
      settings: replay.settings,
      facts: memoryFacts(),
    });
    return { collector, records };
  }),
);
await replay.close();
const before = await bytes();
let incidents = 0;
for (let copy = 0; copy < 40; copy++) {
  for (const { collector, records } of read) {
    for (let version = 0; version < 4; version++) {
      const time = new Date(now.getTime() + (copy * 4 + version) * 60_000).toISOString();
      const listed = records.map((record) => ({
        ...record,
        event_id: `${record.event_id}-${copy}`,
        title: `${record.title} ${copy} ${version}`,
      }));
      await storePoll(db, {
        source: collector.source,
        collected: { records: version === 3 ? [] : listed, skipped: 0, problems: [], complete: true },
        now: time,
        absentPolls: 1,
        neverEmpty: false,
        maxAgeMinutes: collector.maxAgeMinutes,
      });
    }
    incidents += records.length;
  }
}
const perIncident = ((await bytes()) - before) / incidents;

const lines: [what: string, each: number, aDay: number, days: number][] = [
  ['poll, 35 days', perPoll, POLLS_A_DAY, 35],
  ['hour of a source, for ever', perHour, COLLECTORS.length * 24, 365],
  ['call, 90 days', perCall, CALLS_A_DAY, 90],
  ['hour of an endpoint, for ever', perCallHour, ENDPOINTS_AN_HOUR * 24, 365],
  ['incident with three versions, 30 days', perIncident, INCIDENTS_A_DAY, 30],
];
console.log('| record, and how long it is kept | bytes each | a day | MB after a year |');
console.log('| --- | ---: | ---: | ---: |');
let total = 0;
for (const [what, each, aDay, days] of lines) {
  const size = (each * aDay * days) / MB;
  total += size;
  console.log(
    `| ${what} | ${Math.round(each)} | ${Math.round(aDay).toLocaleString('en-GB')} | ${Math.round(size)} |`,
  );
}
console.log(`| together | | | ${Math.round(total)} |`);
console.log(
  `\nA year more adds ${Math.round((perHour * COLLECTORS.length * 24 * 365 + perCallHour * ENDPOINTS_AN_HOUR * 24 * 365) / MB)} MB.`,
);
await close();
rmSync(folder, { recursive: true });
