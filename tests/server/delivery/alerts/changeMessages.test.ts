import dns from 'node:dns';
import { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { type ChangeData, ChannelList, DeliveryBody, MadeChannel } from '#contract/messages/channels.ts';
import type { MessageBody, MessagePage } from '#contract/messages/messages.ts';
import { Which } from '#contract/watches/whichIncidents.ts';
import type { CursorWorker } from '../../../../server/db/cursorWorker.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { split, unsplit } from '../../../../server/incidents/merging/mergedIdentity.ts';
import { messages } from '../../../../server/delivery/outbox/outboxStore.ts';
import { UNDELIVERED_MOST } from '../../../../server/delivery/outbox/channelState.ts';
import { channels as channelsIn } from '../../../../server/delivery/outbox/channelStore.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { matches, MATCHER } from '../../../../server/watches/matching/matchStore.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { channels } from '../../../../server/delivery/outbox/sendByChannel.ts';
import { links } from '../../../../server/delivery/outbox/notices.ts';
import { outgoing } from '../../../../server/delivery/outbox/publicAddresses.ts';
import { channelSeal } from '../../../../server/delivery/outbox/channelSeal.ts';
import { CURSOR, startNotifier } from '../../../../server/delivery/alerts/notifier.ts';
import { startSender } from '../../../../server/delivery/outbox/sender.ts';
import { raiseRevision, revision } from '../../../../server/db/revisions.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { SECRET } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';
import { MINUTE_MS, openFormatsWorld, roads, type FormatsWorld } from '../formats/formatsWorld.ts';
import { DATABASES } from '../../../support/databases.ts';
import { factsOf } from '../../../support/facts.ts';
import { CA, farSide } from '../outbox/farSide.ts';

const { watchRequest } = example;

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
  const made = startNotifier({
    db,
    collectors,
    now,
    owner,
    log,
    publicUrl: 'https://clearway.example',
    mode: 'one',
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
      seal: channelSeal(secrets),
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
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${world.token}` },
      ...(payload && { payload }),
    });
  const reply = await ask();
  if (reply.statusCode !== 401) return reply;
  world.token = (await world.signIn()).access_token;
  return ask();
}

/** Feeds that let this through; the default is the roads. */
async function makeFeeds(which: Partial<Which> = { feeds: ['roads-uk'] }, name = 'Roads'): Promise<string> {
  const at = world.now().toISOString();
  const id = randomUUID();
  await world.db
    .insertInto('watches')
    .values({
      id,
      team_id: EVERYONE,
      kind: 'feeds',
      name,
      which: JSON.stringify(Which.parse(which)),
      when: null,
      place: null,
      list_place: null,
      made_by: 'feeds',
      legs: '[]',
      geometry: 'null',
      length_km: 0,
      reach_m: null,
      sources: JSON.stringify(which.sources?.length ? which.sources : [ROADS]),
      notify: '{"threshold":"nothing"}',
      created_by: null,
      created_at: at,
      updated_by: null,
      updated_at: at,
      rev: 1,
      matched_rev: 1,
      archived_at: null,
    })
    .execute();
  await raiseRevision(world.db, 'watches');
  return id;
}

/** A channel of the team, which has taken its test, for each change of feeds of its own. */
async function hook({
  which,
  watch,
  path = '/hook',
  ...changes
}: { which?: Partial<Which>; watch?: string; path?: string; kind?: string } = {}) {
  const watchId = watch ?? (await makeFeeds(which));
  const reply = await call('POST', '/channels', {
    kind: 'webhook',
    name: 'Control room',
    address: `https://${far.host}${path}`,
    what: { alerts: false, changes: true, digest: false, brief: false },
    watch_ids: [watchId],
    ...changes,
  });
  expect(reply.statusCode, reply.body).toBe(201);
  const { channel, secret } = reply.json<MadeChannel>();
  expect(channel.state).toBe('unconfirmed');
  const { answer } = far;
  far.answer = 201;
  await sender.changed();
  far.answer = answer;
  far.arrived.splice(
    far.arrived.findIndex((one) => one.path === path),
    1,
  );
  await reader.changed();
  return { watchId, id: channel.id, secret: secret!, at: `/channels/${channel.id}` };
}
const shown = async (id: string) =>
  (await call('GET', '/channels')).json<ChannelList>().channels.find((one) => one.id === id)!;

/** Polls the roads, then makes all deliveries and sends all that are due. */
async function listed(records = roads(), { sending = true } = {}): Promise<void> {
  world.pass(1000);
  await poll(world.db, ROADS, records, world.now());
  await cursors(world.db).move(MATCHER, await revision(world.db, 'changes'));
  await reader.changed();
  if (sending) await sender.changed();
}
async function later(ms: number): Promise<void> {
  world.pass(ms);
  await sender.changed();
}
const m1 = (changes = {}) => record(`${ROADS}:m1`, { severity: 'high', title: 'M1 closed', ...changes });
const bodies = (path = '/hook') =>
  far.arrived.filter((one) => one.path === path).map(({ body }) => DeliveryBody.parse(JSON.parse(body)));
const types = (path?: string) => bodies(path).map(({ type }) => type);
/** Messages sent there, without its first test; the newest first. */
const deliveries = async ({ id }: { id: string }) => {
  const rows = await world.db
    .selectFrom('messages')
    .selectAll()
    .where('channel_id', '=', id)
    .where('about', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('place', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, said: JSON.parse(row.body) as MessageBody }));
};

