import { removeBefore } from '../../../server/db/statements.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../server/db/open.ts';
import { docsTickets, REPEAT_SECONDS, sessions } from '../../../server/accounts/sessions.ts';
import { users } from '../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from './people.ts';

const START = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
const after = (ms: number) => new Date(START.getTime() + ms);
const LIFE_MS = 30 * DAY_MS;

describe.each(DATABASES)('sessions on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;

  async function signIn(
    userId = 'ann',
    id = `${userId}-session`,
    tokenHash = `${id}-0`,
    { lifeMs = LIFE_MS, tokenMs = LIFE_MS } = {},
  ) {
    await sessions(db).start({
      session: {
        id,
        user_id: userId,
        created_at: START.toISOString(),
        last_used_at: START.toISOString(),
        expires_at: after(lifeMs).toISOString(),
        revoked_at: null,
        revoked_reason: null,
        display_id: null,
      },
      tokenHash,
      tokenExpiresAt: after(tokenMs),
    });
    return id;
  }

  /** Tokens by their hashes. Successors are derived from their parents, so a hash here is only a name. */
  const exchange = (tokenHash: string, ms: number, on = db) =>
    sessions(on).exchange({
      tokenHash,
      successorHash: `${tokenHash}'`,
      successorExpiresAt: after(ms + LIFE_MS),
      now: after(ms),
    });
  const outcomes = async (...steps: [string, number][]) => {
    const seen: string[] = [];
    for (const [tokenHash, ms] of steps) seen.push((await exchange(tokenHash, ms)).outcome);
    return seen;
  };
  const isLive = async (id = 'ann-session', ms = 1000) => Boolean(await sessions(db).caller(id, after(ms)));

  beforeEach(async () => {
    db = database.db;
    await users(db).insert(person('ann'));
    await users(db).insert(person('bob'));
  });

  describe('a refresh token', () => {
    const T = 'ann-session-0';
    const WINDOW = REPEAT_SECONDS * 1000;
    const CASES: { promise: string; steps: [string, number][]; outcomes: string[]; lives: boolean }[] = [
      { promise: 'is exchanged for its successor', steps: [[T, 0]], outcomes: ['rotated'], lives: true },
      {
        promise: 'and so is that, time after time',
        steps: [
          [T, 0],
          [`${T}'`, 60_000],
          [`${T}''`, 120_000],
        ],
        outcomes: ['rotated', 'rotated', 'rotated'],
        lives: true,
      },
      {
        promise: 'is answered again within a minute, as often as it comes',
        steps: [
          [T, 0],
          [T, 1],
          [T, WINDOW],
        ],
        outcomes: ['rotated', 'repeated', 'repeated'],
        lives: true,
      },
      {
        promise: 'is answered again when its reply was lost and the app has waited 15 s for it, twice',
        steps: [
          [T, 0],
          [T, 15_000],
          [T, 30_000],
        ],
        outcomes: ['rotated', 'repeated', 'repeated'],
        lives: true,
      },
      {
        promise: 'revokes its session when it comes after that',
        steps: [
          [T, 0],
          [T, WINDOW + 1],
        ],
        outcomes: ['rotated', 'reused'],
        lives: false,
      },
      {
        promise: 'revokes its session when its successor is in use already',
        steps: [
          [T, 0],
          [`${T}'`, 1000],
          [T, 2000],
        ],
        outcomes: ['rotated', 'rotated', 'reused'],
        lives: false,
      },
      {
        promise: 'revokes all its descendants too',
        steps: [
          [T, 0],
          [T, WINDOW + 1],
          [`${T}'`, WINDOW + 1000],
          [T, WINDOW + 2000],
        ],
        outcomes: ['rotated', 'reused', 'refused', 'refused'],
        lives: false,
      },
      {
        promise: 'that was never issued is refused',
        steps: [['unknown', 0]],
        outcomes: ['refused'],
        lives: true,
      },
      {
        promise: 'that has expired is refused',
        steps: [[T, LIFE_MS]],
        outcomes: ['refused'],
        lives: true,
      },
      {
        promise: 'is valid to its last moment',
        steps: [[T, LIFE_MS - 1]],
        outcomes: ['rotated'],
        lives: true,
      },
      {
        promise: 'sent by a clock that is behind is not reuse',
        steps: [
          [T, 5000],
          [T, 0],
        ],
        outcomes: ['rotated', 'repeated'],
        lives: true,
      },
    ];
    it.each(CASES)('$promise', async ({ steps, outcomes: expected, lives }) => {
      await signIn();
      expect(await outcomes(...steps)).toEqual(expected);
      expect(await isLive()).toBe(lives);
    });

    it('says whose session it is, also when it was reused, and nothing when refused', async () => {
      await signIn();
      const whose = { sessionId: 'ann-session', userId: 'ann', displayId: null };
      expect(await exchange(T, 0)).toEqual({ outcome: 'rotated', ...whose });
      expect(await exchange(T, 1)).toEqual({ outcome: 'repeated', ...whose });
      expect(await exchange(T, WINDOW + 1)).toEqual({ outcome: 'reused', ...whose });
      expect(await exchange(T, WINDOW + 2)).toEqual({ outcome: 'refused' });
    });

    it('revokes no other session of the same user', async () => {
      await signIn('ann', 'tablet');
      await signIn('ann', 'wall');
      expect(await outcomes(['tablet-0', 0], ['tablet-0', WINDOW + 1])).toEqual(['rotated', 'reused']);
      expect([await isLive('tablet'), await isLive('wall')]).toEqual([false, true]);
    });

    it('is refused if its session was revoked or its user was disabled', async () => {
      await signIn('ann');
      await signIn('bob');
      await sessions(db).revoke('ann-session', 'ann', 'logout', after(1));
      await db.updateTable('users').set({ is_active: 0 }).where('id', '=', 'bob').execute();
      expect(await outcomes(['ann-session-0', 2], ['bob-session-0', 2])).toEqual(['refused', 'refused']);
    });

    it('keeps a session alive for as long as it is used', async () => {
      await signIn();
      let token = T;
      for (let day = 20; day <= 80; day += 20) {
        expect((await exchange(token, day * DAY_MS)).outcome).toBe('rotated');
        token += `'`;
      }
      // The session ends on its 90th day all the same.
      expect(await isLive('ann-session', 90 * DAY_MS - 1)).toBe(true);
      expect(await isLive('ann-session', 90 * DAY_MS)).toBe(false);
    });

    it('is refused from the 90th day on, whatever end was stored with it', async () => {
      await signIn('ann', 'long', 'long-0', { lifeMs: 100 * DAY_MS, tokenMs: 100 * DAY_MS });
      expect(await outcomes(['long-0', 90 * DAY_MS], ['long-0', 90 * DAY_MS - 1])).toEqual([
        'refused',
        'rotated',
      ]);
    });

    it('is answered again, or counts as reuse, by its own successor alone', async () => {
      await signIn('ann', 'tablet');
      await signIn('ann', 'wall');
      expect(
        await outcomes(['tablet-0', 0], ["tablet-0'", 1], ['wall-0', DAY_MS], ['wall-0', DAY_MS + 1]),
      ).toEqual(['rotated', 'rotated', 'rotated', 'repeated']);
    });

    it('is refused from the instant at which it or its session ends, whichever is first', async () => {
      for (const [id, ends] of [
        ['of-session', { lifeMs: 5000 }],
        ['of-token', { tokenMs: 5000 }],
      ] as const) {
        await signIn('ann', id, `${id}-0`, ends);
        expect((await exchange(`${id}-0`, 5000)).outcome).toBe('refused');
        expect((await exchange(`${id}-0`, 4999)).outcome).toBe('rotated');
      }
    });

    it('sent by many at once is exchanged once, and all get the same successor', async () => {
      const other = await database.node();
      for (let round = 0; round < 10; round += 1) {
        const id = await signIn('ann', `race-${round}`);
        const seen = await Promise.all(
          Array.from({ length: 8 }, (_, n) => exchange(`${id}-0`, n, n % 2 ? other : db)),
        );
        expect(seen.map(({ outcome }) => outcome).sort()).toEqual([
          ...Array.from({ length: 7 }, () => 'repeated'),
          'rotated',
        ]);
        expect(await isLive(id)).toBe(true);
        const tokens = await db
          .selectFrom('refresh_tokens')
          .select('token_hash')
          .where('session_id', '=', id)
          .execute();
        expect(tokens).toHaveLength(2);
      }
    });
  });

  describe('the caller', () => {
    it('is the user of a live session', async () => {
      await signIn();
      expect(await sessions(db).caller('ann-session', after(0))).toEqual({
        user: person('ann'),
        displayId: null,
        expiresAt: after(LIFE_MS).toISOString(),
        security: { password_until: null, factor_since: null },
      });
      expect(await sessions(db).caller('nobody', after(0))).toBeUndefined();
      expect(await sessions(db).caller('ann-session', after(LIFE_MS))).toBeUndefined();
    });

    it('is nobody once the user is disabled', async () => {
      await signIn();
      await db.updateTable('users').set({ is_active: 0 }).where('id', '=', 'ann').execute();
      expect(await sessions(db).caller('ann-session', after(0))).toBeUndefined();
    });
  });

  describe('revoking', () => {
    it('works once, and only for the session of that user', async () => {
      await signIn();
      expect(await sessions(db).revoke('ann-session', 'bob', 'logout', after(1))).toBe(false);
      expect(await isLive()).toBe(true);
      expect(await sessions(db).revoke('ann-session', 'ann', 'logout', after(1))).toBe(true);
      expect(await isLive()).toBe(false);
      expect(await sessions(db).revoke('ann-session', 'ann', 'logout', after(2))).toBe(false);
      expect(await sessions(db).revoke('odd\u0000id', 'ann', 'logout', after(2))).toBe(false);
    });

    it('can end all of one user, and none of another', async () => {
      await signIn('ann', 'tablet');
      await signIn('ann', 'wall');
      await signIn('bob');
      expect(await sessions(db).revokeAllOf('ann', 'disabled', after(1))).toBe(2);
      expect([await isLive('tablet'), await isLive('wall'), await isLive('bob-session')]).toEqual([
        false,
        false,
        true,
      ]);
    });
  });

  it('can all be ended for one user, except the one that asks', async () => {
    await signIn('ann', 'tablet');
    await signIn('ann', 'desk');
    expect(await sessions(db).revokeAllOf('ann', 'password', after(1), 'desk')).toBe(1);
    expect([await isLive('tablet'), await isLive('desk')]).toEqual([false, true]);
  });

  it('are listed while they live, each with its user', async () => {
    await signIn('ann', 'tablet');
    await signIn('bob');
    const listed = async (ms: number) => (await sessions(db).ofUser('ann', after(ms))).map(({ id }) => id);
    expect(await listed(LIFE_MS - 1)).toEqual(['tablet']);
    expect(await listed(LIFE_MS)).toEqual([]);
    await sessions(db).revoke('tablet', 'ann', 'logout', after(1));
    expect(await listed(2)).toEqual([]);
  });

  it('know for a quarter of an hour that the password was given, and not beyond a clock that was set back', async () => {
    await signIn('ann', 'tablet');
    await signIn('ann', 'desk');
    const isConfirmed = (id: string, ms: number) => sessions(db).isConfirmed(id, after(ms));
    const quarter = 15 * 60_000;
    expect([await isConfirmed('desk', quarter - 1), await isConfirmed('desk', quarter)]).toEqual([
      true,
      false,
    ]);
    expect([await isConfirmed('desk', 0), await isConfirmed('desk', -1)]).toEqual([true, false]);
    await sessions(db).noteConfirmed('desk', after(DAY_MS));
    expect([await isConfirmed('desk', DAY_MS), await isConfirmed('tablet', DAY_MS)]).toEqual([true, false]);
    await sessions(db).revoke('desk', 'ann', 'logout', after(DAY_MS));
    expect([await isConfirmed('desk', DAY_MS), await isConfirmed('nobody', DAY_MS)]).toEqual([false, false]);
  });

  it('are given for a ticket once, until it ends, and none is given for another', async () => {
    await signIn();
    const tickets = docsTickets(db);
    for (const ticket_hash of ['one', 'two', 'three'])
      await tickets.keep({ ticket_hash, session_id: 'ann-session', expires_at: after(60_000) });
    expect(await tickets.redeem('unknown', after(0))).toBeUndefined();
    expect(await tickets.redeem('one', after(59_999))).toBe('ann-session');
    expect(await tickets.redeem('one', after(59_999))).toBeUndefined();
    expect(await tickets.redeem('two', after(60_000))).toBeUndefined();
    await removeBefore(db, 'docs_tickets', 'expires_at', after(60_000));
    expect(await db.selectFrom('docs_tickets').select('ticket_hash').execute()).toHaveLength(1);
    await removeBefore(db, 'docs_tickets', 'expires_at', after(60_001));
    expect(await db.selectFrom('docs_tickets').select('ticket_hash').execute()).toHaveLength(0);
  });

  it('are deleted with their tokens when they are over, and never while they live', async () => {
    await signIn('ann', 'revoked');
    await signIn('ann', 'used');
    await signIn('ann', 'unused');
    await sessions(db).revoke('revoked', 'ann', 'logout', after(1));
    await exchange('used-0', 20 * DAY_MS);
    await sessions(db).prune(after(1));
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(3);
    await sessions(db).prune(after(LIFE_MS));
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(2);
    expect(await db.selectFrom('refresh_tokens').select('token_hash').execute()).toHaveLength(3);
    await sessions(db).prune(after(LIFE_MS + 1));
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(1);
    await sessions(db).prune(after(31 * DAY_MS));

    const kept = await db.selectFrom('sessions').select('id').execute();
    const tokens = await db.selectFrom('refresh_tokens').select('token_hash').execute();
    expect(kept).toEqual([{ id: 'used' }]);
    expect(tokens).toEqual([{ token_hash: `used-0'` }]);
  });

  it('are deleted with their user', async () => {
    await signIn();
    await db.deleteFrom('users').where('id', '=', 'ann').execute();
    expect(await db.selectFrom('refresh_tokens').selectAll().execute()).toEqual([]);
  });
});
