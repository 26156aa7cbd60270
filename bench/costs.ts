/**
 * `npm run bench -- costs`: the heaviest calls after 90 days of log. Each is measured when it was not answered
 * before, in processor time of all threads of the process, and as a ratio of node:http sending the same bytes in the
 * same run. Also the longest time for which one step of their work blocks the main thread, over all rounds. SQLite on
 * disk; 1,500 incidents a day, a thousand held messages a day, 200 areas that 95 incidents touch, a thousand jobs a
 * day and 200 displays. `--days 90`, `--rounds 9`, `--only messages`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Insertable } from 'kysely';
import { COLLECTORS } from '../server/sources/allSources.ts';
import { chunks } from '../server/db/batches.ts';
import { collections } from '../server/incidents/collectionState.ts';
import { type Db, openBeside, openDatabase } from '../server/db/open.ts';
import { raiseRevision } from '../server/db/revisions.ts';
import type { RowOf, Tables } from '../server/db/schema.ts';
import { ADMIN, prepareServer } from '../tests/support/server.ts';
import { factsOf } from '../tests/support/facts.ts';
import { londonDay } from '#contract/london.ts';
import type { Bytes } from './http/plain.ts';
import { callsBy, median, processorMs } from './http/processor.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    days: { type: 'string', default: '90' },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', multiple: true },
  },
});
const DAYS = Number(values.days);
const ROUNDS = Number(values.rounds);
const INCIDENTS_A_DAY = 1500;
const HELD_A_DAY = 1000;
const SENT_A_DAY = 100;
const AREAS = 200;
const AROUND = 95;
const SOURCE = 'national-highways';
const DAY = 24 * 60 * 60_000;

interface Asked {
  /** `round` makes each path different, so that none was answered before. */
  path: (round: number) => string;
  raises?: string;
  /** The body of the request, sent by POST. */
  body?: (round: number) => object;
  /** True: without a session, and not below /api/v1/. */
  isStranger?: true;
}

/** Paths of things that were made before the first call, by name. */
const made: Record<string, string> = {};
const form = (ext: string) => (round: number) =>
  `disruptions.${ext}?state=ended&limit=${ext === 'rss' || ext === 'atom' ? 50 - round : 5000 - round}`;
const FORMS = ['csv', 'json', 'geojson', 'ics', 'rss', 'atom', 'cap', 'badge'] as const;
const span = (round: number, days: number) =>
  `from=${iso(now - days * DAY + round * 60_000)}&to=${iso(now - round * 1000)}`;

