import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Imported, Job, JobList, SheetMemory } from '#contract/watches/jobs.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import { JOB_LIMITS } from '#contract/watches/jobs.ts';
import { sheetInstant } from '#contract/watches/sheetClock.ts';
import type { JobStats } from '#contract/history/history.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { jobs } from '../../../../server/watches/jobs/jobStore.ts';
import { storeRealEvent } from '../../geography/events/import/oneEvent.ts';
import { runHousekeeping } from '../../../../server/operate/housekeeping.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const DAY = '2026-11-21';
const JOB = { ...example.jobRequest, day: DAY };

let test: TestApp;
let people: Awaited<ReturnType<TestApp['addUser']>>[];
let rosa: string;
let sam: string;
/** A person of another team. */
let stranger: string;

beforeEach(async () => {
  test = await openTestApp({ config: { teams: 'many' } });
  people = [
    await test.addUser(),
    await test.addUser({ email: 'sam@coaches.example', display_name: 'Sam Lee' }),
    await test.addUser({ email: 'eve@others.example', display_name: 'Eve' }),
  ];
  const team = await teams(test.db, 'many').create('Pennine', test.now());
  for (const { id } of people.slice(0, 2)) await teams(test.db, 'many').put(id, team.id, 'lead', test.now());
  [rosa, sam, stranger] = (await Promise.all(people.map((one) => test.signIn(one)))).map(
    ({ access_token }) => access_token,
  ) as [string, string, string];
});
afterEach(() => test.close());

const add = async (more: object = {}, token = rosa) => {
  const reply = await test.post('/api/v1/jobs', { ...JOB, ...more }, token);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Job>();
};
const ofDay = async (token = rosa, day = DAY) =>
  (await test.get(`/api/v1/jobs?day=${day}`, token)).json<JobList>().jobs;
const importSheet = (body: object, token = rosa) =>
  test.post('/api/v1/jobs/import', { day: DAY, ...body }, token);
const imported = async (body: object) => {
  const reply = await importSheet(body);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Imported>();
};
const row = (leaves_local: string, trip: string, more: object = {}) => ({ leaves_local, trip, ...more });
const AREA = {
  kind: 'area',
  made_by: 'drawn',
  name: 'Leeds',
  geometry: { type: 'Point', coordinates: [-1.55, 53.8] },
  reach_m: 5000,
};
const newRoute = async (name: string) =>
  (await test.post('/api/v1/watches', { ...example.watchRequest, name }, rosa)).json<Watch>();

it('is read by a key of the scope `jobs:read` alone, and changed by no key', async () => {
  const { id } = await add();
  const keyOf = async (scope: string) =>
    (await test.post('/api/v1/keys', { name: scope, scope }, rosa)).json<{ key: string }>().key;
  const key = await keyOf('jobs:read');
  expect((await ofDay(key)).map((job) => job.id)).toEqual([id]);
  expect((await test.get(`/api/v1/jobs/${id}`, key)).statusCode).toBe(200);
  expect((await test.get('/api/v1/disruptions', key)).statusCode).toBe(200);
  expect((await test.post(`/api/v1/jobs/${id}/left`, {}, key)).statusCode).toBe(403);
  for (const scope of ['read', 'manage'])
    expect((await test.get(`/api/v1/jobs?day=${DAY}`, await keyOf(scope))).statusCode, scope).toBe(403);
});

it('on the way is on the handover sheet, without vehicle, driver or reference', async () => {
  const today = test.now().toISOString().slice(0, 10);
  const { id } = await add({ day: today, leaves_local: '06:00', vehicle: 'YN21 ABC', driver: 'M. Hussain' });
  expect((await test.get('/api/v1/handover', rosa)).json()).not.toHaveProperty('jobs');
  await test.post(`/api/v1/jobs/${id}/left`, {}, rosa);
  const night = await add({ day: dayAfter(today, -1), leaves_local: '29:15', deadline_local: null });
  await test.post(`/api/v1/jobs/${night.id}/left`, {}, rosa);
  const far = { leaves_local: '06:00', deadline_local: null, duration_min: 2880 };
  const days = await add({ day: dayAfter(today, -2), ...far });
  const listed = async (query: string) =>
    (await test.get(`/api/v1/jobs${query}`, rosa)).json<JobList>().jobs.map((job) => job.id);
  expect(await listed('?running=true')).toEqual([days.id, night.id, id]);
  expect(await listed('')).toEqual([id]);
  await test.post(`/api/v1/jobs/${days.id}/left`, {}, rosa);
  const reply = await test.get('/api/v1/handover', rosa);
  expect(reply.json<{ jobs: { left: string }[] }>().jobs).toEqual([
    expect.objectContaining({ time: '19 Nov 06:00' }),
    expect.objectContaining({ time: '05:15' }),
    expect.objectContaining({ time: '06:00', left: expect.stringMatching(/^left \d\d:\d\d$/) }),
  ]);
  expect(reply.body).not.toMatch(/YN21|Hussain|PC-2411/);
  expect((await test.get('/api/v1/handover', stranger)).json()).not.toHaveProperty('jobs');
});

