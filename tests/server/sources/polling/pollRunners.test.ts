import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Collected, Collector, Tools } from '../../../../server/incidents/collector.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import {
  BACK_OFF_MAX_MS,
  delayAfterFailure,
  FIRST_RETRY_MS,
  RETRY_AFTER_MAX_MS,
} from '../../../../server/sources/polling/pollDelays.ts';
import {
  LEASE_MS,
  leaseName,
  FIRST_RUN_WITHIN_MS,
  STOP_GRACE_MS,
  EXPIRE_EVERY_MS,
  startSchedule,
  type Schedule,
  type ScheduleParts,
} from '../../../../server/sources/polling/pollRunners.ts';
import { RUN_DEADLINE_MS } from '../../../../server/sources/polling/poll.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { rowsWith } from '../../../../server/db/statements.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { openMemoryDatabase, type Db } from '../../../../server/db/open.ts';
import { revision } from '../../../../server/db/revisions.ts';
import { collected, poll, record } from '../../feedsWorld.ts';
import { NOBODY } from '../../../support/publisher.ts';

const START = new Date('2026-11-21T09:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

let db: Db;
let closeDatabase: () => Promise<void>;
let running: Schedule[] = [];
let logged: string[] = [];

beforeEach(async () => {
  vi.useFakeTimers({ now: START });
  const opened = await openMemoryDatabase();
  ({ db, close: closeDatabase } = opened);
  running = [];
  logged = [];
});

afterEach(async () => {
  const stopped = Promise.all(running.map((schedule) => schedule.stop()));
  await pass(STOP_GRACE_MS);
  await stopped;
  await closeDatabase();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const write = (fields: object, message: string) => {
  logged.push(`${message} ${JSON.stringify(fields)}`);
};
const log = { info: write, warn: write, error: write };

/** Options of a runner. `random` 0.5: no jitter at all, and a first run after half of its time. */
function start(collectors: Collector[], changes: Partial<ScheduleParts> = {}): Schedule {
  const schedule = startSchedule({
    db,
    collectors,
    settings: {},
    download: downloader({ fetch: () => Promise.reject(new Error('Nothing is asked here.')) }),
    now: () => new Date(),
    random: () => 0.5,
    log,
    owner: 'node-1',
    ...changes,
  });
  running.push(schedule);
  return schedule;
}

const FIRST_RUN = FIRST_RUN_WITHIN_MS / 2;

function collector(
  source: string,
  collect: (tools: Tools) => Promise<Collected>,
  changes: Partial<Collector> = {},
): Collector {
  return {
    source,
    publisher: NOBODY,
    everyMinutes: 2,
    maxAgeMinutes: 30,
    settings: [],
    absentPolls: 1,
    neverEmpty: false,
    collect,
    ...changes,
  };
}

/** Notes in seconds since the start when it is polled. */
function timed(source: string, collect: (tools: Tools) => Promise<Collected>, changes?: Partial<Collector>) {
  const at: number[] = [];
  const one = collector(
    source,
    (tools) => {
      at.push((Date.now() - START.getTime()) / SECOND);
      return collect(tools);
    },
    changes,
  );
  return { collector: one, at };
}

const good = async () => collected([record('tfl:victoria')]);
const never = () => new Promise<never>(() => {});
const broken = async (): Promise<never> => {
  throw new Error('The document is no list.');
};

/** The database, whose calls of this name fail or wait for as long as `hold` says. */
function through(hold: (call: string, table: unknown) => 'fail' | Promise<unknown> | undefined): Db {
  const slowed = (builder: object, until: Promise<unknown>): object =>
    new Proxy(builder, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (String(name).startsWith('execute')) return until.then(() => value.apply(target, given));
          return slowed(value.apply(target, given), until);
        };
      },
    });
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const held = hold(String(name), given[0]);
        if (held === 'fail') throw new Error('The database does not answer.');
        const made = value.apply(target, given);
        return held ? slowed(made, held) : made;
      };
    },
  });
}

const titles = async (source: string) =>
  (await disruptions(db).ofSource(source, { limit: 100 })).events.map(({ event_id }) => event_id);
const row = async (source: string) => (await collections(db).of(source))!;

describe('the rhythm', () => {
  it('begins within seconds for every source, and then follows each one’s interval', async () => {
    const tfl = timed('tfl', async () => collected([record('tfl:victoria')]));
    const floods = timed('ea-flood', async () => collected([]), { everyMinutes: 15 });
    start([tfl.collector, floods.collector]);

    await pass(FIRST_RUN_WITHIN_MS);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect((await row('ea-flood')).last_success).not.toBeNull();

    await pass(31 * MINUTE);
    expect(tfl.at).toEqual(Array.from({ length: 16 }, (_, n) => FIRST_RUN / SECOND + n * 120));
    expect(floods.at).toEqual([0, 1, 2].map((n) => FIRST_RUN / SECOND + n * 900));
    expect(await row('tfl')).toMatchObject({
      last_attempt: '2026-11-21T09:30:01.500Z',
      last_success: '2026-11-21T09:30:01.500Z',
      next_run: '2026-11-21T09:32:01.500Z',
    });
    expect(await cursors(db).leasedUntil(leaseName('tfl'))).toBeNull();
  });

  it.each([
    [0, [0, 108, 216]],
    [1, [3, 135, 267]],
  ])('is shifted by up to a tenth: random %d', async (random, seconds) => {
    const tfl = timed('tfl', good);
    start([tfl.collector], { random: () => random });
    await pass(280 * SECOND);
    expect(tfl.at).toEqual(seconds);
  });

  it('is shortened by intervalScale', async () => {
    const tfl = timed('tfl', good);
    start([tfl.collector], { intervalScale: 0.1 });
    await pass(40 * SECOND);
    expect(tfl.at).toEqual([1.5, 13.5, 25.5, 37.5]);
  });

  it('counts from the start of one poll to the start of the next, however long it takes', async () => {
    const tfl = timed('tfl', async () => {
      await new Promise((done) => setTimeout(done, 50 * SECOND));
      return good();
    });
    start([tfl.collector]);
    await pass(250 * SECOND);
    expect(tfl.at).toEqual([1.5, 121.5, 241.5]);
  });
});

