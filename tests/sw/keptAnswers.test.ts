import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Strategy } from 'workbox-strategies';
import type { LateAnswer } from '../../sw/workerMessages.ts';
import { becomeWorker, newEvent, type MemoryCaches } from './fakeWorker.ts';

const FEEDS = 'https://clearway.example/api/v1/feeds/?include_events=true';
const AT = new Date(Math.floor(Date.now() / 1000) * 1000);
const DATE = AT.toUTCString();
/** The worker's request ends after this time. */
const END_MS = 30_000;

let caches: MemoryCaches;
let worker: Awaited<ReturnType<typeof start>>;
/** The far end: what it answers now, and what it was asked. */
let answer: (request: Request) => Response | Promise<Response>;
let asked: Request[];
/** Late answers that the worker posted to the page. */
let pageHeard: LateAnswer[];

async function start() {
  caches = becomeWorker((message) => pageHeard.push(message as LateAnswer));
  vi.resetModules();
  const { purge, strategies } = await import('../../sw/cachePolicy.ts');
  const { board, settings, tiles } = strategies();

  /** The response that the page gets, or "failed"; `stored` settles when the worker has done its work. */
  const fetchAs = (scope: string, url = FEEDS, headers: Record<string, string> = {}) => {
    const request = new Request(url, {
      headers: { 'x-clearway-scope': scope, authorization: 'Bearer a', ...headers },
    });
    return handle(request);
  };
  const handle = (request: Request, by: Strategy = board) => {
    const [response, stored] = by.handleAll({ request, event: newEvent(request) });
    return { response, stored: stored.catch(() => {}) };
  };
  const get = async (scope: string, url = FEEDS) => {
    const { response, stored } = fetchAs(scope, url);
    const answer = await response.then(
      async (got) => `${got.status} ${got.headers.get('x-sw-source')} ${await got.text()}`,
      () => 'failed',
    );
    await stored;
    return answer;
  };
  /** The text of a resource that is the same for everybody, as the page gets it, or "failed". */
  const getFor = async (by: 'settings' | 'tiles', url: string) => {
    const { response, stored } = handle(new Request(url), { settings, tiles }[by]);
    const got = await response.then(
      (answered) => answered.text(),
      () => 'failed',
    );
    await stored;
    return got;
  };
  return { fetchAs, handle, get, getFor, purge };
}

const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', date: DATE, ...init.headers },
  });

beforeEach(async () => {
  asked = [];
  pageHeard = [];
  answer = () => json({ feeds: ['rail'] });
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request);
    return answer(request);
  });
  worker = await start();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const cut = () => Promise.reject(new TypeError('Failed to fetch'));
const KEPT = '200 cache {"feeds":["rail"]}';

/** The error of a browser that has no room left. */
function fillStorage() {
  const open = caches.open.bind(caches);
  caches.open = async (name) => {
    const cache = await open(name);
    cache.put = () => Promise.reject(new DOMException('Full', 'QuotaExceededError'));
    return cache;
  };
}

const NO_ANSWERS: [string, () => Response | Promise<Response>][] = [
  ['a line that is cut', cut],
  ['a 503', () => json({ detail: 'Busy' }, { status: 503 })],
  ['a 500', () => json({ detail: 'Something went wrong.' }, { status: 500 })],
  ['a 500 page', () => new Response('<h1>Error</h1>', { status: 500 })],
  ['a portal’s page', () => new Response('<!doctype html><title>Welcome</title>')],
  ['half a document', () => new Response('{"feeds":["rail"')],
  ['an empty document', () => new Response('')],
  ['JSON that is no answer', () => json('welcome')],
  ['JSON without anything', () => json(null)],
  ['a proxy’s 400', () => json({ error: 'bad header' }, { status: 400 })],
  ['a 403 whose detail is no text', () => json({ detail: 7 }, { status: 403 })],
  ['a firewall’s 403', () => new Response('<h1>Blocked</h1>', { status: 403 })],
  ['a proxy’s 404', () => new Response('not found', { status: 404 })],
  ['a redirect', () => Object.defineProperty(json({ feeds: ['portal'] }), 'redirected', { value: true })],
];