it('is on the list of a later day once it is on the way, or if it leaves on that day', async () => {
  const first = { leaves_local: '06:00', deadline_local: null, duration_min: 2880 };
  const late = { leaves_local: '18:00', deadline_local: null, duration_min: 2880 };
  const way = await add(first);
  await add(late);
  const night = await add({ ...late, leaves_local: '25:15' });
  const own = await add({ ...late, day: dayAfter(DAY, 1) });
  const running = async (day: string) =>
    (await test.get(`/api/v1/jobs?day=${day}&running=true`, rosa)).json<JobList>().jobs.map(({ id }) => id);
  expect(await running(dayAfter(DAY, 1))).toEqual([way.id, night.id, own.id]);
  expect(await running(dayAfter(DAY, 2))).toEqual([way.id]);
});

it('is on the list of now as it was stored by a server whose clock is ahead', async () => {
  const { id } = await add({ leaves_local: '06:00' });
  const ahead = new Date(test.now().getTime() + 90_000).toISOString();
  await test.db.updateTable('jobs').set({ created_at: ahead, left_at: ahead }).execute();
  const [listed] = (await test.get('/api/v1/jobs?running=true', rosa)).json<JobList>().jobs;
  expect(listed).toEqual((await test.get(`/api/v1/jobs/${id}`, rosa)).json());
});

describe('a job', () => {
  it('is one of its day, by when it leaves; "25:15" is 01:15 of the next', async () => {
    await add({ leaves_local: '25:15' });
    await add();
    const [first, last] = await ofDay();
    expect([first!.leaves_at, last!.leaves_at]).toEqual([
      '2026-11-21T06:10:00.000Z',
      '2026-11-22T01:15:00.000Z',
    ]);
    expect([first!.deadline_at, last!.deadline_at]).toEqual([
      '2026-11-21T11:20:00.000Z',
      '2026-11-22T11:20:00.000Z',
    ]);
    expect(await ofDay(rosa, '2026-11-22')).toEqual([]);
  });

  it('is made once under the id of its client', async () => {
    const id = randomUUID();
    await add({ id });
    await add({ id });
    expect(await ofDay()).toHaveLength(1);
    expect((await test.post('/api/v1/jobs', { ...JOB, id, trip: 'Hull → York' }, rosa)).statusCode).toBe(409);
  });

  it('is changed only if nobody else has changed it since it was seen', async () => {
    const { id } = await add();
    const patch = (rev: string, body: object) =>
      test.app.inject({
        method: 'PATCH',
        url: `/api/v1/jobs/${id}`,
        headers: { authorization: `Bearer ${rosa}`, 'if-match': rev },
        payload: body,
      });
    const before = await ofDay();
    expect((await patch('1', { leaves_local: '06:25' })).json<Job>()).toEqual({
      ...before[0],
      leaves_local: '06:25',
      leaves_at: '2026-11-21T06:25:00.000Z',
      rev: 2,
    });
    const late = await patch('1', { leaves_local: '06:30' });
    expect(late.statusCode).toBe(409);
    expect(late.json<{ detail: string }>().detail).toBe('Changed by Rosa at 09:00. Load it again.');
  });

  it('has a route, never an area', async () => {
    const { body } = await test.post('/api/v1/watches', AREA, rosa);
    const { id } = JSON.parse(body) as Watch;
    const refused = await test.post('/api/v1/jobs', { ...JOB, watch_id: id }, rosa);
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      422,
      'There is no such route. It may have been deleted.',
    ]);
  });

  it.each(['6:10', '48:00', '06:60', 'TBC'])('does not leave at %s', async (leaves_local) => {
    expect((await test.post('/api/v1/jobs', { ...JOB, leaves_local }, rosa)).statusCode).toBe(422);
  });
});