const CALLED: Record<string, Asked> = {
  ...Object.fromEntries(FORMS.map((ext) => [`ended, ${ext}`, { path: form(ext) }])),
  ...Object.fromEntries(
    FORMS.map((ext) => [`area, ${ext}`, { path: () => `watches/area-1.${ext}`, raises: 'watches' }]),
  ),
  'ended, list of 50': { path: (round) => `disruptions?state=ended&limit=${50 - round}` },
  'changes since the beginning': { path: (round) => `changes/summary?since=${round}` },
  'changes of 7 days': {
    path: (round) => `changes/summary?since=${new Date(now - 7 * DAY + (round + 1) * 600_000).toISOString()}`,
  },
  messages: { path: () => 'messages' },
  watches: { path: () => 'watches', raises: 'watches' },
  handover: { path: (round) => `handover?from=${new Date(now - DAY + round).toISOString()}` },
  'board of a week ago': {
    path: (round) => `history/board?at=${new Date(now - 7 * DAY - round * 60_000).toISOString()}`,
  },
  'timeline of 7 days': { path: (round) => `history/timeline?${span(round, 7)}` },
  'an area in 90 days': { path: (round) => `history/watches/area-0?${span(round, 90)}` },
  'an area in 90 days, csv': { path: (round) => `history/watches/area-0?format=csv&${span(round, 90)}` },
  'statistics of 90 days, again': { path: () => 'stats/sources?days=90' },
  'statistics of sources': { path: (round) => `stats/sources?days=${80 - round}` },
  'statistics of watches': { path: (round) => `stats/watches?days=${90 - round}` },
  'statistics of jobs': { path: (round) => `stats/jobs?days=${90 - round}` },
  'sheet of 1,000 jobs, tried': { path: () => 'jobs/import', body: (round) => sheet(round, true) },
  'sheet of 1,000 jobs, stored': { path: () => 'jobs/import', body: (round) => sheet(round, false) },
  'sheet of 1,000 wrong jobs': {
    path: () => 'jobs/import',
    body: (round) => ({ ...sheet(round, true), rows: Array.from({ length: 1000 }, () => ({ trip: 7 })) }),
  },
  'jobs of a day': { path: () => `jobs?day=${londonDay(new Date(now))}`, raises: 'jobs' },
  'brief, made': { path: () => 'briefs', body: (round) => brief('routes', `Brief ${round}`) },
  'briefs, list': { path: () => 'briefs' },
  ...Object.fromEntries(
    (['jobs', 'routes', 'feeds'] as const).map((about) => [
      `brief of ${about}, sent`,
      { path: () => `${made[`brief of ${about}`]}/send`, body: () => ({}) },
    ]),
  ),
  'layout, made': { path: () => 'displays/layouts', body: (round) => layout(`Layout ${round}`) },
  'layouts, list': { path: () => 'displays/layouts' },
  'layout of all displays': {
    path: () => 'displays/assignments',
    body: () => ({ to: { all: true }, layout_id: made['layout'] }),
  },
  'displays, list': { path: () => 'displays' },
  'message to all displays': {
    path: () => 'displays/messages',
    body: (round) => ({
      to: { all: true },
      text: `Pump ${round} is out of order.`,
      look: 'medium',
      cover: 'band',
      until: iso(now + 4 * 60 * 60_000),
    }),
  },
  'messages to displays, list': { path: () => 'displays/messages' },
  'channel, made': {
    path: () => 'channels',
    body: (round) => ({
      kind: 'slack',
      name: `Channel ${round}`,
      address: `https://hooks.slack.com/services/T0/B0/${round}`,
      what: { alerts: false, changes: true, digest: false, brief: false },
    }),
  },
  'channels, list': { path: () => 'channels' },
  'channels told of an area': { path: () => 'channels/told?watch_id=area-1' },
  'why an area told': { path: () => 'watches/area-1/explain-messages' },
  'trial of an area': { path: () => 'watches/area-1/trial', body: () => ({}) },
  ...Object.fromEntries(
    FORMS.flatMap((ext) =>
      (['area', 'feeds'] as const).map((kind) => [
        `stranger, ${kind}, ${ext}`,
        { path: () => made[`${kind}, ${ext}`]!, isStranger: true as const, raises: 'feeds' },
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['area', 'feeds', 'alert'].map((kind) => [
      `stranger, page of ${kind}`,
      { path: () => made[`page of ${kind}`]!, isStranger: true as const, raises: 'feeds' },
    ]),
  ),
  'stranger, openapi.json': { path: () => '/openapi.json', isStranger: true },
  'stranger, the app': { path: () => '/', isStranger: true },
  'stranger, a code for a display': {
    path: () => '/api/v1/displays/device_authorization',
    body: () => ({}),
    isStranger: true,
  },
  'stranger, wrong password': {
    path: () => '/api/v1/auth/login',
    body: (round) => ({ email: `nobody-${round}@coaches.example`, password: 'signal-box-at-York-7' }),
    isStranger: true,
  },
};

function sheet(round: number, dry_run: boolean) {
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    ref: `R${at}`,
    leaves_local: `${String(at % 24).padStart(2, '0')}:${String(round).padStart(2, '0')}`,
    trip: `Leeds Stn → Heathrow T${at % 400}`,
    vehicle: 'YN21 ABC',
    driver: 'M. Hussain',
  }));
  return { day: londonDay(new Date(now)), dry_run, rows };
}

