import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditTrail, UserList } from '#contract/accounts/admin.ts';
import type { User } from '#contract/accounts/auth.ts';
import { openTestApp, PASSWORD, type TestApp } from '../../app/testApp.ts';

const USERS = '/api/v1/admin/users';
const AUDIT = '/api/v1/admin/audit';
const NEW = { email: 'Tom@Coaches.example', display_name: 'Tom', password: PASSWORD };

let test: TestApp;
let token: string;
let adminId: string;

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, as = token) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${as}` },
    ...(payload && { payload }),
  });
const list = async () => (await call('GET', USERS)).json<UserList>();
const trail = async (query = '') => (await call('GET', `${AUDIT}${query}`)).json<AuditTrail>();
const acts = async () =>
  (await trail()).entries.map(({ actor, action, subject, detail }) =>
    [actor, action, subject, detail].filter(Boolean).join(' '),
  );

beforeEach(async () => {
  test = await openTestApp();
  const admin = await test.addUser({ email: 'ada@clearway.example', display_name: 'Ada', role: 'admin' });
  adminId = admin.id;
  token = (await test.signIn(admin)).access_token;
});
afterEach(() => test.close());

it('lists all users by address, without their passwords', async () => {
  await test.addUser();
  const { users, total } = await list();
  expect(users.map(({ email, role }) => `${email} ${role}`)).toEqual([
    'ada@clearway.example admin',
    'rosa@coaches.example user',
  ]);
  expect(total).toBe(2);
  expect(JSON.stringify(users)).not.toMatch(/argon2|password/);
});

it('is for administrators alone', async () => {
  await test.addUser();
  const { access_token } = await test.signIn();
  const calls = [
    ['GET', USERS],
    ['POST', USERS],
    ['PATCH', `${USERS}/${adminId}`],
    ['DELETE', `${USERS}/${adminId}`],
    ['GET', AUDIT],
  ] as const;
  for (const [method, url] of calls) {
    expect((await call(method, url, undefined, access_token)).statusCode, url).toBe(403);
    expect((await test.app.inject({ method, url })).statusCode, url).toBe(401);
  }
  expect((await list()).total).toBe(2);
});

it('creates a user who can sign in at once', async () => {
  const reply = await call('POST', USERS, { ...NEW, role: 'admin', is_verified: true });
  expect(reply.statusCode).toBe(201);
  expect(reply.json<User>()).toMatchObject({
    email: 'tom@coaches.example',
    display_name: 'Tom',
    role: 'admin',
    is_admin: true,
    is_active: true,
    is_verified: true,
    last_login: null,
  });
  await test.signIn({ email: 'tom@coaches.example' });
  expect(await acts()).toEqual(['ada@clearway.example user.created tom@coaches.example admin']);
});

it('refuses each bad field of a new user in words, and creates nobody', async () => {
  const cases = [
    [{}, 'Email is required', 422],
    [{ ...NEW, email: 'tom' }, 'Email must be an email address', 422],
    [{ ...NEW, display_name: ' ' }, 'Display name is required', 422],
    [{ ...NEW, display_name: '\u3164 \u2800' }, 'Display name is required', 422],
    [{ ...NEW, display_name: 5 }, 'Display name must be a string', 422],
    [{ ...NEW, display_name: 'Tom\nBoss' }, 'Display name must be one line of text', 422],
    [
      { ...NEW, display_name: 'Tom\u202enimdA' },
      'Display name must not contain characters that change the text direction',
      422,
    ],
    [{ ...NEW, display_name: '🚌'.repeat(121) }, 'Display name must have at most 120 characters', 422],
    [{ ...NEW, password: 'short' }, 'Password must have at least 8 characters', 422],
    [{ ...NEW, password: 'password1' }, 'Password is too common: choose one that nobody would guess', 422],
    [{ ...NEW, role: 'owner' }, 'role must be user or admin', 422],
    [{ ...NEW, email: 'ADA@clearway.example' }, 'A user with this email address exists already.', 409],
  ] as const;
  for (const [body, detail, status] of cases) {
    const reply = await call('POST', USERS, body);
    expect([reply.statusCode, reply.json().detail], JSON.stringify(body)).toEqual([
      status,
      detail === 'Email is required' ? 'email is required' : detail,
    ]);
    expect((await list()).total, JSON.stringify(body)).toBe(1);
    expect(await acts(), JSON.stringify(body)).toEqual([]);
  }
});

it('promotes and demotes with immediate effect on a running session', async () => {
  const rosa = await test.addUser();
  const { access_token } = await test.signIn();
  const promoted = await call('PATCH', `${USERS}/${rosa.id}`, { role: 'admin' });
  expect(promoted.json<User>()).toMatchObject({ role: 'admin', is_admin: true });
  expect((await call('GET', USERS, undefined, access_token)).statusCode).toBe(200);

  test.pass(1000);
  await call('PATCH', `${USERS}/${rosa.id}`, { role: 'user' });
  expect((await call('GET', USERS, undefined, access_token)).statusCode).toBe(403);
  expect(await acts()).toEqual([
    'ada@clearway.example user.role_changed rosa@coaches.example admin to user',
    'ada@clearway.example user.role_changed rosa@coaches.example user to admin',
  ]);
});

it('disables at once; when enabled again, the user has to sign in again', async () => {
  const rosa = await test.addUser();
  const { access_token, refresh_token } = await test.signIn();
  await call('PATCH', `${USERS}/${rosa.id}`, { is_active: false });
  expect((await test.get('/api/v1/auth/me', access_token)).statusCode).toBe(401);

  test.pass(1000);
  await call('PATCH', `${USERS}/${rosa.id}`, { is_active: true });
  expect((await test.get('/api/v1/auth/me', access_token)).statusCode).toBe(401);
  expect((await test.post('/api/v1/auth/refresh', { refresh_token })).statusCode).toBe(401);
  await test.signIn();
  expect(await acts()).toEqual([
    'ada@clearway.example user.enabled rosa@coaches.example',
    'ada@clearway.example user.disabled rosa@coaches.example',
  ]);
});

it('deletes a user with all sessions, and removes the name from what stays', async () => {
  const rosa = await test.addUser();
  const { access_token } = await test.signIn();
  await call('PATCH', `${USERS}/${rosa.id}`, { role: 'admin' });
  await call('PATCH', `${USERS}/${adminId}`, { role: 'admin' }, access_token);
  test.pass(1000);
  expect((await call('DELETE', `${USERS}/${rosa.id}`)).statusCode).toBe(204);

  expect((await test.get('/api/v1/auth/me', access_token)).statusCode).toBe(401);
  expect((await list()).total).toBe(1);
  expect(await acts()).toEqual([
    'ada@clearway.example user.deleted A deleted person',
    'ada@clearway.example user.role_changed A deleted person',
  ]);
  const overview = await call('GET', '/api/v1/analytics/overview');
  const usage = await call('GET', '/api/v1/analytics/api-usage');
  for (const reply of [overview, usage]) {
    expect(reply.statusCode).toBe(200);
    expect(reply.body).not.toContain('rosa@coaches.example');
    expect(reply.body).not.toContain('Rosa');
  }
});

it('keeps the last active administrator', async () => {
  const rosa = await test.addUser({ role: 'admin', is_active: 0 });
  for (const [method, payload] of [
    ['PATCH', { role: 'user' }],
    ['PATCH', { is_active: false }],
    ['DELETE', undefined],
  ] as const) {
    const reply = await call(method, `${USERS}/${adminId}`, payload);
    expect([reply.statusCode, reply.json().detail]).toEqual([
      409,
      'This is the last active administrator. Make somebody else one first.',
    ]);
  }
  // A disabled administrator does not count as another administrator, and may be deleted.
  expect((await call('DELETE', `${USERS}/${rosa.id}`)).statusCode).toBe(204);
});

it('refuses a change that it does not know in words', async () => {
  const cases = [
    [{}, 'Nothing to change: give role or is_active'],
    [{ role: 'owner' }, 'role must be user or admin'],
    [{ is_active: 'no' }, 'is_active must be a boolean'],
    [{ email: 'x@y.example' }, 'The body must not have email'],
  ] as const;
  for (const [body, detail] of cases) {
    const reply = await call('PATCH', `${USERS}/${adminId}`, body);
    expect([reply.statusCode, reply.json().detail], JSON.stringify(body)).toEqual([422, detail]);
  }
});

it('answers 404 for an unknown user', async () => {
  for (const method of ['PATCH', 'DELETE'] as const) {
    const reply = await call(method, `${USERS}/nobody`, { role: 'user' });
    expect(reply.statusCode).toBe(404);
  }
});

it('lists the audit trail in pages', async () => {
  const rosa = await test.addUser();
  for (const role of ['admin', 'user', 'admin', 'user']) {
    test.pass(1000);
    await call('PATCH', `${USERS}/${rosa.id}`, { role });
  }
  const first = await trail('?limit=3');
  const second = await trail(`?limit=3&cursor=${first.next_cursor}`);
  expect([first.entries.length, second.entries.length, second.next_cursor]).toEqual([3, 1, null]);
  expect((await trail()).entries).toEqual([...first.entries, ...second.entries]);
  expect((await call('GET', `${AUDIT}?cursor=x`)).json().detail).toBe(
    'cursor must be the next_cursor of an earlier answer',
  );
});
