import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Refusal } from '#contract/errors.ts';
import { DEVICE_CODE_GRANT } from '#contract/displays/displays.ts';
import type {
  LoggedAction,
  ResponseList,
  ResponseRecord,
  ResponseRequest,
  TeamResponse,
} from '#contract/shift/responses.ts';
import { responses } from '../../../../server/shift/responses.ts';
import { teams } from '../../../../server/accounts/teams.ts';
import { startLapses } from '../../../../server/shift/lapseWorker.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { poll, record } from '../../feedsWorld.ts';

const LORRY = 'national-highways:lorry';
const MINUTE = 60_000;

let test: TestApp;
let rosa: string;
let sam: string;

beforeEach(async () => {
  test = await openTestApp();
  await test.addUser({ id: 'rosa', display_name: 'Rosa Jones' });
  await test.addUser({ id: 'sam', display_name: 'Sam Lee', email: 'sam@coaches.example' });
  rosa = (await test.signIn()).access_token;
  sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
  await report('high');
});
afterEach(() => test.close());

const report = (severity: 'critical' | 'high' | 'medium', id = LORRY) =>
  poll(test.db, 'national-highways', [record(id, { severity, title: 'M62 closed' })], test.now());

async function call(
  method: 'GET' | 'PUT' | 'DELETE' | 'POST',
  path: string,
  token: string,
  { rev, body }: { rev?: number; body?: object } = {},
) {
  return test.app.inject({
    method,
    url: `/api/v1/responses${path}`,
    headers: { authorization: `Bearer ${token}`, ...(rev !== undefined && { 'if-match': String(rev) }) },
    ...(body && { payload: body }),
  });
}

const at = (id = LORRY) => `/${encodeURIComponent(id)}`;

const put = (token: string, rev: number, body: Partial<ResponseRequest>, id = LORRY) =>
  call('PUT', at(id), token, { rev, body: { id: randomUUID(), ...body } });

const list = async (token = rosa) => (await call('GET', '', token)).json<ResponseList>();
const everything = async (token = rosa) => (await call('GET', at(), token)).json<ResponseRecord>();

it('says who has it, how and since when, to everybody in the team', async () => {
  const reply = await put(rosa, 0, { disposition: 'diverted' });
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json<TeamResponse>()).toMatchObject({
    rev: 1,
    disposition: 'diverted',
    by: { id: 'rosa', name: 'Rosa Jones' },
    at: '2026-11-21T09:00:00.000Z',
    lapsed: null,
  });
  expect((await list(sam)).responses).toEqual([reply.json()]);
});

it('tells the second of two who was first, and when, and loses nothing', async () => {
  await put(sam, 0, { disposition: 'dealing_with_it' });
  test.pass(MINUTE);
  const late = await put(rosa, 0, { disposition: 'diverted' });
  expect([late.statusCode, late.json()]).toMatchObject([
    409,
    { detail: 'Sam Lee acknowledged this at 09:00.' },
  ]);
  expect((await list()).responses).toMatchObject([{ disposition: 'dealing_with_it', rev: 1 }]);
  expect((await put(rosa, 1, { disposition: 'diverted' })).json()).toMatchObject({ rev: 2 });
});

it('takes the same action once, however often it arrives', async () => {
  const action = { id: randomUUID(), disposition: 'watching' as const };
  for (let sent = 0; sent < 3; sent++) {
    const reply = await put(rosa, 0, action);
    expect([reply.statusCode, reply.json<TeamResponse>().rev]).toEqual([200, 1]);
  }
  expect((await everything()).log).toHaveLength(1);
  // If the same id comes with another action, it is refused.
  expect((await call('DELETE', at(), rosa, { rev: 1, body: { id: action.id } })).statusCode).toBe(409);
});

it('counts an id that another incident has had as no action', async () => {
  const action = { id: randomUUID(), disposition: 'watching' as const };
  await put(rosa, 0, action);
  await poll(
    test.db,
    'national-highways',
    [record(LORRY, { title: 'M62 closed' }), record('national-highways:two')],
    test.now(),
  );
  const other = await put(rosa, 0, action, 'national-highways:two');
  expect([other.statusCode, other.json()]).toMatchObject([
    409,
    { detail: 'This id was used for something else.' },
  ]);
  expect((await list()).total).toBe(1);
});

