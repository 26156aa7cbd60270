import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { User } from '#contract/accounts/auth.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { DATABASES } from '../../../support/databases.ts';
import { openTestApp, PASSWORD, SECRET, type TestApp } from '../../app/testApp.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ROSA = 'rosa@coaches.example';

const LOGIN = '/api/v1/auth/login';
const REFRESH = '/api/v1/auth/refresh';
const LOGOUT = '/api/v1/auth/logout';
const REGISTER = '/api/v1/auth/register';
const ME = '/api/v1/auth/me';

let test: TestApp;
beforeEach(async () => (test = await openTestApp()));
afterEach(() => test.close());

const refresh = (refresh_token: string) => test.post(REFRESH, { refresh_token });
const me = async (token?: string) => (await test.get(ME, token)).statusCode;

describe('signing in', () => {
  it('answers with the tokens, the session and the user', async () => {
    const rosa = await test.addUser();
    test.pass(MINUTE);
    const login = await test.signIn();

    expect(login).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      session_id: expect.any(String),
      user: {
        id: rosa.id,
        email: ROSA,
        display_name: 'Rosa',
        role: 'user',
        is_admin: false,
        is_verified: true,
        is_active: true,
        created_at: '2026-11-21T09:00:00.000Z',
        last_login: '2026-11-21T09:01:00.000Z',
      },
    });
    expect((await test.get(ME, login.access_token)).json()).toEqual(login.user);
  });

  it('leaves nothing behind when it fails half-way', async () => {
    const { id } = await test.addUser();
    await test.db.schema.dropTable('usage_events').execute();
    const reply = await test.post(LOGIN, { email: ROSA, password: PASSWORD });

    expect(reply.statusCode).toBe(500);
    expect(await test.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    const { last_login } = await test.db
      .selectFrom('users')
      .select('last_login')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(last_login).toBeNull();
  });

  it('does not care how the address is written', async () => {
    await test.addUser();
    const reply = await test.post(LOGIN, { email: ' Rosa@Coaches.EXAMPLE ', password: PASSWORD });

    expect(reply.statusCode).toBe(200);
  });

  it('keeps neither password nor refresh token, only hashes', async () => {
    await test.addUser();
    const { refresh_token } = await test.signIn();
    const rows = [
      await test.db.selectFrom('users').selectAll().execute(),
      await test.db.selectFrom('sessions').selectAll().execute(),
      await test.db.selectFrom('refresh_tokens').selectAll().execute(),
    ];

    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    expect(JSON.stringify(rows)).not.toContain(refresh_token);
  });

  it('opens a new session each time', async () => {
    await test.addUser();
    const first = await test.signIn();
    const second = await test.signIn();
    await test.post(LOGOUT, {}, first.access_token);

    expect(second.session_id).not.toBe(first.session_id);
    expect([await me(first.access_token), await me(second.access_token)]).toEqual([401, 200]);
  });
});

describe('who may not sign in', () => {
  beforeEach(async () => {
    await test.addUser();
    await test.addUser({ email: 'gone@coaches.example', is_active: 0 });
  });

  const CASES = [
    ['a wrong password', ROSA, 'a-wrong-guess'],
    ['an unknown address', 'nobody@coaches.example', PASSWORD],
    ['a disabled user with the right password', 'gone@coaches.example', PASSWORD],
    ['a disabled user with a wrong password', 'gone@coaches.example', 'a-wrong-guess'],
  ] as const;

  it.each(CASES)('gets the same answer after the same work: %s', async (_name, email, password) => {
    const reply = await test.post(LOGIN, { email, password });

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail: 'Incorrect email or password' });
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="clearway"');
    expect(test.verifications()).toBe(1);
    const noted = await test.db.selectFrom('login_failures').select('subject').execute();
    expect(noted).toHaveLength(2);
  });

  it.each(CASES)('is under the same limit: %s', async (_name, email, password) => {
    for (let tries = 0; tries < 10; tries++) {
      expect((await test.post(LOGIN, { email, password })).statusCode).toBe(401);
    }
    const reply = await test.post(LOGIN, { email, password });

    expect(reply.statusCode).toBe(429);
    expect(reply.json()).toMatchObject({ detail: 'Too many wrong passwords. Try again in 60 seconds.' });
    expect(reply.headers['retry-after']).toBe('60');
    expect(test.verifications()).toBe(10);
  });
});

