/** When what did not arrive is tried again, and how long an address rests. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_LIMITS } from '#contract/messages/channels.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { channels, type NewChannelRow, STANDARD } from '../../../../server/delivery/outbox/channelStore.ts';
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

it('waits as long as it is asked to, and never less than it would', () => {
  const after = (afterMs: number) => seconds(nextTry(HOOK, 2, answered(429, afterMs), NOW, middle));
  expect([after(0), after(299_000), after(900_000)]).toEqual([300, 300, 900]);
});

it('an address rests only where it asks for that, for 5 seconds at least and six hours at most', () => {
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

/** What the store of channels and messages answers at its bounds: two teams, an address that fails, a clock set back. */
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

  it('turns off an address at which nothing arrived for three days, not a moment before', async () => {
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

  it('counts those days again from a clock that was set back, and not for a device or before it was confirmed', async () => {
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

  it('works again where something has arrived, but a mailbox is confirmed by its owner alone', async () => {
    await channel('failing', { state: 'failing' });
    await channel('hook', { state: 'unconfirmed' });
    await channel('mail', { state: 'unconfirmed', kind: 'email', user_id: 'rosa' });
    for (const id of ['failing', 'hook', 'mail']) await channels(db).noteOk(await stored(id), at(5));
    const states = await Promise.all(['failing', 'hook', 'mail'].map(stored));
    expect(states.map(({ state }) => state)).toEqual(['working', 'working', 'unconfirmed']);
    // One that was turned off while a message was on its way stays off.
    const before = await stored('failing');
    await channels(db).change('failing', { state: 'off' }, at(6));
    await channels(db).noteOk(before, at(7));
    expect(await stored('failing')).toMatchObject({ state: 'off', last_ok: at(5) });
  });

  it('has room for the last that is allowed and not for the next, each team and each person their own', async () => {
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

  it('is due from its time on, the oldest first, and never beside one that is under way', async () => {
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

  it('waits for what is told before it of the same incident, and for an address that asked for a rest', async () => {
    await channel('hook');
    await message('closed', 'hook', { about: 'm62', place: '1', next_at: at(HOUR) });
    await message('open again', 'hook', { about: 'm62', place: '2' });
    expect(await due(0)).toEqual([]);
    await messages(db).settle('closed', { state: 'sent', next_at: null });
    expect(await due(0)).toEqual(['open again']);
    const rest = (ms: number) =>
      db
        .updateTable('channels')
        .set({ wait_until: at(ms) })
        .where('id', '=', 'hook')
        .execute();
    await rest(HOUR);
    expect(await due(HOUR - 1)).toEqual([]);
    expect(await due(HOUR)).toEqual(['open again']);
    // A rest of more than six hours is from a clock that was ahead.
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
});