it('takes no action and no note for an id without an incident', async () => {
  const note = { id: randomUUID(), text: 'Told the driver' };
  const unknown = await call('POST', `${at('national-highways:none')}/notes`, rosa, { body: note });
  expect(unknown.statusCode).toBe(404);
  // A line of a status page that runs normally.
  await poll(test.db, 'tfl', [record('tfl:central', { kind: 'status' })], test.now());
  expect((await put(rosa, 0, { disposition: 'watching' }, 'tfl:central')).statusCode).toBe(404);
  expect((await list()).responses).toEqual([]);
});

it('needs the revision that was seen, and one thing to do', async () => {
  expect(
    (await call('PUT', at(), rosa, { body: { id: randomUUID(), disposition: 'watching' } })).statusCode,
  ).toBe(428);
  expect((await put(rosa, 0, {})).statusCode).toBe(422);
  expect((await put(rosa, 0, { disposition: 'watching', snooze: '1_h' })).statusCode).toBe(422);
  expect((await put(rosa, 0, { id: 'mine', disposition: 'watching' })).statusCode).toBe(422);
  expect((await put(rosa, 0, { disposition: 'watching' }, 'national-highways:none')).statusCode).toBe(404);
});

it('reopens', async () => {
  await put(rosa, 0, { disposition: 'diverted' });
  test.pass(MINUTE);
  const reply = await call('DELETE', at(), sam, { rev: 1 });
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { rev: 2, disposition: null, by: null }]);
  expect((await put(rosa, 1, { disposition: 'diverted' })).json()).toMatchObject({
    detail: 'Sam Lee reopened this at 09:01.',
  });
  expect((await everything()).log.map(({ action, by }) => [action, by?.name])).toEqual([
    ['acknowledged', 'Rosa Jones'],
    ['reopened', 'Sam Lee'],
  ]);
});

it('ends the snooze with the acknowledgement when it is reopened', async () => {
  await put(rosa, 0, { disposition: 'diverted' });
  await put(rosa, 1, { snooze: '2_h' });
  const reply = await call('DELETE', at(), rosa, { rev: 2 });
  expect(reply.json()).toMatchObject({ rev: 3, disposition: null, snooze: null });
});

it('snoozes for a while, until the end of the shift, or until it changes, and never longer than 24 hours', async () => {
  const untilOf = async (rev: number, snooze: ResponseRequest['snooze']) =>
    (await put(rosa, rev, { snooze })).json<TeamResponse>().snooze;
  expect(await untilOf(0, '30_min')).toMatchObject({ until: '2026-11-21T09:30:00.000Z', change: false });
  expect(await untilOf(1, '2_h')).toMatchObject({ until: '2026-11-21T11:00:00.000Z', change: false });
  expect(await untilOf(2, 'end_of_shift')).toMatchObject({ until: '2026-11-21T14:00:00.000Z' });
  expect(await untilOf(3, 'until_it_changes')).toMatchObject({
    until: '2026-11-22T09:00:00.000Z',
    change: true,
  });
  expect(await untilOf(4, null)).toBeNull();
});

it('keeps notes as they are, and strikes one out for 10 minutes', async () => {
  const note = { id: randomUUID(), text: 'Told the 06:10 driver.\nHe leaves at J25.' };
  for (let sent = 0; sent < 2; sent++) {
    const reply = await call('POST', `${at()}/notes`, rosa, { body: note });
    expect([reply.statusCode, reply.json()]).toMatchObject([201, { ...note, struck_at: null }]);
  }
  const strike = (token: string) =>
    call('POST', `${at()}/notes/${note.id}/strike`, token, { body: { id: randomUUID() } });
  expect((await strike(sam)).statusCode).toBe(403);
  test.pass(9 * MINUTE);
  expect((await strike(rosa)).json<LoggedAction>()).toMatchObject({
    text: note.text,
    struck_at: '2026-11-21T09:09:00.000Z',
  });
  test.pass(2 * MINUTE);
  expect((await strike(rosa)).json()).toMatchObject({
    detail: 'A note can be struck out within 10 minutes.',
  });
  const empty = await call('POST', `${at()}/notes`, rosa, { body: { id: randomUUID(), text: ' \u2800 ' } });
  expect(empty.statusCode).toBe(422);
});