describe('a channel for changes', () => {
  it('gets each change that enters, changes in or leaves it, signed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
    const { secret, watchId } = await hook();
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
        watches: [{ id: watchId, name: 'Roads', level: null }],
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

  it('goes on after a gap in the log with what stands then', async () => {
    await hook();
    await listed([...roads(), m1()]);
    const m2 = (changes = {}) => record(`${ROADS}:m2`, { severity: 'high', title: 'M2 closed', ...changes });
    await reader.stop();
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m2()], world.now());
    await world.db.deleteFrom('changes').execute();
    reader = beginReader();
    await listed([...roads(), m2()]);
    await listed([...roads(), m2({ severity: 'critical' }), m1()]);
    const said = bodies().map(({ type, data }) => {
      const { event_id, standing } = data as ChangeData;
      return `${type} ${event_id.split(':')[1]} ${standing}`;
    });
    expect(said.toSorted()).toEqual([
      'disruption.began m1 enters',
      'disruption.began m1 enters',
      'disruption.worse m2 stays',
    ]);
  });

  it('is about incidents that its conditions let through before or after a change', async () => {
    await hook({ which: { min_severity: 'high', words: 'closed', sources: [ROADS] } });
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

  it('says that two reports are one incident, that they are two again, and under which id it goes on', async () => {
    const facts = factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    });
    const said = { facts, event_type: 'road.closure', start_time: '2026-11-21T08:31:00.000Z' };
    const one = record(`${ROADS}:pair`, { ...said, severity: 'medium', title: 'M62 closed' });
    const other = record('tfl:pair', { ...said, severity: 'critical', title: 'M62 is closed' });
    const pair: [string, string] = [one.event_id, other.event_id];
    await poll(world.db, 'tfl', [], world.now());
    await listed([...roads(), one]);
    const { watchId } = await hook({ which: { words: 'closed' } });
    const started = (await world.ask('/disruptions?q=closed')).json<{ events: ListedDisruption[] }>().events;
    const next = async (change: () => Promise<unknown>) => {
      const before = far.arrived.length;
      world.pass(1000);
      await change();
      await cursors(world.db).move(MATCHER, await revision(world.db, 'changes'));
      await reader.changed();
      await sender.changed();
      return bodies()
        .slice(before)
        .map(({ type, data }) => {
          const { event_id, other_id, standing, disruption } = data as ChangeData;
          return [type, event_id, other_id ?? null, standing, disruption?.event_id, disruption?.severity];
        });
    };
    // A program has these incidents in its list if it applies each delivery to its earlier list.
    const areKnown = async () => {
      const known = new Map(started.map(({ event_id, severity }) => [event_id, severity]));
      for (const { type, data } of bodies()) {
        const { event_id, disruption } = data as ChangeData;
        known.delete(event_id);
        if (disruption && !/ended|lost/.test(type)) known.set(disruption.event_id, disruption.severity);
      }
      const { events } = (await world.ask('/disruptions?q=closed')).json<{ events: ListedDisruption[] }>();
      expect([...known].toSorted()).toEqual(
        events.map(({ event_id, severity }) => [event_id, severity]).toSorted(),
      );
    };
    const [first, second] = pair;

    // The second report is part of the first from its first moment: only the grade of the first changes.
    expect(await next(() => poll(world.db, 'tfl', [other], world.now()))).toEqual([
      ['disruption.worse', first, null, 'stays', first, 'critical'],
    ]);
    await areKnown();
    expect(await next(() => act(split, pair))).toEqual([
      ['disruption.split', second, first, 'enters', second, 'critical'],
      ['disruption.better', first, null, 'stays', first, 'medium'],
    ]);
    await areKnown();
    expect(await next(() => act(unsplit, pair))).toEqual([
      ['disruption.merged', second, first, 'stays', first, 'critical'],
      ['disruption.worse', first, null, 'stays', first, 'critical'],
    ]);
    await areKnown();
    // Somebody changes the condition meanwhile, and the second is still new to the channel.
    const edited = async () => {
      await changeFeeds(watchId, { words: 'closed', min_severity: 'medium' });
      await act(split, pair);
    };
    expect(await next(edited)).toEqual([
      ['disruption.split', second, first, 'enters', second, 'critical'],
      ['disruption.better', first, null, 'stays', first, 'medium'],
    ]);
    await next(() => act(unsplit, pair));
    await areKnown();
    expect(await next(() => poll(world.db, ROADS, roads(), world.now()))).toEqual([
      ['disruption.merged', first, second, 'stays', second, 'critical'],
    ]);
    await areKnown();
    expect(await next(() => poll(world.db, 'tfl', [], world.now()))).toEqual([
      ['disruption.ended', second, null, 'leaves', second, 'critical'],
    ]);
    await areKnown();
  });
  it('keeps a list right even if the news of a merge comes late, by the order that it says', async () => {
    const facts = factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    });
    const said = { facts, event_type: 'road.closure', start_time: '2026-11-21T08:31:00.000Z' };
    const one = record(`${ROADS}:pair`, { ...said, severity: 'medium', title: 'M62 closed' });
    const other = record('tfl:pair', { ...said, severity: 'low', title: 'M62 is closed' });
    await hook({ which: { words: 'closed' } });
    await poll(world.db, 'tfl', [other], world.now());
    await act(split, [one.event_id, other.event_id]);
    await listed([...roads(), one]);
    far.refused = 'disruption.merged';
    await act(unsplit, [one.event_id, other.event_id]);
    await listed([...roads(), one]);
    const refused = bodies().findIndex(({ type }) => type === 'disruption.merged');
    expect(refused).toBeGreaterThan(0);
    far.refused = null;
    await listed([...roads(), { ...one, severity: 'high' }]);
    expect(types().at(-1)).toBe('disruption.worse');
    await later(10_000);
    const came = bodies().filter((_, index) => index !== refused);
    expect(came.at(-1)!.type).toBe('disruption.merged');

    // A program applies each delivery to its list, unless a later one was about the same incident.
    const list = new Map<string, string>();
    const by = new Map<string, [batch: number, n: number]>();
    const isLater = (id: string, [batch, n]: [number, number]) => {
      const [last, at] = by.get(id) ?? [0, 0];
      return batch > last || (batch === last && n > at);
    };
    for (const { type, data } of came) {
      const { event_id, disruption, batch, n } = data as ChangeData;
      const isPut = disruption && !/ended|lost/.test(type);
      for (const id of new Set([event_id, ...(isPut ? [disruption.event_id] : [])])) {
        if (!isLater(id, [batch, n])) continue;
        by.set(id, [batch, n]);
        list.delete(id);
        if (isPut && id === disruption.event_id) list.set(id, disruption.severity);
      }
    }
    expect([...list]).toEqual([[one.event_id, 'high']]);
  });
  const act = (change: typeof split | typeof unsplit, pair: [string, string]) =>
    world.db.transaction().execute(async (trx) => void (await change(trx, pair, world.now())));

  it('says that a rail operator is running again', async () => {
    await listed([...roads(), m1({ title: 'Minor delays' })]);
    await hook();
    await listed([...roads(), m1({ title: 'Good service', kind: 'status' })]);
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.ended leaves',
    ]);
  });

  it('keeps what it has by a report of another source, when only the incident itself changes', async () => {
    const facts = factsOf({
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      direction: 'E',
    });
    const said = { facts, event_type: 'road.closure', start_time: '2026-11-21T08:31:00.000Z' };
    const official = record(`${ROADS}:pair`, { ...said, title: 'M62 closed' });
    await listed([...roads(), official]);
    await poll(world.db, 'tfl', [record('tfl:pair', said)], world.now());
    await hook({ which: { sources: ['tfl'] } });
    await listed([...roads(), { ...official, title: 'M62 still closed' }]);
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.changed stays',
    ]);
  });

  it('gets nothing about changes before it was made, and is read from then on', async () => {
    const { watchId } = await hook();
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m1()], world.now());
    await hook({ watch: watchId, path: '/later' });
    await sender.changed();
    expect([types(), types('/later')]).toEqual([['disruption.began'], []]);
  });

  it('gets the change by which an incident entered even if it ended before that could be sent', async () => {
    await hook({ which: { min_severity: 'high', sources: [ROADS] } });
    await listed([...roads(), m1({ severity: 'low' })]);
    await listed([...roads(), m1({ severity: 'high' })], { sending: false });
    await listed();
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.worse enters',
      'disruption.ended leaves',
    ]);
  });

  it.each([
    [
      { min_severity: 'high' as const },
      { severity: 'high' as const },
      { severity: 'low' as const },
      'better',
    ],
    [{ phase: 'planned' as const }, { phase: 'planned' as const }, { phase: 'active' as const }, 'started'],
  ])(
    'gets each change by the state after it, although a later one is known, with %o',
    async (which, first, then, kind) => {
      await hook({ which: { ...which, sources: [ROADS] } });
      world.pass(1000);
      await poll(world.db, ROADS, [...roads(), m1(first)], world.now());
      await listed([...roads(), m1(then)]);
      expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
        'disruption.began enters',
        `disruption.${kind} leaves`,
      ]);
    },
  );

  it('gets as entering what had entered and left before anybody looked', async () => {
    await hook();
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m1()], world.now());
    await listed();
    await listed([...roads(), m1()]);
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.began enters',
      'disruption.ended leaves',
      'disruption.began enters',
    ]);
  });

  it('gets nothing new of a source that is disconnected', async () => {
    await hook();
    await listed();
    const off_at = world.now().toISOString();
    await world.db.updateTable('collections').set({ off_at }).where('source', '=', ROADS).execute();
    await listed([...roads(), m1()]);
    expect(types()).toEqual([]);
  });

  it('gets incidents that begin when its condition is changed as entering', async () => {
    const { watchId } = await hook();
    await changeFeeds(watchId, { feeds: ['roads-uk'], min_severity: 'medium' });
    await listed([...roads(), m1()]);
    expect(bodies().map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.began enters',
    ]);
  });

  it('gets the ends of incidents that end when its condition is changed', async () => {
    const { watchId } = await hook();
    await listed([...roads(), m1()]);
    await changeFeeds(watchId, { feeds: ['roads-uk'], min_severity: 'medium' });
    await listed();
    expect(types()).toEqual(['disruption.began', 'disruption.ended']);
  });

  it('includes incidents that their publisher does not rate, unless they are hidden', async () => {
    await hook({ which: { min_severity: 'high', sources: [ROADS] } });
    await hook({ which: { min_severity: 'high', unrated: false, sources: [ROADS] }, path: '/rated' });
    await listed([...roads(), m1({ severity: 'low', metadata: { severity_unrated: true } })]);
    expect([types(), types('/rated')]).toEqual([['disruption.began'], []]);
  });

  it('gets the end of incidents in force before it was made, and nothing of those that left by an edit', async () => {
    const { watchId } = await hook();
    await listed(roads().slice(1));
    expect(types()).toEqual(['disruption.ended']);
    await changeFeeds(watchId, { min_severity: 'critical', feeds: ['roads-uk'], unrated: false });
    world.pass(MINUTE_MS);
    await reader.changed();
    await listed([]);
    // The present condition lets none of these through.
    expect(types()).toEqual(['disruption.ended']);
  });

  it('calls a start a start, and matches with a route matches', async () => {
    const reply = await world.post('/api/v1/watches', watchRequest, world.token);
    expect(reply.statusCode, reply.body).toBe(201);
    const watch = reply.json<{ id: string }>().id;
    const { at } = await hook({ watch });
    const elsewhere = record(`${ROADS}:m2`, { severity: 'high', title: 'M2 closed' });
    await poll(world.db, ROADS, [...roads(), elsewhere, m1({ phase: 'planned' })], world.now());
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
    // Until the matcher is as far, nobody knows whether it matches.
    await reader.changed();
    await sender.changed();
    expect(types()).toEqual([]);
    await cursors(world.db).move(MATCHER, 100);
    await reader.changed();
    await sender.changed();
    await listed([...roads(), elsewhere, m1({ severity: 'critical' })]);
    expect(types()).toEqual(['match.began', 'match.started']);
    expect(bodies()[0]!.data).toMatchObject({
      standing: 'enters',
      watches: [{ id: watch, level: 'certain', why: 'names the M1', from_km: 10, to_km: 14 }],
    });
    // The same holds if whole feeds let it through as well.
    await call('PATCH', at, { watch_ids: [watch, await makeFeeds()] });
    await reader.changed();
    await listed([...roads(), elsewhere, m1({ severity: 'high' })]);
    expect(bodies().at(-1)).toMatchObject({ type: 'match.better', data: { watches: { length: 2 } } });
  });

  it('gets nothing of another team’s routes, even if it names them', async () => {
    const watch = await makeFeeds();
    const theirs = await hook({ watch });
    await world.db
      .updateTable('channels')
      .set({ team_id: await otherTeam() })
      .where('id', '=', theirs.id)
      .execute();
    await listed([...roads(), m1()]);
    expect(far.arrived).toEqual([]);
    expect(await deliveries(theirs)).toEqual([]);
    const refused = await call('POST', '/channels', {
      kind: 'slack',
      name: 'Room',
      address: 'https://hooks.example/x',
      watch_ids: [randomUUID()],
    });
    expect(refused.statusCode).toBe(422);
  });

  it('gets a change once, whatever lets it through, and says what does', async () => {
    const [roadsId, allId] = [await makeFeeds(), await makeFeeds({}, 'Everything')];
    const one = await hook({ watch: roadsId });
    await call('PATCH', one.at, { watch_ids: [roadsId, allId] });
    await listed([...roads(), m1()]);
    expect(bodies().map(({ data }) => (data as ChangeData).watches.map(({ name }) => name).sort())).toEqual([
      ['Everything', 'Roads'],
    ]);
  });

  it('gets nothing outside the hours, and then the ends of incidents that it was sent', async () => {
    const watch = await makeFeeds();
    const hours = { days: 127, from: '08:30', to: '09:30' };
    await changeFeeds(watch, { feeds: ['roads-uk'] }, hours);
    const one = await hook({ watch });
    await listed([...roads(), m1()]);
    expect(types()).toEqual(['disruption.began']);
    world.pass(HOUR_MS);
    const m2 = record(`${ROADS}:m2`, { severity: 'high', title: 'M2 closed' });
    await listed([...roads(), m1(), m2]);
    await listed([...roads(), m2]);
    expect(types()).toEqual(['disruption.began']);
    expect((await deliveries(one))[0]).toMatchObject({ state: 'waiting', reason: 'Held: not watching now' });
    world.pass(22.5 * HOUR_MS);
    await listed([...roads(), { ...m2, severity: 'critical' }]);
    const changes = types().filter((type) => type.startsWith('disruption.'));
    expect(changes).toEqual(['disruption.began', 'disruption.ended', 'disruption.worse']);
    expect(bodies().at(-1)!.data).toMatchObject({ event_id: m2.event_id, standing: 'enters' });
  });

  it.each([
    ['as soon as one of its watches is watched', null, '07:00'],
    [
      'when its quiet hours are over, if they last longer',
      { from: '22:00', to: '07:30', critical: false },
      '07:30',
    ],
  ])('gets an end outside the hours %s', async (_, quiet, at) => {
    // The notifier sees them by their ids.
    const [first, second] = [await makeFeeds(), await makeFeeds()].toSorted() as [string, string];
    await changeFeeds(first, { feeds: ['roads-uk'] }, { days: 127, from: '08:30', to: '09:30' });
    await changeFeeds(second, { feeds: ['roads-uk'] }, { days: 127, from: '07:00', to: '09:30' });
    const one = await hook({ watch: first });
    await call('PATCH', one.at, { watch_ids: [first, second] });
    await world.db
      .updateTable('channels')
      .set({ kind: 'email', quiet: JSON.stringify(quiet) })
      .where('id', '=', one.id)
      .execute();
    await listed([...roads(), m1()]);
    world.pass(HOUR_MS);
    await listed();
    expect((await deliveries(one))[0]).toMatchObject({
      state: 'waiting',
      next_at: `2026-11-22T${at}:00.000Z`,
      // Six hours from then.
      valid_until: `2026-11-22T13${at.slice(2)}:00.000Z`,
    });
  });

  it('gets an end at once if one of its watches is watched now', async () => {
    const [byDay, always] = [await makeFeeds(), await makeFeeds({}, 'Everything')];
    await changeFeeds(byDay, { feeds: ['roads-uk'] }, { days: 127, from: '08:30', to: '09:30' });
    const { at } = await hook({ watch: byDay });
    await call('PATCH', at, { watch_ids: [byDay, always] });
    await listed([...roads(), m1()]);
    world.pass(HOUR_MS);
    await listed();
    expect(types()).toEqual(['disruption.began', 'disruption.ended']);
  });

  it('names what an incident leaves, and is news only if it begins or gets worse', async () => {
    const one = await hook({ which: { min_severity: 'high', unrated: false, sources: [ROADS] } });
    for (const severity of ['high', 'low', 'high'] as const) await listed([...roads(), m1({ severity })]);
    await listed();
    const said = (await deliveries(one)).map((row) => row.said).toReversed();
    expect(said.map(({ text }) => text.startsWith('No longer in Roads. '))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(said.map(({ is_news }) => is_news)).toEqual([true, false, true, false]);
  });

  it('waits with changes that the matcher has not reached', async () => {
    const reply = await world.post('/api/v1/watches', watchRequest, world.token);
    const watch = reply.json<{ id: string }>().id;
    await hook({ watch });
    const m2 = record(`${ROADS}:m2`, { severity: 'high', title: 'M2 closed' });
    await poll(world.db, ROADS, [...roads(), m1()], world.now());
    const reached = await revision(world.db, 'changes');
    await poll(world.db, ROADS, [...roads(), m1(), m2], world.now());
    const found = [`${ROADS}:m1`, `${ROADS}:m2`].map((subject_id) => ({
      watch_id: watch,
      subject: 'disruption' as const,
      subject_id,
      level: 'certain' as const,
      why: 'names the road',
      from_km: 10,
      to_km: 14,
      off_m: 5,
    }));
    await world.db.transaction().execute((trx) =>
      matches(trx).settle({ subject: 'disruption', all: true }, found, {
        at: world.now(),
        batch: 1,
        endKind: () => 'ended',
      }),
    );
    const read = async (batch: number) => {
      await cursors(world.db).move(MATCHER, batch);
      await reader.changed();
      await sender.changed();
      return bodies().map(({ data }) => (data as ChangeData).event_id);
    };
    expect(await read(reached)).toEqual([`${ROADS}:m1`]);
    expect(await read(reached + 100)).toEqual([`${ROADS}:m1`, `${ROADS}:m2`]);
  });

  it('calls no source fresh that it no longer asks', async () => {
    const { watchId } = await hook();
    await listed();
    world.pass(3 * HOUR_MS);
    await reader.changed();
    await sender.changed();
    expect(types()).toEqual(['source.stale']);
    await changeFeeds(watchId, { sources: ['tfl'] });
    world.pass(MINUTE_MS);
    await reader.changed();
    await sender.changed();
    expect(types().filter((type) => type === 'source.fresh')).toEqual([]);
  });

  it('calls no source fresh that was silent and is now disconnected', async () => {
    await hook();
    await listed();
    world.pass(3 * HOUR_MS);
    await reader.changed();
    await sender.changed();
    expect(types()).toEqual(['source.stale']);
    await world.db
      .updateTable('collections')
      .set({ off_at: world.now().toISOString() })
      .where('source', '=', ROADS)
      .execute();
    world.pass(MINUTE_MS);
    await reader.changed();
    await sender.changed();
    expect(types()).toEqual(['source.stale']);
  });

  it('says that a source is silent, and never that its incidents have ended', async () => {
    await hook();
    await listed([...roads(), m1()]);
    const { maxAgeMinutes } = COLLECTORS.find(({ source }) => source === ROADS)!;
    // A program learns of it at once, people ten minutes later.
    world.pass((maxAgeMinutes + 1) * 60_000);
    await reader.changed();
    await sender.changed();
    expect(types()).toContain('source.stale');
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

it.each(['webhook', 'slack', 'teams'])('holds every hostile title in the body for %s', async (kind) => {
  await hook({ kind });
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
    expect('webhook-signature' in headers).toBe(kind === 'webhook');
    if (kind === 'slack') {
      expect(read.text.replace(/<https:\/\/clearway\.example\/[^|<>]*\|Open in Clearway>$/, '')).not.toMatch(
        /[<>\u202E]/,
      );
      for (const { text } of read.blocks)
        if (text?.type === 'mrkdwn')
          expect(text.text).toMatch(/^<https:\/\/clearway\.example\/[^|<>]*\|Open in Clearway>$/);
    }
    if (kind === 'teams')
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
      // The reader may also say that the source is silent by now.
      const tried = () => types(path).filter((type) => type === 'disruption.began').length;
      await listed([...roads(), m1({ title: `M1 ${share}` })]);
      for (const [tries, ms] of [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS].entries()) {
        await later(ms * factor - 1000);
        expect(tried(), `${ms}`).toBe(tries + 1);
        await later(1000);
        expect(tried(), `${ms}`).toBe(tries + 2);
      }
      const [last] = (await deliveries(one)).filter(({ about }) => about === `${ROADS}:m1`);
      expect(last).toMatchObject({ state: 'failed', attempts: 5, last_status: 500 });
      await call('DELETE', one.at);
      far.answer = 201;
      await listed();
    }
  });

  it('sends a delivery again with its own id; the signature refuses one older than five minutes', async () => {
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

  it('does not replace a change that was tried, because it may have arrived', async () => {
    await hook();
    await listed([...roads(), m1()]);
    far.answer = 503;
    await listed([...roads(), m1({ severity: 'critical' })]);
    far.answer = 201;
    await listed([...roads(), m1({ severity: 'low' })]);
    await later(10_000);
    const told = bodies().map(({ type, data }) => `${type} ${(data as ChangeData).severity_from}`);
    expect(told).toEqual([
      'disruption.began null',
      'disruption.worse high',
      'disruption.worse high',
      'disruption.better critical',
    ]);
  });

  it('joins all changes that wait, also of one look, with how it entered; its beginning stays', async () => {
    await hook({ which: { min_severity: 'medium', sources: [ROADS] } });
    const m2 = (severity: 'high' | 'critical') => record(`${ROADS}:m2`, { severity, title: 'M2 closed' });
    await listed([...roads(), m1({ severity: 'low' })]);
    await listed([...roads(), m1({ severity: 'medium' })], { sending: false });
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m1({ severity: 'high' })], world.now());
    const worst = m1({ severity: 'critical' });
    await listed([...roads(), worst, m2('high')], { sending: false });
    await listed([...roads(), worst, m2('critical')], { sending: false });
    await sender.changed();
    await sender.changed();
    const told = bodies().map(({ type, data }) => {
      const { event_id, standing, severity_from } = data as ChangeData;
      return `${event_id.split(':')[1]} ${type} ${standing} ${severity_from}`;
    });
    expect(told.toSorted()).toEqual([
      'm1 disruption.worse enters low',
      'm2 disruption.began enters null',
      'm2 disruption.worse stays high',
    ]);
  });

  it('replaces no change with which an incident leaves or has left', async () => {
    await hook({ which: { min_severity: 'high', unrated: false, sources: [ROADS] } });
    await listed([...roads(), m1()]);
    const grades = ['critical', 'low', 'high'] as const;
    for (const severity of grades) await listed([...roads(), m1({ severity })], { sending: false });
    await sender.changed();
    const told = bodies().filter(({ data }) => (data as ChangeData).event_id === `${ROADS}:m1`);
    expect(told.map(({ type, data }) => `${type} ${(data as ChangeData).standing}`)).toEqual([
      'disruption.began enters',
      'disruption.worse stays',
      'disruption.better leaves',
      'disruption.worse enters',
    ]);
  });

  it('says that one was replaced even if it arrives at that very moment', async () => {
    const one = await hook();
    await listed([...roads(), m1()]);
    far.slow = '/hook';
    await listed([...roads(), m1({ severity: 'critical' })], { sending: false });
    const sending = sender.changed();
    await expect.poll(() => types()).toHaveLength(2);
    await listed([...roads(), m1({ severity: 'medium' })], { sending: false });
    far.release();
    await sending;
    await sender.changed();
    expect((await deliveries(one)).map(({ state }) => state)).toEqual(['sent', 'dropped', 'sent']);
    expect(types()).toEqual(['disruption.began', 'disruption.worse', 'disruption.better']);
  });

  it('lets a slow address delay no other', async () => {
    await hook({ path: '/slow' });
    await hook({ path: '/hook' });
    far.slow = '/slow';
    const many = Array.from({ length: 30 }, (_, at) => record(`${ROADS}:x${at}`));
    await listed([...roads(), ...many], { sending: false });
    const sending = sender.changed();
    await vi.waitFor(() => expect(types('/hook')).toHaveLength(30), { interval: 5, timeout: 60_000 });
    // Only one delivery at a time is under way there.
    expect(types('/slow')).toHaveLength(1);
    far.release();
    await sending;
    expect(types('/slow')).toHaveLength(30);
  });

  it('is off at 410, with words in the lists of the team', async () => {
    await channelsIn(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    far.answer = 410;
    await listed([...roads(), m1()]);
    const off_at = world.now().toISOString();
    await listed([...roads(), m1({ severity: 'critical' })]);
    expect(far.arrived).toHaveLength(1);
    expect(await shown(one.id)).toMatchObject({
      state: 'off',
      host: far.host,
      why: 'The address answered 410',
      since: off_at,
    });
    expect(await notices()).toEqual(['Control room is off']);
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(409);
  });

  it('is off when nothing has arrived for three days', async () => {
    await channelsIn(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    far.answer = 500;
    for (let day = 0; day < 4; day++) {
      await listed([...roads(), record(`${ROADS}:day${day}`)]);
      for (const ms of [6000, 6 * MINUTE_MS, 36 * MINUTE_MS, 2.4 * HOUR_MS]) await later(ms);
      expect((await shown(one.id)).state, `day ${day}`).toBe(day < 3 ? 'failing' : 'off');
      world.pass(DAY_MS);
    }
    expect(await notices()).toEqual(['Control room is off']);
  });

  it('is off when so many wait or failed that they would fill the disk', async () => {
    await channelsIn(world.db).appOf((await me()).id, EVERYONE, world.now());
    const one = await hook();
    await listed([...roads(), m1()]);
    const row = await world.db
      .selectFrom('messages')
      .selectAll()
      .where('channel_id', '=', one.id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: UNDELIVERED_MOST + 1 }, (_, at) => ({
      ...row,
      id: `msg_${at}`,
      state: 'failed' as const,
    }));
    await messages(world.db).add(rows);
    world.pass(HOUR_MS);
    await reader.changed();
    expect(await shown(one.id)).toMatchObject({
      state: 'off',
      why: 'More than 10,000 messages have not arrived',
    });
    expect(await notices()).toEqual(['Control room is off']);
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

  it('rests for five seconds if Retry-After asks for no rest', async () => {
    await hook();
    far.answer = 429;
    far.retryAfter = '0';
    await listed([...roads(), record(`${ROADS}:a`)]);
    far.answer = 201;
    far.retryAfter = null;
    await listed([...roads(), record(`${ROADS}:a`), record(`${ROADS}:b`)]);
    expect(far.arrived).toHaveLength(1);
    await later(5000);
    expect(bodies().map(({ data }) => (data as ChangeData).event_id)).toEqual(
      ['a', 'b', 'a'].map((id) => `${ROADS}:${id}`),
    );
  });

  it('rests six hours at most, whatever Retry-After asks, and then sends at once all that still holds', async () => {
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

  it('rests no longer than anybody may ask, even if the clock was ahead when it asked', async () => {
    const one = await hook();
    const rests = (hours: number) =>
      world.db
        .updateTable('channels')
        .set({ wait_until: new Date(world.now().getTime() + hours * HOUR_MS).toISOString() })
        .where('id', '=', one.id)
        .execute();
    await rests(5);
    await listed([...roads(), m1()]);
    expect(far.arrived).toEqual([]);
    await rests(7);
    await sender.changed();
    expect(types()).toEqual(['disruption.began']);
  });

  it('counts a redirect as a failure, and follows none', async () => {
    const one = await hook();
    far.answer = 302;
    far.location = 'https://127.0.0.1/inside';
    await listed([...roads(), m1()]);
    expect(far.arrived.map(({ path }) => path)).toEqual(['/hook']);
    expect((await deliveries(one))[0]).toMatchObject({ state: 'waiting', last_status: 302 });
  });

  it('reaches no inside of a network, wherever its name leads when the connection is made', async () => {
    await sender.stop();
    sender = beginSender({ allow: [] });
    const asked: string[] = [];
    onTestFinished(syncBuiltinESMExports);
    // The address is public when it is checked, and inside the network afterwards.
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
    const port = far.host.split(':')[1]!;
    const made = await call('POST', '/channels', {
      kind: 'webhook',
      name: 'X',
      address: `https://rebind.example:${port}/hook`,
    });
    await sender.changed();
    expect(asked).toEqual(['rebind.example']);
    expect(far.arrived).toEqual([]);
    expect(await shown(made.json<MadeChannel>().channel.id)).toMatchObject({
      state: 'unconfirmed',
      why: expect.stringContaining('inside a private network') as string,
      failed: 1,
    });
  });

  it('sends a failed one again, for seven days', async () => {
    const one = await hook();
    far.answer = 500;
    await listed([...roads(), m1()]);
    // The reader would say that the source is silent by now.
    await reader.stop();
    for (const ms of [6000, 6 * MINUTE_MS, 36 * MINUTE_MS, 2.4 * HOUR_MS]) await later(ms);
    const [failed] = await deliveries(one);
    expect(failed).toMatchObject({ state: 'failed', said: { title: 'New. High: M1 closed' } });
    const log = (await call('GET', `/messages?channel=${one.id}&state=failed`)).json<MessagePage>();
    expect(log).toMatchObject({
      failed: 1,
      messages: [{ outcomes: [{ message_id: failed!.id, name: 'Control room', can_send_again: true }] }],
    });
    far.answer = 201;
    const again = () => call('POST', `/messages/${failed!.id}/send`);
    expect((await again()).statusCode).toBe(202);
    await sender.changed();
    expect(far.arrived.at(-1)!.headers['webhook-id']).toBe(failed!.id);
    expect((await deliveries(one))[0]).toMatchObject({
      state: 'sent',
      attempts: 1,
      said: { title: 'New. High: M1 closed' },
    });
    expect((await again()).statusCode).toBe(404);
    await messages(world.db).prune(new Date(0), new Date(world.now().getTime() + 2 * DAY_MS));
    expect(await deliveries(one)).toEqual([]);
  });

  it.each(DATABASES)('sends each once from two nodes on $engine', async ({ open }) => {
    for (const one of started.splice(0)) await one.stop();
    await world.close();
    const opened = await open();
    world = await openFormatsWorld({ open: async () => opened });
    reader = beginReader();
    sender = beginSender();
    // While there is no other node, the one with the lease sends the test and stores where the log begins.
    await hook();
    const db = await opened.node();
    const other = beginReader('another node', db);
    const posting = beginSender({ owner: 'another node', db });
    world.pass(1000);
    await poll(world.db, ROADS, [...roads(), m1(), record(`${ROADS}:m2`)], world.now());
    await Promise.all([reader.changed(), other.changed()]);
    await Promise.all([sender.changed(), posting.changed()]);
    expect(
      bodies()
        .map(({ data }) => (data as ChangeData).event_id)
        .sort(),
    ).toEqual([`${ROADS}:m1`, `${ROADS}:m2`]);
    // After a crash between the log and the place in it, the ids are the same, so no message is made twice.
    await cursors(world.db).move(CURSOR, 1);
    await world.db.deleteFrom('followed_incidents').execute();
    world.pass(MINUTE_MS);
    await Promise.all([reader.changed(), other.changed()]);
    await Promise.all([sender.changed(), posting.changed()]);
    const ids = far.arrived.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    far.arrived.length = 0;
    // The first node is gone, and its lease with it.
    await Promise.all([reader.stop(), sender.stop()]);
    await poll(world.db, ROADS, roads(), world.now());
    await other.changed();
    await posting.changed();
    expect(types()).toEqual(['disruption.ended', 'disruption.ended']);
  });
});

describe('the calls', () => {
  it('show the secret once, store it and the address sealed, and note who did what', async () => {
    const one = await hook({ path: '/hook?token=t0ken' });
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const list = await call('GET', '/channels');
    expect(list.json()).toMatchObject({
      total: 1,
      channels: [{ host: far.host, kind: 'webhook', address: null, state: 'working' }],
    });
    const stored = JSON.stringify([
      await world.db.selectFrom('channels').selectAll().execute(),
      await world.db.selectFrom('audit_trail').selectAll().execute(),
    ]);
    for (const secret of [one.secret, 't0ken']) {
      expect(list.body).not.toContain(secret);
      expect(stored).not.toContain(secret);
      expect(world.logged()).not.toContain(secret);
    }
    await call('POST', `${one.at}/rotate`);
    await call('DELETE', one.at);
    const acts = await world.db.selectFrom('audit_trail').select(['action', 'subject']).execute();
    expect(acts.filter(({ action }) => action.startsWith('channel.'))).toEqual(
      ['created', 'rotated', 'deleted'].map((what) => ({
        action: `channel.${what}`,
        subject: 'Control room',
      })),
    );
  });

  it('sign with both secrets for 24 hours after a change', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: world.now() });
    const one = await hook();
    const { secret, channel } = (await call('POST', `${one.at}/rotate`)).json<MadeChannel>();
    expect(secret).not.toBe(one.secret);
    expect(channel.both_sign_until).toBe(new Date(world.now().getTime() + DAY_MS).toISOString());
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
    expect((await shown(channel.id)).both_sign_until).toBeNull();
  });

  it('send a test that says that it is one', async () => {
    const one = await hook();
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(202);
    await sender.changed();
    expect(bodies()).toMatchObject([{ type: 'test.ping', data: { channel: { name: 'Control room' } } }]);
    for (let more = 0; more < 4; more++) await call('POST', `${one.at}/test`);
    expect((await call('POST', `${one.at}/test`)).statusCode).toBe(429);
  });

  it('make a channel work when its test is taken, and send it nothing before', async () => {
    const watch = await makeFeeds();
    far.answer = 400;
    const made = await call('POST', '/channels', {
      kind: 'teams',
      name: 'Travel desk',
      address: `https://${far.host}/hook`,
      what: { alerts: true, changes: true, digest: false, brief: false },
      watch_ids: [watch],
    });
    const { id } = made.json<MadeChannel>().channel;
    await sender.changed();
    expect(await shown(id)).toMatchObject({
      state: 'unconfirmed',
      why: 'The address answered 400',
      waiting: 1,
    });
    await listed([...roads(), m1()]);
    expect(far.arrived).toHaveLength(1);
    far.answer = 202;
    await call('POST', `/channels/${id}/test`);
    await sender.changed();
    expect(await shown(id)).toMatchObject({ state: 'working', why: null });
    // A channel with another address is another channel.
    await call('PATCH', `/channels/${id}`, { address: `https://${far.host}/other` });
    expect((await shown(id)).state).toBe('unconfirmed');
    await sender.changed();
    expect([far.arrived.at(-1)!.path, (await shown(id)).state]).toEqual(['/other', 'working']);
  });

  it('give no secret to channels without a signature, and send nothing to channels that are off', async () => {
    const slack = await hook({ kind: 'slack', path: '/slack' });
    expect((await call('POST', `${slack.at}/rotate`)).json<{ detail: string }>().detail).toBe(
      'Only webhooks have a secret.',
    );
    const one = await hook();
    await world.db.updateTable('channels').set({ state: 'off' }).execute();
    for (const what of ['test', 'rotate'])
      expect((await call('POST', `${one.at}/${what}`)).statusCode, what).toBe(409);
  });

  it('turn one on again with the changes from then on, and without those that did not arrive', async () => {
    const one = await hook();
    far.answer = 410;
    await listed([...roads(), m1()]);
    expect(await shown(one.id)).toMatchObject({ state: 'off', failed: 1 });
    await listed([...roads(), m1(), record(`${ROADS}:m2`)]);
    far.answer = 200;
    expect((await call('POST', `${one.at}/on`)).json()).toMatchObject({ state: 'unconfirmed', failed: 0 });
    await sender.changed();
    expect(await shown(one.id)).toMatchObject({ state: 'working', why: null });
    far.arrived.length = 0;
    await listed([...roads(), m1(), record(`${ROADS}:m2`)]);
    expect(far.arrived).toEqual([]);
    // The channel has the incidents that are in force at that time, and gets their later changes.
    await listed([...roads(), m1()]);
    expect(bodies().map(({ type, data }) => [type, (data as ChangeData).event_id])).toEqual([
      ['disruption.ended', `${ROADS}:m2`],
    ]);
    // A channel that is on goes on from its place.
    await call('POST', `${one.at}/on`);
    expect((await deliveries(one))[0]).toMatchObject({ state: 'sent' });
    const acts = await world.db.selectFrom('audit_trail').select('action').execute();
    expect(acts.filter(({ action }) => action === 'channel.turned_on')).toHaveLength(1);
  });

  it('refuse what nobody may call, duplicates, and too many', async () => {
    await hook();
    const make = (address: string, more = {}) =>
      call('POST', '/channels', { kind: 'webhook', name: 'X', address, ...more });
    for (const address of ['http://a.example/', 'ftp://a.example', 'https://u:p@a.example/', 'no'])
      expect((await make(address)).statusCode, address).toBe(422);
    expect((await make('https://a.example/', { kind: 'pager' })).statusCode).toBe(422);
    expect((await make(`https://${far.host}/hook`)).statusCode).toBe(409);
    for (let more = 0; more < 99; more++)
      expect((await make(`https://a.example/${more}`)).statusCode).toBe(201);
    expect((await make('https://a.example/one-more')).json<{ detail: string }>().detail).toMatch(
      /^A team may have 100 channels/,
    );
  });

  it('belong to the team: for another team everything is a 404', async () => {
    const one = await hook();
    const of = async (team_id: string) =>
      world.db.updateTable('channels').set({ team_id }).where('id', '=', one.id).execute();
    await of(await otherTeam());
    for (const path of ['', '/rotate', '/test', '/on'])
      expect((await call(path === '' ? 'DELETE' : 'POST', `${one.at}${path}`)).statusCode, path).toBe(404);
    expect((await call('PATCH', one.at, { name: 'Mine' })).statusCode).toBe(404);
    expect((await call('GET', '/channels')).json()).toMatchObject({ total: 0 });
  });
});

/** Changes the condition as an edit does. */
async function changeFeeds(id: string, which: Partial<Which>, when: object | null = null): Promise<void> {
  await world.db
    .updateTable('watches')
    .set((eb) => ({
      which: JSON.stringify(Which.parse(which)),
      when: when && JSON.stringify(when),
      sources: JSON.stringify(which.sources?.length ? which.sources : [ROADS]),
      rev: eb('rev', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  await raiseRevision(world.db, 'watches');
}

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
    .innerJoin('channels', 'channels.id', 'messages.channel_id')
    .select('body')
    .where('kind', '=', 'app')
    .execute();
  return rows.map(({ body }) => (JSON.parse(body) as MessageBody).title);
}
