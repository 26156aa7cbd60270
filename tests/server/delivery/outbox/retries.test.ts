import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_LIMITS } from '#contract/messages/channels.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import {
  channels,
  digestOf,
  type NewChannelRow,
  STANDARD,
} from '../../../../server/delivery/outbox/channelStore.ts';
import { tagOf } from '../../../../server/delivery/outbox/outbox.ts';
import { messages } from '../../../../server/delivery/outbox/outboxStore.ts';
import { nextTry, restUntil } from '../../../../server/delivery/outbox/retries.ts';
import { person } from '../../accounts/people.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const HOOK = { kind: 'webhook' } as const;
const DEVICE = { kind: 'device' } as const;
const seconds = (time: Date | null) => (time === null ? null : (time.getTime() - NOW.getTime()) / 1000);
const answered = (status: number | null, afterMs: number | null = null) => ({ status, afterMs });
const middle = () => 0.5;

it('posts again after 5 seconds, 5 and 30 minutes and 2 hours, each a fifth more or less, then no more', () => {
  const after = (tries: number, random = middle) => seconds(nextTry(HOOK, tries, answered(500), NOW, random));
  expect([1, 2, 3, 4, 5].map((tries) => after(tries))).toEqual([5, 300, 1800, 7200, null]);
  expect([after(1, () => 0), after(1, () => 1)]).toEqual([4, 6]);
});

it('tries a device after half a minute, 2 and 8 minutes, and every 8 from then on', () => {
  const after = (tries: number) => seconds(nextTry(DEVICE, tries, answered(503), NOW, middle));
  expect([1, 2, 3, 4, 9].map(after)).toEqual([30, 120, 480, 480, 480]);
});

it('waits as long as it is asked to, and never less than it would by itself', () => {
  const after = (afterMs: number) => seconds(nextTry(HOOK, 2, answered(429, afterMs), NOW, middle));
  expect([after(0), after(299_000), after(900_000)]).toEqual([300, 300, 900]);
});

it('never waits beyond the year 9999, after which stored times do not sort by time', () => {
  const asked = answered(429, Date.parse('Sat, 13 Sep 275760 00:00:00 GMT') - NOW.getTime());
  expect(nextTry(HOOK, 1, asked, NOW, middle)?.toISOString()).toBe('9999-12-31T23:59:59.999Z');
});