describe('an answer of the server', () => {
  it('is passed on and kept, both with the server’s time', async () => {
    const { response, stored } = worker.fetchAs('anna');
    const got = await response;
    expect([got.headers.get('x-sw-source'), got.headers.get('x-sw-cached-at')]).toEqual([
      'network',
      AT.toISOString(),
    ]);
    await stored;

    answer = cut;
    const kept = await worker.fetchAs('anna').response;
    expect([kept.headers.get('x-sw-source'), kept.headers.get('x-sw-cached-at'), await kept.text()]).toEqual([
      'cache',
      AT.toISOString(),
      '{"feeds":["rail"]}',
    ]);
  });

  it('replaces the one before', async () => {
    await worker.get('anna');
    answer = () => json({ feeds: ['rail', 'roads'] });
    await worker.get('anna');
    answer = cut;
    expect(await worker.get('anna')).toBe('200 cache {"feeds":["rail","roads"]}');
  });

  it('is requested without the scope header, and with all the others', async () => {
    await worker.get('anna');
    expect(asked[0]?.headers.get('x-clearway-scope')).toBeNull();
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer a');
    expect(asked[0]?.url).toBe(FEEDS);
  });
});

describe('an answer that is not the server’s', () => {
  it.each(NO_ANSWERS)('%s: the kept answer is given instead', async (_, failing) => {
    await worker.get('anna');
    answer = failing;
    expect(await worker.get('anna')).toBe(KEPT);
    expect(await worker.get('anna')).toBe(KEPT); // and was not overwritten by it
  });

  it.each(NO_ANSWERS)('%s: the copy says why it is given', async (what, failing) => {
    await worker.get('anna');
    answer = failing;
    const copy = await worker.fetchAs('anna').response;
    expect(copy.headers.get('x-sw-copy-reason')).toBe(what === 'a line that is cut' ? 'down' : 'unusable');
  });

  it.each(NO_ANSWERS)('%s: nothing is kept of it', async (_, failing) => {
    answer = failing;
    expect(await worker.get('anna')).toBe('failed');
    expect(await caches.everything()).toEqual([]);
  });
});

it.each([401, 403, 404])('a refusal with %i is passed on and deletes nothing', async (status) => {
  await worker.get('anna');
  answer = () => json({ detail: 'No.' }, { status });
  expect(await worker.get('anna')).toBe(`${status} network {"detail":"No."}`);
  answer = cut;
  expect(await worker.get('anna')).toBe(KEPT);
});

describe('a slow network', () => {
  it('is waited for 3 seconds, and its late answer is still kept', async () => {
    await worker.get('anna');
    vi.useFakeTimers();
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna', FEEDS, { 'x-clearway-asked': '7' });
    let shown = '';
    void response.then(async (got) => (shown = await got.text()));
    await vi.advanceTimersByTimeAsync(2900);
    expect(shown).toBe('');
    await vi.advanceTimersByTimeAsync(200);
    expect(shown).toBe('{"feeds":["rail"]}');
    expect((await response).headers.get('x-sw-copy-reason')).toBe('slow');

    send(json({ feeds: ['late'] }));
    await vi.advanceTimersByTimeAsync(10);
    await stored;
    expect(pageHeard).toMatchObject([
      { type: 'LATE_ANSWER', url: FEEDS, asked: '7', body: '{"feeds":["late"]}' },
    ]);
    expect(asked.at(-1)?.headers.get('x-clearway-asked')).toBeNull();
    expect(new Headers(pageHeard[0]!.headers).get('date')).toBe(DATE);
    answer = cut;
    expect(await worker.get('anna')).toBe('200 cache {"feeds":["late"]}');
  });

  it('passes no late answer to a page that has it, and none from a session that has ended', async () => {
    await worker.get('anna');
    await worker.get('anna');
    vi.useFakeTimers();
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    await response;
    await worker.purge('anna');
    send(json({ feeds: ['late'] }));
    await vi.advanceTimersByTimeAsync(10);
    await stored;
    expect(pageHeard).toEqual([]);
  });

  it('passes the late answer on even if there is no room to keep it', async () => {
    await worker.get('anna');
    vi.useFakeTimers();
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    await response;
    fillStorage();
    send(json({ feeds: ['late'] }));
    await vi.advanceTimersByTimeAsync(10);
    await stored;
    expect(pageHeard).toMatchObject([{ url: FEEDS, body: '{"feeds":["late"]}' }]);
  });

  it('counts as slow even if only the end of the document is missing', async () => {
    await worker.get('anna');
    vi.useFakeTimers();
    answer = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"fe')) }));
    const { response } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    expect(await (await response).text()).toBe('{"feeds":["rail"]}');
  });

  it('is waited for as long as it takes when nothing is kept', async () => {
    vi.useFakeTimers();
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(10_000);
    send(json({ feeds: ['first'] }));
    await vi.advanceTimersByTimeAsync(10);
    expect(await (await response).text()).toBe('{"feeds":["first"]}');
  });
});