it('lets the others run for a second after a poll that took longer than its rhythm', async () => {
  const slow = () => new Promise<Collected>((done) => setTimeout(() => done(collected([])), 90 * SECOND));
  const tfl = timed('tfl', slow, { everyMinutes: 1 });
  start([tfl.collector]);
  await pass(FIRST_RUN + 2 * 91 * SECOND);
  expect(tfl.at).toEqual([1.5, 92.5, 183.5]);
});

describe('a source in trouble', () => {
  it('is polled at once after a restart: perhaps only our own network was down', async () => {
    await collections(db).ensure('tfl', true);
    await db.updateTable('collections').set({ consecutive_failures: 20 }).execute();
    const tfl = timed('tfl', broken);
    start([tfl.collector]);
    await pass(FIRST_RUN + FIRST_RETRY_MS * 1.1);
    expect(tfl.at).toEqual([1.5, 18]);
  });

  it('is tried again on time when the clock was set back meanwhile', async () => {
    const tfl = timed('tfl', broken);
    start([tfl.collector]);
    await pass(FIRST_RUN);
    vi.setSystemTime(START.getTime() - 60 * MINUTE);
    await pass(FIRST_RETRY_MS * 1.1);
    expect(tfl.at).toHaveLength(2);
  });

  it('that names its key in its problems has it hidden', async () => {
    const settings = [{ name: 'TFL_APP_KEY', required: false, secret: true, about: '' }];
    const leaking = async () => collected([], { problems: ['/status?app_key=very-secret-key: odd'] });
    start([collector('tfl', leaking, { settings })], { settings: { TFL_APP_KEY: 'very-secret-key' } });
    await pass(FIRST_RUN);
    const { problems } = await row('tfl');
    expect(problems).toContain('odd');
    expect(problems).not.toContain('very-secret-key');
  });

  it('that gives an empty record loses that record alone', async () => {
    const odd = [null as never, undefined as never, record('tfl:victoria')];
    start([collector('tfl', async () => collected(odd))]);
    await pass(FIRST_RUN);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(await row('tfl')).toMatchObject({ skipped: 2, complete: 0 });
    expect((await row('tfl')).problems).toContain('Record 2: ');
  });

  it('may ask for another poll before anything ends, when it comes in a less reliable form', async () => {
    const left = [[record('tfl:victoria'), record('tfl:central')], [record('tfl:central')]];
    let polls = 0;
    const forgetful = async () => collected(left[polls++] ?? [record('tfl:central')], { absentPolls: 2 });
    start([collector('tfl', forgetful)]);
    await pass(FIRST_RUN + 2 * MINUTE);
    expect(await titles('tfl')).toHaveLength(2);
    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:central']);
  });

  it('that is only ever read in part loses at last what no part lists', async () => {
    let polls = 0;
    const inPart = async () =>
      polls++ === 0
        ? collected([record('tfl:victoria'), record('tfl:central')])
        : collected([record('tfl:central')], { complete: false });
    start([collector('tfl', inPart, { maxAgeMinutes: 10 })]);
    await pass(FIRST_RUN + 10 * MINUTE);
    expect(await titles('tfl')).toHaveLength(2);
    await pass(4 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:central']);
  });

  it('that hangs delays no other, is abandoned at the deadline, and is tried again', async () => {
    const hanging = timed('met-office', never);
    const tfl = timed('tfl', good);
    start([hanging.collector, tfl.collector]);

    await pass(RUN_DEADLINE_MS + FIRST_RUN);
    expect(tfl.at).toEqual([1.5, 121.5]);
    expect(await row('met-office')).toMatchObject({
      last_success: null,
      consecutive_failures: 1,
      last_error: 'The collector did not finish within 120 s.',
    });

    await pass(10 * MINUTE);
    expect(hanging.at.length).toBeGreaterThan(1);
    expect(tfl.at).toHaveLength(6 + 1);
  });

  it('has a hanging download aborted at the deadline', async () => {
    let isBrokenOff = false;
    const hangingFetch: typeof fetch = (_, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => {
          isBrokenOff = true;
          reject(options.signal?.reason as Error);
        });
      });
    start([collector('tfl', async ({ get }) => (await get('https://tfl.example/')) && good())], {
      download: downloader({ fetch: hangingFetch, timeoutMs: 3600 * SECOND }),
    });
    await pass(FIRST_RUN + RUN_DEADLINE_MS);
    expect(isBrokenOff).toBe(true);
    expect((await row('tfl')).consecutive_failures).toBe(1);
  });

  it('keeps its last good set, says why without any key, and shows in the feeds at once', async () => {
    let fails = false;
    const tfl = collector(
      'tfl',
      async () => {
        if (fails) throw new Error('GET https://api.example/v1/x?app_key=s3cret-key: s3cret-key was refused');
        return good();
      },
      { settings: [{ name: 'TFL_APP_KEY', required: false, secret: true, about: '' }] },
    );
    start([tfl], { settings: { TFL_APP_KEY: 's3cret-key' } });
    await pass(FIRST_RUN);
    const before = await revision(db, 'feeds');

    fails = true;
    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(await row('tfl')).toMatchObject({
      last_success: '2026-11-21T09:00:01.500Z',
      last_attempt: '2026-11-21T09:02:01.500Z',
      consecutive_failures: 1,
      last_error: 'GET api.example/…: [redacted] was refused',
    });
    expect(await revision(db, 'feeds')).toBeGreaterThan(before);
    expect(logged.join('\n')).toContain('Could not collect');
    expect(logged.join('\n')).not.toContain('s3cret');
  });

  it.each([
    ['a rejection', broken, 'The document is no list.'],
    ['something that is no error', () => Promise.reject('gone'), 'gone'],
    [
      'a throw before the first wait',
      () => {
        throw new TypeError('x is not a function');
      },
      'x is not a function',
    ],
  ])('ends nothing and stops nothing: %s', async (_, fault, error) => {
    await poll(db, 'tfl', [record('tfl:victoria')], START);
    const tfl = timed('tfl', fault);
    start([tfl.collector]);
    await pass(FIRST_RUN);
    expect((await row('tfl')).last_error).toBe(error);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    await pass(10 * MINUTE);
    expect(tfl.at.length).toBeGreaterThan(3);
  });

  it('is tried again soon after the start, then less and less often', async () => {
    const tfl = timed('tfl', broken);
    start([tfl.collector]);
    await pass(60 * MINUTE);
    // 15 s, 30 s, 60 s and so on, each a tenth longer (random 0.5), at most a quarter of an hour.
    expect(tfl.at).toEqual([1.5, 18, 51, 117, 249, 513, 1041, 2031, 3021]);
  });

  it('that was read before waits one interval, then doubles it, and recovers at once', async () => {
    let fails = false;
    const tfl = timed('tfl', () => (fails ? broken() : good()));
    start([tfl.collector]);
    await pass(FIRST_RUN);
    fails = true;
    await pass(40 * MINUTE);
    const waits = tfl.at.slice(1).map((time, n) => Math.round(time - tfl.at[n]!));
    expect(waits).toEqual([120, 132, 264, 528, 990]);

    fails = false;
    await pass(30 * MINUTE);
    expect(tfl.at.slice(-2).map((time, n, [first]) => (n === 0 ? 0 : time - first!))).toEqual([0, 120]);
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 0, last_error: null });
  });

  it('is left alone for as long as its Retry-After says', async () => {
    const tfl = timed('tfl', async ({ get }) => (await get('https://tfl.example/status')) && good());
    start([tfl.collector], {
      download: downloader({
        fetch: async () => new Response('', { status: 429, headers: { 'retry-after': '3000' } }),
      }),
    });
    await pass(90 * MINUTE);
    expect(tfl.at).toEqual([1.5, 3001.5]);
    expect((await row('tfl')).next_run).toBe('2026-11-21T10:40:01.500Z');
  });

  it('loses only the record that breaks the contract, and ends nothing', async () => {
    await poll(db, 'tfl', [record('tfl:central')], START);
    const odd = { ...record('tfl:odd'), severity: 'dreadful' as 'high' };
    const foreign = record('ea-flood:1');
    start([
      collector('tfl', async () =>
        collected([record('tfl:victoria'), odd, foreign], { skipped: 1, problems: ['Line 3 has no id'] }),
      ),
    ]);
    await pass(FIRST_RUN);
    expect((await titles('tfl')).toSorted()).toEqual(['tfl:central', 'tfl:victoria']);
    const { skipped, problems, complete } = await row('tfl');
    expect({ skipped, complete }).toEqual({ skipped: 3, complete: 0 });
    expect(JSON.parse(problems)).toEqual([
      expect.stringMatching(/^tfl:odd: severity: /),
      'ea-flood:1: the id is not one of this source',
      'Line 3 has no id',
    ]);
  });

  it('keeps a record that is dated ahead of our clock, flags it, and says so', async () => {
    const ahead = record('tfl:victoria', { updated_at: '2026-11-21T12:00:00.000Z' });
    start([collector('tfl', async () => collected([ahead, record('tfl:central')]))]);
    await pass(FIRST_RUN);
    const { events } = await disruptions(db).ofSource('tfl', { limit: 9 });
    expect(events.map(({ event_id, metadata }) => [event_id, metadata.clock_skew])).toEqual([
      ['tfl:victoria', true],
      ['tfl:central', undefined],
    ]);
    expect(JSON.parse((await row('tfl')).problems)).toEqual([
      expect.stringMatching(/^1 of 2 records are dated ahead of our clock, among them tfl:victoria: /),
    ]);
  });

  it('that is suddenly empty is believed only when a poll confirms it', async () => {
    let isEmpty = false;
    const nsi = timed('tfl', () => (isEmpty ? Promise.resolve(collected([])) : good()), { neverEmpty: true });
    start([nsi.collector]);
    await pass(FIRST_RUN);
    isEmpty = true;

    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(await row('tfl')).toMatchObject({
      last_success: '2026-11-21T09:00:01.500Z',
      suspect_polls: 1,
      last_error: expect.stringMatching(/^The source lists nothing, although it is never empty/),
    });

    await pass(4 * MINUTE);
    expect(nsi.at).toEqual([1.5, 121.5, 241.5, 361.5]);
    expect(await titles('tfl')).toEqual([]);
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 0, last_error: null });
  });

  it('is in the poll log with how long it took, what it changed and what was wrong with it', async () => {
    const turns = [
      good,
      good,
      broken,
      async () => collected([]),
      async () => collected([], { complete: false }),
      never,
    ];
    start([collector('tfl', () => turns.shift()!(), { neverEmpty: true })], { random: () => 0.5 });
    await pass(24 * MINUTE);

    const polls = await db.selectFrom('polls').selectAll().orderBy('at').execute();
    expect(
      polls
        .slice(0, 6)
        .map(({ ok, ms, records, changed, error_kind }) => [ok, ms, records, changed, error_kind]),
    ).toEqual([
      [1, 0, 1, 1, null],
      [1, 0, 1, 0, null],
      [0, 0, 0, 0, 'unreadable'],
      [0, 0, 0, 0, 'empty'],
      [0, 0, 0, 0, 'empty'],
      [0, RUN_DEADLINE_MS, 0, 0, 'timeout'],
    ]);
  });

  it('an empty part is no good collection: what is kept ages, and nothing is called calm', async () => {
    let isWhole = true;
    const works = timed('traffic-wales', async () =>
      isWhole
        ? collected([record('traffic-wales:a')])
        : collected([], {
            complete: false,
            problems: ['The roadworks could not be read.', 'Neither could that.'],
          }),
    );
    start([works.collector]);
    await pass(FIRST_RUN_WITHIN_MS);
    isWhole = false;
    await pass(6 * MINUTE);
    expect(works.at).toEqual([1.5, 121.5, 241.5, 361.5]);
    expect(await row('traffic-wales')).toMatchObject({
      last_success: '2026-11-21T09:00:01.500Z',
      consecutive_failures: 3,
      last_error:
        'Only part of the source could be read, and that part is empty. The roadworks could not be read.',
    });
    expect(await titles('traffic-wales')).toEqual(['traffic-wales:a']);

    await pass(30 * MINUTE);
    expect(await titles('traffic-wales')).toEqual([]);
  });
});

