import { request as httpsRequest } from 'node:https';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { Config } from '../../../server/config.ts';
import { openTestApp, PASSWORD, type TestApp } from './testApp.ts';

const LOGIN = '/api/v1/auth/login';
const REFRESH = { grant_type: 'refresh_token', refresh_token: 'gone', client_id: 'clearway-display' };

let test: TestApp;
afterEach(() => test.close());

async function open(config?: Partial<Config>) {
  test = await openTestApp({ config });
  return test;
}

describe('a call that cannot be answered', () => {
  beforeEach(() => open());

  it('is refused in words', async () => {
    const cases = [
      ['no body at all', '', 422, 'The body is required'],
      ['an empty body of type JSON', ' \n', 422, 'The body is required'],
      ['null', 'null', 422, 'The body is required'],
      ['a list', '[]', 422, 'The body must be an object'],
      ['a text', '"x"', 422, 'The body must be an object'],
      ['half a JSON text', '{"email":"a@b.exam', 400, 'The body is not valid JSON.'],
      ['no JSON', 'email=a', 400, 'The body is not valid JSON.'],
      ['a raw null byte', '{"email":"\0"}', 400, 'The body is not valid JSON.'],
      ['nothing in it', '{}', 422, 'email is required'],
      ['an empty address', '{"email":"  ","password":"x"}', 422, 'Email is required'],
      ['no address', '{"email":"rosa","password":"x"}', 422, 'Email must be an email address'],
      ['an address that is a number', '{"email":7,"password":"x"}', 422, 'email must be a string'],
      [
        'a null byte in the address',
        '{"email":"a\\u0000@b.example","password":"x"}',
        422,
        'Email must be an email address',
      ],
      [
        'a lone surrogate',
        '{"email":"\\ud800@b.example","password":"x"}',
        422,
        'Email must be an email address',
      ],
      ['an empty password', '{"email":"a@b.example","password":""}', 422, 'Password is required'],
      [
        'a password without end',
        JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(2000) }),
        422,
        'password must be at most 1024 characters',
      ],
      [
        'a body too large',
        JSON.stringify({ email: 'x'.repeat(4096) }),
        413,
        'The body is too large: at most 4 KiB are read.',
      ],
      [
        'lists nested 2,000 deep',
        '['.repeat(2000) + ']'.repeat(2000),
        422,
        'This body holds more than 200 values.',
      ],
      ['lists nested and never closed', '['.repeat(4000), 400, 'The body is not valid JSON.'],
      ['a poisoned prototype', '{"__proto__":{"email":"a@b.example"}}', 422, 'email is required'],
    ] as const;
    for (const [name, payload, status, detail] of cases) {
      const reply = await test.app.inject({
        method: 'POST',
        url: LOGIN,
        headers: { 'content-type': 'application/json' },
        payload,
      });

      expect(reply.statusCode, reply.body).toBe(status);
      expect(Refusal.parse(reply.json()).detail, name).toBe(detail);
      expect(reply.headers['cache-control'], name).toBe('no-store');
    }
  });

  it('says the first problem in words, and lists them all', async () => {
    const reply = await test.post(LOGIN, { email: 'rosa' });

    expect(reply.json()).toMatchObject({
      detail: 'Email must be an email address',
      errors: [
        { path: 'email', message: 'Email must be an email address' },
        { path: 'password', message: 'password is required' },
      ],
    });
  });

  it('accepts any Unicode in a password without a fault', async () => {
    const reply = await test.post(LOGIN, { email: 'a@b.example', password: '\u0000\ud800💥ﷺ' });

    expect(reply.statusCode).toBe(401);
  });

  it('refuses a body of another type', async () => {
    const cases = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
    ];
    for (const type of cases) {
      const reply = await test.app.inject({
        method: 'POST',
        url: LOGIN,
        headers: { 'content-type': type },
        payload: 'x',
      });

      expect(reply.statusCode, type).toBe(415);
      expect(reply.json(), type).toMatchObject({
        detail: 'The body must be JSON, with the content type application/json.',
      });
    }
  });

  it('answers a wrong method with 405 and what the address takes', async () => {
    const cases = [
      ['POST', '/api/v1/disruptions', 'GET, HEAD'],
      ['DELETE', '/api/v1/disruptions.csv', 'GET, HEAD'],
      ['PATCH', '/api/v1/keys/', 'GET, HEAD, POST'],
      ['PUT', '/api/v1/keys/one', 'DELETE, GET, HEAD'],
      ['POST', '/api/v1/auth/me', 'GET, HEAD'],
      ['GET', '/api/v1/auth/login', 'POST'],
      ['POST', '/f/secret.ics', 'GET, HEAD'],
      ['POST', '/openapi.json', 'GET, HEAD'],
    ] as const;
    for (const [method, url, allow] of cases) {
      const reply = await test.app.inject({ method, url });
      expect([reply.statusCode, reply.headers.allow], `${method} ${url}`).toEqual([405, allow]);
      expect(reply.json(), `${method} ${url}`).toMatchObject({
        detail: `${method} cannot be used here: this address takes ${allow}.`,
      });
    }
  });

  it('gives every answer an id of its own, which the log has', async () => {
    const urls = ['/', '/health', '/openapi.json', '/api/v1/nothing', '/api/v1/auth/me', '/f/x.ics'];
    const replies = await Promise.all(urls.map((url) => test.app.inject({ url })));
    const ids = replies.map(({ headers }) => String(headers['x-request-id']));
    expect(new Set(ids).size).toBe(urls.length);
    for (const id of ids) {
      expect(id).toMatch(/^req-[0-9a-f]{12}-\w+$/);
      expect(test.logged()).toContain(`"reqId":"${id}"`);
    }
  });

  it('gives the id in the body of every refusal, in whichever layer it is made', async () => {
    const { access_token } = await test.signIn(await test.addUser());
    const json = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const asked = [
      [400, { method: 'POST', url: '/api/v1/auth/login', headers: json, payload: '{' }],
      [400, { method: 'POST', url: '/api/v1/displays/token', payload: REFRESH }],
      [401, { url: '/api/v1/auth/me' }],
      [403, { url: '/api/v1/admin/users', headers: json }],
      [404, { url: '/api/v1/nothing' }],
      [404, { url: '/f/x.ics' }],
      [405, { method: 'DELETE', url: '/api/v1/auth/me' }],
      [413, { method: 'POST', url: '/api/v1/auth/login', headers: json, payload: `"${'x'.repeat(9000)}"` }],
      [
        415,
        { method: 'POST', url: '/api/v1/auth/login', payload: 'x', headers: { 'content-type': 'text/x' } },
      ],
      [422, { url: '/api/v1/disruptions?nothing=1', headers: json }],
    ] as const;
    for (const [status, request] of asked) {
      const reply = await test.app.inject(request);
      expect([reply.statusCode, reply.json<Refusal>().request_id], request.url).toEqual([
        status,
        reply.headers['x-request-id'],
      ]);
    }
  });

  it('says that another address does not exist', async () => {
    const cases = [
      ['GET', '/api/v1/nothing'],
      ['GET', '/api/'],
      ['GET', '/api'],
      ['DELETE', '/'],
      ['GET', '/metrics'],
    ] as const;
    for (const [method, url] of cases) {
      const reply = await test.app.inject({ method, url });

      expect(reply.statusCode, url).toBe(404);
      expect(reply.json(), url).toMatchObject({ detail: `${method} ${url} does not exist` });
    }
  });

  it.each([
    '/api/v1/disruptions/sources/%00',
    '/api/v1/disruptions/sources/%E0%A4%A',
    `/api/v1/feeds/${'x'.repeat(500)}`,
    '/api/v1/feeds/..%2f..%2fetc%2fpasswd/events',
    '/api/v1/disruptions/?limit=1e99&cursor=%00&severity=__proto__&q=%FF&north=NaN',
    '/api/v1/disruptions/?limit=1&limit=2&q=a&q=b',
    '/api/v1/feeds/?include_events=%F0%9F%92%A5',
    '/%',
  ])('never fails at the address %s', async (url) => {
    await test.addUser();
    const { access_token } = await test.signIn();
    const reply = await test.get(url, access_token);

    expect(reply.statusCode, reply.body).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode, reply.body).toBeLessThan(500);
    expect(Refusal.parse(reply.json()).detail).not.toBe('');
  });

  it('says nothing about a fault of our own, and logs it', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    await test.db.schema.dropTable('usage_events').execute();
    const reply = await test.post(
      '/api/v1/analytics/events',
      { event_type: 'map_viewed', event_category: 'navigation' },
      access_token,
    );

    expect(reply.statusCode).toBe(500);
    const id = String(reply.headers['x-request-id']);
    expect(reply.json()).toMatchObject({ detail: 'Something went wrong on our side.', request_id: id });
    const logged = test
      .logged()
      .split('\n')
      .find((line) => line.includes('no such table: usage_events'));
    expect(logged).toContain(id);
  });

  it('never reads a failing database as a refused session', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    await test.db.schema.dropTable('login_failures').execute();
    await test.db.schema.dropTable('refresh_tokens').execute();
    await test.db.schema.dropTable('sessions').execute();
    const reply = await test.get('/api/v1/auth/me', access_token);

    expect(reply.statusCode).toBe(500);
  });
});

