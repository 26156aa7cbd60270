import { expect, it } from 'vitest';
import { shapesOf } from '../../../src/maps/shapes.ts';

const line = (east: number) => ({
  type: 'LineString',
  coordinates: [
    [east, 53.7],
    [east + 1, 53.8],
  ],
});
const incident = (event_id: string, severity: 'critical' | 'low', geometry: unknown) => ({
  alert: { event_id, severity, geometry },
  staleSince: null,
});

it('draws the worst above the others, and the selected one above all', () => {
  const incidents = [
    incident('a', 'critical', line(-3)),
    incident('b', 'low', line(-2)),
    incident('c', 'low', { type: 'Point', coordinates: [-1, 53] }),
    incident('d', 'low', undefined),
  ];
  const drawn = (selected: string | null) =>
    shapesOf(incidents, selected).features.map(({ properties }) => [
      properties!['grade'],
      properties!['selected'],
    ]);
  expect(drawn(null)).toEqual([
    ['low', false],
    ['critical', false],
  ]);
  expect(drawn('b')).toEqual([
    ['critical', false],
    ['low', true],
  ]);
});

it('draws unconfirmed incidents as such, and is the same object while there is nothing', () => {
  const stale = { ...incident('a', 'critical', line(-3)), staleSince: new Date() };
  expect(shapesOf([stale], null).features[0]!.properties).toMatchObject({ stale: true });
  expect(shapesOf([], null)).toBe(shapesOf([], 'a'));
});
