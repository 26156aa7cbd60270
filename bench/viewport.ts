/**
 * `npm run bench -- viewport`: half a million events on SQLite and on PostgreSQL (TEST_DATABASE_URL, otherwise one of
 * its own), at 40,000 venues that are distributed like people over towns. It measures how long a view takes in the
 * index, in the database and as a whole request, how long pages of the list take, how fast events are stored, and the
 * size of all data. `--rows 5000000` for more (only SQLite, in a temporary folder), `--views 100` for fewer views,
 * `--engine sqlite` for one engine.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { CATEGORIES } from '#contract/places/events.ts';
import { events } from '../server/geography/events/events.ts';
import { type Db, openDatabase } from '../server/db/open.ts';
import type { EventInput } from '../server/geography/events/eventInput.ts';
import { importEvents } from '../server/geography/events/import/importEvents.ts';
import type { Bounds } from '../server/geography/events/indexes/eventPlaceIndex.ts';
import { viewIndex } from '../server/geography/events/indexes/viewIndex.ts';
import { eventCalls } from '../server/calls/places/eventCalls.ts';
import { startPostgres } from '../tests/support/postgres.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rows: { type: 'string', default: '500000' },
    views: { type: 'string', default: '300' },
    engine: { type: 'string' },
  },
});
const ROWS = Number(values.rows);
/** Further events are copies of these, slightly moved: storing them one by one would take hours. */
const STORED = Math.min(ROWS, 500_000);
const IMPORTED_AS_CSV = Math.min(ROWS, 100_000);
const VENUES = 40_000;
const VIEWS = Number(values.views);
const STORED_AT_ONCE = 500;
const NOW = new Date();
const BYTES_PER_ROW = 4000;

let state = 7;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;

interface Town {
  town: string;
  latitude: number;
  longitude: number;
}
const towns: Town[] = JSON.parse(
  readFileSync(new URL('../server/geography/events/sample/venues.json', import.meta.url), 'utf8'),
).venues;
// As many as the town has in the list; London has most.
const venues = Array.from({ length: VENUES }, (_, at) => {
  const { town, latitude, longitude } = pick(towns);
  const spread = town === 'London' ? 0.08 : 0.025;
  return {
    name: `Venue ${at} of ${town}`,
    town,
    latitude: Number((latitude + normal() * spread).toFixed(5)),
    longitude: Number((longitude + normal() * spread * 1.6).toFixed(5)),
  };
});
const DESCRIPTION =
  'An evening of songs old and new, with a support act. Doors open half an hour before the start. ';

function eventAt(at: number): EventInput {
  const venue = venues[at % VENUES]!;
  const start = NOW.getTime() + Math.floor(random() * 365 * 24 * 60) * 60_000;
  return {
    event_id: `bench-${at}`,
    name: `An evening number ${at} at ${venue.name}`,
    category: pick(CATEGORIES),
    sub_categories: ['Jazz'],
    tags: ['seated', 'evening'],
    description: DESCRIPTION.repeat(2),
    prices: [{ label: null, min: 10, max: 25, currency: 'GBP' }],
    images: [],
    trailers: [],
    links: [],
    venue: {
      venue_id: `bench-${at % VENUES}`,
      ...venue,
      venue_type: 'theatre',
      address: null,
      postcode: 'LS1 1AA',
      region: null,
      country: 'England',
      capacity: 900,
      phone: null,
      email: null,
      website: null,
    },
    performances: [
      {
        performance_id: `bench-${at}`,
        start_datetime: new Date(start).toISOString(),
        end_datetime: new Date(start + 9_000_000).toISOString(),
        booking_url: `https://tickets.example/${at}`,
      },
    ],
  };
}

async function writeCsv(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write(
    'event_id,name,category,start_datetime,end_datetime,venue_id,venue_name,venue_town,postcode,latitude,longitude,capacity,booking_url,description,tags\n',
  );
  for (let at = 0; at < IMPORTED_AS_CSV; at++) {
    const { event_id, name, category, venue, performances, description } = eventAt(at);
    const [one] = performances;
    const cells = [
      event_id,
      name,
      category,
      one!.start_datetime,
      one!.end_datetime,
      venue!.venue_id,
      venue!.name,
    ];
    const more = [venue!.town, venue!.postcode, venue!.latitude, venue!.longitude, 900, one!.booking_url];
    file.write(`${[...cells, ...more].join(',')},"${description}",seated;evening\n`);
  }
  await new Promise<void>((resolve) => file.end(resolve));
}

