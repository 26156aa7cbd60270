import { beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../../../../server/http/answers/readyAnswers.ts';
import { keptAnswers } from '../../../../server/http/answers/latestAnswers.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;

let time: number;
let revision: number;
let made: string[];
/** An answer that is being made until it settles. */
let pending: Promise<void>;
let nextChangeAt: number | null;

const kept = keptAnswers(
  { now: () => new Date(time), revision: async () => revision },
  async (query: { road?: string; text?: string }) => {
    const of = revision;
    const until = nextChangeAt;
    made.push(`${query.road} ${of}`);
    await pending;
    return { answer: answer({ ...query, of }), nextChangeAt: until };
  },
);
const read = async (road: string) => JSON.parse(String(await (await kept({ road })).bytes('identity')));

beforeEach(() => {
  time = START;
  revision = (revision ?? 0) + 1;
  made = [];
  pending = Promise.resolve();
  nextChangeAt = null;
});

describe('answers by query', () => {
  it('are made once, each query its own, until anything changes', async () => {
    const first = revision;
    expect(await read('M1')).toEqual({ road: 'M1', of: first });
    await read('M1');
    await read('M62');
    expect(made).toEqual([`M1 ${first}`, `M62 ${first}`]);

    revision++;
    expect(await read('M1')).toEqual({ road: 'M1', of: first + 1 });
    expect(made).toHaveLength(3);
  });

  it('are made again when time alone changes them, or when the clock was set back', async () => {
    nextChangeAt = START + MINUTE_MS;
    await read('M1');
    time = START + MINUTE_MS - 1;
    await read('M1');
    expect(made).toHaveLength(1);
    time = START + MINUTE_MS;
    nextChangeAt = START + 2 * MINUTE_MS;
    await read('M1');
    expect(made).toHaveLength(2);
    time = START;
    await read('M1');
    expect(made).toHaveLength(3);
  });

  it('are shared by requests while they are made', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending = promise;
    const all = Promise.all([read('M1'), read('M1'), read('M1')]);
    resolve();
    expect(new Set(await all).size).toBe(3); // each has read its own copy
    expect(made).toHaveLength(1);
  });

  it('are not kept when anything changed during the making', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending = promise;
    const old = read('M1');
    await Promise.resolve();
    revision++;
    const young = read('M1');
    resolve();
    const [{ of: before }, { of: after }] = await Promise.all([old, young]);
    expect(after).toBe(before + 1);
    expect((await read('M1')).of).toBe(after);
  });

  it('are not replaced by an older one that is made last', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending = promise;
    const old = read('M1');
    await Promise.resolve();
    revision++;
    pending = Promise.resolve();
    const { of: after } = await read('M1');
    resolve();
    expect((await old).of).toBe(after - 1);
    expect((await read('M1')).of).toBe(after);
    expect(made).toHaveLength(2);
  });

  it('are shared while they are made, even if an older one is made meanwhile', async () => {
    let release = () => {};
    pending = new Promise((resolve) => (release = resolve));
    const old = read('M1');
    await expect.poll(() => made.length).toBe(1);
    revision++;
    let releaseNew = () => {};
    pending = new Promise((resolve) => (releaseNew = resolve));
    const second = read('M1');
    await expect.poll(() => made.length).toBe(2);
    release();
    await old;
    const third = read('M1');
    await Promise.resolve();
    releaseNew();
    expect(await third).toEqual(await second);
    expect(made).toHaveLength(2);
  });

  it('are tried again after a failure', async () => {
    pending = Promise.reject(new Error('no database'));
    pending.catch(() => {});
    await expect(read('M1')).rejects.toThrow('no database');
    pending = Promise.resolve();
    expect((await read('M1')).of).toBe(revision);
  });

  it('are dropped, least used first, when they take too much memory', async () => {
    const long = (n: number) => kept({ road: `M${n}`, text: 'x'.repeat(500_000) });
    for (let n = 0; n < 8; n++) await long(n);
    made = [];
    await long(7);
    expect(made).toEqual([]);
    await long(0);
    expect(made).toHaveLength(1);
  });
});