it('a note under an id that a colleague has used, or with other words, is refused, and nothing is lost', async () => {
  const id = randomUUID();
  const note = (token: string, text: string) => call('POST', `${at()}/notes`, token, { body: { id, text } });
  expect((await note(rosa, 'Told the 06:10 driver.')).statusCode).toBe(201);
  for (const [token, text] of [
    [sam, 'Told the 06:10 driver.'],
    [sam, 'The 07:10 goes by Selby.'],
    [rosa, 'The 07:10 goes by Selby.'],
  ] as const) {
    const refused = await note(token, text);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { detail: 'This id was used for something else.' },
    ]);
  }
  expect((await everything()).log.map(({ text }) => text)).toEqual(['Told the 06:10 driver.']);
});

it('strikes out a note that was made long ago without a network, and has only just arrived', async () => {
  const id = randomUUID();
  const at2h = new Date(test.now().getTime() - 120 * MINUTE).toISOString();
  await call('POST', `${at()}/notes`, rosa, { body: { id, text: 'Told the driver', at: at2h } });
  expect(
    (await call('POST', `${at()}/notes/${id}/strike`, rosa, { body: { id: randomUUID() } })).statusCode,
  ).toBe(200);
});

it('a device with a wrong clock strikes out no old note', async () => {
  const id = randomUUID();
  await call('POST', `${at()}/notes`, rosa, { body: { id, text: 'Told the driver' } });
  const made = test.now().toISOString();
  test.pass(11 * MINUTE);
  const late = await call('POST', `${at()}/notes/${id}/strike`, rosa, {
    body: { id: randomUUID(), at: made },
  });
  expect(late.statusCode).toBe(409);
  expect((await everything()).log[0]!.struck_at).toBeNull();
});

it('a team acts on an incident 30 times a minute, and 500 times in all', async () => {
  const note = () => call('POST', `${at()}/notes`, rosa, { body: { id: randomUUID(), text: 'Told him' } });
  for (let n = 0; n < 30; n++) expect((await note()).statusCode).toBe(201);
  const busy = await note();
  expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '60']);
  expect((await put(sam, 0, { disposition: 'diverted' })).statusCode).toBe(429);
  // Another incident has its own count.
  await report('high', 'national-highways:van');
  expect((await put(sam, 0, { disposition: 'diverted' }, 'national-highways:van')).statusCode).toBe(200);
  for (let minute = 0; minute < 16; minute++) {
    test.pass(MINUTE);
    for (let n = 0; n < 30; n++) await note();
    rosa = (await test.signIn()).access_token;
  }
  test.pass(MINUTE);
  const full = await note();
  expect([full.statusCode, full.json()]).toMatchObject([
    409,
    { detail: 'The log of this incident has 500 lines, and takes no more.' },
  ]);
  expect((await everything()).log).toHaveLength(500);
});

it('strikes out one note with one action', async () => {
  const [one, other, strike] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [one, other])
    await call('POST', `${at()}/notes`, rosa, { body: { id, text: 'Told the driver' } });
  const struck = (note: string) =>
    call('POST', `${at()}/notes/${note}/strike`, rosa, { body: { id: strike } });
  expect((await struck(one)).statusCode).toBe(200);
  expect((await struck(one)).statusCode).toBe(200);
  expect((await struck(other)).statusCode).toBe(409);
  const struckOut = (await everything()).log.filter(({ struck_at }) => struck_at !== null);
  expect(struckOut.map(({ id }) => id)).toEqual([one]);
});

it('keeps the states of incidents in force, however old, and forgets those of deleted incidents', async () => {
  await put(rosa, 0, { disposition: 'diverted' });
  await responses(test.db).prune(new Date(test.now().getTime() + MINUTE));
  expect((await list()).responses).toMatchObject([{ disposition: 'diverted' }]);
  await test.db.deleteFrom('disruptions').execute();
  await responses(test.db).prune(new Date(test.now().getTime() + MINUTE));
  expect(await responses(test.db).isAny()).toBe(false);
});

it('answers again when a change has ended something, even after an answer between the two', async () => {
  const lapses = startLapses({
    db: test.db,
    now: test.now,
    log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
    owner: 'one',
  });
  await lapses.changed();
  await put(rosa, 0, { disposition: 'diverted' });
  await lapses.changed();
  test.pass(MINUTE);
  await report('critical');
  expect((await list()).responses).toMatchObject([{ lapsed: null }]);
  await lapses.changed();
  expect((await list()).responses).toMatchObject([{ lapsed: 'worse' }]);
  await lapses.stop();
});

