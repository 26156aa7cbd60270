import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../app/testApp.ts';

let test: TestApp;
beforeEach(async () => {
  test = await openTestApp({
    routes: (app) =>
      app.get('/api/v1/vault', { config: { who: 'admin' } }, async ({ user }) => ({
        user: user.email,
      })),
  });
});
afterEach(() => test.close());

it('a call of the API that does not say who may make it stops the start', async () => {
  const start = openTestApp({
    routes: (app) =>
      void app.register(
        async (api) =>
          void api.get(
            '/api/v1/open-by-mistake',
            { config: { costs: 'little' } as never }, // the type asks for `who` as well
            async () => 'all',
          ),
      ),
  });
  await expect(start).rejects.toThrow('GET /api/v1/open-by-mistake does not say who may call it');
});

describe('a call for administrators', () => {
  it('is 401 without a session, 403 for a user, and answered for an administrator', async () => {
    await test.addUser();
    await test.addUser({ email: 'boss@coaches.example', role: 'admin' });
    const rosa = await test.signIn();
    const boss = await test.signIn({ email: 'boss@coaches.example' });
    const [nobody, user, admin] = [
      await test.get('/api/v1/vault'),
      await test.get('/api/v1/vault', rosa.access_token),
      await test.get('/api/v1/vault', boss.access_token),
    ];

    expect([nobody.statusCode, user.statusCode, admin.statusCode]).toEqual([401, 403, 200]);
    expect(user.json()).toMatchObject({ detail: 'This is for administrators only.' });
    expect(admin.json()).toEqual({ user: 'boss@coaches.example' });
  });

  it('is refused as soon as the caller is no longer an administrator', async () => {
    await test.addUser({ role: 'admin' });
    const { access_token } = await test.signIn();
    await test.db.updateTable('users').set({ role: 'user' }).execute();

    expect((await test.get('/api/v1/vault', access_token)).statusCode).toBe(403);
  });
});

it('a known caller is refused once their session has ended, although their token has not', async () => {
  await test.addUser({ role: 'admin' });
  const { access_token } = await test.signIn();
  const MINUTE_MS = 60_000;
  const expires_at = new Date(test.now().getTime() + 5 * MINUTE_MS).toISOString();
  await test.db.updateTable('sessions').set({ expires_at }).execute();
  const call = async () => (await test.get('/api/v1/vault', access_token)).statusCode;

  expect([await call(), await call()]).toEqual([200, 200]);
  test.pass(5 * MINUTE_MS - 1);
  expect(await call()).toBe(200);
  test.pass(1);
  expect(await call()).toBe(401);
});