it.each([
  // Failures in a row, rhythm in minutes, still starting?, Retry-After in s, seconds to wait
  [1, 2, false, null, 120],
  [2, 2, false, null, 240],
  [4, 2, false, null, 900],
  [500, 2, false, null, 900],
  [1, 15, false, null, 900],
  [3, 15, false, null, 900],
  [1, 30, false, null, 1800],
  [5, 30, false, null, 1800],
  [1, 15, true, null, FIRST_RETRY_MS / SECOND],
  [3, 15, true, null, 60],
  [50, 15, true, null, BACK_OFF_MAX_MS / SECOND],
  [1, 0.1, true, null, 6],
  [1, 2, false, 60, 120],
  [1, 2, false, 1000, 1000],
  [1, 2, true, 1000, 1000],
  [1, 2, false, 10 ** 9, RETRY_AFTER_MAX_MS / SECOND],
])('failure %i at a rhythm of %d min (starting: %s, asked to wait: %s s) waits %d s', (...row) => {
  const [failures, minutes, isStarting, retryAfter, seconds] = row;
  const retryAfterMs = retryAfter === null ? null : retryAfter * SECOND;
  const common = { failures, isStarting, rhythmMs: minutes * MINUTE, retryAfterMs };
  expect(delayAfterFailure({ ...common, random: () => 0 }) / SECOND).toBe(seconds);
  const most = delayAfterFailure({ ...common, random: () => 1 }) / SECOND;
  expect(most).toBeGreaterThanOrEqual(seconds);
  expect(most).toBeLessThanOrEqual(seconds * 1.2001);
});

