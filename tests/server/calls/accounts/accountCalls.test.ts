import { generate } from 'otplib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountSecurity } from '../../../../server/accounts/passwords/secondFactor.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { openTestApp, PASSWORD, type TestApp } from '../../app/testApp.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ROSA = 'rosa@coaches.example';
const NEW = 'two-coaches-at-Penrith';
const LOGIN = '/api/v1/auth/login';
const ME = '/api/v1/auth/me';

let test: TestApp;
let rosa: RowOf<'users'>;
beforeEach(async () => {
  test = await openTestApp();
  rosa = await test.addUser();
});
afterEach(() => test.close());

const auth = (path: string) => `/api/v1/auth/${path}`;
const remove = (url: string, token: string) =>
  test.app.inject({ method: 'DELETE', url, headers: { authorization: `Bearer ${token}` } });
const patch = (url: string, payload: object, token: string) =>
  test.app.inject({ method: 'PATCH', url, payload, headers: { authorization: `Bearer ${token}` } });
const me = async (token: string) => (await test.get(ME, token)).statusCode;
const login = (fields: object = {}) => test.post(LOGIN, { email: ROSA, password: PASSWORD, ...fields });
const actions = async () =>
  (await test.db.selectFrom('audit_trail').select('action').orderBy('at').orderBy('action').execute()).map(
    ({ action }) => action,
  );
const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(test.now().getTime() / 1000) });

/** Turns on a second factor, and signs in again with it. */
async function withFactor() {
  const { access_token: token } = await test.signIn();
  const begun = (await test.post(auth('second-factor'), { current_password: PASSWORD }, token)).json();
  const code = await codeOf(begun.secret);
  const confirmed = await test.post(auth('second-factor/confirm'), { code }, token);
  expect(confirmed.statusCode, confirmed.body).toBe(200);
  return { token, secret: begun.secret as string, code, codes: confirmed.json().recovery_codes as string[] };
}

describe('a change of one’s own password', () => {
  const change = (token: string, current_password = PASSWORD, new_password = NEW) =>
    test.post(auth('password'), { current_password, new_password }, token);

  it('asks for the current one, ends all other sessions and is in the audit trail', async () => {
    const other = await test.signIn();
    const { access_token: token } = await test.signIn();
    const wrong = await change(token, 'a-wrong-guess');

    expect([wrong.statusCode, wrong.json().detail]).toEqual([403, 'This is not your current password.']);
    expect(await me(other.access_token)).toBe(200);
    expect((await change(token)).statusCode).toBe(204);
    expect([await me(token), await me(other.access_token)]).toEqual([200, 401]);
    expect((await login()).statusCode).toBe(401);
    expect((await login({ password: NEW })).statusCode).toBe(200);
    expect(await actions()).toEqual(['user.password_changed']);
  });

  it('refuses a password that is weak or the same', async () => {
    const cases = [
      ['p@ssw0rd', 'Password is too common: choose one that nobody would guess'],
      ['clearway2026', 'Password is too common: choose one that nobody would guess'],
      ['rosa2026', 'Password is too common: choose one that nobody would guess'],
      ['clearway2026clearway2026', 'Password is too common: choose one that nobody would guess'],
      ['letmein'.repeat(6), 'Password is too common: choose one that nobody would guess'],
      ['short', 'Password must have at least 8 characters'],
      [PASSWORD, 'The new password must differ from the current one.'],
    ] as const;
    for (const [password, detail] of cases) {
      const { access_token: token } = await test.signIn();
      const reply = await change(token, PASSWORD, password);

      expect([reply.statusCode, reply.json().detail], password).toEqual([422, detail]);
      expect(await me(token), password).toBe(200);
    }
  });

  it('asks for a code as well if there is a second factor, and spends it only with the change', async () => {
    const { token, secret } = await withFactor();
    test.pass(30_000);
    const code = await codeOf(secret);
    const withCode = (fields: object) =>
      test.post(auth('password'), { current_password: PASSWORD, new_password: NEW, ...fields }, token);

    const asked = await change(token);
    expect([asked.statusCode, asked.json().reason]).toEqual([403, 'second_factor_required']);
    expect((await withCode({ code: '000000' })).statusCode).toBe(403);
    expect((await withCode({ code, new_password: 'p@ssw0rd' })).statusCode).toBe(422);
    expect(await actions()).toEqual(['second_factor.set_up']);
    expect((await withCode({ code })).statusCode).toBe(204);
    expect(await actions()).toEqual(['second_factor.set_up', 'user.password_changed']);
  });

  it('lets nobody try passwords for long at an unwatched screen, and locks no other screen', async () => {
    const { access_token: token } = await test.signIn();
    for (let tries = 0; tries < 10; tries++)
      expect((await change(token, 'a-wrong-guess')).statusCode).toBe(403);
    const limited = await change(token);

    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '60']);
    expect((await login()).statusCode).toBe(200);
  });
});

