import { expect, it } from 'vitest';
import type { Position } from '#contract/watches/watches.ts';
import { drawnOf, legsOf, moved, withPoints } from '../../../../../src/screens/watches/making/drawnLine.ts';

const A: Position = [-1.5, 53.8];
const B: Position = [-1.6, 53.8];
const C: Position = [-1.7, 53.8];
const D: Position = [-1.8, 53.8];

it('is one leg for following stretches of one road, and is read again from its legs', () => {
  const drawn = { points: [A, B, C, D], roads: ['a58', 'A58', ''] };
  const legs = legsOf(drawn);
  expect(legs).toEqual([
    { type: 'line', points: [A, B, C], road: 'A58' },
    { type: 'line', points: [C, D] },
  ]);
  expect(drawnOf(legs)).toEqual({ points: [A, B, C, D], roads: ['A58', 'A58', ''] });
  expect(drawnOf([{ type: 'road', road: 'M62', from: 'J27', to: 'J29', sense: 1 }])).toBeNull();
});

it('keeps the roads of the stretches that stay', () => {
  const drawn = { points: [A, B, C, D], roads: ['A58', 'A64', 'A1'] };
  expect(withPoints(drawn, [A, C, D]).roads).toEqual(['A58', 'A1']);
  expect(withPoints(drawn, [A, B, C]).roads).toEqual(['A58', 'A64']);
  expect(withPoints(drawn, [A, B, C, D, A]).roads).toEqual(['A58', 'A64', 'A1', '']);
  expect(withPoints(drawn, [A]).roads).toEqual([]);
});

it('moves a point by 100 m with the arrow keys', () => {
  expect(moved(A, 'ArrowUp')).toEqual([-1.5, 53.8009]);
  expect(moved(A, 'ArrowRight')).toEqual([-1.49848, 53.8]);
  expect(moved(A, 'x')).toBeNull();
});
