import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TeamDisplay } from '#contract/displays/displays.ts';
import {
  ALL_FEEDS,
  type DisplaySelf,
  type Layout,
  LAYOUTS_MAX,
  type SentMessage,
} from '#contract/displays/layouts.ts';
import { openWorld, type World } from '../../callers.ts';
import { example } from '../../../../server/calls/reference/examples.ts';

const { heartbeat } = example;

const MINUTE = 60_000;
let world: World;
let lead: string;
let other: string;
let display: { id: string; access_token: string };

beforeEach(async () => {
  world = await openWorld();
  lead = (await world.credential('User'))!;
  other = (await world.credential('Administrator'))!;
  display = await world.newDisplay();
});
afterEach(() => world.close());

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, payload?: object) =>
  world.app.inject({
    method,
    url: `/api/v1/displays/${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const self = async (of = display) => (await ask('GET', 'me', of.access_token)).json<DisplaySelf>();
const asked = async (of = display, more: Record<string, string> = {}) =>
  (
    await world.app.inject({
      url: '/api/v1/feeds/',
      headers: { authorization: `Bearer ${of.access_token}`, ...more },
    })
  ).headers['x-clearway-display'];
const request = { name: 'Gate', pages: [{ type: 'map', dwell_s: 20 }], pin_criticals: true };
const make = async (token = lead) => (await ask('POST', 'layouts', token, request)).json<Layout>();
const inMinutes = (minutes: number) => new Date(world.now().getTime() + minutes * MINUTE).toISOString();
const send = async (more: object = {}, token = lead) =>
  ask('POST', 'messages', token, {
    to: { all: true },
    text: 'Pump 2 is out of order.',
    look: 'medium',
    cover: 'screen',
    until: inMinutes(30),
    ...more,
  });
const proof = async () =>
  (await ask('GET', '', lead))
    .json<{ displays: TeamDisplay[] }>()
    .displays.find(({ id }) => id === display.id)!;

describe('what a display shows', () => {
  it('is all feeds until a layout is assigned, to it or to its tag', async () => {
    expect(await self()).toMatchObject({ rev: 0, layout: ALL_FEEDS, message: null, tags: [] });
    const layout = await make();
    expect((await ask('PUT', `${display.id}/tags`, lead, { tags: ['Gate'] })).statusCode).toBe(200);
    const given = await ask('POST', 'assignments', lead, { to: { tags: ['Gate'] }, layout_id: layout.id });
    expect(given.json()).toEqual({ displays: 1 });
    expect(await self()).toMatchObject({ layout: { id: layout.id, rev: 1 }, tags: ['Gate'] });
    await ask('POST', 'assignments', lead, { to: { displays: [display.id] }, layout_id: 'lobby' });
    expect((await self()).layout.name).toBe('Lobby');
    await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: null });
    expect((await self()).layout).toEqual(ALL_FEEDS);
  });

  it('is announced by a new value on each answer, even on one that says that nothing has changed', async () => {
    const before = await world.app.inject({
      url: '/api/v1/feeds/',
      headers: { authorization: `Bearer ${display.access_token}` },
    });
    const etag = { 'if-none-match': String(before.headers.etag) };
    const revs = [before.headers['x-clearway-display']];
    const layout = await make();
    await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: layout.id });
    revs.push(await asked(display, etag));
    await ask('PUT', `layouts/${layout.id}`, lead, { ...request, name: 'Gate 2' });
    revs.push(await asked(display, etag));
    await ask('DELETE', `layouts/${layout.id}`, lead);
    revs.push(await asked(display, etag));
    const { id } = (await send()).json<SentMessage>();
    revs.push(await asked(display, etag));
    await ask('DELETE', `messages/${id}`, lead);
    revs.push(await asked(display, etag));
    expect(new Set(revs).size).toBe(6);
    expect((await self()).rev).toBe(Number(revs.at(-1)));
    const person = await world.get('/api/v1/feeds/', lead);
    expect(person.headers['x-clearway-display']).toBeUndefined();
  });

  it('overwrites nothing that another lead has saved since it was loaded', async () => {
    const layout = await make();
    const save = (name: string, rev: number | string) =>
      world.app.inject({
        method: 'PUT',
        url: `/api/v1/displays/layouts/${layout.id}`,
        headers: { authorization: `Bearer ${lead}`, 'if-match': String(rev) },
        payload: { ...request, name },
      });
    expect((await save('Mine', layout.rev)).json()).toMatchObject({ name: 'Mine', rev: layout.rev + 1 });
    const late = await save('Theirs', layout.rev);
    expect([late.statusCode, late.json<{ detail: string }>().detail]).toEqual([
      409,
      'Somebody else has changed this layout. Load it again.',
    ]);
    const { layouts } = (await ask('GET', 'layouts', lead)).json<{
      layouts: { id: string; name: string }[];
    }>();
    expect(layouts.find(({ id }) => id === layout.id)?.name).toBe('Mine');
    for (const unread of ['W/"1"', '*', 'one', '', '9999999999', '1, 2']) {
      const odd = await save('Theirs', unread);
      expect([unread, odd.statusCode, odd.json<{ detail: string }>().detail]).toEqual([
        unread,
        400,
        'If-Match must be the rev that you loaded, such as 1.',
      ]);
    }
  });

  it('is still answered if a newer server has stored a page of a type that this one does not know', async () => {
    const layout = await make();
    await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: layout.id });
    const pages = [{ type: 'hologram', dwell_s: 20, depth: 3 }];
    await world.db
      .updateTable('layouts')
      .set({ pages: JSON.stringify(pages) })
      .where('id', '=', layout.id)
      .execute();
    await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: layout.id });
    expect((await self()).layout).toMatchObject({ id: layout.id, pages: [{ type: 'hologram' }] });
    const list = await ask('GET', 'layouts', lead);
    expect(list.json()).toMatchObject({ total: 6 });
  });

  it('never has a page that says nothing, or a board without a feed', async () => {
    for (const page of [
      { type: 'board', feeds: [] },
      { type: 'board', feeds: ['no-such-feed'] },
      { type: 'message' },
    ])
      expect([page, (await ask('POST', 'layouts', lead, { ...request, pages: [page] })).statusCode]).toEqual([
        page,
        422,
      ]);
  });

  it('is one of the fifty layouts that a team may have', async () => {
    const { id } = await make();
    const row = await world.db
      .selectFrom('layouts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: LAYOUTS_MAX - 2 }, (_, at) => ({ ...row, id: `${id} ${at}` }));
    await world.db.insertInto('layouts').values(more).execute();
    expect((await ask('POST', 'layouts', lead, request)).statusCode).toBe(201);
    const full = await ask('POST', 'layouts', lead, request);
    expect([full.statusCode, full.json<{ detail: string }>().detail]).toEqual([
      409,
      'A team has at most 50 layouts. Delete one first.',
    ]);
    expect((await ask('POST', 'layouts', other, request)).statusCode).toBe(201);
  });

  it('cannot be changed if it is ready-made, and nobody is named as its editor', async () => {
    expect((await ask('PUT', 'layouts/lobby', lead, request)).statusCode).toBe(404);
  });

  it('is of its own team alone', async () => {
    const foreign = await world.newDisplay('Administrator');
    const layout = await make();
    for (const reply of [
      await ask('PUT', `layouts/${layout.id}`, other, request),
      await ask('DELETE', `layouts/${layout.id}`, other),
      await ask('POST', 'assignments', other, { to: { all: true }, layout_id: layout.id }),
      await ask('PUT', `${display.id}/tags`, other, { tags: [] }),
    ])
      expect(reply.statusCode).toBe(404);
    expect((await send({ to: { displays: [display.id] } }, other)).json()).toMatchObject({ displays: 0 });
    await send();
    expect((await self()).message?.text).toBe('Pump 2 is out of order.');
    expect((await self(foreign)).message).toBeNull();
    expect((await ask('GET', 'messages', other)).json<{ messages: SentMessage[] }>().messages).toMatchObject([
      { to: { displays: [display.id] } },
    ]);
    const theirs = await world.newWatch('Administrator');
    const page = { type: 'route', dwell_s: 20, watch_ids: [theirs.id] };
    expect((await ask('POST', 'layouts', lead, { ...request, pages: [page] })).statusCode).toBe(422);
  });

  it.each(['moved', 'deleted'])(
    'is nothing of the old team where the owner’s team is %s, and it is asked at once',
    async (how) => {
      const admin = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
        world.app.inject({
          method,
          url: `/api/v1/admin/teams${path}`,
          headers: { authorization: `Bearer ${other}` },
          ...(payload && { payload }),
        });
      const owner = (await world.get('/api/v1/auth/me', lead)).json<{ id: string }>();
      const [leeds, hull] = await Promise.all(
        ['Leeds', 'Hull'].map(async (name) => (await admin('POST', '', { name })).json<{ id: string }>()),
      );
      const move = (team: string) => admin('PUT', `/${team}/members/${owner.id}`, { role: 'lead' });
      await move(leeds!.id);
      const layout = await make();
      await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: layout.id });
      await send();
      const before = await self();
      expect(before).toMatchObject({ layout: { id: layout.id }, message: { look: 'medium' } });
      await ask('POST', 'heartbeat', display.access_token, {
        ...heartbeat,
        showing: { rev: before.rev, page: 'map', since: inMinutes(0), problem: null },
      });

      const reply = how === 'moved' ? await move(hull!.id) : await admin('DELETE', `/${leeds!.id}`);
      expect(reply.statusCode).toBe(204);
      expect(await asked()).toBe(String(before.rev + 1));
      expect(await self()).toMatchObject({ rev: before.rev + 1, layout: ALL_FEEDS, message: null });
      expect(await proof()).toMatchObject({ layout_id: null, rev: before.rev + 1, taken_rev: before.rev });
      // A person with another role in the same team asks nothing of it.
      await move(hull!.id);
      const { rev } = await self();
      await admin('PUT', `/${hull!.id}/members/${owner.id}`, { role: 'member' });
      expect((await self()).rev).toBe(rev);
    },
  );

  it('needs a chosen display: an assignment to none is refused', async () => {
    for (const to of [{}, { all: false }, { displays: [], tags: [] }, { displays: [] }])
      for (const reply of [
        await send({ to }),
        await ask('POST', 'assignments', lead, { to, layout_id: 'lobby' }),
      ]) {
        expect([to, reply.statusCode]).toEqual([to, 422]);
        expect(reply.json<{ detail: string }>().detail).toContain('Choose a display, a tag, or all.');
      }
  });

  it('is the same by a tag in capitals or small letters', async () => {
    const tags = { tags: ['Gate', 'gate', 'North'] };
    expect((await ask('PUT', `${display.id}/tags`, lead, tags)).json()).toEqual({ tags: ['Gate', 'North'] });
    expect((await self()).tags).toEqual(['Gate', 'North']);
    const given = await ask('POST', 'assignments', lead, { to: { tags: ['GATE'] }, layout_id: 'lobby' });
    expect(given.json()).toEqual({ displays: 1 });
    await send({ to: { tags: ['north'] } });
    expect((await self()).message?.text).toBe('Pump 2 is out of order.');
    const acts = await world.db.selectFrom('audit_trail').select('detail').orderBy('id', 'desc').execute();
    expect(acts.slice(0, 2)).toEqual([{ detail: '1 display' }, { detail: '1 display' }]);
  });

  it('takes a message that ends by itself, the newest that takes over before a band', async () => {
    for (const until of [inMinutes(0), inMinutes(12 * 60 + 1)])
      expect((await send({ until })).statusCode).toBe(422);
    const longest = await send({ until: inMinutes(12 * 60) });
    expect(longest.statusCode).toBe(201);
    await ask('DELETE', `messages/${longest.json<SentMessage>().id}`, lead);
    expect((await send({ text: 'x'.repeat(201) })).statusCode).toBe(422);
    await send({ cover: 'screen', text: 'Fire drill.' });
    world.pass(MINUTE);
    await send({ cover: 'band', text: 'Later.' });
    expect((await self()).message).toMatchObject({ text: 'Fire drill.', from: expect.any(String) });
    world.pass(30 * MINUTE);
    expect((await self()).message).toBeNull();
  });

  it('has the message that stands longer again when the one before it has ended', async () => {
    await send({ cover: 'band', text: 'Gate 4 is closed.', until: inMinutes(60) });
    await send({ cover: 'band', text: 'Bus wash until ten past.', until: inMinutes(10) });
    await send({ cover: 'screen', text: 'Fire drill.', until: inMinutes(10) });
    const texts = async () => {
      const { message, next_messages } = await self();
      return [message?.text, ...next_messages.map(({ text }) => text)];
    };
    expect(await texts()).toEqual(['Fire drill.', 'Gate 4 is closed.']);
    world.pass(10 * MINUTE);
    expect(await texts()).toEqual(['Gate 4 is closed.']);
  });

  it('is proved by what it reports: when it was asked, and since when it shows it', async () => {
    await ask('POST', 'assignments', lead, { to: { all: true }, layout_id: 'lobby' });
    const { rev } = await self();
    expect(await proof()).toMatchObject({ layout_id: 'lobby', rev, taken_rev: null });
    const beat = (showing: object) =>
      ask('POST', 'heartbeat', display.access_token, { ...heartbeat, showing });
    const showing = { rev, page: 'board', since: inMinutes(0), problem: null };
    expect((await beat(showing)).statusCode).toBe(204);
    const taken_at = world.now().toISOString();
    world.pass(5 * MINUTE);
    await beat({ ...showing, page: 'map' });
    expect(await proof()).toMatchObject({ taken_rev: rev, taken_at, page: 'map' });
    // A build that knows no layouts does not report any.
    expect((await ask('POST', 'heartbeat', display.access_token, heartbeat)).statusCode).toBe(204);
    expect(await proof()).toMatchObject({ taken_rev: rev, page: 'map' });
  });
});

it('tells a monitor how many displays are missing, or have not taken what they were asked for', async () => {
  const health = async () => {
    const reply = await world.app.inject({ url: '/healthz/displays' });
    const { status, unseen, not_taken } = reply.json<Record<string, unknown>>();
    return [reply.statusCode, status, unseen, not_taken];
  };
  const beat = (rev: number) =>
    ask('POST', 'heartbeat', display.access_token, {
      ...heartbeat,
      showing: { rev, page: 'board', since: world.now().toISOString(), problem: null },
    });
  await beat(0);
  expect(await health()).toEqual([200, 'ok', 0, 0]);
  await send({ to: { displays: [display.id] } });
  world.pass(4 * MINUTE);
  expect((await health())[0]).toBe(200);
  world.pass(2 * MINUTE);
  expect(await health()).toEqual([503, 'look', 0, 1]);
  // A new ask does not count as an answer to the one before.
  await send({ to: { displays: [display.id] } });
  expect(await health()).toEqual([503, 'look', 0, 1]);
  // A display that takes its first layout is on its way to the later ones, and is not late.
  await beat(1);
  expect((await health())[0]).toBe(200);
  world.pass(4 * MINUTE);
  await beat(1);
  world.pass(2 * MINUTE);
  expect((await health())[3]).toBe(1);
  await beat(2);
  expect((await health())[3]).toBe(0);
  world.pass(11 * MINUTE);
  // The displays of this team and of the other.
  expect(await health()).toEqual([503, 'look', 2, 0]);
});