describe('a password that somebody else has set', () => {
  let boss: string;
  beforeEach(async () => {
    await test.addUser({ email: 'boss@coaches.example', role: 'admin' });
    boss = (await test.signIn({ email: 'boss@coaches.example' })).access_token;
  });

  it('must be changed before anything else, by anyone who signs in with it', async () => {
    const before = await test.signIn();
    const reset = await test.post(`/api/v1/admin/users/${rosa.id}/password`, undefined, boss);
    expect(reset.statusCode, reset.body).toBe(200);
    const { password } = reset.json();
    const session = (await login({ password })).json();
    const token = session.access_token;

    expect(await me(before.access_token)).toBe(401);
    expect(session.user.must).toBe('change_password');
    expect((await test.get(ME, token)).json().must).toBe('change_password');
    const refused = await test.get('/api/v1/keys/', token);
    expect([refused.statusCode, refused.json().reason]).toEqual([403, 'change_password']);
    expect((await test.get('/api/v1/feeds/', token)).statusCode).toBe(403);
    expect((await test.get('/api/v1/events', token)).statusCode).toBe(403);

    await test.post(auth('password'), { current_password: password, new_password: NEW }, token);
    expect((await test.get('/api/v1/keys/', token)).statusCode).toBe(200);
    expect((await test.get(ME, token)).json()).not.toHaveProperty('must');
  });

  it('is good for a week', async () => {
    const { password } = (await test.post(`/api/v1/admin/users/${rosa.id}/password`, undefined, boss)).json();
    test.pass(7 * DAY);
    const late = await login({ password });

    expect(late.statusCode).toBe(403);
    expect(late.json().detail).toMatch(/has expired/);
  });

  it('can be given with a new account, which otherwise may keep its password', async () => {
    const make = (email: string, more: object) =>
      test.post('/api/v1/admin/users', { email, display_name: 'Sam', password: NEW, ...more }, boss);
    await make('one@coaches.example', { must_change_password: true });
    await make('two@coaches.example', {});
    const must = async (email: string) => (await login({ email, password: NEW })).json().user.must;

    expect(await must('one@coaches.example')).toBe('change_password');
    expect(await must('two@coaches.example')).toBeUndefined();
  });

  it('is for others only, and only administrators can set it', async () => {
    const { access_token: token } = await test.signIn();
    const { id } = (await test.get(ME, boss)).json();
    const url = (of: string) => `/api/v1/admin/users/${of}/password`;

    expect((await test.post(url(id), undefined, boss)).statusCode).toBe(409);
    expect((await test.post(url(id), undefined, token)).statusCode).toBe(403);
    expect((await test.post(url('nobody'), undefined, boss)).statusCode).toBe(404);
  });

  it('is refused if people who know the person could guess it', async () => {
    for (const password of ['p@ssw0rd', 'clearway2026', 'Sam.Smith1']) {
      const user = { email: 'sam@coaches.example', display_name: 'Sam Smith', password };
      const reply = await test.post('/api/v1/admin/users', user, boss);
      expect([reply.statusCode, password]).toEqual([422, password]);
    }
  });

  it('leaves the tiers of keys to administrators, who see no key', async () => {
    const { access_token: token } = await test.signIn();
    const key = (await test.post('/api/v1/keys/', { name: 'Production' }, token)).json();
    const url = `/api/v1/admin/users/${rosa.id}/keys`;
    const change = (by: string, of = url) => patch(`${of}/${key.id}`, { rate_limit_tier: 'pro' }, by);

    expect((await change(token)).statusCode).toBe(403);
    expect((await change(boss, '/api/v1/admin/users/nobody/keys')).statusCode).toBe(404);
    const me = (await test.get('/api/v1/auth/me', boss)).json<{ id: string }>();
    // The key of another person is none of this person's.
    expect((await change(boss, `/api/v1/admin/users/${me.id}/keys`)).statusCode).toBe(404);
    const changed = await change(boss);
    expect(changed.json()).toMatchObject({ keys: [{ id: key.id, rate_limit_tier: 'pro' }], total: 1 });
    expect(changed.body + (await test.get(url, boss)).body).not.toContain(key.key);
    expect((await remove(`/api/v1/keys/${key.id}`, token)).statusCode).toBe(204);
    expect(await actions()).toEqual(['key.created', 'key.deleted', 'key.tier_changed']);
  });
});