describe('a line that is open and silent', () => {
  /** Ends like a browser's: an aborted request frees its connection. */
  const silent = (request: Request) =>
    new Promise<Response>((_, reject) =>
      request.signal.addEventListener('abort', () => reject(request.signal.reason)),
    );

  beforeEach(async () => {
    await worker.get('anna');
    vi.useFakeTimers();
    // The platform's own time-out follows no fake clock.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const end = new AbortController();
      setTimeout(() => end.abort(new DOMException('Over', 'TimeoutError')), ms);
      return end.signal;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it('holds a connection for 30 seconds, even if its page was given a copy long before', async () => {
    answer = silent;
    const { response, stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    expect(await (await response).text()).toBe('{"feeds":["rail"]}');
    let isOver = false;
    void stored.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(END_MS - 3200);
    expect([isOver, asked.at(-1)!.signal.aborted]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(200);
    expect([isOver, asked.at(-1)!.signal.aborted]).toEqual([true, true]);
    expect(pageHeard).toEqual([]);
  });

  it('ends an answer that stops half-way, and stores nothing of it', async () => {
    answer = ({ signal }) =>
      new Response(
        new ReadableStream({
          start(body) {
            body.enqueue(new TextEncoder().encode('{"fe'));
            signal.addEventListener('abort', () => body.error(signal.reason));
          },
        }),
      );
    const { stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(END_MS + 100);
    await stored;
    vi.useRealTimers();
    answer = cut;
    expect(await worker.get('anna')).toBe(KEPT);
  });

  it('ends a request for which nothing is kept as well', async () => {
    answer = silent;
    const { response } = worker.fetchAs('ben');
    const failed = expect(response).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(END_MS + 100);
    await failed;
  });

  it('ends with the page that asked', async () => {
    answer = silent;
    const page = new AbortController();
    const request = new Request(FEEDS, { headers: { 'x-clearway-scope': 'anna' }, signal: page.signal });
    const { stored } = worker.handle(request);
    await vi.advanceTimersByTimeAsync(100);
    page.abort();
    await stored;
    expect(asked.at(-1)!.signal.aborted).toBe(true);
  });
});

it.each([401, 403, 404])(
  'a refusal with %i that comes late is passed on late, and deletes nothing',
  async (status) => {
    await worker.get('anna');
    vi.useFakeTimers();
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    await response;
    send(json({ detail: 'No.' }, { status }));
    await vi.advanceTimersByTimeAsync(10);
    await stored;
    expect(pageHeard).toMatchObject([{ url: FEEDS, status, body: '{"detail":"No."}' }]);
    vi.useRealTimers();
    answer = cut;
    expect(await worker.get('anna')).toBe(KEPT);
  },
);

it.each([
  ['in time', 0],
  ['late', 3500],
])('a cache that cannot be read costs the copy, never the answer that comes %s', async (_, afterMs) => {
  vi.useFakeTimers();
  caches.match = () => Promise.reject(new DOMException('Broken', 'UnknownError'));
  answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    return json({ feeds: ['roads'] });
  };
  const { response, stored } = worker.fetchAs('anna');
  const got = response.then(
    ({ status }) => status,
    () => 'failed',
  );
  await vi.advanceTimersByTimeAsync(4000);
  expect(await got).toBe(200);
  await stored;
});

it('counts a refusal that is not in our words as none of ours, and gives the copy', async () => {
  await worker.get('anna');
  answer = () => json({ error: 'blocked by policy' }, { status: 403 });
  expect(await worker.get('anna')).toBe('200 cache {"feeds":["rail"]}');
  answer = () => json({ detail: 'Not for you.' }, { status: 403 });
  expect(await worker.get('anna')).toBe('403 network {"detail":"Not for you."}');
});

it('keeps the 60 newest answers of a board', async () => {
  for (let number = 0; number < 62; number++) await worker.get('anna', `${FEEDS}&number=${number}`);
  expect(await caches.everything()).toHaveLength(60);
  answer = cut;
  expect(await worker.get('anna', `${FEEDS}&number=1`)).toBe('failed');
  expect(await worker.get('anna', `${FEEDS}&number=2`)).toBe(KEPT);
});

it('gives no copy that is more than a week old by the server’s date', async () => {
  const week = 7 * 24 * 3_600_000;
  await worker.get('anna');
  answer = cut;
  vi.useFakeTimers({ now: AT.getTime() + week, toFake: ['Date'] });
  expect(await worker.get('anna')).toBe(KEPT);
  vi.setSystemTime(AT.getTime() + week + 1);
  expect(await worker.get('anna')).toBe('failed');
});

it('stamps an answer without a date with the time at which it came, once', async () => {
  vi.useFakeTimers({ now: AT.getTime() + 5000, toFake: ['Date'] });
  answer = () => new Response('{"feeds":["rail"]}');
  const came = new Date(AT.getTime() + 5000).toISOString();
  const { response, stored } = worker.fetchAs('anna');
  expect((await response).headers.get('x-sw-cached-at')).toBe(came);
  await stored;
  vi.setSystemTime(AT.getTime() + 60_000);
  answer = cut;
  expect((await worker.fetchAs('anna').response).headers.get('x-sw-cached-at')).toBe(came);
});

it('passes on an answer without a body, and keeps the copy', async () => {
  await worker.get('anna');
  answer = () => new Response(null, { status: 204 });
  expect((await worker.fetchAs('anna').response).status).toBe(204);
  answer = cut;
  expect(await worker.get('anna')).toBe(KEPT);
});

const PICTURE = { headers: { 'content-type': 'image/png' } };

it.each([
  ['settings', 'https://clearway.example/config.json'],
  ['tiles', 'https://tiles.example/6/31/20.png'],
] as const)('keeps of the %s what was found, and no refusal', async (by, url) => {
  answer = () => json({ detail: 'No.' }, { status: 404 });
  expect(await worker.getFor(by, url)).toBe('{"detail":"No."}');
  answer = cut;
  expect(await worker.getFor(by, url)).toBe('failed');
  answer = () => json({ tiles: 'ours' }, by === 'tiles' ? PICTURE : {});
  await worker.getFor(by, url);
  answer = cut;
  expect(await worker.getFor(by, url)).toBe('{"tiles":"ours"}');
});

it('keeps no page of a public Wi-Fi as a tile', async () => {
  const url = 'https://tiles.example/6/31/20.png';
  answer = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } });
  expect(await worker.getFor('tiles', url)).toBe('<html>Sign in</html>');
  answer = cut;
  expect(await worker.getFor('tiles', url)).toBe('failed');
});

describe('the answers that one session kept', () => {
  it('is not found by another', async () => {
    await worker.get('anna');
    answer = cut;
    expect(await worker.get('ben')).toBe('failed');
  });

  it('is gone after a purge, and nothing else is', async () => {
    await worker.get('anna');
    await caches.open('clearway-settings');
    await worker.purge('anna');
    expect(await caches.everything()).toEqual([]);
    expect(await caches.keys()).toEqual(['clearway-settings']);
    answer = cut;
    expect(await worker.get('anna')).toBe('failed');
  });

  it('is not stored when the answer arrives after the session ended', async () => {
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna');
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 15_000 });
    await worker.purge('anna');
    send(json({ feeds: ['late'] }));
    await response;
    await stored;
    expect(await caches.everything()).toEqual([]);
  });

  it('is not stored when the session ends during the write', async () => {
    const open = caches.open.bind(caches);
    const { response, stored } = worker.fetchAs('anna');
    caches.open = async (name) => {
      caches.open = open;
      await worker.purge('anna');
      return open(name); // the purge is over when the cache is created again
    };
    await response;
    await stored;
    expect(await caches.everything()).toEqual([]);
  });

  it('does not stop the next session from keeping its own', async () => {
    await worker.purge('anna');
    await worker.get('ben');
    answer = cut;
    expect(await worker.get('ben')).toBe(KEPT);
  });
});

