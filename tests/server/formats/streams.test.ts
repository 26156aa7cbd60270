import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Filter, NewSecretAddress } from '#contract/filters.ts';
import type { ApiKey } from '#contract/keys.ts';
import { FILTER_LIMITS } from '#contract/filters.ts';
import { changesSince } from '../../../server/db/changes.ts';
import { cursors } from '../../../server/db/cursors.ts';
import { MATCHER, matches } from '../../../server/db/matches.ts';
import { RING } from '../../../server/formats/streams.ts';
import { openTestApp } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';
import { MINUTE_MS, openFormatsWorld, roads, type FormatsWorld } from './formatsWorld.ts';
import { listen, readStream, type Reading } from './streamReader.ts';

let world: FormatsWorld;
let origin: string;
let readings: Reading[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  world = await openFormatsWorld();
  origin = await listen(world.app);
  readings = [];
});
afterEach(async () => {
  for (const reading of readings) reading.close();
  vi.useRealTimers();
  await world.close();
});

async function read(path = '/api/v1/disruptions.sse', last?: string | number): Promise<Reading> {
  const reading = await readStream(origin + path, {
    token: path.startsWith('/f/') ? undefined : world.key,
    ...(last !== undefined && { last }),
  });
  readings.push(reading);
  return reading;
}

/** A poll of the roads, and the next look at what is new. */
async function change(records: ReturnType<typeof roads>) {
  world.pass(MINUTE_MS);
  await poll(world.db, 'national-highways', records, world.now());
  await vi.advanceTimersByTimeAsync(1000);
}
const worse = () => roads().map((one) => (one.event_id.endsWith('odd') ? { ...one, title: 'Worse' } : one));
const idsOf = ({ events }: Reading) =>
  events.filter(({ event }) => event?.startsWith('disruption.')).map(({ json }) => json.event_id);

it('says hello first, with how far it can be relied on', async () => {
  const reading = await read();
  const hello = await reading.until('hello');
  expect(reading.events[0]).toBe(hello);
  expect(reading.headers['content-type']).toContain('text/event-stream');
  expect(hello.json).toMatchObject({ type: 'hello', complete: true, silent: [] });
  expect(hello.id).toBe(String(hello.json.batch));
});

it('sends how incidents begin, change and end, with the batch as id', async () => {
  const reading = await read();
  const hello = await reading.until('hello');
  await change([...roads(), record('national-highways:new', { severity: 'high', title: 'M1 closed' })]);
  const began = await reading.until('disruption.began');
  expect(began.json).toMatchObject({
    type: 'disruption.began',
    event_id: 'national-highways:new',
    source_name: 'National Highways',
    severity_to: 'high',
    disruption: { title: 'M1 closed' },
  });
  expect(Number(began.id)).toBeGreaterThan(Number(hello.id));
  expect(String(began.json.attribution)).toContain('Open Government Licence');
  await change(roads());
  expect((await reading.until('disruption.ended')).json).toMatchObject({ event_id: 'national-highways:new' });
});

it('sends only what the filter lets through, as it was or as it is', async () => {
  const reading = await read('/api/v1/disruptions.sse?min_severity=high&feed=roads-uk&hide_unrated=true');
  await reading.until('hello');
  const [m62, works, odd] = roads();
  await change([
    { ...m62!, severity: 'low' },
    { ...works!, title: 'Other works' },
    { ...odd!, title: 'Odder' },
  ]);
  await poll(world.db, 'tfl', [record('tfl:new', { severity: 'critical' })], world.now());
  await change(roads());
  await reading.until('disruption.worse');
  // It got better and so left the filter, and came back.
  expect(idsOf(reading)).toEqual(['national-highways:m62', 'national-highways:m62']);
});

it('beats every 20 seconds, with the batch that is known', async () => {
  const reading = await read();
  await reading.until('hello');
  await vi.advanceTimersByTimeAsync(20_000);
  const beat = await reading.until('beat');
  expect(beat.id).toBe(reading.events[0]!.id);
});

it('says that a source fell silent, and that it is back', async () => {
  const reading = await read('/api/v1/disruptions.sse?feed=roads-uk');
  await reading.until('hello');
  world.pass(180 * MINUTE_MS);
  await vi.advanceTimersByTimeAsync(5000);
  expect((await reading.until('source.stale')).json).toMatchObject({ source: 'national-highways' });
  await change(roads());
  await vi.advanceTimersByTimeAsync(5000);
  expect((await reading.until('source.fresh')).json).toMatchObject({ source: 'national-highways' });
  // Rail is silent too, and not part of this filter.
  expect(reading.events.filter(({ event }) => event === 'source.stale')).toHaveLength(1);
  const late = await read();
  expect((await late.until('hello')).json).toMatchObject({ complete: false });
});

