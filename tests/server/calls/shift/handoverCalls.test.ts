import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEVICE_CODE_GRANT, type DeviceAuthorization } from '#contract/displays/displays.ts';
import type { Handover } from '#contract/shift/handover.ts';
import type { LoggedAction, OwnReport } from '#contract/shift/responses.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { notePoll } from '../../../../server/incidents/pollLog.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { handover } from '../../../../server/delivery/handover/handoverStore.ts';
import { ownReports } from '../../../../server/shift/ownReports.ts';
import { startLapses } from '../../../../server/shift/lapseWorker.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';

const SOURCE = 'national-highways';
const LORRY = `${SOURCE}:lorry`;
const QUEUE = `${SOURCE}:queue`;
const WORKS = `${SOURCE}:works`;
const MINUTE = 60_000;
const EARLY = '/api/v1/handover?from=06:00&to=14:00';

let test: TestApp;
let rosa: string;
let sam: string;
let route: Watch;

/** 09:00 on Saturday 21 November. */
beforeEach(async () => {
  test = await openTestApp();
  await test.addUser({ id: 'rosa', display_name: 'Rosa Jones' });
  await test.addUser({ id: 'sam', display_name: 'Sam Lee', email: 'sam@coaches.example' });
  rosa = (await test.signIn()).access_token;
  sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
  await report([
    record(LORRY, { severity: 'critical', title: 'M62 closed' }),
    record(QUEUE, { severity: 'medium', title: 'M62 queue' }),
    record(WORKS, { phase: 'planned', title: 'M62 roadworks', start_time: '2026-11-21T15:00:00.000Z' }),
  ]);
  route = (
    await call('POST', '/watches', rosa, {
      kind: 'route',
      name: 'Leeds to Hull',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }],
    })
  ).json<Watch>();
  await touched({ [LORRY]: 'certain', [QUEUE]: 'possible', [WORKS]: 'certain' });
});
afterEach(() => test.close());

const report = (records: Parameters<typeof poll>[2]) => poll(test.db, SOURCE, records, test.now());

/** Matches as the matcher stores them. */
const touched = (levels: Record<string, 'certain' | 'possible'>, watch_id = route.id) =>
  test.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', watchIds: [watch_id] },
      Object.entries(levels).map(([subject_id, level]) => ({
        watch_id,
        subject: 'disruption',
        subject_id,
        level,
        why: 'names the M62',
        from_km: 1,
        to_km: 2,
        off_m: null,
      })),
      { at: test.now(), batch: 1, endKind: () => 'ended' },
    ),
  );

const call = (method: 'POST' | 'PUT', path: string, token: string, payload: object, rev?: number) =>
  test.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(rev !== undefined && { 'if-match': String(rev) }) },
    payload,
  });

const act = async (id: string, body: object, token = rosa) => {
  const path = `/responses/${encodeURIComponent(id)}`;
  const reply = await call('PUT', path, token, { id: randomUUID(), ...body }, 0);
  expect(reply.statusCode, reply.body).toBe(200);
};
const note = (path: string, text: string, token = rosa) =>
  call('POST', path, token, { id: randomUUID(), text });

/** Moves the clock on, past the life of the token. */
async function pass(ms: number): Promise<void> {
  test.pass(ms);
  rosa = (await test.signIn()).access_token;
}