describe('the list of one’s own sessions', () => {
  it('says where and in what browser, and ends one or all others', async () => {
    const sign = (agent: string, remoteAddress: string) =>
      test.app.inject({
        method: 'POST',
        url: LOGIN,
        payload: { email: ROSA, password: PASSWORD },
        headers: { 'user-agent': agent },
        remoteAddress,
      });
    const old = (await sign('Mozilla/5.0 (Windows NT 10.0) Chrome/130 Edg/130', '2001:db8:1:2:3::4')).json();
    test.pass(MINUTE);
    await sign('x\u202e\n<b>', '198.51.100.7');
    test.pass(MINUTE);
    const { access_token: token } = (
      await sign('Mozilla/5.0 (Macintosh; Intel Mac OS X 14) Firefox/130', '203.0.113.9')
    ).json();
    const list = async () => (await test.get(auth('sessions'), token)).json().sessions;

    expect(await list()).toMatchObject([
      { kind: 'browser', current: true, network: '203.0.113.9', browser: 'Firefox on a Mac' },
      { current: false, network: '198.51.100.7', browser: 'Another program' },
      { current: false, network: '2001:db8:1:2::/64', browser: 'Edge on Windows' },
    ]);
    expect((await remove(auth(`sessions/${old.session_id}`), token)).statusCode).toBe(204);
    expect(await me(old.access_token)).toBe(401);
    expect((await test.post(auth('sessions/end-others'), undefined, token)).json()).toEqual({ ended: 1 });
    expect(await list()).toHaveLength(1);
    expect(await me(token)).toBe(200);
  });

  it('shows and ends nobody else’s', async () => {
    const { session_id, access_token } = await test.signIn();
    await test.addUser({ email: 'mallory@coaches.example' });
    const mallory = (await test.signIn({ email: 'mallory@coaches.example' })).access_token;

    expect((await test.get(auth('sessions'), mallory)).json().total).toBe(1);
    expect((await remove(auth(`sessions/${session_id}`), mallory)).statusCode).toBe(404);
    expect(await me(access_token)).toBe(200);
  });

  it('has the displays that one has approved', async () => {
    const { access_token: token } = await test.signIn();
    const asked = (await test.post('/api/v1/displays/device_authorization')).json();
    await test.post(
      '/api/v1/displays/pairing/approve',
      { user_code: asked.user_code, name: 'Dispatch room' },
      token,
    );
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: asked.device_code,
    };
    const display = (await test.post('/api/v1/displays/token', grant)).json();
    const { sessions } = (await test.get(auth('sessions'), token)).json();
    const found = sessions.find(({ kind }: { kind: string }) => kind === 'display');

    expect(found).toMatchObject({ name: 'Dispatch room', ends_at: '2027-11-21T09:00:00.000Z' });
    expect((await remove(auth(`sessions/${found.id}`), token)).statusCode).toBe(204);
    expect((await test.get('/api/v1/feeds/', display.access_token)).statusCode).toBe(401);
    expect(await actions()).toEqual(['display.approved', 'display.revoked']);
  });

  it('ends each after 90 days, however often it is used', async () => {
    let { refresh_token } = await test.signIn();
    const refresh = () => test.post(auth('refresh'), { refresh_token });
    for (let time = 0; time < 5; time++) {
      test.pass(17.9 * DAY);
      refresh_token = (await refresh()).json().refresh_token;
    }
    const { access_token } = (await refresh()).json();
    expect(await me(access_token)).toBe(200);
    test.pass(0.5 * DAY);

    expect((await refresh()).statusCode).toBe(401);
    expect((await login()).statusCode).toBe(200);
  });
});