it('begins again, once, where the log has a gap, and goes on from there', async () => {
  const reading = await read();
  await reading.until('hello');
  // Two batches, and the first was deleted before anybody looked.
  await poll(world.db, 'tfl', [record('tfl:lost')], world.now());
  const { batch } = await changesSince(world.db, undefined, 1);
  await poll(world.db, 'tfl', [], world.now());
  await world.db.deleteFrom('changes').where('batch', '<=', batch).execute();
  await vi.advanceTimersByTimeAsync(1000);
  expect((await reading.until('resync')).json).toMatchObject({ batch: batch + 1 });
  await change(worse());
  await reading.until('disruption.changed');
  expect(reading.events.map(({ event }) => event)).toEqual(['hello', 'resync', 'disruption.changed']);
});

it('of what touches a route waits until the matches of a change are known', async () => {
  const made = await world.post(
    '/api/v1/watches',
    {
      kind: 'route',
      name: 'Leeds to Hull',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J26', to: 'J29', sense: 1 }],
    },
    world.token,
  );
  const watch_id = made.json<{ id: string }>().id;
  const matchedUpTo = (batch: number) =>
    world.db.transaction().execute((trx) => cursors(trx).move(MATCHER, batch));
  await matchedUpTo((await changesSince(world.db, undefined, 1)).batch);
  const [all, touching] = [await read(), await read(`/api/v1/disruptions.sse?watch=${watch_id}`)];
  for (const reading of [all, touching]) await reading.until('hello');

  await change([...roads(), record('national-highways:new', { severity: 'high', title: 'M62 blocked' })]);
  await all.until('disruption.began');
  await vi.advanceTimersByTimeAsync(1000);
  expect(idsOf(touching)).toEqual([]);

  const { batch } = await changesSince(world.db, undefined, 1);
  await world.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', watchIds: [watch_id] },
      [
        {
          watch_id,
          subject: 'disruption',
          subject_id: 'national-highways:new',
          level: 'certain',
          why: 'names the M62',
          from_km: 1,
          to_km: 2,
          off_m: null,
        },
      ],
      { at: world.now(), batch, endKind: () => 'ended' },
    ),
  );
  await matchedUpTo(batch);
  await vi.advanceTimersByTimeAsync(1000);
  await touching.until('disruption.began');
  expect(idsOf(touching)).toEqual(['national-highways:new']);
});

describe('with Last-Event-ID', () => {
  it('sends again exactly what was missed', async () => {
    const first = await read();
    const { id } = await first.until('hello');
    first.close();
    await change([...roads(), record('national-highways:a')]);
    await change([...roads(), record('national-highways:a'), record('national-highways:b')]);
    const second = await read(undefined, id!);
    await second.until('disruption.began', 2);
    expect(second.events.map(({ event }) => event)).toEqual([
      'hello',
      'disruption.began',
      'disruption.began',
    ]);
    expect(idsOf(second)).toEqual(['national-highways:a', 'national-highways:b']);
    const third = await read(undefined, second.events[1]!.id!);
    await third.until('disruption.began');
    expect(idsOf(third)).toEqual(['national-highways:b']);
  });

  it('gives a batch its id only with the last of its changes', async () => {
    const reading = await read();
    await reading.until('hello');
    await change([...roads(), record('national-highways:a'), record('national-highways:b')]);
    await reading.until('disruption.began', 2);
    const [one, other] = reading.events.slice(1);
    expect([one!.id, other!.id]).toEqual([undefined, String(other!.json.batch)]);
  });

  it.each([['1'], ['nonsense'], ['999999']])('%s, which is not in the ring, is one resync', async (last) => {
    await change(Array.from({ length: RING }, (_, at) => record(`national-highways:${at}`)));
    const reading = await read(undefined, last);
    const { json, id } = await reading.until('resync');
    expect(json).toMatchObject({ type: 'resync' });
    expect(id).toBe(String(json.batch));
    expect(reading.events.map(({ event }) => event)).toEqual(['hello', 'resync']);
  });

  it('a restarted server still knows what was missed', async () => {
    const first = await read();
    const { id } = await first.until('hello');
    await change(worse());
    const again = await openTestApp({
      open: async () => ({ db: world.db, close: async () => {} }),
    });
    const reading = await readStream(`${await listen(again.app)}/api/v1/disruptions.sse`, {
      token: world.key,
      last: id!,
    });
    await reading.until('disruption.changed');
    expect(idsOf(reading)).toEqual(['national-highways:odd']);
    reading.close();
    await again.app.close();
  });
});