it('an address rests only if it asks for that, for 5 seconds at least and six hours at most', () => {
  const rest = (
    status: number | null,
    afterMs: number | null = null,
    channel: typeof HOOK | typeof DEVICE = HOOK,
  ) => seconds(restUntil(channel, answered(status, afterMs), NOW));
  expect([rest(429), rest(502), rest(504)]).toEqual([5, 5, 5]);
  expect([rest(500, 60_000), rest(503, 60_000), rest(400), rest(null, 60_000)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(rest(429, 60_000, DEVICE)).toBeNull();
  expect([rest(429, 0), rest(429, 60_000), rest(429, 7 * 24 * 3_600_000)]).toEqual([5, 60, 6 * 3600]);
});

it('a notification has a tag of its own for each route and each group of incidents', () => {
  const tags = [tagOf('a', ['x']), tagOf('b', ['x']), tagOf('a', ['x', 'y']), tagOf('a', ['y'])];
  expect(new Set(tags).size).toBe(4);
});

/** The store of channels and messages at its bounds: two teams, an address that fails, a clock that is set back. */
describe('the outbox', () => {
  const HOUR = 3_600_000;
  let db: Db;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ db, close } = await openMemoryDatabase());
    const south = { id: 'south', name: 'South', shift_starts: '[]', frame_hosts: '[]', created_at: at(0) };
    await db.insertInto('teams').values(south).execute();
    for (const id of ['rosa', 'sam']) await users(db).insert(person(id));
  });
  afterEach(() => close());

  const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();
  const channel = async (id: string, more: Partial<NewChannelRow> = {}, ms = 0) => {
    const row: NewChannelRow = {
      id,
      team_id: EVERYONE,
      user_id: null,
      kind: 'webhook',
      name: id,
      address: `https://${id}.example/`,
      address_hash: id,
      state: 'working',
      what: { alerts: true, changes: false, digest: false, brief: false },
      ...more,
    };
    return channels(db).add(row, STANDARD, at(ms));
  };
  const stored = async (id: string) => (await channels(db).byId(id))!;
  const message = (id: string, channel_id: string | null, more: Partial<RowOf<'messages'>> = {}) =>
    messages(db).add([
      {
        id,
        channel_id,
        watch_id: null,
        bundle: id,
        created_at: at(0),
        body: '{}',
        reason: 'Waiting to be sent',
        state: 'waiting',
        attempts: 0,
        next_at: at(0),
        last_status: null,
        valid_until: at(HOUR),
        sent_at: null,
        seen_at: null,
        about: null,
        place: null,
        team_id: null,
        ...more,
      },
    ]);
  const due = async (ms: number, busy: string[] = []) =>
    (await messages(db).due(at(ms), 10, { kinds: ['webhook'], busy })).map((one) => one.message.id);

  it('turns off an address at which nothing arrived for three days, and not a moment before', async () => {
    await channel('hook');
    const fail = async (ms: number) =>
      channels(db).noteFailure(await stored('hook'), 'No answer', {}, at(ms));
    expect(await fail(0)).toBe(false);
    expect(await fail(72 * HOUR - 1)).toBe(false);
    expect(await stored('hook')).toMatchObject({ state: 'failing', since: at(0) });
    expect(await fail(72 * HOUR)).toBe(true);
    expect(await stored('hook')).toMatchObject({ state: 'off', since: at(72 * HOUR), why: 'No answer' });
    expect(await fail(73 * HOUR)).toBe(false);
  });

  it('counts those days again from a clock that was set back; devices and unconfirmed ones never', async () => {
    const fail = async (id: string, ms: number) =>
      channels(db).noteFailure(await stored(id), 'No answer', {}, at(ms));
    await channel('hook');
    await fail('hook', 0);
    await fail('hook', -72 * HOUR);
    expect(await stored('hook')).toMatchObject({ state: 'failing', since: at(-72 * HOUR) });
    await channel('phone', { kind: 'device', user_id: 'rosa' });
    await fail('phone', 0);
    expect(await fail('phone', 100 * HOUR)).toBe(false);
    await channel('new', { state: 'unconfirmed' });
    await fail('new', 0);
    expect(await fail('new', 100 * HOUR)).toBe(false);
    expect(await stored('new')).toMatchObject({ state: 'unconfirmed' });
  });

  it('forgets the address of a device that is gone for good, and no other', async () => {
    await channel('phone', { kind: 'device', user_id: 'rosa' });
    await channel('hook');
    for (const id of ['phone', 'hook'])
      expect(await channels(db).noteFailure(await stored(id), 'Gone', { isGone: true }, at(0))).toBe(true);
    expect(await stored('phone')).toMatchObject({ state: 'off', address: '' });
    expect(await stored('hook')).toMatchObject({ state: 'off', address: 'https://hook.example/' });
  });

  it('is turned off once, however many messages fail there together', async () => {
    await channel('hook');
    const before = await stored('hook');
    const fail = (ms: number) => channels(db).noteFailure(before, 'Gone', { isGone: true }, at(ms));
    expect([await fail(0), await fail(1)]).toEqual([true, false]);
    expect(await stored('hook')).toMatchObject({ since: at(0) });
    // The link in its first message confirms it, and never turns it on again.
    expect(await channels(db).confirm('hook', at(2))).toBe(true);
    expect(await stored('hook')).toMatchObject({ state: 'off', since: at(0) });
  });

  it('works again if something has arrived, but only its owner confirms a mailbox', async () => {
    await channel('failing', { state: 'failing' });
    await channel('hook', { state: 'unconfirmed' });
    await channel('mail', { state: 'unconfirmed', kind: 'email', user_id: 'rosa' });
    for (const id of ['failing', 'hook', 'mail']) await channels(db).noteOk(await stored(id), at(5));
    const states = await Promise.all(['failing', 'hook', 'mail'].map(stored));
    expect(states.map(({ state }) => state)).toEqual(['working', 'working', 'unconfirmed']);
    // A channel that is turned off while a message is on its way stays off.
    const before = await stored('failing');
    await channels(db).change('failing', { state: 'off' }, at(6));
    await channels(db).noteOk(before, at(7));
    expect(await stored('failing')).toMatchObject({ state: 'off', last_ok: at(5) });
  });

  it('has room for the last that is allowed and not for the next, for each team and each person', async () => {
    for (let count = 1; count < CHANNEL_LIMITS.perTeam; count++) await channel(`hook-${count}`);
    await channel('phone', { kind: 'device', user_id: 'rosa' });
    expect(await channel('last')).toBe('done');
    expect(await channel('last')).toBe('taken');
    expect(await channel('next')).toBe('full');
    expect(await channel('south', { team_id: 'south' })).toBe('done');
    expect(await channel('other', { kind: 'device', user_id: 'sam' })).toBe('done');
    for (let count = 1; count < CHANNEL_LIMITS.perPerson; count++)
      expect(await channel(`device-${count}`, { kind: 'device', user_id: 'rosa' })).toBe('done');
    expect(await channel('too many', { kind: 'device', user_id: 'rosa' })).toBe('full');
  });

  it('is due from its time on, the oldest first, and never beside one in progress', async () => {
    await channel('hook');
    await channel('other');
    await message('second', 'hook', { next_at: at(10) });
    await message('first', 'hook', { next_at: at(5) });
    await message('sent', 'hook', { next_at: at(0), state: 'sent' });
    await message('theirs', 'other', { next_at: at(10) });
    expect(await due(4)).toEqual([]);
    expect(await due(5)).toEqual(['first']);
    expect((await due(10)).toSorted()).toEqual(['first', 'theirs']);
    expect(await due(10, ['hook'])).toEqual(['theirs']);
  });

  it('waits for an earlier message about the same incident, and for an address that asked for a rest', async () => {
    await channel('hook');
    await message('closed', 'hook', { about: 'm62', place: '1', next_at: at(HOUR) });
    await message('open again', 'hook', { about: 'm62', place: '2' });
    expect(await due(0)).toEqual([]);
    await messages(db).settle('closed', { state: 'sent', next_at: null });
    await channel('other');
    await message('theirs', 'other', { about: 'm62', place: '1', next_at: at(HOUR) });
    expect(await due(0)).toEqual(['open again']);
    await messages(db).settle('theirs', { state: 'sent', next_at: null });
    const rest = (ms: number) =>
      db
        .updateTable('channels')
        .set({ wait_until: at(ms) })
        .where('id', '=', 'hook')
        .execute();
    await rest(HOUR);
    expect(await due(HOUR - 1)).toEqual([]);
    expect(await due(HOUR)).toEqual(['open again']);
    await channels(db).change('hook', { name: 'Gate' }, at(0));
    expect(await due(HOUR - 1)).toEqual([]);
    // Another address has asked for nothing.
    await channels(db).change('hook', { address: 'https://new.example/', state: 'unconfirmed' }, at(0));
    expect(await due(0)).toEqual(['open again']);
    // A rest of more than six hours comes from a clock that was ahead.
    await rest(6 * HOUR);
    expect(await due(0)).toEqual([]);
    await rest(6 * HOUR + 1);
    expect(await due(0)).toEqual(['open again']);
  });

  it('settles only what waits, and sends again only what failed', async () => {
    await channel('hook');
    await message('one', 'hook');
    expect(await messages(db).sendAgain('one', at(HOUR), at(0))).toBe(false);
    await messages(db).settle('one', { state: 'failed', next_at: null });
    await messages(db).settle('one', { state: 'sent' });
    expect((await messages(db).one('one'))!.state).toBe('failed');
    expect(await messages(db).sendAgain('one', at(2 * HOUR), at(HOUR))).toBe(true);
    expect(await messages(db).one('one')).toMatchObject({ state: 'waiting', next_at: at(HOUR), attempts: 0 });
  });

  it('counts for a person what they have not seen in the app, and for a team what was held back since', async () => {
    const app = (await channels(db).appOf('rosa', EVERYONE, at(0))).id;
    const theirs = (await channels(db).appOf('sam', EVERYONE, at(0))).id;
    await message('new', app, { state: 'sent' });
    await message('seen', app, { state: 'sent', seen_at: at(1) });
    await message('held', app, { state: 'held' });
    await message('not hers', theirs, { state: 'sent' });
    expect(await messages(db).unseen('rosa', EVERYONE)).toBe(1);
    await message('ours', null, { state: 'held', team_id: EVERYONE, created_at: at(5) });
    await message('south', null, { state: 'held', team_id: 'south', created_at: at(5) });
    const held = [4, 5].map((ms) => messages(db).heldOf(EVERYONE, at(ms)));
    expect(await Promise.all(held)).toEqual([1, 0]);
  });

  it('fills a page of the list without messages of other teams, even about the same', async () => {
    const appId = (await channels(db).appOf('rosa', EVERYONE, at(0))).id;
    const held = (id: string, team_id: string, ms: number) =>
      message(id, null, { state: 'held', team_id, created_at: at(ms) });
    await held('one', EVERYONE, 1);
    await held('two', EVERYONE, 2);
    await held('theirs', 'south', 3);
    // That a source is silent is one bundle for all teams.
    await channel('hook', { team_id: 'south' });
    await message('sent there', 'hook', { bundle: 'one', state: 'sent', created_at: at(1) });
    await message('held there', null, { bundle: 'one', state: 'held', team_id: 'south', created_at: at(1) });
    const asked = { userId: 'rosa', teamId: EVERYONE, appId };
    const { rows, last } = await messages(db).ofUser(asked, { asOf: at(4), after: null }, 2);
    expect([rows.map(({ id }) => id), last]).toEqual([['two', 'one'], null]);
  });

  it('has a log in pages, the newest first, each bundle whole on one of them and none twice', async () => {
    for (const id of ['hook', 'other', 'theirs'])
      await channel(id, { team_id: id === 'theirs' ? 'south' : EVERYONE });
    await message('new', 'hook', { bundle: 'a', created_at: at(3) });
    await message('one', 'hook', { bundle: 'c', created_at: at(2) });
    await message('same', 'other', { bundle: 'c', created_at: at(2) });
    await message('old', 'hook', { bundle: 'b', created_at: at(1) });
    await message('not ours', 'theirs', { bundle: 'd', created_at: at(1) });
    const pages: string[] = [];
    const asked = { userId: 'rosa', teamId: EVERYONE, channelId: null, state: null };
    let after: { created_at: string; bundle: string } | null = null;
    do {
      const page = await messages(db).log(asked, after, 2);
      pages.push(page.rows.map(({ id }) => id).join(' '));
      after = page.last;
    } while (after !== null && pages.length < 9);
    expect(pages).toEqual(['new', 'one same', 'old']);
  });

  it('gives a caller their own channels and those of their team, never another’s', async () => {
    await channel('ours');
    await channel('theirs', { team_id: 'south' });
    await channel('hers', { kind: 'device', user_id: 'rosa' });
    await channel('his', { kind: 'device', user_id: 'sam' });
    await channels(db).appOf('rosa', EVERYONE, at(0));
    const listed = await channels(db).of('rosa', EVERYONE);
    expect(listed.map(({ id }) => id)).toEqual(['hers', 'ours']);
    const found = ['hers', 'ours', 'theirs', 'his', 'app-rosa'].map(
      async (id) => (await channels(db).one(id, 'rosa', EVERYONE))?.id,
    );
    expect(await Promise.all(found)).toEqual(['hers', 'ours', undefined, undefined, undefined]);
  });

  it('changes the settings and the pause of one person alone, and makes up for no digest that was off', async () => {
    for (const id of ['hers', 'hers too'])
      await channel(id, { kind: 'device', user_id: 'rosa', address_hash: id });
    await channel('his', { kind: 'device', user_id: 'sam' });
    await channels(db).pause('rosa', at(HOUR));
    await channels(db).choose('rosa', { ...STANDARD, digest: '06:00', threshold: 'high' }, at(HOUR));
    await channels(db).choose(
      'rosa',
      { ...STANDARD, digest: '06:00 and 14:00', threshold: 'high' },
      at(2 * HOUR),
    );
    const rows = await Promise.all(['hers', 'hers too', 'his'].map(stored));
    expect(rows.map(({ threshold, paused_until }) => [threshold, paused_until])).toEqual([
      ['high', at(HOUR)],
      ['high', at(HOUR)],
      [null, null],
    ]);
    // The digest of the day is made only once: only incidents that begin from now on count.
    expect(rows.map(digestOf)).toEqual([
      { times: '06:00 and 14:00', last: at(HOUR) },
      { times: '06:00 and 14:00', last: at(HOUR) },
      { times: 'off', last: at(0) },
    ]);
    await channels(db).pause('rosa', null);
    expect((await stored('hers')).paused_until).toBeNull();
  });

  it('sends nothing from before to an address that is turned on again, and leaves the others alone', async () => {
    for (const id of ['hook', 'other']) {
      await channel(id, { state: 'off' });
      for (const state of ['waiting', 'failed', 'sent'] as const)
        await message(`${id} ${state}`, id, { state });
    }
    await channels(db).turnOn('hook', 'working', at(HOUR));
    const rows = await db.selectFrom('messages').select(['id', 'state']).orderBy('id').execute();
    expect(rows.map(({ state }) => state)).toEqual([
      'dropped',
      'sent',
      'dropped',
      'failed',
      'sent',
      'waiting',
    ]);
    expect([(await stored('hook')).state, (await stored('other')).state]).toEqual(['working', 'off']);
    await channels(db).change('hook', { name: 'Board' }, at(HOUR));
    expect([(await stored('hook')).name, (await stored('other')).name]).toEqual(['Board', 'other']);
  });

  it('is used by people who are there: active, signed in, in this team, with an address that works', async () => {
    await channel('ours');
    await channel('failing', { state: 'failing' });
    await channel('off', { state: 'off' });
    await channel('new', { state: 'unconfirmed' });
    await channel('theirs', { team_id: 'south' });
    await channel('hers', { kind: 'email', user_id: 'rosa' });
    await channel('his', { kind: 'email', user_id: 'sam' });
    await db
      .insertInto('team_members')
      .values([
        { user_id: 'rosa', team_id: EVERYONE, role: 'member', joined_at: at(0) },
        { user_id: 'sam', team_id: 'south', role: 'member', joined_at: at(0) },
      ])
      .execute();
    const used = async (...of: Parameters<ReturnType<typeof channels>['inUse']>) =>
      (await channels(db).inUse(...of)).map(({ id, team_id }) => `${id} of ${team_id}`);
    const ours = ['failing', 'hers', 'ours'].map((id) => `${id} of ${EVERYONE}`);
    expect(await used('many', at(0))).toEqual([...ours, 'his of south', 'theirs of south'].toSorted());
    expect(await used('many', at(0), EVERYONE)).toEqual(ours);
    expect(await used('one', at(0), EVERYONE)).toEqual([...ours, `his of ${EVERYONE}`].toSorted());
    // Somebody who was taken out of a team gets nothing that is about its routes.
    await db.deleteFrom('team_members').where('user_id', '=', 'sam').execute();
    expect(await used('many', at(0))).toEqual([...ours, 'theirs of south'].toSorted());
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', 'rosa').execute();
    expect(await used('many', at(0), EVERYONE)).toEqual(ours.filter((one) => !one.startsWith('hers')));
    expect([await channels(db).isLive('hers', at(0)), await channels(db).isLive('his', at(0))]).toEqual([
      false,
      true,
    ]);
  });

  it('goes to a device until its session ends or is revoked, and forgets the device then', async () => {
    const session = { user_id: 'rosa', created_at: at(0), last_used_at: at(0), revoked_at: null };
    const more = {
      revoked_reason: null,
      display_id: null,
      address: null,
      user_agent: null,
      confirmed_at: null,
    };
    for (const id of ['ends', 'revoked']) {
      await db
        .insertInto('sessions')
        .values({ ...session, ...more, id, expires_at: at(id === 'ends' ? 5 : HOUR) })
        .execute();
      await channel(id, { kind: 'device', user_id: 'rosa', session_id: id });
    }
    const live = (ms: number) =>
      Promise.all(['ends', 'revoked'].map((id) => channels(db).isLive(id, at(ms))));
    expect([await live(4), await live(5)]).toEqual([
      [true, true],
      [false, true],
    ]);
    await channels(db).prune(at(4));
    expect(await db.selectFrom('channels').select('id').execute()).toHaveLength(2);
    await db
      .updateTable('sessions')
      .set({ revoked_at: at(5) })
      .where('id', '=', 'revoked')
      .execute();
    expect(await live(5)).toEqual([false, false]);
    await channels(db).prune(at(5));
    expect(await db.selectFrom('channels').select('id').execute()).toEqual([]);
  });

  it('is too full beyond a number that have not arrived, and not at that number', async () => {
    await channel('hook');
    await channel('off', { state: 'off' });
    for (const id of ['hook', 'off'])
      for (const state of ['waiting', 'failed', 'sent'] as const)
        await message(`${id} ${state}`, id, { state });
    const overfull = async (most: number) => (await channels(db).overfull(most)).map(({ id }) => id);
    expect([await overfull(1), await overfull(2)]).toEqual([['hook'], []]);
  });

  it('says which messages did not arrive for a week, and that sending is late after three minutes', async () => {
    const WEEK = 7 * 24 * HOUR;
    await channel('ours');
    await channel('his', { kind: 'device', user_id: 'sam' });
    await channel('resting', { state: 'failing' });
    await channel('theirs', { team_id: 'south' });
    await message('failed', 'ours', { state: 'failed' });
    await message('another team’s', 'theirs', { state: 'failed' });
    await message('not hers', 'his', { state: 'failed' });
    await message('late', 'ours', { next_at: at(0) });
    await message('tried', 'ours', { next_at: at(0), attempts: 1 });
    await message('rests', 'resting', { next_at: at(0) });
    const told = (ms: number) => messages(db).undelivered({ userId: 'rosa', teamId: EVERYONE }, at(ms));
    expect(await told(3 * 60_000 - 1)).toEqual({ failed: 1, behind: null });
    expect(await told(3 * 60_000)).toEqual({ failed: 1, behind: { waiting: 1, since: at(0) } });
    expect([(await told(WEEK)).failed, (await told(WEEK + 1)).failed]).toEqual([1, 0]);
    const of = async (ms: number) => (await channels(db).undelivered(['ours'], at(ms)))('ours');
    expect([await of(WEEK), await of(WEEK + 1)]).toEqual([
      { failed: 1, waiting: 2, next_at: at(0) },
      { failed: 0, waiting: 0, next_at: null },
    ]);
  });

  it('is deleted a day after a change has arrived, a week after it has not, and never while it waits', async () => {
    const DAY = 24 * HOUR;
    await channel('hook');
    for (const state of ['waiting', 'failed', 'sent', 'dropped'] as const)
      await message(state, 'hook', { state, place: '1' });
    await message('no change', 'hook', { state: 'sent' });
    const left = async (before: number, ms: number) => {
      await messages(db).prune(at(before), at(ms));
      return (await db.selectFrom('messages').select('id').orderBy('id').execute()).map(({ id }) => id);
    };
    expect(await left(0, DAY)).toHaveLength(5);
    expect(await left(0, DAY + 1)).toEqual(['failed', 'no change', 'waiting']);
    expect(await left(0, 7 * DAY)).toHaveLength(3);
    expect(await left(0, 7 * DAY + 1)).toEqual(['no change', 'waiting']);
    expect(await left(1, 7 * DAY + 1)).toEqual(['waiting']);
  });

  it('is seen by its person alone, with all of its bundle', async () => {
    for (const user_id of ['rosa', 'sam']) await channel(user_id, { kind: 'device', user_id });
    await message('one', 'rosa', { bundle: 'a', state: 'sent' });
    await message('same', 'rosa', { bundle: 'a', state: 'sent' });
    await message('other', 'rosa', { bundle: 'b', state: 'sent' });
    await message('his', 'sam', { bundle: 'a', state: 'sent' });
    const seen = async () => {
      const rows = await db.selectFrom('messages').select('id').where('seen_at', 'is not', null).execute();
      return rows.map(({ id }) => id).toSorted();
    };
    await messages(db).see('rosa', ['one'], at(1));
    expect(await seen()).toEqual(['one', 'same']);
    await messages(db).see('rosa', undefined, at(2));
    expect(await seen()).toEqual(['one', 'other', 'same']);
    expect((await messages(db).one('one'))!.seen_at).toBe(at(1));
  });
});