/** Answers 304 to a caller that names the present version. */
function upstream(version: () => string): typeof fetch {
  return async (_, options) => {
    const etag = `"${version()}"`;
    const known = new Headers(options?.headers).get('if-none-match');
    if (known === etag) return new Response(null, { status: 304, headers: { etag } });
    return new Response(version(), { headers: { etag } });
  };
}

describe('an answer that has not changed', () => {
  it('is a good collection, and ends only what has reached its end time', async () => {
    let polls = 0;
    const tfl = collector('tfl', async ({ get }) => {
      await get('https://tfl.example/status');
      polls++;
      // Records that a collector reads out of the same document may differ with time: news grows old.
      return collected(
        polls === 1
          ? [record('tfl:victoria'), record('tfl:central', { end_time: '2026-11-21T09:05:00.000Z' })]
          : [record('tfl:victoria', { title: 'Victoria: read again' })],
      );
    });
    const absentOne = collector('met-office', async ({ get }) => {
      await get('https://met.example/');
      return collected(polls <= 1 ? [record('met-office:1')] : []);
    });
    start([tfl, absentOne], { download: downloader({ fetch: upstream(() => 'v1') }) });

    await pass(FIRST_RUN + 4 * MINUTE);
    expect(polls).toBe(3);
    expect((await row('tfl')).last_success).toBe('2026-11-21T09:04:01.500Z');
    expect(await row('tfl')).toMatchObject({ complete: 1, consecutive_failures: 0 });
    expect((await titles('tfl')).toSorted()).toEqual(['tfl:central', 'tfl:victoria']);
    expect(await titles('met-office')).toEqual(['met-office:1']);

    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(await titles('met-office')).toEqual(['met-office:1']);
  });

  it('counts in full if the answer that it repeats was never stored', async () => {
    await poll(db, 'tfl', [record('tfl:central'), record('tfl:victoria')], START);
    let polls = 0;
    const tfl = collector('tfl', async ({ get }) => {
      await get('https://tfl.example/status');
      if (++polls === 1) throw new Error('Stumbled over it.');
      return good();
    });
    start([tfl], { download: downloader({ fetch: upstream(() => 'v1') }) });

    await pass(FIRST_RUN);
    expect(await titles('tfl')).toHaveLength(2);
    await pass(MINUTE);
    expect(polls).toBe(2);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
  });

  it('counts in full if the database failed when it was new', async () => {
    let version = 'v1';
    const tfl = collector('tfl', async ({ get }) => {
      const { body } = await get('https://tfl.example/status');
      return collected(
        body === 'v1' ? [record('tfl:central'), record('tfl:victoria')] : [record('tfl:victoria')],
      );
    });
    start([tfl], { download: downloader({ fetch: upstream(() => version) }) });
    await pass(FIRST_RUN + MINUTE);
    expect(await titles('tfl')).toHaveLength(2);

    await sql`create trigger fails before update on disruptions begin select raise(abort, 'full'); end`.execute(
      db,
    );
    version = 'v2';
    await pass(2 * MINUTE);
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 1 });
    expect(await titles('tfl')).toHaveLength(2);

    await sql`drop trigger fails`.execute(db);
    await pass(4 * MINUTE);
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 0 });
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
  });

  it('counts in full when another node has stored a newer one since', async () => {
    const tfl = collector('tfl', async ({ get }) => {
      await get('https://tfl.example/status');
      return good();
    });
    start([tfl], { download: downloader({ fetch: upstream(() => 'v1') }) });
    await pass(FIRST_RUN + MINUTE);
    await poll(db, 'tfl', [record('tfl:central'), record('tfl:victoria')], new Date());
    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
  });

  it('ends incidents that are gone as soon as the answer changes', async () => {
    let version = 'v1';
    const tfl = collector('tfl', async ({ get }) => {
      const { body } = await get('https://tfl.example/status');
      return collected(
        body === 'v1' ? [record('tfl:central'), record('tfl:victoria')] : [record('tfl:victoria')],
      );
    });
    start([tfl], { download: downloader({ fetch: upstream(() => version) }) });
    await pass(FIRST_RUN + 2 * MINUTE);
    version = 'v2';
    await pass(2 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
  });
});

