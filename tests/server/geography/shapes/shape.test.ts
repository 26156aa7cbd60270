import { describe, expect, it } from 'vitest';
import type { Point } from '../../../../server/geography/shapes/geometry.ts';
import {
  areaShape,
  drawnWithin,
  GEOMETRY_MAX_BYTES,
  lineShape,
  pointsShape,
} from '../../../../server/geography/shapes/shape.ts';
import { isInNorthernIreland } from '../../../../server/geography/shapes/northernIreland.ts';

const at = (latitude: number, longitude: number): Point => ({ latitude, longitude });
const read = (geometry: string) => JSON.parse(geometry) as { type: string; coordinates: never };
/** Points on a circle of this many degrees of latitude around Leeds. */
const circle = (count: number, radius: number) =>
  Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return at(53.8 + radius * Math.sin(angle), -1.5 + 1.7 * radius * Math.cos(angle));
  });

it('has longitude before latitude, at five decimals, and the box around it', () => {
  expect(lineShape([[at(53.7654321, -1.7654321), at(53.7, -1.6), at(53.7, -1.6)]])).toEqual({
    geometry: '{"type":"LineString","coordinates":[[-1.76543,53.76543],[-1.6,53.7]]}',
    north: 53.76543,
    south: 53.7,
    west: -1.76543,
    east: -1.6,
  });
});

const TYPES: [rule: string, geometry: string | undefined, type: string | undefined][] = [
  ['one point', pointsShape([at(53, -1)])?.geometry, 'Point'],
  ['several points', pointsShape([at(53, -1), at(54, -1)])?.geometry, 'MultiPoint'],
  ['no point', pointsShape([])?.geometry, undefined],
  ['two lines', lineShape([circle(5, 0.1), circle(6, 0.2)])?.geometry, 'MultiLineString'],
  [
    'a line of one point beside a real one',
    lineShape([circle(5, 0.1), [at(53, -1)]])?.geometry,
    'LineString',
  ],
  ['a line of one point', lineShape([[at(53, -1)]])?.geometry, undefined],
  ['one area', areaShape([[circle(20, 0.1)]])?.geometry, 'Polygon'],
  ['two areas', areaShape([[circle(20, 0.1)], [circle(20, 0.2)]])?.geometry, 'MultiPolygon'],
  ['an area of two points', areaShape([[circle(2, 0.1)]])?.geometry, undefined],
  ['no area', areaShape([])?.geometry, undefined],
];
it.each(TYPES)('%s', (_rule, geometry, type) => {
  expect(geometry && read(geometry).type).toBe(type);
});

describe('a large area', () => {
  it('has at most 400 points in a ring, closed, and none that moves it by less than 100 metres', () => {
    const coast = circle(20_000, 1).map(({ latitude, longitude }, index) =>
      at(latitude + (index % 2) * 0.02, longitude),
    );
    const [ring] = read(areaShape([[coast]])!.geometry).coordinates as [number, number][][];
    expect(ring!.length).toBeLessThanOrEqual(400);
    expect(ring!.length).toBeGreaterThan(3);
    expect(ring![0]).toEqual(ring!.at(-1));

    const smooth = read(areaShape([[circle(2000, 0.01)]])!.geometry).coordinates as [number, number][][];
    expect(smooth[0]!.length).toBeLessThan(40);
  });

  it('keeps its holes', () => {
    const { coordinates } = read(areaShape([[circle(50, 0.5), circle(50, 0.2)]])!.geometry);
    expect(coordinates).toHaveLength(2);
  });

  it('and a small one stays an area', () => {
    const [ring] = read(areaShape([[circle(30, 0.0002)]])!.geometry).coordinates as [number, number][][];
    expect(ring!.length).toBeGreaterThan(3);
    expect(ring![0]).toEqual(ring!.at(-1));
  });
});

it('a line that is far too long becomes coarser until it fits', () => {
  const wild = Array.from({ length: 50_000 }, (_, index) =>
    at(53 + index / 50_000, -1 + (index % 2) * 0.001),
  );
  const { geometry } = lineShape([wild])!;
  expect(geometry.length).toBeLessThanOrEqual(GEOMETRY_MAX_BYTES);
  expect(read(geometry).coordinates).not.toHaveLength(0);
});

it('draws a stored line or area within a number of characters, coarser but whole, and no point', () => {
  const rough = circle(2000, 0.5).map(({ latitude, longitude }, index) =>
    at(latitude + (index % 2) * 0.0004, longitude),
  );
  const stored = [lineShape([rough]), lineShape([rough, circle(900, 0.2)]), areaShape([[circle(400, 1)]])];
  for (const { geometry } of stored.map((shape) => shape!)) {
    const drawn = drawnWithin(geometry, 2000)!;
    expect(drawn.type).toBe(read(geometry).type);
    expect(JSON.stringify(drawn.coordinates).length).toBeLessThanOrEqual(2000);
    expect(JSON.stringify(drawn.coordinates).length).toBeGreaterThan(100);
  }
  const small = lineShape([circle(4, 0.1)])!.geometry;
  expect(JSON.stringify(drawnWithin(small, 2000))).toBe(small);
  expect(drawnWithin(pointsShape([at(53, -1)])!.geometry, 2000)).toBeNull();
  // Ends and corners of many small parts are more than that.
  const many = lineShape(Array.from({ length: 60 }, (_, index) => circle(9, 0.1 + index / 100)))!.geometry;
  expect(drawnWithin(many, 500)).toBeNull();
});

it('keeps an area closed, and drops an island that is too small to be seen', () => {
  const island = circle(30, 0.001).map(({ latitude, longitude }) => at(latitude, longitude + 2));
  const { geometry } = areaShape([[circle(300, 1)], [island]])!;
  const drawn = drawnWithin(geometry, 1500)!.coordinates as number[][][][];
  expect(drawn).toHaveLength(1);
  const [[ring]] = drawn as [[number[][]]];
  expect(ring!.at(-1)).toEqual(ring![0]);
});

it('counts Portavogie and Rathlin as Northern Ireland, but neither Campbeltown nor the Isle of Man', () => {
  expect(isInNorthernIreland(-5.61, 55.42)).toBe(false);
  expect(isInNorthernIreland(-5.64, 55.32)).toBe(false); // Southend, on Kintyre
  expect(isInNorthernIreland(-4.48, 54.15)).toBe(false);
  expect(isInNorthernIreland(-5.44, 54.46)).toBe(true);
  expect(isInNorthernIreland(-6.2, 55.29)).toBe(true);
});
