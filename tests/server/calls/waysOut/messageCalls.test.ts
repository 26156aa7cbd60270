import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangesSummary } from '#contract/incidents/changes.ts';
import type { MessageExplanation, MessagePage } from '#contract/messages/messages.ts';
import { chunks } from '../../../../server/db/batches.ts';
import { openMemoryDatabase } from '../../../../server/db/open.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { EVERYONE, teams } from '../../../../server/accounts/teams.ts';
import { channels as channelsIn } from '../../../../server/delivery/outbox/channelStore.ts';
import { watches } from '../../../../server/watches/watchStore.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';
import { LETS_ALL } from '../../../support/watchDraft.ts';

let test: TestApp;
let rosa: RowOf<'users'>;
let token: string;
let watch: string;

/** Queries that were asked. */
const asked: RootOperationNode[] = [];
const hearing: KyselyPlugin = {
  transformQuery: ({ node }) => (asked.push(node), node),
  transformResult: async ({ result }) => result,
};

beforeEach(async () => {
  test = await openTestApp({
    open: async () => {
      const { db, close } = await openMemoryDatabase();
      return { db: db.withPlugin(hearing), close };
    },
  });
  rosa = await test.addUser({ email: 'rosa@coaches.example', display_name: 'Rosa' });
  token = (await test.signIn(rosa)).access_token;
  const team = await teams(test.db, 'one').of(rosa.id, test.now());
  watch = (
    await watches(test.db).add(
      team.id,
      rosa.id,
      {
        kind: 'route',
        ...LETS_ALL,
        name: 'Leeds',
        made_by: 'junctions',
        legs: [],
        geometry: { type: 'LineString', coordinates: [] },
        length_km: 60,
        reach_m: null,
        sources: [],
        departures: [],
      },
      test.now(),
    )
  ).id;
  const app = await channelsIn(test.db).appOf(rosa.id, team.id, test.now());
  const row = (id: string, event_ids: string[]): RowOf<'messages'> => ({
    id,
    channel_id: app.id,
    watch_id: watch,
    bundle: id,
    created_at: test.now().toISOString(),
    body: JSON.stringify({ kind: 'alert', title: id, text: '', severity: 'critical', event_ids }),
    reason: 'Sent',
    state: 'sent',
    attempts: 0,
    next_at: null,
    last_status: null,
    valid_until: test.now().toISOString(),
    sent_at: test.now().toISOString(),
    seen_at: null,
    about: null,
    place: null,
    team_id: null,
  });
  await test.db
    .insertInto('messages')
    .values([row('msg_a', ['tfl:1']), row('msg_b', ['tfl:1', 'tfl:2']), row('msg_c', ['tfl:3'])])
    .execute();
});
afterEach(() => test.close());

const marked = async () => {
  const { messages } = (await test.get('/api/v1/messages', token)).json<MessagePage>();
  return messages.flatMap(({ id, is_not_ours }) => (is_not_ours ? id : [])).sort();
};
const mark = (subject_id: string, as = token) =>
  test.app.inject({
    method: 'POST',
    url: `/api/v1/watches/${watch}/feedback`,
    headers: { authorization: `Bearer ${as}` },
    payload: { subject_id, verdict: 'not_ours' },
  });

const page = async (query = '') => (await test.get(`/api/v1/messages${query}`, token)).json<MessagePage>();

it('messages are listed in pages, none twice and none left out', async () => {
  const first = await page('?limit=2');
  const second = await page(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.messages, ...second.messages].map(({ id }) => id).sort()).toEqual([
    'msg_a',
    'msg_b',
    'msg_c',
  ]);
  expect([first.messages.length, second.next_cursor, first.unseen]).toEqual([2, null, 3]);
  const [then, never] = ['2026-11-21T09:00:00.000Z', '2026-99-99T99:99:99.999Z'];
  const torn = [
    [never, 0, then, 'msg_a'],
    [then, 0, never, 'msg_a'],
    [then, 2, then, 'msg_a'],
    [then, 0, then],
  ];
  for (const cursor of ['x', ...torn.map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))])
    expect((await test.get(`/api/v1/messages?cursor=${cursor}`, token)).statusCode).toBe(422);
});

