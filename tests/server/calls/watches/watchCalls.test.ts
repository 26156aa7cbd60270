import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Explanation,
  type Match,
  type Resolved,
  type Watch,
  type WatchList,
  type WatchMatches,
  type WatchRecord,
  type WatchRequest,
  type WatchSuggestions,
  WATCH_LIMITS,
} from '#contract/watches/watches.ts';
import { chunks } from '../../../../server/db/batches.ts';
import { cursors } from '../../../../server/db/cursors.ts';
import { revision } from '../../../../server/db/revisions.ts';
import { mergedInto } from '../../../../server/watches/matching/matchInput.ts';
import { MATCHER, matches } from '../../../../server/watches/matching/matchStore.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { factsOf } from '../../../support/facts.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';

const WATCHES = '/api/v1/watches';

/** The M62 from Gildersome to Lofthouse. */
const ROUTE: WatchRequest = {
  kind: 'route',
  name: 'Leeds ring',
  made_by: 'junctions',
  legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
  geometry: null,
  reach_m: null,
  departures: [],
};
const AREA: WatchRequest = {
  ...ROUTE,
  kind: 'area',
  name: 'Leeds',
  made_by: 'circle',
  legs: [],
  geometry: { type: 'Point', coordinates: [-1.549, 53.8] },
  reach_m: 5000,
};
const DEPARTURE = {
  name: null,
  at_local: '10:00',
  days: 127,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: 60,
};
const CLOSED = 'national-highways:closed';

const MINUTE_MS = 60_000;

let test: TestApp;
let rosa: RowOf<'users'>;
let token: string;

