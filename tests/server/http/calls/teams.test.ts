import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Refusal } from '#contract/errors.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { openWorld, type Caller, type World } from '../../callers.ts';
import { poll, record } from '../../feedsWorld.ts';

const { watchRequest } = example;

/** Words that nobody outside the team may read anywhere. */
const SECRET_NAME = 'Secret way to Gatwick';
const SECRET_CLOCK = '04:47';
const SECRET_WHY = 'names the M23, which is secret';

let world: World;
let secret: Watch;
let outsider: string;
let outsiderAdmin: string;

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  token: string,
  payload?: object,
) =>
  world.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, 'if-match': '1' },
    ...(payload && { payload }),
  });

beforeAll(async () => {
  world = await openWorld();
  const now = world.now();
  await poll(world.db, 'national-highways', [record('national-highways:a', { title: 'M62 closed' })], now);
  const owner = (await world.credential('User'))!;
  const reply = await call('POST', '/api/v1/watches', owner, {
    ...watchRequest,
    name: SECRET_NAME,
    departures: [{ ...watchRequest.departures[0]!, at_local: SECRET_CLOCK }],
  });
  secret = reply.json<Watch>();
  await world.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', all: true },
      [
        {
          watch_id: secret.id,
          subject: 'disruption',
          subject_id: 'national-highways:a',
          level: 'certain',
          why: SECRET_WHY,
          from_km: 0,
          to_km: 1,
          off_m: 4,
        },
      ],
      { at: now, batch: 1, endKind: () => 'ended' },
    ),
  );
  const member = await world.newUser();
  const { id } = await teams(world.db, 'many').create('The other team', now);
  await teams(world.db, 'many').put(member.id, id, 'lead', now);
  outsider = (await world.signIn(member)).access_token;
  outsiderAdmin = (await world.credential('Administrator'))!;
});
afterAll(() => world.close());

it('the team itself reads it, by session and by key', async () => {
  for (const caller of ['User', 'API key'] satisfies Caller[]) {
    const { body } = await call('GET', '/api/v1/watches', (await world.credential(caller))!);
    expect(body).toContain(SECRET_NAME);
    expect(body).toContain(SECRET_CLOCK);
    expect(body).toContain(SECRET_WHY);
  }
});

it('for another team its ids do not exist, in any call, even for administrators', async () => {
  const calls = [
    ['GET', ''],
    ['GET', '/matches'],
    ['GET', '/explain/national-highways:a'],
    ['PATCH', '', { name: 'Taken over' }],
    ['POST', '/feedback', { subject_id: 'national-highways:a', verdict: 'not_ours' }],
    ['DELETE', ''],
    ['POST', '/restore'],
  ] as const;
  for (const token of [outsider, outsiderAdmin]) {
    for (const [method, rest, payload] of calls) {
      const [theirs, nobodys] = await Promise.all(
        [secret.id, 'does-not-exist'].map((id) =>
          call(method, `/api/v1/watches/${id}${rest}`, token, payload),
        ),
      );
      const same = { ...nobodys!.json<Refusal>(), request_id: expect.any(String) };
      expect([theirs!.statusCode, theirs!.json()], `${method} ${rest}`).toEqual([404, same]);
      expect(nobodys!.statusCode).toBe(404);
    }
    expect((await call('GET', '/api/v1/watches', token)).json()).toMatchObject({
      watches: [],
      total: 0,
      incidents: [],
      events: [],
      sources: [],
    });
  }
  expect(await world.db.selectFrom('match_feedback').selectAll().execute()).toEqual([]);
});

it('does not let another team restore what this one deleted', async () => {
  const owner = (await world.credential('User'))!;
  const { id } = (await call('POST', '/api/v1/watches', owner, watchRequest)).json<Watch>();
  await call('DELETE', `/api/v1/watches/${id}`, owner);
  for (const token of [outsider, outsiderAdmin])
    expect((await call('POST', `/api/v1/watches/${id}/restore`, token)).statusCode).toBe(404);
  expect((await call('GET', `/api/v1/watches/${id}`, owner)).statusCode).toBe(404);
  expect((await call('POST', `/api/v1/watches/${id}/restore`, owner)).statusCode).toBe(200);
  await call('DELETE', `/api/v1/watches/${id}`, owner);
});

it('a change of one team does not change the answer of another, nor its tag', async () => {
  const before = (await call('GET', '/api/v1/watches', outsider)).headers.etag;
  const owner = (await world.credential('User'))!;
  const { id } = (await call('POST', '/api/v1/watches', owner, watchRequest)).json<Watch>();
  expect((await call('GET', '/api/v1/watches', outsider)).headers.etag).toBe(before);
  await call('DELETE', `/api/v1/watches/${id}`, owner);
});

it('no answer to another caller holds anything of it', async () => {
  const display = (await world.credential('Display'))!;
  for (const [path, operation] of await world.operations()) {
    const [method, url] = path.split(' ', 2) as [string, string];
    if (method !== 'GET' || url.includes('{')) continue;
    if ((operation.parameters ?? []).some(({ required }) => required)) continue;
    for (const token of [outsider, outsiderAdmin, display]) {
      const { body } = await call('GET', url, token);
      for (const word of [SECRET_NAME, SECRET_CLOCK, SECRET_WHY, secret.id])
        expect(body, `${path} has ${word}`).not.toContain(word);
    }
  }
});

it('nothing of it except its id is in the log, the usage figures and the audit trail', async () => {
  const rows = await Promise.all(
    (['usage_events', 'api_calls', 'audit_trail', 'summaries', 'summary_versions'] as const).map((table) =>
      world.db.selectFrom(table).selectAll().execute(),
    ),
  );
  for (const word of [SECRET_NAME, SECRET_CLOCK, SECRET_WHY]) {
    expect(world.logged()).not.toContain(word);
    expect(JSON.stringify(rows)).not.toContain(word);
  }
});

it('everything that a team had is deleted with it', async () => {
  const counted = async () =>
    Promise.all(
      (['watches', 'departures', 'matches', 'match_feedback'] as const).map(async (table) => {
        const { count } = await world.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    );
  const owner = (await world.credential('User'))!;
  await call('POST', `/api/v1/watches/${secret.id}/feedback`, owner, { subject_id: 'x', verdict: 'missed' });
  const [kept, departures, found, said] = await counted();
  expect([kept! > 0, departures! > 0, found, said]).toEqual([true, true, 1, 1]);

  const team = (await call('GET', '/api/v1/team', owner)).json<{ id: string }>();
  expect((await call('DELETE', `/api/v1/admin/teams/${team.id}`, outsiderAdmin)).statusCode).toBe(204);
  expect(await counted()).toEqual([0, 0, 0, 0]);
});