it('no list is sorted or read whole, and the unseen are counted to a bound, however many there are', async () => {
  const [one] = await test.db.selectFrom('messages').selectAll().where('id', '=', 'msg_a').execute();
  const more = Array.from({ length: 1200 }, (_, n) => ({ ...one!, id: `msg_${n}`, bundle: `msg_${n}` }));
  for (const values of chunks(more, 100)) await test.db.insertInto('messages').values(values).execute();
  asked.length = 0;
  expect(await page()).toMatchObject({ unseen: 1000, messages: { length: 50 } });
  const at = '2026-11-21T09:00:00.000Z';
  const seen = Buffer.from(JSON.stringify([at, 1, at, 'msg_a'])).toString('base64url');
  for (const query of [`?cursor=${seen}`, '?state=failed', '?state=sent', `?channel=${one!.channel_id}`])
    await page(query);
  const plans = asked
    .map((node) => test.db.getExecutor().compileQuery(node, createQueryId()))
    .filter(({ sql }) => sql.includes('from "messages"'))
    .map(async (query) => {
      const explained = { ...query, sql: `explain query plan ${query.sql}` };
      const { rows } = await test.db.executeQuery<{ detail: string }>(explained);
      return rows.map(({ detail }) => detail);
    });
  const steps = await Promise.all(plans);
  expect(steps.length).toBeGreaterThan(12);
  expect(steps.filter((plan) => plan[0] === 'CO-ROUTINE unseen').map((plan) => plan[2])).toEqual(
    Array(5).fill(expect.stringContaining('messages_unseen')),
  );
  const found = steps.flat().filter((step) => step.startsWith('SEARCH first'));
  expect(found).toEqual(found.map(() => expect.stringContaining('messages_of_bundle (bundle=? AND channel')));
  expect(found).not.toEqual([]);
  // The query may sort only the rows of a page, and messages that were seen since the first page.
  const ofPage = /\((id|bundle|channel_id=\? AND seen_at>)/;
  const bad = steps.filter(
    (plan) =>
      /^SCAN messages|B-TREE FOR ORDER BY$/m.test(plan.join('\n')) &&
      !plan.some((step) => step.startsWith('SEARCH messages') && ofPage.test(step)),
  );
  expect(bad).toEqual([]);
});

it('the unseen come first over all pages, even when those of a page are seen before the next', async () => {
  // The newest is seen; messages that were held back from everybody cannot be seen.
  const at = (minute: number) => ({ created_at: `2026-11-21T08:0${minute}:00.000Z` });
  const change = (id: string, what: Partial<RowOf<'messages'>>) =>
    test.db.updateTable('messages').set(what).where('id', '=', id).execute();
  await change('msg_a', at(1));
  await change('msg_b', at(2));
  await change('msg_c', { ...at(3), seen_at: '2026-11-21T08:04:00.000Z' });
  const [one] = await test.db.selectFrom('messages').selectAll().where('id', '=', 'msg_a').execute();
  const held = {
    ...one!,
    id: 'msg_d',
    bundle: 'msg_d',
    channel_id: null,
    state: 'held' as const,
    team_id: EVERYONE,
  };
  await test.db
    .insertInto('messages')
    .values({ ...held, ...at(4) })
    .execute();

  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { messages, next_cursor }: MessagePage = await page(`?limit=1${cursor && `&cursor=${cursor}`}`);
    ids.push(...messages.map(({ id }) => id));
    cursor = next_cursor;
    test.pass(1);
    await test.post('/api/v1/messages/seen', { ids }, token);
    // Messages since the first page are on the first page.
    const id = `msg_new${ids.length}`;
    await test.db
      .insertInto('messages')
      .values({ ...one!, id, bundle: id, created_at: test.now().toISOString() })
      .execute();
  }
  expect(ids).toEqual(['msg_b', 'msg_a', 'msg_d', 'msg_c']);
});