describe('an answer that is kept under an ETag', () => {
  const LATER = new Date(AT.getTime() + 60_000);
  const notModified = (headers: Record<string, string> = { etag: '"1"' }) =>
    new Response(null, { status: 304, headers: { date: LATER.toUTCString(), ...headers } });
  const condition = () => asked.at(-1)!.headers.get('if-none-match');

  beforeEach(async () => {
    answer = () => json({ feeds: ['rail'] }, { headers: { etag: '"1"', age: '3' } });
    await worker.get('anna');
  });

  it('is requested with it, and passed on as new after a 304', async () => {
    answer = () => notModified();
    const { response, stored } = worker.fetchAs('anna');
    const got = await response;
    expect(condition()).toBe('"1"');
    expect([got.status, await got.text()]).toEqual([200, '{"feeds":["rail"]}']);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'application/json',
      date: LATER.toUTCString(),
      etag: '"1"',
      'x-sw-source': 'validated',
      'x-sw-cached-at': LATER.toISOString(),
    });
    expect(got.headers.get('age')).toBeNull();
    await stored;

    answer = cut;
    const kept = await worker.fetchAs('anna').response;
    expect(Object.fromEntries(kept.headers)).toMatchObject({
      'x-sw-source': 'cache',
      'x-sw-cached-at': LATER.toISOString(),
    });
    expect(await kept.text()).toBe('{"feeds":["rail"]}');
  });

  it('is replaced by a new one', async () => {
    answer = () => json({ feeds: ['roads'] }, { headers: { etag: '"2"' } });
    expect(await worker.get('anna')).toBe('200 network {"feeds":["roads"]}');
    answer = () => notModified({ etag: '"2"' });
    expect(await worker.get('anna')).toBe('200 validated {"feeds":["roads"]}');
    expect(condition()).toBe('"2"');
  });

  it('is never used to ask for another session’s answer, or for the next one’s after a purge', async () => {
    await worker.get('ben');
    expect(condition()).toBeNull();
    await worker.purge('anna');
    await worker.get('carol');
    expect(condition()).toBeNull();
  });

  it('still counts when a proxy weakens its tag, and is only a copy when the tag differs', async () => {
    answer = () => notModified({ etag: 'W/"1"' });
    expect(await worker.get('anna')).toBe('200 validated {"feeds":["rail"]}');
    answer = () => notModified({ etag: '"9"' });
    expect(await worker.get('anna')).toBe(KEPT);
  });

  it('leaves a caller’s own If-None-Match alone, and is still restamped', async () => {
    answer = () => notModified();
    const { response, stored } = worker.fetchAs('anna', FEEDS, { 'if-none-match': '"1"' });
    const got = await response;
    expect([got.status, condition(), got.headers.get('etag')]).toEqual([304, '"1"', '"1"']);
    await stored;
    answer = cut;
    expect((await worker.fetchAs('anna').response).headers.get('x-sw-cached-at')).toBe(LATER.toISOString());

    answer = () => notModified({ etag: '"0"' });
    await worker.fetchAs('anna', FEEDS, { 'if-none-match': '"0"' }).stored;
    answer = cut;
    expect((await worker.fetchAs('anna').response).headers.get('etag')).toBe('"1"');
    expect(await worker.get('anna')).toBe(KEPT);
  });

  it('is confirmed by a 304 that does not repeat the tag, and keeps its own type', async () => {
    answer = () => notModified({ 'content-type': 'text/html' });
    const got = await worker.fetchAs('anna').response;
    expect([got.headers.get('x-sw-source'), got.headers.get('content-type')]).toEqual([
      'validated',
      'application/json',
    ]);
  });

  it('is not restamped by an unrequested 304', async () => {
    answer = () => notModified();
    expect(await worker.get('ben')).toBe('failed');
  });

  it('is passed on late too, when the 304 was slow', async () => {
    vi.useFakeTimers({ now: LATER });
    let send = (_: Response) => {};
    answer = () => new Promise((resolve) => (send = resolve));
    const { response, stored } = worker.fetchAs('anna');
    await vi.advanceTimersByTimeAsync(3100);
    expect((await response).headers.get('x-sw-source')).toBe('cache');
    send(notModified());
    await vi.advanceTimersByTimeAsync(10);
    await stored;
    expect(pageHeard).toMatchObject([{ url: FEEDS, body: '{"feeds":["rail"]}' }]);
    expect(new Headers(pageHeard[0]!.headers).get('x-sw-source')).toBe('validated');
  });

  it('is requested without it when storage cannot be read', async () => {
    caches.match = () => Promise.reject(new DOMException('Broken', 'UnknownError'));
    answer = () => json({ feeds: ['roads'] });
    expect(await worker.get('anna')).toBe('200 network {"feeds":["roads"]}');
    expect(condition()).toBeNull();
  });
});

it('full storage costs the copy, not the answer, and makes room by the map’s tiles', async () => {
  await worker.get('anna');
  answer = () => json({}, PICTURE);
  await worker.getFor('tiles', 'https://tiles.example/6/31/20.png');
  answer = () => json({ feeds: ['rail'] });
  expect(await caches.keys()).toEqual(['clearway-private-board', 'clearway-private-tiles']);
  fillStorage();
  expect(await worker.get('anna')).toBe('200 network {"feeds":["rail"]}');
  expect(await caches.keys()).toEqual(['clearway-private-board']);
});
