import { expect, it } from 'vitest';
import { eventNear, eventsIndex } from '../../../../../server/watches/matching/rules/eventsNear.ts';
import type { LonLat } from '../../../../../server/geography/roads/roadTable.ts';
import { area, route, square } from './matchingWorld.ts';

/** 70 km due north along the second meridian. */
const NORTH = route({
  type: 'line',
  points: [
    [-2, 53],
    [-2, 53.63],
  ],
});
const KM = 1 / 111.3;
const beside = (km: number, offKm: number): LonLat => [-2 + offKm * KM * 1.668, 53 + km * KM];

it.each<[words: string, km: number, offKm: number, expected: string | null]>([
  ['on the way', 35, 0, '0.0 km from the route'],
  ['on the way, just near enough', 35, 0.9, '0.9 km from the route'],
  ['on the way, too far', 35, 1.2, null],
  ['near its beginning', 5, 2.8, '2.8 km from the route'],
  ['near its end', 66, 2.8, '2.8 km from the route'],
  ['near its beginning, too far', 5, 3.3, null],
  ['just past the first ten kilometres', 11, 2.8, null],
])('%s', (_, km, offKm, expected) => {
  const [x, y] = beside(km, offKm);
  expect(eventNear(NORTH, x, y)?.why ?? null).toBe(expected);
  // Events that the index leaves out are not near.
  const near = eventsIndex([{ longitude: x, latitude: y }]).near(NORTH);
  if (expected) expect(near).toEqual([0]);
});

it('is in an area or not', () => {
  const leeds = area({ type: 'Polygon', coordinates: [square([-1.55, 53.8], 0.05)] });

  expect(eventNear(leeds, -1.55, 53.8)).toEqual({ why: 'inside the area', km: null, off_m: null });
  expect(eventNear(leeds, -1.55, 53.9)).toBeNull();
  expect(eventsIndex([]).near(leeds)).toEqual([]);
});

it('is near the nearer end of a way that ends beside its beginning', () => {
  const MANY = 400; // more points than one part of a line has
  const along = (x: number, index: number): LonLat => [x, 53 + (0.63 * index) / (MANY - 1)];
  const EAST = -2 + KM * 1.668;
  const thereAndBack = route({
    type: 'line',
    points: [
      ...Array.from({ length: MANY }, (_, index) => along(-2, index)),
      ...Array.from({ length: MANY }, (_, index) => along(EAST, MANY - 1 - index)),
    ],
  });
  const [x, y] = beside(1, -1.5);
  expect(eventNear(thereAndBack, x, y)).toMatchObject({ why: '1.5 km from the route' });
  const [otherX, otherY] = beside(1, 2.5);
  expect(eventNear(thereAndBack, otherX, otherY)).toMatchObject({ why: '1.5 km from the route' });
});
