import dns from 'node:dns';
import { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Filter } from '#contract/filters.ts';
import type { MessageBody } from '#contract/messages.ts';
import {
  type ChangeData,
  type DeliveryBody,
  type DeliveryList,
  type NewWebhook,
  WEBHOOK_LIMITS,
  type WebhookList,
} from '#contract/webhooks.ts';
import type { CursorWorker } from '../../../server/db/cursorWorker.ts';
import { COLLECTORS } from '../../../server/collectors/all.ts';
import { disruptions } from '../../../server/db/disruptions.ts';
import { messages } from '../../../server/db/messages.ts';
import { receivers } from '../../../server/db/receivers.ts';
import { EVERYONE } from '../../../server/db/teams.ts';
import { webhooks } from '../../../server/db/webhooks.ts';
import { matches } from '../../../server/db/matches.ts';
import { cursors } from '../../../server/db/cursors.ts';
import { MATCHER } from '../../../server/db/matches.ts';
import { watchRequest } from '../../../server/docs/examples.ts';
import { geocoder } from '../../../server/places/geocoder.ts';
import { channels } from '../../../server/messages/channels.ts';
import { links } from '../../../server/messages/links.ts';
import { outgoing } from '../../../server/messages/outgoing.ts';
import { receiverSeal } from '../../../server/messages/seal.ts';
import { startSender } from '../../../server/messages/sender.ts';
import { startWebhooks } from '../../../server/messages/webhooks.ts';
import { deriveSecrets } from '../../../server/secrets.ts';
import { SECRET } from '../app/testApp.ts';
import { poll, record } from '../feedsWorld.ts';
import { MINUTE_MS, openFormatsWorld, roads, type FormatsWorld } from '../formats/formatsWorld.ts';
import { DATABASES } from '../../support/databases.ts';
import { CA, farSide } from './farSide.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ROADS = 'national-highways';

let world: FormatsWorld;
let far: Awaited<ReturnType<typeof farSide>>;
let started: { stop(): Promise<void> }[];
let reader: CursorWorker;
let sender: CursorWorker;
let random: number;

beforeEach(async () => {
  world = await openFormatsWorld();
  far = await farSide();
  started = [];
  random = 0.5;
  reader = beginReader();
  sender = beginSender();
});
afterEach(async () => {
  for (const one of started) await one.stop();
  far.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  await world.close();
});

const log = {
  error(fields: object) {
    throw (fields as { err: unknown }).err;
  },
};
function beginReader(owner = 'the only node', db = world.db): CursorWorker {
  const { now } = world;
  const collectors = COLLECTORS.filter(({ source }) => [ROADS, 'tfl', 'news-rss'].includes(source));
  const made = startWebhooks({
    db,
    collectors,
    now,
    owner,
    log,
    publicUrl: 'https://clearway.example',
    mode: 'one',
    geocoder: geocoder({ config: { contactEmail: '', replay: true }, now, log: { info() {}, warn() {} } }),
  });
  started.push(made);
  return made;
}
function beginSender({ owner = 'the only node', db = world.db, allow = [far.host] } = {}): CursorWorker {
  const secrets = deriveSecrets(SECRET);
  const made = startSender({
    db,
    channels: channels({
      secrets,
      seal: receiverSeal(secrets),
      links: links(secrets),
      outgoing: outgoing({ allow, ca: CA }),
      contactEmail: 'desk@coaches.example',
      publicUrl: 'https://clearway.example',
    }),
    now: world.now,
    owner,
    mode: 'one',
    log,
    random: () => random,
  });
  started.push(made);
  return made;
}

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const ask = () =>
    world.app.inject({
      method,
      url: `/api/v1/filters${path}`,
      headers: { authorization: `Bearer ${world.token}` },
      ...(payload && { payload }),
    });
  const reply = await ask();
  if (reply.statusCode !== 401) return reply;
  world.token = (await world.signIn()).access_token;
  return ask();
}

async function makeFilter(query = 'feed=roads-uk', name = 'Roads'): Promise<string> {
  const reply = await call('POST', '', { name, query });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Filter>().id;
}

