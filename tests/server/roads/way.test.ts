import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Leg, RoadLeg } from '#contract/watches.ts';
import { nationsAt } from '../../../server/roads/nations.ts';
import { labelOf, periodOf, roadTable, rulerAt, type LonLat } from '../../../server/roads/roadTable.ts';
import { coverageAround, sourcesOf, wayOf, type Way } from '../../../server/roads/way.ts';

const road = (name: string, from: string, to: string, sense: 1 | -1): RoadLeg => ({
  type: 'road',
  road: name,
  from,
  to,
  sense,
});
const LEEDS: LonLat = [-1.5478, 53.7965];
const M1_J43 = roadTable()
  .chain('M1')!
  .waypoints.find(({ junction }) => junction === 'J43')!.point;

const courseOf = ({ course }: Way) =>
  course.map(({ road, from, to, direction, line }) =>
    [road ?? '-', from && `${from}-${to}`, direction, line].filter(Boolean).join(' '),
  );
const placesOf = ({ places }: Way) =>
  places
    .filter(({ minor }) => !minor)
    .map(({ name, junctions }) =>
      [name, ...junctions.map(({ road, junction }) => `${road} ${junction}`)].join(' / '),
    );

describe('the way of a route', () => {
  const way = wayOf([
    road('M62', 'J26', 'J29', 1),
    road('M1', 'J42', 'J6A', -1),
    road('M25', 'J21', 'J15', -1),
  ]);

  it('says which road it uses from where to where, and how signs call the direction', () => {
    expect(courseOf(way)).toEqual(['M62 J26-J29 E chain', 'M1 J42-J6A S chain', 'M25 J21-J15 AC chain']);
  });

  it('names an interchange once, with both junctions', () => {
    expect(placesOf(way)).toEqual([
      'Chain Bar / M62 J26',
      'Lofthouse / M62 J29 / M1 J42',
      'Bricket Wood / M1 J6A / M25 J21',
      'Thorney / M25 J15',
    ]);
  });

  it('counts kilometres from the start', () => {
    expect(way.length_km).toBeGreaterThan(295);
    expect(way.length_km).toBeLessThan(315);
    expect(way.course.at(-1)!.to_km).toBe(way.length_km);
    expect(way.places.map(({ km }) => km)).toEqual(way.places.map(({ km }) => km).toSorted((a, b) => a - b));
  });

  it('goes along the other road where a road is another road', () => {
    expect(courseOf(wayOf([road('M62', 'J10', 'J27', 1)]))).toEqual([
      'M62 J10-J12 E chain',
      'M60 J12-J18 CW chain',
      'M62 J18-J27 E chain',
    ]);
    expect(courseOf(wayOf([road('M62', 'J27', 'J10', -1)]))).toEqual([
      'M62 J27-J18 W chain',
      'M60 J18-J12 AC chain',
      'M62 J12-J10 W chain',
    ]);
  });

  it('leads straight to a junction beyond a break that is no other road of the table', () => {
    expect(courseOf(wayOf([road('M876', 'J1', 'J3', 1)]))).toEqual(['M876 J1-J2 E chain', '- link']);
    expect(courseOf(wayOf([road('M876', 'J3', 'J1', -1)]))).toEqual(['- link', 'M876 J2-J1 W chain']);
    const between = wayOf([road('M876', 'J3', 'J2', -1)]);
    expect(courseOf(between)).toEqual(['- link']);
    expect(placesOf(between)).toEqual(['Bowtrees / M876 J3', 'Glenbervie / M876 J2']);
    expect(between.length_km).toBeCloseTo(5.4, 1);
  });

  it('has a length across every break, in both directions', () => {
    for (const chain of roadTable().chains)
      for (const index of chain.breaks.keys()) {
        const [one, other] = [index, (index + 1) % chain.waypoints.length].map((at) =>
          labelOf(chain.waypoints[at]!),
        );
        for (const leg of [road(chain.id, one!, other!, 1), road(chain.id, other!, one!, -1)])
          expect(wayOf([leg]).length_km, `${chain.id} ${leg.from}`).toBeGreaterThan(1);
      }
  });

  it('goes round a ring through its last junction in the direction that is asked for', () => {
    const short = wayOf([road('M25', 'J28', 'J3', 1)]);
    const long = wayOf([road('M25', 'J28', 'J3', -1)]);
    expect(short.length_km).toBeLessThan(30);
    expect(long.length_km).toBeGreaterThan(150);
    expect(short.places.map(({ junctions }) => junctions[0]!.junction)).toEqual(
      'J28 J29 J30 J31 J1A J1B J2 J3'.split(' '),
    );
  });

  it('chooses among the signs of a road that bends', () => {
    expect(courseOf(wayOf([road('M40', 'J1A', 'J8', 1), road('M40', 'J9', 'J11', 1)]))).toEqual([
      'M40 J1A-J8 W chain',
      '- link',
      'M40 J9-J11 N chain',
    ]);
  });

  it('has a place once where a straight line leads to a junction, by the junction’s name', () => {
    const links: Leg[] = [
      { type: 'link', points: [LEEDS, M1_J43], names: ['Leeds', 'M1 J43'] },
      road('M1', 'J43', 'J40', -1),
    ];
    const named = wayOf(links);
    expect(courseOf(named)).toEqual(['- link', 'M1 J43-J40 S chain']);
    expect(placesOf(named)).toEqual(['Leeds', 'Stourton / M1 J43', 'Wakefield / M1 J40']);
  });

  it('shows the roads of a surveyed line, and what lies between them', () => {
    const points: LonLat[] = [LEEDS, M1_J43, [-1.5, 53.6], [-1.4, 53.5]];
    const found = { road: 'M1', lo: 30, hi: 34, sense: -1 as const, from_km: 6, to_km: 24 };
    const exact = wayOf([{ type: 'exact', points, roads: [found] }]);
    expect(courseOf(exact).slice(0, 2)).toEqual(['- exact', expect.stringMatching(/^M1 J\w+-J\w+ S exact$/)]);
    expect(exact.places.length).toBe(5);
  });

  it('refuses what the table has not in words', () => {
    expect(() => wayOf([road('M1', 'J3', 'J5', 1)])).toThrow('M1 has no J3 in our table. Nearest: J2, J4.');
    expect(() => wayOf([road('M99', 'J3', 'J5', 1)])).toThrow('The road M99 is not in our table.');
    expect(() => wayOf([road('M1', 'J5', 'J4', 1)])).toThrow(
      'The M1 does not lead from J5 to J4 in this direction.',
    );
  });

  it('is as long between any two junctions as the straight pieces between its points', () => {
    const chains = roadTable().chains.filter(({ waypoints }) => waypoints.length > 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...chains),
        fc.nat(200),
        fc.nat(200),
        fc.constantFrom(1 as const, -1 as const),
        (chain, one, other, sense) => {
          const count = chain.waypoints.length;
          const [from, to] = [one % count, other % count];
          if (periodOf(chain) === 0 && (to - from) * sense <= 0) return;
          const label = (index: number) => labelOf(chain.waypoints[index]!);
          const { geometry, length_km, course } = wayOf([road(chain.id, label(from), label(to), sense)]);
          const points = geometry.coordinates as LonLat[];
          const sum = points.reduce(
            (km, point, index) => km + rulerAt(point[1]).distance(points[Math.max(0, index - 1)]!, point),
            0,
          );
          expect(length_km).toBeCloseTo(sum, 1);
          expect(course[0]!.from_km).toBe(0);
          expect(course.at(-1)!.to_km).toBe(length_km);
          for (const [index, part] of course.entries())
            if (index > 0) expect(part.from_km).toBe(course[index - 1]!.to_km);
        },
      ),
    );
  });
});

