import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { chunks } from '../../../../server/db/batches.ts';
import { events } from '../../../../server/geography/events/events.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import type { Tables } from '../../../../server/db/schema.ts';
import { channels, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import type { Operation } from '../../../../server/calls/reference/openapi.ts';
import { type Cost, COSTS, ISSUES_MAX } from '../../../../server/http/calls/costs.ts';
import { type Caller, openWorld, type World } from '../../callers.ts';
import { event } from '../../geography/events/import/oneEvent.ts';
import { poll, record } from '../../feedsWorld.ts';
import { callInputs, type Inputs } from './callInputs.ts';

/** Size of an answer that only refuses. */
const REFUSAL_BYTES = 64 * 1024;
const IN_FORCE = 1500;
const ENDED = 8000;
const HELD = 3000;
const AREAS = 100;
/** Briefs and channels of all other teams. */
const OTHERS = 2500;
const DAY = 24 * 60 * 60_000;

const costs = new Map<string, Cost>();
let world: World;
let inputs: Inputs;
/** The figures of each call. The streams check for changes by a timer, which may run during any of them. */
const reading = new AsyncLocalStorage<{ rows: number }>();

beforeAll(async () => {
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const call = reading.getStore();
      if (call) call.rows += result.rows.length;
      return result;
    },
  };
  world = await openWorld({
    open: async () => {
      const { db, close } = await openMemoryDatabase();
      return { db: db.withPlugin(counting), close };
    },
    routes: (app) => {
      app.addHook('onRoute', ({ method, url, config }) => {
        if (method !== 'HEAD' && config?.who)
          costs.set(`${String(method)} ${documented(url)}`, config.costs ?? 'little');
      });
    },
  });
  inputs = callInputs(world);
  await events(world.db).store({ source: 'hall', arriving: [event()], now: world.now() });
  await poll(world.db, 'met-police', [record('met-police:one')], world.now());
  await poll(world.db, 'tfl', [record('tfl:central'), ...inForce()], world.now());
  await remember(world.db);
}, 120_000);
afterAll(() => world.close());

const documented = (url: string) =>
  url
    .replace(/:(\w+)/g, '{$1}')
    .replace('*', '{event_id}')
    .replace(/(?<=.)\/$/, '');

const inForce = () =>
  Array.from({ length: IN_FORCE }, (_, n) => record(`tfl:now ${n}`, { latitude: 53.8, longitude: -1.5 }));