describe('the limit of wrong passwords', () => {
  const guess = (email = ROSA) => test.post(LOGIN, { email, password: 'a-wrong-guess' });
  beforeEach(() => test.addUser());

  it('refuses the right password as well, and accepts it when the time is over', async () => {
    for (let tries = 0; tries < 10; tries++) await guess();
    const early = await test.post(LOGIN, { email: ROSA, password: PASSWORD });
    test.pass(60 * SECOND);
    const later = await test.post(LOGIN, { email: ROSA, password: PASSWORD });

    expect([early.statusCode, later.statusCode]).toEqual([429, 200]);
  });

  it('does not count successes, nor bodies that cannot be read', async () => {
    for (let tries = 0; tries < 12; tries++) {
      await test.signIn();
      await test.post(LOGIN, { email: ROSA });
      await test.post(LOGIN, { email: ROSA, password: '' });
    }

    expect((await guess()).statusCode).toBe(401);
    expect(await test.db.selectFrom('login_failures').selectAll().execute()).toHaveLength(2);
  });

  it('cannot be evaded by guessing all at once, and the first wait stays as long', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => guess()));

    expect(replies.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10);
    const refused = replies.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(30);
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['60']));
  });

  it('does not start again on other networks: the owner’s success must not help a stranger', async () => {
    const from = (remoteAddress: string, password: string) =>
      test.app.inject({ method: 'POST', url: LOGIN, payload: { email: ROSA, password }, remoteAddress });
    for (let tries = 0; tries < 10; tries++) await from('203.0.113.9', 'a-wrong-guess');
    expect((await from('192.0.2.1', PASSWORD)).statusCode).toBe(200);

    expect((await from('203.0.113.9', 'a-wrong-guess')).statusCode).toBe(429);
  });

  it('starts again for the account after a success', async () => {
    for (let tries = 0; tries < 9; tries++) await guess();
    await test.signIn();
    for (let tries = 0; tries < 9; tries++) expect((await guess()).statusCode).toBe(401);
  });
});

describe('a refresh', () => {
  beforeEach(() => test.addUser());

  it('gives the successor and a new access token, as long as it is used within 30 days', async () => {
    let { refresh_token } = await test.signIn();
    for (let month = 0; month < 3; month++) {
      test.pass(29 * DAY);
      const reply = await refresh(refresh_token);
      expect(reply.statusCode).toBe(200);
      expect(Object.keys(reply.json()).sort()).toEqual(['access_token', 'refresh_token']);
      expect(await me(reply.json().access_token)).toBe(200);
      refresh_token = reply.json().refresh_token;
    }
    const later = (await test.signIn()).refresh_token;
    test.pass(30 * DAY + 1);
    expect((await refresh(later)).statusCode).toBe(401);

    expect((await refresh(refresh_token)).statusCode).toBe(401);
  });

  it('gives the same successor again within a minute', async () => {
    const { refresh_token } = await test.signIn();
    const first = await refresh(refresh_token);
    test.pass(60 * SECOND);
    const again = await refresh(refresh_token);

    expect(again.statusCode).toBe(200);
    expect(again.json().refresh_token).toBe(first.json().refresh_token);
    expect(await me(again.json().access_token)).toBe(200);
    expect((await refresh(again.json().refresh_token)).statusCode).toBe(200);
  });

  it('gives two tabs that ask at once the same successor', async () => {
    const { refresh_token } = await test.signIn();
    const replies = await Promise.all([
      refresh(refresh_token),
      refresh(refresh_token),
      refresh(refresh_token),
    ]);

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(new Set(replies.map((reply) => reply.json().refresh_token)).size).toBe(1);
  });

  it('ends the whole session when a spent token comes after a minute', async () => {
    const { refresh_token, access_token } = await test.signIn();
    const other = await test.signIn();
    const { refresh_token: successor, access_token: newer } = (await refresh(refresh_token)).json();
    test.pass(60 * SECOND + 1);
    const reuse = await refresh(refresh_token);

    expect(reuse.statusCode).toBe(401);
    expect(reuse.json()).toMatchObject({ detail: 'Your session has ended. Sign in again.' });
    expect((await refresh(successor)).statusCode).toBe(401);
    expect([await me(access_token), await me(newer)]).toEqual([401, 401]);
    expect(await me(other.access_token)).toBe(200);
    expect(test.logged()).toContain('a spent refresh token was used again');
  });

  it('ends it even within a minute when the successor is already spent', async () => {
    const { refresh_token } = await test.signIn();
    const first = (await refresh(refresh_token)).json();
    const second = (await refresh(first.refresh_token)).json();

    expect((await refresh(refresh_token)).statusCode).toBe(401);
    expect(await me(second.access_token)).toBe(401);
  });

  it('refuses what was never given out', async () => {
    const cases = ['nonsense', 'x'.repeat(512), 'пароль', '\u0000'];
    for (const token of cases) {
      const reply = await refresh(token);

      expect(reply.statusCode, token).toBe(401);
      expect(reply.json(), token).toMatchObject({ detail: 'Your session has ended. Sign in again.' });
    }
  });

  it('refuses an access token', async () => {
    const { access_token } = await test.signIn();

    expect((await refresh(access_token)).statusCode).toBe(401);
  });

  it('refuses a user who was disabled', async () => {
    const { refresh_token, access_token } = await test.signIn();
    await test.db.updateTable('users').set({ is_active: 0 }).execute();

    expect((await refresh(refresh_token)).statusCode).toBe(401);
    expect(await me(access_token)).toBe(401);
  });
});