const brief = (about: 'jobs' | 'routes' | 'feeds', name: string) => ({
  name,
  days: 127,
  times: ['06:00'],
  about,
  horizon: about === 'jobs' ? 'week' : 'today',
});

const layout = (name: string) => ({
  name,
  pages: Array.from({ length: 12 }, () => ({
    type: 'routes',
    watch_ids: Array.from({ length: 12 }, (_, at) => `area-${at}`),
  })),
});

let state = 7;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};
const now = Date.now();
const iso = (time: number) => new Date(time).toISOString();
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
const OTHERS = COLLECTORS.map(({ source }) => source).filter((source) => source !== 'nsi-service');

const JSON_BODY = { 'content-type': 'application/json' };
const sending = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });

const server = await prepareServer({
  env: { NODE_OPTIONS: `--import ${new URL('../tests/support/longestBlock.ts', import.meta.url).href}` },
});
const opened = await openDatabase({ dataDir: server.dataDir });
await fill(opened.db);
await opened.close();
await server.start();
const plain = fork(new URL('http/plain.ts', import.meta.url));
const [{ port }] = (await once(plain, 'message')) as [AddressInfo];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const call = callsBy(agent);
const beside = await openBeside({ dataDir: server.dataDir });
try {
  const answer = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'accept-encoding': 'identity' };
  await call(`${server.origin}/api/v1/messages`, headers);
  await fillMessages(beside.db);
  await fillDisplays(beside.db);
  await matched(headers);
  const post = async (path: string, body: object) => {
    const reply = await call(`${server.origin}/api/v1/${path}`, { ...headers, ...JSON_BODY }, sending(body));
    if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${String(reply.body)}`);
    return JSON.parse(String(reply.body)) as { id: string; path: string };
  };
  await prepare(post);

  console.log('| call | bytes | ours, ms | block, ms | node:http, ms | ours : node:http |');
  console.log('| ---- | ----: | -------: | --------: | ------------: | ---------------: |');
  let yardstick = 0;
  for (const [name, { path, raises, body: bodyOf, isStranger }] of Object.entries(CALLED)) {
    if (values.only && !values.only.some((part) => name.includes(part))) continue;
    const rounds: { ours: number; theirs: number; bytes: number }[] = [];
    await longestBlock();
    for (let round = 0; round < ROUNDS; round++) {
      if (raises) await raiseRevision(beside.db, raises);
      const url = `${server.origin}${isStranger ? '' : '/api/v1/'}${path(round)}`;
      const sent = bodyOf && sending(bodyOf(round));
      const own = { ...(isStranger ? { 'accept-encoding': 'identity' } : headers), ...(sent && JSON_BODY) };
      let bytes = Buffer.alloc(0);
      const [ours] = await processorMs([server.pid()!], async () => {
        const { status, body } = await call(url, own, sent);
        if (status >= 300 && !(isStranger && status === 401))
          throw new Error(`${name}: ${status} ${body.toString().slice(0, 300)}`);
        bytes = Buffer.from(body);
      });
      const sample: Bytes = { name: 'sample', status: 200, headers: {}, body: bytes.toString('base64') };
      plain.send(sample);
      await once(plain, 'message');
      const [theirs] = await processorMs([plain.pid!], () => call(`http://127.0.0.1:${port}/sample`, {}));
      rounds.push({ ours: ours!, theirs: theirs!, bytes: bytes.byteLength });
    }
    const of = (key: 'ours' | 'theirs' | 'bytes') => median(rounds.map((round) => round[key]));
    const block = await longestBlock();
    yardstick = Math.max(yardstick, block.yardstickMs);
    const figures = [
      of('bytes').toLocaleString('en-GB'),
      of('ours').toFixed(1),
      block.processorMs.toFixed(0),
      of('theirs').toFixed(2),
      median(rounds.map(({ ours, theirs }) => ours / theirs)).toFixed(0),
    ];
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
  console.log(`\nThe yardstick took ${yardstick.toFixed(0)} ms at most.`);
} finally {
  plain.disconnect();
  agent.destroy();
  await beside.close();
  await server.dispose();
}