describe('a person’s mark on a job', () => {
  const say = (id: string, mark: string, body: object, token = rosa) =>
    test.post(`/api/v1/jobs/${id}/${mark}`, body, token);

  it('is said once, and can be taken back', async () => {
    const { id } = await add();
    const at = '2026-11-21T08:52:00.000Z';
    for (const _ of [1, 2]) expect((await say(id, 'left', { at })).json<Job>().left_at).toBe(at);
    expect((await ofDay())[0]).toMatchObject({ left_by: 'Rosa', rev: 2 });
    expect((await say(id, 'left', { undo: true })).json<Job>().left_at).toBeNull();
    expect((await say(id, 'cancel', {})).json<Job>().cancelled_at).toBe('2026-11-21T09:00:00.000Z');
    expect((await say(id, 'cancel', { undo: true }, sam)).json<Job>().cancelled_at).toBeNull();
  });

  it('stays if a colleague has made it before', async () => {
    const { id } = await add();
    await say(id, 'left', { at: '2026-11-21T08:52:00.000Z' }, sam);
    const second = await say(id, 'left', { at: '2026-11-21T08:55:00.000Z' });
    expect(second.statusCode).toBe(409);
    expect(second.json<{ detail: string }>().detail).toBe('Sam Lee marked this as left at 08:52.');
  });

  it('is refused on a cancelled job, in the name of who cancelled it, until that is undone', async () => {
    const { id } = await add();
    await say(id, 'cancel', {}, sam);
    for (const mark of ['left', 'arrived']) {
      const refused = await say(id, mark, { at: '2026-11-21T08:52:00.000Z' });
      expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
        409,
        'Sam Lee cancelled this job at 09:00. If it runs all the same, undo that first.',
      ]);
    }
    expect((await ofDay())[0]).toMatchObject({ left_at: null, arrived_at: null, rev: 2 });
    await say(id, 'cancel', { undo: true });
    expect((await say(id, 'left', {})).statusCode).toBe(200);
  });

  it('has another time later, and can be taken back then too, and keeps the job on its day', async () => {
    const { id } = await add();
    await say(id, 'left', { at: '2026-11-21T08:52:00.000Z' }, sam);
    const patch = (rev: number, body: object) =>
      test.app.inject({
        method: 'PATCH',
        url: `/api/v1/jobs/${id}`,
        headers: { authorization: `Bearer ${rosa}`, 'if-match': String(rev) },
        payload: body,
      });
    const changed = (await patch(2, { left_at: '2026-11-21T08:40:00.000Z' })).json<Job>();
    expect(changed).toMatchObject({ left_at: '2026-11-21T08:40:00.000Z', left_by: 'Rosa', rev: 3 });
    // A job that was never marked has no time to change.
    expect((await patch(3, { arrived_at: '2026-11-21T08:45:00.000Z' })).json<Job>().arrived_at).toBeNull();
    expect((await patch(4, { left_at: '2026-11-21T10:00:00.000Z' })).statusCode).toBe(422);
    const moved = await patch(4, { day: dayAfter(DAY, 6) });
    expect([moved.statusCode, moved.json<{ detail: string }>().detail]).toEqual([
      422,
      'A job that has left keeps its day. Undo its “Left” or “Arrived” first.',
    ]);
    expect((await patch(4, { left_at: null })).json<Job>()).toMatchObject({ left_at: null, left_by: null });
    expect((await patch(5, { day: dayAfter(DAY, 6) })).statusCode).toBe(200);
  });

  it('is never in the future by the server’s clock', async () => {
    const { id } = await add();
    expect((await say(id, 'left', { at: '2026-11-21T10:00:00.000Z' })).statusCode).toBe(422);
    expect((await say(id, 'left', { at: '2026-11-21T09:01:00.000Z' })).json<Job>().left_at).toBe(
      '2026-11-21T09:00:00.000Z',
    );
  });
});

describe('a time or day that cannot be true', () => {
  const detail = async (reply: ReturnType<TestApp['post']>) => {
    const { statusCode, body } = await reply;
    return [statusCode, (JSON.parse(body) as { detail?: string }).detail];
  };

  it('is refused in words: years ago, or an arrival before leaving', async () => {
    const { id } = await add();
    const say = (mark: string, at: string) => detail(test.post(`/api/v1/jobs/${id}/${mark}`, { at }, rosa));
    const early = [422, 'This is more than 12 hours before the job leaves.'];
    const arrives = [422, 'A job cannot arrive before it left.'];
    for (const mark of ['left', 'arrived'])
      expect(await say(mark, '2020-01-01T06:00:00.000Z')).toEqual(early);
    expect(await say('left', '2026-11-20T18:10:00.000Z')).toEqual([200, undefined]);
    expect(await say('left', '2026-11-21T08:00:00.000Z')).toEqual([200, undefined]);
    expect(await say('arrived', '2026-11-21T07:59:00.000Z')).toEqual(arrives);
    expect(await say('arrived', '2026-11-21T08:30:00.000Z')).toEqual([200, undefined]);
    expect(await say('left', '2026-11-21T08:31:00.000Z')).toEqual(arrives);
    const change = (payload: object) =>
      detail(
        test.app.inject({
          method: 'PATCH',
          url: `/api/v1/jobs/${id}`,
          headers: { authorization: `Bearer ${rosa}`, 'if-match': '4' },
          payload,
        }),
      );
    expect(await change({ left_at: '2020-01-01T06:00:00.000Z' })).toEqual(early);
    expect(await change({ arrived_at: '2026-11-21T07:59:00.000Z' })).toEqual(arrives);
    const [half, whole] = ['2026-11-21T08:00:00.5Z', '2026-11-21T08:00:00Z'];
    expect(await change({ left_at: half, arrived_at: whole })).toEqual(arrives);
    expect(await change({ left_at: null, arrived_at: '2026-11-21T07:59:00.000Z' })).toEqual([200, undefined]);
  });

  it('is refused for a day whose jobs are deleted already', async () => {
    const past = [422, 'day may be at most 7 days ago: jobs are not kept longer'];
    const day = dayAfter(DAY, -8);
    expect(await detail(test.post('/api/v1/jobs', { ...JOB, day: '1999-01-01' }, rosa))).toEqual(past);
    expect(await detail(importSheet({ day, rows: [] }))).toEqual(past);
    await add({ day: dayAfter(day) });
  });
});

