import { removeBefore } from '../../../server/db/statements.ts';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryBoard, WatchHistory } from '#contract/history/history.ts';
import { type OwnReport, REPORT_LIMITS, type ResponseList } from '#contract/shift/responses.ts';
import type { Explanation, WatchList, WatchRecord } from '#contract/watches/watches.ts';
import type { CursorWorker } from '../../../server/db/cursorWorker.ts';
import { ownReports } from '../../../server/shift/ownReports.ts';
import { startMatching } from '../../../server/watches/matching/matching.ts';
import { matchingState } from '../../../server/watches/matching/matchingState.ts';
import { startLapses } from '../../../server/shift/lapseWorker.ts';
import { raiseRevision, WATCHES_REVISION } from '../../../server/db/revisions.ts';
import { poll, record } from '../feedsWorld.ts';
import { openWorld, type World } from '../callers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let matching: CursorWorker;
const tokens = { ours: '', theirs: '' };

const log = {
  error(fields: object) {
    throw new Error(JSON.stringify(fields));
  },
};

beforeEach(async () => {
  world = await openWorld();
  tokens.ours = (await world.credential('User'))!;
  // An administrator of another team, with the same route.
  tokens.theirs = (await world.credential('Administrator'))!;
  await world.newWatch('User');
  await world.newWatch('Administrator');
  const state = matchingState();
  matching = startMatching({
    db: world.db,
    now: world.now,
    log,
    owner: 'one',
    open: () => ({ ask: async (step) => state.take(step), close: async () => {} }),
  });
  await matching.changed();
});
afterEach(async () => {
  await matching.stop();
  await world.close();
});

type Whose = keyof typeof tokens;

async function call(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { whose = 'ours', body, rev }: { whose?: Whose; body?: object; rev?: number } = {},
) {
  return world.app.inject({
    method,
    url: `/api/v1/${path}`,
    headers: {
      authorization: `Bearer ${tokens[whose]}`,
      ...(rev !== undefined && { 'if-match': String(rev) }),
    },
    ...(body && { payload: body }),
  });
}

const report = async (changes: object = {}) =>
  call('POST', 'reports', {
    body: {
      id: randomUUID(),
      title: 'Car on fire',
      severity: 'critical',
      road: 'M62',
      from: 'J27',
      to: 'J28',
      ...changes,
    },
  });
const addressOf = ({ disruption }: OwnReport) => `reports/${encodeURIComponent(disruption.event_id)}`;

async function onRoutes(whose: Whose) {
  await matching.changed();
  const list = (await call('GET', 'watches', { whose })).json<WatchList>();
  return {
    list,
    levels: list.watches.flatMap(({ matches }) =>
      matches.map(({ level, subject_id }) => [level, subject_id]),
    ),
  };
}

it('touches the team’s own routes like any incident, and those of no other team', async () => {
  const made = await report();
  expect(made.statusCode, made.body).toBe(201);
  const { disruption } = made.json<OwnReport>();
  expect(disruption).toMatchObject({
    title: 'M62 J27 to J28: Car on fire',
    facts: { place: 'M62 J27 to J28', expected_clear: null },
    // The time at which the team is asked again does not count as the end.
    end_time: null,
    metadata: { ask_again_at: '2026-11-21T11:00:00.000Z' },
    source: expect.stringMatching(/^own:/),
  });
  const ours = await onRoutes('ours');
  expect(ours.levels).toEqual([['certain', disruption.event_id]]);
  expect(ours.list.incidents).toMatchObject([
    { event_id: disruption.event_id, title: 'M62 J27 to J28: Car on fire' },
  ]);
  expect((await onRoutes('theirs')).levels).toEqual([]);
  expect((await call('GET', 'responses')).json<ResponseList>().reports).toHaveLength(1);

  // No other answer has it, for its own team or for others.
  for (const [path] of await world.operations()) {
    const [method, url] = path.split(' ', 2) as [string, string];
    if (method !== 'GET' || url.includes('{')) continue;
    const isOurs = /\/(watches|responses|handover|history|changes|board)/.test(url);
    for (const whose of ['ours', 'theirs'] as const) {
      if (whose === 'ours' && isOurs) continue;
      const { body } = await world.get(url, tokens[whose]);
      expect(body, `${url} of ${whose}`).not.toContain('Car on fire');
    }
  }
});

