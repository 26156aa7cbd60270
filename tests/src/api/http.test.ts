import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import { BEN, json, LINES_THAT_FAIL, startFakeServer } from './fakeServer.ts';

type Http = typeof import('../../../src/api/http.ts');
let server: ReturnType<typeof startFakeServer>;
let http: Http;

/** A browser tab: its own modules, the same local storage. */
async function openTab(): Promise<Http> {
  vi.resetModules();
  return import('../../../src/api/http.ts');
}

const keep = (tokens: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(tokens))
    if (typeof value === 'string') localStorage.setItem(name, value);
};

beforeEach(async () => {
  localStorage.clear();
  server = startFakeServer();
  http = await openTab();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.name : error),
  );

describe('refused and unreachable', () => {
  beforeEach(() => keep(server.signedIn()));

  it.each([400, 403, 404, 409, 422, 429])(
    'passes on our detail for a refusal in the server’s words: %i',
    async (status) => {
      server.answers.set('keys/', () => json(status, { detail: 'Because.' }));
      await expect(http.call('keys/')).rejects.toMatchObject({ name: 'Refused', status, detail: 'Because.' });
    },
  );

  it('names the id for a fault of the server, and for no other failure', async () => {
    // The same tab gets the same module.
    const { failureText } = await import('../../../src/api/http.ts');
    const body = { detail: 'Something went wrong on our side.', request_id: 'req-1-a' };
    const words = async (status: number) => {
      server.answers.set('keys/', () => json(status, body));
      return failureText(await http.call('keys/').catch((error: unknown) => error), 'Failed');
    };
    expect(await words(500)).toBe('Something went wrong on our side. (req-1-a)');
    expect(await words(404)).toBe(body.detail);
    expect(await words(503)).toBe(body.detail);
    server.answers.set('keys/', () => json(500, { request_id: 'req-1-a' }));
    expect(failureText(await http.call('keys/').catch((error: unknown) => error), 'Failed')).toBe('Failed');
  });

  it.each(LINES_THAT_FAIL)('treats "%s" as unreachable', async (line) => {
    server.line = line;
    expect(await failureOf(http.read(z.object({ id: z.string() }), 'auth/me'))).toBe('Unreachable');
  });

  it('gives up after 15 seconds, even when only the body is missing', async () => {
    vi.useFakeTimers();
    server.answers.set('keys/', () => new Response(new ReadableStream(), { status: 200 }));
    const outcome = Promise.all([failureOf(http.call('keys/')), failureOf(hangingCall())]);
    await vi.advanceTimersByTimeAsync(14_900);
    let settled = false;
    void outcome.then(() => (settled = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);

    await vi.advanceTimersByTimeAsync(200);
    expect(await outcome).toEqual(['Unreachable', 'Unreachable']);
  });

  const hangingCall = () => {
    server.lines.set('events', 'hanging');
    return http.call('events');
  };

  it('tells an aborted call from a failed one', async () => {
    server.line = 'hanging';
    const controller = new AbortController();
    const outcome = failureOf(http.call('keys/', { signal: controller.signal }));
    controller.abort();
    expect(await outcome).toBe('AbortError');
  });
});

describe('the one refresh', () => {
  const stored = () => [localStorage.getItem('access_token'), localStorage.getItem('refresh_token')];

  it('repeats a call once with the new token', async () => {
    keep(server.signedIn());
    server.expire();
    const { data } = await http.call('auth/me');
    expect(data).toMatchObject({ display_name: 'Anna' });
    expect(stored()).toEqual(['access-2', 'refresh-2']);
  });

  it('is shared by ten calls whose token expires together', async () => {
    keep(server.signedIn());
    server.expire();
    const replies = await Promise.all(Array.from({ length: 10 }, () => http.call('auth/me')));
    expect(replies.map(({ data }) => (data as { id: string }).id)).toEqual(
      Array.from({ length: 10 }, () => '1'),
    );
    expect(server.callsTo('auth/refresh')).toHaveLength(1);
  });

  it.each([
    ['with the browser’s locks', true],
    ['on plain http, without them', false],
  ])('is shared by two tabs, %s', async (_, withLocks) => {
    let queue: Promise<unknown> = Promise.resolve();
    const locks = {
      request: (_name: string, work: () => Promise<unknown>) => (queue = queue.then(work, work)),
    };
    Object.defineProperty(navigator, 'locks', { value: withLocks ? locks : undefined, configurable: true });

    keep(server.signedIn());
    const other = await openTab();
    server.expire();
    // The fake server revokes everything when a refresh token is used twice: both replies prove that it was used
    // once.
    const replies = await Promise.all([http.call('auth/me'), other.call('auth/me'), other.call('auth/me')]);
    expect(replies.map(({ data }) => (data as { id: string }).id)).toEqual(['1', '1', '1']);
    expect(server.callsTo('auth/refresh')).toHaveLength(1);
    expect(localStorage.getItem('clearway-refresh')).toBeNull();
  });

  describe('of two tabs on plain http', () => {
    const LOCK = 'clearway-refresh';
    beforeEach(() => {
      Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
      vi.useFakeTimers();
      keep(server.signedIn());
      server.expire();
    });

    it('is made by one when both take the lock at once: the later entry wins', async () => {
      const shared = localStorage;
      let tradesToo = true;
      vi.stubGlobal('localStorage', {
        getItem: (name: string) => shared.getItem(name),
        removeItem: (name: string) => shared.removeItem(name),
        setItem(name: string, value: string) {
          // The other tab found the lock free as well, and writes its note after ours.
          shared.setItem(name, name === LOCK && tradesToo ? `other ${Date.now() + 21_000}` : value);
        },
      });
      const reply = http.call('auth/me');
      await vi.advanceTimersByTimeAsync(1000);
      expect(server.callsTo('auth/refresh')).toHaveLength(0);

      tradesToo = false;
      keep(server.signedIn()); // the other tab's trade
      localStorage.removeItem(LOCK);
      await vi.advanceTimersByTimeAsync(1000);
      expect((await reply).data).toMatchObject({ id: '1' });
      expect(server.callsTo('auth/refresh')).toHaveLength(0);
    });

    it('is made even if a tab died with the lock and the clock was set back since', async () => {
      localStorage.setItem(LOCK, `dead ${Date.now() + 365 * 24 * 60 * 60_000}`);
      const reply = http.call('auth/me');
      await vi.advanceTimersByTimeAsync(1000);
      expect((await reply).data).toMatchObject({ id: '1' });
      expect(server.callsTo('auth/refresh')).toHaveLength(1);
    });

    it('leaves the lock to the other tab, which has taken it because this one was slow', async () => {
      const held: (() => void)[] = [];
      const trade = server.answers.get('auth/refresh')!;
      server.answers.set('auth/refresh', async (call) => {
        await new Promise<void>((resolve) => held.push(resolve));
        return trade(call);
      });
      const reply = http.call('auth/me');
      await vi.advanceTimersByTimeAsync(1000);
      const note = `other ${Date.now() + 21_000}`;
      localStorage.setItem(LOCK, note);
      held[0]!();
      await vi.advanceTimersByTimeAsync(1000);
      expect((await reply).data).toMatchObject({ id: '1' });
      expect(localStorage.getItem(LOCK)).toBe(note);
    });

    it('is made by the other when one has died with the lock', async () => {
      localStorage.setItem(LOCK, `dead ${Date.now() + 5000}`);
      const reply = http.call('auth/me');
      await vi.advanceTimersByTimeAsync(4900);
      expect(server.callsTo('auth/refresh')).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(1000);
      expect((await reply).data).toMatchObject({ id: '1' });
      expect(server.callsTo('auth/refresh')).toHaveLength(1);
    });
  });

  it('never tries a second time', async () => {
    keep(server.signedIn());
    server.answers.set('keys/', () => json(401, { detail: 'Not for you.' }));
    await expect(http.call('keys/')).rejects.toMatchObject({ status: 401, detail: 'Not for you.' });
    expect(server.callsTo('keys/')).toHaveLength(2);
    expect(stored()).toEqual(['access-2', 'refresh-2']);
  });

  it('ends the session when it is refused', async () => {
    keep({ ...server.signedIn(), clearway_scope: 'scope-1' });
    server.revoke();
    const ended: (string | null)[] = [];
    http.whenSessionRefused((scope) => ended.push(scope));
    await expect(http.call('auth/me')).rejects.toMatchObject({ name: 'Refused', status: 401 });
    expect(stored()).toEqual([null, null]);
    expect(localStorage.getItem('session_id')).toBeNull();
    expect(ended).toEqual(['scope-1']);
  });

  it.each(LINES_THAT_FAIL)('keeps the tokens after "%s"', async (line) => {
    keep(server.signedIn());
    server.expire();
    server.lines.set('auth/refresh', line);
    expect(await failureOf(http.call('auth/me'))).toBe('Unreachable');
    expect(stored()).toEqual(['access-1', 'refresh-1']);

    server.lines.clear();
    expect((await http.call('auth/me')).data).toMatchObject({ id: '1' });
  });

  it('keeps the tokens when the server answers 429', async () => {
    keep(server.signedIn());
    server.expire();
    server.answers.set('auth/refresh', () => json(429, { detail: 'Slow down.' }));
    await expect(http.call('auth/me')).rejects.toMatchObject({ status: 429 });
    expect(stored()).toEqual(['access-1', 'refresh-1']);
  });

  it('is repeated when its answer is lost, as long as the server gives the same one', async () => {
    vi.useFakeTimers();
    keep(server.signedIn());
    server.expire();
    const trade = server.answers.get('auth/refresh')!;
    server.answers.set('auth/refresh', async (call) => {
      const answer = await trade(call);
      return server.callsTo('auth/refresh').length === 1 ? new Promise<Response>(() => {}) : answer;
    });
    const reply = http.call('auth/me');
    await vi.advanceTimersByTimeAsync(9000);
    expect((await reply).data).toMatchObject({ id: '1' });
    expect(stored()).toEqual(['access-2', 'refresh-2']);
    expect(server.callsTo('auth/refresh')).toHaveLength(2);
  });

  it('ends the session if its first answer is lost and the second refuses it', async () => {
    vi.useFakeTimers();
    keep(server.signedIn());
    server.expire();
    server.answers.set('auth/refresh', () =>
      server.callsTo('auth/refresh').length === 1
        ? new Promise<Response>(() => {})
        : json(401, { detail: 'Session is over.' }),
    );
    const failed = failureOf(http.call('auth/me'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failed).toBe('Refused');
    expect(stored()).toEqual([null, null]);
  });

  it('is not repeated for a slow server', async () => {
    vi.useFakeTimers();
    keep(server.signedIn());
    server.expire();
    const trade = server.answers.get('auth/refresh')!;
    server.answers.set('auth/refresh', async (call) => {
      const answer = await trade(call);
      return new Promise((resolve) => setTimeout(() => resolve(answer), 3900));
    });
    const reply = http.call('auth/me');
    await vi.advanceTimersByTimeAsync(4500);
    expect((await reply).data).toMatchObject({ id: '1' });
    expect(server.callsTo('auth/refresh')).toHaveLength(1);
  });

  it('does not restore a session that was signed out meanwhile', async () => {
    keep(server.signedIn());
    server.expire();
    const trade = server.answers.get('auth/refresh')!;
    server.answers.set('auth/refresh', (call) => {
      localStorage.clear();
      return trade(call);
    });
    await expect(http.call('auth/me')).rejects.toMatchObject({ name: 'Refused' });
    expect(stored()).toEqual([null, null]);
  });

  it('leaves a session that began meanwhile alone when it is refused', async () => {
    keep({ ...server.signedIn(), clearway_scope: 'scope-1' });
    server.expire();
    const ended: (string | null)[] = [];
    http.whenSessionRefused((scope) => ended.push(scope));
    server.answers.set('auth/refresh', () => {
      keep({ ...server.signedIn(BEN), clearway_scope: 'scope-2' });
      return json(401, { detail: 'Session is over.' });
    });
    await http.call('auth/me');
    expect(stored()).toEqual(['access-2', 'refresh-2']);
    expect(ended).toEqual([]);
  });

  it('leaves a wrong password to the form', async () => {
    const { login } = await import('../../../src/api/accounts/auth.ts');
    await expect(login('anna@example.co.uk', 'wrong')).rejects.toMatchObject({
      detail: 'Email or password is wrong.',
    });
    expect(server.callsTo('auth/refresh')).toHaveLength(0);
  });
});

describe('the time of a reply', () => {
  beforeEach(() => keep(server.signedIn()));

  it('is the server’s, and moves our clock when the device’s is wrong', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    server.answers.set('keys/', () => json(200, [], { date: 'Sat, 21 Nov 2026 14:30:00 GMT' }));
    const { fetchedAt, copyBecause } = await http.call('keys/');
    expect([fetchedAt.toISOString(), copyBecause]).toEqual(['2026-11-21T14:30:00.000Z', null]);
    expect(clockOffsetMs() / 60_000).toBe(150);
  });

  it('is taken from a refusal too', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    server.answers.set('keys/', () =>
      json(403, { detail: 'Not for you.' }, { date: 'Sat, 21 Nov 2026 14:30:00 GMT' }),
    );
    await expect(http.call('keys/')).rejects.toThrow('Not for you.');
    expect(clockOffsetMs() / 60_000).toBe(150);
  });

  it('leaves a right clock alone, because the header has whole seconds only', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00.900Z'), toFake: ['Date'] });
    server.answers.set('keys/', () => json(200, [], { date: 'Sat, 21 Nov 2026 12:00:00 GMT' }));
    await http.call('keys/');
    expect(clockOffsetMs()).toBe(0);
  });

  it('is the fetch time for a kept copy, and does not move the clock', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    server.answers.set('keys/', () =>
      json(200, [], {
        date: 'Sat, 21 Nov 2026 11:20:00 GMT',
        'x-sw-source': 'cache',
        'x-sw-cached-at': '2026-11-21T11:20:00.000Z',
      }),
    );
    const { fetchedAt, copyBecause } = await http.call('keys/');
    expect([fetchedAt.toISOString(), copyBecause]).toEqual(['2026-11-21T11:20:00.000Z', 'down']);
    expect(clockOffsetMs()).toBe(0);
  });

  it('does not move the clock for an answer from a cache on the way', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    server.answers.set('keys/', () => json(200, [], { date: 'Sat, 21 Nov 2026 11:20:00 GMT', age: '2400' }));
    const { fetchedAt, copyBecause } = await http.call('keys/');
    expect([fetchedAt.toISOString(), copyBecause]).toEqual(['2026-11-21T11:20:00.000Z', 'unusable']);
    expect(clockOffsetMs()).toBe(0);
  });

  it('marks an old answer when it goes back; a later time after that is believed', async () => {
    const { clockOffsetMs } = await import('../../../src/time/serverClock.ts');
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    const reasons: (string | null)[] = [];
    for (const time of ['12:00:00', '11:20:00', '11:20:00', '12:00:00', '11:20:00', '11:21:00', '11:22:00']) {
      server.answers.set('keys/', () => json(200, [], { date: `Sat, 21 Nov 2026 ${time} GMT` }));
      reasons.push((await http.call('keys/')).copyBecause);
    }
    expect(reasons).toEqual([null, 'unusable', 'unusable', null, 'unusable', null, null]);
    expect(clockOffsetMs() / 60_000).toBe(-38);
  });

  it('is the oldest of all for a copy without a fetch time', async () => {
    server.answers.set('keys/', () => json(200, [], { 'x-sw-source': 'cache' }));
    expect((await http.call('keys/')).fetchedAt.getTime()).toBe(0);
  });

  it('of a kept copy is also the time of the display’s layout and message, which may be over', async () => {
    const asked = vi.fn();
    http.whenDisplayAsked(asked);
    for (const [rev, source] of [
      ['3', 'cache'],
      ['4', 'network'],
    ] as const) {
      server.answers.set('keys/', () =>
        json(200, [], { 'x-sw-source': source, 'x-clearway-display': rev, date: new Date().toUTCString() }),
      );
      await http.call('keys/');
    }
    expect(asked.mock.calls).toEqual([[4]]);
  });

  it('is restored after a reload without a network', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
    server.answers.set('keys/', () => json(200, [], { date: 'Sat, 21 Nov 2026 14:30:00 GMT' }));
    await http.call('keys/');
    vi.resetModules();
    const { serverNow } = await import('../../../src/time/freshness.ts');
    expect(serverNow().toISOString()).toBe('2026-11-21T14:30:00.000Z');
  });
});

