import { beforeEach, describe, expect, it } from 'vitest';
import { knownCallers } from '../../../server/accounts/guard.ts';
import { apiKeys } from '../../../server/accounts/keys/apiKeys.ts';
import { sessions } from '../../../server/accounts/sessions.ts';
import { users } from '../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { person } from './people.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;

describe.each(DATABASES)('callers found lately, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let time: number;
  let searches: number;
  let known: ReturnType<typeof knownCallers<{ name: string; until: number }>>;

  const ann = async () => {
    searches++;
    return { name: 'Ann', until: START + HOUR_MS };
  };

  beforeEach(async () => {
    time = START;
    searches = 0;
    known = knownCallers({ db: database.db, now: () => new Date(time) });
    await users(database.db).insert(person('ann'));
    await sessions(database.db).start({
      session: {
        id: 'her-session',
        user_id: 'ann',
        created_at: new Date(START).toISOString(),
        last_used_at: new Date(START).toISOString(),
        expires_at: new Date(START + HOUR_MS).toISOString(),
        revoked_at: null,
        revoked_reason: null,
        display_id: null,
      },
      tokenHash: 'hash',
      tokenExpiresAt: new Date(START + HOUR_MS),
    });
    await apiKeys(database.db).insert(
      {
        id: 'her-key',
        user_id: 'ann',
        name: 'Timetable',
        key_hash: 'hash',
        sealed: 'sealed',
        key_prefix: 'cw_live_abcd',
        rate_limit_tier: 'free',
        scope: 'read',
        created_at: new Date(START).toISOString(),
      },
      5,
    );
  });

  it('are searched for again only when their time is over, each by what they sent', async () => {
    expect(await known('a', ann)).toMatchObject({ name: 'Ann' });
    expect(await known('a', ann)).toMatchObject({ name: 'Ann' });
    expect(searches).toBe(1);
    await known('b', ann);
    expect(searches).toBe(2);

    time = START + HOUR_MS - 1;
    await known('a', ann);
    expect(searches).toBe(2);
    time = START + HOUR_MS;
    await known('a', ann);
    expect(searches).toBe(3);
  });

  it('are searched for again after the clock was set back', async () => {
    await known('a', ann);
    time = START - 1;
    await known('a', ann);
    expect(searches).toBe(2);
  });

  it('nobody and unknown callers are never kept', async () => {
    expect(await known('a', async () => null)).toBeNull();
    await expect(known('a', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
    expect(await known('a', ann)).toMatchObject({ name: 'Ann' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a session ends', () => sessions(database.db).revoke('her-session', 'ann', 'logout', new Date(START))],
    [
      'all sessions of a user end',
      () => sessions(database.db).revokeAllOf('ann', 'disabled', new Date(START)),
    ],
    ['a user is disabled', () => users(database.db).change('ann', { is_active: 0 })],
    ['a user is given another role', () => users(database.db).change('ann', { role: 'admin' })],
    ['a user is deleted', () => users(database.db).change('ann', null)],
    ['a key is deleted', () => apiKeys(database.db).remove('her-key', 'ann')],
    ['a key is given another tier', () => apiKeys(database.db).setTier('her-key', 'pro')],
  ])('are searched for again once %s, on another node as well', async (_name, change) => {
    const elsewhere = knownCallers({ db: await database.node(), now: () => new Date(time) });
    await known('a', ann);
    await elsewhere('a', ann);
    await change();
    await known('a', ann);
    await elsewhere('a', ann);
    expect(searches).toBe(4);
  });

  it('stay known while people sign in and are seen', async () => {
    await known('a', ann);
    await users(database.db).noteLogin('ann', new Date(START));
    await sessions(database.db).exchange({
      tokenHash: 'hash',
      successorHash: 'next',
      successorExpiresAt: new Date(START + HOUR_MS),
      now: new Date(START).toISOString(),
    });
    await known('a', ann);
    expect(searches).toBe(1);
  });

  it('are not kept when something changed while they were searched for', async () => {
    await known('a', async () => {
      const before = await ann();
      await users(database.db).change('ann', { is_active: 0 });
      await known('b', ann); // which sees the change first
      return before;
    });
    await known('a', ann);
    expect(searches).toBe(3);
  });
});