it('lies certainly in an area of the team that holds all of its place', async () => {
  const watched = async (reach_m: number) => {
    const made = await call('POST', 'watches', {
      body: {
        kind: 'area',
        made_by: 'circle',
        geometry: { type: 'Point', coordinates: [-1.55, 53.8] },
        reach_m,
      },
    });
    expect(made.statusCode, made.body).toBe(201);
    return made.json<WatchRecord['watch']>().id;
  };
  const [wide, narrow] = [await watched(30_000), await watched(8000)];
  await report();
  const { list } = await onRoutes('ours');
  const levelIn = (area: string) =>
    list.watches.find(({ id }) => id === area)!.matches.map(({ level }) => level);
  expect([levelIn(wide), levelIn(narrow)]).toEqual([['certain'], ['possible']]);
});

it('is in the history of a route with its own title and severity, even after its end', async () => {
  const made = (await report()).json<OwnReport>();
  const { list } = await onRoutes('ours');
  await call('PATCH', addressOf(made), { body: { ended: true }, rev: 1 });
  const { certain } = (await call('GET', `history/watches/${list.watches[0]!.id}`)).json<WatchHistory>();

  expect(certain).toMatchObject([
    { title: 'M62 J27 to J28: Car on fire', severity: 'critical', source: made.disruption.source },
  ]);
});

it('is in the board of the past as it was then, for its own team alone', async () => {
  await poll(world.db, 'tfl', [record('tfl:1')], world.now());
  const made = (await report({ severity: 'low' })).json<OwnReport>();
  const first = world.now().toISOString();
  world.pass(MINUTE);
  await call('PATCH', addressOf(made), { body: { severity: 'critical' }, rev: 1 });
  const worse = world.now().toISOString();
  world.pass(MINUTE);
  await call('PATCH', addressOf(made), { body: { ended: true }, rev: 2 });
  const over = world.now().toISOString();

  const at = async (time: string, whose: Whose = 'ours') =>
    (await call('GET', `history/board?at=${time}`, { whose })).json<HistoryBoard>().reports;
  expect(await at(first)).toMatchObject([{ event_id: made.disruption.event_id, severity: 'low' }]);
  expect(await at(worse)).toMatchObject([{ severity: 'critical' }]);
  expect(await at(over)).toEqual([]);
  expect(await at(worse, 'theirs')).toEqual([]);
});

it('is over because somebody says so, or no longer known because nobody confirmed it', async () => {
  const [made, timed] = [(await report()).json<OwnReport>(), (await report()).json<OwnReport>()];
  world.pass(MINUTE);
  await call('PATCH', addressOf(made), { body: { ended: true }, rev: 1 });
  world.pass(3 * HOUR);
  expect(await ownReports(world.db).endDue(world.now())).toBe(1);
  const ids = [made, timed].map(({ disruption }) => disruption.event_id);
  const over = await ownReports(world.db).withEnded(ids);
  expect(
    new Map(over.map(({ event_id, ended_at, ended_reason }) => [event_id, [ended_at, ended_reason]])),
  ).toEqual(
    new Map([
      [ids[0], ['2026-11-21T09:01:00.000Z', 'publisher']],
      [ids[1], ['2026-11-21T11:30:00.000Z', 'expired']],
    ]),
  );
});

it('is kept while it is in force, and from its end until that time', async () => {
  const [made, over] = [(await report()).json<OwnReport>(), (await report()).json<OwnReport>()];
  world.pass(MINUTE);
  await call('PATCH', addressOf(over), { body: { ended: true }, rev: 1 });
  const ended = world.now().getTime();
  const kept = async (before: number) => {
    await removeBefore(world.db, 'own_reports', 'ended_at', new Date(before));
    return (await ownReports(world.db).withEnded([made, over].map((one) => one.disruption.event_id))).length;
  };
  expect([await kept(ended), await kept(ended + 1), await kept(ended + 30 * 24 * HOUR)]).toEqual([2, 1, 1]);
});