it('has lapsed at once if the incident got worse before a late action arrived', async () => {
  test.pass(60 * MINUTE);
  await report('critical');
  test.pass(MINUTE);
  rosa = (await test.signIn()).access_token;
  const done = { disposition: 'diverted' as const, at: '2026-11-21T09:30:00.000Z' };
  expect((await put(rosa, 0, done)).json()).toMatchObject({
    disposition: 'diverted',
    at: done.at,
    lapsed: 'worse',
    lapsed_at: '2026-11-21T10:00:00.000Z',
  });
  // Somebody acts after the change, but on a page that was not yet refreshed.
  expect((await put(rosa, 1, { disposition: 'diverted', severity: 'high' })).json()).toMatchObject({
    lapsed: 'worse',
  });
  expect((await put(rosa, 2, { disposition: 'diverted', severity: 'critical' })).json()).toMatchObject({
    lapsed: null,
  });
  // A device whose clock is ahead.
  const ahead = { disposition: 'watching' as const, at: '2027-01-01T00:00:00.000Z' };
  expect((await put(rosa, 3, ahead)).json()).toMatchObject({ at: '2026-11-21T10:01:00.000Z' });
});

it('replaces the name of a deleted person in the state, the log and the refusal', async () => {
  await put(sam, 0, { disposition: 'diverted' });
  await put(sam, 1, { snooze: '1_h' });
  await call('POST', `${at()}/notes`, sam, { body: { id: randomUUID(), text: 'Told the driver' } });
  await list();
  await test.db.deleteFrom('users').where('id', '=', 'sam').execute();
  const all = [await list(), await everything(), (await put(rosa, 0, { disposition: 'watching' })).json()];
  expect(JSON.stringify(all)).not.toMatch(/Sam|Lee|"sam"/);
  expect((await list()).responses).toMatchObject([{ by: { id: null, name: 'A deleted person' } }]);
  expect((await everything()).log.map(({ by }) => by?.name)).toEqual(Array(3).fill('A deleted person'));
});