describe('who reports on a way', () => {
  it.each<[string, Leg[], string]>([
    ['in England', [road('M1', 'J43', 'J6A', -1)], 'national-highways met-office ea-flood'],
    [
      'across the Severn',
      [road('M4', 'J19', 'J33', 1)],
      'national-highways traffic-wales met-office ea-flood nrw-flood',
    ],
    ['in Wales', [road('M4', 'J28', 'J49', 1)], 'traffic-wales met-office nrw-flood'],
    [
      'across the Solway',
      [road('M6', 'J40', 'J45', 1), road('M74', 'J22', 'J15', -1)],
      'national-highways traffic-scotland met-office ea-flood sepa-flood',
    ],
    ['in Northern Ireland', [road('NI M1', 'J1', 'J7', 1)], 'northern-ireland-roads met-office'],
  ])('%s', (_, legs, sources) => {
    expect(sourcesOf(wayOf(legs)).join(' ')).toBe(sources);
  });

  it('says from which kilometre to which', () => {
    const { coverage, length_km } = wayOf([road('M4', 'J19', 'J49', 1)]);
    const of = (name: string) => coverage.filter(({ source }) => source === name);
    expect(of('met-office')).toEqual([{ source: 'met-office', from_km: 0, to_km: length_km }]);
    expect(of('national-highways')[0]!.to_km).toBeLessThan(30);
    expect(of('traffic-wales')[0]!.to_km).toBe(length_km);
  });

  it('knows the nation of every waypoint of the table', () => {
    for (const { id, waypoints } of roadTable().chains)
      for (const waypoint of waypoints)
        expect([...nationsAt(waypoint.point)], `${id} ${labelOf(waypoint)}`).toContain(waypoint.nation);
  });

  it('says it of an area as well', () => {
    expect(coverageAround([[-3.2, 51.5]])).toEqual([
      { source: 'traffic-wales', from_km: 0, to_km: 0 },
      { source: 'met-office', from_km: 0, to_km: 0 },
      { source: 'nrw-flood', from_km: 0, to_km: 0 },
    ]);
  });
});
