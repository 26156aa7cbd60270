import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditTrail } from '#contract/accounts/admin.ts';
import { DEVICE_CODE_GRANT, Display } from '#contract/displays/displays.ts';
import { readUserCode, USER_CODE_LETTERS } from '#contract/displays/userCode.ts';
import { tokens } from '../../../../server/accounts/tokens.ts';
import type { Config } from '../../../../server/config.ts';
import { sessions } from '../../../../server/accounts/sessions.ts';
import { OPEN_PER_ADDRESS } from '../../../../server/calls/displays/pairingCalls.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { DATABASES } from '../../../support/databases.ts';
import { openTestApp, SECRET, type TestApp } from '../../app/testApp.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const ASK = '/api/v1/displays/device_authorization';
const TOKEN = '/api/v1/displays/token';
const PAIRING = '/api/v1/displays/pairing';
const HEARTBEAT = '/api/v1/displays/heartbeat';
const SELF = '/api/v1/displays/me';
const OWN_ROUTES = '/api/v1/displays/me/routes';
const OWN_JOBS = '/api/v1/displays/me/jobs';
const OWN_CHANGES = '/api/v1/displays/me/changes';
const FLEET = '/api/v1/admin/displays';
const FEEDS = '/api/v1/feeds/';
const BOSS = 'boss@coaches.example';

const BEAT = {
  build: 'abc123',
  data_age_seconds: 12,
  screen: { width: 1920, height: 1080, pixel_ratio: 1 },
  wake_lock: 'held',
  visibility: 'visible',
  heap_bytes: 20_000_000,
};

let test: TestApp;
let rosa: string;
let boss: string;

/** Signs a user in without the half a second that a password takes. */
async function enter({ id }: { id: string }): Promise<string> {
  const at = test.now().toISOString();
  const session = { id: `session of ${id}`, user_id: id, created_at: at, last_used_at: at };
  await sessions(test.db).start({
    session: {
      ...session,
      expires_at: '2027-11-21T09:00:00.000Z',
      revoked_at: null,
      revoked_reason: null,
      display_id: null,
    },
    tokenHash: `token of ${id}`,
    tokenExpiresAt: '2027-11-21T09:00:00.000Z',
  });
  return tokens(deriveSecrets(SECRET)).access({ userId: id, sessionId: session.id }, test.now());
}

async function begin(options: Parameters<typeof openTestApp>[0] = {}) {
  test = await openTestApp(options);
  rosa = await enter(await test.addUser());
  boss = await enter(await test.addUser({ email: BOSS, display_name: 'The boss', role: 'admin' }));
}
beforeEach(() => begin());
afterEach(() => test.close());

/** Starts over with other settings. */
async function withConfig(config: Partial<Config>) {
  await test.close();
  await begin({ config });
}

async function ask(headers: Record<string, string> = {}, remoteAddress = '192.0.2.7') {
  const reply = await test.app.inject({ method: 'POST', url: ASK, headers, remoteAddress });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Record<'device_code' | 'user_code' | 'verification_uri', string>>();
}
const poll = (device_code: string) => test.post(TOKEN, { grant_type: DEVICE_CODE_GRANT, device_code });
const renew = (refresh_token: string) => test.post(TOKEN, { grant_type: 'refresh_token', refresh_token });
const look = (user_code: string, token = rosa) =>
  test.get(`${PAIRING}?user_code=${encodeURIComponent(user_code)}`, token);
const approve = (user_code: string, name = 'Control room', token = rosa) =>
  test.post(`${PAIRING}/approve`, { user_code, name }, token);
const deny = (user_code: string, token = rosa) => test.post(`${PAIRING}/deny`, { user_code }, token);

async function pair(name = 'Control room', approver = rosa) {
  const { device_code, user_code } = await ask();
  const { id } = (await approve(user_code, name, approver)).json<{ id: string }>();
  const reply = await poll(device_code);
  expect(reply.statusCode, reply.body).toBe(200);
  return { id, ...reply.json<{ access_token: string; refresh_token: string }>() };
}
const fleet = async () => (await test.get(FLEET, boss)).json<{ displays: Display[] }>().displays;