it('is an id that does not exist for another team', async () => {
  const made = (await report()).json<OwnReport>();
  const body = { title: 'Taken over' };
  for (const path of [addressOf(made), addressOf(made).replace(/.$/, '0')]) {
    const theirs = await call('PATCH', path, { whose: 'theirs', body, rev: 1 });
    expect([theirs.statusCode, theirs.json()]).toMatchObject([
      404,
      { detail: 'There is no such report. It may have ended.' },
    ]);
  }
  const act = await world.app.inject({
    method: 'PUT',
    url: `/api/v1/responses/${encodeURIComponent(made.disruption.event_id)}`,
    headers: { authorization: `Bearer ${tokens.theirs}`, 'if-match': '0' },
    payload: { id: randomUUID(), disposition: 'diverted' },
  });
  expect(act.statusCode).toBe(404);
});

it('is refused in words under an id that was used for something else, and leaves nothing', async () => {
  const id = randomUUID();
  const line = await call('POST', 'handover/notes', { body: { id, text: 'Fuel card is at the desk' } });
  expect(line.statusCode, line.body).toBe(201);
  const reply = await report({ id });
  expect([reply.statusCode, reply.json()]).toMatchObject([
    409,
    { detail: 'This id was used for something else.' },
  ]);
  expect((await call('GET', 'responses')).json<ResponseList>().reports).toEqual([]);
});

it('is refused under its id with other words, at another place, and from somebody else', async () => {
  const id = randomUUID();
  const status = async (changes: object = {}) => (await report({ id, ...changes })).statusCode;
  expect([await status(), await status()]).toEqual([201, 201]);
  expect([await status({ title: 'Van on fire' }), await status({ to: 'J29' })]).toEqual([409, 409]);
  const row = await world.db.selectFrom('own_reports').selectAll().executeTakeFirstOrThrow();
  const { title, severity, note, latitude, longitude, geometry, metadata, facts, ask_again_at } = row;
  const draft = { title, severity, note, latitude, longitude, geometry, metadata, facts, ask_again_at };
  const by = (userId: string) =>
    ownReports(world.db).add(
      { teamId: row.team_id, userId },
      { ...draft, id, at: row.start_time },
      world.now(),
    );
  expect([await by(row.by_user!), await by('somebody else')]).toEqual([{ event_id: row.event_id }, 'used']);
});

it('is there once, however often it arrives, and is changed by one person at a time', async () => {
  const id = randomUUID();
  const [first, again] = [await report({ id }), await report({ id })];
  expect(again.json()).toEqual(first.json());
  // Another report under its id would be lost.
  for (const other of [{ title: 'Two cars on fire' }, { severity: 'low' }, { note: 'Both' }])
    expect((await report({ id, ...other })).statusCode, JSON.stringify(other)).toBe(409);
  const path = addressOf(first.json<OwnReport>());
  expect((await call('PATCH', path, { body: { severity: 'low' }, rev: 1 })).json()).toMatchObject({ rev: 2 });
  const late = await call('PATCH', path, { body: { severity: 'high' }, rev: 1 });
  expect([late.statusCode, late.json()]).toMatchObject([
    409,
    { detail: 'Changed by Rosa at 09:00. Load it again.' },
  ]);
  expect((await call('PATCH', path, { body: { severity: 'high' } })).statusCode).toBe(428);
});

it('is given up half an hour after its author was asked, or ends when the team says so', async () => {
  const lapses = startLapses({ db: world.db, now: world.now, log, owner: 'one' });
  const two = (await report()).json<OwnReport>();
  const ended = (await report()).json<OwnReport>();
  await call('PATCH', addressOf(ended), { body: { ended: true }, rev: 1 });
  const longer = (await report({ ask_again_at: '2026-11-21T15:00:00Z' })).json<OwnReport>();
  expect((await onRoutes('ours')).levels.map(([, id]) => id).toSorted()).toEqual(
    [two, longer].map(({ disruption }) => disruption.event_id).toSorted(),
  );
  // The author is asked at 11:00, and the report is known until half past.
  world.pass(2 * HOUR + HOUR / 6);
  await lapses.changed();
  tokens.ours = (await world.credential('User'))!;
  expect((await onRoutes('ours')).levels).toHaveLength(2);
  world.pass(HOUR / 2);
  await lapses.changed();
  tokens.ours = (await world.credential('User'))!;
  const over = await call('PATCH', addressOf(two), {
    body: { ask_again_at: '2026-11-21T15:00:00Z' },
    rev: 2,
  });
  expect([over.statusCode, over.json()]).toMatchObject([
    404,
    { detail: 'There is no such report. It may have ended.' },
  ]);
  expect((await onRoutes('ours')).levels.map(([, id]) => id)).toEqual([longer.disruption.event_id]);
  expect((await call('GET', addressOf(two))).json()).toMatchObject({ ended_at: '2026-11-21T11:30:00.000Z' });
  await lapses.stop();
});

