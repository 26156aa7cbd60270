import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditTrail, MergeList } from '#contract/accounts/admin.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { factsOf } from '../../../support/facts.ts';

const MERGES = '/api/v1/admin/merges';
const PAIR = { one: 'met-police:p', other: 'national-highways:n' };

let test: TestApp;
let token: string;

const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const list = async () => (await call('GET', MERGES)).json<MergeList>();

beforeEach(async () => {
  test = await openTestApp();
  const admin = await test.addUser({ email: 'ada@clearway.example', role: 'admin' });
  token = (await test.signIn(admin)).access_token;
  const facts = factsOf({
    effect: 'closed',
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
  });
  const common = { event_type: 'road.closure', facts };
  const now = test.now();
  await poll(test.db, 'national-highways', [record('national-highways:n', common)], now);
  await poll(test.db, 'met-police', [record('met-police:p', { ...common, title: 'M62 closed' })], now);
});
afterEach(() => test.close());

it('says which alerts count as one incident, and why', async () => {
  expect(await list()).toMatchObject({
    merges: [{ also: [{ why: 'Both name the M62, J26 to J27. They began together.' }] }],
    splits: [],
    total: 1,
  });
});

it('keeps two apart, and takes it back, both in the audit trail', async () => {
  expect((await call('POST', `${MERGES}/splits`, PAIR)).statusCode).toBe(204);
  expect(await list()).toMatchObject({ merges: [], splits: [PAIR], total: 0 });

  expect((await call('POST', `${MERGES}/splits/undo`, PAIR)).statusCode).toBe(204);
  expect(await list()).toMatchObject({ splits: [], total: 1 });
  const trail = (await call('GET', '/api/v1/admin/audit')).json<AuditTrail>();
  expect(trail.entries.map(({ action }) => action).toSorted()).toEqual(['alerts.merged', 'alerts.split']);
});

it.each([
  ['/splits', { ...PAIR, other: 'met-police:gone' }, 404, /no such alert/],
  ['/splits', { ...PAIR, other: PAIR.one }, 422, /two different/],
  ['/splits', { one: PAIR.one }, 422, /other/],
  ['/splits/undo', PAIR, 404, /not kept apart/],
])('refuses %s %j', async (path, body, status, words) => {
  const reply = await call('POST', `${MERGES}${path}`, body);
  expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
    status,
    expect.stringMatching(words),
  ]);
});
