import { createECDH, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelList, MadeChannel } from '#contract/messages/channels.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import { channels as channelsIn } from '../../../../server/delivery/outbox/channelStore.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { links } from '../../../../server/delivery/outbox/notices.ts';
import { channelSeal } from '../../../../server/delivery/outbox/channelSeal.ts';
import { deriveSecrets } from '../../../../server/accounts/secrets.ts';
import { openTestApp, SECRET, type TestApp } from '../../app/testApp.ts';

const { briefRequest, watchRequest } = example;

const HOUR_MS = 60 * 60_000;

let test: TestApp;
let rosa: RowOf<'users'>;
let token: string;

beforeEach(async () => {
  test = await openTestApp({
    config: { mail: { url: 'smtp://mail.example', from: 'clearway@coaches.example' } },
  });
  rosa = await test.addUser();
  await teams(test.db, 'one').put(rosa.id, EVERYONE, 'lead', test.now());
  token = (await test.signIn(rosa)).access_token;
});
afterEach(() => test.close());

const add = async (body: object, as = token) => test.post('/api/v1/channels', body, as);
const added = async (body: object, as = token) => {
  const reply = await add(body, as);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json<MadeChannel>();
};
const listed = async (as = token) => (await test.get('/api/v1/channels', as)).json<ChannelList>();
const send = (method: 'DELETE' | 'POST', url: string, as = token) =>
  test.app.inject({ method, url, headers: { authorization: `Bearer ${as}` } });
const choose = async (payload: object) => {
  const reply = await test.app.inject({
    method: 'PUT',
    url: '/api/v1/channels/settings',
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
  expect(reply.statusCode, reply.body).toBe(204);
};
const sam = async () => {
  const user = await test.addUser({ email: 'sam@coaches.example', display_name: 'Sam' });
  return (await test.signIn(user)).access_token;
};

const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'a'.repeat(22) };
const push = (endpoint = 'https://push.example/one', more = keys) => ({
  kind: 'device',
  name: 'Chrome on Windows',
  subscription: { endpoint, keys: more },
});
const email = (address = 'rosa@coaches.example') => ({ kind: 'email', address });

/** The address in the newest message to confirm one. */
async function confirmation(): Promise<string> {
  const rows = await test.db.selectFrom('messages').select('body').orderBy('created_at', 'desc').execute();
  const found = rows.map((row) => bodyOf(row)).find(({ title }) => title.startsWith('Confirm'));
  return found!.address; // an address was added
}

describe('a device', () => {
  it('has one channel, whose address and keys are stored sealed, and renewed', async () => {
    const first = await added(push());
    const again = await added(push(undefined, { ...keys, auth: 'b'.repeat(22) }));
    expect(again.channel.id).toBe(first.channel.id);
    expect((await listed()).total).toBe(1);
    const row = (await channelsIn(test.db).byId(first.channel.id))!; // just made
    expect(row.address).not.toContain('push.example');
    const { open } = channelSeal(deriveSecrets(SECRET));
    expect(open(row.address, { id: row.id, teamId: EVERYONE })).toContain('"bbbb');
  });

  it('belongs to the last person who used it: the other person’s messages are gone', async () => {
    const mine = await added(push());
    expect((await send('POST', `/api/v1/channels/${mine.channel.id}/test`)).statusCode).toBe(202);
    const theirs = await added(push(), await sam());
    expect(theirs.channel.id).not.toBe(mine.channel.id);
    expect((await listed()).total).toBe(0);
    expect(await test.db.selectFrom('messages').select('id').execute()).toEqual([]);
  });

  it('cannot be tested or removed by another person; the list in the app cannot be removed', async () => {
    const { channel } = await added(push());
    const other = await sam();
    for (const reply of [
      await send('POST', `/api/v1/channels/${channel.id}/test`, other),
      await send('DELETE', `/api/v1/channels/${channel.id}`, other),
      await send('DELETE', `/api/v1/channels/app-${rosa.id}`),
      await send('POST', `/api/v1/channels/app-${rosa.id}/test`),
    ])
      expect(reply.statusCode).toBe(404);
    expect((await send('DELETE', `/api/v1/channels/${channel.id}`)).statusCode).toBe(204);
    expect((await listed()).total).toBe(0);
  });

  it('that its push service has given up is turned on again only on itself', async () => {
    const { channel } = await added(push());
    await test.db.updateTable('channels').set({ state: 'off', address: '' }).execute();
    const refused = await send('POST', `/api/v1/channels/${channel.id}/on`);
    expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
      409,
      'A device is turned on again on that device.',
    ]);
    expect((await added(push())).channel).toMatchObject({ id: channel.id, state: 'working' });
  });

  it('is one of at most 30 channels', async () => {
    for (let at = 0; at < 30; at++) await added(push(`https://push.example/${at}`));
    expect((await add(push('https://push.example/more'))).json()).toMatchObject({
      detail: 'A team may have 100 channels, and a person 30. Remove one first.',
    });
    // An existing channel is renewed even when there are too many.
    await added(push('https://push.example/7'));
  });

  it('is tested five times a minute at most, even after the clock was set back', async () => {
    const { channel } = await added(push());
    const tested = async () => (await send('POST', `/api/v1/channels/${channel.id}/test`)).statusCode;
    for (let at = 0; at < 5; at++) expect(await tested()).toBe(202);
    expect(await tested()).toBe(429);
    test.pass(-HOUR_MS);
    expect(await tested()).toBe(202);
  });
});

