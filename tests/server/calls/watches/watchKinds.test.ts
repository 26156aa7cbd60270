import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  Trial,
  Watch,
  WatchList,
  WatchMatches,
  WatchPreview,
  WatchRecord,
} from '#contract/watches/watches.ts';
import { WATCH_LIMITS } from '#contract/watches/watches.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { poll, record } from '../../feedsWorld.ts';
import {
  type FormatsWorld,
  MINUTE_MS,
  openFormatsWorld,
  roads,
} from '../../delivery/formats/formatsWorld.ts';

const FEEDS = { kind: 'feeds', made_by: 'feeds', which: { feeds: ['roads-uk'] } };
const AREA = {
  kind: 'area',
  made_by: 'circle',
  geometry: { type: 'Point', coordinates: [-1.549, 53.8] },
  reach_m: 30_000,
  place: 'Leeds',
};
const ROUTE = {
  kind: 'route',
  made_by: 'junctions',
  legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
};

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
});
afterEach(() => world.close());

const call = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { payload, as = world.token, rev }: { payload?: object; as?: string; rev?: number } = {},
) =>
  world.app.inject({
    method,
    url: `/api/v1/watches${path}`,
    headers: { authorization: `Bearer ${as}`, ...(rev && { 'if-match': String(rev) }) },
    ...(payload && { payload }),
  });

async function make(asked: object): Promise<Watch> {
  const reply = await call('POST', '', { payload: asked });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Watch>();
}
async function change({ id, rev }: Watch, payload: object): Promise<Watch> {
  const reply = await call('PATCH', `/${id}`, { payload, rev });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Watch>();
}
const read = async <T>(path: string) => (await world.get(`/api/v1/watches${path}`, world.token)).json<T>();

it('a made name follows every edit, and a typed name stays until it is given up', async () => {
  let area = await make(AREA);
  expect([area.name, area.named_by_hand]).toEqual(['Within 30 km of Leeds', false]);
  area = await change(area, { reach_m: 10_000 });
  expect(area.name).toBe('Within 10 km of Leeds');
  area = await change(area, { name: 'Home' });
  expect([area.name, area.made_name, area.named_by_hand]).toEqual(['Home', 'Within 10 km of Leeds', true]);
  area = await change(area, { place: 'Bradford' });
  expect([area.name, area.made_name]).toEqual(['Home', 'Within 10 km of Bradford']);
  area = await change(area, { name: null });
  expect([area.name, area.named_by_hand]).toEqual(['Within 10 km of Bradford', false]);

  let feeds = await make(FEEDS);
  expect(feeds.name).toBe('Roads, all grades');
  feeds = await change(feeds, { which: { feeds: ['rail-network'], min_severity: 'high' } });
  expect([feeds.name, feeds.rev, feeds.checking]).toEqual(['Rail, high and worse', 2, false]);

  let route = await make(ROUTE);
  const made = route.name;
  expect(made).toMatch(/^.+ to .+$/);
  route = await change(route, { when: { days: 31, from: '06:00', to: '20:00' } });
  expect(route.name).toBe(made);
  route = await change(route, { legs: [{ ...ROUTE.legs[0], to: 'J28' }] });
  expect(route.name).not.toBe(made);
});

it('input that is not a route, an area or feeds is refused in words', async () => {
  const refusal = async (asked: object) => {
    const reply = await call('POST', '', { payload: asked });
    return [reply.statusCode, reply.json<{ detail: string }>().detail];
  };
  const place = 'Feeds have no place: leave geometry, reach_m and departures out.';
  expect(await refusal({ ...FEEDS, reach_m: 1000 })).toEqual([422, place]);
  expect(await refusal({ ...FEEDS, legs: ROUTE.legs })).toEqual([422, 'Feeds have no legs.']);
  expect(await refusal({ ...FEEDS, which: { sources: ['tea'] } })).toEqual([
    422,
    "which.sources: there is no source 'tea'",
  ]);
  expect((await refusal({ ...FEEDS, which: { feeds: ['tea'] } }))[1]).toContain(
    'must be one of rail-network',
  );
  const hours = { days: 31, from: '06:00', to: '06:00' };
  expect((await refusal({ ...FEEDS, when: hours }))[1]).toContain('must end at another time');
});

