import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import { z } from 'zod';
import { ApiKey, KEYS_PER_USER_MAX, type NewApiKey } from '#contract/accounts/keys.ts';
import { keySeal } from '../../../../server/accounts/keys/apiKeys.ts';
import { ACTS_A_DAY, ACTS_FULL, auditTrail } from '../../../../server/accounts/auditTrail.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { sessions } from '../../../../server/accounts/sessions.ts';
import { users } from '../../../../server/accounts/users.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { openTestApp, PASSWORD, type TestApp } from '../../app/testApp.ts';

const FEEDS = '/api/v1/feeds/';
const KEYS = '/api/v1/keys/';
const HOUR = 60 * 60_000;

let test: TestApp;
let rosa: RowOf<'users'>;
let token: string;
beforeEach(async () => {
  test = await openTestApp({ config: { keyLimits: { free: 3, pro: 50_000, enterprise: null } } });
  rosa = await test.addUser();
  token = (await test.signIn()).access_token;
});
afterEach(() => test.close());

async function make(name = 'Production', by = token): Promise<NewApiKey> {
  const reply = await test.post(KEYS, { name, tier: 'free' }, by);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json();
}
const remove = (id: string, by = token) =>
  test.app.inject({ method: 'DELETE', url: `${KEYS}${id}`, headers: { authorization: `Bearer ${by}` } });
/** The account is Rosa's, the screen hangs in the office. */
async function pairedDisplay({ db, now }: TestApp) {
  const at = now().toISOString();
  const row = {
    id: 'd1',
    name: 'Office',
    owner_id: rosa.id,
    user_agent: 'A television',
    address: '192.0.2.1',
  };
  const NONE = {
    last_seen_at: null,
    build: null,
    data_age_seconds: null,
    screen_width: null,
    screen_height: null,
    pixel_ratio: null,
    wake_lock: null,
    visibility: null,
    heap_bytes: null,
    blank_asked_at: null,
    blank_told_at: null,
  };
  await db
    .insertInto('displays')
    .values({ ...row, ...NONE, paired_at: at })
    .execute();
  return row;
}
const secondUser = async () => {
  await test.addUser({ email: 'ben@coaches.example' });
  return (await test.signIn({ email: 'ben@coaches.example' })).access_token;
};