/** The longest block since the last call of this function, see tests/support/longestBlock.ts. */
async function longestBlock(): Promise<{ processorMs: number; yardstickMs: number }> {
  const said = () => [...server.output().matchAll(/longest block: (.+)/g)];
  const before = said().length;
  process.kill(server.pid()!, 'SIGUSR2');
  while (said().length === before) await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.parse(said().at(-1)![1]!) as { processorMs: number; yardstickMs: number };
}

/** Makes the things that the calls are about. */
async function prepare(
  post: (path: string, body: object) => Promise<{ id: string; path: string }>,
): Promise<void> {
  for (const about of ['jobs', 'routes', 'feeds'] as const)
    made[`brief of ${about}`] = `briefs/${(await post('briefs', brief(about, `Of ${about}`))).id}`;
  made['layout'] = (await post('displays/layouts', layout('For all'))).id;
  const feeds = await post('watches', { kind: 'feeds', made_by: 'feeds', name: 'Everything', which: {} });
  const expires_at = iso(now + 10 * DAY);
  for (const [kind, watch_id] of [
    ['area', 'area-1'],
    ['feeds', feeds.id],
  ]) {
    for (const ext of FORMS)
      made[`${kind}, ${ext}`] = (await post('addresses', { watch_id, form: ext, expires_at: null })).path;
    made[`page of ${kind}`] = (await post('addresses', { watch_id, form: 'page', expires_at })).path;
  }
  const event_id = `${SOURCE}:1`;
  made['page of alert'] = (await post('addresses', { event_id, form: 'page', expires_at })).path;
}