describe('several nodes on one database', () => {
  it('poll each source on one of them at a time, in its rhythm', async () => {
    let atOnce = 0;
    let mostAtOnce = 0;
    const tfl = timed('tfl', async () => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await new Promise((done) => setTimeout(done, 30 * SECOND));
      atOnce--;
      return good();
    });
    start([tfl.collector], { owner: 'node-1', random: () => 0.2 });
    start([tfl.collector], { owner: 'node-2', random: () => 0.7 });
    start([tfl.collector], { owner: 'node-3', random: () => 0.9 });

    await pass(60 * MINUTE);
    expect(mostAtOnce).toBe(1);
    // Thirty rhythms of two minutes, moved by a tenth at most.
    expect(tfl.at.length).toBeGreaterThanOrEqual(60 / 2.2);
    expect(tfl.at.length).toBeLessThanOrEqual(60 / 1.8 + 1);
  });

  it('take over when one of them stops', async () => {
    const first = timed('tfl', good);
    const second = timed('tfl', good);
    const leaving = start([first.collector], { owner: 'node-1', random: () => 0 });
    start([second.collector], { owner: 'node-2', random: () => 1 });
    await pass(MINUTE);
    await leaving.stop();
    const before = first.at.length;

    await pass(10 * MINUTE);
    expect(first.at).toHaveLength(before);
    expect(second.at.length).toBeGreaterThanOrEqual(4);
  });

  it('wait until a dead node’s lease has lapsed', async () => {
    await collections(db).ensure('tfl', true);
    await cursors(db).takeLease(leaseName('tfl'), 'dead', START, new Date(START.getTime() + LEASE_MS));
    const tfl = timed('tfl', good);
    start([tfl.collector]);
    await pass(LEASE_MS - 1);
    expect(tfl.at).toEqual([]);
    await pass(2 * SECOND);
    expect(tfl.at).toHaveLength(1);
  });

  it('renew the lease for as long as a poll lasts', async () => {
    start([collector('tfl', never)]);
    await pass(FIRST_RUN + 3 * LEASE_MS);
    expect(
      await cursors(db).takeLease(leaseName('tfl'), 'node-2', new Date(), new Date(Date.now() + LEASE_MS)),
    ).toBe(false);
  });

  it('discard what they have read if another has taken over meanwhile', async () => {
    await poll(db, 'tfl', [record('tfl:central')], START);
    const tfl = collector('tfl', async () => {
      const lease_until = new Date(Date.now() + LEASE_MS).toISOString();
      await rowsWith(db, 'cursors', { name: leaseName('tfl') }).set({ lease_owner: 'node-2', lease_until });
      return good();
    });
    start([tfl]);
    await pass(FIRST_RUN);
    expect(await titles('tfl')).toEqual(['tfl:central']);
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 0 });
    const lease = await rowsWith(db, 'cursors', { name: leaseName('tfl') }).first();
    expect(lease?.lease_owner).toBe('node-2');
  });

  it('notice quickly when another has released its lease', async () => {
    await collections(db).ensure('tfl', true);
    await cursors(db).takeLease(leaseName('tfl'), 'other', START, new Date(START.getTime() + LEASE_MS));
    const tfl = timed('tfl', good);
    start([tfl.collector]);
    await pass(5 * SECOND);
    await cursors(db).dropLease(leaseName('tfl'), 'other');
    await pass(LEASE_MS / 2);
    expect(tfl.at).toHaveLength(1);
  });

  it('poll at once after their own start, whatever was planned before it', async () => {
    await collections(db).ensure('tfl', true);
    const before = { last_attempt: '2026-11-21T08:59:00.000Z', next_run: '2026-11-21T09:01:30.000Z' };
    await db.updateTable('collections').set(before).execute();
    const tfl = timed('tfl', good);
    start([tfl.collector]);
    await pass(FIRST_RUN);
    expect(tfl.at).toEqual([1.5]);
  });

  it('respect another node’s back-off after failures', async () => {
    await collections(db).ensure('tfl', true);
    const tfl = timed('tfl', good);
    start([tfl.collector]);
    const others = { last_attempt: '2026-11-21T09:00:01.000Z', next_run: '2026-11-21T09:15:00.000Z' };
    await db
      .updateTable('collections')
      .set({ ...others, consecutive_failures: 5 })
      .execute();
    await pass(15 * MINUTE - 1);
    expect(tfl.at).toEqual([]);
    await pass(1);
    expect(tfl.at).toEqual([900]);
  });

  it('keep the rhythm if a lease can briefly be neither renewed nor released', async () => {
    let isDown = false;
    const slow = () => new Promise<Collected>((done) => setTimeout(() => done(collected([])), LEASE_MS / 2));
    const tfl = timed('tfl', slow);
    start([tfl.collector], {
      db: through((call) => (isDown && /^(?:updateTable|insertInto)$/.test(call) ? 'fail' : undefined)),
      onCollected: () => (isDown = tfl.at.length === 1),
    });
    // The first renewal comes after a third of the lease, and fails.
    await pass(FIRST_RUN + LEASE_MS / 3 - 1);
    isDown = true;
    await pass(2);
    isDown = false;
    await pass(LEASE_MS / 2);
    isDown = false;
    await pass(2 * MINUTE);
    expect(logged.map((line) => line.split(' {')[0])).toEqual([
      'Could not renew the lease',
      'Could not release the lease, which will lapse',
    ]);
    expect(tfl.at).toEqual([1.5, 121.5]);
  });

  it('release the lease after a renewal that was still under way', async () => {
    let renewal: Promise<unknown> | undefined;
    const slow = () => new Promise<Collected>((done) => setTimeout(() => done(collected([])), LEASE_MS / 2));
    let inserts = 0;
    start([collector('tfl', slow)], {
      // The second of these calls of a turn is the renewal of the lease.
      db: through((call) => {
        if (call !== 'insertInto' || ++inserts !== 2) return undefined;
        return (renewal = new Promise((done) => setTimeout(done, LEASE_MS / 2)));
      }),
    });
    await pass(FIRST_RUN + LEASE_MS * 1.5);
    expect(renewal).toBeDefined();
    expect(await cursors(db).leasedUntil(leaseName('tfl'))).toBeNull();
  });

  it('are not held up by a next run that a wrong clock has set far ahead', async () => {
    const tfl = timed('tfl', good);
    start([tfl.collector]);
    await pass(FIRST_RUN);
    await db
      .updateTable('collections')
      .set({ last_attempt: '2026-11-21T09:01:00.000Z', next_run: '2027-11-21T09:00:00.000Z' })
      .execute();
    await pass(2 * MINUTE);
    expect(tfl.at).toEqual([1.5, 121.5]);
  });
});

