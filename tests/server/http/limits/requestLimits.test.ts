import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

let test: TestApp;
const begin = async (perSession: number | null, perAddress: number | null) => {
  test = await openTestApp({ config: { requestLimits: { perSession, perAddress } } });
  await test.addUser();
};
afterEach(() => test.close());

const SEARCH = '/api/v1/geocode/search?query=Leeds';
const ask = async (token: string, url = SEARCH, remoteAddress = '192.0.2.1') =>
  test.app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${token}` } });
const enter = async () => (await test.signIn()).access_token;

describe('requests that cost', () => {
  it('are limited by session, with words and a time; cheap ones are not', async () => {
    await begin(3, null);
    const token = await enter();
    for (let call = 0; call < 3; call++) expect((await ask(token)).statusCode).toBe(200);
    const refused = await ask(token);

    expect(refused.statusCode).toBe(429);
    expect(refused.json().detail).toMatch(/^Too many requests\. Try again in \d+ seconds\.$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(token, '/api/v1/events')).statusCode).toBe(429);
    expect((await ask(token, '/api/v1/feeds/')).statusCode).toBe(200);
    expect((await ask(await enter())).statusCode).toBe(200);
  });

  it('are limited by address, or by the network of an IPv6 address', async () => {
    await begin(null, 4);
    const tokens = [await enter(), await enter()];
    for (let call = 0; call < 4; call++)
      expect((await ask(tokens[call % 2]!, SEARCH, `2001:db8:1:2::${call}`)).statusCode).toBe(200);

    expect((await ask(tokens[0]!, SEARCH, '2001:db8:1:2::9')).statusCode).toBe(429);
    expect((await ask(tokens[0]!, SEARCH, '2001:db8:1:3::9')).statusCode).toBe(200);
  });

  it('never refuse an office of 60 boards behind one address', async () => {
    await begin(1200, 12_000);
    const token = await enter();
    // Far more calls than the five that each makes in a minute.
    for (let call = 0; call < 60 * 15; call++)
      if ((await ask(token, '/api/v1/events/categories')).statusCode !== 200) throw new Error(String(call));
    expect((await ask(token)).statusCode).toBe(200);
  });
});

describe('requests of strangers in masses', () => {
  beforeEach(() => begin(null, null));

  it('is counted as sums, without a row and a line of the log each', async () => {
    for (let call = 0; call < 50; call++) {
      await test.get('/config.json');
      await test.get('/api/v1/feeds/');
      await test.get(`/api/v1/nothing-${call}`);
      await test.post('/api/v1/auth/login', { email: call });
    }
    for (let call = 0; call < 50; call++) await test.post('/api/v1/auth/logout', {});
    await test.get('/api/v1/feeds/', await enter());
    await test.app.close();

    const rows = await test.db.selectFrom('api_calls').selectAll().execute();
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(['/api/v1/feeds']);
    const hours = await test.db
      .selectFrom('api_calls_hourly')
      .select(['endpoint', 'count'])
      .orderBy('endpoint')
      .execute();
    expect(hours).toContainEqual({ endpoint: '(no such endpoint)', count: 50 });
    expect(hours).toContainEqual({ endpoint: '/api/v1/feeds', count: 51 });
    const lines = test
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level !== 'debug');
    // A person counts as a stranger until the sign-in is done.
    expect(lines.flatMap(({ counts }) => counts ?? [])).toEqual([
      { 200: 51, 204: 50, 401: 50, 404: 50, 422: 50 },
    ]);
    expect(lines.filter(({ msg }) => msg === 'request').map(({ path }) => path)).toEqual(['/api/v1/feeds/']);
  });
});

describe('reports of the security policy', () => {
  beforeEach(() => begin(null, null));
  const report = (payload: unknown, type = 'application/csp-report') =>
    test.app.inject({
      method: 'POST',
      url: '/api/v1/csp-reports',
      headers: { 'content-type': type },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  it('are counted by directive in either form, and never logged as sent', async () => {
    const secret = 'https://evil.example/?token=abc';
    const old = (directive: string) =>
      report({ 'csp-report': { 'effective-directive': directive, 'blocked-uri': secret } });
    expect((await old('script-src')).statusCode).toBe(204);
    await old('script-src');
    await old('bogus\n{"level":"fatal"}');
    const body = { effectiveDirective: 'require-trusted-types-for', blockedURL: secret };
    const added = await report(
      [
        { type: 'csp-violation', body },
        { type: 'crash', body },
      ],
      'application/reports+json',
    );
    expect(added.statusCode).toBe(204);
    await test.app.close();

    const line = test
      .logged()
      .split('\n')
      .find((one) => one.includes('violations'))!;
    expect(JSON.parse(line).counts).toEqual({ 'script-src': 2, other: 1, 'require-trusted-types-for': 1 });
    expect(test.logged()).not.toContain('evil.example');
    expect(test.logged()).not.toContain('bogus');
  });

  it('are refused when they are rubbish, large or many', async () => {
    expect((await report('{"a":')).statusCode).toBe(400);
    expect((await report({ hello: 1 })).statusCode).toBe(422);
    expect((await report({ 'csp-report': { 'blocked-uri': 'x'.repeat(20_000) } })).statusCode).toBe(413);
    const replies = await Promise.all(Array.from({ length: 70 }, () => report({ 'csp-report': {} })));
    expect(replies.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(0);
  });
});

it('https is demanded for a year, of subdomains if the operator says so', async () => {
  const header = async (hstsSubdomains: boolean) => {
    test = await openTestApp({ config: { hstsSubdomains, trustProxy: ['10.0.0.0/8'] } });
    const headers = { 'x-forwarded-proto': 'https' };
    const reply = await test.app.inject({ url: '/healthz', headers, remoteAddress: '10.0.0.2' });
    return reply.headers['strict-transport-security'];
  };
  expect(await header(false)).toBe('max-age=31536000');
  await test.close();
  expect(await header(true)).toBe('max-age=31536000; includeSubDomains');
});