describe('quiet hours, digest and privacy', () => {
  it('hold for all of the person’s own channels, and for those that are added later', async () => {
    const before = await added(push());
    const settings = { quiet: null, digest: '06:00', hide_details: true, threshold: 'critical' };
    await choose(settings);
    const after = await added(push('https://push.example/two'));
    expect((await listed()).settings).toEqual(settings);
    for (const { channel } of [before, after]) {
      const row = (await channelsIn(test.db).byId(channel.id))!; // just made
      expect([row.quiet, row.hide_details]).toEqual(['null', 1]);
    }
    // Machines have no quiet hours.
    const hook = await added({ kind: 'slack', name: 'Desk', address: 'https://hooks.example/x' });
    expect((await channelsIn(test.db).byId(hook.channel.id))!.hide_details).toBe(0);
  });

  it('a pause ends by itself, or at once', async () => {
    await test.post('/api/v1/channels/pause', { minutes: 10 }, token);
    const until = new Date(test.now().getTime() + HOUR_MS / 6).toISOString();
    expect((await listed()).paused_until).toBe(until);
    test.pass(HOUR_MS / 6);
    expect((await listed()).paused_until).toBeNull();
    await test.post('/api/v1/channels/pause', { minutes: 60 }, token);
    await test.post('/api/v1/channels/pause', { minutes: 0 }, token);
    expect((await listed()).paused_until).toBeNull();
    expect((await test.post('/api/v1/channels/pause', { minutes: 1441 }, token)).statusCode).toBe(422);
  });
});

describe('an e-mail address', () => {
  it('is used once somebody has followed the link in its first message and pressed a button', async () => {
    const { channel } = await added(email());
    expect(channel.state).toBe('unconfirmed');
    const link = await confirmation();
    const page = await test.get(link);
    expect([page.statusCode, page.headers['referrer-policy']]).toEqual([200, 'no-referrer']);
    expect(page.body).toContain('<button>Confirm this address</button>');
    // Mail scanners open every link, so opening alone must not confirm.
    expect((await listed()).channels[0]?.state).toBe('unconfirmed');
    expect((await test.app.inject({ method: 'POST', url: link })).statusCode).toBe(200);
    expect((await listed()).channels[0]?.state).toBe('working');
  });

  it('is ended by one click in the mail program, whichever way that is sent (RFC 8058)', async () => {
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      ],
    ] as const) {
      await added(email());
      const confirm = await confirmation();
      const token = confirm.split('/').at(-1)!;
      // A link confirms or ends a channel, never both.
      const wrong = confirm.replace('/confirm/', '/unsubscribe/');
      expect((await test.app.inject({ method: 'POST', url: wrong })).statusCode).toBe(404);
      const ending = links(deriveSecrets(SECRET)).token('unsubscribe', token.split('.')[0]!);
      const reply = await test.app.inject({
        method: 'POST',
        url: `/api/v1/channels/unsubscribe/${ending}`,
        headers: { 'content-type': type },
        payload,
      });
      expect([type, reply.statusCode]).toEqual([type, 200]);
      expect((await listed()).total).toBe(0);
    }
  });

  it('that works stays confirmed when it is added again, and is asked again after it was off', async () => {
    const { channel } = await added(email());
    await test.app.inject({ method: 'POST', url: await confirmation() });
    expect((await added(email('Rosa@coaches.example'))).channel).toMatchObject({
      id: channel.id,
      state: 'working',
    });
    await test.db.updateTable('channels').set({ state: 'off' }).where('id', '=', channel.id).execute();
    expect((await added(email())).channel).toMatchObject({ id: channel.id, state: 'unconfirmed' });
    const sent = await test.db.selectFrom('messages').select('id').execute();
    expect(sent).toHaveLength(2);
  });

  it('that is not confirmed gets at most five messages an hour from one person, however it is added', async () => {
    for (let at = 0; at < 5; at++) await added(email('victim@other.example'));
    const { channels: all } = await listed();
    await send('DELETE', `/api/v1/channels/${all[0]!.id}`);
    const refused = await add(email('victim@other.example'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await listed()).total).toBe(0);
    test.pass(HOUR_MS);
    token = (await test.signIn(rosa)).access_token;
    await added(email('victim@other.example'));
    const sent = await test.db.selectFrom('messages').select('id').execute();
    expect(sent).toHaveLength(1);
  });

  it('is confirmed and ended by links that are masked in the log', async () => {
    await added(email());
    const link = await confirmation();
    const secret = link.split('/').at(-1)!;
    for (const url of [link, `${link}/`, link.replace('confirm', '%63onfirm'), link.toUpperCase()])
      await test.get(url);
    await test.app.inject({ method: 'POST', url: link });
    expect(test.logged().toLowerCase()).not.toContain(secret.toLowerCase());
    expect(test.logged()).toContain('/api/v1/channels/confirm/[hidden]');
  });
});

