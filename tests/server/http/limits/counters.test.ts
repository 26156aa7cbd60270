import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { Caller } from '../../../../server/accounts/guard.ts';
import { isLimited, limitRequests, perMinute } from '../../../../server/http/limits/requestLimits.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');

it('allows a number of calls within any minute, to each caller their own', () => {
  let time = START;
  const mayCall = perMinute(2, () => new Date(time));
  expect([mayCall('rosa'), mayCall('rosa'), mayCall('rosa'), mayCall('sam')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  time += 59_999;
  expect(mayCall('rosa')).toBe(false);
  time += 1;
  expect([mayCall('rosa'), mayCall('rosa'), mayCall('rosa')]).toEqual([true, true, false]);
});

it('holds nobody back by calls that have not come yet, after the clock was set back', () => {
  let time = START;
  const mayCall = perMinute(1, () => new Date(time));
  expect(mayCall('rosa')).toBe(true);
  time -= 60 * 60_000;
  expect([mayCall('rosa'), mayCall('rosa')]).toEqual([true, false]);
});

it('counts requests by session, by display and by address, and nothing else', async () => {
  const limited = async (
    limits: Parameters<typeof limitRequests>[1],
    callers: (Caller | null)[],
    ip?: string,
  ) => {
    const check = limitRequests(Fastify(), limits);
    const outcomes: boolean[] = [];
    for (const caller of callers)
      outcomes.push(
        await check({ ip: ip ?? '192.0.2.1', caller, routeOptions: { config: {} as never } }).then(
          () => false,
          () => true,
        ),
      );
    return outcomes;
  };
  const session = (sessionId: string) => ({ type: 'session', userId: 'rosa', sessionId }) as Caller;
  const wall = (displayId: string): Caller => ({ type: 'display', userId: 'rosa', displayId });
  const key: Caller = { type: 'api_key', userId: 'rosa', keyId: 'key', tier: 'free' };
  const two = { perSession: 2, perAddress: null };
  expect(await limited(two, [session('a'), session('a'), session('b'), session('a')])).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(await limited(two, [wall('a'), wall('a'), wall('b'), wall('a')])).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(await limited(two, [key, key, key, null, null, null])).toEqual(Array(6).fill(false));
  expect(await limited({ perSession: null, perAddress: 2 }, [key, wall('a'), null])).toEqual([
    false,
    false,
    true,
  ]);
  expect(await limited({ perSession: null, perAddress: null }, [key, key, null])).toEqual(
    Array(3).fill(false),
  );
});

it('limits the calls that take more than a moment’s work, and no page', () => {
  expect([
    isLimited({ costs: 'work' }),
    isLimited({ costs: 'little' }),
    isLimited({}),
    isLimited(undefined),
  ]).toEqual([true, false, false, false]);
});