describe('a second factor', () => {
  it('is asked for after the right password only, and its codes are good once', async () => {
    const { secret, code } = await withFactor();
    const wrong = await login({ password: 'a-wrong-guess' });
    expect(wrong.json()).toMatchObject({ detail: 'Incorrect email or password' });

    const asked = await login();
    expect([asked.statusCode, asked.json().reason]).toEqual([401, 'second_factor_required']);
    const replayed = await login({ code });
    expect([replayed.statusCode, replayed.json().reason]).toEqual([401, 'second_factor_wrong']);

    test.pass(30_000);
    const next = await codeOf(secret);
    expect((await login({ code: next })).statusCode).toBe(200);
    expect((await login({ code: next })).statusCode).toBe(401);
    expect((await login({ code })).statusCode).toBe(401); // an older one, still within the tolerance
    test.pass(2 * MINUTE);
    expect((await login({ code: next })).statusCode).toBe(401);
  });

  it('takes a code once if two requests come at the same time', async () => {
    const { secret } = await withFactor();
    test.pass(30_000);
    const code = await codeOf(secret);
    const replies = await Promise.all([login({ code }), login({ code }), login({ code })]);

    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401]);
  });

  it('can be replaced by a recovery code, each once, stored only as hashes', async () => {
    const { codes, secret } = await withFactor();
    expect(new Set(codes).size).toBe(10);
    const first = await login({ code: codes[0]!.toUpperCase().replace('-', ' ') });
    const again = await login({ code: codes[0] });
    const status = (await test.get(auth('second-factor'), first.json().access_token)).json();
    const rows = await test.db.selectFrom('recovery_codes').selectAll().execute();
    const security = await test.db.selectFrom('account_security').selectAll().execute();

    expect([first.statusCode, again.statusCode]).toEqual([200, 401]);
    expect(status).toMatchObject({ state: 'on', recovery_codes_left: 9, required: false });
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''));
    expect(JSON.stringify(security)).not.toContain(secret);
    expect(await actions()).toContain('second_factor.recovery_used');
  });

  it('lets nobody guess codes, and its limit locks out nobody who is signed in', async () => {
    const { token } = await withFactor();
    for (let tries = 0; tries < 10; tries++) expect((await login({ code: '000000' })).statusCode).toBe(401);
    const limited = await login({ code: '000000' });

    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '60']);
    expect(await me(token)).toBe(200);
  });

  it('is set up with the password and a first code, and ends the other sessions', async () => {
    const other = await test.signIn();
    const { access_token: token } = await test.signIn();
    const begin = (current_password: string) => test.post(auth('second-factor'), { current_password }, token);

    expect((await begin('a-wrong-guess')).statusCode).toBe(403);
    expect((await test.post(auth('second-factor/confirm'), { code: '000000' }, token)).statusCode).toBe(409);
    const { secret, uri } = (await begin(PASSWORD)).json();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Clearway:/);
    expect(uri).toContain(secret);
    expect((await login()).statusCode).toBe(200); // not before it is confirmed
    expect((await test.post(auth('second-factor/confirm'), { code: '000000' }, token)).statusCode).toBe(403);
    const code = await codeOf(secret);
    expect((await test.post(auth('second-factor/confirm'), { code }, token)).statusCode).toBe(200);
    expect([await me(token), await me(other.access_token)]).toEqual([200, 401]);
    expect((await begin(PASSWORD)).statusCode).toBe(409);
  });

  it('is set up with a code of the app, never with a recovery code of an earlier factor', async () => {
    const { token, codes } = await withFactor();
    await test.db.updateTable('account_security').set({ factor_since: null }).execute();
    const confirmed = await test.post(auth('second-factor/confirm'), { code: codes[0] }, token);

    expect(confirmed.statusCode).toBe(403);
    expect(await accountSecurity(test.db).recoveryCodesLeft(rosa.id)).toBe(10); // nor is it used up
  });

  it('is removed with both, and its recovery codes are renewed with both', async () => {
    const { token, secret, codes } = await withFactor();
    const both = (code: string) => ({ current_password: PASSWORD, code });
    test.pass(30_000);
    const renewed = await test.post(auth('second-factor/recovery-codes'), both(await codeOf(secret)), token);
    expect(renewed.json().recovery_codes).toHaveLength(10);
    expect((await test.post(auth('second-factor/remove'), both(codes[0]!), token)).statusCode).toBe(403);
    const removed = await test.post(
      auth('second-factor/remove'),
      both(renewed.json().recovery_codes[3]),
      token,
    );

    expect(removed.statusCode).toBe(204);
    expect((await login()).statusCode).toBe(200);
    expect(await actions()).toEqual([
      'second_factor.set_up',
      'second_factor.codes_renewed',
      'second_factor.removed',
    ]);
  });

  it('that is lost is reset by an administrator', async () => {
    await withFactor();
    await test.addUser({ email: 'boss@coaches.example', role: 'admin' });
    const boss = (await test.signIn({ email: 'boss@coaches.example' })).access_token;
    const { users } = (await test.get('/api/v1/admin/users', boss)).json();
    const url = `/api/v1/admin/users/${rosa.id}/second-factor`;

    expect(users.map((user: { second_factor?: boolean }) => user.second_factor)).toEqual([undefined, true]);
    expect((await remove(url, boss)).statusCode).toBe(204);
    expect((await remove(url, boss)).statusCode).toBe(409);
    expect((await login()).statusCode).toBe(200);
  });

  it.each([
    ['none', undefined, undefined],
    ['admins', undefined, 'set_up_second_factor'],
    ['all', 'set_up_second_factor', 'set_up_second_factor'],
  ] as const)('is asked of those whom REQUIRE_SECOND_FACTOR=%s names', async (mode, user, admin) => {
    await test.close();
    test = await openTestApp({ config: { requireSecondFactor: mode } });
    await test.addUser();
    await test.addUser({ email: 'boss@coaches.example', role: 'admin' });
    const boss = await test.signIn({ email: 'boss@coaches.example' });

    expect((await test.signIn()).user.must).toBe(user);
    expect(boss.user.must).toBe(admin);
    const list = await test.get('/api/v1/admin/users', boss.access_token);
    expect([list.statusCode, list.json().reason]).toEqual(admin ? [403, admin] : [200, undefined]);
  });

  it('that the server asks for opens everything once set up, and cannot be removed', async () => {
    await test.close();
    test = await openTestApp({ config: { requireSecondFactor: 'all' } });
    rosa = await test.addUser();
    const { token, codes } = await withFactor();

    expect((await test.get('/api/v1/keys/', token)).statusCode).toBe(200);
    const body = { current_password: PASSWORD, code: codes[0] };
    expect((await test.post(auth('second-factor/remove'), body, token)).statusCode).toBe(409);
  });
});

