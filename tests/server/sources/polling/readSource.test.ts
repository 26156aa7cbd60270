import { expect, it } from 'vitest';
import type { Collector } from '../../../../server/incidents/collector.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { startReplay } from '../../../../server/operate/replay.ts';
import { readSource } from '../../../../server/sources/polling/readSource.ts';
import { summarised } from '../../../../server/http/documents/plainText.ts';
import { memoryFacts } from '../../../support/upstream.ts';
import { collected, record } from '../../feedsWorld.ts';
import { NOBODY } from '../../../support/publisher.ts';

const collectorOf = (...records: ReturnType<typeof record>[]): Collector => ({
  source: 'traffic-wales',
  publisher: NOBODY,
  everyMinutes: 5,
  maxAgeMinutes: 60,
  settings: [],
  absentPolls: 1,
  neverEmpty: false,
  collect: async () => collected(records),
});
const read = (collector: Collector) =>
  readSource(collector, {
    async get() {
      throw new Error('Nothing is downloaded here.');
    },
    now: new Date('2026-11-21T09:00:00.000Z'),
    settings: {},
    facts: memoryFacts(),
  });

it('a reading gives place, event and cause of each record, and its position', async () => {
  const title = 'M62 eastbound between J26 and J27 closed due to an overturned lorry';
  const { records, skipped } = await read(collectorOf(record('traffic-wales:a', { title })));
  expect(skipped).toBe(0);
  expect(records[0]!.facts).toMatchObject({
    place: 'M62 eastbound, J26 to J27',
    effect: 'closed',
    cause: 'overturned lorry',
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
    direction: 'E',
  });
});

it('reads advice in the part of a long text that is not shown, and keeps only the part that is shown', async () => {
  const text = [
    'Emergency services are at the scene of a collision between a lorry and two cars near the services.',
    'Recovery of the vehicles has begun, and engineers are looking at the damage to the safety barrier.',
    'Traffic is diverted by the A58 and the A650.',
  ].join(' ');
  const collector = collectorOf(
    record('kb-incidents:a', { title: 'M62 eastbound closed', ...summarised(text) }),
  );
  const [found] = (await read({ ...collector, source: 'kb-incidents' })).records;
  expect(found!.facts!.advice).toEqual(['Traffic is diverted by the A58 and the A650.']);
  expect(found!.summary_line).toMatch(/…$/);
  expect(found).not.toHaveProperty('text');
});

it('a record between two of its nights is planned with its own start, unless its publisher says that it is active', async () => {
  const works = {
    title: 'A15 Lincoln: lane closed each night from 20:00 to 06:00',
    start_time: '2026-11-16T20:00:00.000Z',
    updated_at: '2026-11-16T12:00:00.000Z',
    end_time: '2026-11-28T06:00:00.000Z',
  };
  const { records } = await read(
    collectorOf(
      record('traffic-wales:nights', works),
      record('traffic-wales:planned', { ...works, phase: 'planned' }),
      record('traffic-wales:told', { ...works, metadata: { trust_status: true } }),
    ),
  );
  expect(records.map(({ event_id, phase, start_time }) => `${event_id} ${phase} ${start_time}`)).toEqual([
    'traffic-wales:nights planned 2026-11-16T20:00:00.000Z',
    'traffic-wales:planned planned 2026-11-16T20:00:00.000Z',
    'traffic-wales:told active 2026-11-16T20:00:00.000Z',
  ]);
});

it('keeps since when the state holds if the words say it, but prefers a publisher’s own field', async () => {
  const closed = {
    title: 'A15 Lincoln closed since 06:30 after a collision',
    start_time: '2026-11-21T05:50:00.000Z',
    updated_at: '2026-11-21T08:50:00.000Z',
  };
  const { records } = await read(
    collectorOf(
      record('traffic-wales:words', closed),
      record('traffic-wales:field', { ...closed, since: '2026-11-21T07:10:00.000Z' }),
    ),
  );
  expect(records.map(({ since }) => since)).toEqual(['2026-11-21T06:30:00.000Z', '2026-11-21T07:10:00.000Z']);
});

it('reads a record again only when it has changed', async () => {
  const titles: string[] = [];
  let listed: ReturnType<typeof record>[] = [];
  const collector: Collector = {
    ...collectorOf(),
    collect: async () => collected(listed),
    locate({ title }) {
      titles.push(title);
      const at = { latitude: 53.7, longitude: -1.7, names: ['Leeds'], reachKm: 2, isBetween: false };
      return { at, method: 'place_name' };
    },
  };
  const poll = (...titlesNow: string[]) => {
    listed = titlesNow.map((title, at) => record(`traffic-wales:${at}`, { title, ...summarised(title) }));
    return read(collector);
  };
  const first = await poll('M62 closed in Leeds', 'A64 slow in Leeds');
  expect(await poll('M62 closed in Leeds', 'A64 slow in Leeds')).toEqual(first);
  expect(titles).toEqual(['M62 closed in Leeds', 'A64 slow in Leeds']);
  const { records } = await poll('M62 closed in Leeds', 'A64 open in Leeds');
  expect(titles).toEqual(['M62 closed in Leeds', 'A64 slow in Leeds', 'A64 open in Leeds']);
  expect(records[1]!.metadata.location_names).toEqual(['Leeds']);
  await poll();
  await poll('M62 closed in Leeds');
  expect(titles).toHaveLength(4); // readings of unlisted records are not kept
});

it('leaves out and names a record whose words cannot be read, and does not end it', async () => {
  const failing = (fails: RegExp) =>
    read({
      ...collectorOf(
        record('traffic-wales:a', { title: 'one' }),
        record('traffic-wales:b', { title: 'two' }),
      ),
      read({ title }) {
        if (fails.test(title)) throw new Error('no such day');
        return null;
      },
    });
  const { records, ...poll } = await failing(/one/);
  expect(records.map(({ event_id }) => event_id)).toEqual(['traffic-wales:b']);
  expect(poll).toMatchObject({
    unreadable: ['traffic-wales:a'],
    skipped: 1,
    complete: true,
    problems: ['traffic-wales:a: its words cannot be read (Error: no such day)'],
  });
  // None can be read: this is no calm source.
  expect(await failing(/./)).toMatchObject({ records: [], skipped: 2, complete: false });
});

it('gives each recorded record the same fields when it is listed again', async () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const replay = await startReplay({ stepSeconds: 0, now: () => now });
  try {
    let compared = 0;
    for (const collector of COLLECTORS) {
      const poll = (collector: Collector) =>
        readSource(collector, {
          get: downloader().newGet().get,
          now,
          settings: replay.settings,
          facts: memoryFacts(),
        });
      const first = await poll(collector);
      expect(await poll(collector)).toEqual(first);
      expect(await poll({ ...collector })).toEqual(first); // read a second time
      compared += first.records.filter(({ facts }) => facts?.place).length;
    }
    expect(compared).toBeGreaterThan(30);
  } finally {
    await replay.close();
  }
});
