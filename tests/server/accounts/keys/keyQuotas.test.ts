import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeyQuotas, keyQuotas } from '../../../../server/accounts/keys/keyQuotas.ts';
import { apiKeys } from '../../../../server/accounts/keys/apiKeys.ts';
import { users } from '../../../../server/accounts/users.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../people.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;
const MIDNIGHT = Date.parse('2026-11-22T00:00:00.000Z');
const LIMITS = { free: 1000, pro: 5, enterprise: null };
const ANNS = { userId: 'ann', tier: 'free', keyId: 'a' } as const;

describe.each(DATABASES)('quotas of API keys on $engine', ({ engine, open }) => {
  const database = useDatabase(open);
  let time: number;
  let begun: KeyQuotas[] = [];
  const quotas = () => {
    const one = keyQuotas({ db: database.db, limits: LIMITS, now: () => new Date(time) });
    begun.push(one);
    return one;
  };
  afterEach(() => vi.useRealTimers());
  afterEach(async () => {
    for (const one of begun) await one.close();
    begun = [];
  });
  const inDatabase = (tier: 'free' | 'pro' | 'enterprise' = 'free') =>
    apiKeys(database.db).usedToday('ann', tier, new Date(time));
  const usesOf = async (id: string) =>
    (await apiKeys(database.db).one(id, 'ann', new Date(time)))!.requests_today;

  beforeEach(async () => {
    time = START;
    await users(database.db).insert(person('ann'));
    for (const [id, rate_limit_tier] of [
      ['a', 'free'],
      ['b', 'free'],
    ] as const)
      await apiKeys(database.db).insert(
        {
          id,
          user_id: 'ann',
          name: id,
          key_hash: id,
          sealed: null,
          key_prefix: id,
          rate_limit_tier,
          scope: 'read',
          created_at: new Date(START).toISOString(),
        },
        5,
      );
  });

  it('are numbered one by one, and end at the limit exactly, one after the other or all at once', async () => {
    const one = quotas();
    const first: unknown[] = [];
    for (let call = 0; call < 300; call++) first.push(await one.spend(ANNS));
    const rest = await Promise.all(
      Array.from({ length: 800 }, (_, n) => one.spend({ ...ANNS, keyId: n % 2 ? 'a' : 'b' })),
    );
    const granted = [...first, ...rest].filter((used) => used !== null);
    expect(granted).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
    expect(await one.spend(ANNS)).toBeNull();

    await one.settle();
    expect(await inDatabase()).toBe(1000);
    expect((await usesOf('a')) + (await usesOf('b'))).toBe(1000);
  });

  it('are exact in the database once settled, whatever was counted ahead', async () => {
    const one = quotas();
    for (let call = 0; call < 40; call++) await one.spend(ANNS);
    await one.settle();
    expect(await inDatabase()).toBe(40);
    expect(await usesOf('a')).toBe(40);
    expect(await one.spend(ANNS)).toBe(41);
  });

  it('never count too little, even if the process was killed', async () => {
    const killed = quotas();
    for (let call = 0; call < 100; call++) await killed.spend(ANNS);
    expect(await inDatabase()).toBeGreaterThanOrEqual(100);
    expect(await inDatabase()).toBeLessThanOrEqual(100 + 18);
  });

  it('begin again at midnight, and give back to the day before', async () => {
    const one = quotas();
    time = MIDNIGHT - 1;
    for (let call = 0; call < 40; call++) await one.spend(ANNS);
    time = MIDNIGHT;
    expect(await one.spend(ANNS)).toBe(1);
    await one.settle();
    expect(await inDatabase()).toBe(1);
    time = MIDNIGHT - DAY_MS + 1;
    expect(await inDatabase()).toBe(40);
  });

  it('refuse no call while some are left, even if several callers ask for more than that', async () => {
    const one = quotas();
    const pro = { ...ANNS, tier: 'pro' } as const;
    const used = await Promise.all(Array.from({ length: 8 }, () => one.spend(pro)));
    expect(used).toEqual([1, 2, 3, 4, 5, null, null, null]);
    await one.settle();
    expect(await usesOf('a')).toBe(5);
  });

  it('say what was used to a call that costs nothing', async () => {
    const one = quotas();
    expect(await one.spare(ANNS)).toBe(0);
    for (let call = 0; call < 7; call++) await one.spend(ANNS);
    expect(await one.spare(ANNS)).toBe(7);
    await one.settle();
    expect(await usesOf('a')).toBe(7);
  });

  it('note the last use even after the clock was set back by a day', async () => {
    const one = quotas();
    const lastUse = async () => (await apiKeys(database.db).one('a', 'ann', new Date(time)))!.last_used_at;
    time = START + DAY_MS;
    await one.spare(ANNS);
    expect(await lastUse()).toBe('2026-11-22T12:00:00.000Z');
    time = START;
    await one.spare(ANNS);
    const rows = await database.db
      .selectFrom('api_key_usage')
      .select('last_used_at')
      .orderBy('day')
      .execute();
    expect(rows.map(({ last_used_at }) => last_used_at)).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-22T12:00:00.000Z',
    ]);
  });

  if (engine === 'postgres') return; // nothing is counted ahead there

  it('are not tried again after the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const one = quotas();
    for (let call = 0; call < 7; call++) await one.spend(ANNS);
    expect(vi.getTimerCount()).toBe(1);
    await database.db.schema.alterTable('api_quota_usage').renameTo('away').execute();
    await expect(one.close()).rejects.toThrow('api_quota_usage');
    expect(vi.getTimerCount()).toBe(0);
    await database.db.schema.alterTable('away').renameTo('api_quota_usage').execute();
  });
});
