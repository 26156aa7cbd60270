import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { FeedList } from '#contract/feeds/feeds.ts';
import { collections } from '../../../server/incidents/collectionState.ts';
import { openMemoryDatabase, type Db } from '../../../server/db/open.ts';
import { feedAnswers, type FeedAnswers } from '../../../server/feeds/feedAnswers.ts';
import { answer, type Answer } from '../../../server/http/answers/readyAnswers.ts';
import { COLLECTORS, poll, record } from '../feedsWorld.ts';

const START = new Date('2026-11-21T09:00:00.000Z');
const MINUTE = 60_000;

let db: Db;
let close: () => Promise<void>;
let time: number;
let answers: FeedAnswers;
const now = () => new Date(time);

beforeEach(async () => {
  time = START.getTime();
  ({ db, close } = await openMemoryDatabase());
  answers = feedAnswers({ db, collectors: COLLECTORS, now });
});
afterEach(() => close());

const read = async (ready: Answer): Promise<z.infer<typeof FeedList>> =>
  JSON.parse((await ready.bytes('identity')).toString());
const list = async () => read((await answers.current()).list(true));

describe('a build', () => {
  it('serves a hundred requests at once, and all later ones', async () => {
    await poll(db, 'tfl', [record('tfl:victoria')], now());
    const sets = await Promise.all(Array.from({ length: 100 }, () => answers.current()));
    expect(answers.builds()).toBe(1);
    const bytes = await Promise.all(sets.map((set) => set.list(true).bytes('br')));
    expect(new Set(bytes).size).toBe(1);

    time += MINUTE;
    for (let n = 0; n < 100; n++) await answers.current();
    expect(answers.builds()).toBe(1);
  });

  it('is made again once when anything has changed, also through another node', async () => {
    await answers.current();
    await poll(db, 'tfl', [record('tfl:victoria')], now());
    await Promise.all(Array.from({ length: 100 }, () => answers.current()));
    expect(answers.builds()).toBe(2);
    expect((await list()).feeds[0]!.events.map(({ event_id }) => event_id)).toEqual(['tfl:victoria']);

    await collections(db).noteFailure('tfl', { now: now(), nextRun: null, error: 'gone' });
    expect((await list()).feeds[0]!.feed.sources.find(({ source }) => source === 'tfl')?.state).toBe(
      'degraded',
    );
    expect(answers.builds()).toBe(3);
  });

  it('is made again when a source becomes late or stale, even with nothing written', async () => {
    await poll(db, 'national-highways', [], now());
    const { everyMinutes, maxAgeMinutes } = COLLECTORS.find(({ source }) => source === 'national-highways')!;
    const freshness = async () => (await list()).feeds[1]!.feed.freshness;

    expect(await freshness()).toBe('fresh');
    time += 2 * everyMinutes * MINUTE;
    expect(await freshness()).toBe('fresh');
    expect(answers.builds()).toBe(1);

    time += everyMinutes * MINUTE;
    expect(await freshness()).toBe('late');
    time = START.getTime() + maxAgeMinutes * MINUTE + 1;
    expect(await freshness()).toBe('stale');
    expect(answers.builds()).toBe(3);

    time += 30 * 24 * 60 * MINUTE;
    expect(await freshness()).toBe('stale');
    expect(answers.builds()).toBe(3);
  });

  it('is made again when the clock was set back', async () => {
    await answers.current();
    time -= 60 * MINUTE;
    await answers.current();
    expect(answers.builds()).toBe(2);
  });

  it('reports a failure to all who wait for it, and then forgets it', async () => {
    await poll(db, 'tfl', [record('tfl:victoria')], now());
    await db.updateTable('disruptions').set({ metadata: 'no JSON' }).execute();
    const failed = await Promise.allSettled([answers.current(), answers.current()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);

    await db.updateTable('disruptions').set({ metadata: '{}' }).execute();
    expect((await list()).feeds[0]!.events).toHaveLength(1);
  });
});

it('matches the contract, with and without events, in the fixed order', async () => {
  await poll(db, 'tfl', [record('tfl:victoria')], now());
  const set = await answers.current();
  const full = FeedList.parse(await read(set.list(true)));
  const bare = FeedList.parse(await read(set.list(false)));
  expect(full.feeds.map(({ feed }) => feed.slug)).toEqual([
    'rail-network',
    'roads-uk',
    'aviation',
    'weather-flood',
    'public-safety',
  ]);
  expect(full.total).toBe(5);
  expect(bare).toEqual({ ...full, feeds: full.feeds.map((bundle) => ({ ...bundle, events: [] })) });
  expect(set.bundle('no-such-feed', true)).toBeUndefined();
  expect(set.summary('toString')).toBeUndefined();
});

describe('one answer', () => {
  const ready = answer({ text: 'M6 closed '.repeat(500) });

  it('is the same in every encoding', async () => {
    const plain = (await ready.bytes('identity')).toString();
    expect(JSON.parse(plain)).toEqual({ text: 'M6 closed '.repeat(500) });
    expect(gunzipSync(await ready.bytes('gzip')).toString()).toBe(plain);
    expect(brotliDecompressSync(await ready.bytes('br')).toString()).toBe(plain);
    expect((await ready.bytes('br')).length).toBeLessThan(plain.length / 10);
  });

  it('is compressed once', async () => {
    const [first, second] = await Promise.all([ready.bytes('br'), ready.bytes('br')]);
    expect(first).toBe(second);
  });

  it('has a strong tag for each encoding, and the same for the same content', () => {
    const tags = (['identity', 'gzip', 'br'] as const).map((encoding) => ready.etag(encoding));
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    expect(answer({ a: 1 }).etag('br')).toBe(answer({ a: 1 }).etag('br'));
    expect(answer({ a: 1 }).etag('br')).not.toBe(answer({ a: 2 }).etag('br'));
  });
});

describe('an answer of all feeds', () => {
  it('counts planned alerts and severities, and says when the last critical one ended', async () => {
    const critical = record('tfl:victoria', { severity: 'critical' });
    const planned = record('tfl:works', {
      phase: 'planned',
      start_time: '2026-11-21T12:00:00.000Z',
      title: 'Works',
    });
    await poll(db, 'tfl', [critical, planned], now());
    const before = await list();
    expect(before.feeds[0]!.feed).toMatchObject({
      alert_count: 1,
      planned_count: 1,
      by_severity: { critical: 1, high: 0, medium: 0, low: 0 },
    });
    expect(before.last_critical_cleared).toBeNull();
    expect(before.next_up).toMatchObject([{ at: '2026-11-21T12:00:00.000Z', place: 'Works' }]);

    time += MINUTE;
    await poll(db, 'tfl', [planned], now());
    expect((await list()).last_critical_cleared).toBe('2026-11-21T09:01:00.000Z');
  });

  it('says for half an hour that an incident became worse, without a write at its end', async () => {
    await poll(db, 'tfl', [record('tfl:victoria', { severity: 'medium' })], now());
    time += MINUTE;
    await poll(db, 'tfl', [record('tfl:victoria', { severity: 'high' })], now());
    const trend = async () => (await list()).feeds[0]!.events[0]!.trend;
    expect(await trend()).toEqual({
      direction: 'worse',
      since: '2026-11-21T09:01:00.000Z',
      change: 'Medium to High',
    });
    time += 30 * MINUTE - 1;
    expect(await trend()).toBeDefined();
    time += 1;
    expect(await trend()).toBeUndefined();
  });

  it('does not compare an incident that began again with what it was', async () => {
    await poll(db, 'tfl', [record('tfl:victoria', { severity: 'medium' })], now());
    time += MINUTE;
    await poll(db, 'tfl', [], now());
    time += MINUTE;
    await poll(db, 'tfl', [record('tfl:victoria', { severity: 'high' })], now());
    expect((await list()).feeds[0]!.events[0]!.trend).toBeUndefined();
  });
});
