/** `npm run bench -- ingest`: how many incidents a second are read from each source's documents and stored, compared
 *  with the parser alone. All in one run on one machine: only the ratios can be compared. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { COLLECTORS } from '../server/sources/allSources.ts';
import type { Collector } from '../server/incidents/collector.ts';
import { downloader } from '../server/http/documents/download.ts';
import { collections } from '../server/incidents/collectionState.ts';
import { openDatabase, type Db } from '../server/db/open.ts';
import { startReplay } from '../server/operate/replay.ts';
import type { Facts } from '../server/http/documents/upstream.ts';
import { storePoll } from '../server/sources/polling/poll.ts';

/** For each figure. */
const MEASURE_MS = 400;

const STORED_AT_ONCE = 1000;

/** The library with default settings, as the fastest possible result. */
const bareXml = new XMLParser();
const parse = (document: string): unknown =>
  document.trimStart().startsWith('<') ? bareXml.parse(document) : JSON.parse(document);

/** Runs per second of processor time, which other load does not affect, after a warm-up. `unmeasured` runs before
 *  each. */
async function rateOf(
  work: () => unknown,
  unmeasured: () => Promise<unknown> = async () => {},
): Promise<number> {
  let spent = 0;
  let times = 0;
  for (const limit of [MEASURE_MS / 4, MEASURE_MS]) {
    spent = 0;
    times = 0;
    while (spent < limit) {
      await unmeasured();
      const start = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(start);
      spent += (user + system) / 1000;
      times++;
    }
  }
  return (times * 1000) / spent;
}

interface Row {
  source: string;
  format: string;
  kB: number;
  records: number;
  parserPerSecond: number;
  /** By the collector: parsed, checked, graded. */
  readPerSecond: number;
  /** Read and stored as new incidents. */
  storedPerSecond: number;
}

async function measure(
  collector: Collector,
  settings: Readonly<Record<string, string>>,
  db: Db,
): Promise<Row> {
  const { source } = collector;
  const { get } = downloader().newGet();
  const known = new Map<string, string>();
  const facts: Facts = {
    get: async (key) => known.get(key) ?? null,
    set: async (key, value) => void known.set(key, value),
  };
  const replies = new Map<string, Awaited<ReturnType<typeof get>>>();
  const now = new Date();
  const collect = (ask: typeof get) => collector.collect({ get: ask, now, settings, facts });

  // Data that is kept for ever is fetched first, so that it is no longer part of a poll.
  await collect(get);
  await collect(async (url, headers) => {
    const reply = await get(url, headers);
    replies.set(url, reply);
    return reply;
  });
  const documents = [...replies.values()].map(({ body }) => body);
  const read = () => collect(async (url) => replies.get(url)!);
  const collected = await read();
  const records = collected.records.length;

  await collections(db).ensure(source, true);
  const parser = await rateOf(() => documents.map(parse));
  const reading = await rateOf(read);
  // As many as a busy source lists: a poll of three would only measure the disk's commit.
  const many = {
    ...collected,
    records: Array.from({ length: STORED_AT_ONCE }, (_, at) => {
      const record = collected.records[at % records]!;
      return { ...record, event_id: `${record.event_id}/${at}` };
    }),
  };
  const storing = await rateOf(
    () =>
      storePoll(db, {
        source,
        collected: many,
        now,
        absentPolls: collector.absentPolls,
        neverEmpty: collector.neverEmpty ?? false,
      }),
    // The rows are deleted, so that everything is new: unchanged incidents write nothing.
    () => db.deleteFrom('disruptions').where('source', '=', source).execute(),
  );
  const readPerSecond = reading * records;
  const writtenPerSecond = storing * STORED_AT_ONCE;
  return {
    source,
    format: documents[0]!.trimStart().startsWith('<') ? 'XML' : 'JSON',
    kB: documents.join('').length / 1000,
    records,
    parserPerSecond: parser * records,
    readPerSecond,
    storedPerSecond: 1 / (1 / readPerSecond + 1 / writtenPerSecond),
  };
}

const dataDir = await mkdtemp(join(tmpdir(), 'clearway-bench-'));
const replay = await startReplay({ stepSeconds: 0 });
const { db, close } = await openDatabase({ dataDir });
try {
  console.log(
    '| source | format | kB | incidents | parser alone, incidents/s | read | read and stored | read : parser | read and stored : parser |',
  );
  console.log('| --- | --- | --: | --: | --: | --: | --: | --: | --: |');
  for (const collector of COLLECTORS) {
    const row = await measure(collector, replay.settings, db);
    const share = (rate: number) => (rate / row.parserPerSecond).toFixed(2);
    const cells = [
      row.source,
      row.format,
      row.kB.toFixed(1),
      row.records,
      ...[row.parserPerSecond, row.readPerSecond, row.storedPerSecond].map((rate) =>
        Math.round(rate).toLocaleString('en-GB'),
      ),
      share(row.readPerSecond),
      share(row.storedPerSecond),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  await close();
  await replay.close();
  await rm(dataDir, { recursive: true });
}