describe('a request that is not HTTP', () => {
  it.each([
    ['HELLO\r\n\r\n', 400, 'This is not an HTTP request.'],
    [
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers of the request are too large.',
    ],
  ])('is answered in words', async (bytes, status, detail) => {
    await open();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;

    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('close', () => resolve(text)).on('error', reject);
    });

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-security-policy: default-src 'self'/m);
    expect(answer).toMatch(/^x-content-type-options: nosniff/m);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ detail });
  });
});

describe('a request that could be read as two', () => {
  it.each([
    ['two Host headers', 'Host: x\r\nHost: y\r\n'],
    ['no Host header', ''],
  ])('is refused for %s', async (_name, hosts) => {
    await open();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /api/v1/config HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`),
      );
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('close', () => resolve(text)).on('error', reject);
    });

    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/^x-content-type-options: nosniff/m);
    expect(answer).toContain('The request must have one Host header.');
  });
});

describe('a stop', () => {
  it('closes a kept-alive connection after the answer in progress', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    test = await openTestApp({
      routes: (app) =>
        app.get('/slow', () => {
          asked.resolve();
          return answer.promise;
        }),
    });
    const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const reply = fetch(`${url}/slow`);
    await asked.promise;
    const closed = test.app.close();
    await vi.waitFor(() => expect(test.app.server.listening).toBe(false), { timeout: 15_000 });
    answer.resolve('done');

    expect((await reply).headers.get('connection')).toBe('close');
    await closed;
  });
});

describe('every answer', () => {
  it.each(['/api/v1/auth/me', '/healthz', '/nothing.js', '/config.json'])(
    'of %s carries the security headers',
    async (url) => {
      await open();
      const { headers } = await test.get(url);

      expect(headers['content-security-policy']?.toString().split(';').sort()).toEqual(
        [
          "default-src 'self'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self' data: blob: https://tile.openstreetmap.org",
          "connect-src 'self' https://tile.openstreetmap.org",
          "worker-src 'self'",
          "font-src 'self'",
          "manifest-src 'self'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
          "form-action 'self'",
          "require-trusted-types-for 'script'",
          'trusted-types default file-xml',
          'report-uri /api/v1/csp-reports',
          'report-to csp',
        ].sort(),
      );
      expect(headers).toMatchObject({
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  it('allows the tiles of the operator’s server, or of ours alone', async () => {
    await open({ tileUrl: 'https://{s}.tiles.example/{z}/{x}/{y}.png' });
    expect((await test.get('/healthz')).headers['content-security-policy']).toContain(
      "img-src 'self' data: blob: https://*.tiles.example;",
    );
    await test.close();

    await open({ tileUrl: '/tiles/{z}/{x}/{y}.png' });
    expect((await test.get('/healthz')).headers['content-security-policy']).toContain(
      "img-src 'self' data: blob:;connect-src 'self';",
    );
  });

  it('may not be cached if it is the API’s', async () => {
    await open();
    await test.addUser();
    const { access_token } = await test.signIn();

    for (const url of ['/api/v1/auth/me', '/api/v1/feeds/', '/api/v1/nothing', '/api/v1/%E0%A4%A']) {
      expect((await test.get(url, access_token)).headers['cache-control'], url).toBe('no-store');
    }
  });
});

describe('other sites', () => {
  const preflight = (origin: string) =>
    test.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/feeds/',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });

  it('may not call the API', async () => {
    await open();
    const reply = await preflight('https://app.example');

    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('get the ordinary answer to an OPTIONS that is no preflight', async () => {
    await open({ corsOrigins: ['https://app.example'] });
    const reply = await test.app.inject({ method: 'OPTIONS', url: '/api/v1/feeds/' });

    expect(reply.statusCode).toBeLessThan(300);
    expect(reply.body).toBe('');
  });

  it('may when the operator lists them, and only those', async () => {
    await open({ corsOrigins: ['https://app.example'] });
    const listed = await preflight('https://app.example');
    const other = await preflight('https://evil.example');
    const reply = await test.app.inject({
      url: '/api/v1/feeds/',
      headers: { origin: 'https://app.example' },
    });

    expect(listed.statusCode).toBe(204);
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    });
    expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example');
    expect(reply.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(reply.headers['access-control-expose-headers']).toContain('ETag');
    expect(reply.headers['access-control-expose-headers']).toContain('Date');
  });
});

describe('forwarding headers', () => {
  const FORWARDED = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
  const ask = () =>
    test.app.inject({ url: '/api/v1/nothing', headers: FORWARDED, remoteAddress: '10.0.0.2' });
  const address = () => /"address":"([^"]+)"/.exec(test.logged())?.[1];

  it('are ignored when no proxy is configured', async () => {
    await open();
    const reply = await ask();

    expect(address()).toBe('10.0.0.2');
    expect(reply.headers).not.toHaveProperty('strict-transport-security');
  });

  it('are ignored from a machine that is not a listed proxy', async () => {
    await open({ trustProxy: ['192.168.0.0/16'] });
    await ask();

    expect(address()).toBe('10.0.0.2');
  });

  it('are believed from a listed proxy', async () => {
    await open({ trustProxy: ['10.0.0.0/8'] });
    const reply = await ask();

    expect(address()).toBe('203.0.113.7');
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it.each(['unknown', '203.0.113.7:4711', '<b>'])('must name an address: %s does not', async (named) => {
    await open({ trustProxy: ['10.0.0.0/8'] });
    const ask = (remoteAddress: string) =>
      test.app.inject({ url: '/api/v1/auth/me', headers: { 'x-forwarded-for': named }, remoteAddress });
    const reply = await ask('10.0.0.2');

    expect([reply.statusCode, reply.json().detail]).toEqual([
      400,
      'X-Forwarded-For does not name the address of a caller.',
    ]);
    // Other callers' headers are ignored.
    expect((await ask('192.0.2.1')).statusCode).toBe(401);
  });

  it('decide whose wrong passwords are counted', async () => {
    await open({ trustProxy: ['10.0.0.0/8'] });
    await test.app.inject({
      method: 'POST',
      url: LOGIN,
      headers: FORWARDED,
      remoteAddress: '10.0.0.2',
      payload: { email: 'a@b.example', password: 'wrong' },
    });
    const rows = await test.db.selectFrom('login_failures').select('subject').execute();

    expect(rows.map(({ subject }) => subject)).toContain('address:203.0.113.7');
  });
});

describe('TLS', () => {
  it('is served with the configured certificate, and required', async () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
    const cert = read('localhost.crt');
    await open({ tls: { cert, key: read('localhost.key') } });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = test.app.server.address() as AddressInfo;

    const [status, headers] = await new Promise<[number | undefined, Record<string, unknown>]>(
      (resolve, reject) => {
        const request = httpsRequest({ host: '127.0.0.1', port, path: '/healthz', ca: cert }, (response) => {
          response.resume().on('end', () => resolve([response.statusCode, response.headers]));
        });
        request.on('error', reject).end();
      },
    );

    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['date']).toBeTypeOf('string');
  });
});

describe('the log', () => {
  it('has a line for every request, and never a token, a password or a query', async () => {
    await open();
    await test.addUser();
    const { access_token, refresh_token, session_id } = await test.signIn();
    await test.post(LOGIN, { email: 'rosa@coaches.example', password: 'a-wrong-guess' });
    await test.get(`/api/v1/auth/me?token=${access_token}&q=query-of-mine`, access_token);
    await test.app.inject({ url: '/docs?token=token-of-the-docs', headers: { cookie: 'crumbs=1' } });
    const refreshed = await test.post('/api/v1/auth/refresh', { refresh_token });
    await test.post('/api/v1/auth/refresh', { refresh_token: 'nonsense-token' });
    await test.app.inject({
      method: 'POST',
      url: LOGIN,
      headers: { 'content-type': 'application/json' },
      payload: '{"email":"rosa@coaches.example","password":"half-a-secret',
    });
    await test.post('/api/v1/auth/logout', { session_id }, access_token);
    await test.db.schema.dropTable('login_failures').execute();
    await test.post(LOGIN, { email: 'rosa@coaches.example', password: PASSWORD });

    const lines = test
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      'POST /api/v1/auth/login 200',
      'POST /api/v1/auth/login 401',
      'GET /api/v1/auth/me 422',
      'GET /docs 200',
      'POST /api/v1/auth/refresh 200',
      'POST /api/v1/auth/refresh 401',
      'POST /api/v1/auth/login 400',
      'POST /api/v1/auth/logout 204',
      'POST /api/v1/auth/login 500',
    ]);
    for (const secret of [
      access_token,
      refresh_token,
      refreshed.json().refresh_token,
      refreshed.json().access_token,
      PASSWORD,
      'a-wrong-guess',
      'half-a-secret',
      'nonsense-token',
      'token-of-the-docs',
      'query-of-mine',
      'crumbs',
      'argon2id',
    ]) {
      expect(test.logged()).not.toContain(secret);
    }
  });
});