describe('a display that asks', () => {
  it('gets what RFC 8628 says, with the address that it used', async () => {
    const reply = await test.app.inject({
      method: 'POST',
      url: ASK,
      headers: { host: 'board.coaches.example:8443' },
      payload: { client_id: 'clearway-display' },
    });
    const { user_code } = reply.json<{ user_code: string }>();

    expect(user_code).toMatch(new RegExp(`^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`));
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.json()).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code,
      verification_uri: 'http://board.coaches.example:8443/pair',
      verification_uri_complete: `http://board.coaches.example:8443/pair?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('is given no other address because of headers that anybody may send', async () => {
    const foreign = {
      host: 'board.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      origin: 'https://evil.example',
    };
    expect((await ask(foreign)).verification_uri).toBe('http://board.example/pair');
    const broken = await test.app.inject({ method: 'POST', url: ASK, headers: { host: 'a/b?c' } });
    expect(broken.statusCode).toBe(400);

    await withConfig({ trustProxy: ['192.0.2.7'], corsOrigins: ['https://app.example'] });
    const proxied = { ...foreign, 'x-forwarded-host': 'clearway.example' };
    expect((await ask(proxied)).verification_uri).toBe('https://clearway.example/pair');
    const odd = { ...proxied, 'x-forwarded-proto': 'javascript' };
    expect((await ask(odd)).verification_uri).toBe('http://clearway.example/pair');
    expect((await ask(proxied, '192.0.2.8')).verification_uri).toBe('http://board.example/pair');
    expect((await ask({ ...proxied, origin: 'https://app.example' })).verification_uri).toBe(
      'https://app.example/pair',
    );
  });

  it('gets the address that the operator has set, whichever one it used', async () => {
    await withConfig({ publicUrl: 'https://clearway.example', corsOrigins: ['https://app.example'] });
    const address = 'https://clearway.example/pair';
    expect((await ask({ host: 'localhost:8080' })).verification_uri).toBe(address);
    expect((await ask({ origin: 'https://app.example' })).verification_uri).toBe(address);
  });

  it('is asked to wait when too many are waiting at its address', async () => {
    for (let open = 0; open < OPEN_PER_ADDRESS; open++) await ask();
    const reply = await test.app.inject({ method: 'POST', url: ASK, remoteAddress: '192.0.2.7' });

    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '60']);
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining('Too many displays') });
    await ask({}, '192.0.2.8');
    test.pass(10 * MINUTE);
    await ask();
  });

  it('keeps no code in the database, nor in the log', async () => {
    const { device_code, user_code } = await ask();
    await look(user_code);
    await approve(user_code);
    const { refresh_token } = (await poll(device_code)).json<{ refresh_token: string }>();
    const tables = ['pairings', 'displays', 'sessions', 'refresh_tokens', 'login_failures'] as const;
    const rows = await Promise.all(tables.map((table) => test.db.selectFrom(table).selectAll().execute()));

    for (const kept of [JSON.stringify(rows), test.logged()]) {
      for (const secret of [device_code, refresh_token, user_code, readUserCode(user_code)!])
        expect(kept).not.toContain(secret);
    }
  });
});

describe('a poll', () => {
  const refusal = (error: string) => ({ error, detail: expect.stringMatching(/^[A-Z].*\.$/) });

  it('is pending until somebody decides, slows down a display that asks too often, and expires', async () => {
    const { device_code } = await ask();
    const first = await poll(device_code);
    expect([first.statusCode, first.json()]).toMatchObject([400, refusal('authorization_pending')]);
    test.pass(2 * SECOND);
    expect((await poll(device_code)).json()).toMatchObject({
      error: 'slow_down',
      detail: 'Ask every 10 seconds, not more often.',
    });
    test.pass(6 * SECOND);
    expect((await poll(device_code)).json()).toMatchObject({ error: 'slow_down' });
    test.pass(15 * SECOND);
    expect((await poll(device_code)).json()).toMatchObject({ error: 'authorization_pending' });
    test.pass(10 * MINUTE);
    expect((await poll(device_code)).json()).toMatchObject(refusal('expired_token'));
  });

  it('is denied once and for all', async () => {
    const { device_code, user_code } = await ask();
    expect((await deny(user_code)).statusCode).toBe(204);
    expect((await poll(device_code)).json()).toMatchObject(refusal('access_denied'));
    expect((await approve(user_code)).statusCode).toBe(409);
    expect((await poll(device_code)).json()).toMatchObject(refusal('access_denied'));
  });

  it('gives the credential once, and again only while its answer may have been lost', async () => {
    const { device_code, user_code } = await ask();
    await approve(user_code);
    const first = (await poll(device_code)).json();
    expect(first).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
    });
    test.pass(5 * SECOND);
    expect((await poll(device_code)).json<{ refresh_token: string }>().refresh_token).toBe(
      first.refresh_token,
    );
    test.pass(56 * SECOND);
    expect((await poll(device_code)).json()).toMatchObject(refusal('invalid_grant'));
    // Somebody else has the code as well: the first display is signed out too.
    expect((await test.get(FEEDS, first.access_token)).statusCode).toBe(401);
    expect((await renew(first.refresh_token)).json()).toMatchObject(refusal('invalid_grant'));
    expect(test.logged()).toContain('a spent token of a display was used again');
  });

  it('is refused in words', async () => {
    const cases = [
      ['an unknown device code', { grant_type: DEVICE_CODE_GRANT, device_code: 'x' }, 400],
      ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 400],
      ['another grant', { grant_type: 'password', username: 'a' }, 422],
      ['another client', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'other' }, 422],
      ['nothing', {}, 422],
    ] as const;
    for (const [name, body, status] of cases) {
      const reply = await test.post(TOKEN, body);
      expect(reply.statusCode, name).toBe(status);
      expect(reply.json<{ detail: string }>().detail, name).toMatch(
        status === 422 ? /^The body must have the grant_type .* and no client_id but / : /not paired/,
      );
    }
  });

  it('refuses a user’s refresh token, as a user’s refresh does a display’s', async () => {
    const { refresh_token } = await test.signIn();
    expect((await renew(refresh_token)).statusCode).toBe(400);
    const display = await pair();
    const refreshed = await test.post('/api/v1/auth/refresh', { refresh_token: display.refresh_token });
    expect(refreshed.statusCode).toBe(401);
    expect((await renew(display.refresh_token)).statusCode).toBe(200);
  });
});

describe('a person with the code', () => {
  it('sees which display asks, however the code is typed, with its description as one line of text', async () => {
    const { user_code } = await ask({ 'user-agent': '<b>TV</b>\t\u0007 "1"' }, '203.0.113.9');
    for (const typed of [user_code, user_code.toLowerCase(), ` ${user_code.replace('-', ' ')} `]) {
      const reply = await look(typed);
      expect(reply.statusCode, reply.body).toBe(200);
      expect(reply.json()).toEqual({
        user_code,
        user_agent: '<b>TV</b> "1"',
        address: '203.0.113.9',
        asked_at: '2026-11-21T09:00:00.000Z',
        expires_at: '2026-11-21T09:10:00.000Z',
      });
    }
  });

  it('must be signed in', async () => {
    const { user_code } = await ask();
    for (const reply of [
      await test.get(`${PAIRING}?user_code=${user_code}`),
      await test.post(`${PAIRING}/approve`, { user_code, name: 'x' }),
      await test.post(`${PAIRING}/deny`, { user_code }),
    ])
      expect(reply.statusCode).toBe(401);
  });

  it('is refused in words', async () => {
    const { user_code } = await ask();
    const cases = [
      [await look('what?'), 422, /A code has 8 letters/],
      [await look('BCDF-GHJM'), 422, /No code has M in it/],
      [await approve('OCDF-GHJ0'), 422, /No code has O or 0 in it/],
      [await look('BCDF-GHJK'), 404, /No display shows this code/],
      [await approve(user_code, '   '), 422, /Give the display a name/],
      [await approve(user_code, '\ud800\u202e\u0000\u3164\u2800'), 422, /Give the display a name/],
      [await approve(user_code, 'x'.repeat(61)), 422, /at most 60 characters/],
      [await approve('BCDF-GHJK'), 404, /No display shows this code/],
      [await deny('BCDF-GHJK'), 404, /No display shows this code/],
    ] as const;
    for (const [reply, status, words] of cases) {
      expect(reply.statusCode, reply.body).toBe(status);
      expect(reply.json<{ detail: string }>().detail).toMatch(words);
    }
    test.pass(10 * MINUTE);
    for (const reply of [await look(user_code), await approve(user_code), await deny(user_code)]) {
      expect([reply.statusCode, reply.json()]).toMatchObject([
        410,
        { detail: expect.stringMatching(/has expired/) },
      ]);
    }
    const { user_code: another } = await ask();
    await approve(another);
    for (const reply of [await look(another), await approve(another), await deny(another)]) {
      expect([reply.statusCode, reply.json()]).toMatchObject([
        409,
        { detail: expect.stringMatching(/already been used/) },
      ]);
    }
  });

  it('may guess ten times, and then waits; a right code never counts', async () => {
    const { user_code } = await ask();
    for (let guess = 0; guess < 10; guess++) {
      expect((await look(user_code)).statusCode).toBe(200);
      expect((await look('BCDF-GHJK')).statusCode).toBe(404);
    }
    for (const reply of [await look(user_code), await approve(user_code), await deny(user_code)]) {
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '60']);
      expect(reply.json()).toMatchObject({ detail: 'Too many wrong codes. Try again in 60 seconds.' });
    }
    expect((await look(user_code, boss)).statusCode).toBe(200);
    test.pass(MINUTE);
    expect((await look(user_code)).statusCode).toBe(200);
  });

  it('shares the limit of the address with other accounts', async () => {
    for (let account = 0; account < 5; account++) {
      const guesser = await enter(await test.addUser({ email: `guesser-${account}@coaches.example` }));
      for (let guess = 0; guess < 10; guess++) await look('BCDF-GHJK', guesser);
    }
    expect((await look('BCDF-GHJK')).statusCode).toBe(429);
  });
});

describe('a paired display', () => {
  const OPEN = [
    ['GET', FEEDS],
    ['GET', '/api/v1/feeds/rail-network'],
    ['GET', '/api/v1/feeds/rail-network/events'],
    ['GET', '/api/v1/disruptions/'],
    ['GET', '/api/v1/disruptions/sources'],
    ['GET', '/api/v1/disruptions/sources/tfl'],
    ['GET', '/api/v1/disruptions/stats'],
    ['GET', '/api/v1/disruptions/collectors/status'],
    ['GET', SELF],
    ['GET', OWN_ROUTES],
    ['POST', HEARTBEAT, BEAT],
  ] as const;

  it.each(OPEN)('may %s %s', async (method, url, payload?: object) => {
    const { access_token } = await pair();
    const reply = await test.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${access_token}` },
      ...(payload && { payload }),
    });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
  });

  /** The calls that need no credential. */
  const PUBLIC = new Set([
    'POST /api/v1/auth/login',
    'POST /api/v1/auth/refresh',
    'POST /api/v1/auth/register',
    'POST /api/v1/auth/logout',
    'POST /api/v1/auth/docs-ticket/redeem',
    'POST /api/v1/csp-reports',
    `POST ${ASK}`,
    `POST ${TOKEN}`,
    ...['confirm', 'unsubscribe'].flatMap((link) => [
      `GET /api/v1/channels/${link}/:token`,
      `POST /api/v1/channels/${link}/:token`,
    ]),
  ]);

  it('may make no other call of the API, even when an administrator approved it', async () => {
    await test.close();
    const routes: { method: string; url: string }[] = [];
    await begin({
      routes: (app) =>
        app.addHook('onRoute', ({ method, url }) => {
          for (const one of [method].flat()) routes.push({ method: one, url });
        }),
    });
    const { access_token } = await pair('Control room', boss);
    const readable = /^\/api\/v1\/(feeds|disruptions)\//;
    const others = routes.filter(
      ({ method, url }) =>
        url.startsWith('/api/') &&
        !['HEAD', 'OPTIONS'].includes(method) &&
        !(method === 'GET' && readable.test(`${url}/`)) &&
        !(method === 'GET' && /^\/api\/v1\/responses\/?$/.test(url)) &&
        ![HEARTBEAT, SELF, OWN_ROUTES, OWN_JOBS, OWN_CHANGES].includes(url) &&
        !PUBLIC.has(`${method} ${url.replace(/\/$/, '')}`),
    );

    expect(others.length).toBeGreaterThanOrEqual(8);
    for (const { method, url } of others) {
      const reply = await test.app.inject({
        method: method as 'GET',
        url: url.replaceAll(/:\w+/g, 'x'),
        headers: { authorization: `Bearer ${access_token}` },
        ...(method !== 'GET' && { payload: {} }),
      });
      expect(reply.statusCode, `${method} ${url}`).toBe(403);
      expect(reply.json(), url).toMatchObject({
        detail: 'A display may show the board and the routes that it was given, and nothing else.',
      });
    }
  });

  it('is signed out a year after its approval, unless it is approved for another', async () => {
    const [one, other] = [await pair('Depot'), await pair('Bridge')];
    const tokens = { one: one.refresh_token, other: other.refresh_token };
    const both = async () => {
      const replies = { one: await renew(tokens.one), other: await renew(tokens.other) };
      for (const name of ['one', 'other'] as const)
        tokens[name] = replies[name].json<{ refresh_token?: string }>().refresh_token ?? '';
      return [replies.one.statusCode, replies.other.statusCode];
    };
    for (let month = 0; month < 12; month++) {
      test.pass(30 * DAY);
      expect(await both()).toEqual([200, 200]);
    }
    boss = (await test.signIn({ email: BOSS })).access_token;
    const renewed = await test.post(`${FLEET}/${other.id}/renew`, undefined, boss);
    expect(renewed.json()).toMatchObject({ ends_at: '2028-11-15T09:00:00.000Z', state: 'paired' });
    test.pass(6 * DAY);

    expect(await both()).toEqual([400, 200]);
    boss = (await test.signIn({ email: BOSS })).access_token;
    expect((await test.post(`${FLEET}/${one.id}/renew`, undefined, boss)).statusCode).toBe(409);
  });

  it('sees nothing that is for administrators, even when one approved it', async () => {
    const { access_token } = await pair('Control room', boss);
    const url = '/api/v1/disruptions/collectors/status';
    expect((await test.get(url, boss)).body).toContain('missing_settings');
    expect((await test.get(url, access_token)).body).not.toContain('missing_settings');
  });

  it('cannot end its owner’s session', async () => {
    const { access_token: owners, session_id } = await test.signIn();
    const display = await pair();
    await test.post('/api/v1/auth/logout', { session_id }, display.access_token);
    expect((await test.get('/api/v1/auth/me', owners)).statusCode).toBe(200);
    expect((await test.get(FEEDS, display.access_token)).statusCode).toBe(200);
  });

  it('outlives 48 hours and much longer without a server, each time with a new token', async () => {
    const { refresh_token } = await pair();
    test.pass(48 * 60 * MINUTE);
    const second = (await renew(refresh_token)).json<{ access_token: string; refresh_token: string }>();
    expect((await test.get(FEEDS, second.access_token)).statusCode).toBe(200);
    test.pass(89 * DAY);
    const third = (await renew(second.refresh_token)).json<{ access_token: string }>();
    expect((await test.get(FEEDS, third.access_token)).statusCode).toBe(200);
    test.pass(61 * MINUTE);
    expect((await test.get(FEEDS, third.access_token)).statusCode).toBe(401);
  });

  it('is refused while its owner’s account is disabled, and comes back with it', async () => {
    const display = await pair();
    const enable = (is_active: number) =>
      test.db.updateTable('users').set({ is_active }).where('email', '<>', BOSS).execute();
    await enable(0);
    expect((await test.get(FEEDS, display.access_token)).statusCode).toBe(401);
    expect((await renew(display.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    await enable(1);
    expect((await renew(display.refresh_token)).statusCode).toBe(200);
  });

  it.each([
    ['a wake lock that nobody knows', { wake_lock: 'asleep' }],
    ['an age below nothing', { data_age_seconds: -1 }],
    ['a build as long as a book', { build: 'x'.repeat(101) }],
    ['no screen', { screen: undefined }],
  ])('is refused an invalid report in words: %s', async (_name, change) => {
    const { access_token } = await pair();
    const reply = await test.post(HEARTBEAT, { ...BEAT, ...change }, access_token);
    expect(reply.statusCode).toBe(422);
  });

  it('is the only one that may report', async () => {
    expect((await test.post(HEARTBEAT, BEAT)).statusCode).toBe(401);
    const reply = await test.post(HEARTBEAT, BEAT, rosa);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      403,
      { detail: 'This is for paired displays only.' },
    ]);
  });
});