describe('settings', () => {
  const settings = [
    { name: 'RDM_NSI_URL', required: true, about: '' },
    { name: 'RDM_NSI_KEY', required: true, secret: true, about: '' },
    { name: 'RDM_NSI_EXTRA', required: false, about: '' },
  ];

  it('that are missing keep a collector from running, and are recorded', async () => {
    const nsi = timed('nsi-service', good, { settings });
    const schedule = start([nsi.collector], {
      settings: { RDM_NSI_URL: 'https://nsi.example', RDM_NSI_KEY: ' ' },
    });
    await pass(10 * MINUTE);
    expect(nsi.at).toEqual([]);
    expect(await row('nsi-service')).toMatchObject({ enabled: 0, last_attempt: null });
    await expect(schedule.collectNow('nsi-service')).rejects.toThrow(
      'nsi-service is not configured: set RDM_NSI_KEY.',
    );
  });

  it('that are missing are recorded later if the database was down at the start', async () => {
    let isDown = true;
    start([collector('nsi-service', good, { settings })], {
      db: through(() => (isDown ? 'fail' : undefined)),
    });
    await pass(SECOND);
    isDown = false;
    await pass(EXPIRE_EVERY_MS);
    expect(await row('nsi-service')).toMatchObject({ enabled: 0 });
  });

  it('reach only the collector that declares them, and blank ones count as not set', async () => {
    let given: Tools['settings'] = {};
    const nsi = collector(
      'nsi-service',
      async (tools) => {
        given = tools.settings;
        return collected([]);
      },
      { settings },
    );
    start([nsi], {
      settings: { RDM_NSI_URL: ' https://nsi.example ', RDM_NSI_KEY: 'k', RDM_NSI_EXTRA: '', OTHER_KEY: 'o' },
    });
    await pass(FIRST_RUN);
    expect(given).toEqual({ RDM_NSI_URL: 'https://nsi.example', RDM_NSI_KEY: 'k', RDM_NSI_EXTRA: undefined });
    expect((await row('nsi-service')).enabled).toBe(1);
  });
});