it('ends an acknowledgement when it gets worse, and keeps it when it eases', async () => {
  const own = (await report({ severity: 'medium' })).json<OwnReport>();
  const { event_id } = own.disruption;
  const state = async () => (await call('GET', 'responses')).json<ResponseList>().responses;
  const seen = await world.app.inject({
    method: 'PUT',
    url: `/api/v1/responses/${encodeURIComponent(event_id)}`,
    headers: { authorization: `Bearer ${tokens.ours}`, 'if-match': '0' },
    payload: { id: randomUUID(), disposition: 'watching' },
  });
  expect(seen.statusCode, seen.body).toBe(200);
  world.pass(60_000);
  await call('PATCH', addressOf(own), { body: { severity: 'low' }, rev: 1 });
  await call('PATCH', addressOf(own), { body: { severity: 'low', title: 'Van on fire' }, rev: 2 });
  await call('PATCH', addressOf(own), { body: { title: 'Bus on fire' }, rev: 3 });
  expect(await state()).toMatchObject([{ lapsed: null }]);
  world.pass(60_000);
  await call('PATCH', addressOf(own), { body: { severity: 'critical' }, rev: 4 });
  expect(await state()).toMatchObject([{ disposition: 'watching', lapsed: 'worse' }]);
});

it('is understood by a road and a place of our table, or a place of the team’s own strip', async () => {
  const nowhere = { road: undefined, from: undefined, to: undefined };
  const placed = async (place: string, title = 'Tree down') => {
    const made = await report({ ...nowhere, place, title });
    expect(made.statusCode, made.body).toBe(201);
    return made.json<OwnReport>().disruption;
  };
  const bar = await placed('A64 at Tadcaster bar');
  expect(bar).toMatchObject({
    title: 'A64 at Tadcaster bar: Tree down',
    metadata: { roads: ['A64'] },
    facts: { place: 'A64 at Tadcaster bar', effect: 'Tree down' },
  });
  expect(bar.latitude).toBeCloseTo(53.88, 1);
  // The place as it was typed, even if the title has it too.
  expect((await placed('Leeds', 'Tram stuck in Leeds')).title).toBe('Tram stuck in Leeds');

  const junctions = await placed('M62 J27 to J28 westbound');
  expect(junctions.facts).toMatchObject({
    stretch: [{ road: 'M62', from: 'J27', to: 'J28' }],
    direction: 'W',
  });
  const [route] = (await onRoutes('ours')).list.watches;
  const record = (await call('GET', `watches/${route!.id}`)).json<WatchRecord>();
  const named = record.watch.places.find(({ name, junctions: own }) => name && own.length > 0)!;
  const strip = await placed(`Just past ${named.name!.toLowerCase()}`);
  const { levels } = await onRoutes('ours');
  expect(levels).toContainEqual(['certain', strip.event_id]);

  const refused = await report({ ...nowhere, place: 'Xyzzyville' });
  expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
    422,
    'No place is known as “Xyzzyville”.',
  ]);
});