describe('keys', () => {
  it('are made, listed with their full value, shown one by one, and deleted', async () => {
    const made = await make('  Café 🚍 ');
    expect(z.strictObject(ApiKey.shape).parse(made)).toEqual({
      id: made.id,
      name: 'Café 🚍',
      key: expect.stringMatching(/^cw_live_\w{32}$/),
      key_prefix: made.key.slice(0, 12),
      rate_limit_tier: 'free',
      scope: 'read',
      created_at: test.now().toISOString(),
      last_used_at: null,
      requests_today: 0,
      requests_month: 0,
    });
    expect((await test.get(KEYS, token)).json()).toEqual([made]);
    expect((await test.get(`${KEYS}${made.id}`, token)).json()).toEqual(made);

    const deleted = await remove(made.id);
    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await test.get(KEYS, token)).json()).toEqual([]);
    expect((await test.get(FEEDS, made.key)).statusCode).toBe(401);
  });

  it('are made a hundred times a day by one person, so that nobody fills the audit trail', async () => {
    const made = async (by = token) => {
      const { statusCode, headers, body } = await test.post(KEYS, { name: 'x', tier: 'free' }, by);
      const { id, detail } = JSON.parse(body) as { id: string; detail?: string };
      if (statusCode === 201) expect((await remove(id, by)).statusCode).toBe(204);
      return { statusCode, detail, wait: headers['retry-after'] };
    };
    for (let time = 0; time < ACTS_A_DAY; time++) expect((await made()).statusCode).toBe(201);
    expect(await made()).toEqual({ statusCode: 429, detail: ACTS_FULL, wait: '3600' });
    expect((await test.get(KEYS, token)).json()).toEqual([]);
    const { entries } = await auditTrail(test.db).page({ limit: 500 });
    expect(entries).toHaveLength(2 * ACTS_A_DAY);

    // A row from a clock that was ahead does not count.
    test.pass(-24 * 60 * 60_000);
    expect((await made()).statusCode).toBe(201);
    test.pass(24 * 60 * 60_000);
    expect((await made()).statusCode).toBe(429);

    // Calls that end a misuse go on, as do other people, administrators, and the next day.
    expect((await test.post('/api/v1/auth/sessions/end-others', undefined, token)).statusCode).toBe(200);
    expect((await made(await secondUser())).statusCode).toBe(201);
    await users(test.db).change(rosa.id, { role: 'admin' });
    expect((await made()).statusCode).toBe(201);
    await users(test.db).change(rosa.id, { role: 'user' });
    test.pass(24 * 60 * 60_000);
    expect((await made((await test.signIn()).access_token)).statusCode).toBe(201);
  });

  it('have the scope that is asked for, and by default the one for reading', async () => {
    const made = async (body: object) => {
      const reply = await test.post(KEYS, { name: 'Set-up', ...body }, token);
      return reply.json<{ scope?: string; detail?: string }>().scope ?? reply.statusCode;
    };
    expect(await made({})).toBe('read');
    expect(await made({ scope: 'manage' })).toBe('manage');
    expect(await made({ scope: 'admin' })).toBe(422);
    const { entries } = await auditTrail(test.db).page({ limit: 2 });
    expect(entries.map(({ detail }) => /^cw_live_\w{4}(, manage)?$/.exec(detail)?.[1] ?? '')).toEqual([
      ', manage',
      '',
    ]);
  });

  describe('are shown in full', () => {
    const MINUTE = 60_000;
    const shown = async (by = token) => {
      const [one] = (await test.get(KEYS, by)).json<ApiKey[]>();
      const same = (await test.get(`${KEYS}${one!.id}`, by)).json<ApiKey>();
      expect(same).toEqual(one);
      return one!;
    };
    const confirm = (body: object, by = token) => test.post('/api/v1/auth/confirm', body, by);
    const isFull = async (by = token) => {
      const { key, key_hidden } = await shown(by);
      expect(key === undefined).toBe(key_hidden === true);
      return key !== undefined;
    };

    it('for 15 minutes after the sign-in, and then by their prefix alone', async () => {
      const { key_prefix } = await make();
      test.pass(15 * MINUTE - 1);
      token = (await renewed()).access_token;
      expect(await isFull()).toBe(true);
      test.pass(1);
      expect(await shown()).toMatchObject({ key_prefix, key_hidden: true });
      expect((await test.get(KEYS, token)).body).not.toMatch(/cw_live_\w{5}/);
    });

    /** A refresh of the session is no sign-in. */
    const renewed = async () => {
      const { refresh_token } = signedIn;
      const reply = await test.post('/api/v1/auth/refresh', { refresh_token });
      expect(reply.statusCode).toBe(200);
      return (signedIn = { ...signedIn, ...reply.json<{ access_token: string; refresh_token: string }>() });
    };
    let signedIn: Awaited<ReturnType<TestApp['signIn']>>;
    beforeEach(async () => {
      signedIn = await test.signIn();
      token = signedIn.access_token;
    });

    it('for 15 minutes after the password was confirmed, in that session alone', async () => {
      await make();
      const other = await test.signIn();
      test.pass(14 * MINUTE);
      expect((await confirm({ current_password: PASSWORD })).statusCode).toBe(204);
      test.pass(MINUTE);
      token = (await renewed()).access_token;
      expect(await isFull()).toBe(true);
      const again = await test.post('/api/v1/auth/refresh', { refresh_token: other.refresh_token });
      expect(await isFull(again.json<{ access_token: string }>().access_token)).toBe(false);
      test.pass(14 * MINUTE - 1);
      token = (await renewed()).access_token;
      expect(await isFull()).toBe(true);
      test.pass(1);
      expect(await isFull()).toBe(false);
    });

    it('never by a clock that was set back', async () => {
      await make();
      test.pass(-1);
      expect(await isFull()).toBe(false);
      expect((await confirm({ current_password: PASSWORD })).statusCode).toBe(204);
      expect(await isFull()).toBe(true);
    });

    it('neither after a wrong password nor after another user’s confirmation', async () => {
      await make();
      test.pass(16 * MINUTE);
      token = (await renewed()).access_token;
      const ben = await secondUser();
      expect((await confirm({ current_password: PASSWORD }, ben)).statusCode).toBe(204);
      const wrong = await confirm({ current_password: 'three-lorries-in-Carlisle' });
      expect([wrong.statusCode, wrong.json()]).toMatchObject([
        403,
        { detail: 'This is not your current password.' },
      ]);
      expect(await isFull()).toBe(false);
      expect((await test.get(KEYS, ben)).json()).toEqual([]);
    });

    it('only with a code as well, if the account has a second factor', async () => {
      const started = await test.post('/api/v1/auth/second-factor', { current_password: PASSWORD }, token);
      const { secret } = started.json<{ secret: string }>();
      const code = async () => {
        test.pass(30_000);
        return generate({ secret, epoch: Math.floor(test.now().getTime() / 1000) });
      };
      await test.post('/api/v1/auth/second-factor/confirm', { code: await code() }, token);
      await make();
      test.pass(15 * MINUTE);
      token = (await renewed()).access_token;
      const alone = await confirm({ current_password: PASSWORD });
      expect([alone.statusCode, alone.json()]).toMatchObject([403, { reason: 'second_factor_required' }]);
      expect((await confirm({ current_password: PASSWORD, code: '000000' })).statusCode).toBe(403);
      expect(await isFull()).toBe(false);
      expect((await confirm({ current_password: PASSWORD, code: await code() })).statusCode).toBe(204);
      expect(await isFull()).toBe(true);
    });

    it('never to a session that is a display’s, or that has ended', async () => {
      const isConfirmed = () => sessions(test.db).isConfirmed(signedIn.session_id!, test.now());
      const { id } = await pairedDisplay(test);
      const set = (change: { display_id?: string | null; revoked_at?: string }) =>
        test.db.updateTable('sessions').set(change).where('id', '=', signedIn.session_id!).execute();
      expect(await isConfirmed()).toBe(true);
      await set({ display_id: id });
      expect(await isConfirmed()).toBe(false);
      await set({ display_id: null, revoked_at: test.now().toISOString() });
      expect(await isConfirmed()).toBe(false);
    });
  });

  it('are nowhere in the database or the log in a readable form', async () => {
    const { key } = await make();
    await test.get(FEEDS, key);
    const rows = await test.db.selectFrom('api_keys').selectAll().execute();
    for (const text of [JSON.stringify(rows), test.logged()]) expect(text).not.toContain(key.slice(12));
  });

  it('are not made from a body that does not say one', async () => {
    const cases = [
      [undefined, 422, 'The body is required'],
      [{}, 422, 'Name is required'],
      [{ name: '' }, 422, 'Name is required'],
      [{ name: ' \u200b\u00a0\u2060 ' }, 422, 'Name is required'],
      [{ name: '\u3164\u115f\u1160\uffa0\u2800\u200d\ufeff' }, 422, 'Name is required'],
      [{ name: 7 }, 422, 'Name must be a string'],
      [{ name: null }, 422, 'Name must be a string'],
      [{ name: 'é'.repeat(101) }, 422, 'Name must have at most 100 characters'],
      [{ name: 'a\nb' }, 422, 'Name must be one line of text'],
      [{ name: 'a\u0000b' }, 422, 'Name must be one line of text'],
      [{ name: 'a\ud800b' }, 422, 'Name must be one line of text'],
      [{ name: 'x', tier: 'gold' }, 422, 'tier must be free or pro or enterprise'],
      [
        { name: 'x', tier: 'pro' },
        403,
        'Only free keys can be made here. Ask the team for a key of the pro tier.',
      ],
      [
        { name: 'x', tier: 'enterprise' },
        403,
        'Only free keys can be made here. Ask the team for a key of the enterprise tier.',
      ],
    ] as const;
    for (const [body, status, detail] of cases) {
      const reply = await test.post(KEYS, body, token);
      expect([reply.statusCode, reply.json().detail], JSON.stringify(body)).toEqual([status, detail]);
      expect((await test.get(KEYS, token)).json(), JSON.stringify(body)).toEqual([]);
    }
  });

  it('are not made with a name that would reverse the words beside it', async () => {
    for (const turn of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
      const reply = await test.post(KEYS, { name: `a${turn}b` }, token);
      expect([reply.statusCode, reply.json().detail]).toEqual([
        422,
        'Name must not contain characters that change the text direction',
      ]);
    }
    expect((await test.get(KEYS, token)).json()).toEqual([]);
  });

  it('may have a name of 100 characters of any script, and no tier named', async () => {
    for (const name of [
      '🚍'.repeat(100),
      'é'.repeat(100),
      "'; drop table api_keys; --",
      '👨‍👩‍👧',
      'ب\u200f C\u200e++',
      'نامه\u200cها',
    ])
      expect((await test.post(KEYS, { name }, token)).json()).toMatchObject({
        name,
        rate_limit_tier: 'free',
        scope: 'read',
      });
  });

  it('are limited in number', async () => {
    for (let made = 0; made < KEYS_PER_USER_MAX; made++) await make(`Key ${made}`);
    const reply = await test.post(KEYS, { name: 'One more' }, token);
    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toBe('You have 20 API keys, the maximum. Delete one that is not used.');
  });

  it('do not exist for another user, and an odd id is not found', async () => {
    const { id, key } = await make();
    const ben = await secondUser();

    expect((await test.get(KEYS, ben)).json()).toEqual([]);
    for (const reply of [
      await test.get(`${KEYS}${id}`, ben),
      await test.get(`${KEYS}${id}/rate-limit`, ben),
      await remove(id, ben),
      await test.get(`${KEYS}%00'"`, token),
      await remove('nothing'),
    ]) {
      expect([reply.statusCode, reply.json()]).toMatchObject([404, { detail: 'API key not found' }]);
    }
    expect((await test.get(FEEDS, key)).statusCode).toBe(200);
  });

  it('come without their value when the secret is lost or the value was never stored, and still work', async () => {
    const [lost, unsealed] = [await make('Lost'), await make('Unsealed')];
    const other = keySeal(deriveSecrets('another secret, also longer than 32 bytes'));
    await test.db
      .updateTable('api_keys')
      .set({ sealed: other.seal(lost.key, { keyId: lost.id, ownerId: rosa.id }) })
      .where('id', '=', lost.id)
      .execute();
    await test.db.updateTable('api_keys').set({ sealed: null }).where('id', '=', unsealed.id).execute();

    const listed = (await test.get(KEYS, token)).json<ApiKey[]>();
    for (const made of [lost, unsealed]) {
      const { key, ...rest } = made;
      expect(listed.find(({ id }) => id === made.id)).toEqual(rest);
      expect((await test.get(FEEDS, key)).statusCode).toBe(200);
    }
  });
});

