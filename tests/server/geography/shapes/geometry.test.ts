import { describe, expect, it } from 'vitest';
import {
  boundingBox,
  pointInside,
  toPoint,
  type Ring,
} from '../../../../server/geography/shapes/geometry.ts';

/** `latitude,longitude latitude,longitude …` */
const ring = (text: string): Ring =>
  text.split(' ').map((pair) => {
    const [latitude = 0, longitude = 0] = pair.split(',').map(Number);
    return { latitude, longitude };
  });

const SQUARE = ring('50,0 50,2 52,2 52,0 50,0');
const SMALL = ring('55,-1 55,-0.9 55.1,-0.9 55.1,-1');

describe('pointInside', () => {
  it.each([
    ['a square: its centre', [[SQUARE]], { latitude: 51, longitude: 1 }],
    ['a ring that does not repeat its first point', [[SQUARE.slice(0, 4)]], { latitude: 51, longitude: 1 }],
    ['a ring the other way round', [[SQUARE.toReversed()]], { latitude: 51, longitude: 1 }],
    ['the largest of several', [[SMALL], [SQUARE]], { latitude: 51, longitude: 1 }],
  ])('of %s', (_, polygons, expected) => {
    expect(pointInside(polygons)).toEqual(expected);
  });

  it('lies within a shape even if its centroid does not', () => {
    // Open to the east; its centre of mass is in the bay.
    const horseshoe = ring('54,-3 54,-1 53.9,-1 53.9,-2.9 53.1,-2.9 53.1,-1 53,-1 53,-3 54,-3');
    const point = pointInside([[horseshoe]]);

    expect(point).not.toBeNull();
    const inArms = point!.latitude > 53.9 || point!.latitude < 53.1 || point!.longitude < -2.9;
    expect(inArms).toBe(true);
    expect(boundingBox([...horseshoe, point!])).toEqual(boundingBox(horseshoe));
  });

  it('never lies in a hole', () => {
    const point = pointInside([[SQUARE, ring('50.2,0.2 50.2,1.8 51.8,1.8 51.8,0.2')]]);

    const inHole = Math.abs(point!.latitude - 51) < 0.8 && Math.abs(point!.longitude - 1) < 0.8;
    expect(inHole).toBe(false);
    expect(boundingBox([...SQUARE, point!])).toEqual(boundingBox(SQUARE));
  });

  it.each([
    ['no polygon', []],
    ['a polygon without rings', [[]]],
    ['a line', [[ring('50,0 51,1 50,0')]]],
    ['one place', [[ring('50,0 50,0 50,0')]]],
  ])('is none for %s', (_, polygons) => {
    expect(pointInside(polygons)).toBeNull();
  });
});

describe('toPoint', () => {
  it.each([
    [54.5, -3.2, { latitude: 54.5, longitude: -3.2 }],
    ['54.5', ' -3.2 ', { latitude: 54.5, longitude: -3.2 }],
    [0, 0, { latitude: 0, longitude: 0 }],
    [91, 0, null],
    [0, 181, null],
    [Number.NaN, 0, null],
    ['', '', null],
    ['north', 'west', null],
    [null, undefined, null],
    [[54], [3], null],
  ])('%s, %s', (latitude, longitude, expected) => {
    expect(toPoint(latitude, longitude)).toEqual(expected);
  });
});

describe('boundingBox', () => {
  it('spans all points', () => {
    expect(boundingBox([...SQUARE, ...SMALL])).toEqual({ north: 55.1, south: 50, east: 2, west: -1 });
  });

  it('is none without points', () => {
    expect(boundingBox([])).toBeNull();
  });
});
