import { expect, it } from 'vitest';
import { geometryOf, positionsOf } from '../../../../src/api/alerts/geometry.ts';

const LINE = [
  [-1.7, 53.7],
  [-1.6, 53.8],
];
const RING = [...LINE, [-1.5, 53.7], LINE[0]];

it.each([
  ['LineString', LINE, 'MultiLineString', 2],
  ['MultiLineString', [LINE, LINE], 'MultiLineString', 4],
  ['Polygon', [RING], 'MultiPolygon', 4],
  ['MultiPolygon', [[RING], [RING]], 'MultiPolygon', 8],
])('reads a %s', (type, coordinates, drawn, positions) => {
  const found = geometryOf({ geometry: { type, coordinates } })!;
  expect(found.type).toBe(drawn);
  expect(positionsOf(found)).toHaveLength(positions);
});

it.each([
  [undefined],
  [null],
  ['M62'],
  [{ type: 'Point', coordinates: [-1.7, 53.7] }],
  [{ type: 'LineString', coordinates: [] }],
  [{ type: 'LineString', coordinates: [[-1.7, null]] }],
  [{ type: 'Polygon', coordinates: LINE }],
  [{ type: 'toString', coordinates: [LINE] }],
  [{ type: 'LineString' }],
])('has nothing to draw of %j', (geometry) => {
  expect(geometryOf({ geometry })).toBeNull();
});
