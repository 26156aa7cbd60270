import { expect, it } from 'vitest';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import { outlineOf } from '../../../../server/watches/watchDraft.ts';

const polygon = (...ring: [number, number][]): Geometry => ({ type: 'Polygon', coordinates: [ring] });
const SQUARE = polygon([-2, 53], [-1, 53], [-1, 54], [-2, 54], [-2, 53]);

const CASES: [what: string, geometry: Geometry | null, reachM: number | null, problem: string | null][] = [
  ['a square', SQUARE, null, null],
  ['a circle', { type: 'Point', coordinates: [-1.5, 53.8] }, 5000, null],
  [
    'a bow',
    polygon([-2, 53], [-1, 54], [-1, 53], [-2, 54], [-2, 53]),
    null,
    'The outline crosses itself between points 1 and 3.',
  ],
  [
    'an outline that goes back on itself',
    polygon([-2, 53], [-1, 53], [-1, 54], [-1, 53], [-2, 53]),
    null,
    'The outline crosses itself between points 1 and 3.',
  ],
  [
    'a line',
    polygon([-2, 53], [-1, 53], [-2, 53]),
    null,
    'The outline of an area needs three points that are not on one line.',
  ],
  [
    'an open outline',
    polygon([-2, 53], [-1, 53], [-1, 54], [-2, 54]),
    null,
    'The outline of an area ends where it begins.',
  ],
  [
    'Paris',
    { type: 'Point', coordinates: [2.35, 48.85] },
    5000,
    'This line lies outside the United Kingdom and Ireland.',
  ],
  [
    'an outline across the 180th meridian',
    polygon([179, 53], [-179, 53], [-179, 54], [179, 53]),
    null,
    'This line lies outside the United Kingdom and Ireland.',
  ],
  [
    'a circle without a radius',
    { type: 'Point', coordinates: [-1.5, 53.8] },
    null,
    'The circle of an area has a radius from 1 to 50 km.',
  ],
  [
    'a line',
    { type: 'LineString', coordinates: [] },
    null,
    'An area is a Point with reach_m as its radius, or a Polygon with one outline, in degrees, longitude first.',
  ],
  [
    'nothing',
    null,
    null,
    'An area is a Point with reach_m as its radius, or a Polygon with one outline, in degrees, longitude first.',
  ],
  [
    'an empty outline',
    polygon(),
    null,
    'The outline of an area needs three points that are not on one line.',
  ],
];

it.each(CASES)('%s', (_, geometry, reachM, problem) => {
  const outline = outlineOf(geometry, reachM);
  expect('problem' in outline ? outline.problem : null).toBe(problem);
});

it('finds a crossing in the longest outline', () => {
  const ring = Array.from({ length: 499 }, (_, at): [number, number] => {
    const angle = (at / 499) * 2 * Math.PI;
    return [-2 + Math.cos(angle), 53 + Math.sin(angle) / 2];
  });
  expect(outlineOf(polygon(...ring, ring[0]!), null)).toHaveProperty('points');
  const crossed = ring.with(250, [-1.2, 53]);
  expect(outlineOf(polygon(...crossed, ring[0]!), null)).toHaveProperty('points');
  expect(outlineOf(polygon(...ring.with(250, [-0.5, 53.01]), ring[0]!), null)).toHaveProperty('problem');
});

it('counts an outline before it looks at it', () => {
  // Every edge crosses the box of every other: each pair must be tested.
  const comb = Array.from({ length: 4000 }, (_, at): [number, number] => [-2 + at / 4000, 52 + (at % 2)]);
  const asked: unknown[] = comb.map(
    (point, at) =>
      new Proxy(point, { get: (of, name) => (touched.add(at), Reflect.get(of, name) as unknown) }),
  );
  const touched = new Set<number>();
  const outline = outlineOf({ type: 'Polygon', coordinates: [asked] }, null);
  expect(outline).toEqual({ problem: 'An outline may have 500 points. This has 4,000.' });
  expect(touched.size).toBe(0);
});