it('leaves the channels of the team to its leads, and lets everybody have their own', async () => {
  const { channel } = await added({ kind: 'slack', name: 'Room', address: 'https://hooks.example/1' });
  await teams(test.db, 'one').put(rosa.id, EVERYONE, 'member', test.now());
  const refusal = { detail: 'This is for the leads of your team.' };
  for (const kind of ['webhook', 'slack', 'teams']) {
    const reply = await add({ kind, name: 'Room', address: 'https://hooks.example/2' });
    expect([reply.statusCode, reply.json()], kind).toMatchObject([403, refusal]);
  }
  expect((await send('DELETE', `/api/v1/channels/${channel.id}`)).statusCode).toBe(403);
  expect((await send('POST', `/api/v1/channels/${channel.id}/test`)).statusCode).toBe(403);
  expect((await listed()).channels).toMatchObject([{ id: channel.id, is_team: true, can_change: false }]);

  const own = (await added({ kind: 'email', address: 'rosa@coaches.example' })).channel;
  expect((await send('DELETE', `/api/v1/channels/${own.id}`)).statusCode).toBe(204);
});

it('has an address of its own, and one test however often it is made', async () => {
  const hook = { kind: 'webhook', name: 'Depot', address: 'https://hooks.example/1', id: randomUUID() };
  const first = (await added(hook)).channel;
  expect((await added(hook)).channel.id).toBe(first.id);
  expect(await test.db.selectFrom('messages').select('id').execute()).toHaveLength(1);

  const second = (await added({ ...hook, id: randomUUID(), address: 'https://hooks.example/2' })).channel;
  const move = (id: string, address: string) =>
    test.app.inject({
      method: 'PATCH',
      url: `/api/v1/channels/${id}`,
      headers: { authorization: `Bearer ${token}` },
      payload: { address },
    });
  const taken = await move(second.id, hook.address);
  expect([taken.statusCode, taken.json<{ detail: string }>().detail]).toEqual([
    409,
    'There is a channel with this address already.',
  ]);
  expect((await move(second.id, 'https://hooks.example/3')).json()).toMatchObject({ state: 'unconfirmed' });
  expect((await move(first.id, hook.address)).statusCode).toBe(200);
});

it('may be made by a key of the scope `manage`, and by no other key', async () => {
  const keyOf = async (scope: string) =>
    (await test.post('/api/v1/keys', { name: scope, scope }, token)).json<{ key: string }>().key;
  const [reads, manages] = [await keyOf('read'), await keyOf('manage')];
  const slack = { kind: 'slack', name: 'Room', address: 'https://hooks.example/1' };
  expect((await add(slack, reads)).statusCode).toBe(403);
  const { channel } = await added(slack, manages);
  expect(channel).toMatchObject({ is_team: true, state: 'unconfirmed' });
  expect((await listed(manages)).channels).toMatchObject([{ id: channel.id }]);
  // A device belongs to a sign-in.
  expect((await add(push(), manages)).statusCode).toBe(403);
  await teams(test.db, 'one').put(rosa.id, EVERYONE, 'member', test.now());
  expect((await send('DELETE', `/api/v1/channels/${channel.id}`, manages)).statusCode).toBe(403);
});