/** A webhook of a filter of its own. */
async function hook({
  query,
  filter,
  path = '/hook',
  ...changes
}: { query?: string; filter?: string; path?: string; format?: string } = {}) {
  const filterId = filter ?? (await makeFilter(query));
  const reply = await call('POST', `/${filterId}/webhooks`, {
    name: 'Control room',
    url: `https://${far.host}${path}`,
    ...changes,
  });
  expect(reply.statusCode, reply.body).toBe(201);
  const { webhook, secret } = reply.json<NewWebhook>();
  return { filterId, id: webhook.id, secret: secret!, at: `/${filterId}/webhooks/${webhook.id}` };
}

/** A poll of the roads, all deliveries made of it, and all sent that are due. */
async function listed(records = roads(), { sending = true } = {}): Promise<void> {
  world.pass(1000);
  await poll(world.db, ROADS, records, world.now());
  await reader.changed();
  if (sending) await sender.changed();
}
async function later(ms: number): Promise<void> {
  world.pass(ms);
  await sender.changed();
}
const m1 = (changes = {}) => record(`${ROADS}:m1`, { severity: 'high', title: 'M1 closed', ...changes });
const bodies = (path = '/hook') =>
  far.arrived.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as DeliveryBody);
const types = (path?: string) => bodies(path).map(({ type }) => type);
const deliveries = async ({ at }: { at: string }) =>
  (await call('GET', `${at}/deliveries`)).json<DeliveryList>().deliveries;