async function sheet(token = rosa, url = EARLY): Promise<Handover> {
  const reply = await test.get(url, token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Handover>();
}

it('says what is on the routes, who has it, and the last note', async () => {
  await act(LORRY, { disposition: 'diverted' });
  await note(`/responses/${encodeURIComponent(LORRY)}/notes`, 'By the A58.');
  const { on_routes, made_by, from, to, data_to } = await sheet();
  expect(on_routes).toMatchObject([
    {
      route: { name: 'Leeds to Hull' },
      level: 'certain',
      incident: { event_id: LORRY, severity: 'critical', title: 'M62 closed' },
      since: '2026-11-21T07:30:00.000Z',
      by: { name: 'Rosa Jones' },
      disposition: 'diverted',
      last_note: 'By the A58.',
    },
    { level: 'possible', incident: { event_id: QUEUE }, by: null, disposition: null, last_note: null },
  ]);
  expect([made_by.name, from, to]).toEqual([
    'Rosa Jones',
    '2026-11-21T06:00:00.000Z',
    '2026-11-21T14:00:00.000Z',
  ]);
  expect(data_to).toBe(test.now().toISOString());
});

it('has one row for an incident with all its routes, and who had it in hand before it got worse', async () => {
  const other = (
    await call('POST', '/watches', rosa, {
      kind: 'route',
      name: 'Bradford to Hull',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J26', to: 'J29', sense: 1 }],
    })
  ).json<Watch>();
  await touched({ [LORRY]: 'possible', [QUEUE]: 'possible' }, other.id);
  await act(QUEUE, { disposition: 'watching' });
  const lapses = startLapses({ db: test.db, now: test.now, log: test.app.log, owner: 'one' });
  await lapses.changed();
  test.pass(5 * MINUTE);
  await report([
    record(LORRY, { severity: 'critical', title: 'M62 closed' }),
    record(QUEUE, { severity: 'high', title: 'M62 queue' }),
  ]);
  await lapses.changed();
  await lapses.stop();

  const { on_routes, routes_total } = await sheet();
  const [bradford, leeds] = [
    { id: other.id, name: 'Bradford to Hull' },
    { id: route.id, name: 'Leeds to Hull' },
  ];
  // Certain ones come first, although their names come later.
  const routesOf = (...levels: ('certain' | 'possible')[]) => [
    { ...(levels[0] === 'certain' ? leeds : bradford), level: levels[0] },
    { ...(levels[0] === 'certain' ? bradford : leeds), level: levels[1] },
  ];
  expect(routes_total).toBe(2);
  expect(on_routes).toMatchObject([
    {
      incident: { event_id: LORRY },
      level: 'certain',
      route: leeds,
      routes: routesOf('certain', 'possible'),
      lapsed: null,
    },
    {
      incident: { event_id: QUEUE },
      level: 'possible',
      routes: routesOf('possible', 'possible'),
      by: null,
      disposition: null,
      lapsed: { by: { name: 'Rosa Jones' }, at: '2026-11-21T09:00:00.000Z', kind: 'worse' },
    },
  ]);
});

describe('judges by the vehicles, as the routes do', () => {
  /** A route of 10 km in 90 minutes, each day; the incident touches it at km 1 to 2. */
  async function departAt(...times: string[]) {
    await test.db.updateTable('watches').set({ length_km: 10 }).execute();
    for (const at_local of times)
      await test.db
        .insertInto('departures')
        .values({
          id: `dep_${at_local}`,
          watch_id: route.id,
          name: null,
          at_local,
          days: 127,
          from_date: null,
          to_date: null,
          except: '[]',
          duration_min: 90,
        })
        .execute();
  }
  const leaving = ({ on_routes }: Handover) =>
    Object.fromEntries(on_routes.map(({ incident, routes }) => [incident.event_id, routes[0]!.leaves]));
  const beside = ({ beside }: Handover) => beside.map(({ event_id }) => event_id);

  it('a vehicle on the way counts until it has passed; then the incident waits for the next vehicle', async () => {
    await departAt('08:30', '14:00'); // it is there from 08:39 to 08:48, and may be a quarter of an hour late
    const left = '2026-11-21T08:30:00.000Z';
    expect(leaving(await sheet())).toEqual({ [LORRY]: left, [QUEUE]: left });
    expect(beside(await sheet())).toEqual([]);

    await pass(10 * MINUTE);
    expect(leaving(await sheet())).toEqual({});
    expect(beside(await sheet())).toEqual([LORRY, QUEUE]);

    await pass(55 * MINUTE); // it has arrived
    const next = '2026-11-21T14:00:00.000Z';
    expect(leaving(await sheet())).toMatchObject({ [LORRY]: next, [QUEUE]: next });
    const unknown = ({ on_routes }: Handover) => on_routes.map(({ routes }) => routes[0]!.end_unknown);
    expect(new Set(unknown(await sheet()))).toEqual(new Set([true]));
    await pass(3 * 60 * MINUTE); // it leaves in less than two hours
    expect(new Set(unknown(await sheet()))).toEqual(new Set([false]));
  });

  it('names the vehicle that surely has it ahead before one that may have passed it', async () => {
    await departAt('08:45', '10:00'); // the first is there from 08:54 to 09:03
    expect(leaving(await sheet())[LORRY]).toBe('2026-11-21T08:45:00.000Z');
    await pass(5 * MINUTE);
    expect(leaving(await sheet())[LORRY]).toBe('2026-11-21T10:00:00.000Z');
  });

  it('an incident that begins before a vehicle is there is already on the routes', async () => {
    await departAt('14:30');
    expect(leaving(await sheet())[WORKS]).toBe('2026-11-21T14:30:00.000Z');
    expect((await sheet()).planned).toHaveLength(1);
  });

  it('a route without departures is judged for two hours, and names none', async () => {
    expect(leaving(await sheet())).toEqual({ [LORRY]: null, [QUEUE]: null });
    await pass(4 * 60 * MINUTE + MINUTE);
    expect(Object.keys(leaving(await sheet()))).toContain(WORKS);
  });
});

it('leaves out the routes that were deleted', async () => {
  await test.db.updateTable('watches').set({ archived_at: test.now().toISOString() }).execute();
  await test.db.updateTable('watches').set({ kind: 'area', matched_rev: 0 }).execute();
  expect(await sheet()).toMatchObject({ on_routes: [], routes_total: 0, checking: [] });
  expect(await handover(test.db).hasAreas(EVERYONE)).toBe(false);
});

it('puts snoozed incidents in a section of their own, with the end of the snooze', async () => {
  await act(LORRY, { snooze: '1_h' });
  const { on_routes, snoozed } = await sheet();
  expect(on_routes.map(({ incident }) => incident.event_id)).toEqual([QUEUE]);
  expect(snoozed).toMatchObject([
    { incident: { event_id: LORRY }, until: '2026-11-21T10:00:00.000Z', by: { name: 'Rosa Jones' } },
  ]);
});

it('tells incidents that are over from incidents that are no longer known', async () => {
  test.pass(10 * MINUTE);
  await report([record(WORKS, { phase: 'planned', start_time: '2026-11-21T15:00:00.000Z' })]);
  await test.db
    .updateTable('disruptions')
    .set({ ended_reason: 'expired' })
    .where('event_id', '=', QUEUE)
    .execute();
  const { on_routes, cleared } = await sheet();
  expect(on_routes).toEqual([]);
  expect(Object.fromEntries(cleared.map(({ incident, reason }) => [incident.event_id, reason]))).toEqual({
    [LORRY]: 'absent',
    [QUEUE]: 'expired',
  });
  const isCleared = async (ended_at: string) => {
    await test.db.updateTable('disruptions').set({ ended_at }).where('event_id', '=', QUEUE).execute();
    return (await sheet()).cleared.some(({ incident }) => incident.event_id === QUEUE);
  };
  expect([
    await isCleared('2026-11-21T05:59:59.999Z'),
    await isCleared('2026-11-21T06:00:00.000Z'),
    await isCleared('2026-11-21T13:59:59.999Z'),
    await isCleared('2026-11-21T14:00:00.000Z'),
  ]).toEqual([false, true, true, false]);
});

it('lists ended reports of the team among the ended incidents', async () => {
  const made = async (title: string) => {
    const body = { id: randomUUID(), title, severity: 'critical', road: 'M62', from: 'J27', to: 'J28' };
    const reply = await call('POST', '/reports', rosa, body);
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json<OwnReport>().disruption.event_id;
  };
  const [ended, lapsed, standing] = [await made('Tree down'), await made('Oil'), await made('Sheep')];
  await note(`/responses/${encodeURIComponent(ended)}/notes`, 'The farmer comes.');
  test.pass(MINUTE);
  const change = async (id: string, body: object) => {
    const reply = await test.app.inject({
      method: 'PATCH',
      url: `/api/v1/reports/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${rosa}`, 'if-match': '1' },
      payload: body,
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  await change(ended, { ended: true });
  await change(standing, { ask_again_at: '2026-11-21T20:00:00.000Z' });
  const overAt = test.now().toISOString();
  await pass(3 * 60 * MINUTE);
  expect(await ownReports(test.db).endDue(test.now())).toBe(1);
  const { cleared, notes } = await sheet();
  expect(
    cleared.map(({ incident: { event_id, severity, title }, at, reason }) => [
      event_id,
      severity,
      title,
      at,
      reason,
    ]),
  ).toEqual([
    [ended, 'critical', 'M62 J27 to J28: Tree down', overAt, 'publisher'],
    [lapsed, 'critical', 'M62 J27 to J28: Oil', expect.stringMatching(/^2026-11-21T11:/), 'expired'],
  ]);
  expect(notes[0]!.incident).toMatchObject({ event_id: ended });
});

it('names incidents that are planned within eight hours, each once', async () => {
  expect((await sheet()).planned).toEqual([
    { title: 'M62 roadworks', at: '2026-11-21T15:00:00.000Z', route: 'Leeds to Hull' },
  ]);
  const nightly = { start: null, end: null, from: '16:00', to: '05:00' };
  await report([
    record(WORKS, { phase: 'planned', start_time: '2026-11-16T16:00:00.000Z', windows: [nightly] }),
  ]);
  expect((await sheet()).planned).toMatchObject([{ at: '2026-11-21T16:00:00.000Z' }]);
  await report([record(WORKS, { phase: 'planned', start_time: '2026-11-21T15:00:00.000Z' })]);
  const isListed = async (start_time: string) => {
    await test.db.updateTable('disruptions').set({ start_time }).where('event_id', '=', WORKS).execute();
    return (await sheet()).planned.length === 1;
  };
  expect([
    await isListed('2026-11-21T08:59:59.999Z'),
    await isListed('2026-11-21T09:00:00.000Z'),
    await isListed('2026-11-21T16:59:59.999Z'),
    await isListed('2026-11-21T17:00:00.000Z'),
  ]).toEqual([false, true, true, false]);
  await isListed('2026-11-21T15:00:00.000Z');
  await pass(6 * 60 * MINUTE + MINUTE); // it should have begun
  expect((await sheet()).planned).toEqual([]);
});

it('keeps the notes of the shift, struck out ones too, and lines for the next', async () => {
  const path = `/responses/${encodeURIComponent(LORRY)}/notes`;
  await note(path, 'Late by 40 minutes.');
  test.pass(MINUTE);
  const wrong = (await note(path, 'Closed until Monday.')).json<LoggedAction>();
  await call('POST', `${path}/${wrong.id}/strike`, rosa, { id: randomUUID() });
  const line = (await note('/handover/notes', 'Call Hull before the 15:15.', sam)).json<LoggedAction>();
  const { notes, next_shift, on_routes } = await sheet();
  expect(
    notes.map(({ note: { text, struck_at }, incident }) => [text, struck_at !== null, incident?.title]),
  ).toEqual([
    ['Late by 40 minutes.', false, 'M62 closed'],
    ['Closed until Monday.', true, 'M62 closed'],
  ]);
  expect(on_routes[0]!.last_note).toBe('Late by 40 minutes.');
  expect(next_shift).toMatchObject([{ text: 'Call Hull before the 15:15.', by: { name: 'Sam Lee' } }]);

  const struck = await call('POST', `/handover/notes/${line.id}/strike`, sam, { id: randomUUID() });
  expect(struck.json<LoggedAction>().struck_at).toBe(test.now().toISOString());
  await pass(24 * 60 * MINUTE);
  expect((await sheet()).notes).toEqual([]);
});

it('keeps lines for the next shift that were written in its first hour, and no later ones', async () => {
  for (const text of ['At 13:59', 'At 14:00', 'At 14:59', 'At 15:00']) {
    const [hour, minute] = text.slice(3).split(':').map(Number) as [number, number];
    await pass(Date.UTC(2026, 10, 21, hour, minute) - test.now().getTime());
    await note('/handover/notes', text);
    await note(`/responses/${encodeURIComponent(LORRY)}/notes`, text);
  }
  const { notes, next_shift } = await sheet();
  expect(notes.map(({ note: { text } }) => text)).toEqual(['At 13:59']);
  expect(next_shift.map(({ text }) => text)).toEqual(['At 13:59', 'At 14:00', 'At 14:59']);
});

it('says what was silent in a past shift, and nothing of the time since', async () => {
  const answered = async (time: string) => {
    const at = `2026-11-21T${time}:00.000Z`;
    await pass(Date.parse(at) - test.now().getTime());
    const poll = { source: SOURCE, at, ok: 1 as const, ms: 1, records: 0, changed: 0, error_kind: null };
    await notePoll(test.db, poll);
  };
  for (const time of ['09:30', '11:30']) await answered(time);
  for (let minutes = 11 * 60 + 45; minutes <= 14 * 60 + 15; minutes += 15)
    await answered(`${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`);
  await pass(3 * 60 * MINUTE);
  expect((await sheet()).unseen_sources).toEqual([
    { source: SOURCE, from: '2026-11-21T09:30:00.000Z', to: '2026-11-21T11:30:00.000Z' },
  ]);
});

it('names the sources and displays that could not be seen', async () => {
  const asked = (await test.post('/api/v1/displays/device_authorization')).json<DeviceAuthorization>();
  const { user_code, device_code } = asked;
  const approved = await test.post(
    '/api/v1/displays/pairing/approve',
    { user_code, name: 'Depot canteen' },
    rosa,
  );
  expect(approved.statusCode, approved.body).toBeLessThan(300);
  const missed = async (token = rosa) =>
    (await sheet(token)).unseen_displays.map(({ name, not_taken }) => [name, not_taken]);
  expect(await missed()).toEqual([]);
  const token = { grant_type: DEVICE_CODE_GRANT, device_code };
  expect((await test.post('/api/v1/displays/token', token)).statusCode).toBe(200);
  const last_seen_at = test.now().toISOString();
  test.pass(10 * MINUTE);
  expect(await missed()).toEqual([]);
  test.pass(MINUTE);
  expect((await sheet()).unseen_displays).toEqual([
    { name: 'Depot canteen', last_seen_at, not_taken: false },
  ]);

  const change = (columns: object) => test.db.updateTable('displays').set(columns).execute();
  const at = (ms: number) => new Date(test.now().getTime() + ms).toISOString();
  await change({ last_seen_at: at(0), asked_at: at(-6 * MINUTE), rev: 1 });
  expect(await missed()).toEqual([['Depot canteen', true]]);
  await change({ asked_at: at(-5 * MINUTE) });
  expect(await missed()).toEqual([]);
  await change({ taken_rev: 1 });
  expect(await missed()).toEqual([]);
  await change({ problem: 'A page says nothing' });
  expect(await missed()).toEqual([['Depot canteen', true]]);
  // A display goes dark when its account is disabled or its credential has expired. It is missing until it is taken
  // down.
  await change({ last_seen_at: at(-11 * MINUTE) });
  await test.db.updateTable('users').set({ is_active: 0 }).where('id', '=', 'rosa').execute();
  expect(await missed(sam)).toEqual([['Depot canteen', false]]);
  await test.db.updateTable('users').set({ is_active: 1 }).where('id', '=', 'rosa').execute();
  await test.db
    .updateTable('sessions')
    .set({ expires_at: at(-MINUTE) })
    .where('display_id', 'is not', null)
    .execute();
  expect(await missed(sam)).toEqual([['Depot canteen', false]]);
  await test.db
    .updateTable('sessions')
    .set({ revoked_at: test.now().toISOString() })
    .where('display_id', 'is not', null)
    .execute();
  expect(await missed(sam)).toEqual([]);

  await notePoll(test.db, {
    source: SOURCE,
    at: test.now().toISOString(),
    ok: 1,
    ms: 1,
    records: 0,
    changed: 0,
    error_kind: null,
  });
  await pass(60 * MINUTE);
  const { unseen_sources } = await sheet();
  expect(unseen_sources).toEqual([{ source: SOURCE, from: '2026-11-21T09:11:00.000Z', to: null }]);
});

it('is taken over once, by name, however often it is asked for', async () => {
  const { from, to } = await sheet();
  const taking = { id: randomUUID(), from, to };
  const take = (token: string, body: object = taking) => call('POST', '/handover/taken', token, body);
  expect((await take(sam)).json()).toMatchObject({ by: { name: 'Sam Lee' } });
  expect((await take(sam)).statusCode).toBe(201);
  expect((await sheet()).taken).toEqual({ by: { id: 'sam', name: 'Sam Lee' }, at: test.now().toISOString() });

  const second = await take(rosa, { ...taking, id: randomUUID() });
  expect([second.statusCode, second.json<{ detail: string }>().detail]).toEqual([
    409,
    'Sam Lee took over at 09:00.',
  ]);
  expect((await take(rosa, { ...taking, to: from })).statusCode).toBe(422);
  const logged = await test.db
    .selectFrom('response_log')
    .selectAll()
    .where('action', '=', 'shift.taken')
    .execute();
  expect(logged).toHaveLength(1);
});

it('is taken over by each team for itself, under an id of its own', async () => {
  const { id: other } = await teams(test.db, 'many').create('Other', test.now());
  const early = { from: '2026-11-21T06:00:00.000Z', to: '2026-11-21T14:00:00.000Z' };
  const late = { from: early.to, to: '2026-11-21T22:00:00.000Z' };
  const take = async (id: string, shift: typeof early, userId = 'sam', teamId = EVERYONE) => {
    const taking = { id, ...shift, at: test.now().toISOString() };
    const { outcome } = await handover(test.db).take({ teamId, userId }, taking, test.now());
    return outcome;
  };
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
  const line = (await note('/handover/notes', 'Call Hull.', sam)).json<LoggedAction>();
  expect([await take(one, early), await take(one, early), await take(two, late)]).toEqual(
    Array(3).fill('done'),
  );
  expect([await take(one, late), await take(line.id, early)]).toEqual(['used', 'used']);
  expect(await take(three, early, 'rosa')).toBe('taken');
  expect(await handover(test.db).taken(other, early.from, early.to)).toBeNull();
  expect(await take(three, early, 'rosa', other)).toBe('done');
  expect(await take(one, early, 'rosa', other)).toBe('used');
  const taken = async (team: string) => (await handover(test.db).taken(team, early.from, early.to))?.by.name;
  expect([await taken(EVERYONE), await taken(other)]).toEqual(['Sam Lee', 'Rosa Jones']);
});

it('replaces the name of somebody who is deleted', async () => {
  await act(LORRY, { disposition: 'watching' }, sam);
  await note('/handover/notes', 'Call Hull.', sam);
  await users(test.db).change('sam', null);
  const { on_routes, next_shift } = await sheet();
  expect(on_routes[0]!.by).toEqual({ id: null, name: 'A deleted person' });
  expect(next_shift[0]!.by).toEqual({ id: null, name: 'A deleted person' });
  expect(JSON.stringify(await sheet())).not.toContain('Sam Lee');
});

it('is the shift that is under way, or the one before in its first hour', async () => {
  const span = async (query = '') => {
    const { from, to } = await sheet(rosa, `/api/v1/handover${query}`);
    return [from, to].map((time) => time.slice(8, 16));
  };
  expect(await span()).toEqual(['21T06:00', '21T14:00']); // 09:00
  await pass(5.5 * 60 * MINUTE);
  expect(await span()).toEqual(['21T06:00', '21T14:00']); // 14:30
  expect(await span('?from=22:00&to=06:00')).toEqual(['20T22:00', '21T06:00']);
  await pass(60 * MINUTE);
  expect(await span()).toEqual(['21T14:00', '21T22:00']); // 15:30
  expect(await span('?from=10:00')).toEqual(['21T10:00', '21T18:00']);
  expect(await span('?from=2026-11-21T03:00:00Z&to=2026-11-21T04:00:00Z')).toEqual(['21T03:00', '21T04:00']);
});

it('refuses invalid times, and more than a day', async () => {
  const status = async (query: string) => (await test.get(`/api/v1/handover${query}`, rosa)).statusCode;
  expect(await status('?from=25:00')).toBe(422);
  expect(await status('?from=2026-11-21T06:00:00Z&to=2026-11-23T06:00:00Z')).toBe(422);
  expect(await status('?to=2026-11-01T06:00:00Z')).toBe(422);
  // A day on which clocks go back has an hour more.
  const from = '?from=2026-11-20T00:00:00Z';
  expect(await status(`${from}&to=2026-11-21T01:00:00Z`)).toBe(200);
  expect(await status(`${from}&to=2026-11-21T01:00:00.001Z`)).toBe(422);
  expect(await status(`${from}&to=2026-11-20T00:00:00Z`)).toBe(422);
  expect(await status('?shift=1')).toBe(422);
  expect((await test.get(EARLY)).statusCode).toBe(401);
});

it('shows another team nothing of it', async () => {
  const many = await openTestApp({
    config: { teams: 'many' },
    open: async () => ({ db: test.db, close: async () => {} }),
  });
  await note('/handover/notes', 'Call Hull.', rosa);
  const theirs = (await many.get(EARLY, sam)).json<Handover>();
  expect([theirs.on_routes, theirs.next_shift, theirs.planned, theirs.cleared]).toEqual([[], [], [], []]);
  expect([theirs.routes_total, theirs.checking, theirs.unseen_displays]).toEqual([0, [], []]);
  const line = await test.db.selectFrom('response_log').select('id').executeTakeFirstOrThrow();
  const strike = await many.post(`/api/v1/handover/notes/${line.id}/strike`, { id: randomUUID() }, sam);
  expect(strike.statusCode).toBe(404);

  // Our note is about an incident that is on their route as well.
  await note(`/responses/${encodeURIComponent(LORRY)}/notes`, 'By the A58.');
  const lastNotes = async (team: string) => [...(await handover(test.db).lastNotes(team, [LORRY])).values()];
  expect([await lastNotes(EVERYONE), await lastNotes('another')]).toEqual([['By the A58.'], []]);
  await test.db.updateTable('watches').set({ kind: 'area' }).execute();
  expect([await handover(test.db).hasAreas(EVERYONE), await handover(test.db).hasAreas('another')]).toEqual([
    true,
    false,
  ]);
});