describe('a day sheet', () => {
  it('is only looked at until it is added, and says what it leaves out', async () => {
    const rows = [
      row('06:10', 'Leeds → Hull'),
      row('TBC', 'Leeds → York'),
      row('07:10', 'Leeds - Hull'),
      row('08:10', 'Leeds → Selby', { people: -1 }),
      { trip: 'Leeds → Hull' },
    ];
    const tried = await imported({ rows, dry_run: true });
    expect(tried).toMatchObject({
      added: 2,
      trips: [{ words: 'Leeds → Hull', jobs: 2, watch_id: null, found: 'none' }],
    });
    expect(tried.problems).toEqual([
      { row: 2, text: expect.stringContaining('Row 2: leaves_local must be a time') as string },
      { row: 4, text: 'Row 4: people must be at least 0. Left out.' },
      { row: 5, text: 'Row 5: leaves_local is required. Left out.' },
    ]);
    expect(await ofDay()).toEqual([]);
    expect((await imported({ rows })).added).toBe(2);
    expect(await ofDay()).toHaveLength(2);
  });

  it('updates by reference, and cancels what it no longer has only when asked', async () => {
    const first = [row('06:10', 'Leeds → Hull', { ref: 'A1' }), row('07:10', 'Leeds → York', { ref: 'A2' })];
    await imported({ rows: first });
    const second = [row('06:25', 'Leeds → Hull', { ref: 'A1', vehicle: 'YN21 ABC' })];
    const tried = await imported({ rows: second, dry_run: true });
    expect(tried).toMatchObject({ added: 0, updated: 1 });
    expect(tried.missing.map(({ ref }) => ref)).toEqual(['A2']);
    await imported({ rows: second });
    expect((await ofDay()).map(({ ref, leaves_local }) => `${ref} ${leaves_local}`)).toEqual([
      'A1 06:25',
      'A2 07:10',
    ]);
    const { cancelled } = await imported({ rows: second, cancel: (await ofDay()).map(({ id }) => id) });
    expect(cancelled).toBe(1); // a job that the sheet still has is never cancelled by it
    expect((await ofDay())[0]!.cancelled_at).toBeNull();
    expect((await ofDay())[1]!.cancelled_at).not.toBeNull();
  });

  it('is added once if it is sent again because the answer was lost', async () => {
    const body = { id: randomUUID(), rows: [row('06:10', 'Leeds → Hull'), row('06:10', 'Leeds → Hull')] };
    const [first, again] = [await imported(body), await imported(body)];
    expect(first).toMatchObject({ added: 2, updated: 0, cancelled: 0 });
    expect(again).toMatchObject({ added: 2, updated: 0, cancelled: 0, ids: first.ids });
    expect(await ofDay()).toHaveLength(2);
  });

  it('remembers the trips of the latest sheets, the meaning of some columns, and days up to next year', async () => {
    const { tripsKept, columns, daysAhead } = JOB_LIMITS;
    const sheet = (day: string, from: number) => {
      const trips = Array.from({ length: 1000 }, (_, at) => `Trip ${from + at}`);
      return imported({
        day,
        rows: trips.map((words) => row('06:10', words)),
        trips: trips.map((words) => ({ words, watch_id: null })),
      });
    };
    for (let day = 0; day <= tripsKept / 1000; day++)
      await sheet(dayAfter(DAY, day), (tripsKept / 1000 - day) * 1000);
    const kept = await test.db.selectFrom('trips').select('words').execute();
    expect(kept).toHaveLength(tripsKept);
    expect(kept.map(({ words }) => words)).toContain('trip 0');
    expect(kept.map(({ words }) => words)).not.toContain(`trip ${tripsKept}`);

    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 'note']));
    expect((await importSheet({ rows: [], columns: named(columns) })).statusCode).toBe(200);
    const many = await importSheet({ rows: [], columns: named(columns + 1) });
    expect(`${many.statusCode} ${many.json<{ detail: string }>().detail}`).toBe(
      `422 columns may name at most ${columns} columns`,
    );

    const last = dayAfter(DAY, daysAhead);
    const { id } = await add({ day: last });
    const beyond = dayAfter(last);
    const refused = [
      await importSheet({ day: beyond, rows: [] }),
      await test.post('/api/v1/jobs', { ...JOB, day: beyond }, rosa),
      await test.app.inject({
        method: 'PATCH',
        url: `/api/v1/jobs/${id}`,
        headers: { authorization: `Bearer ${rosa}`, 'if-match': '1' },
        payload: { day: beyond },
      }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422]);
  });

  it('proposes the route that has the ends of a trip, after one that has its name', async () => {
    const { id } = await newRoute('Docks, early');
    const { watch } = (await test.get(`/api/v1/watches/${id}`, rosa)).json<{
      watch: { made_name: string };
    }>();
    const propose = async () => {
      const { trips } = await imported({ rows: [row('06:10', watch.made_name)], dry_run: true });
      return trips[0];
    };
    expect(await propose()).toMatchObject({ watch_id: id, found: 'same words' });
    const { id: named } = await newRoute(watch.made_name);
    expect(await propose()).toMatchObject({ watch_id: named, found: 'same words' });
  });

  it('remembers the route of each trip, and the meaning of columns', async () => {
    const { id } = await newRoute('Leeds to Hull');
    const same = await imported({ rows: [row('06:10', 'Leeds -> Hull')], dry_run: true });
    expect(same.trips[0]).toMatchObject({ watch_id: id, found: 'same words' });
    const trips = [{ words: 'Leeds Stn → Hull Docks', watch_id: id }];
    await imported({ rows: [row('06:10', 'Leeds Stn → Hull Docks')], trips, columns: { dep: 'time' } });
    expect((await ofDay())[0]!.watch_id).toBe(id);
    const next = await imported({ rows: [row('06:10', 'LEEDS STATION to Hull docks')], dry_run: true });
    expect(next.trips[0]).toMatchObject({ watch_id: id, found: 'as last time' });
    expect((await test.get('/api/v1/jobs/sheet', rosa)).json<SheetMemory>()).toEqual({
      columns: { dep: 'time' },
      last_day: DAY,
    });
    // A deleted route counts as no route.
    await test.app.inject({
      method: 'DELETE',
      url: `/api/v1/watches/${id}`,
      headers: { authorization: `Bearer ${rosa}`, 'if-match': '1' },
    });
    expect((await ofDay())[0]!.watch_id).toBeNull();
    expect(
      (await imported({ rows: [row('06:10', 'Leeds Stn → Hull Docks')], dry_run: true })).trips[0]!.found,
    ).toBe('none');
  });

  it('overwrites only what it says: a route and words that a person gave to a job stay', async () => {
    const [usual, detour] = [await newRoute('Leeds to Hull'), await newRoute('By the A63')];
    const rows = [
      row('06:10', 'Leeds → Hull', { ref: 'K1', people: 20 }),
      row('07:10', 'Leeds → Hull', { ref: 'K2', driver: 'M. Hussain' }),
    ];
    await imported({ rows });
    const [{ id } = {}] = await ofDay();
    const own = { watch_id: detour.id, note: 'By the docks', vehicle: 'YN21 ABC' };
    const payload = { ...own, people: 30 };
    const headers = { authorization: `Bearer ${rosa}`, 'if-match': '1' };
    await test.app.inject({ method: 'PATCH', url: `/api/v1/jobs/${id}`, headers, payload });
    await imported({ rows, trips: [{ words: 'Leeds → Hull', watch_id: usual.id }] });
    expect(await ofDay()).toMatchObject([
      { ...own, people: 20 },
      { watch_id: usual.id, driver: 'M. Hussain' },
    ]);
    // The route of a trip is chosen again: jobs that had it from their trip get the new one.
    const other = await newRoute('By the M62');
    await imported({ rows, trips: [{ words: 'Leeds → Hull', watch_id: other.id }] });
    expect((await ofDay()).map(({ watch_id }) => watch_id)).toEqual([detour.id, other.id]);
    // Another trip is another way.
    await imported({ rows: [{ ...rows[0], trip: 'Leeds → York' }] });
    expect((await ofDay())[0]).toMatchObject({ trip: 'Leeds → York', watch_id: null, vehicle: 'YN21 ABC' });
  });

  it('remembers “No route” only if somebody chose it', async () => {
    const rows = [row('06:10', 'Foo → Bar'), row('07:10', 'Foo → Baz')];
    await imported({ rows, trips: [{ words: 'Foo → Baz', watch_id: null }] });
    const { id } = await newRoute('Foo to Bar');
    await newRoute('Foo to Baz');
    expect((await imported({ rows, dry_run: true })).trips).toMatchObject([
      { words: 'Foo → Bar', watch_id: id, found: 'same words' },
      { words: 'Foo → Baz', watch_id: null, found: 'as last time' },
    ]);
    // A job that had no route gets the one that its trip has now.
    await imported({ rows });
    expect((await ofDay()).map(({ watch_id }) => watch_id)).toEqual([id, null]);
  });

  it('is refused with more than a thousand jobs a day, and nothing is stored', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => row('06:10', 'Leeds → Hull', { ref: `R${n}` }));
    await imported({ rows: many });
    for (const dry_run of [true, false]) {
      const rows = [row('06:10', 'Leeds → Hull', { ref: 'one more' })];
      expect((await importSheet({ rows, dry_run })).statusCode).toBe(409);
    }
    expect(await ofDay()).toHaveLength(1000);
    const over = await importSheet({ rows: [...many, many[0]] });
    expect([over.statusCode, over.json().detail]).toEqual([422, 'A day may have 1,000 jobs.']);
    // No job can be moved to that day, and its jobs can still be changed.
    const next = await add({ day: dayAfter(DAY) });
    const [own] = await ofDay();
    const moved = async ({ id, rev }: Job) =>
      (
        await test.app.inject({
          method: 'PATCH',
          url: `/api/v1/jobs/${id}`,
          headers: { authorization: `Bearer ${rosa}`, 'if-match': String(rev) },
          payload: { day: DAY },
        })
      ).statusCode;
    expect([await moved(next), await moved(own!)]).toEqual([409, 200]);
  });
});

