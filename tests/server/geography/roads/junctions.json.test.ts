import { describe, expect, it } from 'vitest';
import {
  along,
  labelOf,
  roadTable,
  rulerAt,
  type Chain,
  type Waypoint,
} from '../../../../server/geography/roads/roadTable.ts';

const { chains } = roadTable();
const motorways = chains.filter(({ road }) => /^M|\(M\)$/.test(road));

/** Waypoints that follow each other on the road. */
const neighbours = ({ waypoints, breaks, isOrbital }: Chain): [Waypoint, Waypoint][] =>
  waypoints.flatMap((waypoint, index): [Waypoint, Waypoint][] => {
    const next = waypoints[index + 1] ?? (isOrbital ? waypoints[0] : undefined);
    return next && !breaks.has(index) ? [[waypoint, next]] : [];
  });

const km = (a: Waypoint, b: Waypoint) => rulerAt(a.point[1]).distance(a.point, b.point);

/** "J4A" is 4.01: after J4, before J4B. */
const numberOf = ({ junction }: Waypoint): number => {
  const [, digits, letter = ''] = /^[JT](\d+)([A-Z]?)/.exec(junction!)!;
  return Number(digits) + (letter ? (letter.charCodeAt(0) - 64) / 100 : 0);
};

describe.each(motorways.map((chain) => [chain.id, chain] as const))('the junctions of the %s', (_, chain) => {
  /** They are on the road before the junction with their number. */
  const BEFORE = new Set(['M5 J18A', 'M6 J20A', 'M56 J3A', 'M65 J1A']);

  it('rise in road order, each once', () => {
    const numbers = chain.waypoints
      .filter(({ junction }) => junction && !BEFORE.has(`${chain.id} ${junction}`))
      .map(numberOf);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('are a quarter of a kilometre to 30 km from their neighbours', () => {
    for (const [one, other] of neighbours(chain)) {
      expect(km(one, other), `${labelOf(one)} to ${labelOf(other)}`).toBeGreaterThan(0.25);
      expect(km(one, other), `${labelOf(one)} to ${labelOf(other)}`).toBeLessThan(30);
    }
  });

  it('lie in the order of their numbers along the road, which nowhere turns back', () => {
    // The Heathrow spur; the motorway's two ends at Perth.
    const SPURS = new Set(['M4 J4A', 'M90 J11']);
    for (const [index, corner] of chain.waypoints.entries()) {
      const [before, after] = [chain.waypoints[index - 1], chain.waypoints[index + 1]];
      if (!before || !after || SPURS.has(`${chain.id} ${labelOf(corner)}`)) continue;
      const ruler = rulerAt(corner.point[1]);
      const turn = ruler.bearing(corner.point, after.point) - ruler.bearing(before.point, corner.point);
      expect(Math.abs(((turn + 540) % 360) - 180), labelOf(corner)).toBeLessThan(110);
    }
  });

  it('are in Great Britain or Northern Ireland, on the side of the sea that their nation says', () => {
    for (const { point, nation, junction } of chain.waypoints) {
      const [longitude, latitude] = point;
      expect(longitude < -5.5, junction!).toBe(nation === 'northern-ireland');
      expect(latitude, junction!).toBeGreaterThan(nation === 'scotland' ? 54.9 : 50);
      expect(latitude, junction!).toBeLessThan(
        nation === 'scotland' ? 56.6 : nation === 'wales' ? 51.8 : 55.1,
      );
    }
  });

  it('have words for both directions', () => {
    if (chain.id === 'NI A8(M)') return; // its signs name places
    expect(chain.signs?.[1]).not.toEqual([]);
    expect(chain.signs?.[-1]).not.toEqual([]);
    expect(chain.signs![1].filter((sign) => chain.signs![-1].includes(sign))).toEqual([]);

    const { point: first } = chain.waypoints[0]!;
    const { point: last } = chain.waypoints.at(-1)!;
    const bearing = rulerAt(first[1]).bearing(first, last);
    for (const sense of [1, -1] as const)
      for (const sign of chain.signs![sense]) {
        const compass = ['N', 'E', 'S', 'W'].indexOf(sign) * 90 + (sense === 1 ? 0 : 180);
        if (compass % 90 === 0 && !['CW', 'AC', 'coast', 'London'].includes(sign))
          expect(Math.abs(((compass - bearing + 900) % 360) - 180), sign).toBeLessThan(100);
      }
  });
});

it('has every motorway', () => {
  expect(
    motorways
      .map(({ id }) => id)
      .sort()
      .join(' '),
  ).toBe(
    'A1(M) A167(M) A194(M) A3(M) A308(M) A329(M) A38(M) A404(M) A48(M) A57(M) A58(M) A627(M) A64(M) A66(M) A823(M) ' +
      'M1 M11 M18 M180 M181 M2 M20 M23 M25 M26 M27 M271 M275 M3 M32 M4 M40 M42 M45 M48 M49 M5 M50 M53 M54 M55 M56 M57 M58 ' +
      'M6 M6 Toll M60 M602 M606 M61 M62 M621 M65 M66 M67 M69 M73 M74 M77 M8 M80 M876 M898 M9 M90 ' +
      'NI A8(M) NI M1 NI M12 NI M2 NI M22 NI M3 NI M5',
  );
});

it('ends a road where the junction that it is named after lies', () => {
  for (const { waypoints } of motorways)
    for (const { junction, name, point, nation } of waypoints) {
      const [, road, number] = /^(\S+) ([JT]\d\S*)$/.exec(name ?? '') ?? [];
      if (junction || !road) continue;
      const chain = roadTable().chain(nation === 'northern-ireland' ? `NI ${road}` : road)!;
      expect(chain.waypoints.find((waypoint) => waypoint.junction === number)?.point, name!).toEqual(point);
    }
});

it('names breaks between neighbours, and the road that it is there if we know it', () => {
  for (const { id, waypoints, breaks } of motorways)
    for (const [index] of breaks) {
      expect(index, id).toBeGreaterThanOrEqual(0);
      expect(waypoints[index + 1], id).toBeDefined();
    }
  const m62 = roadTable().chain('M62')!;
  expect([...m62.breaks].map(([at, as]) => [labelOf(m62.waypoints[at]!), as])).toEqual([['J12', 'M60']]);
});

/** A motorway that meets another ends on it. Junctions are the middles of large interchanges. */
it.each([
  ['M1', 'J42', 'M62'],
  ['M1', 'J32', 'M18'],
  ['M1', 'J21', 'M69'],
  ['M25', 'J12', 'M3'],
  ['M25', 'J15', 'M4'],
  ['M25', 'J16', 'M40'],
  ['M25', 'J27', 'M11'],
  ['M6', 'J21A', 'M62'],
  ['M6', 'J8', 'M5'],
  ['M5', 'J15', 'M4'],
  ['M60', 'J18', 'M62'],
  ['M62', 'J29', 'M1'],
  ['M8', 'J8', 'M73'],
  ['M74', 'J4', 'M73'],
  ['M80', 'J9', 'M9'],
  ['M6', 'J4', 'M42'],
])('%s %s is on the %s', (id, junction, other) => {
  const waypoint = roadTable()
    .chain(id)!
    .waypoints.find((own) => own.junction === junction)!;
  expect(along(roadTable().chain(other)!, waypoint.point)!.off).toBeLessThan(1.5);
});
