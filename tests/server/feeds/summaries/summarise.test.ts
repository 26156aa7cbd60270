import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { COLLECTORS as ALL } from '../../../../server/sources/allSources.ts';
import { openMemoryDatabase, type Db } from '../../../../server/db/open.ts';
import { revision } from '../../../../server/db/revisions.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { summaries } from '../../../../server/feeds/summaries/summaryStore.ts';
import { readFeeds } from '../../../../server/feeds/readFeeds.ts';
import {
  extract,
  LOOK_EVERY_MS,
  startSummaries,
  SUMMARY_LIFE_MS,
  type Summaries,
  type Writer,
} from '../../../../server/feeds/summaries/summarise.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { factsOf } from '../../../support/facts.ts';
import { COLLECTORS, notConnected, poll, record } from '../../feedsWorld.ts';

const START = new Date('2026-11-21T09:00:00.000Z');
const MINUTE = 60_000;

let db: Db;
let close: () => Promise<void>;
let running: Summaries | null = null;
let logged: string[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ now: START });
  ({ db, close } = await openMemoryDatabase());
  logged = [];
});

afterEach(async () => {
  await running?.stop();
  running = null;
  await close();
  vi.useRealTimers();
});

const now = () => new Date();
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const log = {
  warn: () => {},
  error: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
};

function start(write?: Writer, collectors = COLLECTORS): Summaries {
  running = startSummaries({ db, collectors, now, log, write });
  return running;
}

const of = async (feed: string): Promise<RowOf<'summaries'>> => (await summaries(db).of(feed))!;
const isStale = async (feed: string, collectors = COLLECTORS) => {
  const [reading] = await readFeeds(
    { db, collectors },
    now(),
    FEEDS.filter(({ slug }) => slug === feed),
  );
  return (await of(feed)).input_hash !== reading!.inputHash;
};

it('makes a summary of every feed at once, and says what wrote it', async () => {
  await poll(
    db,
    'national-highways',
    [
      record('national-highways:1', {
        severity: 'critical',
        title: 'M6 southbound closed, J20 to J19',
        updated_at: '2026-11-21T08:12:00.000Z',
      }),
      record('national-highways:2', { severity: 'low', updated_at: '2026-11-21T08:20:00.000Z' }),
      // Its publisher's clock is ahead.
      record('national-highways:3', { phase: 'planned', updated_at: '2026-11-21T19:00:00.000Z' }),
    ],
    START,
  );
  await start().remake();

  expect((await summaries(db).all()).map(({ feed }) => feed)).toEqual(
    FEEDS.map(({ slug }) => slug).toSorted(),
  );
  const { text, event_ids, input_hash, ...rest } = await of('roads-uk');
  expect(text).toBe(
    '1 critical alert on UK roads. M6 southbound closed, J20 to J19. 1 other is low. ' +
      notConnected('roads-uk'),
  );
  expect(JSON.parse(event_ids)).toEqual([
    'national-highways:1',
    'national-highways:2',
    'national-highways:3',
  ]);
  expect(input_hash).toMatch(/^[\da-f]{64}$/);
  expect(rest).toEqual({
    feed: 'roads-uk',
    model: 'clearway-extract-1',
    prompt_version: 'extract-2',
    generated_at: '2026-11-21T09:00:00.000Z',
    expires_at: '2026-11-21T09:15:00.000Z',
    event_count: 3,
    last_event_at: '2026-11-21T08:20:00.000Z',
    tokens_prompt: 0,
    tokens_completion: 0,
    metadata: '{"fallback":"not_configured"}',
  });
});

it('is made again when the alerts change, and not by a poll that brings nothing new', async () => {
  const first = record('tfl:victoria', { severity: 'high', title: 'Victoria: Severe Delays' });
  await poll(db, 'tfl', [first], now());
  const summary = start();
  await summary.remake();
  const before = await of('rail-network');

  await pass(2 * MINUTE);
  await poll(db, 'tfl', [first], now());
  expect(await isStale('rail-network')).toBe(false);
  await summary.sourceChanged('tfl');
  expect(await of('rail-network')).toEqual(before);

  await poll(db, 'tfl', [{ ...first, severity: 'critical' }], now());
  expect(await isStale('rail-network')).toBe(true);
  await summary.sourceChanged('tfl');
  expect(await isStale('rail-network')).toBe(false);
  expect(await of('rail-network')).toMatchObject({
    text: expect.stringMatching(/^1 critical alert on the rail network\. Victoria: Severe Delays\./),
    generated_at: '2026-11-21T09:02:00.000Z',
  });
});

it('is made again at once when a report of another feed is merged into one of its alerts', async () => {
  const closure = (id: string, severity: DisruptionRecord['severity']) =>
    record(id, {
      severity,
      start_time: '2026-11-21T08:31:00.000Z',
      facts: factsOf({
        place: 'M62 eastbound, J26 to J27',
        effect: 'closed',
        roads: ['M62'],
        stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
        direction: 'E',
      }),
    });
  const collectors = [...COLLECTORS, ...ALL.filter(({ source }) => source === 'met-police')];
  const summary = start(extract, collectors);
  await poll(
    db,
    'national-highways',
    [{ ...closure('national-highways:n', 'medium'), event_type: 'road.closure' }],
    now(),
  );
  await summary.remake();
  await poll(
    db,
    'met-police',
    [{ ...closure('met-police:p', 'critical'), event_type: 'police.road_closure' }],
    now(),
  );
  expect(await isStale('roads-uk', collectors)).toBe(true);
  await summary.sourceChanged('met-police');
  expect(await isStale('roads-uk', collectors)).toBe(false);
});