describe('a deadline before the job leaves', () => {
  const EARLY = 'The deadline 10:00 is before it leaves at 12:00. Write 34:00 for the next day.';

  it('is never taken as the next day’s: not of a new job, nor by a change, while 00:40 after 23:30 is', async () => {
    const early = { leaves_local: '12:00', deadline_local: '10:00' };
    const added = await test.post('/api/v1/jobs', { ...JOB, ...early }, rosa);
    expect([added.statusCode, added.json<{ detail: string }>().detail]).toEqual([422, EARLY]);
    const job = await add({ leaves_local: '08:00', deadline_local: '10:00' });
    const change = (payload: object) =>
      test.app.inject({
        method: 'PATCH',
        url: `/api/v1/jobs/${job.id}`,
        headers: { authorization: `Bearer ${rosa}`, 'if-match': '1' },
        payload,
      });
    expect((await change({ leaves_local: '12:00' })).json()).toMatchObject({ detail: EARLY });
    expect((await change({ leaves_local: '09:30' })).statusCode).toBe(200);
    const night = await add({ leaves_local: '23:30', deadline_local: '00:40' });
    expect(night.deadline_at).toBe('2026-11-22T00:40:00.000Z');
  });

  it('leaves the job that a sheet moves behind it, and the answer names it', async () => {
    await add({ ref: 'A1', leaves_local: '08:00', trip: 'Leeds → York', deadline_local: '10:00' });
    const rows = [
      row('12:00', 'Leeds → Hull', { ref: 'A2', deadline_local: '10:00' }),
      row('12:00', 'Leeds → York', { ref: 'A1' }),
    ];
    for (const dry_run of [true, false])
      expect((await imported({ rows, dry_run })).problems).toEqual([
        { row: 1, text: `Row 1: ${EARLY} Left out.` },
        { row: 2, text: `Row 2: ${EARLY} The job loses this deadline.` },
      ]);
    expect(await ofDay()).toMatchObject([{ leaves_local: '12:00', deadline_local: null, deadline_at: null }]);
  });
});