describe('a webhook of a filter', () => {
  it('gets each change that enters, changes in or leaves it, signed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
    const { secret, filterId } = await hook();
    await listed();
    expect(far.arrived).toEqual([]);
    await listed([...roads(), m1()]);
    await listed([...roads(), m1({ severity: 'critical' })]);
    await listed([...roads(), m1({ severity: 'critical', title: 'M1 closed until noon' })]);
    await listed([...roads(), m1({ severity: 'low' })]);
    await listed();
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.began enters',
      'disruption.worse stays',
      'disruption.changed stays',
      'disruption.better stays',
      'disruption.ended leaves',
    ]);
    const [first] = bodies() as [DeliveryBody];
    expect(first).toMatchObject({
      type: 'disruption.began',
      timestamp: expect.stringMatching(/Z$/) as string,
      data: {
        filter: { id: filterId, name: 'Roads' },
        event_id: `${ROADS}:m1`,
        severity_to: 'high',
        source_name: 'National Highways',
        attribution: expect.stringContaining('Open Government Licence') as string,
        url: expect.stringContaining('https://clearway.example/disruptions/') as string,
        disruption: { title: 'M1 closed', severity: 'high' },
      },
    });
    for (const { headers, body } of far.arrived) {
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
      expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    }
  });

  it('is about what its conditions let through before or after a change', async () => {
    await hook({ query: 'min_severity=high&q=closed&source=national-highways' });
    await listed([...roads(), m1({ severity: 'low' })]);
    expect(types()).toEqual([]);
    await listed([...roads(), m1({ severity: 'high' })]);
    await listed([...roads(), m1({ severity: 'high', title: 'M1 open again' })]);
    await listed([...roads(), m1({ severity: 'critical', title: 'M1 open again' })]);
    await listed([...roads(), m1({ severity: 'critical' })]);
    await listed([...roads(), m1({ severity: 'low' })]);
    await listed();
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.worse enters',
      'disruption.changed leaves',
      'disruption.changed enters',
      'disruption.better leaves',
    ]);
  });

  it('is about what its publisher does not rate, unless that is hidden', async () => {
    await hook({ query: 'min_severity=high&source=national-highways' });
    await hook({ query: 'min_severity=high&hide_unrated=true&source=national-highways', path: '/rated' });
    await listed([...roads(), m1({ severity: 'low', metadata: { severity_unrated: true } })]);
    expect([types(), types('/rated')]).toEqual([['disruption.began'], []]);
  });

  it('gets the end of what was in force before it was made, and nothing of what left when its filter was changed', async () => {
    const { filterId } = await hook();
    await listed(roads().slice(1));
    expect(types()).toEqual(['disruption.ended']);
    await call('PATCH', `/${filterId}`, { query: 'min_severity=critical&feed=roads-uk&hide_unrated=true' });
    world.pass(MINUTE_MS);
    await reader.changed();
    await listed([]);
    // The filter, as it is now, lets nothing of that through.
    expect(types()).toEqual(['disruption.ended']);
  });

  it('calls a start a start, and matches with a route matches', async () => {
    const reply = await world.post('/api/v1/watches', watchRequest, world.token);
    expect(reply.statusCode, reply.body).toBe(201);
    const watch = reply.json<{ id: string }>().id;
    await hook({ query: `watch=${watch}` });
    await poll(world.db, ROADS, [...roads(), m1({ phase: 'planned' })], world.now());
    await world.db.transaction().execute(async (trx) => {
      const found = {
        watch_id: watch,
        subject: 'disruption' as const,
        subject_id: `${ROADS}:m1`,
        level: 'certain' as const,
        why: 'names the M1',
        from_km: 10,
        to_km: 14,
        off_m: 5,
      };
      await matches(trx).settle({ subject: 'disruption', all: true }, [found], {
        at: world.now(),
        batch: 1,
        endKind: () => 'ended',
      });
    });
    // Before the matcher is as far, it is not known whether it matches.
    await reader.changed();
    await sender.changed();
    expect(types()).toEqual([]);
    await cursors(world.db).move(MATCHER, 100);
    await reader.changed();
    await sender.changed();
    await listed([...roads(), m1({ severity: 'critical' })]);
    expect(types()).toEqual(['match.began', 'match.started']);
    expect(bodies()[0]!.data).toMatchObject({
      standing: 'enters',
      matches: [{ watch_id: watch, level: 'certain', why: 'names the M1', from_km: 10, to_km: 14 }],
    });
  });

  it('says that a source is silent, and never that its incidents have ended', async () => {
    await hook();
    await listed([...roads(), m1()]);
    const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === ROADS)!;
    for (let hour = 0; hour < 40; hour++) {
      world.pass(HOUR_MS);
      await disruptions(world.db).expire({ source: ROADS, now: world.now(), maxAgeMinutes });
      await reader.changed();
      await sender.changed();
    }
    const lost = Array.from({ length: 4 }, () => 'disruption.lost');
    expect(types().toSorted()).toEqual(['disruption.began', ...lost, 'source.stale']);
    expect(bodies().find(({ type }) => type === 'source.stale')).toMatchObject({
      data: { source: ROADS, name: 'National Highways', since: expect.stringMatching(/Z$/) as string },
    });
    await listed();
    expect(types()).toContain('source.fresh');
    expect(types()).not.toContain('disruption.ended');
  });

  it('sends at most 20 KB, whatever a publisher writes', async () => {
    await hook();
    const long = '"\\\u0000\u202Eé😀'.repeat(50_000);
    await listed([...roads(), m1({ title: long, summary_line: long, metadata: { description: long } })]);
    expect(far.arrived).toHaveLength(1);
    expect(Buffer.byteLength(far.arrived[0]!.body)).toBeLessThanOrEqual(20_000);
    expect(bodies()[0]).toMatchObject({ type: 'disruption.began', data: { event_id: `${ROADS}:m1` } });
  });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<!channel> & <https://evil.example|Open>',
  '*bold* _it_ `code` ~x~ [click](https://evil.example)',
  ']]>"}{',
  'right\u202Eleft\u2066 \u0000\u0007',
  '\uD800 half',
  '=1+1',
];

