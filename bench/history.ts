/**
 * `npm run bench -- history`: 150,000 incidents with 150,000 earlier versions in 30 days, on SQLite and on PostgreSQL
 * (TEST_DATABASE_URL, otherwise one of its own). It measures the incidents in force a day, ten and 29 days ago, and
 * the whole board of those times, by the clock and (in brackets) in processor time. Meanwhile polls store 60 changes
 * and a board is read, four times a second. `--only sqlite`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { COLLECTORS } from '../server/sources/allSources.ts';
import { chunks } from '../server/db/batches.ts';
import { collections } from '../server/incidents/collectionState.ts';
import { history } from '../server/feeds/past/pastStore.ts';
import { DATABASE_FILE, type Db, openDatabase } from '../server/db/open.ts';
import type { RowOf } from '../server/db/schema.ts';
import { feedAnswers } from '../server/feeds/feedAnswers.ts';
import { boardAt } from '../server/feeds/past/pastBoard.ts';
import { storePoll } from '../server/sources/polling/poll.ts';
import { factsOf } from '../tests/support/facts.ts';
import { startPostgres } from '../tests/support/postgres.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { only: { type: 'string' }, incidents: { type: 'string', default: '150000' } },
});
const INCIDENTS = Number(values.incidents);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 30;
const AGO = [1, 10, 29];
const RUNS = 100;
const LOAD_EVERY_MS = 250;

let state = 7;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};
const now = Date.now();
const iso = (time: number) => new Date(time).toISOString();
const SOURCES = COLLECTORS.map(({ source }) => source).filter((source) => source !== 'nsi-service');
const SEVERITIES = ['low', 'medium', 'medium', 'high', 'critical'] as const;
const detailsOf = (road: string) =>
  JSON.stringify({
    facts: {
      ...factsOf(),
      place: `${road} eastbound`,
      effect: 'two lanes closed',
      cause: 'collision',
      roads: [road],
    },
  });
const metadata = JSON.stringify({
  upstream_severity: 'high',
  location_method: 'publisher',
  links: [{ url: 'https://publisher.example/incidents/1234567890', label: 'More' }],
  note: 'x'.repeat(200),
});

/** An incident that lasts three hours on average; one in two was different before. */
function incidentOf(number: number): { row: RowOf<'disruptions'>; versions: RowOf<'disruption_versions'>[] } {
  const source = SOURCES[number % SOURCES.length]!;
  const began = now - random() * DAYS * DAY;
  const over = began - Math.log(1 - random()) * 180 * MINUTE;
  const ended = over < now ? iso(over) : null;
  const changes = Math.floor(random() * 3); // 0 to 2: one for each incident on average
  const last = ended ? over : now;
  const times = Array.from({ length: changes }, () => began + random() * (last - began)).sort(
    (a, b) => a - b,
  );
  const road = `A${1 + (number % 5000)}`;
  const severity = SEVERITIES[number % SEVERITIES.length]!;
  const said = {
    event_id: `${source}:${number}`,
    severity,
    title: `${road} eastbound: two lanes closed, number ${number}`,
    summary_line: 'Two of three lanes are closed after a collision. Expect 20 minutes of delay.',
    phase: 'active' as const,
    kind: 'alert' as const,
    updated_at: iso(began),
    start_time: iso(began),
    end_time: null,
    details: detailsOf(road),
    geometry: null,
    west: null,
    south: null,
    east: null,
    north: null,
  };
  const row: RowOf<'disruptions'> = {
    ...said,
    source,
    severity_rank: 1,
    event_type: 'road.incident',
    search_text: said.title.toLowerCase(),
    roads: `|${road}|`,
    ends_on_time: 1,
    latitude: 50.5 + 7 * random(),
    longitude: -5 + 6 * random(),
    reach_km: 0,
    metadata,
    content_hash: String(number),
    first_seen_at: iso(began),
    last_seen_at: iso(last),
    unseen: 0,
    absent_polls: 0,
    ended_at: ended,
    ended_reason: ended ? 'publisher' : null,
    version_seen_at: iso(times.at(-1) ?? began),
  };
  const versions = times.map((time, at) => ({
    ...said,
    seen_at: iso(times[at - 1] ?? began),
    replaced_at: iso(time),
    ended_at: null,
    ended_reason: null,
  }));
  return { row, versions };
}