describe.each(DATABASES)('a whole session on $engine', ({ open }) => {
  beforeEach(async () => {
    await test.close();
    test = await openTestApp({ open });
  });

  it('signs in, refreshes in several tabs at once, ends on reuse, and can begin again', async () => {
    await test.addUser();
    const { refresh_token, access_token } = await test.signIn();
    const tabs = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    const successors = tabs.map((reply) => reply.json().refresh_token);

    expect(tabs.map(({ statusCode }) => statusCode)).toEqual(tabs.map(() => 200));
    expect(new Set(successors).size).toBe(1);
    expect(await me(access_token)).toBe(200);

    test.pass(61 * SECOND);
    expect((await refresh(refresh_token)).statusCode).toBe(401);
    expect((await refresh(successors[0])).statusCode).toBe(401);
    expect(await me(access_token)).toBe(401);

    const later = await test.signIn();
    expect(
      (
        await test.post(
          '/api/v1/analytics/events',
          { event_type: 'a\u0000b', event_category: 'c' },
          later.access_token,
        )
      ).statusCode,
    ).toBe(204);
    expect((await test.post(LOGOUT, {}, later.access_token)).statusCode).toBe(204);
    expect(await me(later.access_token)).toBe(401);
  });
});

describe('who is signed in', () => {
  it('is decided by a token in the Authorization header and nowhere else', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    const ask = (url: string, headers: Record<string, string>) => test.app.inject({ url, headers });
    const replies = [
      await ask(ME, {}),
      await ask(`${ME}?token=${access_token}`, {}),
      await ask(`${ME}?access_token=${access_token}`, {}),
      await ask(ME, { cookie: `access_token=${access_token}` }),
      await ask(ME, { authorization: access_token }),
      await ask(ME, { authorization: `Basic ${access_token}` }),
      await ask(ME, { authorization: 'Bearer' }),
      await ask(ME, { authorization: `Bearer ${access_token} ${access_token}` }),
    ];

    for (const reply of replies) {
      expect(reply.statusCode).toBe(401);
      expect(reply.json()).toMatchObject({ detail: 'Sign in to continue.' });
      expect(reply.headers['www-authenticate']).toBe('Bearer realm="clearway"');
    }
    expect((await ask(ME, { authorization: `bearer ${access_token}` })).statusCode).toBe(200);
    expect(User.safeParse((await test.get(ME, access_token)).json()).success).toBe(true);
  });

  it('is nobody once the token is 15 minutes old', async () => {
    await test.addUser();
    const { access_token } = await test.signIn();
    test.pass(15 * MINUTE);
    const reply = await test.get(ME, access_token);

    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({ detail: 'Your session has ended. Sign in again.' });
  });

  it('is nobody with a token whose user and session do not belong together', async () => {
    const rosa = await test.addUser();
    const { session_id } = await test.signIn();
    const boss = await test.addUser({ email: 'boss@coaches.example', role: 'admin' });
    const sign = (userId: string) =>
      new SignJWT({ sid: session_id })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer('clearway')
        .setAudience('clearway')
        .setSubject(userId)
        .setIssuedAt(test.now())
        .setExpirationTime(new Date(test.now().getTime() + MINUTE))
        .sign(deriveSecrets(SECRET).accessKey);

    expect(await me(await sign(rosa.id))).toBe(200);
    expect(await me(await sign(boss.id))).toBe(401);
  });
});

