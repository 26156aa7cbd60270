import { beforeEach, describe, expect, it } from 'vitest';
import type { Tier } from '#contract/accounts/keyTiers.ts';
import { apiKeys } from '../../../../server/accounts/keys/apiKeys.ts';
import { iso } from '../../../../server/db/instant.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { users } from '../../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../people.ts';

const NOW = '2026-11-21T23:30:00.000Z';
const later = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000);

const row = (id: string, changes: Partial<RowOf<'api_keys'>> = {}): RowOf<'api_keys'> => ({
  id,
  user_id: 'ann',
  name: id,
  key_hash: `hash of ${id}`,
  key_prefix: 'cw_live_7Kq2',
  sealed: null,
  rate_limit_tier: 'free',
  scope: 'read',
  created_at: '2026-11-01T08:00:00.000Z',
  ...changes,
});

describe.each(DATABASES)('API keys on $engine', ({ open }) => {
  const database = useDatabase(open);
  const keys = () => apiKeys(database.db);
  const spend = (
    id: string,
    limit: number | null,
    at: Date | string,
    { userId = 'ann', tier = 'free' as Tier, from = keys() } = {},
  ) => from.spend({ userId, tier, uses: [{ keyId: id, used: 1, at: iso(at) }] }, limit, at);
  beforeEach(async () => {
    for (const id of ['ann', 'ben']) await users(database.db).insert(person(id));
  });

  it('are listed for their owner alone, newest first, with the use of this day and month in UTC', async () => {
    await keys().insert(row('old'), 9);
    await keys().insert(row('new', { created_at: '2026-11-02T08:00:00.000Z' }), 9);
    await keys().insert(row('other', { user_id: 'ben' }), 9);
    await spend('old', 9, '2026-10-31T23:59:59.999Z');
    await spend('old', 9, '2026-11-01T00:00:00.000Z');
    for (const minute of [0, 1]) await spend('old', 9, later(minute));

    const found = await keys().ofUser('ann', later(2));
    expect(found.map(({ id }) => id)).toEqual(['new', 'old']);
    expect(found[0]).toEqual({
      ...row('new', { created_at: '2026-11-02T08:00:00.000Z' }),
      last_used_at: null,
      requests_today: 0,
      requests_month: 0,
    });
    const use = { last_used_at: later(1).toISOString(), requests_today: 2, requests_month: 3 };
    expect(found[1]).toMatchObject(use);
    expect(await keys().one('old', 'ann', later(2))).toMatchObject(use);
    expect(await keys().one('old', 'ann', later(60))).toMatchObject({ requests_today: 0, requests_month: 3 });
    expect(await keys().one('old', 'ben', NOW)).toBeUndefined();
  });

  it('are counted up to the limit and no further, from nought each day', async () => {
    await keys().insert(row('a'), 9);
    const spent = [];
    for (const at of [NOW, NOW, NOW, later(60)]) spent.push(await spend('a', 2, at));
    expect(spent).toEqual([1, 2, null, 1]);
    // A tier that was lowered in between has nothing left; a tier without a limit goes on.
    expect(await spend('a', 1, NOW)).toBeNull();
    expect(await spend('a', null, NOW)).toBe(3);
  });

  it('share one count for owner and tier, even when one is deleted and another is made', async () => {
    for (const id of ['a', 'b', 'pro']) await keys().insert(row(id), 9);
    await keys().insert(row('other', { user_id: 'ben' }), 9);
    expect([await spend('a', 3, NOW), await spend('b', 3, NOW)]).toEqual([1, 2]);
    expect(await spend('other', 3, NOW, { userId: 'ben' })).toBe(1);
    expect(await spend('pro', 3, NOW, { tier: 'pro' })).toBe(1);

    await keys().remove('a', 'ann');
    await keys().insert(row('new'), 9);
    expect([await spend('new', 3, NOW), await spend('new', 3, NOW), await spend('b', 3, NOW)]).toEqual([
      3,
      null,
      null,
    ]);
    // Each key shows its own use, and all of them show the rest of the owner's quota.
    const today = (await keys().ofUser('ann', NOW)).map(({ id, requests_today }) => [id, requests_today]);
    expect(Object.fromEntries(today)).toEqual({ b: 1, new: 1, pro: 1 });
    expect(await keys().usedToday('ann', 'free', NOW)).toBe(3);
    expect(await keys().usedToday('ann', 'enterprise', NOW)).toBe(0);
    expect(await keys().usedToday('ann', 'free', later(60))).toBe(0);
  });

  it('are marked as used by a free call too, within some minutes', async () => {
    await keys().insert(row('a'), 9);
    const lastUsed = async () => {
      const [{ last_used_at, requests_today } = {}] = await keys().ofUser('ann', NOW);
      return [last_used_at, requests_today];
    };
    await keys().noteUse('a', NOW);
    expect(await lastUsed()).toEqual([NOW, 0]);
    await keys().noteUse('a', later(1));
    expect(await lastUsed()).toEqual([NOW, 0]);
    await keys().noteUse('a', later(6));
    expect(await lastUsed()).toEqual([later(6).toISOString(), 0]);
    expect(await keys().usedToday('ann', 'free', NOW)).toBe(0);
  });

  it('are counted exactly when two nodes count at once', async () => {
    await keys().insert(row('a'), 9);
    const other = apiKeys(await database.node());
    const spent = await Promise.all(
      Array.from({ length: 120 }, (_, n) => spend('a', 100, NOW, { from: n % 2 ? other : keys() })),
    );
    const granted = spent.filter((used) => used !== null);
    expect(granted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  it('are limited in number for each user, also when two are made at once', async () => {
    const other = apiKeys(await database.node());
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? other : keys()).insert(row(`k${n}`), 3)),
    );
    expect(made.filter(Boolean)).toHaveLength(3);
    expect(await keys().ofUser('ann', NOW)).toHaveLength(3);
    expect(await keys().insert(row('other', { user_id: 'ben' }), 3)).toBe(true);
  });

  it('are found by their hash while their owner is active', async () => {
    await keys().insert(row('a', { rate_limit_tier: 'pro' }), 9);
    const expected = { id: 'a', user_id: 'ann', rate_limit_tier: 'pro', scope: 'read' };
    expect(await keys().inUse('hash of a')).toEqual(expected);
    expect(await keys().inUse('hash of b')).toBeUndefined();

    await database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', 'ann').execute();
    expect(await keys().inUse('hash of a')).toBeUndefined();
  });

  it('are deleted with their owner, and by their owner alone', async () => {
    for (const id of ['a', 'b']) {
      await keys().insert(row(id), 9);
      await spend(id, 9, NOW);
    }
    expect(await keys().remove('a', 'ben')).toBe(false);
    expect(await keys().remove('a', 'ann')).toBe(true);
    expect(await keys().remove('a', 'ann')).toBe(false);
    expect(await keys().inUse('hash of a')).toBeUndefined();

    await database.db.deleteFrom('users').where('id', '=', 'ann').execute();
    expect(await keys().inUse('hash of b')).toBeUndefined();
    // A call under way when its key was deleted counts for nobody.
    await spend('a', 9, NOW);
    await keys().pruneUsage('2020-01-01T00:00:00.000Z');
    expect(await database.db.selectFrom('api_key_usage').selectAll().execute()).toEqual([]);
    await keys().pruneUsage(later(60));
    expect(await database.db.selectFrom('api_quota_usage').selectAll().execute()).toEqual([]);
  });

  it('keep the day on which they were last used, however long ago', async () => {
    await keys().insert(row('a'), 9);
    for (const at of ['2025-01-01T10:00:00Z', '2025-01-02T10:00:00Z']) await spend('a', 9, at);
    await keys().pruneUsage(NOW);

    const days = await database.db.selectFrom('api_key_usage').select('day').execute();
    expect(days).toEqual([{ day: '2025-01-02' }]);
    expect((await keys().ofUser('ann', NOW))[0]?.last_used_at).toBe('2025-01-02T10:00:00.000Z');
  });

  it('keep the counts of the first day that is kept, and of each day of a key that is used', async () => {
    await keys().insert(row('a'), 9);
    const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
    for (const day of days) await spend('a', 9, `${day}T10:00:00.000Z`);
    const kept = async () => [
      (await database.db.selectFrom('api_quota_usage').select('day').orderBy('day').execute()).map(
        ({ day }) => day,
      ),
      (await database.db.selectFrom('api_key_usage').select('day').orderBy('day').execute()).map(
        ({ day }) => day,
      ),
    ];
    await keys().pruneUsage('2026-11-20T23:59:59.999Z');
    expect(await kept()).toEqual([days, days]);
    await keys().pruneUsage('2026-11-21T00:00:00.000Z');
    expect(await kept()).toEqual([days.slice(1), days.slice(1)]);
  });

  it('have nothing to spend if the limit is nought, and one call if it is one', async () => {
    await keys().insert(row('a'), 9);
    expect([await spend('a', 0, NOW), await spend('a', 1, NOW), await spend('a', 1, NOW)]).toEqual([
      null,
      1,
      null,
    ]);
  });

  it('get another tier by id or prefix, which may be the prefix of several', async () => {
    await keys().insert(row('a'), 9);
    await keys().insert(row('b', { user_id: 'ben' }), 9);
    const ids = async (name: string) => (await keys().named(name, NOW)).map(({ id }) => id);

    expect([await ids('a'), await ids('cw_live_7Kq2'), await ids('%')]).toEqual([['a'], ['a', 'b'], []]);
    expect(await keys().setTier('a', 'enterprise')).toBe(true);
    expect(await keys().setTier('c', 'enterprise')).toBe(false);
    expect((await keys().named('a', NOW))[0]?.rate_limit_tier).toBe('enterprise');
  });
});