describe('a stranger', () => {
  const guess = (remoteAddress: string, password = 'a-wrong-guess') =>
    test.app.inject({ method: 'POST', url: LOGIN, payload: { email: ROSA, password }, remoteAddress });

  it('cannot lock the owner out', async () => {
    for (let tries = 0; tries < 12; tries++) await guess('198.51.100.66');

    expect((await guess('198.51.100.66', PASSWORD)).statusCode).toBe(429);
    expect((await guess('203.0.113.9', PASSWORD)).statusCode).toBe(200);
  });

  it('cannot lock the owner out with a hundred networks, if the owner was signed in before', async () => {
    expect((await guess('203.0.113.9', PASSWORD)).statusCode).toBe(200);
    for (let tries = 0; tries < 100; tries++) await guess(`198.51.100.${tries}`);

    expect((await guess('198.51.100.200')).statusCode).toBe(429);
    expect((await guess('203.0.113.9', PASSWORD)).statusCode).toBe(200);
  });

  it('does not reach the queue of hashes if limited', async () => {
    for (let tries = 0; tries < 10; tries++) await guess('198.51.100.66');
    const before = test.verifications();
    await Promise.all(Array.from({ length: 300 }, () => guess('198.51.100.66')));

    expect(test.verifications()).toBe(before);
    expect((await guess('203.0.113.9', PASSWORD)).statusCode).toBe(200);
  });

  it('is named in the log by a keyed hash, and so is the owner', async () => {
    await guess('198.51.100.66');
    await test.signIn();

    expect(test.logged()).not.toContain(ROSA);
    const lines = test
      .logged()
      .split('\n')
      .filter((line) => line.includes('"account"'));
    const names = lines.map((line) => JSON.parse(line).account);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[\da-f]{16}$/);
  });

  it('opens twenty accounts an hour if registration is open', async () => {
    await test.close();
    test = await openTestApp({ config: { registration: 'open' } });
    await test.addUser();
    // Refusals of taken addresses count as well, because they show who has an account.
    const register = () =>
      test.post('/api/v1/auth/register', { email: ROSA, password: NEW, display_name: 'Rosa' });
    for (let tries = 0; tries < 20; tries++) expect((await register()).statusCode).toBe(409);

    expect((await register()).statusCode).toBe(429);
    test.pass(60 * MINUTE + 1);
    expect((await register()).statusCode).toBe(409);
  });
});