it('is certain, from the first typed kilometre to the last, on a route without a road number', async () => {
  const points = [
    [-1.08, 53.96],
    [-1.12, 53.8],
    [-1.5, 53.81],
  ];
  const straight = {
    kind: 'route',
    made_by: 'junctions',
    legs: [{ type: 'link', points, names: ['York', 'Leeds'] }],
  };
  const watched = async (name: string, legs: object[] = straight.legs) => {
    const made = await call('POST', 'watches', { body: { ...straight, name, legs } });
    expect(made.statusCode, made.body).toBe(201);
    return made.json<WatchRecord['watch']>().id;
  };
  const ours = await watched('York to Leeds');
  const beside = await watched('The same way');
  const onOne = async (changes: object, id = ours) => {
    const made = await report({ road: undefined, from: undefined, to: undefined, ...changes });
    expect(made.statusCode, made.body).toBe(201);
    const { event_id } = made.json<OwnReport>().disruption;
    const { list } = await onRoutes('ours');
    return list.watches
      .find((watch) => watch.id === id)!
      .matches.filter(({ subject_id }) => subject_id === event_id)
      .map(({ level, from_km, to_km }) => [level, from_km, to_km]);
  };
  expect(await onOne({ watch_id: ours, from_km: 14, to_km: 17 })).toEqual([['certain', 14, 17]]);
  expect(await onOne({ watch_id: ours, from_km: 17, to_km: 14 })).toEqual([['certain', 14, 17]]);
  expect(await onOne({ watch_id: ours, from_km: 2 })).toEqual([['certain', 2, 2]]);
  // The other report was not put on this route.
  expect(await onOne({ watch_id: ours, from_km: 14, to_km: 17 }, beside)).toEqual([
    ['possible', expect.closeTo(14, 0), expect.closeTo(14, 0)],
  ]);

  // The first place of both strips.
  expect(await onOne({ place: 'York' })).toEqual([['certain', 0, 0]]);
  expect(await onOne({ place: 'York' }, beside)).toEqual([['certain', 0, 0]]);
  const [street] = await onOne({ place: 'York Road, Leeds' });
  expect(street?.[0]).not.toBe('certain');

  const moveTo = async (way: number[][]) => {
    await world.db
      .updateTable('watches')
      .set((eb) => ({ legs: JSON.stringify([{ type: 'link', points: way }]), rev: eb('rev', '+', 1) }))
      .where('id', '=', ours)
      .execute();
    await raiseRevision(world.db, WATCHES_REVISION);
  };
  // A report stays where it was put when its route is turned round; the first place is the last then.
  const tree = { watch_id: ours, from_km: 14, to_km: 17 };
  expect(await onOne(tree)).toEqual([['certain', 14, 17]]);
  await moveTo(points.toReversed());
  const turned = (await onRoutes('ours')).list.watches.find(({ id }) => id === ours)!;
  const near = (km: number) => expect.closeTo(turned.length_km - km, 0);
  expect(turned.matches.map(({ from_km, to_km }) => [from_km, to_km])).toEqual(
    expect.arrayContaining([
      [near(17), near(14)],
      [near(2), near(2)],
      [near(0), near(0)],
    ]),
  );
  await moveTo(points);
  expect(await onOne({ ...tree, title: 'Later' })).toEqual([['certain', 14, 17]]);

  // A route that no longer leads there is no longer touched.
  const told = (
    await report({ road: undefined, from: undefined, to: undefined, place: 'York' })
  ).json<OwnReport>();
  await moveTo([
    [-3, 51.5],
    [-3.1, 51.6],
  ]);
  const { list } = await onRoutes('ours');
  expect(
    list.watches
      .filter(({ matches }) => matches.some(({ subject_id }) => subject_id === told.disruption.event_id))
      .map(({ id }) => id),
  ).toEqual([beside]);
});

it('is explained rule by rule on the routes of its own team, while it is in force', async () => {
  const [near, far] = [
    (await report()).json<OwnReport>(),
    (await report({ road: 'A30', from: undefined, to: undefined })).json<OwnReport>(),
  ];
  const explain = async (whose: Whose, { disruption }: OwnReport) => {
    const [route] = (await call('GET', 'watches', { whose })).json<WatchList>().watches;
    const path = `watches/${route!.id}/explain/${encodeURIComponent(disruption.event_id)}`;
    return call('GET', path, { whose });
  };
  const said = (await explain('ours', near)).json<Explanation>();
  expect(said).toMatchObject({ subject_id: near.disruption.event_id, level: 'certain' });
  expect(said.rules.find(({ outcome }) => outcome === 'certain')).toMatchObject({ rule: 'R2' });
  expect(said.read).toBe(`Your team says where it is: ${near.disruption.facts!.place}.`);
  expect(said.rules.find(({ rule }) => rule === 'R13')!.words).toBe(
    'it gives no kilometres of a route of yours',
  );
  const none = (await explain('ours', far)).json<Explanation>();
  expect([none.level, none.why, none.rules.length]).toEqual(['none', null, said.rules.length]);

  expect((await explain('theirs', near)).statusCode).toBe(404);
  await call('PATCH', addressOf(near), { body: { ended: true }, rev: 1 });
  expect((await explain('ours', near)).json()).toMatchObject({
    detail: 'There is no such incident in force.',
  });
});