/** Two weeks of ended incidents, changes, matches and messages. */
async function remember(db: Db): Promise<void> {
  const at = (n: number, of: number, days: number) =>
    new Date(world.now().getTime() - Math.floor((n * days * DAY) / of)).toISOString();
  const one = await db
    .selectFrom('disruptions')
    .selectAll()
    .where('event_id', '=', 'tfl:central')
    .executeTakeFirstOrThrow();
  const ended = Array.from({ length: ENDED }, (_, n) => {
    const time = at(n, ENDED, 14);
    return { ...one, event_id: `tfl:then ${n}`, first_seen_at: time, version_seen_at: time, ended_at: time };
  });
  for (const values of chunks(ended, 500)) await db.insertInto('disruptions').values(values).execute();
  const changed = ended.toReversed().flatMap(({ event_id, ended_at }) =>
    (['began', 'worse', 'better', 'ended'] as const).map((kind) => ({
      at: ended_at,
      event_id,
      source: 'tfl',
      kind,
      severity_from: 'high' as const,
      severity_to: 'critical' as const,
      phase_to: 'active' as const,
      other_id: null,
    })),
  );
  await db.deleteFrom('changes').execute();
  const logged = changed.map((change, n) => ({ ...change, batch: n + 1, n: 0 }));
  for (const values of chunks(logged, 1000)) await db.insertInto('changes').values(values).execute();
  await db.updateTable('revisions').set({ value: logged.length }).where('name', '=', 'changes').execute();

  const rosa = (await users(db).byEmail('rosa@coaches.example'))!;
  const team = await teams(db, 'many').of(rosa.id, world.now());
  const { id: _, ...watch } = await db
    .selectFrom('watches')
    .selectAll()
    .where('id', '=', (await world.newWatch('User')).id)
    .executeTakeFirstOrThrow();
  const watches = Array.from({ length: AREAS }, (_, n): typeof watch & { id: string } => ({
    ...watch,
    id: `area ${n}`,
    name: `Area ${n}`,
  }));
  await db.insertInto('watches').values(watches).execute();
  const ids = [...ended.slice(0, IN_FORCE).map(({ event_id }) => event_id), 'tfl:central'];
  const matches = ids.flatMap((subject_id, n): Tables['matches'][] =>
    watches.slice(0, 4).map(({ id }) => ({
      watch_id: id,
      subject: 'disruption',
      subject_id,
      began_at: at(n, ids.length, 3),
      level: 'certain',
      why: 'names the M62',
      from_km: 1,
      to_km: 2,
      off_m: 1,
      batch: 1,
      ended_at: n < IN_FORCE ? at(n, ids.length, 3) : null,
      end_kind: null,
    })),
  );
  for (const values of chunks(matches, 500)) await db.insertInto('matches').values(values).execute();

  const other = await teams(db, 'many').create('Airport coaches', world.now());
  const briefs = Array.from({ length: OTHERS }, (_, n): Tables['briefs'] => ({
    id: `brief ${n}`,
    team_id: other.id,
    name: `Brief ${n}`,
    days: 127,
    times: '["06:00"]',
    about: 'jobs',
    watch_ids: null,
    horizon: 'today',
    user_ids: null,
    channel_ids: '[]',
    created_by: null,
    created_at: at(n, OTHERS, 14),
    updated_by: null,
    updated_at: at(n, OTHERS, 14),
    rev: 1,
  }));
  for (const values of chunks(briefs, 500)) await db.insertInto('briefs').values(values).execute();
  await channels(db).add(
    {
      id: 'theirs',
      team_id: other.id,
      user_id: null,
      kind: 'slack',
      name: 'Theirs',
      address: '',
      address_hash: 'theirs',
      state: 'working',
      what: { alerts: true, changes: false, digest: false, brief: true },
    },
    STANDARD,
    world.now(),
  );
  const theirs = await db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', 'theirs')
    .executeTakeFirstOrThrow();
  const more = Array.from({ length: OTHERS }, (_, n) => ({ ...theirs, id: `${n}`, address_hash: `${n}` }));
  for (const values of chunks(more, 500)) await db.insertInto('channels').values(values).execute();

  const token = await world.credential('User');
  await world.get('/api/v1/messages', token);
  const messages = Array.from({ length: HELD }, (_, n): Tables['messages'] => ({
    id: `msg_${n}`,
    channel_id: n % 3 === 0 ? `app-${rosa.id}` : null,
    watch_id: `area ${n % AREAS}`,
    bundle: `bundle ${n}`,
    created_at: at(n, HELD, 3),
    body: JSON.stringify({ ...BODY, title: `Message ${n}` }),
    reason: 'Held: below your threshold',
    state: n % 3 === 0 ? 'sent' : 'held',
    attempts: 0,
    next_at: null,
    last_status: null,
    valid_until: at(n, HELD, 3),
    sent_at: null,
    seen_at: null,
    about: null,
    place: null,
    team_id: n % 3 === 0 ? null : team.id,
  }));
  for (const values of chunks(messages, 500)) await db.insertInto('messages').values(values).execute();
}

const BODY = {
  kind: 'alert',
  text: 'Leeds to Hull. National Highways, 08:12.',
  hidden: '1 critical',
  severity: 'critical',
  event_ids: ['tfl:central'],
  tag: 'route',
  is_news: true,
  address: '/routes',
};

/** The caller who may do most with it. */
const callerOf = ({ security, description }: Operation): Caller => {
  if (security.some((one) => 'display' in one) && security.length === 1) return 'Display';
  return description.includes('administrators only') ? 'Administrator' : 'User';
};