it('answers the same bytes until something changes, and then only what changed on request', async () => {
  await put(rosa, 0, { disposition: 'diverted' });
  const first = await call('GET', '', rosa);
  test.pass(MINUTE);
  const again = await test.app.inject({
    url: '/api/v1/responses',
    headers: { authorization: `Bearer ${sam}`, 'if-none-match': String(first.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
  await poll(
    test.db,
    'national-highways',
    [record(LORRY, { title: 'M62 closed' }), record('national-highways:two')],
    test.now(),
  );
  await put(sam, 0, { snooze: '1_h' }, 'national-highways:two');
  const { latest } = first.json<ResponseList>();
  test.pass(1);
  expect(
    (await call('GET', `?since=${test.now().toISOString()}`, rosa)).json<ResponseList>().responses,
  ).toEqual([]);
  expect((await call('GET', `?since=${latest}`, rosa)).json<ResponseList>().total).toBe(2);
});

it('shows a late action to people who ask what changed since then', async () => {
  test.pass(30 * MINUTE);
  rosa = (await test.signIn()).access_token;
  const since = test.now().toISOString();
  await put(rosa, 0, { disposition: 'diverted', at: '2026-11-21T09:02:00.000Z' });
  const list = (await call('GET', `?since=${since}`, rosa)).json<ResponseList>();
  expect(list).toMatchObject({ latest: since, responses: [{ at: '2026-11-21T09:02:00.000Z' }] });
});

it('leaves the lists that all readers share as they are', async () => {
  const SHARED = ['/feeds', '/feeds/roads-uk', '/disruptions', `/disruptions${at()}`];
  const all = (token: string) =>
    Promise.all(
      SHARED.map(async (path) => {
        const { statusCode, rawPayload, headers } = await test.get(`/api/v1${path}`, token);
        return { path, statusCode, bytes: rawPayload.toString('base64'), etag: headers.etag };
      }),
    );
  const before = await all(rosa);
  expect(before.map(({ statusCode }) => statusCode)).toEqual(SHARED.map(() => 200));
  await put(rosa, 0, { disposition: 'diverted' });
  await put(rosa, 1, { snooze: '1_h' });
  await call('POST', `${at()}/notes`, rosa, { body: { id: randomUUID(), text: 'Told the driver' } });
  const made = await test.app.inject({
    method: 'POST',
    url: '/api/v1/reports',
    headers: { authorization: `Bearer ${rosa}` },
    payload: { id: randomUUID(), title: 'Car on fire', severity: 'critical', road: 'M62' },
  });
  expect(made.statusCode, made.body).toBe(201);
  expect(await all(rosa)).toEqual(before);
  expect(await all(sam)).toEqual(before);
});

it('for another team there is nothing, and it is looked for in the same way', async () => {
  await test.close();
  test = await openTestApp({ config: { teams: 'many' } });
  for (const [id, name] of [
    ['rosa', 'Rosa Jones'],
    ['sam', 'Sam Lee'],
  ] as const) {
    await test.addUser({ id, display_name: name, email: `${id}@coaches.example` });
    const { id: teamId } = await teams(test.db, 'many').create(`Team of ${name}`, test.now());
    await teams(test.db, 'many').put(id, teamId, 'lead', test.now());
  }
  rosa = (await test.signIn({ email: 'rosa@coaches.example' })).access_token;
  sam = (await test.signIn({ email: 'sam@coaches.example' })).access_token;
  await report('high');
  await put(rosa, 0, { disposition: 'diverted' });
  const note = { id: randomUUID(), text: 'Told the driver' };
  await call('POST', `${at()}/notes`, rosa, { body: note });

  expect(await list(sam)).toEqual({ responses: [], total: 0, reports: [], latest: null });
  expect(await everything(sam)).toMatchObject({ response: { rev: 0, disposition: null }, log: [] });
  const strike = (noteId: string) =>
    call('POST', `${at()}/notes/${noteId}/strike`, sam, { body: { id: randomUUID() } });
  const [theirs, nobodys] = [await strike(note.id), await strike(randomUUID())];
  const same = { ...nobodys.json<Refusal>(), request_id: expect.any(String) };
  expect([theirs.statusCode, theirs.json()]).toEqual([404, same]);
  // Actions of another team do not change our answer.
  test.pass(MINUTE);
  const since = test.now().toISOString();
  // Each of two teams has its own.
  expect((await put(sam, 0, { disposition: 'watching' })).json()).toMatchObject({ rev: 1 });
  expect((await list(rosa)).responses).toMatchObject([
    { disposition: 'diverted', by: { name: 'Rosa Jones' } },
  ]);
  expect((await call('GET', `?since=${since}`, rosa)).json<ResponseList>().responses).toEqual([]);
});

it('shows a display first names if its setting allows, otherwise that somebody has it', async () => {
  await test.addUser({ id: 'boss', role: 'admin', email: 'boss@coaches.example' });
  const boss = (await test.signIn({ email: 'boss@coaches.example' })).access_token;
  const { user_code, device_code } = (await test.post('/api/v1/displays/device_authorization')).json<{
    user_code: string;
    device_code: string;
  }>();
  const approved = await test.post('/api/v1/displays/pairing/approve', { user_code, name: 'Wall' }, rosa);
  const grant = { grant_type: DEVICE_CODE_GRANT, device_code };
  const wall = (await test.post('/api/v1/displays/token', grant)).json<{ access_token: string }>()
    .access_token;
  await put(rosa, 0, { disposition: 'diverted' });
  await put(rosa, 1, { snooze: '1_h' });

  const note = 'Ring Dave on 07700 900123';
  const own = { id: randomUUID(), title: 'Car on fire', severity: 'critical', road: 'M62', note };
  expect((await test.post('/api/v1/reports', own, rosa)).statusCode).toBe(201);

  expect((await list(wall)).responses).toMatchObject([
    { disposition: 'diverted', by: null, snooze: { by: null } },
  ]);
  expect((await list(wall)).reports).toMatchObject([{ by: null, note: '' }]);
  const patched = await test.app.inject({
    method: 'PATCH',
    url: `/api/v1/admin/displays/${approved.json<{ id: string }>().id}`,
    headers: { authorization: `Bearer ${boss}` },
    payload: { show_names: true },
  });
  expect(patched.json()).toMatchObject({ show_names: true });
  expect((await list(wall)).responses).toMatchObject([{ by: { id: null, name: 'Rosa' } }]);
  expect((await call('GET', at(), wall)).statusCode).toBe(403);
  expect((await put(wall, 2, { disposition: 'watching' })).statusCode).toBe(403);
});