async function fill(db: Db): Promise<number> {
  let versionCount = 0;
  for (let start = 0; start < INCIDENTS; start += 500) {
    const made = Array.from({ length: Math.min(500, INCIDENTS - start) }, (_, at) => incidentOf(start + at));
    await db.transaction().execute(async (trx) => {
      for (const rows of chunks(
        made.map(({ row }) => row),
        100,
      ))
        await trx.insertInto('disruptions').values(rows).execute();
      const versions = made.flatMap((one) => one.versions);
      versionCount += versions.length;
      for (const rows of chunks(versions, 100))
        await trx.insertInto('disruption_versions').values(rows).execute();
    });
  }
  for (const { source } of COLLECTORS) {
    await collections(db).ensure(source, true);
    const polls = Array.from({ length: (DAYS * DAY) / (5 * MINUTE) }, (_, at) => ({
      source,
      at: iso(now - at * 5 * MINUTE),
      ok: 1,
      ms: 300,
      records: 50,
      changed: 1,
      error_kind: null,
    }));
    for (const rows of chunks(polls, 1000)) await db.insertInto('polls').values(rows).execute();
  }
  await db
    .updateTable('collections')
    .set({ last_success: iso(now), last_attempt: iso(now) })
    .execute();
  return versionCount;
}

/** Load of the server meanwhile. */
function startLoad(db: Db): () => Promise<number> {
  const answers = feedAnswers({ db, collectors: COLLECTORS, now: () => new Date() });
  const stopping = new AbortController();
  let turns = 0;
  const done = (async () => {
    while (!stopping.signal.aborted) {
      turns++;
      const records = Array.from({ length: 400 }, (_, at) => ({
        event_id: `load:${at}`,
        severity: 'medium' as const,
        event_type: 'road.incident',
        title: at < 60 ? `Closed, version ${turns}` : 'Closed',
        summary_line: '',
        updated_at: iso(now),
        start_time: iso(now),
        end_time: null,
        phase: 'active' as const,
        kind: 'alert' as const,
        latitude: null,
        longitude: null,
        metadata: {},
      }));
      const collected = { records, skipped: 0, problems: [], complete: true };
      const poll = { source: 'load', collected, now: new Date(), absentPolls: 1, neverEmpty: false };
      await storePoll(db, poll);
      await answers.current();
      await new Promise((resolve) => setTimeout(resolve, LOAD_EVERY_MS));
    }
  })();
  return async () => {
    stopping.abort();
    await done;
    return turns;
  };
}

/** By the clock, and in processor time of this process, which other work on the machine does not affect. */
async function timesOf(work: () => Promise<unknown>): Promise<string> {
  const clock: number[] = [];
  const processor: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    clock.push(performance.now() - start);
    processor.push((user + system) / 1000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const ranks = (times: number[]) => {
    const sorted = times.toSorted((a, b) => a - b);
    return `${Math.round(sorted[RUNS / 2]!)}, ${Math.round(sorted[Math.ceil(RUNS * 0.99) - 1]!)} ms`;
  };
  return `${ranks(clock)} (${ranks(processor)})`;
}

async function measure(engine: string, db: Db, sizeOf: () => Promise<number>): Promise<void> {
  const before = await sizeOf();
  const versionCount = await fill(db);
  // Autovacuum does this within minutes.
  if (engine === 'postgres') await sql`vacuum analyze`.execute(db);
  const megabytes = Math.round(((await sizeOf()) - before) / 1e6);
  console.log(
    `\n${engine}: ${INCIDENTS.toLocaleString('en-GB')} incidents, ${versionCount.toLocaleString('en-GB')} versions, ${megabytes} MB\n`,
  );
  const stop = startLoad(db);
  console.log('| days ago | in force then | as-of query, p50, p99 | whole board, p50, p99 |');
  console.log('| -------: | ------------: | --------------------: | --------------------: |');
  for (const days of AGO) {
    const then = () => new Date(now - days * DAY - Math.floor(random() * 60) * MINUTE);
    const { length } = await history(db).inForceAt(then());
    const query = await timesOf(() => history(db).inForceAt(then()));
    const board = await timesOf(() => boardAt({ db, collectors: COLLECTORS }, then()));
    console.log(`| ${days} | ${length.toLocaleString('en-GB')} | ${query} | ${board} |`);
  }
  console.log(`\nbeside ${await stop()} polls, each with 60 changes, and as many boards`);
}

if (values.only !== 'postgres') {
  const folder = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
  const { db, close } = await openDatabase({ dataDir: folder });
  await measure('sqlite', db, async () => {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    return (await stat(join(folder, DATABASE_FILE))).size;
  });
  await close();
  await rm(folder, { recursive: true });
}
if (values.only !== 'sqlite') {
  const { url, stop } = await startPostgres();
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: url });
  await measure('postgres', db, async () => {
    const { rows } = await sql<{ size: string }>`select pg_database_size(current_database()) as size`.execute(
      db,
    );
    return Number(rows[0]!.size);
  });
  await close();
  await stop();
}