it('is no longer calm when its sources become old', async () => {
  await poll(db, 'national-highways', [], START);
  await start().remake();
  expect((await of('roads-uk')).text).toMatch(/^No active alerts on UK roads\./);

  const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === 'national-highways')!;
  await pass(maxAgeMinutes * MINUTE);
  expect((await of('roads-uk')).text).toMatch(/^No active alerts on UK roads\./);
  await pass(LOOK_EVERY_MS + 1);
  expect((await of('roads-uk')).text).toMatch(
    /^No recent information since 09:00\. .* not connected\. The state of UK roads is not known\.$/,
  );
});

it('names the time in London, with the day when it is not today', async () => {
  vi.setSystemTime('2026-07-01T22:30:00.000Z');
  await poll(db, 'national-highways', [], now());
  vi.setSystemTime('2026-07-02T10:00:00.000Z');
  await poll(db, 'tfl', [], now());
  vi.setSystemTime('2026-07-02T15:00:00.000Z');
  await start().remake();
  expect((await of('roads-uk')).text).toMatch(/^No recent information since 23:30 on 1 Jul\. /);
  expect((await of('rail-network')).text).toMatch(/^No recent information since 11:00\. /);
});

it('is written again, in the same words, before it expires', async () => {
  const summary = start();
  await summary.remake();
  const before = await of('aviation');
  await pass(SUMMARY_LIFE_MS + LOOK_EVERY_MS);
  const after = await of('aviation');
  expect(after.text).toBe(before.text);
  expect(after.generated_at > before.generated_at).toBe(true);
});

it('from the future of another clock is written again', async () => {
  const summary = start();
  await summary.remake();
  const later = { generated_at: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-01T00:15:00.000Z' };
  await summaries(db).put({ ...(await of('aviation')), ...later });
  await summary.remake('aviation');
  expect((await of('aviation')).generated_at).toBe(START.toISOString());
});

it('from another node whose clock is a minute ahead is kept', async () => {
  const summary = start();
  await summary.remake();
  const ahead = { generated_at: '2026-11-21T09:01:00.000Z', expires_at: '2026-11-21T09:16:00.000Z' };
  await summaries(db).put({ ...(await of('aviation')), ...ahead });
  await summary.remake('aviation');
  expect(await of('aviation')).toMatchObject(ahead);
});

it('keeps the old summary of a feed that fails until the next look, and makes the others', async () => {
  await poll(db, 'tfl', [record('tfl:victoria')], START);
  let fails = false;
  const summary = start(async (input, time) => {
    if (fails && input.slug === 'rail-network') throw new Error('No words came.');
    return extract(input, time);
  });
  await summary.remake();
  const before = await of('rail-network');

  fails = true;
  await poll(db, 'tfl', [record('tfl:victoria'), record('tfl:central')], now());
  await poll(db, 'national-highways', [record('national-highways:1')], now());
  await summary.remake();
  expect(await of('rail-network')).toEqual(before);
  expect(await isStale('rail-network')).toBe(true);
  expect(await isStale('roads-uk')).toBe(false);
  expect(logged.join('\n')).toContain('Could not make the summary');

  fails = false;
  await pass(LOOK_EVERY_MS);
  expect(await isStale('rail-network')).toBe(false);
});

it('is made once or twice for a burst of collections, and never two at a time', async () => {
  let writing = 0;
  let most = 0;
  let written = 0;
  const summary = start(async (input, time) => {
    if (input.slug !== 'rail-network') return extract(input, time);
    most = Math.max(most, ++writing);
    written++;
    await new Promise((done) => setTimeout(done, 100));
    writing--;
    return extract(input, time);
  });
  await pass(1);
  await poll(db, 'tfl', [record('tfl:victoria')], now());
  const burst = Promise.all(Array.from({ length: 50 }, () => summary.sourceChanged('tfl')));
  await pass(300);
  await burst;

  expect({ most, written }).toEqual({ most: 1, written: 2 });
  expect(await isStale('rail-network')).toBe(false);
});

it('reaches every node when it is new', async () => {
  const summary = start();
  await summary.remake();
  const before = await revision(db, 'feeds');
  await poll(db, 'tfl', [record('tfl:victoria')], now());
  const polled = await revision(db, 'feeds');
  await summary.remake('rail-network');
  expect(polled).toBeGreaterThan(before);
  expect(await revision(db, 'feeds')).toBeGreaterThan(polled);
});

it('finishes the work under way on a stop, and begins nothing more', async () => {
  let finish: (() => void) | undefined;
  const summary = start(async (input, time) => {
    if (input.slug === 'aviation') await new Promise<void>((done) => (finish = done));
    return extract(input, time);
  });
  await pass(1);
  let isStopped = false;
  const stopped = summary.stop().then(() => (isStopped = true));
  await pass(1);
  expect(isStopped).toBe(false);
  finish?.();
  await stopped;
  expect(await of('aviation')).toBeDefined();

  await poll(db, 'tfl', [record('tfl:victoria')], now());
  await summary.remake();
  expect(await isStale('rail-network')).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('stops only when a queued run is finished too', async () => {
  const finish: (() => void)[] = [];
  const summary = start(async (input, time) => {
    if (input.slug === 'rail-network') await new Promise<void>((done) => finish.push(done));
    return extract(input, time);
  });
  await pass(1);
  await poll(db, 'tfl', [record('tfl:victoria')], now());
  const waiting = summary.remake('rail-network');
  let isStopped = false;
  const stopped = summary.stop().then(() => (isStopped = true));
  finish[0]?.();
  await pass(1);
  expect({ runs: finish.length, isStopped }).toEqual({ runs: 2, isStopped: false });
  finish[1]?.();
  await Promise.all([stopped, waiting]);
  expect(await isStale('rail-network')).toBe(false);
});