describe.each(DATABASES)('the fleet on $engine', ({ open }) => {
  beforeEach(async () => {
    await test.close();
    await begin({ open });
  });

  it('is for administrators', async () => {
    for (const reply of [
      await test.get(FLEET, rosa),
      await test.post(`${FLEET}/x/revoke`, {}, rosa),
      await test.app.inject({
        method: 'PATCH',
        url: `${FLEET}/x`,
        headers: { authorization: `Bearer ${rosa}` },
        payload: { name: 'x' },
      }),
    ])
      expect(reply.statusCode).toBe(403);
    expect((await test.get(FLEET)).statusCode).toBe(401);
  });

  it('shows each display’s state, and lets it be renamed and taken over', async () => {
    const { id, access_token } = await pair('Depot');
    await pair('Bridge', boss);
    test.pass(MINUTE);
    await test.post(HEARTBEAT, BEAT, access_token);
    const patch = (payload: object, which = id) =>
      test.app.inject({
        method: 'PATCH',
        url: `${FLEET}/${which}`,
        headers: { authorization: `Bearer ${boss}` },
        payload,
      });

    const [bridge, depot] = await fleet();
    expect(bridge).toMatchObject({ name: 'Bridge', state: 'paired', report: null });
    expect(depot).toEqual({
      id,
      name: 'Depot',
      state: 'paired',
      owner: { id: expect.any(String), display_name: 'Rosa' },
      user_agent: 'lightMyRequest',
      address: '192.0.2.7',
      paired_at: '2026-11-21T09:00:00.000Z',
      ends_at: '2027-11-21T09:00:00.000Z',
      last_seen_at: '2026-11-21T09:01:00.000Z',
      show_names: false,
      report: BEAT,
    });

    const renamed = await patch({ name: ' Depot,\nwest  door ', owner_id: bridge!.owner!.id });
    expect(renamed.json()).toMatchObject({ name: 'Depot, west door', owner: { display_name: 'The boss' } });
    await test.db.updateTable('users').set({ is_active: 0 }).where('email', '<>', BOSS).execute();
    expect((await test.get(FEEDS, access_token)).statusCode).toBe(200);

    const disabled = depot!.owner!.id;
    expect((await patch({ owner_id: disabled })).statusCode).toBe(422);
    expect((await patch({ owner_id: 'nobody' })).statusCode).toBe(422);
    expect((await patch({ name: '' })).statusCode).toBe(422);
    expect((await patch({ name: 'x' }, 'nowhere')).statusCode).toBe(404);

    const { entries } = (await test.get('/api/v1/admin/audit', boss)).json<AuditTrail>();
    const changes = entries.filter(({ action }) => action !== 'display.approved');
    expect(
      changes.map(({ actor, action, subject, detail }) => [actor, action, subject, detail]).toSorted(),
    ).toEqual([
      [BOSS, 'display.given', 'Depot', 'taken over'],
      [BOSS, 'display.renamed', 'Depot', 'to Depot, west door'],
    ]);
    const welsh = '👨‍👩‍👧 Caerdydd 🏴󠁧󠁢󠁷󠁬󠁳󠁿';
    expect((await patch({ name: `${welsh}\u202e` })).json()).toMatchObject({ name: welsh });
    expect((await patch({ name: '🚌'.repeat(60) })).statusCode).toBe(200); // as people count
    expect((await patch({ name: '🚌'.repeat(61) })).statusCode).toBe(422);
  });

  it('loses a display with its owner, temporarily or for good, and can still blank it', async () => {
    const display = await pair();
    const id = (await fleet())[0]!.owner!.id;
    const change = async (method: 'PATCH' | 'DELETE', payload?: object) => {
      const headers = { authorization: `Bearer ${boss}` };
      const url = `/api/v1/admin/users/${id}`;
      const reply = await test.app.inject({ method, url, headers, ...(payload && { payload }) });
      expect(reply.statusCode, reply.body).toBeLessThan(300);
    };
    const seen = async () => [
      (await test.get(FEEDS, display.access_token)).statusCode,
      (await fleet()).map(({ state }) => state),
    ];

    await change('PATCH', { is_active: false });
    expect(await seen()).toEqual([401, ['signed_out']]);
    await change('PATCH', { is_active: true });
    expect(await seen()).toEqual([200, ['paired']]);
    await change('DELETE');
    expect(await seen()).toEqual([401, ['signed_out']]);
    expect(await fleet()).toMatchObject([{ id: display.id, name: 'Control room', owner: null }]);
    expect((await renew(display.refresh_token)).json()).not.toHaveProperty('blank');

    await test.post(`${FLEET}/${display.id}/revoke`, { blank: true }, boss);
    expect((await renew(display.refresh_token)).json()).toMatchObject({ blank: true });
    expect(await seen()).toEqual([401, ['blanked']]);
  });

  it('loses a revoked display at once, and blanks it on request', async () => {
    const [kept, blanked] = [await pair('Kept'), await pair('To blank')];
    const revoke = async (id: string, body?: object) =>
      (await test.post(`${FLEET}/${id}/revoke`, body, boss)).json<Display>().state;

    expect([await revoke(kept.id), await revoke(blanked.id, { blank: true })]).toEqual([
      'revoked',
      'blanking',
    ]);
    for (const { access_token } of [kept, blanked])
      expect((await test.get(FEEDS, access_token)).statusCode).toBe(401);
    expect((await renew(kept.refresh_token)).json()).not.toHaveProperty('blank');
    expect((await renew(blanked.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
      blank: true,
    });
    expect((await fleet()).map(({ state }) => state)).toEqual(['revoked', 'blanked']);

    expect(await revoke(kept.id, { blank: true })).toBe('blanking');
    expect((await renew(kept.refresh_token)).json()).toMatchObject({ blank: true });
    expect((await test.post(`${FLEET}/nowhere/revoke`, {}, boss)).statusCode).toBe(404);
    const { entries } = (await test.get('/api/v1/admin/audit', boss)).json<AuditTrail>();
    expect(entries.map(({ action, subject_id }) => [action, subject_id]).sort()).toEqual(
      [
        ['display.approved', blanked.id],
        ['display.approved', kept.id],
        ['display.blanked', blanked.id],
        ['display.blanked', kept.id],
        ['display.revoked', kept.id],
      ].sort(),
    );
  });
});