describe('a ticket for the reference', () => {
  const redeem = (ticket: string) => test.post(auth('docs-ticket/redeem'), { ticket });

  it('opens it once, within a minute, while its session lives', async () => {
    const { access_token: token } = await test.signIn();
    const take = async () => (await test.post(auth('docs-ticket'), undefined, token)).json();
    const { ticket, expires_in } = await take();
    const opened = await redeem(ticket);

    expect(expires_in).toBe(60);
    expect(await me(opened.json().access_token)).toBe(200);
    expect((await redeem(ticket)).statusCode).toBe(401);
    const late = await take();
    test.pass(60_000);
    expect((await redeem(late.ticket)).statusCode).toBe(401);
    const ended = await take();
    await test.post(auth('logout'), {}, token);
    expect((await redeem(ended.ticket)).statusCode).toBe(401);
    expect((await test.get(ME, ticket)).statusCode).toBe(401);
  });
});

describe('the audit trail', () => {
  it('records a refresh token that was used twice', async () => {
    const { refresh_token } = await test.signIn();
    await test.post(auth('refresh'), { refresh_token });
    test.pass(2 * MINUTE);
    await test.post(auth('refresh'), { refresh_token });

    const [row] = await test.db.selectFrom('audit_trail').selectAll().execute();
    expect(row).toMatchObject({ actor: 'The server', action: 'session.token_reused', subject: ROSA });
  });
});
