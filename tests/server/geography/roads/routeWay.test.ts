import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Leg, RoadLeg } from '#contract/watches/watches.ts';
import { airports } from '../../../../server/geography/names/gazetteer.ts';
import { coveredPartOf, TRUNK_ROAD_IDS } from '../../../../server/geography/roads/coveredRoads.ts';
import { nationsAt } from '../../../../server/geography/roads/nations.ts';
import {
  labelOf,
  type LonLat,
  periodOf,
  roadTable,
  rulerAt,
  waypointIndex,
} from '../../../../server/geography/roads/roadTable.ts';
import { coverageAround, sourcesOf, wayOf, type Way } from '../../../../server/geography/roads/routeWay.ts';

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

/** "3-17", in kilometres. */
const spanOf = ({ from_km, to_km }: { from_km: number; to_km: number }) =>
  `${Math.round(from_km)}-${Math.round(to_km)}`;
const north = ([longitude, latitude]: LonLat, km: number): LonLat => [longitude, latitude + km / 111.3];

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

  it('follows the other road where a road is another road', () => {
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

  it('has a place once, by the junction’s name, if a straight line leads to a junction', () => {
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

  it('refuses in words what is missing from the table', () => {
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

const A58M = roadTable().chain('A58(M)')!.waypoints;

describe('the sources that report on a way', () => {
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
    [
      "on Northern Ireland's A roads",
      [road('NI A1', 'Lisburn', 'Newry', 1)],
      'northern-ireland-roads met-office',
    ],
    ['on a council road', [road('A61', 'Leeds', 'Ripon', 1)], 'uncovered-roads met-office ea-flood'],
    [
      'on a council motorway',
      [road('A58(M)', labelOf(A58M[0]!), labelOf(A58M.at(-1)!), 1)],
      'uncovered-roads met-office ea-flood',
    ],
    [
      'on a road that is trunk in part',
      [road('A64', 'Leeds', 'Malton', 1)],
      'national-highways uncovered-roads met-office ea-flood',
    ],
    [
      'on the trunk part of it',
      [road('A64', 'Malton', 'Bramham', -1)],
      'national-highways met-office ea-flood',
    ],
    [
      'on a trunk road of Wales',
      [road('A470', 'Brecon', 'Dolgellau', 1)],
      'traffic-wales met-office nrw-flood',
    ],
    [
      'on a council road of Scotland',
      [road('A93', 'Braemar', 'Banchory', 1)],
      'uncovered-roads met-office sepa-flood',
    ],
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

  it('names the kilometres that no source covers, in either direction', () => {
    const there = wayOf([road('A64', 'Leeds', 'Malton', 1), road('A169', 'Malton', 'Whitby', 1)]);
    const of = ({ coverage }: Way, name: string) => coverage.filter(({ source }) => source === name);
    const at = ({ places }: Way, name: string) => places.findLast((place) => place.name === name)!.km;
    expect(of(there, 'national-highways')).toEqual([
      { source: 'national-highways', from_km: at(there, 'Bramham'), to_km: at(there, 'Malton') },
    ]);
    expect(of(there, 'uncovered-roads')).toEqual([
      { source: 'uncovered-roads', from_km: 0, to_km: at(there, 'Bramham') },
      { source: 'uncovered-roads', from_km: at(there, 'Malton'), to_km: there.length_km },
    ]);
    const back = wayOf([road('A64', 'Malton', 'Leeds', -1)]);
    expect(of(back, 'uncovered-roads')).toEqual([
      { source: 'uncovered-roads', from_km: at(back, 'Bramham'), to_km: back.length_km },
    ]);
  });

  it('knows the road of lines from files and of drawn lines', () => {
    const { geometry, length_km } = wayOf([road('A64', 'Leeds', 'Malton', 1)]);
    const points = geometry.coordinates as [number, number][];
    const [bramham, malton] = ['Bramham', 'Malton'].map((name) =>
      waypointIndex(roadTable().chain('A64')!, name),
    );
    const uncovered = (leg: Leg) => {
      const { coverage } = wayOf([leg]);
      return coverage.flatMap(({ source, from_km, to_km }) =>
        source === 'uncovered-roads' ? [spanOf({ from_km, to_km })] : [],
      );
    };
    const found = { road: 'A64', sense: 1 as const, lo: 0, hi: malton!, from_km: 0, to_km: length_km };
    const trunkFrom = Math.round((length_km * bramham!) / malton!);
    expect(uncovered({ type: 'exact', points, roads: [found] })).toEqual([`0-${trunkFrom}`]);
    expect(uncovered({ type: 'exact', points, roads: [{ ...found, road: 'B6265' }] })).toEqual([
      `0-${Math.round(length_km)}`,
    ]);
    expect(uncovered({ type: 'line', points, road: 'A64' })).toHaveLength(1);
    expect(uncovered({ type: 'line', points, road: 'A61' })).toEqual([`0-${Math.round(length_km)}`]);
    expect(uncovered({ type: 'line', points, road: 'M1' })).toEqual([]);
  });

  const HEATHROW: LonLat = [-0.454, 51.47];
  const PADDINGTON: LonLat = [-0.1759, 51.5154];
  const KINGS_CROSS: LonLat = [-0.1239, 51.5308];
  const MOORS: LonLat[] = [
    [-4.2, 51],
    [-4, 50.95],
    [-3.9, 50.9],
  ];
  it.each<[string, Leg[], string]>([
    ['a line of a file in which no road was found', [{ type: 'exact', points: MOORS, roads: [] }], '0-24'],
    ['a line drawn without a road', [{ type: 'line', points: MOORS }], '0-24'],
    ['a straight line', [{ type: 'link', points: MOORS }], '0-24'],
    ['the line between two legs', [road('M1', 'J43', 'J41', -1), road('M62', 'J27', 'J25', -1)], '5-14'],
  ])('counts nobody in on %s', (_, legs, expected) => {
    const { coverage } = wayOf(legs);
    const of = (name: string) => coverage.filter(({ source }) => source === name);
    expect(of('unknown-roads').map(spanOf)).toEqual([expected]);
    const [unknown] = of('unknown-roads');
    for (const { from_km, to_km } of of('national-highways'))
      expect(to_km <= unknown!.from_km || from_km >= unknown!.to_km).toBe(true);
    expect(of('met-office')).toHaveLength(1);
  });

  it('counts no source before, between and after the roads of a file’s line', () => {
    const points: LonLat[] = [LEEDS, M1_J43, [-1.5, 53.6], [-1.4, 53.5]];
    const found = { road: 'M1', lo: 30, hi: 34, sense: -1 as const, from_km: 6, to_km: 24 };
    const { coverage, length_km } = wayOf([{ type: 'exact', points, roads: [found] }]);
    expect(coverage.filter(({ source }) => source === 'unknown-roads').map(spanOf)).toEqual([
      '0-6',
      `24-${Math.round(length_km)}`,
    ]);
  });

  it('leaves out two kilometres in a town or between two roads, unless that is most of the way', () => {
    const link = (km: number): Leg => ({ type: 'link', points: [M1_J43, north(M1_J43, km)] });
    const of = (legs: Leg[]) => sourcesOf(wayOf(legs)).filter((source) => source.endsWith('s'));
    expect(of([road('M1', 'J41', 'J43', 1), link(1.9)])).toEqual(['national-highways']);
    expect(of([road('M1', 'J41', 'J43', 1), link(2.1)])).toEqual(['national-highways', 'unknown-roads']);
    expect(of([link(0.8)])).toEqual(['unknown-roads']);
    // The point Malton on one road is 2.6 km from the point Malton on the other.
    const change = [road('A64', 'Bramham', 'Malton', 1), road('A169', 'Malton', 'Whitby', 1)];
    expect(of(change)).toEqual(['national-highways', 'uncovered-roads']);
  });

  it.each<[string, number, number, string[]]>([
    ['ends in town', 5.5, 11.9, ['town-roads 0-6', 'town-roads 270-282']],
    ['an end that is further from its road', 5.5, 12.1, ['unknown-roads 270-282', 'town-roads 0-6']],
  ])('tells %s from a way between towns', (_, before, after, expected) => {
    const m1 = road('M1', 'J43', 'J6A', -1);
    const [start, end] = [wayOf([m1]).geometry.coordinates[0]!, wayOf([m1]).geometry.coordinates.at(-1)!];
    const legs: Leg[] = [
      { type: 'link', points: [north(start as LonLat, before), start as LonLat] },
      m1,
      { type: 'link', points: [end as LonLat, north(end as LonLat, -after)] },
    ];
    const { coverage } = wayOf(legs);
    const unknown = coverage.filter(({ source }) => /^(?:town|unknown)-/.test(source));
    expect(unknown.map((part) => `${part.source} ${spanOf(part)}`)).toEqual(expected);
  });

  it('counts no end as in town that is a great part of the way, or was drawn', () => {
    const of = (legs: Leg[]) => sourcesOf(wayOf(legs)).filter((source) => /^(?:town|unknown)-/.test(source));
    const short = road('M1', 'J41', 'J43', 1);
    const end = wayOf([short]).geometry.coordinates.at(-1)! as LonLat;
    expect(of([short, { type: 'link', points: [end, north(end, 4)] }])).toEqual(['unknown-roads']);
    const long = road('M1', 'J6A', 'J43', 1);
    expect(of([long, { type: 'link', points: [end, north(end, 4)] }])).toEqual(['town-roads']);
    expect(of([long, { type: 'line', points: [end, north(end, 4)] }])).toEqual(['unknown-roads']);
  });

  it.each<[string, Leg[], string[]]>([
    [
      'an airport where it ends',
      [{ type: 'link', points: [M1_J43, LEEDS], names: ['M1 J43', 'An Airport, Leeds'] }],
      ['airport-status 5-5'],
    ],
    [
      'an airport where it begins',
      [{ type: 'link', points: [LEEDS, M1_J43], names: ['An Airport', 'M1 J43'] }],
      ['airport-status 0-0'],
    ],
    [
      'one on its way, once',
      [
        { type: 'link', points: [LEEDS, M1_J43], names: ['Leeds', 'An Airport'] },
        { type: 'link', points: [M1_J43, LEEDS], names: ['An Airport', 'Leeds'] },
      ],
      ['airport-status 5-5'],
    ],
    [
      'one by its position, where its end has another name or none',
      [
        { type: 'line', points: [HEATHROW, LEEDS], road: 'M1' },
        { type: 'link', points: [LEEDS, HEATHROW], names: ['Leeds', 'Heathrow, Greater London'] },
      ],
      ['airport-status 0-0', 'airport-status 539-539'],
    ],
    ['none that it only passes', [{ type: 'line', points: [LEEDS, HEATHROW, LEEDS] }], []],
    [
      'a station',
      [{ type: 'link', points: [M1_J43, LEEDS], names: ['M1 J43', 'Leeds station (LDS)'] }],
      ['kb-incidents 5-5', 'nsi-service 5-5'],
    ],
    [
      'a station in London',
      [{ type: 'link', points: [PADDINGTON, KINGS_CROSS], names: ['', "King's Cross station"] }],
      ['kb-incidents 4-4', 'tfl 4-4', 'nsi-service 4-4'],
    ],
    [
      'a coach station',
      [{ type: 'link', points: [M1_J43, LEEDS], names: ['M1 J43', 'Leeds Coach Station'] }],
      [],
    ],
  ])('names who reports on %s', (_, legs, expected) => {
    const { coverage } = wayOf(legs, roadTable(), airports());
    const beside = coverage.filter(({ source }) => /^(?:airport|kb-|nsi-|tfl)/.test(source));
    expect(beside.map((part) => `${part.source} ${spanOf(part)}`)).toEqual(expected);
  });

  it('leaves out less than a kilometre', () => {
    const { geometry } = wayOf([road('A64', 'Leeds', 'Malton', 1)]);
    const points = geometry.coordinates as [number, number][];
    const of = (to_km: number) =>
      sourcesOf(
        wayOf([
          { type: 'exact', points, roads: [{ road: 'A61', sense: 1, lo: 0, hi: 1, from_km: 0, to_km }] },
        ]),
      );
    expect(of(0.9)).not.toContain('uncovered-roads');
    expect(of(1.1)).toContain('uncovered-roads');
  });

  it('names only trunk roads and stretches of the table, in Great Britain', () => {
    for (const id of TRUNK_ROAD_IDS) {
      const chain = roadTable().chain(id);
      expect(chain, id).toBeDefined();
      expect(coveredPartOf(chain!), id).not.toBe('none');
    }
  });

  it('counts each motorway as covered except those of councils and the toll road', () => {
    const without = roadTable()
      .chains.filter(({ id }) => /^M\d|\(M\)$/.test(id))
      .filter((chain) => coveredPartOf(chain) !== 'all');
    expect(without.map(({ id }) => id).sort()).toEqual(
      ['A167(M)', 'A329(M)', 'A38(M)', 'A57(M)', 'A58(M)', 'A64(M)', 'M275', 'M6 Toll'].sort(),
    );
  });

  it('knows the nation of every waypoint of the table', () => {
    for (const { id, waypoints } of roadTable().chains)
      for (const waypoint of waypoints)
        expect([...nationsAt(waypoint.point)], `${id} ${labelOf(waypoint)}`).toContain(waypoint.nation);
  });

  it('names for an area all sources of what can lie in it, those of London for London', () => {
    const whole = (source: string) => ({ source, from_km: 0, to_km: 0 });
    const trains = ['kb-incidents', 'nsi-service'];
    expect(coverageAround([[-3.2, 51.5]])).toEqual(
      ['traffic-wales', 'met-office', 'nrw-flood', ...trains, 'airport-status', 'news-rss'].map(whole),
    );
    // The Bus Open Data Service is England's.
    expect(coverageAround([[-1.5, 53.8]])).toEqual(
      [
        'national-highways',
        'met-office',
        'ea-flood',
        ...trains,
        'bods-bus',
        'airport-status',
        'news-rss',
      ].map(whole),
    );
    expect(coverageAround([[-0.1, 51.5]])).toEqual(
      (
        'national-highways met-office ea-flood kb-incidents tfl nsi-service bods-bus airport-status met-police ' +
        'news-rss twitter.metpoliceuk'
      )
        .split(' ')
        .map(whole),
    );
  });
});