it('the summary of changes says how many are unseen, to their person alone', async () => {
  const unseen = async (as: string) =>
    (await test.get('/api/v1/changes/summary', as)).json<ChangesSummary>().unseen_messages;
  expect(await unseen(token)).toBe(3);
  await test.post('/api/v1/messages/seen', { ids: ['msg_a'] }, token);
  expect(await unseen(token)).toBe(2);
  const sam = await test.addUser({ email: 'sam@coaches.example', display_name: 'Sam' });
  expect(await unseen((await test.signIn(sam)).access_token)).toBe(0);
  const { key } = (await test.post('/api/v1/keys', { name: 'Board' }, token)).json<{ key: string }>();
  expect(await unseen(key)).toBeNull();
});

it('a failed message of the team is sent again by a lead of that team, while the channel is on', async () => {
  const app = await channelsIn(test.db).appOf(rosa.id, EVERYONE, test.now());
  const hook = { ...app, id: 'hook', user_id: null, kind: 'webhook' as const, address_hash: 'hook' };
  await test.db.insertInto('channels').values(hook).execute();
  const failed = test.db.updateTable('messages').where('id', '=', 'msg_a');
  await failed.set({ channel_id: 'hook', state: 'failed' }).execute();
  const again = async () => (await test.post('/api/v1/messages/msg_a/send', undefined, token)).statusCode;
  const channel = test.db.updateTable('channels').where('id', '=', 'hook');

  await teams(test.db, 'one').put(rosa.id, EVERYONE, 'member', test.now());
  expect(await again()).toBe(403);
  await teams(test.db, 'one').put(rosa.id, EVERYONE, 'lead', test.now());
  await channel.set({ state: 'off' }).execute();
  expect(await again()).toBe(409);
  await channel.set({ state: 'working' }).execute();
  const other = await teams(test.db, 'many').create('Airport coaches', test.now());
  await channel.set({ team_id: other.id }).execute();
  expect(await again()).toBe(404);
  await channel.set({ team_id: EVERYONE }).execute();
  expect([await again(), await again()]).toEqual([202, 404]);
});

it('messages about a route of a team that its person has left are neither listed nor counted', async () => {
  const { id } = await teams(test.db, 'many').create('Airport coaches', test.now());
  await test.db.updateTable('watches').set({ team_id: id }).execute();
  const { messages, unseen } = await page();
  expect([messages, unseen]).toEqual([[], 0]);
  expect((await page('?state=sent')).messages).toEqual([]);
});

it('messages are seen on every device of their person alone; held back messages count as seen', async () => {
  await test.db
    .updateTable('messages')
    .set({ channel_id: null, state: 'held', team_id: EVERYONE })
    .where('id', '=', 'msg_c')
    .execute();
  const sam = await test.addUser({ email: 'sam@coaches.example', display_name: 'Sam' });
  const as = (await test.signIn(sam)).access_token;
  await test.post('/api/v1/messages/seen', { ids: ['msg_a'] }, as);
  expect((await page()).unseen).toBe(2);
  await test.post('/api/v1/messages/seen', { ids: ['msg_a'] }, token);
  expect((await page()).messages.map(({ id, is_seen }) => [id, is_seen]).sort()).toEqual([
    ['msg_a', true],
    ['msg_b', false],
    ['msg_c', true],
  ]);
  await test.post('/api/v1/messages/seen', {}, token);
  expect((await page()).unseen).toBe(0);
});

it('a message is marked, for everybody in the team, once all that it is about is marked', async () => {
  expect(await marked()).toEqual([]);
  expect((await mark('tfl:1')).statusCode).toBe(204);
  expect(await marked()).toEqual(['msg_a']);
  await mark('tfl:2');
  expect(await marked()).toEqual(['msg_a', 'msg_b']);
  const explained = await test.get(`/api/v1/watches/${watch}/explain-messages`, token);
  expect(explained.json<MessageExplanation>().messages.filter((one) => one.is_not_ours)).toHaveLength(2);
});