describe('end times', () => {
  it('take effect even when the upstream is dead', async () => {
    const ending = record('tfl:victoria', { end_time: '2026-11-21T09:04:00.000Z' });
    await poll(db, 'tfl', [ending, record('tfl:central')], START);
    start([collector('tfl', never, { everyMinutes: 30 })]);
    await pass(4 * MINUTE - 1);
    expect(await titles('tfl')).toHaveLength(2);
    await pass(EXPIRE_EVERY_MS);
    expect(await titles('tfl')).toEqual(['tfl:central']);
  });

  it('take effect for a source that is no longer configured or has no collector, and this shows', async () => {
    const ending = { end_time: '2026-11-21T09:01:00.000Z' };
    await poll(db, 'nsi-service', [record('nsi-service:VT', ending)], START);
    await poll(db, 'met-police', [record('met-police:1', ending)], START);
    const notified: string[] = [];
    start([collector('nsi-service', good, { settings: [{ name: 'KEY', required: true, about: '' }] })], {
      onCollected: (source) => void notified.push(source),
    });
    await pass(2 * MINUTE);
    expect([...(await titles('nsi-service')), ...(await titles('met-police'))]).toEqual([]);
    expect(notified).toEqual(['nsi-service', 'met-police']);
  });

  it('come for everything when the source is too old to be believed', async () => {
    await poll(db, 'tfl', [record('tfl:victoria')], START);
    start([collector('tfl', broken, { maxAgeMinutes: 10 })]);
    await pass(10 * MINUTE);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    await pass(EXPIRE_EVERY_MS);
    expect(await titles('tfl')).toEqual([]);
  });

  it('take effect at once with a failed poll', async () => {
    await poll(db, 'tfl', [record('tfl:victoria', { end_time: '2026-11-21T09:00:01.000Z' })], START);
    start([collector('tfl', broken)]);
    await pass(FIRST_RUN);
    expect(await titles('tfl')).toEqual([]);
  });

  it('take effect for the other sources where one cannot be checked', async () => {
    const ending = { end_time: '2026-11-21T09:00:10.000Z' };
    await poll(db, 'met-office', [record('met-office:1', ending)], START);
    await poll(db, 'met-police', [record('met-police:1', ending)], START);
    const notified: string[] = [];
    let looks = 0;
    start([], {
      db: through((call, table) =>
        call === 'selectFrom' && table === 'disruptions' && ++looks === 1 ? 'fail' : undefined,
      ),
      onCollected: (source) => void notified.push(source),
    });
    await pass(EXPIRE_EVERY_MS);
    expect(notified).toEqual(['met-police']);
    expect(logged.join()).toContain('Could not begin and end the incidents whose time has come');
  });

  it('are checked by one task at a time, however slow, for which a stop waits', async () => {
    let looks = 0;
    const schedule = start([], {
      db: through((call) => {
        if (call !== 'selectFrom') return undefined;
        looks++;
        return new Promise((done) => setTimeout(done, 1.5 * EXPIRE_EVERY_MS));
      }),
    });
    await pass(2 * EXPIRE_EVERY_MS);
    expect(looks).toBe(1);

    let isStopped = false;
    const stopped = schedule.stop().then(() => (isStopped = true));
    await pass(EXPIRE_EVERY_MS / 4);
    expect(isStopped).toBe(false);
    await pass(EXPIRE_EVERY_MS / 4);
    await stopped;
  });

  it('take no effect after a stop', async () => {
    const ending = { end_time: '2026-11-21T09:00:10.000Z' };
    await poll(db, 'met-office', [record('met-office:1', ending)], START);
    await poll(db, 'met-police', [record('met-police:1', ending)], START);
    const notified: string[] = [];
    const schedule = start([], {
      onCollected(source) {
        notified.push(source);
        void schedule.stop();
      },
    });
    await pass(EXPIRE_EVERY_MS);
    await schedule.stop();
    expect(notified).toEqual(['met-office']);
  });

  it('keep an incident together with its past when the server was off for long', async () => {
    await poll(db, 'tfl', [record('tfl:victoria')], new Date(START.getTime() - 24 * 60 * MINUTE));
    start([collector('tfl', good)]);
    await pass(FIRST_RUN);
    const kept = await db.selectFrom('disruptions').selectAll().executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ first_seen_at: '2026-11-20T09:00:00.000Z', ended_at: null });
  });
});

