import { expect, it } from 'vitest';
import { frameAround, type LonLat, pathOf, toPixels } from '../../../src/maps/frame.ts';

const LEEDS: LonLat = [-1.55, 53.8];
const HULL: LonLat = [-0.33, 53.74];
const SIZE = { wide: 270, high: 170, nearest: 12, farthest: 4 };

it('has one place in its middle, at the given scale', () => {
  const frame = frameAround([LEEDS], SIZE);
  expect(frame.zoom).toBe(12);
  expect(toPixels(LEEDS, frame)).toEqual([0, 0]);
  const [right, down] = toPixels(HULL, frame);
  expect(right).toBeGreaterThan(3000);
  expect(down).toBeGreaterThan(0);
});

it('is as far away as the whole stretch needs, with its ends on both sides', () => {
  const frame = frameAround([LEEDS, HULL], SIZE);
  const [[west], [east]] = [toPixels(LEEDS, frame), toPixels(HULL, frame)];
  expect(west).toBe(-east);
  expect(east - west).toBeLessThanOrEqual(270);
  expect(east - west).toBeGreaterThan(130);
});

it('draws a closed path only on request', () => {
  const frame = frameAround([LEEDS], SIZE);
  expect(pathOf([[LEEDS, HULL]], frame)).toMatch(/^M0 0L[\d.]+ [\d.]+$/);
  expect(pathOf([[LEEDS, HULL, LEEDS]], frame, true)).toMatch(/Z$/);
});