describe('the rate limit of a key', () => {
  it('says what is left of the day, and when the next one begins', async () => {
    const { id, key } = await make();
    const limit = async () => (await test.get(`${KEYS}${id}/rate-limit`, token)).json();
    expect(await limit()).toEqual({
      tier: 'free',
      limit_per_day: 3,
      used_today: 0,
      remaining: 3,
      resets_at: '2026-11-22T00:00:00.000Z',
    });
    await test.get(FEEDS, key);
    expect(await limit()).toMatchObject({ used_today: 1, remaining: 2 });

    await test.db.updateTable('api_keys').set({ rate_limit_tier: 'enterprise' }).execute();
    expect(await limit()).toMatchObject({
      tier: 'enterprise',
      limit_per_day: null,
      used_today: 0,
      remaining: null,
    });
  });

  it('is sent with every answer, and ends in 429 until midnight UTC', async () => {
    const { id, key } = await make();
    const heard = [];
    for (let call = 0; call < 4; call++) {
      const { statusCode, headers } = await test.get(FEEDS, key);
      heard.push([statusCode, headers['ratelimit-policy'], headers['ratelimit'], headers['retry-after']]);
    }
    const untilMidnight = 15 * 3600;
    expect(heard).toEqual([
      [200, '"day";q=3;w=86400', `"day";r=2;t=${untilMidnight}`, undefined],
      [200, '"day";q=3;w=86400', `"day";r=1;t=${untilMidnight}`, undefined],
      [200, '"day";q=3;w=86400', `"day";r=0;t=${untilMidnight}`, undefined],
      [429, '"day";q=3;w=86400', `"day";r=0;t=${untilMidnight}`, String(untilMidnight)],
    ]);
    const refused = await test.get('/api/v1/disruptions/', key);
    expect(refused.json()).toMatchObject({
      detail:
        'Your API keys of the free tier have used their 3 requests of today. The next day begins at midnight UTC.',
    });
    const shown = (await test.get(`${KEYS}${id}`, token)).json<ApiKey>();
    expect(shown).toMatchObject({
      requests_today: 3,
      requests_month: 3,
      last_used_at: test.now().toISOString(),
    });

    test.pass(15 * HOUR - 1);
    expect((await test.get(FEEDS, key)).headers['retry-after']).toBe('1');
    test.pass(1);
    expect((await test.get(FEEDS, key)).statusCode).toBe(200);
  });

  it('counts every call for which the key was accepted, and no other', async () => {
    const { id, key } = await make();
    const used = async () => (await test.get(`${KEYS}${id}/rate-limit`, token)).json().used_today;

    expect((await test.get('/api/v1/auth/me', key)).statusCode).toBe(403);
    expect((await test.get(`${FEEDS}`, `${key}x`)).statusCode).toBe(401);
    expect(await used()).toBe(0);
    expect((await test.get('/api/v1/feeds/nowhere', key)).statusCode).toBe(404);
    expect((await test.get('/api/v1/disruptions/?limit=many', key)).statusCode).toBe(422);
    expect(await used()).toBe(2);
    // Calls with a session have no such limit.
    for (let call = 0; call < 5; call++) {
      const reply = await test.get(FEEDS, token);
      expect([reply.statusCode, reply.headers['ratelimit']]).toEqual([200, undefined]);
    }
    expect(await used()).toBe(2);
  });

  it('is shared by all keys of a tier, and not renewed by deleting a key', async () => {
    const [first, second] = [await make(), await make()];
    const left = async (key: string) => (await test.get(FEEDS, key)).headers['ratelimit'];
    expect([await left(first.key), await left(second.key)]).toEqual([
      expect.stringContaining('r=2;'),
      expect.stringContaining('r=1;'),
    ]);
    await test.app.inject({
      method: 'DELETE',
      url: `${KEYS}${first.id}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const third = await make();
    expect((await test.get(`${KEYS}${third.id}/rate-limit`, token)).json()).toMatchObject({
      used_today: 2,
      remaining: 1,
    });
    expect(await left(third.key)).toContain('r=0;');
    for (const { key } of [second, third]) expect((await test.get(FEEDS, key)).statusCode).toBe(429);
  });

  it('is not used up by a 304, which is still answered when it is used up', async () => {
    const { id, key } = await make();
    const used = async () => (await test.get(`${KEYS}${id}/rate-limit`, token)).json().used_today;
    const ask = (etag: string, url = FEEDS) =>
      test.app.inject({
        url,
        headers: {
          authorization: `Bearer ${key}`,
          'if-none-match': etag,
          'accept-encoding': 'gzip',
        },
      });
    const first = await ask('"older"');
    expect([first.statusCode, first.headers['ratelimit']]).toEqual([200, expect.stringContaining('r=2;')]);
    const etag = String(first.headers['etag']);
    for (let call = 0; call < 5; call++) {
      const { statusCode, headers } = await ask(etag);
      expect([statusCode, headers['ratelimit']]).toEqual([304, expect.stringContaining('r=2;')]);
    }
    expect(await used()).toBe(1);

    expect((await ask(etag, '/api/v1/feeds/nowhere')).statusCode).toBe(404);
    expect((await ask(etag, '/api/v1/disruptions/stats')).statusCode).toBe(200);
    expect(await used()).toBe(3);
    const { statusCode, headers } = await ask(etag);
    expect([statusCode, headers['ratelimit']]).toEqual([304, expect.stringContaining('r=0;')]);
    const refused = await ask('"older"');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(15 * 3600)]);
    expect(refused.json().detail).toContain('have used their 3 requests of today');
    expect(refused.headers).not.toHaveProperty('etag');
    expect(refused.headers).not.toHaveProperty('content-encoding');
    expect(await used()).toBe(3);
  });

  it.each([
    '/api/v1/feeds/',
    '/api/v1/feeds/rail-network/events',
    '/api/v1/disruptions/',
    '/api/v1/disruptions/sources',
    '/api/v1/events/',
    '/api/v1/events/categories',
    '/api/v1/geocode/search?query=leeds',
  ])('is not used up by a 304 of %s', async (url) => {
    const { key } = await make();
    const ask = (etag: string) =>
      test.app.inject({ url, headers: { authorization: `Bearer ${key}`, 'if-none-match': etag } });
    const { headers } = await ask('"older"');
    const etag = String(headers['etag']);
    for (let call = 0; call < 5; call++) {
      const { statusCode, headers } = await ask(etag);
      expect([statusCode, headers['ratelimit']]).toEqual([304, expect.stringContaining('r=2;')]);
    }
  });

  it('refuses a conditional call in the same words, whatever its answer would have been', async () => {
    const { key } = await make();
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': '"older"' };
    for (let call = 0; call < 3; call++) await test.app.inject({ url: FEEDS, headers });
    for (const url of [FEEDS, `${FEEDS}?radius=30`, '/api/v1/feeds/nowhere', '/api/v1/disruptions/sources']) {
      const reply = await test.app.inject({ url, headers });
      expect([reply.statusCode, reply.json()], url).toEqual([
        429,
        { detail: expect.stringContaining('have used their 3 requests of today') },
      ]);
      expect(reply.headers['retry-after'], url).toBe(String(15 * 3600));
    }
  });

  it('does not exist for enterprise, which gets no such headers', async () => {
    const { key } = await make();
    await test.db.updateTable('api_keys').set({ rate_limit_tier: 'enterprise' }).execute();
    for (let call = 0; call < 5; call++) {
      const { statusCode, headers } = await test.get(FEEDS, key);
      expect([statusCode, headers['ratelimit-policy'], headers['ratelimit']]).toEqual([
        200,
        undefined,
        undefined,
      ]);
    }
  });
});

describe('what a key opens', () => {
  it.each([
    '/api/v1/feeds/',
    '/api/v1/feeds/rail-network',
    '/api/v1/feeds/rail-network/summary',
    '/api/v1/feeds/rail-network/events',
    '/api/v1/disruptions/',
    '/api/v1/disruptions/sources',
    '/api/v1/disruptions/sources/tfl',
    '/api/v1/disruptions/stats',
  ])('%s', async (path) => {
    const { key } = await make();
    expect((await test.get(path, key)).statusCode).toBe(200);
  });

  it('excludes what only administrators may read, even for a key of an administrator', async () => {
    await test.db.updateTable('users').set({ role: 'admin' }).execute();
    const { key } = await make();
    const { collectors } = (await test.get('/api/v1/disruptions/collectors/status', key)).json();
    for (const collector of collectors) expect(collector).not.toHaveProperty('missing_settings');
  });

  it.each([
    ['GET', '/api/v1/auth/me'],
    ['GET', '/api/v1/keys/'],
    ['POST', '/api/v1/keys/'],
    ['POST', '/api/v1/analytics/events'],
  ] as const)('excludes %s %s, in words', async (method, url) => {
    const { key } = await make();
    for (const bearer of [key, 'cw_live_unknown']) {
      const reply = await test.app.inject({ method, url, headers: { authorization: `Bearer ${bearer}` } });
      expect([reply.statusCode, reply.json()]).toMatchObject([
        403,
        {
          detail:
            'An API key cannot do this: it reads events, places, disruptions, feeds and routes. Sign in instead.',
        },
      ]);
    }
  });

  it('is nothing for what is no key', async () => {
    const cases = [
      ['cw_live_7Kq2VnX9bT4mHs8RzY1pLd6WfJ3cGa5E', 'This API key is not valid. It may have been deleted.'],
      ['cw_', 'This API key is not valid. It may have been deleted.'],
      ["cw_'or'1'='1", 'This API key is not valid. It may have been deleted.'],
      ['CW_live_x', 'Your session has ended. Sign in again.'],
      ['', 'Sign in or send a key.'],
    ] as const;
    for (const [bearer, detail] of cases) {
      const reply = await test.get(FEEDS, bearer);
      expect([reply.statusCode, reply.json()], bearer).toMatchObject([401, { detail }]);
      expect(reply.headers['www-authenticate'], bearer).toMatch(/^Bearer/);
    }
  });

  it('ends at once when the owner is disabled, and for good when the owner is deleted', async () => {
    const { key } = await make();
    const status = async () => (await test.get(FEEDS, key)).statusCode;
    const active = (is_active: number) => test.db.updateTable('users').set({ is_active }).execute();

    expect(await status()).toBe(200);
    await active(0);
    expect(await status()).toBe(401);
    await active(1);
    expect(await status()).toBe(200);
    await test.db.deleteFrom('users').execute();
    expect(await status()).toBe(401);
  });
});