async function fillDisplays(db: Db): Promise<void> {
  const { id: owner_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const rows = Array.from({ length: 200 }, (_, at): Insertable<Tables['displays']> => ({
    id: `display-${at}`,
    name: `Hall ${at}`,
    owner_id,
    user_agent: 'Chromium',
    address: '192.0.2.1',
    paired_at: iso(now),
    last_seen_at: iso(now),
    approved_at: iso(now),
  }));
  for (const some of chunks(rows, 100)) await db.insertInto('displays').values(some).execute();
  const sessions = rows.map(({ id }): Insertable<Tables['sessions']> => ({
    id,
    user_id: owner_id,
    created_at: iso(now),
    last_used_at: iso(now),
    expires_at: iso(now + 30 * DAY),
    revoked_at: null,
    revoked_reason: null,
    display_id: id,
  }));
  for (const some of chunks(sessions, 100)) await db.insertInto('sessions').values(some).execute();
}

/** An incident that lasts three hours. Those around the areas are in force. One in two was different before. */
function incidentOf(number: number): { row: RowOf<'disruptions'>; versions: RowOf<'disruption_versions'>[] } {
  const isAround = number < AROUND;
  const source = isAround ? SOURCE : OTHERS[number % OTHERS.length]!;
  const began = isAround ? now - 60 * 60_000 : now - random() * DAYS * DAY;
  const over = isAround ? Infinity : began + 180 * 60_000;
  const ended = over < now ? iso(over) : null;
  const road = `A${1 + (number % 5000)}`;
  const rank = number % 4;
  const changed = began + 30 * 60_000;
  const isChanged = number % 2 === 0 && changed < now;
  const said = {
    event_id: `${source}:${number}`,
    severity: SEVERITIES[rank]!,
    title: `${road} eastbound: two lanes closed, number ${number}`,
    summary_line: 'Two of three lanes are closed after a collision. Expect 20 minutes of delay.',
    phase: 'active' as const,
    kind: 'alert' as const,
    updated_at: iso(began),
    start_time: iso(began),
    end_time: null,
    details: JSON.stringify({ facts: { ...factsOf(), place: `${road} eastbound`, roads: [road] } }),
    geometry: isAround ? JSON.stringify(lineAround(number)) : null,
    west: null,
    south: null,
    east: null,
    north: null,
  };
  const row: RowOf<'disruptions'> = {
    ...said,
    source,
    severity_rank: rank,
    event_type: 'road.incident',
    search_text: said.title.toLowerCase(),
    roads: `|${road}|`,
    ends_on_time: 1,
    latitude: isAround ? 53.8 + random() / 20 : 50.5 + 7 * random(),
    longitude: isAround ? -1.55 + random() / 20 : -5 + 6 * random(),
    reach_km: 0,
    metadata: JSON.stringify({ upstream_severity: 'high', note: 'x'.repeat(200) }),
    content_hash: String(number),
    first_seen_at: iso(began),
    last_seen_at: iso(Math.min(over, now)),
    unseen: 0,
    absent_polls: 0,
    ended_at: ended,
    ended_reason: ended ? 'publisher' : null,
    version_seen_at: iso(isChanged ? changed : began),
  };
  const versions = isChanged
    ? [
        {
          ...said,
          title: `${road} eastbound: one lane closed, number ${number}`,
          seen_at: iso(began),
          replaced_at: iso(changed),
          ended_at: null,
          ended_reason: null,
        },
      ]
    : [];
  return { row, versions };
}

function lineAround(number: number) {
  const points = Array.from({ length: 100 }, (_, at) => [-1.55 + at / 5000, 53.8 + number / 5000]);
  return { type: 'LineString', coordinates: points };
}

async function fill(db: Db): Promise<void> {
  const count = DAYS * INCIDENTS_A_DAY;
  const logged: Omit<Tables['changes'], 'batch' | 'n'>[] = [];
  for (let start = 0; start < count; start += 1000) {
    const made = Array.from({ length: Math.min(1000, count - start) }, (_, at) => incidentOf(start + at));
    await db.transaction().execute(async (trx) => {
      for (const rows of chunks(
        made.map(({ row }) => row),
        100,
      ))
        await trx.insertInto('disruptions').values(rows).execute();
      for (const rows of chunks(
        made.flatMap(({ versions }) => versions),
        100,
      ))
        await trx.insertInto('disruption_versions').values(rows).execute();
    });
    for (const { row, versions } of made) {
      const { event_id, source, severity, first_seen_at, ended_at } = row;
      const said = { event_id, source, severity_to: severity, phase_to: 'active' as const, other_id: null };
      logged.push({ ...said, at: first_seen_at, kind: 'began', severity_from: null });
      if (versions[0])
        logged.push({ ...said, at: versions[0].replaced_at, kind: 'changed', severity_from: severity });
      if (ended_at) logged.push({ ...said, at: ended_at, kind: 'ended', severity_from: severity });
    }
  }
  logged.sort((one, other) => (one.at < other.at ? -1 : 1));
  const numbered = logged.map((change, at) => ({
    ...change,
    batch: 1 + Math.floor(at / 10),
    n: at % 10,
  }));
  for (const part of chunks(numbered, 10_000))
    await db.transaction().execute(async (trx) => {
      for (const rows of chunks(part, 200)) await trx.insertInto('changes').values(rows).execute();
    });
  await db
    .insertInto('revisions')
    .values({ name: 'changes', value: numbered.at(-1)!.batch })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: numbered.at(-1)!.batch }))
    .execute();
  for (const { source } of COLLECTORS) {
    await collections(db).ensure(source, true);
    const polls = Array.from({ length: Math.ceil((35 * DAY) / (5 * 60_000)) }, (_, at) => ({
      source,
      at: iso(now - at * 5 * 60_000),
      ok: 1,
      ms: 300,
      records: 50,
      changed: 1,
      error_kind: null,
    }));
    for (const rows of chunks(polls, 1000)) await db.insertInto('polls').values(rows).execute();
  }
  await db
    .updateTable('collections')
    .set({ last_success: iso(now), last_attempt: iso(now) })
    .execute();
  const areas = Array.from({ length: AREAS }, (_, at): Insertable<Tables['watches']> => ({
    id: `area-${at}`,
    team_id: 'everyone',
    kind: 'area',
    name: `Within 30 km of Leeds, ${at}`,
    made_by: 'polygon',
    legs: '[]',
    geometry: JSON.stringify({ type: 'Polygon', coordinates: [circle(500)] }),
    length_km: 0,
    reach_m: null,
    sources: JSON.stringify([SOURCE]),
    notify: '{"threshold":"nothing"}',
    created_by: null,
    created_at: iso(now),
    updated_by: null,
    updated_at: iso(now),
    rev: 1,
    matched_rev: 0,
    archived_at: null,
  }));
  for (const rows of chunks(areas, 20)) await db.insertInto('watches').values(rows).execute();
  const over = numbered.filter(({ kind }, at) => kind === 'ended' && at % 5 === 0);
  const matches = over.map(({ event_id, at }, n): Tables['matches'] => ({
    watch_id: `area-${n % 3 === 0 ? 0 : n % AREAS}`,
    subject: 'disruption',
    subject_id: event_id,
    began_at: iso(Date.parse(at) - 180 * 60_000),
    level: 'certain',
    why: 'lies in it',
    from_km: null,
    to_km: null,
    off_m: null,
    batch: 1,
    ended_at: at,
    end_kind: 'ended',
  }));
  for (const rows of chunks(matches, 500)) await db.insertInto('matches').values(rows).execute();
}