describe('stop', () => {
  it('waits for what runs, stores it, and begins nothing more', async () => {
    let finish: (() => void) | undefined;
    const tfl = timed(
      'tfl',
      () => new Promise((resolve) => (finish = () => resolve(collected([record('tfl:victoria')])))),
    );
    const schedule = start([tfl.collector]);
    await pass(FIRST_RUN);

    let isStopped = false;
    const stopped = schedule.stop().then(() => (isStopped = true));
    await pass(SECOND);
    expect(isStopped).toBe(false);
    finish?.();
    await stopped;

    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(await cursors(db).leasedUntil(leaseName('tfl'))).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait long for a hanging poll, and does not count it as failed', async () => {
    const schedule = start([collector('tfl', never)]);
    await pass(FIRST_RUN);
    const stopped = schedule.stop();
    await pass(STOP_GRACE_MS);
    await stopped;
    expect(await row('tfl')).toMatchObject({ consecutive_failures: 0, last_error: null });
    expect(await cursors(db).leasedUntil(leaseName('tfl'))).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('collectNow', () => {
  it('polls at once, notifies listeners, and postpones the next poll', async () => {
    const notified: string[] = [];
    const tfl = timed('tfl', good);
    const schedule = start([tfl.collector], { onCollected: (source) => void notified.push(source) });
    await schedule.collectNow('tfl');
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    expect(notified).toEqual(['tfl']);

    await pass(2 * MINUTE);
    expect(tfl.at).toEqual([0, 120]);
  });

  it('joins the poll under way', async () => {
    let finish: (() => void) | undefined;
    const tfl = timed('tfl', () => new Promise((resolve) => (finish = () => resolve(collected([])))));
    const schedule = start([tfl.collector]);
    await pass(FIRST_RUN);
    const both = Promise.all([schedule.collectNow('tfl'), schedule.collectNow('tfl')]);
    finish?.();
    await both;
    expect(tfl.at).toHaveLength(1);
  });

  it('records a failure instead of throwing it, but throws for an unknown source', async () => {
    const schedule = start([collector('tfl', broken)]);
    await schedule.collectNow('tfl');
    expect((await row('tfl')).last_error).toBe('The document is no list.');
    await expect(schedule.collectNow('smoke-signals')).rejects.toThrow(
      'There is no collector for "smoke-signals".',
    );
  });
});

describe('a source that an administrator turned off', () => {
  it('is asked by nobody until it is turned on; its alerts end when they are too old', async () => {
    const tfl = timed('tfl', good);
    const schedule = start([tfl.collector]);
    await pass(FIRST_RUN);
    expect(tfl.at).toEqual([1.5]);

    await collections(db).turn('tfl', 'ada', new Date());
    await schedule.collectNow('tfl');
    await pass(31 * MINUTE);
    expect(tfl.at).toEqual([1.5]);
    expect(await titles('tfl')).toEqual([]);

    await collections(db).turn('tfl', null, new Date());
    await collections(db).ask('tfl', new Date());
    schedule.look();
    await pass(1);
    expect(tfl.at).toHaveLength(2);
    expect(await titles('tfl')).toEqual(['tfl:victoria']);
    await pass(2 * MINUTE);
    expect(tfl.at).toHaveLength(3);
  });
});

it('polls what was asked for on another node within half a minute, and once', async () => {
  const tfl = timed('tfl', good, { everyMinutes: 20 });
  start([tfl.collector]);
  await pass(2 * MINUTE);
  expect(tfl.at).toHaveLength(1);

  await collections(db).ask('tfl', new Date());
  await pass(EXPIRE_EVERY_MS);
  expect(tfl.at).toHaveLength(2);
  await pass(5 * MINUTE);
  expect(tfl.at).toHaveLength(2);
});

it('continues when the database comes back', async () => {
  let isDown = true;
  const unreliable = new Proxy(db, {
    get(target, name) {
      if (isDown) throw new Error('The database does not answer.');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  start([collector('tfl', good)], { db: unreliable });
  await pass(MINUTE);
  expect(logged.join('\n')).toContain('Could not run the collector');

  isDown = false;
  await pass(MINUTE);
  expect(await titles('tfl')).toEqual(['tfl:victoria']);
});