const call = (
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  { payload, rev, as = token }: { payload?: object; rev?: string | number; as?: string } = {},
) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${as}`, ...(rev !== undefined && { 'if-match': String(rev) }) },
    ...(payload && { payload }),
  });
const create = async (changes: object = {}): Promise<Watch> => {
  const reply = await call('POST', WATCHES, { payload: { ...ROUTE, ...changes } });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Watch>();
};
const read = async <T>(path: string, as = token) => {
  const reply = await test.get(`${WATCHES}${path}`, as);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
/** Matches as the matcher stores them. */
const settle = (watch_id: string, found: Partial<Match>[] = [{}]) =>
  test.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', watchIds: [watch_id] },
      found.map((one) => ({
        watch_id,
        subject: 'disruption' as const,
        subject_id: CLOSED,
        level: 'certain' as const,
        why: 'names the M62, J27 to J28',
        from_km: 1,
        to_km: 2,
        off_m: 10,
        ...one,
      })),
      { at: test.now(), batch: 1, endKind: () => 'ended' },
    ),
  );

async function start(teams: 'one' | 'many' = 'one') {
  test = await openTestApp({ config: { teams } });
  rosa = await test.addUser();
  token = (await test.signIn(rosa)).access_token;
  const closed = record(CLOSED, { severity: 'critical', title: 'M62 closed' });
  await poll(test.db, 'national-highways', [closed], test.now());
}
afterEach(() => test.close());

/** A line from a file, said to be on that part of the M1. */
const foundOn = (part: { lo: number; hi: number }) => ({
  type: 'exact',
  points: [
    [-1.5, 53.5],
    [-1.4, 53.6],
  ],
  roads: [{ road: 'M1', sense: 1, from_km: 0, to_km: 1, ...part }],
});

describe('routes and areas', () => {
  beforeEach(() => start());

  it('a route is stored with the line of its legs, its length and who reports on it', async () => {
    const made = await create({ departures: [DEPARTURE] });

    expect(made).toMatchObject({
      name: 'Leeds ring',
      rev: 1,
      created_by: { id: rosa.id, display_name: 'Rosa' },
      legs: ROUTE.legs,
      course: [{ road: 'M62', from: 'J27', to: 'J29', direction: 'E' }],
      departures: [{ at_local: '10:00', id: expect.any(String) }],
    });
    expect(made.length_km).toBeGreaterThan(5);
    expect(made.sources).toContain('national-highways');
    expect(made.sources).toContain('met-office');
    expect((await read<WatchRecord>(`/${made.id}`)).watch).toEqual(made);
  });

  it('a route in Northern Ireland names its roads as uncovered, so that it never reads as clear', async () => {
    await create({ legs: [{ type: 'road', road: 'NI M1', from: 'J1', to: 'J7', sense: 1 }] });
    const { watches, sources } = await read<WatchList>('?summary=true');
    expect(watches[0]!.sources).toContain('northern-ireland-roads');
    expect(sources).toContainEqual(
      expect.objectContaining({ source: 'northern-ireland-roads', state: 'not_configured' }),
    );
  });

  it('a route on a council road names it as uncovered, so that it never reads as clear', async () => {
    const made = await create({
      legs: [{ type: 'road', road: 'A61', from: 'Leeds', to: 'Ripon', sense: 1 }],
    });
    expect(made.coverage).toContainEqual({
      source: 'uncovered-roads',
      from_km: 0,
      to_km: made.length_km,
    });
    const { watches, sources } = await read<WatchList>('?summary=true');
    expect(watches[0]!.sources).not.toContain('national-highways');
    expect(sources).toContainEqual(
      expect.objectContaining({ source: 'uncovered-roads', state: 'not_configured' }),
    );
  });

  it('a route without a known road names that as well, and the sources for the airport at its end', async () => {
    const points: [number, number][] = [
      [-1.2, 53.9],
      [-1.66, 53.87],
    ];
    const made = await create({
      legs: [{ type: 'link', points, names: ['York', 'Yeadon'] }],
    });
    const { length_km } = made;
    expect(made.coverage).toContainEqual({ source: 'unknown-roads', from_km: 0, to_km: length_km });
    expect(made.coverage).toContainEqual({
      source: 'airport-status',
      from_km: length_km,
      to_km: length_km,
    });
    const { watches, sources } = await read<WatchList>('?summary=true');
    expect(watches[0]!.sources).toEqual(['unknown-roads', 'met-office', 'ea-flood', 'airport-status']);
    expect(sources).toContainEqual(
      expect.objectContaining({ source: 'unknown-roads', state: 'not_configured' }),
    );
  });

  it('an area is stored as it is given', async () => {
    const made = await create(AREA);
    expect(made).toMatchObject({
      kind: 'area',
      length_km: 0,
      reach_m: 5000,
      geometry: AREA.geometry,
      course: [],
    });
    expect(made.coverage).toContainEqual({ source: 'national-highways', from_km: 0, to_km: 0 });
  });

  it.each<[string, object, string]>([
    ['no leg', { legs: [] }, 'A route needs at least one leg.'],
    [
      'a junction that is not there',
      { legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J99', sense: 1 }] },
      'M62 has no J99 in our table. Nearest: J37, J38.',
    ],
    [
      'the wrong way',
      { legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: -1 }] },
      'The M62 does not lead from J27 to J29 in this direction.',
    ],
    [
      'a road beyond its end',
      { legs: [foundOn({ lo: 1, hi: 999 })] },
      'The M1 does not lead so far in our table.',
    ],
    [
      'a road before its start',
      { legs: [foundOn({ lo: -1, hi: 2 })] },
      'legs.0.roads.0.lo must be at least 0',
    ],
    [
      '61 legs',
      { legs: Array.from({ length: 61 }, () => ROUTE.legs[0]) },
      'A route may have 60 legs and 4,000 points. This has 61 legs.',
    ],
    [
      'a line without a length',
      {
        legs: [
          {
            type: 'line',
            points: [
              [-1.5, 53.8],
              [-1.5, 53.8],
            ],
          },
        ],
      },
      'This line has no length: its points are one place.',
    ],
    [
      'a line in France',
      {
        legs: [
          {
            type: 'line',
            points: [
              [2, 48],
              [2.1, 48.1],
            ],
          },
        ],
      },
      'This line lies outside the United Kingdom and Ireland.',
    ],
    [
      'a line of its own',
      { geometry: AREA.geometry },
      'The line of a route is made from its legs: leave geometry out.',
    ],
    ['legs in an area', { ...AREA, legs: ROUTE.legs }, 'An area has no legs.'],
    [
      'a circle without a radius',
      { ...AREA, reach_m: null },
      'The circle of an area has a radius from 1 to 50 km.',
    ],
    ['no name', { name: ' ' }, 'Give the route a name.'],
    [
      'a departure at 24:00',
      { departures: [{ ...DEPARTURE, at_local: '24:00' }] },
      'departures.0.at_local must be a time such as 06:10',
    ],
    [
      'a departure that ends before it begins',
      { departures: [{ ...DEPARTURE, from_date: '2026-12-01', to_date: '2026-11-01' }] },
      'A departure cannot end before it begins.',
    ],
    [
      '21 departures',
      { departures: Array.from({ length: 21 }, () => DEPARTURE) },
      'departures must be at most 20',
    ],
  ])('refuses %s in words', async (_, changes, detail) => {
    const reply = await call('POST', WATCHES, { payload: { ...ROUTE, ...changes } });
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([422, detail]);
  });

  it('a body may have 256 KiB', async () => {
    const points = (count: number) => Array.from({ length: count }, (_, at) => [-1.5 + at / 1e6, 53.8123456]);
    await create({ legs: [{ type: 'line', points: points(4000) }] });
    const large = { ...ROUTE, name: 'x'.repeat(260 * 1024) };
    const reply = await call('POST', WATCHES, { payload: large });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      413,
      { detail: 'The body is too large: at most 256 KiB are read.' },
    ]);
  });

  it('a team has at most 200', async () => {
    const { id } = await create();
    const [row] = await test.db.selectFrom('watches').selectAll().execute();
    await test.db
      .insertInto('watches')
      .values(Array.from({ length: 198 }, (_, at) => ({ ...row!, id: `copy ${at}` })))
      .execute();
    await create();
    const reply = await call('POST', WATCHES, { payload: ROUTE });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { detail: 'A team may have 200 routes, 200 areas and 100 feeds. Delete one first.' },
    ]);
    await call('DELETE', `${WATCHES}/${id}`, { rev: 1 });
    await create();
  });

  it('a change keeps fields that it does not name, and the ids of departures that stay', async () => {
    const made = await create({ departures: [DEPARTURE, { ...DEPARTURE, at_local: '12:00' }] });
    const [ten] = made.departures;
    const reply = await call('PATCH', `${WATCHES}/${made.id}`, {
      rev: 1,
      payload: { name: 'Ring', departures: [{ ...DEPARTURE, id: ten!.id, at_local: '10:30' }, DEPARTURE] },
    });

    const changed = reply.json<Watch>();
    expect(changed).toMatchObject({ name: 'Ring', rev: 2, legs: made.legs, geometry: made.geometry });
    expect(changed.departures.find(({ at_local }) => at_local === '10:30')!.id).toBe(ten!.id);
    expect(changed.departures).toHaveLength(2);

    const moved = await call('PATCH', `${WATCHES}/${made.id}`, {
      rev: '"2"',
      payload: { legs: [{ type: 'road', road: 'M1', from: 'J40', to: 'J42', sense: 1 }] },
    });
    expect(moved.json()).toMatchObject({ rev: 3, course: [{ road: 'M1' }], departures: changed.departures });
  });

  it('only the first of two editors changes it, and the other learns who did and when', async () => {
    const { id } = await create();
    await test.addUser({ email: 'sam@coaches.example', display_name: 'Sam Lee' });
    const sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
    test.pass(5 * 60_000);
    const first = await call('PATCH', `${WATCHES}/${id}`, { rev: 1, payload: { name: 'Sam’s' }, as: sam });
    expect(first.statusCode).toBe(200);

    for (const method of ['PATCH', 'DELETE'] as const) {
      const second = await call(method, `${WATCHES}/${id}`, {
        rev: 1,
        ...(method === 'PATCH' && { payload: { name: 'Mine' } }),
      });
      expect([second.statusCode, second.json()]).toMatchObject([
        409,
        { detail: 'Changed by Sam Lee at 09:05. Load it again.' },
      ]);
    }
    expect((await read<WatchRecord>(`/${id}`)).watch.name).toBe('Sam’s');
  });

  it('a change without If-Match is refused', async () => {
    const { id } = await create();
    for (const rev of [undefined, 'x', '*'])
      expect((await call('DELETE', `${WATCHES}/${id}`, { rev })).statusCode).toBe(428);
    const reply = await call('PATCH', `${WATCHES}/${id}`, { payload: {} });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      428,
      { detail: 'Send If-Match with the rev of the route that you loaded, such as 7.' },
    ]);
  });

  it('a deleted one is gone, and its matches have ended as edited', async () => {
    const { id } = await create();
    await settle(id);
    expect((await call('DELETE', `${WATCHES}/${id}`, { rev: 1 })).statusCode).toBe(204);

    expect((await test.get(`${WATCHES}/${id}`, token)).statusCode).toBe(404);
    expect((await call('DELETE', `${WATCHES}/${id}`, { rev: 1 })).statusCode).toBe(404);
    expect(await read<WatchList>('')).toMatchObject({ watches: [], total: 0, incidents: [] });
    expect(await test.db.selectFrom('matches').select(['ended_at', 'end_kind']).execute()).toEqual([
      { ended_at: test.now().toISOString(), end_kind: 'edited' },
    ]);
  });

  it('a deleted one comes back as it was within half an hour, and is matched again', async () => {
    const made = await create({ departures: [DEPARTURE] });
    await settle(made.id);
    await call('DELETE', `${WATCHES}/${made.id}`, { rev: 1 });
    const signInAgain = async () => (token = (await test.signIn(rosa)).access_token);
    test.pass(29 * MINUTE_MS);
    await signInAgain();
    const restore = () => call('POST', `${WATCHES}/${made.id}/restore`);
    expect((await restore()).json()).toEqual({ ...made, rev: 2, updated_at: test.now().toISOString() });
    // The first answer may have been lost.
    expect((await restore()).json()).toMatchObject({ id: made.id, rev: 2 });
    const { watches, behind_since } = await read<WatchList>('');
    expect(watches).toMatchObject([{ id: made.id, name: 'Leeds ring', departures: made.departures }]);
    expect(behind_since).toBe(test.now().toISOString());

    await call('DELETE', `${WATCHES}/${made.id}`, { rev: 2 });
    test.pass(31 * MINUTE_MS);
    await signInAgain();
    expect((await restore()).statusCode).toBe(404);
    expect(await read<WatchList>('')).toMatchObject({ total: 0 });
  });

  it('a deleted one stays deleted if the team has 200 again', async () => {
    const { id } = await create();
    await call('DELETE', `${WATCHES}/${id}`, { rev: 1 });
    const row = await test.db.selectFrom('watches').selectAll().executeTakeFirstOrThrow();
    await test.db
      .insertInto('watches')
      .values(
        Array.from({ length: WATCH_LIMITS.perTeam.route }, (_, n) => ({
          ...row,
          id: `other-${n}`,
          archived_at: null,
        })),
      )
      .execute();
    expect((await call('POST', `${WATCHES}/${id}/restore`)).statusCode).toBe(409);
  });

  it('none is made, moved or restored at 20,000 matches of the team, but one can be made smaller', async () => {
    const [wide, small, gone] = [await create(), await create(), await create()];
    await call('DELETE', `${WATCHES}/${gone.id}`, { rev: 1 });
    const at = test.now().toISOString();
    const rows = Array.from({ length: WATCH_LIMITS.matchesPerTeam }, (_, n) => ({
      watch_id: wide.id,
      subject: 'disruption' as const,
      subject_id: `tfl:${n}`,
      began_at: at,
      level: 'possible' as const,
      why: '',
      from_km: null,
      to_km: null,
      off_m: null,
      batch: 1,
      ended_at: null,
      end_kind: null,
    }));
    for (const values of chunks(rows, 500)) await test.db.insertInto('matches').values(values).execute();
    const refused =
      'At most 20,000 incidents and events can touch the routes and areas of a team. So many touch these: make an area ' +
      'smaller, or delete one first.';
    const moved = { legs: [{ ...ROUTE.legs[0]!, to: 'J28' }] };
    for (const reply of [
      await call('POST', WATCHES, { payload: ROUTE }),
      await call('POST', `${WATCHES}/${gone.id}/restore`),
      await call('PATCH', `${WATCHES}/${small.id}`, { rev: 1, payload: moved }),
    ]) {
      expect(reply.statusCode, reply.body).toBe(409);
      expect(reply.json()).toMatchObject({ detail: refused });
    }
    const named = { rev: 1, payload: { name: 'Ring' } };
    expect((await call('PATCH', `${WATCHES}/${small.id}`, named)).statusCode).toBe(200);
    expect((await call('PATCH', `${WATCHES}/${wide.id}`, { rev: 1, payload: moved })).statusCode).toBe(200);
    await test.db.updateTable('matches').set({ ended_at: at }).where('subject_id', '=', 'tfl:0').execute();
    expect((await call('POST', WATCHES, { payload: ROUTE })).statusCode).toBe(201);
  });

  it('the list has what touches each, certain ones first, with each incident once', async () => {
    const one = await create({ departures: [DEPARTURE] });
    test.pass(1);
    const two = await create({ name: 'Two' });
    const rain = record('met-office:rain', { title: 'Rain' });
    await poll(test.db, 'met-office', [rain], test.now());
    await settle(one.id, [{ subject_id: 'met-office:rain', level: 'possible', from_km: 0 }, {}]);
    await settle(two.id);

    const list = await read<WatchList>('?summary=true');
    expect(list.watches.map(({ name, matches: own }) => [name, own.map(({ level }) => level)])).toEqual([
      ['Leeds ring', ['certain', 'possible']],
      ['Two', ['certain']],
    ]);
    expect(list.incidents.map(({ event_id }) => event_id).sort()).toEqual(['met-office:rain', CLOSED].sort());
    expect(list.sources.find(({ source }) => source === 'national-highways')).toMatchObject({
      freshness: 'fresh',
    });
    expect(list.watches[0]).not.toHaveProperty('geometry');
    expect(list.watches[0]!.departures).toEqual(one.departures);
  });

  it('the list is the same bytes until something changes, and a 304 for readers who have them', async () => {
    const { id } = await create();
    const first = await test.get(WATCHES, token);
    const again = (etag: unknown) =>
      test.app.inject({
        url: WATCHES,
        headers: { authorization: `Bearer ${token}`, 'if-none-match': String(etag) },
      });
    expect((await again(first.headers.etag)).statusCode).toBe(304);
    await settle(id);
    const second = await again(first.headers.etag);
    expect(second.statusCode).toBe(200);
    expect(second.json<WatchList>().watches[0]!.matches).toHaveLength(1);
    expect((await again(second.headers.etag)).statusCode).toBe(304);
    // A source that turns stale changes the answer without a write.
    test.pass(24 * 60 * 60_000);
    expect((await again(second.headers.etag)).statusCode).toBe(401);
    token = (await test.signIn(rosa)).access_token;
    expect((await again(second.headers.etag)).json<WatchList>().sources[0]).toMatchObject({
      freshness: 'stale',
    });
  });

  it('an incident that is over no longer touches it, whether or not it was matched', async () => {
    const { id } = await create();
    await settle(id);
    expect((await read<WatchRecord>(`/${id}`)).matches).toMatchObject([
      { subject_id: CLOSED, disruption: { event_id: CLOSED, geometry: null } },
    ]);
    await poll(test.db, 'national-highways', [record('national-highways:other')], test.now());
    expect((await read<WatchRecord>(`/${id}`)).matches).toEqual([]);
    expect((await read<WatchList>('')).watches[0]!.matches).toEqual([]);
  });

  it('a route that is not yet matched says since when', async () => {
    const { id } = await create();
    const record = await read<WatchRecord>(`/${id}`);
    expect(record.behind_since).toBe(test.now().toISOString());
  });

  it('the list says since when one of its routes is not matched, though the others are', async () => {
    await create();
    await test.db.updateTable('watches').set({ matched_rev: 1 }).execute();
    await cursors(test.db).move(MATCHER, await revision(test.db, 'changes'));
    expect((await read<WatchList>('')).behind_since).toBeNull();
    test.pass(1000);
    const since = test.now().toISOString();
    const { id } = await create();
    test.pass(1000);
    expect((await read<WatchList>('')).behind_since).toBe(since);
    expect((await read<WatchMatches>(`/${id}/matches`)).checked_at).toBe(since);
  });

  it('a match that is reported as wrong is kept with its present level and reason', async () => {
    const { id } = await create();
    await settle(id);
    const say = (subject_id: string, verdict: string, text: string | null) =>
      call('POST', `${WATCHES}/${id}/feedback`, { payload: { subject_id, verdict, text } });
    expect((await say(CLOSED, 'not_ours', 'The other road')).statusCode).toBe(204);
    expect((await say('met-office:x', 'missed', null)).statusCode).toBe(204);
    expect((await say(CLOSED, 'wrong', null)).statusCode).toBe(422);
    const kept = await test.db
      .selectFrom('match_feedback')
      .select(['subject_id', 'verdict', 'level', 'why', 'text', 'user_id'])
      .orderBy('verdict', 'desc')
      .execute();
    expect(kept).toEqual([
      {
        subject_id: CLOSED,
        verdict: 'not_ours',
        level: 'certain',
        why: 'names the M62, J27 to J28',
        text: 'The other road',
        user_id: rosa.id,
      },
      { subject_id: 'met-office:x', verdict: 'missed', level: 'none', why: '', text: null, user_id: rosa.id },
    ]);
  });

  it('the last mark of a person on an incident is kept, however often the person marks it', async () => {
    const { id } = await create();
    await settle(id);
    const sam = await test.addUser({ email: 'sam@coaches.example' });
    const other = (await test.signIn(sam)).access_token;
    const say = (verdict: string, as = token) => {
      test.pass(1000);
      const payload = { subject_id: CLOSED, verdict, text: 'x'.repeat(300) };
      return call('POST', `${WATCHES}/${id}/feedback`, { payload, as });
    };
    for (const verdict of ['not_ours', 'ours', 'missed', 'not_ours', 'missed', 'ours'])
      expect((await say(verdict)).statusCode).toBe(204);
    await say('not_ours', other);
    const kept = await test.db
      .selectFrom('match_feedback')
      .select(['user_id', 'verdict'])
      .where('verdict', '<>', 'replaced')
      .orderBy('at')
      .execute();
    expect(kept).toEqual([
      { user_id: rosa.id, verdict: 'missed' },
      { user_id: rosa.id, verdict: 'ours' },
      { user_id: sam.id, verdict: 'not_ours' },
    ]);
    expect((await read<WatchRecord>(`/${id}`)).not_ours).toHaveLength(1);
    await say('ours');
    expect((await read<WatchRecord>(`/${id}`)).not_ours).toEqual([]);
    await watches(test.db).pruneReplaced(test.now());
    const rows = await test.db.selectFrom('match_feedback').select('text').execute();
    expect(rows).toHaveLength(3);
  });

  it('a person marks at most 500 matches a day', async () => {
    const { id } = await create();
    const mark = (subject_id: string) =>
      call('POST', `${WATCHES}/${id}/feedback`, {
        payload: { subject_id, verdict: 'missed', text: 'x'.repeat(300) },
      });
    for (let n = 0; n < WATCH_LIMITS.marksADay; n++) await mark(`met-office:${n}`);
    expect((await mark('met-office:one more')).statusCode).toBe(429);
    expect(await test.db.selectFrom('match_feedback').select('id').execute()).toHaveLength(
      WATCH_LIMITS.marksADay,
    );
    test.pass(24 * 60 * MINUTE_MS);
    token = (await test.signIn(rosa)).access_token;
    expect((await mark('met-office:one more')).statusCode).toBe(204);
  });

  it('lines of deleted routes are kept while they can be restored, for 50 routes at most', async () => {
    const lines = () =>
      test.db
        .selectFrom('watches')
        .select(['id', 'legs'])
        .where('archived_at', 'is not', null)
        .where('legs', '!=', '[]')
        .execute();
    const ids: string[] = [];
    for (let n = 0; n < WATCH_LIMITS.undoKept + 5; n++) {
      const { id, rev } = await create();
      ids.push(id);
      test.pass(1000);
      expect((await call('DELETE', `${WATCHES}/${id}`, { rev })).statusCode).toBe(204);
    }
    expect((await lines()).map(({ id }) => id).toSorted()).toEqual(ids.slice(5).toSorted());
    expect((await call('POST', `${WATCHES}/${ids[4]}/restore`)).statusCode).toBe(404);
    expect((await call('POST', `${WATCHES}/${ids[5]}/restore`)).statusCode).toBe(200);
    test.pass((WATCH_LIMITS.undoMinutes + 1) * MINUTE_MS);
    await watches(test.db).forgetLines(test.now());
    expect(await lines()).toEqual([]);
    // A watch that exists keeps its own.
    expect(
      await watches(test.db).ofTeam(
        (await test.db.selectFrom('teams').select('id').executeTakeFirstOrThrow()).id,
      ),
    ).toMatchObject([{ id: ids[5], legs: ROUTE.legs }]);
  });

  it('an outline is named after the town that it lies near, whatever radius is sent with it', async () => {
    const ring = [
      [-1.6, 53.75],
      [-1.5, 53.75],
      [-1.5, 53.85],
      [-1.6, 53.75],
    ];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    for (const reach_m of [0, 30_000, null]) {
      const { id, name, rev } = await create({ ...AREA, geometry, reach_m, name: null, place: null });
      expect(name).toBe('Area drawn near Leeds');
      const changed = await call('PATCH', `${WATCHES}/${id}`, { rev, payload: { when: null } });
      expect(changed.json()).toMatchObject({ name: 'Area drawn near Leeds' });
    }
  });

  it('a stored outline is not checked when it is read', async () => {
    // An earlier version stored this outline: its edges cross, and it has more points than may be sent.
    const { id } = await create(AREA);
    const ring = Array.from({ length: 4000 }, (_, n) => [-1.6 + n / 40_000, 53.7 + (n % 2) / 10]);
    const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
    await test.db
      .updateTable('watches')
      .set({ geometry: JSON.stringify(geometry) })
      .where('id', '=', id)
      .execute();
    const { watch } = await read<WatchRecord>(`/${id}`);
    expect(watch.coverage.map(({ source }) => source)).toContain('national-highways');
    expect(
      (await call('POST', `${WATCHES}/preview`, { payload: { ...AREA, geometry } })).json(),
    ).toMatchObject({
      detail: 'An outline may have 500 points. This has 4,001.',
    });
  });

  it('lists that are none of a route are refused in few words', async () => {
    const cases = [
      ['legs that are numbers', { legs: Array.from({ length: 100_000 }, () => 0) }],
      ['some legs that are numbers', { legs: Array.from({ length: 19_000 }, () => 0) }],
      ['some hundred legs that are numbers', { legs: Array.from({ length: 100 }, () => 0) }],
      [
        'points that are none',
        { legs: [{ type: 'line', points: Array.from({ length: 19_000 }, () => 'x') }] },
      ],
      ['lists in lists', { legs: JSON.parse('['.repeat(3000) + ']'.repeat(3000)) as unknown }],
    ] as const;
    for (const [what, changes] of cases) {
      for (const path of ['', '/preview']) {
        const reply = await call('POST', `${WATCHES}${path}`, { payload: { ...ROUTE, ...changes } });
        expect(reply.statusCode, reply.body.slice(0, 300)).toBe(422);
        expect(reply.body.length, what).toBeLessThan(4000);
      }
    }
  });

  it('a line goes round a ring once, along at most 300 roads and past at most 2,000 places', async () => {
    const ring = (lo: number, hi: number) => ({ road: 'M25', lo, hi, sense: 1, from_km: 0, to_km: 1 });
    const send = (legs: ReturnType<typeof ring>[][]) =>
      call('POST', `${WATCHES}/preview`, {
        payload: { ...ROUTE, legs: legs.map((roads) => ({ ...foundOn({ lo: 0, hi: 1 }), roads })) },
      });
    const refusal = async (...legs: ReturnType<typeof ring>[][]) => {
      const reply = await send(legs);
      return [reply.statusCode, reply.json<{ detail: string }>().detail];
    };
    const many = (count: number) => Array.from({ length: count }, () => ring(0, 30));
    expect(await refusal([ring(0, 100_000)])).toEqual([422, 'A line goes round the M25 once at most.']);
    expect(await refusal(many(151), many(150))).toEqual([
      422,
      'The lines of a route may run along 300 roads. These run along 301.',
    ]);
    expect(await refusal(many(70))).toEqual([422, 'A route may pass 2,000 junctions and places.']);
    expect((await send([many(1)])).statusCode).toBe(200);
  });

  it('its rules are explained, even if none matches', async () => {
    const { id } = await create();
    const explained = await read<{ level: string; rules: { rule: string }[] }>(
      `/${id}/explain/${encodeURIComponent(CLOSED)}`,
    );
    expect(explained.rules.map(({ rule }) => rule)).toEqual(
      Array.from({ length: 13 }, (_, at) => `R${at + 1}`),
    );
    expect((await test.get(`${WATCHES}/${id}/explain/x`, token)).json()).toMatchObject({
      detail: 'There is no such incident in force.',
    });
  });

  it('if an incident has two reports, the one that touches the route is explained', async () => {
    const named = record('kb-incidents:1', { event_type: 'rail.incident' });
    const operator = record('nsi-service:NT', {
      event_type: 'rail.operator_status',
      facts: factsOf({ roads: ['M62'] }),
      metadata: {
        related_event_ids: ['kb-incidents:1'],
        nsi: {
          toc_code: 'NT',
          toc_name: 'NT',
          status: 'Minor delays',
          service_groups: [{ current_disruption: '1' }],
        },
      },
    });
    await poll(test.db, 'kb-incidents', [named], test.now());
    await poll(test.db, 'nsi-service', [operator], test.now());
    const { id } = await create();
    const level = async (of: string) => (await read<Explanation>(`/${id}/explain/${of}`)).level;
    expect([...(await mergedInto(test.db))]).toEqual([['nsi-service:NT', 'kb-incidents:1']]);
    expect(await level('nsi-service:NT')).toBe('possible');
    expect(await level('kb-incidents:1')).toBe('possible');
  });

  it('an incident has the gravest grade of its reports and names the others, in list and matches', async () => {
    const named = record('kb-incidents:1', { event_type: 'rail.incident', severity: 'low' });
    const operator = record('nsi-service:NT', {
      event_type: 'rail.operator_status',
      severity: 'high',
      metadata: {
        related_event_ids: ['kb-incidents:1'],
        nsi: {
          toc_code: 'NT',
          toc_name: 'NT',
          status: 'Major disruption',
          service_groups: [{ current_disruption: '1' }],
        },
      },
    });
    await poll(test.db, 'kb-incidents', [named], test.now());
    await poll(test.db, 'nsi-service', [operator], test.now());
    const { id } = await create();
    await settle(id, [{ subject_id: 'kb-incidents:1' }]);
    const graded = {
      event_id: 'kb-incidents:1',
      severity: 'high',
      metadata: { also_reported_by: [{ event_id: 'nsi-service:NT' }] },
    };
    expect((await read<WatchList>('')).incidents).toMatchObject([graded]);
    expect((await read<WatchRecord>(`/${id}`)).matches).toMatchObject([{ disruption: graded }]);
  });

  it('a preview lists the incidents that would touch it, stores nothing, and runs ten times a minute', async () => {
    const facts = {
      place: null,
      effect: 'closed',
      cause: null,
      advice: [],
      expected_clear: null,
      expected_clear_from: null,
      lanes: null,
      delay_minutes: null,
      roads: ['M62'],
      aside: [],
      stretch: [{ road: 'M62', from: 'J27', to: 'J28' }],
      direction: null,
      slip: null,
      closed: 'full' as const,
    };
    const closed = record(CLOSED, { title: 'M62 J27 to J28: closed', facts });
    await poll(test.db, 'national-highways', [closed], test.now());
    const preview = () => call('POST', `${WATCHES}/preview`, { payload: ROUTE });
    expect((await preview()).json()).toMatchObject({
      length_km: expect.any(Number),
      course: [{ road: 'M62' }],
      matches: [{ subject_id: CLOSED, level: 'certain', disruption: { event_id: CLOSED } }],
    });
    expect(await read<WatchList>('')).toMatchObject({ total: 0 });
    for (let made = 1; made < 10; made++) expect((await preview()).statusCode).toBe(200);
    expect((await preview()).statusCode).toBe(429);
    test.pass(60_000);
    expect((await preview()).statusCode).toBe(200);
  });
});

describe('the resolving of a text or a line', () => {
  beforeEach(() => start());

  const resolve = (payload: object) => call('POST', `${WATCHES}/resolve`, { payload });
  const statuses = async (count: number, payload: object) => {
    const answers = await Promise.all(Array.from({ length: count }, () => resolve(payload)));
    return answers.map(({ statusCode }) => statusCode).toSorted();
  };
  const line = {
    geometry: {
      type: 'LineString',
      coordinates: [
        [-1.5, 53.7],
        [-1.4, 53.8],
      ],
    },
  };

  it('runs ten times a minute for lines and long texts, and for a table as often as it has rows', async () => {
    expect(await statuses(12, line)).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect((await resolve({ text: 'Newton > Sutton > '.repeat(40) })).statusCode).toBe(429);
    expect(await statuses(20, { text: 'Leeds, York' })).toEqual(Array<number>(20).fill(200));
    test.pass(60_000);
    expect((await resolve(line)).statusCode).toBe(200);
  });
});

describe('a route that is being made', () => {
  beforeEach(() => start());

  const resolve = async (payload: object) => {
    const reply = await call('POST', `${WATCHES}/resolve`, { payload });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<Resolved>();
  };

  it('is read from text, and can be stored as it was read, with the names of its ends', async () => {
    const { legs, name, problems, places } = await resolve({ text: 'Leeds, M1 J43, M1 J40, Wakefield' });
    expect(problems.filter(({ level }) => level === 'stop')).toEqual([]);
    expect(name).toBe('Leeds to Wakefield');

    const made = await create({ name, legs });
    expect(made.places.map((place) => place.name)).toEqual(places.map((place) => place.name));
    expect([made.places[0]!.name, made.places.at(-1)!.name]).toEqual(['Leeds', 'Wakefield']);
  });

  it('is read from a line, and the roads along it are found', async () => {
    const { geometry } = await create();
    const { legs, problems } = await resolve({ geometry });
    expect(legs).toMatchObject([{ type: 'exact', roads: [{ road: 'M62', sense: 1 }] }]);
    expect(problems[0]!.text).toMatch(/^We think this runs on M62 /);
    await create({ made_by: 'file', legs });
  });

  it('stores nothing, and refuses a body without a text or a line', async () => {
    await resolve({ text: 'M62 J27 to J29' });
    expect(await read<WatchList>('')).toMatchObject({ total: 0 });
    expect((await call('POST', `${WATCHES}/resolve`, { payload: { words: 'M62' } })).statusCode).toBe(422);
  });

  it('is helped along as it is typed', async () => {
    const { results } = await read<WatchSuggestions>('/suggest?q=M62+J27');
    expect(results[0]).toMatchObject({ text: 'M62 J27', kind: 'junction' });
    expect((await test.get(`${WATCHES}/suggest`, token)).statusCode).toBe(422);
  });
});

describe('the incidents that touch a route at a given time', () => {
  beforeEach(() => start());

  /** Planned from 10:30 to 11:00, at kilometre 3 of the route. */
  async function planned(departure: object = DEPARTURE): Promise<Watch> {
    const works = record('national-highways:works', {
      phase: 'planned',
      start_time: '2026-11-21T10:30:00.000Z',
      end_time: '2026-11-21T11:00:00.000Z',
    });
    const now = record(CLOSED, { title: 'M62 closed' });
    await poll(test.db, 'national-highways', [now, works], test.now());
    const watch = await create({ departures: [departure] });
    await settle(watch.id, [{}, { subject_id: 'national-highways:works', from_km: 3, to_km: 3 }]);
    return watch;
  }
  const titles = async (watch: Watch, query: string) =>
    (await read<WatchMatches>(`/${watch.id}/matches${query}`)).matches.map(({ subject_id }) =>
      subject_id.replace('national-highways:', ''),
    );

  it('now are those in force or beginning within two hours', async () => {
    const watch = await planned();
    expect(await titles(watch, '')).toEqual(['closed', 'works']);
    expect(await titles(watch, '?hours=1')).toEqual(['closed']);
    expect(await titles(watch, '?at=2026-11-21T11:00:00Z')).toEqual(['closed']);
    expect(await titles(watch, '?at=2026-11-22T09:00:00Z&hours=12')).toEqual(['closed']);
    expect((await read<WatchMatches>(`/${watch.id}/matches`)).checked_at).toBe(test.now().toISOString());
  });

  it('are listed along the route, those without a kilometre last', async () => {
    const ids = ['far', 'nowhere', 'near'];
    const all = ids.map((id) => record(`national-highways:${id}`));
    await poll(test.db, 'national-highways', all, test.now());
    const watch = await create();
    const [far, nowhere, near] = all.map(({ event_id: subject_id }) => ({ subject_id }));
    await settle(watch.id, [
      { ...far, from_km: 9, to_km: 9 },
      { ...nowhere, from_km: null, to_km: null },
      { ...near, from_km: 2, to_km: 12 },
    ]);
    expect(await titles(watch, '')).toEqual(['near', 'far', 'nowhere']);
  });

  it('a departure meets incidents in force at its place, from 15 minutes before to 45 after', async () => {
    const watch = await planned();
    const length = watch.length_km;
    const { id } = watch.departures[0]!;
    const { matches: met } = await read<WatchMatches>(`/${watch.id}/matches?departure=${id}`);
    const reached = new Date(Date.parse('2026-11-21T10:00:00Z') + (3 / length) * 60 * 60_000).toISOString();
    expect(met.map(({ subject_id, reached: at }) => [subject_id, at])).toContainEqual([
      'national-highways:works',
      reached,
    ]);
    // The vehicle of the next day comes after it is over.
    expect(await titles(watch, `?departure=${id}&at=2026-11-21T12:00:00Z`)).toEqual(['closed']);
  });

  it.each([
    ['2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z', 'the hour that comes twice: the first'],
    ['2026-03-29T00:00:00.000Z', '2026-03-29T01:30:00.000Z', 'the hour that is left out: an hour later'],
  ])('a departure at 01:30, asked from %s, leaves at %s (%s)', async (at, leaves) => {
    const watch = await create({ departures: [{ ...DEPARTURE, at_local: '01:30' }] });
    await settle(watch.id, [{ from_km: 0, to_km: 0 }]);
    const { matches: met } = await read<WatchMatches>(
      `/${watch.id}/matches?departure=${watch.departures[0]!.id}&at=${at}`,
    );
    expect(met[0]!.reached).toBe(leaves);
  });

  it.each([
    ['?at=tomorrow', 'at must be an ISO 8601 time such as 2026-11-21T08:00:00Z'],
    ['?hours=0', 'hours must be at least 1'],
    ['?departure=x', 'This route has no such departure.'],
    ['?day=1', 'There is no parameter "day" in this call, which takes at, hours, departure.'],
  ])('refuses %s in words', async (query, detail) => {
    const { id } = await create();
    const reply = await test.get(`${WATCHES}/${id}/matches${query}`, token);
    expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([422, detail]);
  });

  it('a departure whose last day is over is refused', async () => {
    const watch = await create({ departures: [{ ...DEPARTURE, to_date: '2026-11-01' }] });
    const reply = await test.get(
      `${WATCHES}/${watch.id}/matches?departure=${watch.departures[0]!.id}`,
      token,
    );
    const message = 'This departure never leaves again.';
    expect(reply.json()).toMatchObject({ detail: message, errors: [{ path: '', message }] });
  });
});
