import { expect, it } from 'vitest';
import script from '../../../../public/first.js?raw';
import { isWall } from '../../../../src/device/address/useAddress.ts';

it.each([
  ['/disruptions', '?display=wall', true],
  ['/Disruptions/', '?x=1&display=%77ALL', true],
  ['/disruptions', '?display=%20wall', true],
  ['/disruptions', '?display=wall-e', false],
  ['/disruptions', '?display=board&display=wall', false],
  ['/disruptions', '?foo?display=wall', false],
  ['/disruptions', '', false],
  ['/map', '?display=wall', false],
])('%s%s', (pathname, search, expected) => {
  const dataset: Record<string, string> = {};
  new Function('location', 'document', script)({ pathname, search }, { documentElement: { dataset } });
  expect(dataset['theme']).toBe(expected ? 'board' : undefined);
  expect(isWall(pathname, search)).toBe(expected);
});