it('goes with its person to another team, and stays when a team is deleted', async () => {
  await test.close();
  test = await openTestApp({ config: { teams: 'many' } });
  rosa = await test.addUser();
  token = (await test.signIn(rosa)).access_token;
  const ada = await test.addUser({ email: 'ada@coaches.example', role: 'admin' });
  const admin = (await test.signIn(ada)).access_token;
  const call = (method: 'PUT' | 'PATCH' | 'DELETE', url: string, payload: object, as: string) =>
    test.app.inject({ method, url: `/api/v1/${url}`, headers: { authorization: `Bearer ${as}` }, payload });
  const routeHere = async () =>
    (await test.post('/api/v1/watches', watchRequest, token)).json<{ id: string }>().id;
  const { channel } = await added(push());
  const left = await routeHere();
  const { id } = await teams(test.db, 'many').create('Airport coaches', test.now());
  await call('PUT', `admin/teams/${id}/members/${rosa.id}`, { role: 'lead' }, admin);
  const take = async (watchId: string) =>
    (await call('PATCH', `channels/${channel.id}`, { watch_ids: [watchId] }, token)).statusCode;
  expect([await take(await routeHere()), await take(left)]).toEqual([200, 422]);
  // Without a team its person is in one of their own again.
  for (const deleted of [rosa.id, id]) {
    expect((await call('DELETE', `admin/teams/${deleted}`, {}, admin)).statusCode).toBe(204);
    const { address, team_id: teamId } = (await channelsIn(test.db).byId(channel.id))!; // it stays
    const { open } = channelSeal(deriveSecrets(SECRET));
    expect(open(address, { id: channel.id, teamId })).toContain('push.example');
  }
});

it('says who in the team gets messages, and from which grade on by their own setting', async () => {
  await added(push());
  await sam();
  await choose({ quiet: null, digest: 'off', hide_details: false, threshold: 'critical' });
  const watch = await test.post('/api/v1/watches', watchRequest, token);
  const { id } = watch.json<{ id: string }>();
  const told = await test.get(`/api/v1/channels/told?watch_id=${id}`, token);
  expect(told.json()).toMatchObject({
    members: [
      { is_you: true, kinds: ['device'], threshold: 'critical' },
      { display_name: 'Sam', is_you: false, kinds: [] },
    ],
  });
  expect((await test.get('/api/v1/channels/told?watch_id=other', token)).statusCode).toBe(404);

  const { channel } = await added(push());
  const asked = { ...briefRequest, channel_ids: [channel.id] };
  const { id: brief } = (await test.post('/api/v1/briefs', asked, token)).json<{ id: string }>();
  const kindsOf = async (query: string) =>
    (await test.get(`/api/v1/channels/told${query}`, token))
      .json<{ members: { kinds: string[] }[] }>()
      .members.map(({ kinds }) => kinds);
  expect(await kindsOf(`?brief_id=${brief}`)).toEqual([['device'], []]);
  expect(await kindsOf('')).toEqual([[], []]);
  expect((await test.get('/api/v1/channels/told?brief_id=other', token)).statusCode).toBe(404);
  const refused = async (more: object) =>
    (await test.post('/api/v1/briefs', { ...asked, ...more }, token)).json<{ detail: string }>().detail;
  expect(await refused({ user_ids: ['nobody'] })).toBe(
    'There is no such member of the team. The list may be out of date.',
  );
  expect(await refused({ watch_ids: [id, 'nope'] })).toBe(
    'There is no such route or area. It may have been deleted.',
  );
  expect(await refused({ watch_ids: [] })).toBe('watch_ids must name a route or an area');

  const change = (rev: number, payload: object) =>
    test.app.inject({
      method: 'PATCH',
      url: `/api/v1/briefs/${brief}`,
      headers: { authorization: `Bearer ${token}`, 'if-match': String(rev) },
      payload,
    });
  expect((await change(1, { watch_ids: [id] })).json()).toMatchObject({ watch_ids: [id], rev: 2 });
  await test.app.inject({
    method: 'DELETE',
    url: `/api/v1/watches/${id}`,
    headers: { authorization: `Bearer ${token}`, 'if-match': '1' },
  });
  // The brief can be changed although its route was deleted, and takes no other unknown one.
  expect((await change(2, { name: 'Early', watch_ids: [id] })).json()).toMatchObject({
    name: 'Early',
    channel_ids: [channel.id],
  });
  expect((await change(3, { watch_ids: [id, 'nope'] })).statusCode).toBe(422);
});