it.each(['standard', 'slack', 'teams'])('holds every hostile title in the %s body', async (format) => {
  await hook({ format });
  await listed([
    ...roads(),
    ...HOSTILE.map((title, at) => record(`${ROADS}:h${at}`, { title, severity: 'high' })),
  ]);
  expect(far.arrived).toHaveLength(HOSTILE.length);
  for (const { body, headers } of far.arrived) {
    const read = JSON.parse(body) as {
      text: string;
      blocks: { text?: { type: string; text: string }; elements?: { type: string }[] }[];
      attachments: { content: { body: { text: string }[] } }[];
    };
    expect(body.isWellFormed()).toBe(true);
    expect('webhook-signature' in headers).toBe(format === 'standard');
    if (format === 'slack') {
      expect(read.text.replace(/<https:\/\/clearway\.example\/[^|<>]*\|Open in Clearway>$/, '')).not.toMatch(
        /[<>\u202E]/,
      );
      for (const { text } of read.blocks)
        if (text?.type === 'mrkdwn')
          expect(text.text).toMatch(/^<https:\/\/clearway\.example\/[^|<>]*\|Open in Clearway>$/);
    }
    if (format === 'teams')
      for (const { text } of read.attachments[0]!.content.body)
        expect(text).not.toMatch(/(?<!\\)[*_[\]<>`|]|[\u202E\p{Cc}]/u);
  }
});

describe('sending', () => {
  it('tries five times, 5 seconds, 5 minutes, 30 minutes and 2 hours apart, a fifth more or less', async () => {
    for (const [share, factor] of [
      [0, 0.8],
      [1, 1.2],
    ] as const) {
      random = share;
      far.arrived.length = 0;
      far.answer = 500;
      const path = `/hook${share}`;
      const one = await hook({ path });
      // Beside it the reader may say that the source is silent by now.
      const tried = () => types(path).filter((type) => type === 'disruption.began').length;
      await listed([...roads(), m1({ title: `M1 ${share}` })]);
      for (const [tries, ms] of [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS].entries()) {
        await later(ms * factor - 1000);
        expect(tried(), `${ms}`).toBe(tries + 1);
        await later(1000);
        expect(tried(), `${ms}`).toBe(tries + 2);
      }
      const [last] = (await deliveries(one)).filter(({ type }) => type === 'disruption.began');
      expect(last).toMatchObject({ state: 'failed', attempts: 5, last_status: 500 });
      await call('DELETE', one.at);
      far.answer = 201;
      await listed();
    }
  });

  it('sends the same delivery again with its own id, and what is older than five minutes is refused by its signature', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
    const { secret } = await hook();
    far.answer = 500;
    await listed([...roads(), m1()]);
    far.answer = 201;
    await later(6000);
    const [first, again] = far.arrived as [(typeof far.arrived)[0], (typeof far.arrived)[0]];
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(again.body).toBe(first.body);
    vi.setSystemTime(world.now());
    const verify = (one: typeof first) =>
      new Verifier(secret).verify(one.body, one.headers as Record<string, string>);
    expect(verify(again)).toBeTruthy();
    vi.setSystemTime(world.now().getTime() + 6 * MINUTE_MS);
    expect(() => verify(again)).toThrow('too old');
  });

  it('keeps the order of an incident: a later change waits, or replaces one that was never tried', async () => {
    const one = await hook();
    far.answer = 503;
    await listed([...roads(), m1()]);
    await listed([...roads(), m1({ severity: 'critical' })]);
    await listed([...roads(), m1({ severity: 'critical', title: 'M1 closed until noon' })]);
    await listed([...roads(), m1({ severity: 'low', title: 'M1 closed until noon' })]);
    // Another incident does not wait.
    far.answer = 201;
    await listed([...roads(), m1({ severity: 'low', title: 'M1 closed until noon' }), record(`${ROADS}:m2`)]);
    expect(bodies().map(({ data }) => (data as ChangeData).event_id)).toEqual([`${ROADS}:m1`, `${ROADS}:m2`]);
    await later(10_000);
    const ofM1 = bodies().filter(({ data }) => (data as ChangeData).event_id === `${ROADS}:m1`);
    expect(ofM1.map(({ type }) => type)).toEqual([
      'disruption.began',
      'disruption.began',
      'disruption.better',
    ]);
    expect(ofM1.at(-1)!.data).toMatchObject({ severity_from: 'high', severity_to: 'low' });
    expect(
      (await deliveries(one)).filter(({ state }) => state === 'dropped').map(({ reason }) => reason),
    ).toEqual(['Replaced by a later change', 'Replaced by a later change']);
  });

  it('lets a slow address delay no other', async () => {
    far.slow = '/slow';
    await hook({ path: '/slow' });
    await hook({ path: '/hook' });
    const many = Array.from({ length: 30 }, (_, at) => record(`${ROADS}:x${at}`));
    await listed([...roads(), ...many], { sending: false });
    const sending = sender.changed();
    await vi.waitFor(() => expect(types('/hook')).toHaveLength(30), { interval: 5, timeout: 60_000 });
    // One at a time is under way there.
    expect(types('/slow')).toHaveLength(1);
    far.release();
    await sending;
    expect(types('/slow')).toHaveLength(30);
  });

  it('is off at 410, with words in the lists of the team', async () => {
    await receivers(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    far.answer = 410;
    await listed([...roads(), m1()]);
    const off_at = world.now().toISOString();
    await listed([...roads(), m1({ severity: 'critical' })]);
    expect(far.arrived).toHaveLength(1);
    const { webhooks: list } = (await call('GET', `/${one.filterId}/webhooks`)).json<WebhookList>();
    expect(list[0]).toMatchObject({
      state: 'off',
      host: far.host,
      last_error: 'The address answered 410',
      off_at,
    });
    expect(await notices()).toEqual(['The webhook Control room is off']);
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(409);
  });

  it('is off when nothing has arrived for three days', async () => {
    await receivers(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    far.answer = 500;
    for (let day = 0; day < 4; day++) {
      await listed([...roads(), record(`${ROADS}:day${day}`)]);
      for (const ms of [6000, 6 * MINUTE_MS, 36 * MINUTE_MS, 2.4 * HOUR_MS]) await later(ms);
      const { webhooks: list } = (await call('GET', `/${one.filterId}/webhooks`)).json<WebhookList>();
      expect(list[0]!.state, `day ${day}`).toBe(day < 3 ? 'failing' : 'off');
      world.pass(DAY_MS);
    }
    expect(await notices()).toEqual(['The webhook Control room is off']);
  });

  it('is off when so many wait or failed that they fill the disk', async () => {
    await receivers(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    await listed([...roads(), m1()]);
    const row = await world.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow();
    const { undelivered } = WEBHOOK_LIMITS;
    const rows = Array.from({ length: undelivered + 1 }, (_, at) => ({
      ...row,
      id: `msg_${at}`,
      state: 'failed' as const,
    }));
    await messages(world.db).add(rows);
    world.pass(HOUR_MS);
    await reader.changed();
    const { webhooks: list } = (await call('GET', `/${one.filterId}/webhooks`)).json<WebhookList>();
    expect(list[0]).toMatchObject({
      state: 'off',
      last_error: 'More than 10,000 deliveries have not arrived',
    });
    expect(await notices()).toEqual(['The webhook Control room is off']);
  });

  it('rests as long as Retry-After asks, with everything for that address', async () => {
    await hook();
    let records = roads();
    for (const [at, status] of [429, 502, 504].entries()) {
      far.arrived.length = 0;
      far.answer = status;
      far.retryAfter = '600';
      records = [...records, record(`${ROADS}:a${at}`)];
      await listed(records);
      far.answer = 201;
      far.retryAfter = null;
      records = [...records, record(`${ROADS}:b${at}`)];
      await listed(records);
      await later(9 * MINUTE_MS);
      expect(far.arrived, `${status}`).toHaveLength(1);
      await later(MINUTE_MS);
      expect(types(), `${status}`).toEqual(Array.from({ length: 3 }, () => 'disruption.began'));
    }
  });

  it('rests for six hours at most, whatever Retry-After asks, and then sends all that still holds at once', async () => {
    await hook();
    far.answer = 429;
    far.retryAfter = '999999999';
    await listed([...roads(), record(`${ROADS}:a`)]);
    far.answer = 201;
    far.retryAfter = null;
    await listed([...roads(), record(`${ROADS}:a`), record(`${ROADS}:b`)]);
    await later(5 * 60 * MINUTE_MS);
    expect(far.arrived).toHaveLength(1);
    await listed([...roads(), record(`${ROADS}:a`), record(`${ROADS}:b`), record(`${ROADS}:c`)]);
    await later(61 * MINUTE_MS);
    expect(
      bodies()
        .slice(1)
        .map(({ data }) => (data as ChangeData).event_id),
    ).toContain(`${ROADS}:c`);
  });

  it('counts a redirect as a failure, and follows none', async () => {
    const one = await hook();
    far.answer = 302;
    far.location = 'https://127.0.0.1/inside';
    await listed([...roads(), m1()]);
    expect(far.arrived.map(({ path }) => path)).toEqual(['/hook']);
    expect((await deliveries(one))[0]).toMatchObject({ state: 'waiting', last_status: 302 });
  });

  it('reaches no inside of a network, whatever its name leads to when the connection is made', async () => {
    await sender.stop();
    sender = beginSender({ allow: [] });
    const asked: string[] = [];
    onTestFinished(syncBuiltinESMExports);
    // Public when somebody checks it first, inside afterwards.
    vi.spyOn(dns, 'lookup').mockImplementation(((
      name: string,
      options: { all?: boolean },
      done: (...all: unknown[]) => void,
    ) => {
      asked.push(name);
      const address = asked.length % 2 === 0 ? '203.0.113.9' : '127.0.0.1';
      if (options.all) done(null, [{ address, family: 4 }]);
      else done(null, address, 4);
    }) as never);
    syncBuiltinESMExports();
    const filterId = await makeFilter();
    const port = far.host.split(':')[1]!;
    const made = await call('POST', `/${filterId}/webhooks`, {
      name: 'X',
      url: `https://rebind.example:${port}/hook`,
    });
    const at = `/${filterId}/webhooks/${made.json<NewWebhook>().webhook.id}`;
    await listed([...roads(), m1()]);
    expect(asked).toEqual(['rebind.example']);
    expect(far.arrived).toEqual([]);
    expect((await deliveries({ at }))[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('inside a private network') as string,
    });
  });

  it('sends a failed one again, for seven days', async () => {
    const one = await hook();
    far.answer = 500;
    await listed([...roads(), m1()]);
    // It would say that the source is silent by now.
    await reader.stop();
    for (const ms of [6000, 6 * MINUTE_MS, 36 * MINUTE_MS, 2.4 * HOUR_MS]) await later(ms);
    const [failed] = await deliveries(one);
    expect(failed).toMatchObject({
      state: 'failed',
      title: 'New. High: M1 closed',
      type: 'disruption.began',
    });
    far.answer = 201;
    const again = () => call('POST', `${one.at}/deliveries/${failed!.id}/send`);
    expect((await again()).statusCode).toBe(202);
    await sender.changed();
    expect(far.arrived.at(-1)!.headers['webhook-id']).toBe(failed!.id);
    expect((await deliveries(one))[0]).toMatchObject({
      state: 'sent',
      attempts: 1,
      title: 'New. High: M1 closed',
    });
    expect((await again()).statusCode).toBe(404);
    await webhooks(world.db).prune(new Date(world.now().getTime() + 2 * DAY_MS));
    expect(await deliveries(one)).toEqual([]);
  });

  it.each(DATABASES)('sends each once from two nodes on $engine', async ({ open }) => {
    for (const one of started.splice(0)) await one.stop();
    await world.close();
    const opened = await open();
    world = await openFormatsWorld({ open: async () => opened });
    reader = beginReader();
    sender = beginSender();
    const db = await opened.node();
    const other = beginReader('another node', db);
    const posting = beginSender({ owner: 'another node', db });
    await hook();
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m1(), record(`${ROADS}:m2`)], world.now());
    await Promise.all([reader.changed(), other.changed()]);
    await Promise.all([sender.changed(), posting.changed()]);
    expect(
      bodies()
        .map(({ data }) => (data as ChangeData).event_id)
        .sort(),
    ).toEqual([`${ROADS}:m1`, `${ROADS}:m2`]);
    // As after a crash between the log and the place in it: the same ids, so none is made twice.
    await world.db.updateTable('webhooks').set({ batch: 1 }).execute();
    await world.db.deleteFrom('webhook_incidents').execute();
    world.pass(MINUTE_MS);
    await Promise.all([reader.changed(), other.changed()]);
    await Promise.all([sender.changed(), posting.changed()]);
    const ids = far.arrived.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    far.arrived.length = 0;
    // The first is gone, and its lease with it.
    await Promise.all([reader.stop(), sender.stop()]);
    await poll(world.db, ROADS, roads(), world.now());
    await other.changed();
    await posting.changed();
    expect(types()).toEqual(['disruption.ended', 'disruption.ended']);
  });
});