/** In degrees, as a window of 1,280 by 720 shows them. */
const VIEW_SIZES = { city: [0.28, 0.88], region: [1.7, 3.5], country: [11, 11] } as const;

function boundsOf(kind: keyof typeof VIEW_SIZES): Bounds {
  const { latitude, longitude } = kind === 'country' ? { latitude: 55, longitude: -3.2 } : pick(towns);
  const [high, wide] = VIEW_SIZES[kind];
  const [y, x] = [latitude + normal() * 0.02, longitude + normal() * 0.02];
  return { south: y - high / 2, north: y + high / 2, west: x - wide / 2, east: x + wide / 2 };
}

const percentile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

/** SQLite runs in our process, so processor time is measured, which other load does not affect. */
let clock: () => number = () => performance.now();
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const began = clock();
  const result = await work();
  times.push(clock() - began);
  return result;
}

/** Pages of the list, each with its exact total: filters, a word that all events have, one that hardly any has, and
 *  one that none has. */
const LISTS = ['limit=50', 'category=Music', 'venue_town=Leeds', 'q=evening', 'q=number+77777', 'q=zzzz'];
const LIST_TIMES = 20;

async function copyAll(db: Db, copy: number, count: number): Promise<void> {
  const suffix = `~${copy}`;
  await sql`insert into events (event_id, source, is_sample, venue_id, record, content_hash, updated_at)
    select event_id || ${suffix}, source, is_sample, venue_id, record, content_hash, updated_at
    from events where event_id in (select event_id from performances where id <= ${count})`.execute(db);
  await sql`insert into performances (performance_id, event_id, start_datetime, over_at, category, category_key,
      town, town_key, latitude, longitude, search_text, shown, content_hash)
    select performance_id || ${suffix}, event_id || ${suffix}, start_datetime, over_at, category, category_key,
      town, town_key, latitude + ${copy * 0.0007}, longitude - ${copy * 0.0009}, search_text, shown, content_hash
    from performances where id <= ${count}`.execute(db);
}

async function measure(engine: string, db: Db, folder: string, sizeOf: () => Promise<number>): Promise<void> {
  clock = engine === 'SQLite' ? processorTime : () => performance.now();
  const path = join(folder, 'events.csv');
  await writeCsv(path);
  const cpu = process.cpuUsage();
  const began = performance.now();
  await importEvents({ db, path, format: 'csv', source: 'bench', now: NOW });
  const importMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  for (let at = IMPORTED_AS_CSV; at < STORED; at += STORED_AT_ONCE) {
    const arriving = Array.from({ length: Math.min(STORED_AT_ONCE, STORED - at) }, (_, one) =>
      eventAt(at + one),
    );
    await events(db).store({ source: 'bench', arriving, now: NOW });
  }
  for (let copy = 1; copy * STORED < ROWS; copy++)
    await copyAll(db, copy, Math.min(STORED, ROWS - copy * STORED));
  if (engine === 'PostgreSQL') await sql`analyze`.execute(db);

  globalThis.gc?.();
  const before = process.memoryUsage();
  const index = viewIndex(db);
  const indexing: number[] = [];
  await timed(indexing, () => index.make());
  globalThis.gc?.();
  const after = process.memoryUsage();

  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(eventCalls({ db, now: () => NOW }), {
    prefix: '/events',
  });
  await app.inject('/events/categories');

  console.log(
    `\n${engine}: ${ROWS.toLocaleString('en-GB')} events, ${Math.round((await sizeOf()) / 1e6)} MB. ` +
      `CSV of ${IMPORTED_AS_CSV.toLocaleString('en-GB')}: ${Math.round((IMPORTED_AS_CSV / importMs) * 1000).toLocaleString('en-GB')} rows/s ` +
      `(${Math.round((IMPORTED_AS_CSV / (user + system)) * 1e6).toLocaleString('en-GB')} a second of our processor time). ` +
      `Index: made in ${Math.round(indexing[0]!)} ms, ${Math.round((after.arrayBuffers - before.arrayBuffers) / 1e6)} MB; ` +
      `process ${Math.round(after.rss / 1e6)} MB.\n`,
  );
  console.log(
    '| view | matching, median | index p50, ms | p99 | database p50, ms | p99 | query p50, ms | p99 | whole request p50, ms | p99 | request : query |',
  );
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |');
  for (const kind of Object.keys(VIEW_SIZES) as (keyof typeof VIEW_SIZES)[]) {
    const [inIndex, inDatabase, query, request, totals]: number[][] = [[], [], [], [], []];
    for (let at = 0; at < VIEWS; at++) {
      const bounds = boundsOf(kind);
      const found = await timed(query!, async () => {
        const view = await timed(inIndex!, () => index.view({ ...bounds, from: NOW, max: 500 }));
        await timed(inDatabase!, () => events(db).shown(view.ids));
        return view;
      });
      totals!.push(found.total);
      const parameters = new URLSearchParams(
        Object.entries(bounds).map(([name, value]) => [name, String(value)] as [string, string]),
      );
      await timed(request!, async () => {
        // Sent as a stream, because assembling the answer is the caller's work.
        const url = `/events/viewport?${parameters.toString()}`;
        for await (const _ of (await app.inject({ url, payloadAsStream: true })).stream()) continue;
      });
    }
    const cells = [inIndex, inDatabase, query, request].flatMap((times) =>
      [percentile(times!, 0.5), percentile(times!, 0.99)].map((ms) => ms.toFixed(2)),
    );
    const ratio = percentile(request!, 0.5) / percentile(query!, 0.5);
    console.log(
      `| ${kind} | ${percentile(totals!, 0.5).toLocaleString('en-GB')} | ${cells.join(' | ')} | ${ratio.toFixed(2)} |`,
    );
  }
  for (const query of LISTS) {
    const times: number[] = [];
    let total = 0;
    for (let at = 0; at < LIST_TIMES; at++) {
      const reply = await timed(times, () => app.inject(`/events?${query}`));
      total = reply.json<{ total: number }>().total;
    }
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1));
    console.log(`List ${query}: ${total.toLocaleString('en-GB')} in all, p50 ${p50} ms, p99 ${p99} ms`);
  }
  await app.close();
  await countBySql(engine, db);
}