describe('how often the predicted arrival was right', () => {
  it('is a share from 20 jobs on, within five minutes, of the own team', async () => {
    const told = new Date('2026-11-21T08:00:00Z');
    const stored = jobs(test.db);
    const arrive = async (minutes: number) => {
      const { id } = await add({ ref: null });
      const { team_id: teamId, updated_by } = await test.db
        .selectFrom('jobs')
        .select(['team_id', 'updated_by'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const who = { teamId, userId: updated_by! };
      const range = { earliest: told, latest: new Date(told.getTime() + 20 * 60_000) };
      await stored.mark(who, { id, mark: 'left', at: told, undo: false, told: range }, test.now());
      const at = new Date(told.getTime() + minutes * 60_000);
      await stored.mark(who, { id, mark: 'arrived', at, undo: false }, test.now());
      return id;
    };
    const stats = async (token = rosa) => (await test.get('/api/v1/stats/jobs', token)).json<JobStats>();
    for (let one = 0; one < 16; one++) await arrive(one);
    const moved = await arrive(0);
    for (const minutes of [-6, 26]) await arrive(minutes);
    expect(await stats()).toMatchObject({ jobs: 19, held: 17, early: 1, late: 1, share: null });
    await arrive(25);
    expect(await stats()).toMatchObject({ jobs: 20, held: 18, share: 0.9 });
    expect(await stats(stranger)).toMatchObject({ jobs: 0, share: null });
    // The predicted arrival belonged to another time of departure.
    const { rev } = (await ofDay()).find(({ id }) => id === moved)!;
    await test.app.inject({
      method: 'PATCH',
      url: `/api/v1/jobs/${moved}`,
      headers: { authorization: `Bearer ${rosa}`, 'if-match': String(rev) },
      payload: { left_at: '2026-11-21T07:30:00.000Z' },
    });
    expect(await stats()).toMatchObject({ jobs: 19 });
    const arrived = (await ofDay()).find(({ id }) => id !== moved);
    await test.post(`/api/v1/jobs/${arrived!.id}/cancel`, {}, rosa);
    expect(await stats()).toMatchObject({ jobs: 18 });
  });
});

it('has no predicted arrival while its route is being checked, nor half an hour later', async () => {
  const route = await newRoute('Leeds to Hull');
  const told = async (at?: string) => {
    const { id } = await add({ watch_id: route.id, ref: null });
    await test.post(`/api/v1/jobs/${id}/left`, { at }, rosa);
    const { told_from } = await test.db
      .selectFrom('jobs')
      .select('told_from')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return told_from;
  };
  expect(await told()).toBeNull();
  await test.db.updateTable('watches').set({ matched_rev: route.rev }).execute();
  expect(await told()).toBe('2026-11-21T13:20:00.000Z');
  expect(await told('2026-11-21T08:30:00.001Z')).toBe('2026-11-21T12:50:00.001Z');
  expect(await told('2026-11-21T08:30:00.000Z')).toBeNull();
});

describe('a sheet taken back', () => {
  const undo = (token = rosa, sheet?: string | null) =>
    test.post(`/api/v1/jobs/import/undo${sheet ? `?sheet=${sheet}` : ''}`, {}, token);

  it('is the one that is named, else the person’s own last, however many came after it', async () => {
    const day = dayAfter(DAY, 1);
    const mine = await imported({ rows: [row('06:10', 'Leeds → Hull')] });
    const theirs = (await importSheet({ day, rows: [row('07:10', 'Leeds → York')] }, sam)).json<Imported>();
    const trips = async () => [...(await ofDay()), ...(await ofDay(rosa, day))].map(({ trip }) => trip);
    expect((await undo(stranger, mine.sheet)).statusCode).toBe(404);
    expect((await undo(rosa, mine.sheet)).json()).toEqual({ removed: 1, restored: 0, kept: 0 });
    expect(await trips()).toEqual(['Leeds → York']);
    // Without a name, a colleague's sheet is never meant.
    for (const sheet of [mine.sheet, null, 'none']) expect((await undo(rosa, sheet)).statusCode).toBe(404);
    expect(await trips()).toEqual(['Leeds → York']);
    expect((await undo(sam, theirs.sheet)).json()).toMatchObject({ removed: 1 });
    expect(await trips()).toEqual([]);
  });

  it('stays whole while a later sheet has the same jobs', async () => {
    const rows = [row('06:10', 'Leeds → Hull', { ref: 'A1' }), row('07:10', 'Leeds → York', { ref: 'A2' })];
    const first = await imported({ rows });
    const second = (
      await importSheet({ rows: [row('06:25', 'Leeds → Hull', { ref: 'A1' })] }, sam)
    ).json<Imported>();
    const refused = await undo(rosa, first.sheet);
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      409,
      'Sam Lee added a sheet with the same jobs at 09:00: this one stays.',
    ]);
    expect((await ofDay()).map(({ leaves_local }) => leaves_local)).toEqual(['06:25', '07:10']);
    await undo(sam, second.sheet);
    // The job that both sheets had is as the first one left it.
    expect((await undo(rosa, first.sheet)).json()).toEqual({ removed: 2, restored: 0, kept: 0 });
    expect(await ofDay()).toEqual([]);
  });

  it('leaves earlier sheets able to take back what nobody else has changed', async () => {
    const one = await add({ ref: 'A1', leaves_local: '06:10', trip: 'Leeds → Hull' });
    const sheet = (leaves_local: string) =>
      imported({
        rows: [
          row(leaves_local, 'Leeds → Hull', { ref: 'A1' }),
          row('08:00', 'Leeds → York', { ref: 'A2' }),
          row('09:00', 'Leeds → Bath', { ref: 'A3' }),
        ],
      });
    for (const leaves_local of ['06:20', '06:30', '06:40']) await sheet(leaves_local);
    const marked = (await ofDay()).find(({ ref }) => ref === 'A3')!;
    expect((await undo()).json()).toEqual({ removed: 0, restored: 3, kept: 0 });
    await test.post(`/api/v1/jobs/${marked.id}/left`, {}, sam);
    expect((await undo()).json()).toEqual({ removed: 0, restored: 2, kept: 1 });
    await sheet('06:50');
    expect((await undo()).json()).toEqual({ removed: 0, restored: 3, kept: 0 });
    expect((await undo()).json()).toEqual({ removed: 1, restored: 1, kept: 1 });
    expect((await ofDay()).map(({ id, leaves_local }) => [id, leaves_local])).toEqual([
      [one.id, '06:10'],
      [marked.id, '09:00'],
    ]);
  });

  it('leaves the day as it was, and keeps what somebody has marked since', async () => {
    const kept = await add({ ref: 'A1', leaves_local: '06:10', trip: 'Leeds → Hull' });
    const other = await add({ ref: 'A2', leaves_local: '07:10', trip: 'Leeds → York' });
    const before = await ofDay();
    const rows = [
      row('06:25', 'Leeds → Hull', { ref: 'A1', driver: 'A. Sykes' }),
      row('08:00', 'Hull → Leeds', { ref: 'A3' }),
      row('09:00', 'York → Leeds', { ref: 'A4' }),
    ];
    await imported({ rows, cancel: [other.id] });
    const marked = (await ofDay()).find(({ ref }) => ref === 'A4')!;
    await test.post(`/api/v1/jobs/${marked.id}/left`, {}, sam);
    expect((await undo(stranger)).statusCode).toBe(404);
    expect((await undo()).json()).toEqual({ removed: 1, restored: 2, kept: 1 });
    const bare = ({ rev: _, ...job }: Job) => job;
    expect((await ofDay()).filter(({ id }) => id !== marked.id).map(bare)).toEqual(before.map(bare));
    expect(kept.driver).not.toBe('A. Sykes');
    expect((await undo()).statusCode).toBe(404);
    // A sheet that is added again is there again.
    expect((await imported({ rows: rows.slice(1, 2) })).added).toBe(1);
  });

  it('keeps what somebody has said since of a job that the sheet had changed or cancelled', async () => {
    const changed = await add({ ref: 'A1', leaves_local: '06:10', trip: 'Leeds → Hull' });
    const cancelled = await add({ ref: 'A2', leaves_local: '07:10', trip: 'Leeds → York' });
    await imported({ rows: [row('06:25', 'Leeds → Hull', { ref: 'A1' })], cancel: [cancelled.id] });
    await test.post(`/api/v1/jobs/${changed.id}/left`, {}, sam);
    await test.post(`/api/v1/jobs/${cancelled.id}/cancel`, { undo: true }, sam);
    expect((await undo()).json()).toEqual({ removed: 0, restored: 0, kept: 2 });
    expect((await ofDay()).map(({ leaves_local, cancelled_at }) => [leaves_local, cancelled_at])).toEqual([
      ['06:25', null],
      ['07:10', null],
    ]);
  });

  it('is none if what was stored of it cannot be read, and the next one is stored', async () => {
    for (const torn of ['[null]', '[{"at":"2026', '{}', '"a"']) {
      await imported({ rows: [row('06:10', 'Leeds → Hull')] });
      await test.db.updateTable('sheets').set({ undo: torn }).execute();
      expect((await undo()).statusCode, torn).toBe(404);
    }
    await imported({ rows: [row('06:10', 'Leeds → Hull')] });
    expect((await undo()).statusCode).toBe(200);
  });

  it('can be taken back for an hour, and then no trace is kept', async () => {
    await add({ ref: 'A1', driver: 'M. Hussain' });
    await imported({ rows: [row('06:10', 'Leeds → Hull', { ref: 'A1' })] });
    test.pass(61 * 60_000);
    const { access_token } = await test.signIn(people[0]!); // the old one is over too
    expect((await undo(access_token)).statusCode).toBe(404);
    await jobs(test.db).prune('2026-01-01', test.now());
    const sheets = await test.db.selectFrom('sheets').select('undo').execute();
    expect(sheets).toEqual([{ undo: null }]);
  });
});