it('a team has as many of each kind as it may', async () => {
  const { perTeam } = WATCH_LIMITS;
  const made = await make(FEEDS);
  const row = await world.db
    .selectFrom('watches')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  for (let at = 1; at < perTeam.feeds; at++)
    await world.db
      .insertInto('watches')
      .values({ ...row, id: `feeds ${at}` })
      .execute();
  const full = await call('POST', '', { payload: FEEDS });
  expect([full.statusCode, full.json<{ detail: string }>().detail]).toEqual([
    409,
    'A team may have 200 routes, 200 areas and 100 feeds. Delete one first.',
  ]);
  expect((await call('POST', '', { payload: AREA })).statusCode).toBe(201);
});

it('are listed in the order that the team gave them, and the others after, as they were made', async () => {
  const made = [];
  for (const asked of [FEEDS, AREA, ROUTE, { ...FEEDS, name: 'Last' }]) {
    world.pass(1000);
    made.push((await make(asked)).id);
  }
  const [feeds, area, route, last] = made as [string, string, string, string];
  const order = async () => (await read<WatchList>('?summary=true')).watches.map(({ id }) => id);
  expect(await order()).toEqual([feeds, area, route, last]);
  expect((await call('PUT', '/order', { payload: { ids: [last, area, 'unknown'] } })).statusCode).toBe(204);
  expect(await order()).toEqual([last, area, feeds, route]);
});

it('a key of the scope `manage` makes, changes and deletes them; a reading key does not', async () => {
  const key = async (scope: string) =>
    (await world.post('/api/v1/keys', { name: scope, scope }, world.token)).json<{ key: string }>().key;
  const [managing, reading] = [await key('manage'), await key('read')];
  const made = await call('POST', '', { payload: FEEDS, as: managing });
  expect(made.statusCode, made.body).toBe(201);
  const { id } = made.json<Watch>();
  expect(
    (await call('PATCH', `/${id}`, { payload: { name: 'Ours' }, rev: 1, as: managing })).statusCode,
  ).toBe(200);
  expect((await call('POST', '', { payload: FEEDS, as: reading })).statusCode).toBe(403);
  expect((await call('DELETE', `/${id}`, { rev: 2, as: reading })).statusCode).toBe(403);
  expect((await call('DELETE', `/${id}`, { rev: 2, as: managing })).statusCode).toBe(204);
});

it('another team can neither see, order nor try them', async () => {
  await world.close();
  world = await openFormatsWorld({ config: { teams: 'many' } });
  const sam = await world.addUser({ email: 'sam@coaches.example' });
  await teams(world.db, 'many').place(sam.id, world.now());
  const { access_token: as } = await world.signIn(sam);
  const made = await make(FEEDS);
  await make(AREA);
  const before = await read<WatchList>('?summary=true');
  expect((await call('POST', `/${made.id}/trial`, { payload: {}, as })).statusCode).toBe(404);
  expect((await call('PUT', '/order', { payload: { ids: [before.watches[1]!.id] }, as })).statusCode).toBe(
    204,
  );
  expect((await read<WatchList>('?summary=true')).watches.map(({ id }) => id)).toEqual(
    before.watches.map(({ id }) => id),
  );
  const theirs = await world.get('/api/v1/watches?summary=true', as);
  expect(theirs.json<WatchList>()).toMatchObject({ watches: [], incidents: [] });
});

it('feeds list the worst hundred incidents, and count all others that have begun, below the grade too', async () => {
  const many = Array.from({ length: 130 }, (_, at) =>
    record(`national-highways:${at}`, { severity: at < 20 ? 'critical' : at < 115 ? 'high' : 'low' }),
  );
  const planned = record('national-highways:planned', { severity: 'low', phase: 'planned' });
  await poll(world.db, 'national-highways', [...many, planned], world.now());
  const made = await make({ ...FEEDS, which: { feeds: ['roads-uk'], min_severity: 'high' } });
  const { matches: listed, beyond, left_out } = await read<WatchRecord>(`/${made.id}`);
  expect(listed).toHaveLength(100);
  expect(listed.slice(0, 20).every(({ disruption }) => disruption!.severity === 'critical')).toBe(true);
  expect(beyond).toEqual({ critical: 0, high: 15, medium: 0, low: 0 });
  expect(left_out).toEqual({ grade: 15, others: 2 });
  const [row] = (await read<WatchList>('?summary=true')).watches;
  expect([row!.matches.length, row!.beyond, row!.left_out]).toEqual([100, beyond, left_out]);
  const reply = await call('POST', '/preview', { payload: { ...FEEDS, which: made.which } });
  expect(reply.json<WatchPreview>()).toMatchObject({ made_name: made.name, beyond, left_out });
});