function circle(points: number): [number, number][] {
  const all = Array.from({ length: points - 1 }, (_, at): [number, number] => {
    const angle = (2 * Math.PI * at) / (points - 1);
    return [-1.52 + 0.45 * Math.cos(angle), 53.82 + 0.27 * Math.sin(angle)];
  });
  return [...all, all[0]!];
}

/** Messages in the app's list, and those held back from everybody. */
async function fillMessages(db: Db): Promise<void> {
  const { id: channel_id } = await db
    .selectFrom('channels')
    .select('id')
    .where('kind', '=', 'app')
    .executeTakeFirstOrThrow();
  const each = HELD_A_DAY + SENT_A_DAY;
  const rows = Array.from({ length: DAYS * each }, (_, at): RowOf<'messages'> => {
    const created_at = iso(now - (at * DAY) / each - 60_000);
    const isSent = at % each < SENT_A_DAY;
    const body = {
      kind: 'alert',
      title: `A${at % 5000} eastbound: two lanes closed, number ${at}`,
      text: 'Within 30 km of Leeds. National Highways, 08:12.',
      hidden: '1 high on one of your routes',
      severity: 'high',
      event_ids: [`${SOURCE}:${at}`],
      tag: 'route',
      is_news: true,
      address: '/routes',
    };
    return {
      id: `msg_${at}`,
      channel_id: isSent ? channel_id : null,
      watch_id: `area-${at % AREAS}`,
      bundle: `bundle-${at}`,
      created_at,
      body: JSON.stringify(body),
      reason: isSent ? 'Sent' : 'Held: below your threshold',
      state: isSent ? 'sent' : 'held',
      attempts: 0,
      next_at: null,
      last_status: null,
      valid_until: created_at,
      sent_at: isSent ? created_at : null,
      seen_at: isSent && at > 5 * each ? created_at : null,
      about: null,
      place: null,
      team_id: isSent ? null : 'everyone',
    };
  });
  for (const part of chunks(rows, 10_000))
    await db.transaction().execute(async (trx) => {
      for (const some of chunks(part, 200)) await trx.insertInto('messages').values(some).execute();
    });
}

/** Waits until all areas are matched, and no work is left. */
async function matched(headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { body } = await call(`${server.origin}/api/v1/watches`, headers);
    const list = JSON.parse(String(body)) as {
      watches: { matches: unknown[]; checking: boolean }[];
      behind_since: string | null;
    };
    if (list.behind_since === null && list.watches.every(({ checking }) => !checking)) {
      const count = list.watches.reduce((sum, { matches }) => sum + matches.length, 0);
      console.log(`\n${DAYS} days, ${count.toLocaleString('en-GB')} matches\n`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
