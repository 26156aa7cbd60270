import { removeBefore } from '../../../../server/db/statements.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Heartbeat } from '#contract/displays/displays.ts';
import { displays } from '../../../../server/accounts/displays/displays.ts';
import type { Db } from '../../../../server/db/open.ts';
import { pairings } from '../../../../server/accounts/displays/pairings.ts';
import { sessions } from '../../../../server/accounts/sessions.ts';
import { users } from '../../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../people.ts';

const START = new Date('2026-11-21T12:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const after = (ms: number) => new Date(START.getTime() + ms).toISOString();

const HEARTBEAT: Heartbeat = {
  build: 'abc123',
  data_age_seconds: 12,
  screen: { width: 1920, height: 1080, pixel_ratio: 2 },
  wake_lock: 'held',
  visibility: 'visible',
  heap_bytes: 3_000_000_000,
};

describe.each(DATABASES)('displays on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;

  const ask = (code = 'code', changes: { network?: string; asked?: number } = {}) =>
    pairings(db).ask({
      device_code_hash: `device ${code}`,
      user_code_hash: code,
      user_agent: 'A television',
      address: '192.0.2.1',
      network: changes.network ?? 'address:192.0.2.1',
      asked_at: after(changes.asked ?? 0),
      expires_at: after((changes.asked ?? 0) + 10 * MINUTE),
      interval_seconds: 5,
    });

  const approve = (code = 'code', ms = MINUTE, ownerId = 'ann') =>
    displays(db).approve({
      id: `display ${code}`,
      userCodeHash: code,
      name: `The ${code} room`,
      ownerId,
      pickUpBefore: after(ms + 10 * MINUTE),
      now: after(ms),
    });

  const exchange = async (tokenHash: string, ms: number) => {
    const exchanged = await sessions(db).exchange({
      tokenHash,
      successorHash: `${tokenHash}'`,
      successorExpiresAt: after(ms + 90 * DAY),
      now: after(ms),
      holder: 'display',
    });
    if (exchanged.displayId) await displays(db).noteSeen(exchanged.displayId, after(ms));
    return exchanged.outcome;
  };

  /** A display that has fetched its credential. */
  async function pair(code = 'code', ownerId = 'ann') {
    await ask(code);
    await approve(code, MINUTE, ownerId);
    await exchange(`device ${code}`, 2 * MINUTE);
    return `display ${code}`;
  }

  const states = async (ms: number) => (await displays(db).all(after(ms))).map(({ state }) => state);
  const poll = async (ms: number, code = 'code') => {
    const { state, intervalSeconds } = await pairings(db).poll(`device ${code}`, after(ms));
    return `${state} ${intervalSeconds}`;
  };

  beforeEach(async () => {
    db = database.db;
    await users(db).insert(person('ann'));
    await users(db).insert(person('bob'));
  });

  describe('a pairing', () => {
    it('is pending, and permanently slows down a display that asks too often', async () => {
      await ask();
      expect(await poll(0)).toBe('pending 5');
      expect(await poll(4.5 * SECOND)).toBe('pending 5'); // the network brought them together
      expect(await poll(6 * SECOND)).toBe('slow_down 10');
      expect(await poll(12 * SECOND)).toBe('slow_down 15');
      expect(await poll(27 * SECOND)).toBe('pending 15');
    });

    it('expires, is decided once, and is found by its own code alone', async () => {
      for (const code of ['late', 'yes', 'no']) await ask(code);
      expect(await poll(10 * MINUTE, 'late')).toBe('expired 5');
      expect(await approve('late', 10 * MINUTE)).toBe(false);
      expect(await approve('nowhere')).toBe(false);

      expect(await approve('yes')).toBe(true);
      expect(await approve('yes')).toBe(false);
      expect(await pairings(db).decide('yes', 'denied', after(MINUTE))).toBeUndefined();
      expect(await pairings(db).decide('no', 'denied', after(MINUTE))).toBeDefined();
      expect(await approve('no')).toBe(false);
      expect([await poll(MINUTE, 'yes'), await poll(MINUTE, 'no')]).toEqual(['approved 5', 'denied 5']);
      expect(await poll(MINUTE, 'nowhere')).toBe('unknown 0');
    });

    it('is approved only once, even by two people at the same time', async () => {
      await ask();
      const node = await database.node();
      const both = await Promise.all(
        [db, node].map((on, place) =>
          displays(on).approve({
            id: `display ${place}`,
            userCodeHash: 'code',
            name: 'Twice',
            ownerId: 'ann',
            pickUpBefore: after(5 * MINUTE),
            now: after(MINUTE),
          }),
        ),
      );
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await states(MINUTE)).toEqual(['paired']);
    });

    it('has a code of its own, and is counted by address while it waits and asks', async () => {
      await ask('a');
      await ask('b', { network: 'elsewhere' });
      await ask('c', { asked: 5 * MINUTE });
      await ask('abandoned');
      const again = pairings(db).ask({
        device_code_hash: 'another device',
        user_code_hash: 'a',
        user_agent: '',
        address: '',
        network: '',
        asked_at: after(0),
        expires_at: after(MINUTE),
        interval_seconds: 5,
      });
      expect(await again).toBe(false);
      for (const code of ['a', 'b', 'c']) await poll(6 * MINUTE - 5000, code);
      expect(await pairings(db).openFrom('address:192.0.2.1', after(6 * MINUTE))).toBe(2);
      await pairings(db).decide('c', 'denied', after(6 * MINUTE));
      expect(await pairings(db).openFrom('address:192.0.2.1', after(6 * MINUTE))).toBe(1);
      // A display stops counting a minute after it last asked, once its code has expired.
      await poll(10 * MINUTE - 1, 'abandoned');
      expect(await pairings(db).openFrom('address:192.0.2.1', after(10 * MINUTE - 1))).toBe(1);
      expect(await pairings(db).openFrom('address:192.0.2.1', after(10 * MINUTE))).toBe(0);
      await ask('d', { asked: 10 * MINUTE });
      expect(await pairings(db).openFrom('address:192.0.2.1', after(11 * MINUTE - 1))).toBe(1);
      expect(await pairings(db).openFrom('address:192.0.2.1', after(11 * MINUTE))).toBe(0);
      await removeBefore(db, 'pairings', 'expires_at', after(10 * MINUTE));
      expect(await pairings(db).byUserCode('a')).toBeDefined();
      await removeBefore(db, 'pairings', 'expires_at', after(11 * MINUTE));
      expect(await pairings(db).byUserCode('a')).toBeUndefined();
      expect(await pairings(db).byUserCode('c')).toBeDefined();
    });
  });

  describe('the credential', () => {
    it('is exchanged once for the device code, in time, and again only while the answer may be lost', async () => {
      await ask();
      await approve();
      expect(await exchange('device code', 2 * MINUTE)).toBe('rotated');
      expect(await exchange('device code', 2 * MINUTE + 9 * SECOND)).toBe('repeated');
      expect(await exchange("device code'", 80 * DAY)).toBe('rotated');
      expect(await states(160 * DAY)).toEqual(['paired']);
      expect(await exchange('device code', 160 * DAY)).toBe('refused'); // itself out of date
      expect(await exchange("device code'", 85 * DAY)).toBe('reused');
      expect(await states(85 * DAY)).toEqual(['signed_out']);

      await ask('slow');
      await approve('slow');
      expect(await exchange('device slow', 11 * MINUTE)).toBe('refused');
    });

    it('does not work as its owner’s, and its owner’s tokens do not work as a display’s', async () => {
      await pair();
      const asUser = await sessions(db).exchange({
        tokenHash: "device code'",
        successorHash: 'x',
        successorExpiresAt: after(DAY),
        now: after(3 * MINUTE),
      });
      expect(asUser.outcome).toBe('refused');

      await sessions(db).start({
        session: {
          id: 'their own',
          user_id: 'ann',
          created_at: after(0),
          last_used_at: after(0),
          expires_at: after(DAY),
          revoked_at: null,
          revoked_reason: null,
          display_id: null,
        },
        tokenHash: 'their token',
        tokenExpiresAt: after(DAY),
      });
      expect(await exchange('their token', MINUTE)).toBe('refused');
      expect(await exchange("device code'", 4 * MINUTE)).toBe('rotated');
    });

    it('ends with the account that approved it, unless another takes the display over', async () => {
      const [kept, left] = [await pair('kept'), await pair('left')];
      await displays(db).giveTo(kept, 'bob');
      const disable = (is_active: number) =>
        db.updateTable('users').set({ is_active }).where('id', '=', 'ann').execute();

      // A person's displays stay paired when they sign out everywhere or get a new password.
      expect(await sessions(db).revokeAllOf('ann', 'password changed', after(DAY))).toBe(0);
      expect(await states(DAY)).toEqual(['paired', 'paired']);
      await disable(0);
      expect(await states(DAY)).toEqual(['paired', 'signed_out']);
      expect(await exchange("device left'", DAY)).toBe('refused');
      await disable(1);
      expect(await exchange("device left'", DAY)).toBe('rotated');

      await displays(db).endThoseOf('ann', after(DAY));
      expect(await exchange("device left''", DAY)).toBe('refused');
      await db.deleteFrom('users').where('id', '=', 'ann').execute();
      expect(await states(DAY)).toEqual(['paired', 'signed_out']);
      expect((await displays(db).byId(left, after(DAY)))?.owner).toBeNull();
      expect((await displays(db).byId(kept, after(DAY)))?.owner).toEqual({ id: 'bob', display_name: 'bob' });
    });

    it('passes to another active administrator if its owner is deleted, and can still be blanked', async () => {
      const admin = { role: 'admin' } as const;
      await db.updateTable('users').set(admin).where('id', '=', 'ann').execute();
      await users(db).insert({ ...person('a disabled one'), ...admin, is_active: 0 });
      await users(db).insert(person('a user'));
      await users(db).insert({ ...person('zoe'), ...admin });
      const id = await pair('hall');

      await displays(db).endThoseOf('ann', after(DAY));
      await db.deleteFrom('users').where('id', '=', 'ann').execute();

      const kept = await db.selectFrom('sessions').select(['user_id', 'revoked_reason']).execute();
      expect(kept).toEqual([{ user_id: 'zoe', revoked_reason: 'owner deleted' }]);
      expect(await states(DAY)).toEqual(['signed_out']);
      await displays(db).revoke(id, { blank: true }, after(DAY));
      expect(await displays(db).mustBlank("device hall'", after(2 * DAY))).toBe(true);
      expect(await states(2 * DAY)).toEqual(['blanked']);
    });
  });

  it('report, are listed by name, and are renamed', async () => {
    const [a, b] = [await pair('a'), await pair('b')];
    await displays(db).noteHeartbeat(b, HEARTBEAT, after(DAY));
    await displays(db).rename(b, 'above all');

    const [first, second] = await displays(db).all(after(DAY));
    expect(first).toMatchObject({ id: b, name: 'above all', last_seen_at: after(DAY), report: HEARTBEAT });
    expect(second).toMatchObject({
      id: a,
      name: 'The a room',
      last_seen_at: after(2 * MINUTE),
      report: null,
    });
    expect(await displays(db).byId('nobody', after(0))).toBeUndefined();
  });

  it('are revoked, and are blanked when they show any token that they ever held', async () => {
    const [a, b] = [await pair('a'), await pair('b')];
    await displays(db).revoke(a, { blank: false }, after(DAY));
    await displays(db).revoke(b, { blank: true }, after(DAY));
    expect(await states(DAY)).toEqual(['revoked', 'blanking']);
    expect(await exchange("device a'", DAY)).toBe('refused');
    await sessions(db).prune(after(60 * DAY));

    expect(await displays(db).mustBlank("device a'", after(70 * DAY))).toBe(false);
    expect(await displays(db).mustBlank("device b'", after(70 * DAY))).toBe(true);
    expect(await displays(db).mustBlank('unknown', after(70 * DAY))).toBe(false);
    expect(await states(70 * DAY)).toEqual(['revoked', 'blanked']);

    await displays(db).revoke(a, { blank: true }, after(71 * DAY));
    expect(await displays(db).mustBlank("device a'", after(71 * DAY))).toBe(true);
  });

  it('ended once: a later order changes neither the time nor the reason', async () => {
    const id = await pair();
    await displays(db).revoke(id, { blank: false }, after(DAY));
    await displays(db).revoke(id, { blank: true }, after(2 * DAY));
    await displays(db).revoke(id, { blank: true }, after(3 * DAY));
    await displays(db).renew(id, after(300 * DAY), after(3 * DAY));
    await displays(db).endThoseOf('ann', after(4 * DAY));
    const session = await db
      .selectFrom('sessions')
      .select(['revoked_at', 'revoked_reason', 'expires_at'])
      .executeTakeFirst();
    expect(session).toEqual({
      revoked_at: after(DAY),
      revoked_reason: 'display revoked',
      expires_at: after(2 * MINUTE + 90 * DAY),
    });
    const asked = await db.selectFrom('displays').select('blank_asked_at').executeTakeFirst();
    expect(asked).toEqual({ blank_asked_at: after(2 * DAY) });
  });

  it('are deleted long after their end, with their sessions, or when nobody claimed them', async () => {
    await pair('ended');
    const lives = await pair('lives');
    await ask('absent');
    await approve('absent');
    const ended = (await displays(db).all(after(0))).find(({ name }) => name.includes('ended'))!;
    await displays(db).revoke(ended.id, { blank: false }, after(DAY));
    const names = async () => (await displays(db).all(after(DAY))).map(({ name }) => name);

    await displays(db).prune({ endedBefore: after(DAY), neverSeenBefore: after(MINUTE) });
    expect(await names()).toHaveLength(3);
    await displays(db).prune({ endedBefore: after(2 * DAY), neverSeenBefore: after(2 * MINUTE) });
    expect(await names()).toEqual(['The lives room']);
    expect(await db.selectFrom('sessions').select('display_id').execute()).toEqual([{ display_id: lives }]);
    // The credential is valid for 90 days from the time when it was fetched.
    const end = 2 * MINUTE + 90 * DAY;
    await displays(db).prune({ endedBefore: after(end), neverSeenBefore: after(0) });
    expect(await names()).toHaveLength(1);
    await displays(db).prune({ endedBefore: after(end + 1), neverSeenBefore: after(0) });
    expect(await names()).toEqual([]);
  });
});