describe('a kept copy that the worker gave because the network was slow', () => {
  let worker: EventTarget & { controller?: object };
  const URL_ASKED = 'http://localhost:3000/api/v1/feeds/';
  const late = (body: unknown, url = URL_ASKED, asked?: string | null, status?: number) =>
    worker.dispatchEvent(
      new MessageEvent('message', {
        data: {
          type: 'LATE_ANSWER',
          url,
          asked,
          status,
          headers: [['date', 'Sat, 21 Nov 2026 12:00:07 GMT']],
          body: JSON.stringify(body),
        },
      }),
    );

  beforeEach(() => {
    worker = Object.assign(new EventTarget(), { controller: {} });
    Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:07Z') });
    keep({ ...server.signedIn(), clearway_scope: 'scope-1' });
    server.answers.set('feeds/', () => {
      const copy = json(200, ['old'], { 'x-sw-source': 'cache', 'x-sw-copy-reason': 'slow' });
      return Object.defineProperty(copy, 'url', { value: URL_ASKED });
    });
  });
  afterEach(() =>
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true }),
  );

  it('is followed by the late answer', async () => {
    const reply = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    expect([reply.copyBecause, reply.data]).toEqual(['slow', ['old']]);
    late(['of another call'], `${URL_ASKED}rail`);
    late(['new']);
    expect(await reply.late).toMatchObject({
      data: ['new'],
      copyBecause: null,
      fetchedAt: new Date('2026-11-21T12:00:07Z'),
    });
  });

  it('is no answer of the server, which the late one is', async () => {
    let answers = 0;
    http.whenServerAnswers(() => (answers += 1));
    const reply = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    expect(answers).toBe(0);
    late(['new']);
    await reply.late;
    expect(answers).toBe(1);
  });

  it('is not followed by a late answer to an earlier request', async () => {
    const ask = () => http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    const [before, after] = [await ask(), await ask()];
    const [first, second] = server.calls.map(({ headers }) => headers.get('x-clearway-asked'));
    late(['before the change'], URL_ASKED, first);
    late(['after it'], URL_ASKED, second);
    expect((await before.late)?.data).toEqual(['before the change']);
    expect((await after.late)?.data).toEqual(['after it']);
  });

  it('is followed by a late refusal: the token is renewed, and the answer requested again', async () => {
    const reply = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    server.answers.set('feeds/', () => json(200, ['new']));
    late({ detail: 'Your session has ended.' }, URL_ASKED, null, 401);
    await vi.advanceTimersByTimeAsync(100); // this browser has no locks, and looks twice
    expect((await reply.late)?.data).toEqual(['new']);
    expect(server.callsTo('auth/refresh')).toHaveLength(1);
    const [first, second] = server.callsTo('feeds/');
    expect(second!.headers.get('authorization')).not.toBe(first!.headers.get('authorization'));
  });

  it('is followed by the late answer to the new token, if the line is still slow', async () => {
    const reply = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    late({ detail: 'Your session has ended.' }, URL_ASKED, null, 401);
    await vi.waitFor(() => expect(server.callsTo('feeds/')).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(10);
    late(['new'], URL_ASKED, server.callsTo('feeds/')[1]!.headers.get('x-clearway-asked'), 200);
    expect((await reply.late)?.data).toEqual(['new']);
  });

  it('is followed by a refusal that ends the session', async () => {
    const ended = vi.fn();
    http.whenSessionRefused(ended);
    const reply = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    server.answers.set('auth/refresh', () => json(401, { detail: 'Revoked' }));
    late({ detail: 'Your session has ended.' }, URL_ASKED, null, 401);
    await vi.advanceTimersByTimeAsync(100);
    await expect(reply.late).rejects.toMatchObject({ status: 401 });
    expect(ended).toHaveBeenCalledWith('scope-1');
  });

  it('is followed by nothing when no readable answer comes in time', async () => {
    const [none, odd] = await Promise.all(
      [1, 2].map(() => http.read(z.array(z.string()), 'feeds/', { offlineCopy: true })),
    );
    let received: unknown = 'nothing yet';
    void none!.late!.then((answer) => (received = answer));
    await vi.advanceTimersByTimeAsync(14_900);
    expect(received).toBe('nothing yet');
    await vi.advanceTimersByTimeAsync(200);
    expect(received).toBeNull();

    const again = await http.read(z.array(z.string()), 'feeds/', { offlineCopy: true });
    late({ odd: true });
    expect([await odd!.late, await again.late]).toEqual([null, null]);
  });
});

