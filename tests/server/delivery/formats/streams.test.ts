import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewSharedAddress } from '#contract/watches/sharing.ts';
import type { Watch } from '#contract/watches/watches.ts';
import type { ApiKey } from '#contract/accounts/keys.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import { FORMAT_LIMITS } from '#contract/watches/formats.ts';
import { changesSince } from '../../../../server/db/changeLog.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { split, unsplit } from '../../../../server/incidents/merging/mergedIdentity.ts';
import { MATCHER, matches } from '../../../../server/watches/matching/matchStore.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { RING, streams } from '../../../../server/delivery/formats/streams.ts';
import { factsOf } from '../../../support/facts.ts';
import { openTestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
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

/** A poll of the roads, and the stream's next check for changes. */
async function change(records: ReturnType<typeof roads>) {
  world.pass(MINUTE_MS);
  await poll(world.db, 'national-highways', records, world.now());
  await vi.advanceTimersByTimeAsync(1000);
}
const worse = () => roads().map((one) => (one.event_id.endsWith('odd') ? { ...one, title: 'Worse' } : one));
/** The reply of a stream whose far end only listens. */
const NEVER_SENT = {
  isConnected: true,
  lastEventId: null,
  keepAlive() {},
  onClose() {},
  send: async () => {},
  close() {},
};
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

it('applied to an old list gives the new list, while two reports are one incident and two again', async () => {
  const facts = factsOf({
    place: 'M62 eastbound, J26 to J27',
    effect: 'closed',
    roads: ['M62'],
    stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
    direction: 'E',
  });
  const said = { facts, start_time: '2026-11-21T11:31:00.000Z' };
  const official = record('national-highways:one', {
    ...said,
    severity: 'medium',
    event_type: 'road.closure',
  });
  const other = record('tfl:one', {
    ...said,
    start_time: '2026-11-21T11:43:00.000Z',
    severity: 'critical',
    event_type: 'road.closure',
    facts: { ...facts, stretch: [{ road: 'M62', from: 'J30', to: 'J31' }] },
  });
  type One = { event_id: string; severity: string; metadata: { also_reported_by?: unknown } };
  const brief = ({ event_id, severity, metadata }: One) => [event_id, severity, metadata.also_reported_by];
  const read200 = async () => (await world.ask('/disruptions/?limit=200')).json<{ events: One[] }>();
  await change([...roads(), official]);
  await poll(world.db, 'tfl', [other], world.now());
  const list = new Map((await read200()).events.map((one) => [one.event_id, one]));
  const reading = await read();
  await reading.until('hello');

  const pair: [string, string] = ['national-highways:one', 'tfl:one'];
  const isNow = async (kinds: string[]) => {
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitFor(() => expect(kindsOf(reading)).toEqual(kinds));
    list.clear();
    for (const one of start) list.set(one.event_id, one);
    for (const { event, json } of reading.events) {
      if (!event?.startsWith('disruption.')) continue;
      list.delete(json.event_id as string);
      const disruption = json.disruption as One | null;
      if (disruption && !/ended|lost/.test(event)) list.set(disruption.event_id, disruption);
    }
    const now = (await read200()).events.map(brief);
    expect([...list.values()].map(brief)).toEqual(expect.arrayContaining(now));
    expect(list.size).toBe(now.length);
  };
  const start = [...list.values()];
  await poll(world.db, 'tfl', [{ ...other, facts }], world.now());
  await isNow(['merged', 'worse']);
  expect(reading.events.at(-2)?.json).toMatchObject({
    event_id: 'tfl:one',
    other_id: 'national-highways:one',
    disruption: { event_id: 'national-highways:one', severity: 'critical' },
  });
  await world.db.transaction().execute((trx) => split(trx, pair, world.now()));
  await isNow(['merged', 'worse', 'split', 'better']);
  await world.db.transaction().execute(async (trx) => void (await unsplit(trx, pair, world.now())));
  await isNow(['merged', 'worse', 'split', 'better', 'merged', 'worse']);
  // The one whose id it has ends first.
  await change(roads());
  await isNow(['merged', 'worse', 'split', 'better', 'merged', 'worse', 'merged']);
});
const kindsOf = ({ events }: Reading) =>
  events.flatMap(({ event }) => (event?.startsWith('disruption.') ? event.slice('disruption.'.length) : []));

/** Applies changes to a list as docs/api.md says. */
function applied({ events }: Reading, list: readonly string[]): string[] {
  const ids = new Set(list);
  for (const { event, json } of events) {
    if (!event?.startsWith('disruption.')) continue;
    const { disruption } = json as { disruption: { event_id: string } | null };
    ids.delete(json.event_id as string);
    if (json.in_filter && disruption) ids.add(disruption.event_id);
  }
  return [...ids];
}

it('says that a rail operator is running again', async () => {
  const operator = record('tfl:op', { event_type: 'rail.operator_status', title: 'Minor delays' });
  await poll(world.db, 'tfl', [operator], world.now());
  const reading = await read();
  await reading.until('hello');
  world.pass(MINUTE_MS);
  await poll(world.db, 'tfl', [{ ...operator, kind: 'status', title: 'Good service' }], world.now());
  await change(worse());
  await reading.until('disruption.changed');
  expect(kindsOf(reading)).toEqual(['ended', 'changed']);
  expect(reading.events[1]!.json).toMatchObject({ event_id: 'tfl:op', in_filter: false });
});

describe('an incident that leaves the filter by its words', () => {
  const storm = (title: string) => [...roads(), record('national-highways:wind', { title })];

  it('is sent once, as no longer in the filter', async () => {
    await change(storm('Gusts of 60 mph'));
    const [one, other] = [
      await read('/api/v1/disruptions.sse?q=gusts of 6'),
      await read('/api/v1/disruptions.sse?q=gusts of 6'),
    ];
    for (const reading of [one, other]) await reading.until('hello');
    await change(storm('Gusts of 50 mph'));
    await change(storm('Gusts of 40 mph'));
    await change(storm('Gusts of 65 mph'));
    for (const reading of [one, other]) {
      await reading.until('disruption.changed', 2);
      expect(reading.events.slice(1).map(({ json }) => json.in_filter)).toEqual([false, true]);
      expect(applied(reading, [])).toEqual(['national-highways:wind']);
    }
  });

  it('is sent to a stream that was away meanwhile, unless it has just begun', async () => {
    await change(storm('Gusts of 60 mph'));
    const first = await read('/api/v1/disruptions.sse?q=gusts of 6');
    const { id } = await first.until('hello');
    first.close();
    await change([...storm('Gusts of 50 mph'), record('national-highways:new')]);
    const again = await read('/api/v1/disruptions.sse?q=gusts of 6', id!);
    await again.until('disruption.changed');
    await change(storm('Gusts of 66 mph'));
    await again.until('disruption.changed', 2);
    expect(idsOf(again)).toEqual(['national-highways:wind', 'national-highways:wind']);
    expect(again.events[1]!.json).toMatchObject({ in_filter: false, disruption: null });
    expect(applied(again, ['national-highways:wind'])).toEqual(['national-highways:wind']);
  });

  it('is sent even if the log had a gap', async () => {
    const reading = await read('/api/v1/disruptions.sse?q=gusts of 6');
    await reading.until('hello');
    await poll(world.db, 'national-highways', storm('Gusts of 60 mph'), world.now());
    const { batch } = await changesSince(world.db, undefined, 1);
    await poll(world.db, 'tfl', [], world.now());
    await world.db.deleteFrom('changes').where('batch', '<=', batch).execute();
    await vi.advanceTimersByTimeAsync(1000);
    await reading.until('resync');
    await change(storm('Gusts of 50 mph'));
    expect((await reading.until('disruption.changed')).json).toMatchObject({
      event_id: 'national-highways:wind',
      in_filter: false,
    });
  });
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

it('begins again once if the log has a gap, and goes on from there', async () => {
  const reading = await read();
  await reading.until('hello');
  // There are two batches, and the first was deleted before anybody looked.
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

it('waits until the matches of a change are known, if the filter has a route', async () => {
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

  // Its words change, and it no longer touches the route.
  await change([...roads(), record('national-highways:new', { severity: 'high', title: 'M606 blocked' })]);
  const changed = (await changesSince(world.db, undefined, 1)).batch;
  await world.db.transaction().execute((trx) =>
    matches(trx).settle({ subject: 'disruption', watchIds: [watch_id] }, [], {
      at: world.now(),
      batch: changed,
      endKind: () => 'ended',
    }),
  );
  await matchedUpTo(changed);
  await vi.advanceTimersByTimeAsync(1000);
  expect((await touching.until('disruption.changed')).json).toMatchObject({ in_filter: false });
  expect(applied(touching, [])).toEqual([]);
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

  it('an id from another database that is still to come gives one resync', async () => {
    await change(worse());
    const reading = await read(undefined, '999999');
    await reading.until('resync');
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

  it(`are ${FORMAT_LIMITS.streamsPerCaller} a key; a closed one frees its place`, async () => {
    for (let at = 0; at < FORMAT_LIMITS.streamsPerCaller; at++) await (await read()).until('hello');
    const refused = await read();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    readings[0]!.close();
    await vi.waitUntil(async () => (await read()).status === 200, { timeout: 10_000 });
  });

  it('a stream ends with the next beat when its owner is moved to another team', async () => {
    await world.close();
    world = await openFormatsWorld({ config: { teams: 'many' } });
    origin = await listen(world.app);
    const reading = await read();
    await reading.until('hello');
    await vi.advanceTimersByTimeAsync(20_000);
    await reading.until('beat');
    expect(reading.isOver()).toBe(false);
    const other = await teams(world.db, 'many').create('Others', world.now());
    const { id } = await world.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await teams(world.db, 'many').put(id, other.id, 'member', world.now());
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => reading.isOver(), { timeout: 10_000 });
  });

  const askFor = (mode: TeamMode, sse: object = NEVER_SENT) => {
    const { db, now } = world;
    const open = streams({ db, config: { teams: mode }, collectors: [], now });
    const ask = (teamId: string, caller: string) =>
      open.open({ sse } as never, {
        caller,
        teamId,
        mayStill: async () => true,
        conditions: {} as never,
        asked: { whenever: {}, when: null, sources: [] } as never,
      });
    return Object.assign(ask, { count: open.count });
  };

  it('the only team of a server may hold all of them', async () => {
    const ask = askFor('one');
    for (let at = 0; at < FORMAT_LIMITS.streamsPerNode; at++) await ask('everyone', `user:${at}`);
    await expect(ask('everyone', 'user:one more')).rejects.toMatchObject({ status: 503 });
  });

  it('one team cannot take all streams, whoever of it asks; another team still has a place', async () => {
    const ask = askFor('many');
    for (let at = 0; at < FORMAT_LIMITS.streamsPerTeam; at++) await ask('ours', `user:${at}`);
    await expect(ask('ours', 'user:one more')).rejects.toMatchObject({ status: 429 });
    await expect(ask('theirs', 'user:theirs')).resolves.toBeUndefined();
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

  it('a key that is deleted gets no further change, even before the beat', async () => {
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
    for (let at = 0; at < 3 * FORMAT_LIMITS.streamsPerCaller; at++) {
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

  it('a caller that goes while its list is read is no stream', async () => {
    let looks = 0;
    const ask = askFor('one', {
      ...NEVER_SENT,
      get isConnected() {
        return looks++ === 0;
      },
    });
    await ask('everyone', 'user:gone');
    expect(ask.count()).toBe(0);
  });

  it('a stream that fails before it begins frees its place', async () => {
    const { schema } = world.db;
    await schema.alterTable('cursors').renameTo('away').execute();
    for (let at = 0; at < FORMAT_LIMITS.streamsPerCaller; at++) expect((await read()).status).toBe(500);
    await schema.alterTable('away').renameTo('cursors').execute();
    await vi.waitUntil(async () => (await read()).status === 200, { timeout: 10_000 });
  });

  it('a refusal of the stream itself is 406 in JSON', async () => {
    const reply = await world.app.inject({
      url: '/api/v1/disruptions.sse',
      headers: { accept: 'application/json', authorization: `Bearer ${world.key}` },
    });
    expect(reply.statusCode).toBe(406);
  });
});

describe('feeds that a team watches', () => {
  const make = async (more: object = {}) => {
    const asked = { kind: 'feeds', made_by: 'feeds', which: { feeds: ['roads-uk'] }, ...more };
    const made = await world.post('/api/v1/watches', asked, world.token);
    expect(made.statusCode, made.body).toBe(201);
    return made.json<Watch>();
  };
  const secretOf = async (watch_id: string) =>
    (await world.post('/api/v1/addresses', { watch_id, form: 'sse' }, world.token)).json<NewSharedAddress>();
  const edit = async ({ id, rev }: Watch) => {
    const { access_token } = await world.signIn();
    const reply = await world.app.inject({
      method: 'PATCH',
      url: `/api/v1/watches/${id}`,
      headers: { authorization: `Bearer ${access_token}`, 'if-match': String(rev) },
      payload: { which: { feeds: ['aviation'] } },
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };

  it('stream, even at their secret address, until they are changed or it is ended', async () => {
    const made = await make();
    const { id, path } = await secretOf(made.id);
    const own = await read(`/api/v1/watches/${made.id}.sse`);
    const secret = await read(path);
    expect(secret.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    for (const reading of [own, secret]) await reading.until('hello');
    await change(worse());
    for (const reading of [own, secret]) await reading.until('disruption.changed');
    await world.app.inject({
      method: 'DELETE',
      url: `/api/v1/addresses/${id}`,
      headers: { authorization: `Bearer ${world.token}` },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => secret.isOver(), { timeout: 10_000 });
    expect(own.isOver()).toBe(false);
    await edit(made);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => own.isOver(), { timeout: 10_000 });
  });

  it('end at their secret address as well when they are changed', async () => {
    const made = await make();
    const secret = await read((await secretOf(made.id)).path);
    await secret.until('hello');
    await edit(made);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitUntil(() => secret.isOver(), { timeout: 10_000 });
  });

  it('say when their hours begin and end that the list is another one, and nothing in between', async () => {
    // It is 09:00 on a Saturday.
    const made = await make({ when: { days: 127, from: '08:00', to: '09:30' } });
    const own = await read(`/api/v1/watches/${made.id}.sse`);
    await own.until('hello');
    world.pass(30 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(1000);
    await own.until('resync');
    await change(worse());
    expect((await world.ask(`/watches/${made.id}.json`)).json()).toMatchObject({ total: 0, watching: false });
    world.pass(23 * 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(1000);
    await own.until('resync', 2);
    expect(
      own.events.map(({ event }) => event ?? '').filter((event) => event.startsWith('disruption')),
    ).toEqual([]);
    await change(roads());
    await own.until('disruption.changed');
  });
});