describe('another team', () => {
  it('has nothing of it', async () => {
    const { id } = await add();
    expect(await ofDay(stranger)).toEqual([]);
    expect((await test.get(`/api/v1/jobs/${id}`, stranger)).statusCode).toBe(404);
    for (const mark of ['left', 'arrived', 'cancel'])
      expect((await test.post(`/api/v1/jobs/${id}/${mark}`, {}, stranger)).statusCode).toBe(404);
    const route = await newRoute('Leeds to Hull');
    expect((await test.post('/api/v1/jobs', { ...JOB, watch_id: route.id }, stranger)).statusCode).toBe(422);
    const theirs = await add({}, stranger);
    const patched = await test.app.inject({
      method: 'PATCH',
      url: `/api/v1/jobs/${theirs.id}`,
      headers: { authorization: `Bearer ${stranger}`, 'if-match': '1' },
      payload: { watch_id: route.id },
    });
    expect(patched.statusCode).toBe(422);
    const trips = [{ words: 'Leeds → Hull', watch_id: route.id }];
    expect((await importSheet({ rows: [row('06:10', 'Leeds → Hull')], trips }, stranger)).statusCode).toBe(
      422,
    );
    const tried = await importSheet({ rows: [row('06:10', 'Leeds to Hull')], dry_run: true }, stranger);
    expect(tried.json<Imported>().trips[0]!.watch_id).toBeNull();
    await importSheet({ rows: [], cancel: [id] }, stranger);
    expect((await ofDay())[0]!.cancelled_at).toBeNull();
    await imported({
      day: dayAfter(DAY),
      rows: [row('06:10', 'Depot → Docks')],
      trips: [{ words: 'Depot → Docks', watch_id: route.id }],
      columns: { dep: 'time' },
    });
    const like = await importSheet({ rows: [row('06:10', 'Depot → Docks')], dry_run: true }, stranger);
    expect(like.json<Imported>().trips[0]).toMatchObject({ watch_id: null, found: 'none' });
    const columns = async (token: string) =>
      (await test.get('/api/v1/jobs/sheet', token)).json<SheetMemory>().columns;
    expect([await columns(rosa), await columns(stranger)]).toEqual([{ dep: 'time' }, {}]);
  });
});