describe('the calls', () => {
  it('show the secret once, store it and the address sealed, and say who did what', async () => {
    const one = await hook({ path: '/hook?token=t0ken' });
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const list = await call('GET', `/${one.filterId}/webhooks`);
    expect(list.json()).toMatchObject({
      total: 1,
      webhooks: [{ host: far.host, format: 'standard', state: 'ok' }],
    });
    const stored = JSON.stringify([
      await world.db.selectFrom('receivers').selectAll().execute(),
      await world.db.selectFrom('audit_trail').selectAll().execute(),
    ]);
    for (const secret of [one.secret, 't0ken']) {
      expect(list.body).not.toContain(secret);
      expect(stored).not.toContain(secret);
      expect(world.logged()).not.toContain(secret);
    }
    await call('POST', `${one.at}/rotate`);
    await call('DELETE', one.at);
    const acts = await world.db.selectFrom('audit_trail').select(['action', 'subject', 'detail']).execute();
    expect(acts.filter(({ action }) => action.startsWith('webhook.'))).toEqual(
      ['created', 'rotated', 'deleted'].map((what) => ({
        action: `webhook.${what}`,
        subject: 'Control room',
        detail: 'of the filter Roads',
      })),
    );
  });

  it('sign with both secrets for 24 hours after a change', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
    const one = await hook();
    const { secret, webhook } = (await call('POST', `${one.at}/rotate`)).json<NewWebhook>();
    expect(secret).not.toBe(one.secret);
    expect(webhook.both_sign_until).toBe(new Date(world.now().getTime() + DAY_MS).toISOString());
    await listed([...roads(), m1()]);
    const accepts = (with_: string) => {
      const { body, headers } = far.arrived.at(-1)!;
      vi.setSystemTime(world.now());
      try {
        return !!new Verifier(with_).verify(body, headers as Record<string, string>);
      } catch {
        return false;
      }
    };
    expect([accepts(secret!), accepts(one.secret)]).toEqual([true, true]);
    world.pass(DAY_MS);
    await listed();
    expect([accepts(secret!), accepts(one.secret)]).toEqual([true, false]);
  });

  it('send a test that says that it is one', async () => {
    const one = await hook();
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(202);
    await sender.changed();
    expect(bodies()).toMatchObject([{ type: 'test.ping', data: { filter: { name: 'Roads' } } }]);
    for (let more = 0; more < 4; more++) await call('POST', `${one.at}/test`);
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(429);
  });

  it('give no secret to what is signed by none, and nothing to what is off', async () => {
    const slack = await hook({ format: 'slack', path: '/slack' });
    expect((await call('POST', `${slack.at}/rotate`)).json()).toEqual({
      detail: 'Only webhooks of the standard format have a secret.',
    });
    const one = await hook();
    await world.db.updateTable('receivers').set({ state: 'off' }).execute();
    for (const what of ['test', 'rotate', 'deliveries/msg_x/send'])
      expect((await call('POST', `${one.at}/${what}`)).statusCode, what).toBe(409);
  });

  it('turn one on again with the changes from then on, and without those that did not arrive', async () => {
    const one = await hook();
    far.answer = 410;
    await listed([...roads(), m1()]);
    const state = async () =>
      (await call('GET', `/${one.filterId}/webhooks`)).json<WebhookList>().webhooks[0]!;
    expect(await state()).toMatchObject({ state: 'off', last_delivery: { state: 'failed' } });
    await listed([...roads(), m1(), record(`${ROADS}:m2`)]);
    far.answer = 200;
    far.arrived.length = 0;
    const turned = await call('POST', `${one.at}/turn_on`);
    expect(turned.json()).toMatchObject({
      state: 'ok',
      off_at: null,
      last_error: null,
      last_delivery: { state: 'dropped' },
    });
    await listed([...roads(), m1(), record(`${ROADS}:m2`)]);
    expect(far.arrived).toEqual([]);
    // It knows what is in force by then, and gets what becomes of it.
    await listed([...roads(), m1()]);
    expect(bodies().map(({ type, data }) => [type, (data as ChangeData).event_id])).toEqual([
      ['disruption.ended', `${ROADS}:m2`],
    ]);
    // One that is on goes on where it is.
    await call('POST', `${one.at}/turn_on`);
    expect((await deliveries(one))[0]).toMatchObject({ state: 'sent' });
    const acts = await world.db.selectFrom('audit_trail').select('action').execute();
    expect(acts.filter(({ action }) => action === 'webhook.turned_on')).toHaveLength(1);
  });

  it('refuse what nobody may call, twice the same, and too many', async () => {
    const { filterId } = await hook();
    const make = (url: string, more = {}) =>
      call('POST', `/${filterId}/webhooks`, { name: 'X', url, ...more });
    for (const url of ['http://a.example/', 'ftp://a.example', 'https://u:p@a.example/', 'no'])
      expect((await make(url)).statusCode, url).toBe(422);
    expect((await make('https://a.example/', { format: 'pager' })).statusCode).toBe(422);
    expect((await make(`https://${far.host}/hook`)).statusCode).toBe(409);
    for (let more = 0; more < 29; more++)
      expect((await make(`https://a.example/${more}`)).statusCode).toBe(201);
    expect((await make('https://a.example/one-more')).json()).toEqual({
      detail: 'A team may have 30 webhooks. Delete one first.',
    });
  });

  it('are of the team: of another everything is a 404, and deleting a filter ends its webhooks', async () => {
    const one = await hook();
    const elsewhere = await makeFilter('source=tfl', 'Rail');
    for (const path of [
      '',
      '/rotate',
      '/test',
      '/turn_on',
      '/deliveries',
      `/deliveries/${randomUUID()}/send`,
    ]) {
      const method = path === '' ? 'DELETE' : path === '/deliveries' ? 'GET' : 'POST';
      const other = `/${elsewhere}/webhooks/${one.id}${path}`;
      expect((await call(method, other)).statusCode, other).toBe(404);
    }
    await world.db
      .updateTable('filters')
      .set({ team_id: await otherTeam() })
      .where('id', '=', one.filterId)
      .execute();
    expect((await call('GET', `/${one.filterId}/webhooks`)).statusCode).toBe(404);
    expect((await call('POST', `${one.at}/rotate`)).statusCode).toBe(404);
    await world.db.updateTable('filters').set({ team_id: EVERYONE }).where('id', '=', one.filterId).execute();
    await call('DELETE', `/${one.filterId}`);
    expect(
      await world.db.selectFrom('receivers').select('id').where('kind', '=', 'webhook').execute(),
    ).toEqual([]);
    await listed([...roads(), m1()]);
    expect(far.arrived).toEqual([]);
  });

  it('are not among the channels for messages about routes', async () => {
    const one = await hook();
    const path = '/api/v1/receivers';
    expect((await world.get(path, world.token)).json()).toMatchObject({ total: 0 });
    const gone = await world.app.inject({
      method: 'DELETE',
      url: `${path}/${one.id}`,
      headers: { authorization: `Bearer ${world.token}` },
    });
    expect(gone.statusCode).toBe(404);
    expect(await receivers(world.db).inUse('one', world.now())).toMatchObject([{ kind: 'app' }]);
  });
});

const me = () => world.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
async function otherTeam(): Promise<string> {
  const id = randomUUID();
  const template = await world.db.selectFrom('teams').selectAll().executeTakeFirstOrThrow();
  await world.db
    .insertInto('teams')
    .values({ ...template, id, name: 'Others' })
    .execute();
  return id;
}
async function notices(): Promise<string[]> {
  const rows = await world.db
    .selectFrom('messages')
    .innerJoin('receivers', 'receivers.id', 'messages.receiver_id')
    .select('body')
    .where('kind', '=', 'app')
    .execute();
  return rows.map(({ body }) => (JSON.parse(body) as MessageBody).title);
}