it('a route or an area lists only incidents that it lets through, at once after an edit', async () => {
  let area = await make(AREA);
  const found = (['certain', 'possible'] as const).map((level) => ({
    watch_id: area.id,
    subject: 'disruption' as const,
    subject_id: level === 'certain' ? 'national-highways:m62' : 'tfl:victoria',
    level,
    why: '',
    from_km: null,
    to_km: null,
    off_m: null,
  }));
  await matches(world.db).settle({ subject: 'disruption', watchIds: [area.id] }, found, {
    at: world.now(),
    batch: 1,
    endKind: () => 'ended',
  });
  const listed = async () =>
    (await read<WatchRecord>(`/${area.id}`)).matches.map(({ subject_id }) => subject_id).toSorted();
  expect(await listed()).toEqual(['national-highways:m62', 'tfl:victoria']);
  area = await change(area, { which: { level: 'certain' } });
  expect([await listed(), (await read<WatchRecord>(`/${area.id}`)).left_out]).toEqual([
    ['national-highways:m62'],
    { grade: 0, others: 1 },
  ]);
  area = await change(area, { which: { feeds: ['rail-network'] } });
  expect(await listed()).toEqual(['tfl:victoria']);
  // The answer says "nothing is known" only about sources that the watch asks for.
  expect(area.sources).toContain('kb-incidents');
  expect(area.sources).not.toContain('national-highways');
});

it('outside its hours the window of a moment has nothing, and says when it is watched again', async () => {
  const when = { days: 0b0011111, from: '06:00', to: '20:00' };
  const made = await make({ ...FEEDS, when });
  const saturday = await read<WatchMatches>(`/${made.id}/matches`);
  expect(saturday).toMatchObject({
    watching: false,
    watching_changes_at: '2026-11-23T06:00:00.000Z',
    matches: [],
  });
  const monday = await read<WatchMatches>(`/${made.id}/matches?at=2026-11-23T08:00:00Z`);
  expect([monday.watching, monday.matches.length]).toEqual([true, 2]);
});

it('a trial counts the messages since 06:00 yesterday, with the settings that are being edited', async () => {
  world.pass(60 * MINUTE_MS);
  world.token = (await world.signIn()).access_token;
  await poll(
    world.db,
    'national-highways',
    [
      ...roads(),
      record('national-highways:old', { severity: 'critical', start_time: '2026-11-19T08:00:00.000Z' }),
      record('national-highways:new', { severity: 'high', start_time: '2026-11-21T09:30:00.000Z' }),
    ],
    world.now(),
  );
  const made = await make({
    ...FEEDS,
    notify: { threshold: 'critical', possible: 'digest', around_departures: null },
  });
  const trial = async (payload: object) =>
    (await call('POST', `/${made.id}/trial`, { payload })).json<Trial>();
  expect(await trial({})).toEqual({ since: '2026-11-20T06:00:00.000Z', at_once: 1, in_digest: 3 });
  const notify = { threshold: 'high', possible: 'digest', around_departures: null };
  expect(await trial({ notify })).toMatchObject({ at_once: 2 });
  expect(await trial({ notify, which: { words: 'M62' } })).toMatchObject({ at_once: 1, in_digest: 0 });
  expect(await trial({ notify, when: { days: 1, from: '06:00', to: '07:00' } })).toMatchObject({
    at_once: 0,
  });
  expect(await trial({ notify: { ...notify, threshold: 'nothing' } })).toMatchObject({
    at_once: 0,
    in_digest: 0,
  });
});

it('feeds let nothing through from a source that was turned off', async () => {
  const made = await make(FEEDS);
  await poll(world.db, 'national-highways', roads(), world.now());
  const listed = async () => (await read<WatchMatches>(`/${made.id}/matches`)).matches.length;
  expect(await listed()).toBeGreaterThan(0);
  await world.db.updateTable('collections').set({ off_at: world.now().toISOString() }).execute();
  expect(await listed()).toBe(0);
});
