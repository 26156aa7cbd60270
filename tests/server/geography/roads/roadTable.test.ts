import { expect, it } from 'vitest';
import {
  along,
  junctionIndex,
  labelOf,
  roadTable,
  senseOf,
  type Chain,
  type LonLat,
  type Sign,
} from '../../../../server/geography/roads/roadTable.ts';

const chainOf = (id: string): Chain => roadTable().chain(id)!;

const middle = ([west, south]: LonLat, [east, north]: LonLat): LonLat => [
  (west + east) / 2,
  (south + north) / 2,
];

it('places each point between neighbouring waypoints, even between the last and first of a ring', () => {
  for (const chain of roadTable().chains) {
    const { waypoints, isOrbital, breaks } = chain;
    for (const [index, { point }] of waypoints.entries()) {
      const next = waypoints[index + 1] ?? (isOrbital ? waypoints[0] : undefined);
      if (!next || breaks.has(index)) continue;
      const { at, off } = along(chain, middle(point, next.point))!;
      expect(off, `${chain.id} ${labelOf(waypoints[index]!)}`).toBeLessThan(0.05);
      expect(at, `${chain.id} ${labelOf(waypoints[index]!)}`).toBeCloseTo(index + 0.5, 1);
    }
  }
});

it('places nothing on a road where it is interrupted', () => {
  const m62 = chainOf('M62');
  const [j12, j18] = [junctionIndex(m62, 'J12'), junctionIndex(m62, 'J18')];
  const { at, off } = along(m62, middle(m62.waypoints[j12]!.point, m62.waypoints[j18]!.point))!;
  expect([j12, j18]).toContain(at);
  expect(off).toBeGreaterThan(4);
});

it('measures how far off the road a point is', () => {
  // A mile east of the M1 at Heath.
  expect(along(chainOf('M1'), [-1.3, 53.2])!.off).toBeCloseTo(1.7, 0);
});

it.each([
  ['M1', 'J21A', 'J21A'],
  ['M1', '21a', 'J21A'],
  ['M4', 'J8', 'J8/9'],
  ['M4', '9', 'J8/9'],
  ['M1', 'J3', undefined],
])('finds on the %s the junction %s: %s', (id, asked, label) => {
  expect(chainOf(id).waypoints[junctionIndex(chainOf(id), asked)]?.junction).toBe(label);
});

it.each<[string, Sign, number | null]>([
  ['M1', 'N', 1],
  ['M1', 'S', -1],
  ['M40', 'W', 1],
  ['M20', 'coast', 1],
  ['M25', 'AC', -1],
  ['M1', 'E', null],
])('reads the signs of the %s: %s', (id, sign, sense) => {
  expect(senseOf(chainOf(id), sign)).toBe(sense);
});

it('finds roads by number, however it is written', () => {
  expect(
    ['m62', 'M 62', 'J5'].map((name) =>
      roadTable()
        .named(name)
        .map(({ id }) => id),
    ),
  ).toEqual([['M62'], ['M62'], []]);
});