describe('the scope of offline copies', () => {
  const control = (controller: object | null) =>
    Object.defineProperty(navigator, 'serviceWorker', {
      value: Object.assign(new EventTarget(), { controller }),
      configurable: true,
    });
  afterEach(() =>
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true }),
  );

  it('is sent only with calls that may be kept, and only if there is a worker to remove it', async () => {
    keep({ ...server.signedIn(), clearway_scope: 'scope-1' });
    server.answers.set('feeds/', () => json(200, []));
    control({});
    await http.call('feeds/', { offlineCopy: true });
    await http.call('auth/me');
    control(null);
    await http.call('feeds/', { offlineCopy: true });
    expect(server.calls.map(({ headers }) => headers.get('x-clearway-scope'))).toEqual([
      'scope-1',
      null,
      null,
    ]);
  });
});

describe('an answer that has not changed, without a worker', () => {
  const Feeds = z.object({ feeds: z.array(z.string()) });
  const NOON = 'Sat, 21 Nov 2026 12:00:00 GMT';
  const LATER = 'Sat, 21 Nov 2026 12:01:00 GMT';
  const ask = (path = 'feeds/') => http.read(Feeds, path, { searchParams: { all: true }, offlineCopy: true });
  const conditions = () => server.calls.map(({ headers }) => headers.get('if-none-match'));

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(NOON), toFake: ['Date'] });
    keep({ ...server.signedIn(), clearway_scope: 'scope-1' });
    server.answers.set('feeds/', ({ headers }) =>
      headers.get('if-none-match') === '"1"'
        ? new Response(null, { status: 304, headers: { etag: '"1"', date: LATER } })
        : json(200, { feeds: ['rail'] }, { etag: '"1"', date: NOON }),
    );
  });

  it('is asked for by its ETag, is as new as the 304, and stays the same object', async () => {
    const first = await ask();
    vi.setSystemTime(LATER);
    const second = await ask();
    expect(conditions()).toEqual([null, '"1"']);
    expect(second.data).toBe(first.data);
    expect([second.copyBecause, second.fetchedAt]).toEqual([null, new Date(LATER)]);
  });

  it('is read again when it has changed', async () => {
    await ask();
    server.answers.set('feeds/', () => json(200, { feeds: ['roads'] }, { etag: '"2"' }));
    expect((await ask()).data).toEqual({ feeds: ['roads'] });
    await ask();
    expect(conditions()).toEqual([null, '"1"', '"2"']);
  });

  it('is recognised by its full address, and only for calls that may be kept', async () => {
    await ask();
    server.answers.set('feeds/rail', () => json(200, { feeds: [] }, { etag: '"1"' }));
    await ask('feeds/rail');
    await http.call('feeds/', { searchParams: { all: false }, offlineCopy: true });
    await http.call('feeds/', { searchParams: { all: true } });
    expect(conditions()).toEqual([null, null, null, null]);
  });

  it('is forgotten at the end of the session, and not used for the next one', async () => {
    const { purgeOfflineCopies } = await import('../../../src/offline/serviceWorker.ts');
    await ask();
    await purgeOfflineCopies('scope-1');
    await ask();
    localStorage.setItem('clearway_scope', 'scope-2');
    await ask();
    localStorage.setItem('clearway_scope', 'scope-1');
    await ask();
    expect(conditions()).toEqual([null, null, null, null]);
  });

  it('is not remembered when its session ended meanwhile', async () => {
    const answer = server.answers.get('feeds/')!;
    server.answers.set('feeds/', (call) => {
      localStorage.setItem('clearway_scope', 'scope-2');
      return answer(call);
    });
    await ask();
    localStorage.setItem('clearway_scope', 'scope-1');
    await ask();
    expect(conditions()).toEqual([null, null]);
  });

  it('is not read again if a worker has revalidated it either', async () => {
    const worker = Object.assign(new EventTarget(), { controller: {} });
    Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
    const first = await ask();
    server.answers.set('feeds/', () =>
      json(200, { feeds: ['rail'] }, { etag: '"1"', date: LATER, 'x-sw-source': 'validated' }),
    );
    vi.setSystemTime(LATER);
    const second = await ask();
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true });
    expect(conditions()).toEqual([null, null]);
    expect(second.data).toBe(first.data);
    expect([second.copyBecause, second.fetchedAt]).toEqual([null, new Date(LATER)]);
  });

  it('a 304 without a copy is not an answer', async () => {
    server.answers.set('feeds/', () => new Response(null, { status: 304 }));
    expect(await failureOf(ask())).toBe('Unreachable');
  });
});