describe('after its days', () => {
  it('a job is gone', async () => {
    await add({ driver: 'M. Hussain' });
    await storeRealEvent(test.db, test.now());
    const eve = (await users(test.db).byEmail('eve@others.example'))!;
    expect(eve).toBeDefined();
    const keep = (days: number) => {
      test.pass(days * 24 * 60 * 60_000);
      return runHousekeeping({
        db: test.db,
        collectors: [],
        now: test.now,
        log: { error: (_, message) => expect.fail(message) },
      });
    };
    const left = () => test.db.selectFrom('jobs').select('id').execute();
    await keep(7);
    expect(await left()).toHaveLength(1);
    await keep(1);
    expect(await left()).toEqual([]);
    expect(await jobs(test.db).ofDay('any', DAY)).toEqual([]);
  });

  it('a job leaves at the right instant in both clock nights', () => {
    const at = (day: string, local: string) => sheetInstant(day, local).toISOString();
    expect(at('2026-03-28', '25:30')).toBe('2026-03-29T01:30:00.000Z'); // times in the hour that is left out count as if the clock had not changed
    expect(at('2026-03-28', '27:00')).toBe('2026-03-29T02:00:00.000Z');
    expect(at('2026-10-24', '25:30')).toBe('2026-10-25T00:30:00.000Z'); // the first of the two
    expect(at('2026-10-24', '26:30')).toBe('2026-10-25T02:30:00.000Z');
  });
});