/** The count that the index replaces: only the count, by SQL with an index on the one-degree square. */
async function countBySql(engine: string, db: Db): Promise<void> {
  const square = sql.raw(
    '(cast(floor(latitude + 90) as integer) * 360 + cast(floor(longitude + 180) as integer))',
  );
  await sql`create index bench_squares on performances (${square}, start_datetime, latitude, longitude, over_at)`.execute(
    db,
  );
  if (engine === 'PostgreSQL') await sql`vacuum analyze performances`.execute(db);
  for (const kind of Object.keys(VIEW_SIZES) as (keyof typeof VIEW_SIZES)[]) {
    const times: number[] = [];
    for (let at = 0; at < (kind === 'country' ? 10 : 50); at++) {
      const { north, south, east, west } = boundsOf(kind);
      const squares: number[] = [];
      for (let y = Math.floor(south + 90); y <= Math.floor(north + 90); y++) {
        for (let x = Math.floor(west + 180); x <= Math.floor(east + 180); x++) squares.push(y * 360 + x);
      }
      await timed(times, () =>
        sql`select count(*) from performances where ${square} in (${sql.raw(squares.join(','))})
          and latitude between ${south} and ${north} and longitude between ${west} and ${east}
          and over_at > ${NOW.toISOString()}`.execute(db),
      );
    }
    console.log(
      `By SQL alone, counting a ${kind} view: p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
try {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROWS * BYTES_PER_ROW * 2) {
    throw new Error(
      `${ROWS} events need ${Math.round((ROWS * BYTES_PER_ROW * 2) / 1e9)} GB free in ${tmpdir()}.`,
    );
  }
  if (values.engine !== 'postgres') {
    const { db, close } = await openDatabase({ dataDir: folder });
    await measure('SQLite', db, folder, async () => (await stat(join(folder, 'clearway.db'))).size);
    await close();
  }
  if (values.engine !== 'sqlite' && ROWS <= 500_000) {
    const postgres = await startPostgres();
    const { db, close } = await openDatabase({ dataDir: folder, databaseUrl: postgres.url });
    await measure('PostgreSQL', db, folder, async () => {
      const { rows } = await sql<{
        size: string;
      }>`select pg_database_size(current_database()) as size`.execute(db);
      return Number(rows[0]!.size);
    });
    await close();
    await postgres.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