it('is not at a town that only names a street elsewhere, and not off the road that it names', async () => {
  const nowhere = { road: undefined, from: undefined, to: undefined };
  const made = await call('POST', 'watches', {
    body: {
      kind: 'route',
      name: 'Leeds to Harrogate',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'A61', from: 'Leeds', to: 'Harrogate', sense: 1 }],
    },
  });
  expect(made.statusCode, made.body).toBe(201);
  const placed = async (place: string) => {
    const { disruption } = (await report({ ...nowhere, place })).json<OwnReport>();
    const { levels } = await onRoutes('ours');
    return [disruption.latitude, levels.find(([, id]) => id === disruption.event_id)?.[0]];
  };
  const [leeds, harrogate] = [expect.closeTo(53.8, 1), expect.closeTo(53.99, 1)];
  expect(await placed('Harrogate')).toEqual([harrogate, 'certain']);
  expect(await placed('Harrogate centre')).toEqual([harrogate, 'certain']);
  for (const place of ['Harrogate Road, Leeds', 'Leeds Albion Square', 'york st leeds'])
    expect(await placed(place), place).toEqual([leeds, 'possible']);
  // A place of its own, in Kent.
  expect(await placed('Leeds Castle')).toEqual([expect.closeTo(51.2, 1), undefined]);
  for (const place of ['A61 Harrogate Road, Leeds', 'A61 Leeds'])
    expect(await placed(place), place).toEqual([leeds, 'certain']);
  // For these words the gazetteer's best is a station near Southport.
  expect(await placed('A61 Hull Road')).toEqual([null, 'possible']);
});

it('may be between places of an A road, which has no junctions', async () => {
  const made = await report({ road: 'A64', from: 'tadcaster', to: 'Bramham' });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json<OwnReport>().disruption).toMatchObject({
    facts: { place: 'A64 Tadcaster to Bramham' },
    latitude: expect.closeTo(53.87, 1),
    longitude: expect.closeTo(-1.3, 1),
  });
  expect((await report({ road: 'A64', from: 'Penzance' })).json()).toMatchObject({
    detail: 'The A64 has no Penzance in our table.',
  });
});

it('has a position if its junctions are in our table, so that the map shows it', async () => {
  const made = (await report()).json<OwnReport>().disruption;
  expect(made).toMatchObject({ metadata: { location_method: 'junction' } });
  expect(made.latitude).toBeCloseTo(53.74, 1);
  expect(made.longitude).toBeCloseTo(-1.63, 1);
  expect((await onRoutes('ours')).levels).toEqual([['certain', made.event_id]]);
  const road = (await report({ from: undefined, to: undefined })).json<OwnReport>().disruption;
  expect(road).toMatchObject({ latitude: null, longitude: null });
});

it.each(['km 12 of York', 'at km12', 'kilometre 3 of Leeds to Hull'])(
  'takes “%s” for no town',
  async (place) => {
    const refused = await report({ road: undefined, from: undefined, to: undefined, place });
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      422,
      'A kilometre counts along a route: report it from the page of that route, or say a road or a place.',
    ]);
  },
);

it('is looked for on the team’s shortest routes, and on no more than a bounded length of them', async () => {
  const at = { road: undefined, from: undefined, to: undefined };
  const [route] = (await onRoutes('ours')).list.watches;
  const setLegs = async (padding: number) => {
    const points = [
      [-1.5, 53.7],
      ...Array.from({ length: padding }, (_, index) => [-1.5 + index / 1e6, 53.71]),
      [-1.4, 53.8],
    ];
    const legs = JSON.stringify([{ type: 'link', points, names: ['Xyzzy yard', 'Leeds'] }]);
    await world.db.updateTable('watches').set({ legs }).where('id', '=', route!.id).execute();
    return legs.length;
  };
  expect(await setLegs(0)).toBeLessThan(REPORT_LIMITS.legsLength);
  expect((await report({ ...at, place: 'Xyzzy yard' })).statusCode).toBe(201);
  expect(await setLegs(150_000)).toBeGreaterThan(REPORT_LIMITS.legsLength);
  expect((await report({ ...at, place: 'Xyzzy yard' })).statusCode).toBe(422);
});

