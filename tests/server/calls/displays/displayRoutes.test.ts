import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditTrail } from '#contract/accounts/admin.ts';
import type { DisplayChanges } from '#contract/incidents/changes.ts';
import type { DisplayJobList, Job } from '#contract/watches/jobs.ts';
import type { Watch, WatchList } from '#contract/watches/watches.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { londonDay } from '#contract/london.ts';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { matches } from '../../../../server/watches/matching/matchStore.ts';
import { openWorld, type World } from '../../callers.ts';
import { poll, record } from '../../feedsWorld.ts';

const { jobRequest, watchRequest } = example;

let world: World;
let user: string;
let admin: string;
let display: { id: string; access_token: string };
let own: Watch;
let other: Watch;

const give = (watch_ids: string[], token = user, id = display.id) =>
  world.app.inject({
    method: 'PUT',
    url: `/api/v1/displays/${id}/routes`,
    headers: { authorization: `Bearer ${token}` },
    payload: { watch_ids },
  });
const given = async (token = user) =>
  (await world.get(`/api/v1/displays/${display.id}/routes`, token)).json<{ watch_ids: string[] }>();
const shown = async () => {
  const reply = await world.get('/api/v1/displays/me/routes', display.access_token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<WatchList>().watches.map(({ id }) => id);
};

beforeEach(async () => {
  world = await openWorld();
  user = (await world.credential('User'))!;
  admin = (await world.credential('Administrator'))!;
  display = await world.newDisplay();
  own = await world.newWatch('User');
  other = await world.newWatch('Administrator');
});
afterEach(() => world.close());

it('a display shows the routes that it was given, and no others', async () => {
  await world.newWatch('User');
  expect(await shown()).toEqual([]);
  const rev = async () =>
    (await world.get('/api/v1/feeds/', display.access_token)).headers['x-clearway-display'];
  const before = await rev();
  expect((await give([own.id])).json()).toEqual({ watch_ids: [own.id] });
  expect(await rev()).not.toBe(before); // the display is asked at once
  expect(await shown()).toEqual([own.id]);
  expect(await given()).toEqual({ watch_ids: [own.id] });
  await give([]);
  expect(await shown()).toEqual([]);
});

it('its bytes are the same until something changes', async () => {
  await give([own.id]);
  const first = await world.get('/api/v1/displays/me/routes', display.access_token);
  const again = await world.app.inject({
    url: '/api/v1/displays/me/routes',
    headers: { authorization: `Bearer ${display.access_token}`, 'if-none-match': String(first.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
});

it('only routes of its own team can be given, and only by that team', async () => {
  const refused = await give([own.id, other.id]);
  const message = 'One of these is no route of your team. The list may be out of date.';
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    { detail: message, errors: [{ path: '', message }] },
  ]);
  for (const reply of [await give([other.id], admin), await give([other.id], admin, 'does-not-exist')])
    expect([reply.statusCode, reply.json()]).toMatchObject([404, { detail: 'Display not found' }]);
  expect((await world.get(`/api/v1/displays/${display.id}/routes`, admin)).statusCode).toBe(404);
  expect(await shown()).toEqual([]);
});

it('an ordinary member of the team cannot give any', async () => {
  await world.setLead(false);
  expect((await give([own.id])).statusCode).toBe(403);
});

it('a display in another team, or a deleted route, is shown no more', async () => {
  await give([own.id]);
  await world.app.inject({
    method: 'DELETE',
    url: `/api/v1/watches/${own.id}`,
    headers: { authorization: `Bearer ${user}`, 'if-match': '1' },
  });
  expect(await shown()).toEqual([]);

  const second = await world.newWatch('User');
  await give([second.id]);
  expect(await shown()).toEqual([second.id]);
  const of = teams(world.db, 'many');
  const { id } = await of.create('Elsewhere', world.now());
  const { user_id } = (await of.all(world.now()))
    .flatMap(({ members }) => members)
    .find(({ email }) => email === 'rosa@coaches.example')!;
  await of.put(user_id, id, 'lead', world.now());
  expect(await shown()).toEqual([]);
});

it('the audit trail has how many routes, never which', async () => {
  await give([own.id]);
  const { entries } = (await world.get('/api/v1/admin/audit', admin)).json<AuditTrail>();
  const act = entries.find(({ action }) => action === 'display.routes_given');
  expect(act).toMatchObject({ subject_id: display.id, detail: '1 route' });
  expect(JSON.stringify(entries)).not.toContain(watchRequest.name);
});

it('its leads see the displays of their own team, and no other', async () => {
  const list = async (token: string) =>
    (await world.get('/api/v1/displays/', token)).json<{ displays: object[] }>();
  const names = async (token: string) =>
    (await list(token)).displays.map((one) => (one as { id: string }).id);
  expect(await names(user)).toContain(display.id);
  expect(await names(admin)).toEqual([]);
  expect(Object.keys((await list(user)).displays[0]!)).toEqual([
    'id',
    'name',
    'state',
    'last_seen_at',
    'layout_id',
    'tags',
    'rev',
    'asked_at',
    'taken_rev',
    'taken_at',
    'page',
    'page_since',
    'problem',
    'build',
    'screen',
  ]);
});

it('a display has the changes of the last day: the whole board’s, or those on its routes', async () => {
  const unseen = await world.newWatch('User');
  const subject_id = 'national-highways:lorry';
  await poll(world.db, 'national-highways', [record(subject_id)], world.now());
  const touched = [own.id, unseen.id];
  await world.db.transaction().execute((trx) =>
    matches(trx).settle(
      { subject: 'disruption', watchIds: touched },
      touched.map((watch_id) => ({
        watch_id,
        subject: 'disruption' as const,
        subject_id,
        level: 'certain' as const,
        why: 'names the M62',
        from_km: 1,
        to_km: 2,
        off_m: null,
      })),
      { at: world.now(), batch: 1, endKind: () => 'ended' },
    ),
  );
  const changes = async (screen: string) => {
    const reply = await world.get(`/api/v1/displays/me/changes?screen=${screen}`, display.access_token);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(Object.keys(reply.json<object>()).toSorted()).toEqual(['changes', 'complete', 'total']);
    return reply.json<DisplayChanges>().changes.map(({ event_id, watch_ids }) => [event_id, watch_ids]);
  };
  expect(await changes('board')).toEqual([[subject_id, undefined]]);
  expect(await changes('routes')).toEqual([]);
  await give([own.id]);
  expect(await changes('routes')).toEqual([[subject_id, [own.id]]]);
  expect((await world.get('/api/v1/changes/summary', display.access_token)).statusCode).toBe(403);
});

const addJob = async (more: object, token = user) => {
  const body = { ...jobRequest, day: londonDay(world.now()), watch_id: own.id, ...more };
  const reply = await world.post('/api/v1/jobs', body, token);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<Job>();
};
const jobsShown = async () => {
  const reply = await world.get('/api/v1/displays/me/jobs', display.access_token);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<DisplayJobList>();
};
const idsShown = async () => (await jobsShown()).jobs.map(({ id }) => id).toSorted();

it('a display shows today’s jobs on its routes and those without a route, never another team’s', async () => {
  const unseen = await world.newWatch('User');
  const [mine, bare] = [await addJob({}), await addJob({ watch_id: null })];
  await addJob({ watch_id: unseen.id });
  await addJob({ day: dayAfter(londonDay(world.now())) });
  await addJob({ watch_id: other.id }, admin);
  await addJob({ watch_id: null }, admin);
  expect(await jobsShown()).toEqual({ day: londonDay(world.now()), jobs: [], total: 0 });
  await give([own.id]);
  expect(await idsShown()).toEqual([mine.id, bare.id].toSorted());
  await give([]);
  expect(await idsShown()).toEqual([]);
});

it('it has the jobs of the day before until they arrive or are cancelled', async () => {
  await give([own.id]);
  const day = dayAfter(londonDay(world.now()), -1);
  const night = { day, leaves_local: '23:10', duration_min: 1440, deadline_local: null };
  const far = await addJob({ day: dayAfter(day, -1), duration_min: 2880, deadline_local: null });
  const [running, arrived, cancelled] = [
    await addJob(night),
    await addJob(night),
    await addJob(night),
  ] as const;
  await world.post(`/api/v1/jobs/${running.id}/left`, {}, user);
  await world.post(`/api/v1/jobs/${arrived.id}/arrived`, {}, user);
  await world.post(`/api/v1/jobs/${cancelled.id}/cancel`, {}, user);
  expect(await idsShown()).toEqual([running.id, far.id].toSorted());
});

it('it has the jobs of the next day that leave within two hours', async () => {
  const day = londonDay(world.now());
  world.pass(londonInstant(day, '23:50').getTime() - world.now().getTime());
  user = (await world.credential('User'))!; // the sessions of the morning are over
  display = await world.newDisplay();
  await give([own.id]);
  const soon = await addJob({ day: dayAfter(day), leaves_local: '00:10', deadline_local: null });
  await addJob({ day: dayAfter(day), leaves_local: '02:00', deadline_local: null });
  expect(await jobsShown()).toMatchObject({ day, total: 1, jobs: [{ id: soon.id }] });
});

it('a job on a display never has vehicle, driver, reference or note, nor the deadline’s purpose', async () => {
  await give([own.id]);
  await addJob({
    ref: 'SECRET-REF',
    vehicle: 'SECRET-VEHICLE',
    driver: 'SECRET-DRIVER',
    note: 'SECRET-NOTE 07700 900123',
    deadline_local: '23:59',
    deadline_what: 'SECRET-WHAT',
  });
  const [job] = (await jobsShown()).jobs;
  expect(JSON.stringify(job)).not.toMatch(/SECRET|07700/);
  expect(Object.keys(job!).toSorted()).toEqual([
    'arrived_at',
    'cancelled_at',
    'day',
    'deadline_at',
    'duration_min',
    'id',
    'leaves_at',
    'left_at',
    'rev',
    'trip',
    'watch_id',
  ]);
});

it('its jobs are the same bytes until something changes', async () => {
  await give([own.id]);
  await addJob({});
  const first = await world.get('/api/v1/displays/me/jobs', display.access_token);
  const again = () =>
    world.app.inject({
      url: '/api/v1/displays/me/jobs',
      headers: {
        authorization: `Bearer ${display.access_token}`,
        'if-none-match': String(first.headers.etag),
      },
    });
  expect((await again()).statusCode).toBe(304);
  await addJob({});
  expect((await again()).statusCode).toBe(200);
});