/** Adds this many values, in lists that no schema has, beside the known ones. */
function filledTo(body: object, most: number): object {
  const known = valuesIn(body);
  return { ...body, more: Array.from({ length: most - known - 1 }, () => 0) };
}

const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + 1 + valuesIn(one), 0)
    : 0;

/** Each field as a list of the greatest length, with values that belong in no list. */
const wrongBodies = (body: object, most: number): object[] =>
  Object.keys(body).map((field) => ({
    ...body,
    [field]: Array.from({ length: most - valuesIn(body) }, () => 0),
  }));

/** A line of as many points as are allowed. */
const LONG_LINE = {
  kind: 'route',
  name: 'Leeds to Hull',
  made_by: 'drawn',
  legs: Array.from({ length: 50 }, (_, leg) => ({
    type: 'line',
    points: Array.from({ length: WATCH_LIMITS.vertices / 50 }, (_, n) => [
      -1.5 + (leg * 80 + n) / 8000,
      53.8 + (n % 2) / 1000,
    ]),
  })),
};
const LARGEST: Readonly<Record<string, object>> = {
  'POST /api/v1/watches': LONG_LINE,
  'POST /api/v1/watches/preview': LONG_LINE,
  'PATCH /api/v1/watches/{id}': { legs: LONG_LINE.legs },
  'POST /api/v1/watches/resolve': {
    geometry: { type: 'LineString', coordinates: LONG_LINE.legs.flatMap(({ points }) => points) },
  },
};

/** The longest list so far. */
const MOST: Readonly<Record<string, string[]>> = {
  'GET /api/v1/disruptions': ['state=ended'],
  'GET /api/v1/disruptions.json': ['state=ended', 'geometry=true'],
  'GET /api/v1/disruptions.{ext}': ['state=ended'],
  'GET /api/v1/changes': ['since=0'],
  'GET /api/v1/changes/summary': ['since=0', 'since=0&screen=routes', 'since=looked'],
};

interface Sent {
  reply: LightMyRequestResponse;
  rows: number;
}

