import { expect, it } from 'vitest';
import { keptTogether } from '../../../../src/feeds/alerts/titles.ts';

it('keeps words together that belong together if a line wraps', () => {
  // _ is a no-break space.
  for (const kept of [
    'Leeds to Shipley: up_to_45_minutes late',
    'M62_eastbound, J26 Chain Bar to_J27 Gildersome: two lanes closed',
    'A1(M)_northbound: lane_1 closed until_11:00',
    'M25_anticlockwise: 3_miles',
    'River_Aire at Kirkstall: 0.4_m over its banks',
    'Leeds_Bradford Airport: gusts of 61_knots',
  ])
    expect(keptTogether(kept.replaceAll('_', ' ')).replaceAll('\u00a0', '_')).toBe(kept);
});
