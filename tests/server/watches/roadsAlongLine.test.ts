import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Resolved, type ExactLeg, type Leg } from '#contract/watches/watches.ts';
import { resolveLine } from '../../../server/watches/roadsAlongLine.ts';
import {
  labelOf,
  lineBetween,
  periodOf,
  roadTable,
  rulerAt,
  type LonLat,
} from '../../../server/geography/roads/roadTable.ts';
import { wayOf } from '../../../server/geography/roads/routeWay.ts';

const road = (name: string, from: string, to: string, sense: 1 | -1): Leg => ({
  type: 'road',
  road: name,
  from,
  to,
  sense,
});
const line = (coordinates: unknown[]) => ({ type: 'LineString' as const, coordinates });
const roadsIn = ({ legs }: Resolved) => (legs[0] as ExactLeg).roads; // a line is one exact leg
const lastWords = ({ problems }: Resolved) => problems.at(-1)!.text;

describe('the roads of a line', () => {
  it('are found, and named with their direction to be confirmed', async () => {
    const legs = [road('M1', 'J43', 'J6A', -1), road('M25', 'J21', 'J15', -1)];
    const resolved = Resolved.parse(await resolveLine({ geometry: wayOf(legs).geometry }));
    expect(lastWords(resolved)).toBe(
      'We think this runs on M1 J43–J6A southbound, M25 J21–J15 anti-clockwise.',
    );
    expect(resolved.length_km).toBeCloseTo(wayOf(legs).length_km, 0);
    expect(resolved.course.map(({ road }) => road)).toEqual(['M1', 'M25']);
  });

  it('include the other road where a road is another road', async () => {
    const { geometry } = wayOf([road('M62', 'J10', 'J27', 1)]);
    expect(lastWords(await resolveLine({ geometry }))).toBe(
      'We think this runs on M62 J10–J12 eastbound, M60 J12–J18 clockwise, M62 J18–J27 eastbound.',
    );
  });

  it('go on through the first junction of a ring', async () => {
    const { geometry } = wayOf([road('M25', 'J28', 'J3', 1)]);
    const resolved = await resolveLine({ geometry });
    expect(lastWords(resolved)).toBe('We think this runs on M25 J28–J3 clockwise.');
    const [found] = roadsIn(resolved);
    expect(found!.hi - found!.lo).toBeCloseTo(7, 0);
  });

  it('can be named by the author if the line is too short on them to be sure', async () => {
    const m1 = roadTable().chain('M1')!;
    const points = lineBetween(m1, 30.2, 30.5).points;
    expect(roadsIn(await resolveLine({ geometry: line(points) })).map(({ road }) => road)).not.toContain(
      'M1',
    );
    const named = await resolveLine({ geometry: line(points), roads: ['M1', 'M40'] });
    expect(roadsIn(named).map(({ road }) => road)).toContain('M1');
    expect(named.problems.map(({ text }) => text)).toContain('We do not find the M40 along this line.');
  });

  it('may be none', async () => {
    const geometry = line([
      [-4.6, 50.9],
      [-4.55, 50.9],
    ]);
    expect(lastWords(await resolveLine({ geometry }))).toBe(
      'We find none of the roads that we know along this line.',
    );
  });

  const chains = roadTable().chains.filter(
    ({ waypoints, breaks }) => waypoints.length > 5 && breaks.size === 0,
  );

  it('are found between any two junctions of every road, in both senses, up to 400 m off the line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...chains),
        fc.nat(200),
        fc.nat(200),
        fc.boolean(),
        fc.infiniteStream(fc.double({ min: -0.004, max: 0.004, noNaN: true })),
        async (chain, one, other, falls, shifts) => {
          const count = chain.waypoints.length;
          const [lo, hi] = [Math.min(one % count, other % count), Math.max(one % count, other % count)];
          const { points } = lineBetween(chain, falls ? hi : lo, falls ? lo : hi);
          const km = points.reduce(
            (sum, point, index) =>
              sum + (index > 0 ? rulerAt(point[1]).distance(points[index - 1]!, point) : 0),
            0,
          );
          fc.pre(hi - lo >= 2 && km > 15);
          const shifted = points.map(([longitude, latitude]): LonLat => [
            longitude + shifts.next().value,
            latitude + shifts.next().value,
          ]);
          const found = roadsIn(await resolveLine({ geometry: line(shifted) })).filter(
            (own) => own.road === chain.id,
          );
          const where = `${chain.id} ${labelOf(chain.waypoints[lo]!)} ${labelOf(chain.waypoints[hi]!)}`;
          expect(found.length, where).toBeGreaterThan(0);
          expect([...new Set(found.map(({ sense }) => sense))], where).toEqual([falls ? -1 : 1]);
          if (periodOf(chain)) return;
          expect(Math.min(...found.map((own) => own.lo)), where).toBeLessThan(lo + 1);
          expect(Math.max(...found.map((own) => own.hi)), where).toBeGreaterThan(hi - 1);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a line that cannot be watched', () => {
  it.each([
    ['a point', { type: 'Point' as const, coordinates: [-1.5, 53.8] }],
    ['a line of one point', line([[-1.5, 53.8]])],
    [
      'a line that stands still',
      line([
        [-1.5, 53.8],
        [-1.5, 53.8],
      ]),
    ],
    [
      'an area',
      {
        type: 'Polygon' as const,
        coordinates: [
          [
            [-1, 53],
            [-1, 54],
            [0, 53],
            [-1, 53],
          ],
        ],
      },
    ],
    ['what is no line', line(['a', null, [], [null, 1], ['1', '2']])],
  ])('%s', async (_, geometry) => {
    const resolved = Resolved.parse(await resolveLine({ geometry }));
    expect(resolved.problems).toEqual([
      { level: 'stop', text: 'This file holds no track or line that we can read.', at: null, repairs: [] },
    ]);
    expect(resolved.legs).toEqual([]);
  });

  it('has no length', async () => {
    const { problems, legs } = await resolveLine({
      geometry: line([
        [-1.5, 53.8],
        [-1.500001, 53.8],
      ]),
    });
    expect(problems[0]!.text).toBe('This line has no length: its points are one place.');
    expect(legs).toEqual([]);
  });

  it('lies outside the islands', async () => {
    const { problems } = await resolveLine({
      geometry: line([
        [2.3, 48.8],
        [-1.5, 53.8],
      ]),
    });
    expect(problems[0]!.text).toBe('This line lies outside the United Kingdom and Ireland.');
  });

  it('has too many points', async () => {
    const zigzag = Array.from({ length: 5000 }, (_, index) => [
      -2 + index * 0.0005,
      53 + (index % 2) * 0.001,
    ]);
    const { problems, legs } = await resolveLine({ geometry: line(zigzag) });
    expect(problems[0]!.text).toBe('A route may have 60 legs and 4,000 points. This has 5,000 points.');
    expect(legs).toEqual([]);
  });
});

it('is answered for the longest line that may be sent, to and fro between the ends of the islands', async () => {
  const far = Array.from({ length: 4000 }, (_, index) => [
    -6 + (index % 2) * 7 + index * 1e-5,
    index % 3 === 0 ? 50 : 58,
  ]);
  const resolved = Resolved.parse(await resolveLine({ geometry: line(far) }));
  expect(resolved.legs).toHaveLength(1);
  expect(resolved.coverage.map(({ source }) => source)).toContain('met-office');
});

it('keeps a line to 25 m with as few points as that takes', async () => {
  const dense = Array.from({ length: 9000 }, (_, index) => [
    -1.5 + index * 0.0001,
    53.8 + Math.sin(index / 900) * 0.02 + (index % 2) * 0.00005,
  ]);
  const { legs } = await resolveLine({ geometry: line(dense) });
  const { points } = legs[0] as ExactLeg;
  expect(points.length).toBeLessThan(300);
  expect(points[0]).toEqual([-1.5, 53.8]);
  const ruler = rulerAt(53.8);
  for (const point of dense)
    expect(
      ruler.distance(point as LonLat, ruler.pointOnLine(points as LonLat[], point as LonLat).point),
    ).toBeLessThan(0.0255);
});

it('takes several tracks as one line', async () => {
  const resolved = await resolveLine({
    geometry: {
      type: 'MultiLineString',
      coordinates: [
        lineBetween(roadTable().chain('M1')!, 40, 44).points,
        lineBetween(roadTable().chain('M1')!, 44, 48).points,
      ],
    },
  });
  expect(resolved.legs).toHaveLength(1);
  expect(roadsIn(resolved)).toHaveLength(1);
});
