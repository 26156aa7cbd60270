import { expect, it } from 'vitest';
import { frameAround, pathOf, toPixels } from '../../../../src/screens/alert/smallMapFrame.ts';
import type { Position } from '../../../../src/maps/land/ownDrawing.ts';

const LEEDS: Position = [-1.55, 53.8];
const HULL: Position = [-0.33, 53.74];

it('has one place in its middle, as close as asked', () => {
  const frame = frameAround([LEEDS], 12);
  expect(frame.zoom).toBe(12);
  expect(toPixels(LEEDS, frame)).toEqual([0, 0]);
  const [right, down] = toPixels(HULL, frame);
  expect(right).toBeGreaterThan(3000);
  expect(down).toBeGreaterThan(0);
});

it('is as far away as the whole stretch needs, with its ends on both sides', () => {
  const frame = frameAround([LEEDS, HULL], 12);
  const [[west], [east]] = [toPixels(LEEDS, frame), toPixels(HULL, frame)];
  expect(west).toBe(-east);
  expect(east - west).toBeLessThanOrEqual(270);
  expect(east - west).toBeGreaterThan(130);
});

it('draws a closed path only where asked', () => {
  const frame = frameAround([LEEDS], 12);
  expect(pathOf([[LEEDS, HULL]], frame)).toMatch(/^M0 0L[\d.]+ [\d.]+$/);
  expect(pathOf([[LEEDS, HULL, LEEDS]], frame, true)).toMatch(/Z$/);
});