it('asks its author at once if it arrives after its time, from a device that was offline', async () => {
  const id = randomUUID();
  const late = { id, at: '2026-11-21T06:00:00.000Z', ask_again_at: '2026-11-21T08:00:00.000Z' };
  const made = (await report(late)).json<OwnReport>();
  const now = world.now().toISOString();
  expect(made.disruption).toMatchObject({
    start_time: '2026-11-21T06:00:00.000Z',
    metadata: { ask_again_at: now },
  });
  // A report that is sent again after a lost answer is there once.
  expect((await report(late)).json<OwnReport>()).toEqual(made);
  world.pass(29 * MINUTE);
  expect(await ownReports(world.db).endDue(world.now())).toBe(0);
  world.pass(MINUTE);
  expect(await ownReports(world.db).endDue(world.now())).toBe(1);
});

it('is refused if a team has a hundred', async () => {
  const one = (await report()).json<OwnReport>();
  const row = await world.db
    .selectFrom('own_reports')
    .selectAll()
    .where('event_id', '=', one.disruption.event_id)
    .executeTakeFirstOrThrow();
  const more = Array.from({ length: 98 }, (_, n) => ({ ...row, event_id: `${row.event_id}${n}` }));
  await world.db.insertInto('own_reports').values(more).execute();
  expect((await report()).statusCode).toBe(201);
  const full = await report();
  expect([full.statusCode, full.json()]).toMatchObject([
    409,
    { detail: 'A team may have 100 reports at a time. End one first.' },
  ]);
  expect((await call('PATCH', addressOf(one), { body: { ended: true }, rev: 1 })).statusCode).toBe(200);
  expect((await report()).statusCode).toBe(201);
  expect((await report()).statusCode).toBe(409);
  // Another team has a hundred of its own.
  const other = await world.db
    .selectFrom('teams')
    .select('id')
    .where('id', '<>', row.team_id)
    .executeTakeFirstOrThrow();
  await world.db.updateTable('own_reports').set({ team_id: other.id }).execute();
  expect((await report()).statusCode).toBe(201);
});

it('needs a known place, or kilometres of a route', async () => {
  const { list } = await onRoutes('ours');
  const [route] = list.watches;
  const along = await report({
    road: undefined,
    from: undefined,
    to: undefined,
    watch_id: route!.id,
    from_km: 3,
    to_km: 5,
  });
  expect(along.json<OwnReport>().disruption.latitude).toEqual(expect.any(Number));
  const town = await report({ road: undefined, from: undefined, to: undefined, place: 'Leeds' });
  expect(town.statusCode, town.body).toBe(201);
  expect((await onRoutes('ours')).levels.map(([level]) => level).toSorted()[0]).toBe('certain');

  const refused = async (changes: object) => {
    const reply = await report(changes);
    return [reply.statusCode, reply.json<{ detail: string }>().detail];
  };
  expect(await refused({ from: 'J999' })).toEqual([422, 'The M62 has no junction J999.']);
  expect(await refused({ place: 'Leeds' })).toEqual([
    422,
    'Say where it is: a road, a place, or kilometres of a route.',
  ]);
  expect(await refused({ ask_again_at: '2026-11-22T09:01:00Z' })).toEqual([
    422,
    'ask_again_at may be at most 24 hours ahead.',
  ]);
  expect((await report({ ask_again_at: '2026-11-22T09:00:00Z' })).statusCode).toBe(201);
  // The clock of a device may be ahead.
  const ahead = (await report({ at: '2026-11-21T10:00:00Z' })).json<OwnReport>();
  expect(ahead.disruption.start_time).toBe('2026-11-21T09:00:00.000Z');
  expect((await refused({ ask_again_at: '2026-11-21T09:00:00Z' }))[0]).toBe(422);
  expect(await refused({ ask_again_at: '2026-11-21T08:00:00Z' })).toEqual([
    422,
    'ask_again_at must be in the future.',
  ]);
  expect((await refused({ title: ' ' }))[0]).toBe(422);
  const beyond = { road: undefined, from: undefined, to: undefined, watch_id: route!.id, from_km: 30 };
  expect(await refused(beyond)).toEqual([422, 'The route is only 9.4 km long.']);
  expect(
    await refused({ road: undefined, from: undefined, to: undefined, watch_id: 'another', from_km: 1 }),
  ).toEqual([404, 'There is no such route. It may have been deleted.']);
});