describe('every call with the largest input', () => {
  async function send(
    call: string,
    operation: Operation,
    more: { query?: string; body?: object } = {},
  ): Promise<Sent> {
    const caller = callerOf(operation);
    await world.setLead(true);
    const token = await world.credential(caller);
    const [method, path] = call.split(' ', 2) as ['GET', string];
    const { ids = {}, query = '', body, headers } = (await inputs[call]?.(caller)) ?? {};
    const own = body ?? operation.requestBody?.content['application/json']?.example;
    const payload = more.body ?? own;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(ids[name] ?? 'unknown'),
    );
    const asked = new URLSearchParams(`${query.slice(1)}&${more.query ?? ''}`);
    const search = String(new URLSearchParams(Object.fromEntries(asked)));
    const read = { rows: 0 };
    const reply = await reading.run(read, () =>
      world.app.inject({
        method,
        url: filled + (search && `?${search}`),
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        ...(payload !== undefined && { payload: payload as object }),
      }),
    );
    return { reply, rows: read.rows };
  }

  const faultsOf = (what: string, cost: Cost, { reply, rows: read }: Sent): string[] => {
    // A stream has no end: its headers count as its answer.
    const bytes = reply.rawPayload?.byteLength ?? 0;
    const bound = COSTS[cost];
    const most = reply.statusCode < 300 ? bound.bytes : Math.min(bound.bytes, REFUSAL_BYTES);
    return [
      ...(reply.statusCode >= 500 ? [`${what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`] : []),
      ...(read > bound.rows ? [`${what} reads ${read} rows, and says ${bound.rows}`] : []),
      ...(bytes > most ? [`${what} answers ${bytes} bytes, and says ${most}`] : []),
    ];
  };

  it('declares its costs', async () => {
    const unsaid = (await world.operations())
      .map(([call]) => call)
      .filter((call) => call.includes('/api/') && !costs.has(call));
    expect(unsaid.join('\n')).toBe('');
  });

  it('counts what a call reads, and leaves out what is read beside it', async () => {
    const call = 'GET /api/v1/disruptions';
    const [, operation] = (await world.operations()).find(([name]) => name === call)!;
    const sending = { isOver: false };
    const readOn = async () => {
      let others = 0;
      while (!sending.isOver) {
        others += (await world.db.selectFrom('changes').select('batch').execute()).length;
        await setImmediate();
      }
      return others;
    };
    const beside = readOn();
    const sent = await send(call, operation, { query: 'state=ended&limit=100' });
    sending.isOver = true;
    const others = await beside;
    expect(others).toBeGreaterThan(COSTS[costs.get(call)!].rows);
    expect(sent.rows).toBeGreaterThanOrEqual(100);
    expect(faultsOf(call, costs.get(call)!, sent).join('\n')).toBe('');
  });

  it('reads and answers no more than it declares', async () => {
    const faults: string[] = [];
    let answered = 0;
    for (const [call, operation] of await world.operations()) {
      const cost = costs.get(call);
      if (!cost) continue;
      const limit = operation.parameters?.find(({ name }) => name === 'limit');
      const most = limit ? `limit=${String(limit.schema.maximum ?? 1)}` : '';
      for (const query of MOST[call] ?? ['']) {
        const asked = [most, query].filter(Boolean).join('&');
        const sent = await send(call, operation, { query: asked });
        if (sent.reply.statusCode < 300) answered++;
        else faults.push(`${call}?${asked}: ${sent.reply.statusCode} ${sent.reply.body.slice(0, 200)}`);
        faults.push(...faultsOf(`${call}?${asked}`, cost, sent));
      }
    }
    expect(faults.join('\n')).toBe('');
    expect(answered).toBeGreaterThan(140);
  }, 300_000);

  it('takes as many values as it declares, and refuses one more before all other checks', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const [call, operation] of await world.operations()) {
      const cost = costs.get(call);
      const body = operation.requestBody?.content['application/json']?.example as object | undefined;
      if (!cost || !body) continue;
      const { values } = COSTS[cost];
      const words = `This body holds more than ${values.toLocaleString('en-GB')} values.`;
      const largest = LARGEST[call];
      const bodies = [
        { what: 'full', body: filledTo(largest ?? body, values) },
        ...wrongBodies(body, values).map((wrong) => ({ what: 'wrong', body: wrong })),
      ];
      for (const { what, body: sentBody } of bodies) {
        const sent = await send(call, operation, { body: sentBody });
        tried++;
        faults.push(...faultsOf(`${call}, ${what}`, cost, sent));
        if (sent.reply.body.includes(words))
          faults.push(`${call}, ${what}: ${valuesIn(sentBody)} are refused`);
        const { errors = [] } =
          sent.reply.statusCode === 422 ? sent.reply.json<{ errors?: unknown[] }>() : {};
        if (errors.length > ISSUES_MAX) faults.push(`${call}, ${what}: ${errors.length} problems`);
      }
      if (largest) {
        const sent = await send(call, operation, {
          body: { ...largest, ...(call.endsWith('/watches') && { id: undefined }) },
        });
        if (sent.reply.statusCode >= 300) faults.push(`${call}, largest: ${sent.reply.body.slice(0, 200)}`);
        faults.push(...faultsOf(`${call}, largest`, cost, sent));
      }
      const beyond = await send(call, operation, { body: filledTo(body, values + 1) });
      faults.push(...faultsOf(`${call}, beyond`, cost, beyond));
      if (beyond.reply.statusCode !== 422 || beyond.reply.json<{ detail: string }>().detail !== words)
        faults.push(`${call}, beyond: ${beyond.reply.statusCode} ${beyond.reply.body.slice(0, 200)}`);
    }
    expect(faults.join('\n')).toBe('');
    expect(tried).toBeGreaterThan(150);
  }, 300_000);
});