describe('signing out', () => {
  beforeEach(() => test.addUser());

  it.each([
    ['the session', (session_id: string) => JSON.stringify({ session_id })],
    ['an empty object', () => '{}'],
    ['an empty body', () => ''],
    ['null', () => 'null'],
    ['a null session', () => '{"session_id":null}'],
  ])('ends the session when it sends %s', async (_name, payload) => {
    const { access_token, refresh_token, session_id } = await test.signIn();
    const reply = await test.app.inject({
      method: 'POST',
      url: LOGOUT,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      payload: payload(session_id),
    });

    expect(reply.statusCode).toBe(204);
    expect(reply.body).toBe('');
    expect(await me(access_token)).toBe(401);
    expect((await refresh(refresh_token)).statusCode).toBe(401);
  });

  it.each([
    ['what is no JSON', '{"session_id', 'application/json', 400],
    ['a session that is no text', '{"session_id":5}', 'application/json', 422],
    ['a form', 'session_id=5', 'application/x-www-form-urlencoded', 415],
  ])('ends the session also when it sends %s', async (_name, payload, type, status) => {
    const { access_token, refresh_token } = await test.signIn();
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': type };
    const reply = await test.app.inject({ method: 'POST', url: LOGOUT, headers, payload });

    expect(reply.statusCode).toBe(status);
    expect(await me(access_token)).toBe(401);
    expect((await refresh(refresh_token)).statusCode).toBe(401);
  });

  it('needs no content type', async () => {
    const { access_token } = await test.signIn();

    expect((await test.post(LOGOUT, undefined, access_token)).statusCode).toBe(204);
    expect(await me(access_token)).toBe(401);
  });

  it('may be repeated', async () => {
    const { access_token } = await test.signIn();
    const statuses = [await test.post(LOGOUT, {}, access_token), await test.post(LOGOUT, {}, access_token)];

    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  });

  it('works with a token that has just expired, so that the session does not live on', async () => {
    const { access_token, refresh_token } = await test.signIn();
    test.pass(20 * MINUTE);

    expect((await test.post(LOGOUT, {}, access_token)).statusCode).toBe(204);
    expect((await refresh(refresh_token)).statusCode).toBe(401);
  });

  it('does nothing without a valid token, and does not say so', async () => {
    const { access_token, session_id } = await test.signIn();

    expect((await test.post(LOGOUT, { session_id })).statusCode).toBe(204);
    expect((await test.post(LOGOUT, { session_id }, 'nonsense')).statusCode).toBe(204);
    expect(await me(access_token)).toBe(200);
  });

  it("ignores another user's session", async () => {
    await test.addUser({ email: 'max@coaches.example' });
    const rosa = await test.signIn();
    const max = await test.signIn({ email: 'max@coaches.example' });
    await test.post(LOGOUT, { session_id: rosa.session_id }, max.access_token);

    expect([await me(rosa.access_token), await me(max.access_token)]).toEqual([200, 401]);
  });
});

describe('registration', () => {
  const NEW = { email: 'New@Coaches.Example', password: 'four-lorries-in-Carlisle', display_name: ' New ' };

  it('is by invitation only, whatever is sent', async () => {
    const cases = [
      ['a good body', JSON.stringify(NEW)],
      ['a bad body', '{"email":7}'],
      ['half a body', '{'],
      ['no body', ''],
    ] as const;
    for (const [name, payload] of cases) {
      const reply = await test.app.inject({
        method: 'POST',
        url: REGISTER,
        headers: { 'content-type': 'application/json' },
        payload,
      });

      expect(reply.statusCode, name).toBe(403);
      expect(reply.json(), name).toMatchObject({ detail: 'Registration is by invitation only.' });
    }
  });

  describe('that is open', () => {
    beforeEach(async () => {
      await test.close();
      test = await openTestApp({ config: { registration: 'open' } });
    });

    it('creates an ordinary user who can sign in', async () => {
      const reply = await test.post(REGISTER, NEW);

      expect(reply.statusCode).toBe(201);
      expect(reply.json()).toEqual({
        id: expect.any(String),
        email: 'new@coaches.example',
        display_name: 'New',
        role: 'user',
        is_admin: false,
        is_verified: false,
        is_active: true,
        created_at: '2026-11-21T09:00:00.000Z',
        last_login: null,
      });
      expect((await test.post(LOGIN, NEW)).statusCode).toBe(200);
    });

    it('cannot make an administrator', async () => {
      const reply = await test.post(REGISTER, { ...NEW, role: 'admin', is_admin: true });

      expect(reply.json().role).toBe('user');
    });

    it('refuses an address that is already registered', async () => {
      await test.addUser({ email: 'new@coaches.example' });
      const reply = await test.post(REGISTER, NEW);

      expect(reply.statusCode).toBe(409);
      expect(reply.json()).toMatchObject({ detail: 'An account with this email address exists already.' });
    });

    it('refuses each bad field in words', async () => {
      const cases = [
        [{ password: 'short' }, 'Password must have at least 8 characters'],
        [{ password: 'x1y2z3w4'.repeat(17) }, 'Password must have at most 128 characters'],
        [{ password: 'Password123' }, 'Password is too common: choose one that nobody would guess'],
        [{ display_name: ' ' }, 'Display name is required'],
        [
          { display_name: 'New\u202enimdA' },
          'Display name must not contain characters that change the text direction',
        ],
        [{ email: 'new' }, 'Email must be an email address'],
      ] as const;
      for (const [changes, detail] of cases) {
        const reply = await test.post(REGISTER, { ...NEW, ...changes });

        expect(reply.statusCode, detail).toBe(422);
        expect(reply.json().detail, detail).toBe(detail);
      }
    });
  });
});
