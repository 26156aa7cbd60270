import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeys } from '../../../../server/accounts/keys/apiKeys.ts';
import { users } from '../../../../server/accounts/users.ts';
import { makeMetrics } from '../../../../server/operate/metrics.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const FEEDS = '/api/v1/feeds?include_events=true';
const VIEW = '/api/v1/events/viewport?south=49.5&west=-8.7&north=61&east=2';
const LIST = '/api/v1/disruptions?limit=50';
const QUOTA = 6;

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe('a request that was answered before', () => {
  let test: TestApp;
  let userId: string;
  let token: string;
  let key: { id: string; key: string };
  let byFramework = 0;
  const agent = new Agent({ keepAlive: true });

  const start = async (config = {}, more: (app: FastifyInstance) => void = () => {}) => {
    byFramework = 0;
    test = await openTestApp({
      config: {
        keyLimits: { free: QUOTA, pro: 10, enterprise: null },
        corsOrigins: ['https://board.example'],
        ...config,
      },
      routes: (app) => {
        app.addHook('onRequest', async () => void byFramework++);
        more(app);
      },
    });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    userId = (await test.addUser()).id;
    token = (await test.signIn()).access_token;
    key = (await test.post('/api/v1/keys/', { name: 'Timetable' }, token)).json();
  };
  beforeEach(() => start());
  afterEach(() => test.close());

  function call(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
    const { port } = test.app.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      send({ host: '127.0.0.1', port, path, method, agent, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on('error', reject)
        .end();
    });
  }
  const bearer = (credential = token) => ({ authorization: `Bearer ${credential}` });

  /** The answer of the framework, then the one in front of it. */
  async function both(path: string, headers: Record<string, string>): Promise<[Reply, Reply]> {
    const ordinary = await call(path, headers);
    const before = byFramework;
    const ready = await call(path, headers);
    expect(byFramework, 'answered in front of the framework').toBe(before);
    expect(ready.headers['x-request-id']).not.toBe(ordinary.headers['x-request-id']);
    for (const one of [ordinary, ready]) {
      expect(one.headers['x-request-id']).toMatch(/^req-/);
      delete one.headers['x-request-id'];
      delete one.headers.date;
    }
    return [ordinary, ready];
  }

  it.each([
    FEEDS,
    '/api/v1/feeds/',
    '/api/v1/feeds/rail-network',
    '/api/v1/feeds/rail-network/summary',
    VIEW,
    LIST,
  ])('gets the same status, headers and bytes: %s', async (path) => {
    for (const encoding of ['identity', 'gzip', 'br', 'gzip, deflate, br, zstd', '']) {
      const headers = { ...bearer(), 'accept-encoding': encoding };
      const [ordinary, ready] = await both(path, headers);
      expect(ready).toEqual(ordinary);
      expect(ordinary.status).toBe(200);

      const conditional = { ...headers, 'if-none-match': ordinary.headers.etag! };
      const [unchanged, readyUnchanged] = await both(path, conditional);
      expect(readyUnchanged).toEqual(unchanged);
      expect(unchanged).toMatchObject({ status: 304, body: Buffer.alloc(0) });
      // Both are known now, in any order.
      const before = byFramework;
      expect((await call(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
      expect(byFramework).toBe(before);
    }
  });

  it('gets the headers of its own origin, and over https of its own protocol', async () => {
    await test.close();
    await start({ trustProxy: ['127.0.0.1'] });
    for (const more of [
      { origin: 'https://board.example' },
      { origin: 'https://elsewhere.example' },
      { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
    ] as Record<string, string>[]) {
      const [ordinary, ready] = await both(FEEDS, { ...bearer(), ...more });
      expect(ready).toEqual(ordinary);
    }
    const behind = { ...bearer(), 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    expect((await call(FEEDS, behind)).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await call(FEEDS, bearer())).headers['strict-transport-security']).toBeUndefined();
    expect(linesOf(FEEDS).map(({ address }) => address)).toContain('192.0.2.7');
  });

  it('is not slowed down by what a proxy adds to each request', async () => {
    await call(FEEDS, { ...bearer(), 'x-request-id': 'a' });
    const before = byFramework;
    await call(FEEDS, { ...bearer(), 'x-request-id': 'b', traceparent: '00-1-2-01' });
    expect(byFramework).toBe(before);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'signed out',
      () => test.post('/api/v1/auth/logout', {}, token),
      'Your session has ended. Sign in again.',
    ],
    [
      'disabled',
      () => users(test.db).change(userId, { is_active: 0 }),
      'Your session has ended. Sign in again.',
    ],
    ['of an expired token', async () => test.pass(16 * 60_000), 'Your session has ended. Sign in again.'],
  ])('is refused at once when its caller is %s', async (_name, change, detail) => {
    await both(FEEDS, bearer());
    await change();
    const refused = await call(FEEDS, bearer());
    expect([refused.status, JSON.parse(String(refused.body))]).toMatchObject([401, { detail }]);
  });

  it('is refused at once when its key is deleted', async () => {
    await both(FEEDS, bearer(key.key));
    await apiKeys(test.db).remove(key.id, userId);
    expect((await call(FEEDS, bearer(key.key))).status).toBe(401);
  });

  it('is answered by the framework if the credential belongs to another caller since', async () => {
    await both(FEEDS, bearer());
    await users(test.db).change(userId, { role: 'admin' });
    // The new answer is known by now, but its caller is not.
    expect((await call(LIST, bearer())).status).toBe(200);
    const before = byFramework;
    expect((await call(FEEDS, bearer())).status).toBe(200);
    expect(byFramework).toBe(before + 1);
    await both(FEEDS, bearer());
  });

  it('has none of the headers that an earlier caller was given', async () => {
    const [{ headers }] = await both(FEEDS, bearer());
    const unchanged = { ...bearer(), 'if-none-match': headers.etag! };
    await both(FEEDS, unchanged);
    await users(test.db).change(userId, { role: 'admin' });
    expect((await call(FEEDS, bearer())).status).toBe(200);
    // Only the 200 of this caller is known.
    const before = byFramework;
    expect((await call(FEEDS, unchanged)).status).toBe(304);
    expect(byFramework).toBe(before + 1);
  });

  it('is refused without a credential, and with another’s', async () => {
    await both(FEEDS, bearer());
    expect((await call(FEEDS)).status).toBe(401);
    expect((await call(FEEDS, bearer(`${token}x`))).status).toBe(401);
  });

  it('is another request with another header, even on the same connection', async () => {
    const gzipped = { ...bearer(), 'accept-encoding': 'gzip' };
    expect((await both(FEEDS, gzipped))[1].headers['content-encoding']).toBe('gzip');
    const plain = await call(FEEDS, { ...gzipped, 'accept-encoding': 'identity' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    await call(FEEDS, gzipped);
    expect((await call(FEEDS, { ...gzipped, ...bearer(`${token}x`) })).status).toBe(401);
  });

  it('is another request with another method or address', async () => {
    const [{ headers }] = await both(FEEDS, bearer());
    const head = await call(FEEDS, bearer(), 'HEAD');
    delete head.headers.date;
    delete head.headers['x-request-id'];
    expect(head).toEqual({ status: 200, headers, body: Buffer.alloc(0) });
    expect((await call(FEEDS, bearer(), 'DELETE')).status).toBe(405);
    expect((await call(`${FEEDS}&colour=red`, bearer())).status).toBe(422);
    expect((await call('/api/v1/feeds/trams', bearer())).status).toBe(404);
  });

  it('counts against the quota of its key, one by one, except with a 304', async () => {
    const left = ({ headers }: Reply) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
    const [first, second] = await both(FEEDS, bearer(key.key));
    expect([left(first), left(second)]).toEqual([QUOTA - 1, QUOTA - 2]);
    const same = ({ headers: { ratelimit: _left, ...headers }, ...rest }: Reply) => ({ ...rest, headers });
    expect(same(second)).toEqual(same(first));

    const conditional = { ...bearer(key.key), 'if-none-match': first.headers.etag! };
    const free = await both(FEEDS, conditional);
    expect(free.map(({ status }) => status)).toEqual([304, 304]);
    expect(free[1]).toEqual(free[0]);
    expect(left(free[1])).toBe(QUOTA - 2);

    for (let call = 3; call <= QUOTA; call++) await both(FEEDS, bearer(key.key)).catch(() => {});
    const refused = await call(FEEDS, bearer(key.key));
    expect(refused).toMatchObject({ status: 429, headers: { ratelimit: expect.stringContaining('r=0') } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // A 304 is then free too, and an answer that would have cost a call is refused.
    expect((await both(FEEDS, conditional)).map(({ status }) => status)).toEqual([304, 304]);
    expect((await call(FEEDS, { ...conditional, 'if-none-match': '"older"' })).status).toBe(429);
    const listed = (await test.get('/api/v1/keys/', token)).json<{ requests_today: number }[]>();
    expect(listed[0]!.requests_today).toBe(QUOTA);
  });

  it('counts against the requests a minute of its session', async () => {
    await test.close();
    // The key that was made counts as well.
    await start({ requestLimits: { perSession: 5, perAddress: null } });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await call(LIST, bearer())).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('is answered by the framework while the server closes, which then ends the connection', async () => {
    const atClosing = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await test.close();
    await start({}, (app) =>
      app.addHook('preClose', async () => {
        atClosing.resolve();
        await asked.promise;
      }),
    );
    await both(FEEDS, bearer());
    const closing = test.close();
    await atClosing.promise;
    const before = byFramework;
    const { status, headers } = await call(FEEDS, bearer());
    expect([status, headers.connection, byFramework]).toEqual([200, 'close', before + 1]);
    asked.resolve();
    await closing;
  });

  it('is in the log, the usage and the figures like any other', async () => {
    const metrics = makeMetrics({
      db: test.db,
      engine: 'sqlite',
      collectors: COLLECTORS,
      settings: {},
      now: test.now,
      log: test.app.log,
    });
    metrics.count(test.app);
    await both(FEEDS, bearer());

    await expect.poll(() => linesOf(FEEDS).length).toBe(2);
    const [ordinary, ready] = linesOf(FEEDS).map(({ ms, reqId, time: _time, ...line }) => {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(reqId).toMatch(/^req-[0-9a-f]{12}-\w+$/);
      return line;
    });
    expect(ready).toEqual(ordinary);
    const figures = await metrics.text();
    metrics.stop();
    expect(figures.split('\n').filter((line) => line.startsWith('clearway_http_requests_total'))).toEqual([
      'clearway_http_requests_total{method="GET",route="/api/v1/feeds",status="200"} 2',
    ]);

    await test.app.close();
    const calls = await test.db
      .selectFrom('api_calls')
      .select(['method', 'endpoint', 'status_code', 'auth_type', 'user_id', 'caller_id'])
      .where('endpoint', '=', '/api/v1/feeds')
      .execute();
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
  });

  const linesOf = (path: string) =>
    test
      .logged()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.path === path.split('?')[0]);
});
