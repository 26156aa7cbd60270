/** A node as a process of its own, to be killed: it polls two sources of one upstream until it dies. */
import { openDatabase } from '../../../server/db/open.ts';
import type { Collector } from '../../../server/incidents/collector.ts';
import { startSchedule } from '../../../server/sources/polling/pollRunners.ts';
import { downloader } from '../../../server/http/documents/download.ts';
import { NOBODY } from '../../support/publisher.ts';

const [databaseUrl = '', upstream = '', owner = ''] = process.argv.slice(2);
const { db } = await openDatabase({ dataDir: '', databaseUrl });

const collector = (source: string): Collector => ({
  source,
  publisher: NOBODY,
  everyMinutes: 1,
  maxAgeMinutes: 60,
  settings: [],
  absentPolls: 1,
  neverEmpty: false,
  async collect() {
    await (await fetch(`${upstream}/${owner}/${source}`)).text();
    return { records: [], skipped: 0, problems: [], complete: true };
  },
});

startSchedule({
  db,
  collectors: [collector('tfl'), collector('ea-flood')],
  settings: {},
  download: downloader({}),
  now: () => new Date(),
  random: Math.random,
  log: { info() {}, warn: console.error, error: console.error },
  owner,
  intervalScale: 1 / 60, // one second
});
