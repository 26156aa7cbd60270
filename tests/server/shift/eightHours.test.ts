/** Actions that a page sends after eight hours without a network, in the form of
 *  tests/src/shift/inHand/sendActions.test.ts. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LoggedAction, ResponseList } from '#contract/shift/responses.ts';
import { startLapses } from '../../../server/shift/lapseWorker.ts';
import { openTestApp, type TestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';

const SOURCE = 'national-highways';
const MINUTE = 60_000;
const id = (number: number) => `${SOURCE}:${number}`;
const pathOf = (number: number) => `/api/v1/responses/${encodeURIComponent(id(number))}`;

let test: TestApp;

beforeEach(async () => {
  test = await openTestApp();
  await test.addUser({ id: 'rosa', display_name: 'Rosa Jones' });
  await test.addUser({ id: 'sam', display_name: 'Sam Lee', email: 'sam@coaches.example' });
  await listed(new Map());
});
afterEach(() => test.close());

/** All 20, except those that are graver or gone by now. */
const listed = (changed: ReadonlyMap<number, 'critical' | null>) =>
  poll(
    test.db,
    SOURCE,
    Array.from({ length: 20 }, (_, number) => number)
      .filter((number) => changed.get(number) !== null)
      .map((number) => record(id(number), { severity: changed.get(number) ?? 'high' })),
    test.now(),
  );

interface Action {
  number: number;
  rev: number;
  method: 'PUT' | 'DELETE' | 'POST';
  body: Record<string, unknown>;
}

async function send(token: string, { number, rev, method, body }: Action) {
  const reply = await test.app.inject({
    method,
    url: method === 'POST' ? `${pathOf(number)}/notes` : pathOf(number),
    headers: { authorization: `Bearer ${token}`, 'if-match': String(rev) },
    payload: body,
  });
  return { status: reply.statusCode, ...reply.json<{ detail?: string }>() };
}

it('takes 20 actions of eight hours in their order, each once, and says why some are stale', async () => {
  const lapses = startLapses({ db: test.db, now: test.now, log: test.app.log, owner: 'one' });
  await lapses.changed();
  const waiting: Action[] = [];
  const does = (number: number, doing: object, { method = 'PUT' as Action['method'], rev = 0 } = {}) => {
    waiting.push({ number, rev, method, body: { id: randomUUID(), at: test.now().toISOString(), ...doing } });
    test.pass(20 * MINUTE);
  };
  const take = { disposition: 'diverted', severity: 'high' };
  for (let number = 0; number < 17; number++)
    if (number === 5) does(number, { text: 'Told the driver' }, { method: 'POST' });
    else does(number, take);
  does(0, {}, { method: 'DELETE', rev: 1 });
  does(17, { snooze: '30_min', severity: 'high' });
  does(18, take);
  expect(waiting).toHaveLength(20);

  // Meanwhile Sam was first about two of them, one is graver, and one has ended.
  const sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
  for (const number of [3, 7]) {
    const body = { id: randomUUID(), disposition: 'watching' };
    expect(await send(sam, { number, rev: 0, method: 'PUT', body })).toMatchObject({ status: 200 });
  }
  await listed(
    new Map([
      [9, 'critical'],
      [11, null],
    ]),
  );
  await lapses.changed();
  test.pass(100 * MINUTE);

  const rosa = (await test.signIn()).access_token;
  // The answer to the first is lost on its way: the action is sent again.
  await send(rosa, waiting[0]!);
  const answers = [];
  for (const action of waiting) answers.push({ number: action.number, ...(await send(rosa, action)) });
  await lapses.changed();
  await lapses.stop();
  expect(
    answers
      .filter(({ status }) => status >= 300)
      .map(({ number, status, detail }) => [number, status, detail]),
  ).toEqual([
    [3, 409, 'Sam Lee acknowledged this at 15:40.'],
    [7, 409, 'Sam Lee acknowledged this at 15:40.'],
  ]);

  const { responses } = (await test.get('/api/v1/responses', rosa)).json<ResponseList>();
  const state = new Map(responses.map((one) => [one.event_id, one]));
  expect(state.get(id(0))).toMatchObject({ disposition: null, rev: 2 });
  // The time is that of the action, not of its arrival.
  expect(state.get(id(1))).toMatchObject({
    disposition: 'diverted',
    by: { name: 'Rosa Jones' },
    at: '2026-11-21T09:20:00.000Z',
    rev: 1,
  });
  expect(state.get(id(3))).toMatchObject({ disposition: 'watching', by: { name: 'Sam Lee' } });
  // It got worse after it was taken in hand: the acknowledgement is known, and no longer counts.
  expect(state.get(id(9))).toMatchObject({ disposition: 'diverted', lapsed: 'worse' });

  const logs = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const reply = await test.get(pathOf(number), rosa);
      return reply.json<{ log?: LoggedAction[] }>().log ?? [];
    }),
  );
  const own = logs.flat().filter(({ by }) => by?.name === 'Rosa Jones');
  expect(own.map((one) => one.id).toSorted()).toEqual(
    waiting
      .filter(({ number }) => number !== 3 && number !== 7)
      .map(({ body }) => body['id'])
      .toSorted(),
  );
  for (const { at, received_at } of own) expect(at < received_at).toBe(true);
});