describe('limits', () => {
  const connections = () =>
    new Promise<number>((resolve) => world.app.server.getConnections((_error, count) => resolve(count)));

  it(`are ${FILTER_LIMITS.streamsPerCaller} a key; a closed one frees its place`, async () => {
    for (let at = 0; at < FILTER_LIMITS.streamsPerCaller; at++) await (await read()).until('hello');
    const refused = await read();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    readings[0]!.close();
    await vi.waitUntil(async () => (await read()).status === 200, { timeout: 10_000 });
  });

  it('a caller that takes nothing is cut off, and frees its place', async () => {
    const stuck = await read();
    await stuck.until('hello');
    stuck.pause();
    const long = 'x'.repeat(20_000);
    for (let round = 0; (await connections()) > 0 && round < 30; round++)
      await change(
        Array.from({ length: 40 }, (_, at) =>
          record(`national-highways:${at}`, { title: `${round}`, summary_line: long }),
        ),
      );
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 10_000 });
  });

  it('a key that is deleted ends its streams with the next beat', async () => {
    const reading = await read();
    await reading.until('hello');
    await world.db.deleteFrom('api_keys').execute();
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => reading.isOver(), { timeout: 10_000 });
  });

  it('a key that is deleted gets no further change, not even before the beat', async () => {
    const reading = await read();
    await reading.until('hello');
    const bearer = { authorization: `Bearer ${world.token}` };
    const [key] = (await world.get('/api/v1/keys', world.token)).json<ApiKey[]>();
    await world.app.inject({ method: 'DELETE', url: `/api/v1/keys/${key!.id}`, headers: bearer });
    await change(worse());
    await vi.waitUntil(() => reading.isOver(), { timeout: 10_000 });
    expect(idsOf(reading)).toEqual([]);
  });

  it('a caller that goes while it is admitted frees its place', async () => {
    for (let at = 0; at < 3 * FILTER_LIMITS.streamsPerCaller; at++) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.end(
        `GET /api/v1/disruptions.sse HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.key}\r\nConnection: close\r\n\r\n`,
      );
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.destroy();
    }
    await vi.waitUntil(async () => (await connections()) === 0, { timeout: 10_000 });
    expect((await read()).status).toBe(200);
  });

  it('a refusal of the stream itself is 406 in JSON', async () => {
    const reply = await world.app.inject({
      url: '/api/v1/disruptions.sse',
      headers: { accept: 'application/json', authorization: `Bearer ${world.key}` },
    });
    expect(reply.statusCode).toBe(406);
  });
});

describe('a saved filter', () => {
  const post = (path: string, body?: object) => world.post(`/api/v1/filters${path}`, body, world.token);

  it('streams, also at its secret address, until it is changed or revoked', async () => {
    const { id } = (await post('', { name: 'Roads', query: 'feed=roads-uk' })).json<Filter>();
    const { path } = (await post(`/${id}/address`)).json<NewSecretAddress>();
    const own = await read(`/api/v1/filters/${id}.sse`);
    const secret = await read(`${path}.sse`);
    expect(secret.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    for (const reading of [own, secret]) await reading.until('hello');
    await change(worse());
    for (const reading of [own, secret]) await reading.until('disruption.changed');
    await world.app.inject({
      method: 'DELETE',
      url: `/api/v1/filters/${id}/address`,
      headers: { authorization: `Bearer ${world.token}` },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => secret.isOver(), { timeout: 10_000 });
    expect(own.isOver()).toBe(false);
    await world.app.inject({
      method: 'PATCH',
      url: `/api/v1/filters/${id}`,
      headers: { authorization: `Bearer ${world.token}` },
      payload: { query: 'feed=aviation' },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => own.isOver(), { timeout: 10_000 });
  });

  it('at its secret address ends as well when it is changed', async () => {
    const { id } = (await post('', { name: 'Roads', query: 'feed=roads-uk' })).json<Filter>();
    const { path } = (await post(`/${id}/address`)).json<NewSecretAddress>();
    const secret = await read(`${path}.sse`);
    await secret.until('hello');
    await world.app.inject({
      method: 'PATCH',
      url: `/api/v1/filters/${id}`,
      headers: { authorization: `Bearer ${world.token}` },
      payload: { query: 'feed=aviation' },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => secret.isOver(), { timeout: 10_000 });
  });
});
