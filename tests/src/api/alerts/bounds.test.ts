import { expect, it } from 'vitest';
import { touches } from '../../../../src/api/alerts/geometry.ts';

const HEATHROW = { north: 51.48, south: 51.46, east: -0.43, west: -0.47 };
/** The middle between Acton Town and Heathrow, 8 km from both. */
const OSTERLEY = { latitude: 51.4875, longitude: -0.3672 };

it('finds a line in view that reaches it, although its middle is elsewhere', () => {
  expect(touches(HEATHROW, OSTERLEY, 8)).toBe(true);
  expect(touches(HEATHROW, OSTERLEY, 3)).toBe(false);
  expect(touches(HEATHROW, OSTERLEY, 0)).toBe(false);
  expect(touches(HEATHROW, { latitude: 51.47, longitude: -0.45 }, 0)).toBe(true);
});
