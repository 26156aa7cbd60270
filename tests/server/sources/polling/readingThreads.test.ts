import { afterEach, describe, expect, it } from 'vitest';
import { downloader } from '../../../../server/http/documents/download.ts';
import { readingThreads, type ReadingThreads } from '../../../../server/sources/polling/readingThreads.ts';
import { COLLECTORS } from '../../../support/hostileCollectors.ts';
import { memoryFacts } from '../../../support/upstream.ts';

let threads: ReadingThreads;
afterEach(() => threads.close());

const open = (stepMsMax?: number, patienceMs?: number) => {
  threads = readingThreads({
    directory: new URL('../../../support/hostileCollectors.ts', import.meta.url),
    stepMsMax,
    patienceMs,
  });
};

/** Two of its questions are answered only when `released` is. */
function read(
  source: string,
  { released = Promise.resolve(), signal }: { released?: Promise<unknown>; signal?: AbortSignal } = {},
) {
  const answer: typeof fetch = async (input) => {
    const { hostname } = new URL(input as URL);
    if (hostname === 'two.example') await released;
    if (hostname === 'refuses.example')
      return new Response('', { status: 503, headers: { 'retry-after': '90' } });
    if (hostname === 'page.example') return new Response('<!doctype html><p>Sign in');
    return new Response(`Said by ${hostname}`);
  };
  return threads.read(
    COLLECTORS.find((collector) => collector.source === source)!,
    {
      download: downloader({ fetch: answer }).newGet(signal),
      now: new Date('2026-11-21T09:00:00.000Z'),
      settings: { KEY: 'secret' },
      facts: memoryFacts(),
      signal,
    },
  );
}

const INNOCENT = ['Said by one.example', 'Said by two.example', 'Said by one.example', 'secret'];
const titlesOf = ({ records }: { records: { title: string }[] }) => records.map(({ title }) => title);

describe('the reading thread', () => {
  it('reads as a collector on the main thread does, with network, facts and settings', async () => {
    open();
    expect(titlesOf(await read('innocent'))).toEqual(INNOCENT);
    const many = await read('many');
    expect(many.records).toHaveLength(1001);
    expect(many).toMatchObject({ complete: true, skipped: 0, problems: [] });
  });

  it('passes on why a source could not be read, and its Retry-After', async () => {
    open();
    await expect(read('failing')).rejects.toMatchObject({
      message: 'GET refuses.example/: answered 503 (service unavailable), asks to wait 90 s',
      retryAfterMs: 90_000,
    });
    await expect(read('page')).rejects.toThrow(
      'GET page.example/: the answer is an HTML page where data was expected',
    );
  });

  it('lets the service go on while a document is read, however long that takes', async () => {
    open(300);
    let turns = 0;
    let isReading = true;
    const other = () => {
      turns++;
      if (isReading) setImmediate(other);
    };
    other();
    await expect(read('endless')).rejects.toThrow('was stopped');
    isReading = false;
    expect(turns).toBeGreaterThan(1000);
  });

  it('lets the service go on while ten thousand records that break the contract are left out', async () => {
    open();
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const { records, skipped, complete } = await read('unsound');
    isDone = true;
    expect({ records, skipped, complete }).toEqual({ records: [], skipped: 10_000, complete: false });
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('breaks off an endless reading, and starts the others again', async () => {
    open(300);
    const hanging = read('endless');
    const ended = hanging.catch(() => undefined);
    // The source has asked its first question by then, and waits for the second when the thread is ended.
    const others = [read('innocent', { released: ended }), read('innocent'), read('many')];

    await expect(hanging).rejects.toThrow('Reading took longer than 0.3 s and was stopped.');
    const [first, second, many] = await Promise.all(others);
    expect(titlesOf(first!)).toEqual(INNOCENT);
    expect(titlesOf(second!)).toEqual(INNOCENT);
    expect(many!.records).toHaveLength(1001);
    // Reading goes on after it.
    expect(titlesOf(await read('innocent'))).toEqual(INNOCENT);
  });

  it('reads other sources while one never comes to an end, also when it is polled again', async () => {
    open(60_000, 20);
    const control = new AbortController();
    for (let polls = 0; polls < 2; polls++) {
      const hanging = read('endless', { signal: control.signal });
      let isOver = false;
      hanging.catch(() => undefined).finally(() => (isOver = true));
      const others = [read('innocent'), read('many')];
      expect(titlesOf((await others[0])!)).toEqual(INNOCENT);
      expect((await others[1])!.records).toHaveLength(1001);
      expect(titlesOf(await read('innocent'))).toEqual(INNOCENT);
      expect(isOver).toBe(false);
    }
    control.abort(new Error('Given up.'));
  });

  it('ends endless documents one after another if they outnumber the threads, then reads the others', async () => {
    open(300, 20);
    const hanging = ['endless', 'endless', 'endless', 'endless'].map((source) => read(source));
    const ended = Promise.allSettled(hanging);
    expect(titlesOf(await read('innocent'))).toEqual(INNOCENT);
    for (const { status } of await ended) expect(status).toBe('rejected');
  });

  it('breaks off a reading that takes too much memory', async () => {
    open(60_000);
    const taking = read('greedy');
    const ended = taking.catch(() => undefined);
    const other = read('innocent', { released: ended });

    await expect(taking).rejects.toThrow('Reading needed more memory than a source may use');
    expect(titlesOf(await other)).toEqual(INNOCENT);
  });

  it('drops answers that nobody waits for any more, and work that is under way when it closes', async () => {
    open();
    const control = new AbortController();
    const never = new Promise(() => {});
    const given = read('innocent', { released: never, signal: control.signal });
    control.abort(new Error('Given up.'));
    await expect(given).rejects.toThrow('Given up.');

    const closed = read('innocent', { released: never });
    const refused = expect(closed).rejects.toThrow('The reading thread is closed.');
    await threads.close();
    await refused;
  });
});
