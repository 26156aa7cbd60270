import { expect, it } from 'vitest';
import { perMinute } from '../../../../server/http/limits/requestLimits.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');

it('allows so many calls within any minute, each caller their own', () => {
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
