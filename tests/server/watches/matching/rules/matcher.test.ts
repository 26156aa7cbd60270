import { describe, expect, it } from 'vitest';
import type { Leg } from '#contract/watches/watches.ts';
import type { StoredIncident } from '../../../../../server/geography/roads/incidentPlace.ts';
import { explain, match, RULES } from '../../../../../server/watches/matching/rules/matcher.ts';
import type { LonLat } from '../../../../../server/geography/roads/roadTable.ts';
import type { WatchLine } from '../../../../../server/watches/matching/rules/watchLine.ts';
import {
  area,
  chainOf,
  exactLeg,
  incident,
  line,
  point,
  pointAt,
  polygon,
  route,
  spot,
  square,
} from './matchingWorld.ts';

const M62_WEST = route('M62 J27 to J18');
const drawn = (road: string | undefined, ...points: LonLat[]): Leg => ({
  type: 'line',
  points,
  ...(road && { road }),
});
const moved = ([x, y]: LonLat, east: number, north: number): LonLat => [x + east, y + north];

/** Along the road, from one place to another. */
const along = (road: string, from: number, to: number) =>
  line(...[0, 0.25, 0.5, 0.75, 1].map((t) => pointAt(chainOf(road), from + t * (to - from))));

/** "R1 certain: names the M62" */
const said = (title: string, rest: Partial<StoredIncident>, watch: WatchLine) => {
  const found = match(incident(title, rest), watch);
  return found ? `${found.rule} ${found.level}: ${found.why}` : 'none';
};

const M62_J26 = 17;
const EXACT = route(exactLeg('M62 J27 to J18'));
const EXACT_WITHOUT_ROAD = route(exactLeg('M62 J27 to J18', false));
const A650 = route(drawn('A650', [-1.76, 53.79], [-1.64, 53.75]));

describe('the rules, in their order', () => {
  it('are thirteen', () => {
    expect(RULES.map(({ rule }) => rule)).toEqual(Array.from({ length: 13 }, (_, index) => `R${index + 1}`));
  });

  it.each<[title: string, rest: Partial<StoredIncident>, watch: WatchLine, expected: string]>([
    [
      'M62 westbound between J27 and J26: Accident',
      { geometry: along('M62', M62_J26 + 0.8, M62_J26 + 0.1) },
      M62_WEST,
      'R1 certain: names the M62, J27 to J26, westbound',
    ],
    [
      'M62 westbound: Accident',
      { geometry: along('M62', M62_J26 + 0.8, M62_J26 + 0.1) },
      M62_WEST,
      'R1 certain: names the M62, westbound, between J26 and J27 by its position',
    ],
    [
      'M62: Accident',
      { geometry: point(spot('M62 J26+0.5')) },
      M62_WEST,
      'R1 certain: names the M62, between J26 and J27 by its position',
    ],
    [
      'M62: Accident',
      { geometry: point(spot('M62 J26+0.5')) },
      EXACT,
      'R1 certain: names the M62, between J26 and J27 by its position',
    ],
    [
      'M62 westbound between J27 and J26: Accident',
      {},
      M62_WEST,
      'R2 certain: names the M62, J27 to J26, westbound',
    ],
    ['M62 J27: Accident', {}, M62_WEST, 'R2 certain: names the M62, J27'],
    ['M62 J27 to J28: Accident', {}, M62_WEST, 'none'],
    [
      'A650: Accident',
      { geometry: point([-1.7, 53.773]) },
      A650,
      'R3 certain: A650, 0.3 km from the line you drew',
    ],
    [
      'A650 eastbound: Accident',
      { geometry: point([-1.7, 53.773]) },
      A650,
      'R3 certain: A650, 0.3 km from the line you drew',
    ],
    [
      'A650 westbound: Accident',
      { geometry: point([-1.7, 53.773]) },
      A650,
      'R6 possible: the other carriageway',
    ],
    [
      'Long delays',
      { geometry: along('M62', M62_J26 + 0.8, M62_J26 + 0.1) },
      EXACT_WITHOUT_ROAD,
      'R4 certain: lies on the line',
    ],
    [
      'Long delays',
      { geometry: along('M62', M62_J26 + 0.1, M62_J26 + 0.8) },
      EXACT_WITHOUT_ROAD,
      'R6 possible: the other carriageway',
    ],
    [
      'Long delays',
      { geometry: along('M62', M62_J26 + 0.8, M62_J26 + 0.1) },
      M62_WEST,
      'R9 possible: 0.1 km away',
    ],
    [
      'Yellow warning of rain',
      { source: 'met-office', geometry: polygon(square(spot('M62 J22'), 0.1)) },
      M62_WEST,
      'R5 certain: runs through the area for 24 km',
    ],
    [
      'M62 eastbound between J26 and J27: Accident',
      { geometry: along('M62', M62_J26 + 0.1, M62_J26 + 0.8) },
      M62_WEST,
      'R6 possible: the other carriageway',
    ],
    ['M62 eastbound between J26 and J27: Accident', {}, M62_WEST, 'R6 possible: the other carriageway'],
    ['M62: long delays', {}, M62_WEST, 'R7 possible: names the M62, but not where'],
    ['A650: long delays', {}, A650, 'R7 possible: names the A650, but not where'],
    ['A1234: long delays', {}, M62_WEST, 'none'],
    [
      'M62 westbound at J20: Accident',
      { geometry: point(spot('M62 J26+0.5')) },
      M62_WEST,
      'R8 possible: its words and its position disagree',
    ],
    [
      'Roadworks',
      { geometry: point(moved(spot('M62 J26'), 0, 0.0063)) },
      M62_WEST,
      'R9 possible: 0.7 km away',
    ],
    [
      'A58: Accident',
      { geometry: point(moved(spot('M62 J26'), 0, 0.0045)) },
      M62_WEST,
      'R9 possible: a road that crosses',
    ],
    ['A58: Accident', { geometry: point(moved(spot('M62 J26'), 0, 0.0063)) }, M62_WEST, 'none'],
    [
      'Buses diverted',
      { event_type: 'bus.incident', geometry: point(moved(spot('M62 J26'), 0, 0.009)) },
      M62_WEST,
      'R9 possible: 1.0 km away',
    ],
    [
      'Buses diverted',
      { event_type: 'bus.incident', geometry: point(moved(spot('M62 J26'), 0, 0.02)) },
      M62_WEST,
      'none',
    ],
    [
      'Flood warning: beside the A58',
      { event_type: 'flood.warning', geometry: point(moved(spot('M62 J26'), 0, 0.009)) },
      M62_WEST,
      'R9 possible: a road that crosses',
    ],
    ['Roadworks', { geometry: point(moved(spot('M62 J26'), 0, 0.02)) }, M62_WEST, 'R9 possible: 2.2 km away'],
    ['Roadworks', { geometry: point(moved(spot('M62 J26'), 0, 0.02)) }, EXACT, 'none'],
    ['Roadworks', { geometry: point(moved(spot('M62 J26'), 0, 0.03)) }, M62_WEST, 'none'],
    [
      'Police incident in Brighouse',
      {
        source: 'news-rss',
        latitude: 53.703,
        longitude: -1.783,
        metadata: { location_method: 'place_name', location_names: ['Brighouse'], location_reach_km: 3 },
      },
      M62_WEST,
      'R10 possible: names Brighouse',
    ],
  ])('%s', (title, rest, watch, expected) => {
    expect(said(title, rest, watch)).toBe(expected);
  });

  it('takes the first that is certain before any that is possible', () => {
    const there = route('M62 J18 to J27');
    const back = route('M62 J18 to J27', 'M62 J27 to J18');
    const closed = 'M62 westbound between J27 and J26: Accident';

    expect(said(closed, {}, there)).toBe('R6 possible: the other carriageway');
    expect(said(closed, {}, back)).toBe('R2 certain: names the M62, J27 to J26, westbound');
  });

  it('takes the first possible one if none is certain', () => {
    const slip = { metadata: { slip_road: true }, geometry: point(spot('M62 J24')) };

    expect(said('M62 westbound J24 exit slip closed', slip, M62_WEST)).toBe('R1 possible: a slip road');
    expect(said('M62 eastbound J24 exit slip closed', slip, M62_WEST)).toBe(
      'R6 possible: the other carriageway',
    );
  });
});

describe('a town that words name', () => {
  const near = (title: string, event_type: string) =>
    said(
      title,
      {
        source: 'news-rss',
        event_type,
        latitude: 53.703,
        longitude: -1.783,
        metadata: { location_method: 'place_name', location_names: ['Brighouse'], location_reach_km: 3 },
      },
      M62_WEST,
    );

  it.each([
    ['M62 closed near Brighouse', 'news.road', 'R10 possible: names Brighouse'],
    ['M62 westbound closed near Brighouse', 'news.road', 'R10 possible: names Brighouse'],
    ['M62 eastbound closed near Brighouse', 'news.road', 'none'],
    ['A644 closed at Brighouse', 'news.road', 'none'],
    ['Flooding in Brighouse', 'news.weather', 'R10 possible: names Brighouse'],
    ['Trains stop at Brighouse after flood', 'news.rail', 'none'],
    ['Bus drivers in Brighouse to strike next week', 'news.bus', 'none'],
  ])('%s (%s): %s', (title, type, expected) => expect(near(title, type)).toBe(expected));
});

describe('an airport or a station', () => {
  const AIRPORT: LonLat = [-1.661, 53.866];
  const toAirport = route('M62 J18 to J27', {
    type: 'link',
    points: [spot('M62 J27'), AIRPORT],
    names: [null, 'Leeds Bradford Airport, West Yorkshire'],
  });
  const delay = (at: LonLat) => ({
    source: 'airport-status',
    event_type: 'aviation.delay',
    geometry: point(at),
  });

  it('is certain if the route ends there, at the kilometre of the end', () => {
    const found = match(incident('Departures 85 minutes late', delay(moved(AIRPORT, 0.01, 0))), toAirport)!;
    expect(found).toMatchObject({
      rule: 'R12',
      level: 'certain',
      why: 'lies at Leeds Bradford Airport, where the route ends',
    });
    expect(found.from_km).toBeCloseTo(toAirport.km.at(-1)!, 2);
    expect(found.to_km).toBe(found.from_km);
    expect(said('Fog', delay(AIRPORT), route({ type: 'line', points: [AIRPORT, spot('M62 J27')] }))).toBe(
      'R12 certain: lies at the airport, where the route begins',
    );
  });

  it('is certain if the route calls there', () => {
    const on = route(
      'M62 J18 to J27',
      { type: 'link', points: [spot('M62 J27'), AIRPORT], names: [null, 'Leeds Bradford Airport'] },
      { type: 'link', points: [AIRPORT, [-1.08, 53.96]], names: ['Leeds Bradford Airport', 'York'] },
    );
    expect(said('Fog', delay(AIRPORT), on)).toBe(
      'R12 certain: lies at Leeds Bradford Airport, where the route calls',
    );
  });

  it('does not touch a route that only passes the airport', () => {
    expect(said('Fog', delay(moved(spot('M62 J22'), 0, 0.01)), M62_WEST)).toBe('none');
    expect(said('Fog', delay(moved(AIRPORT, 0, 0.04)), toAirport)).toBe('none');
  });

  it('is certain for incidents at the airport, and not for those near it', () => {
    const stands = (at: LonLat) =>
      said('Buses diverted', { event_type: 'bus.incident', geometry: point(at) }, toAirport);
    expect(stands(moved(AIRPORT, 0.003, 0))).toMatch(/^R12 certain: lies at Leeds Bradford Airport/);
    expect(stands(moved(AIRPORT, 0.012, 0))).toMatch(/^R9 possible/);
  });

  it('is certain for a station named in the words, if the route names the station and not the town', () => {
    const YORK: LonLat = [-1.093, 53.958];
    const to = (name: string) =>
      route('M62 J18 to J27', { type: 'link', points: [spot('M62 J27'), YORK], names: [null, name] });
    const closed = (location_method: string) => ({
      source: 'kb-incidents',
      event_type: 'rail.incident',
      latitude: YORK[1],
      longitude: YORK[0],
      metadata: { location_method, location_names: ['York'], location_reach_km: 0 },
    });
    expect(said('York station closed', closed('station'), to('York station (YRK)'))).toBe(
      'R12 certain: lies at York station, where the route ends',
    );
    expect(said('York station closed', closed('station'), to('York, North Yorkshire'))).toBe('none');
    expect(said('No trains', closed('line_section'), to('York station (YRK)'))).toBe('none');
  });
});

describe('areas', () => {
  const LEEDS: LonLat = [-1.55, 53.8];
  const circle = area({ type: 'Point', coordinates: LEEDS }, 5000);
  const outline = area({ type: 'Polygon', coordinates: [square(LEEDS, 0.05)] });

  it.each([
    ['A circle', circle],
    ['An outline', outline],
  ])('%s holds what lies in it, runs through it or overlaps it', (_, watch) => {
    const by = (geometry: string) => said('Roadworks', { geometry }, watch);

    expect(by(point(LEEDS))).toBe('R11 certain: lies in the area');
    expect(by(point(moved(LEEDS, 0.3, 0)))).toBe('none');
    expect(by(line(moved(LEEDS, -0.3, 0), moved(LEEDS, 0.3, 0)))).toBe('R11 certain: runs through the area');
    expect(by(line(moved(LEEDS, -0.3, 0.1), moved(LEEDS, 0.3, 0.1)))).toBe('none');
    expect(by(polygon(square(moved(LEEDS, 0.1, 0), 0.05)))).toBe('R5 certain: overlaps the area');
    expect(by(polygon(square(LEEDS, 1)))).toBe('R5 certain: overlaps the area');
    expect(by(polygon(square(LEEDS, 0.001)))).toBe('R5 certain: overlaps the area');
    expect(by(polygon(square(moved(LEEDS, 0.3, 0), 0.05)))).toBe('none');
  });

  it('possibly holds a named town, by how far the town reaches', () => {
    const town = (reach: number): Partial<StoredIncident> => ({
      source: 'news-rss',
      latitude: 53.68,
      longitude: -1.5,
      metadata: { location_method: 'place_name', location_names: ['Wakefield'], location_reach_km: reach },
    });

    expect(said('Police incident in Wakefield', town(10), circle)).toBe('R10 possible: names Wakefield');
    expect(said('Police incident in Wakefield', town(3), circle)).toBe('none');
  });

  it.each([
    ['A circle', circle],
    ['An outline', outline],
  ])('%s certainly holds the team’s own report if all that its place can mean is inside', (_, watch) => {
    const own = (km: number, reach: number, source = 'own:north') =>
      said(
        'Car on fire',
        {
          source,
          event_type: 'own.report',
          longitude: LEEDS[0],
          latitude: LEEDS[1] + km / 111.3,
          metadata: { location_method: 'place_name', location_names: ['Leeds'], location_reach_km: reach },
        },
        watch,
      );

    expect(own(1, 2)).toBe('R11 certain: lies in the area');
    expect(own(1, 2, 'news-rss')).toBe('R10 possible: names Leeds');
    expect(own(4, 2)).toBe('R10 possible: names Leeds');
    expect(own(6, 2)).toBe('R10 possible: names Leeds');
    expect(own(9, 2)).toBe('none');
  });

  it('possibly contain an incident that only words place in them, whatever it is about', () => {
    const thirty = area({ type: 'Point', coordinates: LEEDS }, 30_000);
    const [x, y] = moved(LEEDS, -0.12, -0.07); // 11 km away
    const by = (event_type: string, location_method: string, names: string[], reach: number) =>
      said(
        'Suspended',
        {
          source: 'kb-incidents',
          event_type,
          latitude: y,
          longitude: x,
          metadata: { location_method, location_names: names, location_reach_km: reach },
        },
        thirty,
      );
    expect(by('rail.incident', 'line_section', ['Leeds', 'Huddersfield'], 11)).toBe(
      'R10 possible: names Leeds and Huddersfield',
    );
    expect(by('rail.incident', 'station', ['Leeds'], 0)).toBe('R10 possible: names Leeds');
    expect(by('rail.line_status', 'line', [], 20)).toBe('R10 possible: its words name a place there');
    expect(by('flood.warning', 'area', ['West Yorkshire'], 40)).toBe('R10 possible: names West Yorkshire');
    expect(by('news.bus', 'place_name', ['Leeds'], 8)).toBe('R10 possible: names Leeds');
    expect(
      said(
        'M62 between J26 and J27: closed',
        { latitude: y, longitude: x, metadata: { location_method: 'junction', location_names: ['M62 J26'] } },
        thirty,
      ),
    ).toBe('R10 possible: names M62 J26');
    const far = area({ type: 'Point', coordinates: moved(LEEDS, 1, 0) }, 30_000);
    expect(
      said(
        'Suspended',
        { latitude: y, longitude: x, metadata: { location_method: 'station', location_names: ['Leeds'] } },
        far,
      ),
    ).toBe('none');
  });

  it('is refused without an outline', () => {
    expect(() => area({ type: 'Polygon', coordinates: [] })).toThrow('has no outline');
    expect(() => area({ type: 'Point', coordinates: LEEDS }, 0)).toThrow('has no outline');
  });
});

it('ignores an example of a publisher whose words and position lie 13 km apart', () => {
  const trap = incident('M62 southbound: Breakdown [M62A/M60A, Eccles from 0.72 to 0.72]', {
    summary_line: 'Link road from M62 J10 westbound to M6 J21A northbound. 1 of 2 lanes closed.',
    metadata: {
      roads: ['M62'],
      places: ['link road from M62 J10 westbound to M6 J21A northbound'],
      slip_road: false,
    },
    geometry: point([-2.3784728, 53.489254]),
  });
  const disagrees = { rule: 'R8', level: 'possible', why: 'its words and its position disagree' };

  expect(match(trap, route('M62 J11 to J7'))).toMatchObject(disagrees);
  expect(match(trap, route('M62 J12 to J11'))).toMatchObject(disagrees);
});

it('makes a slip road certain only if the route leaves or joins there', () => {
  const slip = (words: string) => match(incident(words, { metadata: { slip_road: true } }), M62_WEST);

  expect(slip('M62 westbound J27 entry slip closed')?.level).toBe('certain');
  expect(slip('M62 westbound J18 exit slip closed')?.level).toBe('certain');
  expect(slip('M62 westbound J24 exit slip closed')).toMatchObject({
    level: 'possible',
    why: 'a slip road',
  });
});

it('counts two legs of one road as one road', () => {
  const named = route('M62 J27 to J24', 'M62 J24 to J18');
  const slip = incident('M62 westbound J24 exit slip closed', { metadata: { slip_road: true } });

  expect(match(slip, named)?.level).toBe('possible');
  expect(named.pieces).toHaveLength(1);
});

it('knows that the M62 from J12 to J18 is the M60', () => {
  const through = route('M62 J10 to J20');

  expect(said('M60 clockwise between J15 and J16: Accident', {}, through)).toBe(
    'R2 certain: names the M60, J15 to J16, clockwise',
  );
  expect(said('M60 anti-clockwise between J16 and J15: Accident', {}, through)).toBe(
    'R6 possible: the other carriageway',
  );
  expect(said('M60 between J20 and J21: Accident', {}, through)).toBe('none');
});

it('follows a ring past its last junction, both ways round', () => {
  const clockwise = route('M25 J28 to J5');
  const back = route('M25 J5 to J28');
  const at = { geometry: point(spot('M25 J31+0.5')) };

  expect(said('M25 clockwise: Accident', at, clockwise)).toContain('R1 certain');
  expect(said('M25 anti-clockwise: Accident', at, clockwise)).toContain('R6 possible');
  expect(said('M25 anti-clockwise: Accident', at, back)).toContain('R1 certain');
  expect(said('M25 between J31 and J2: Accident', {}, clockwise)).toContain('R2 certain');
  expect(said('M25 between J12 and J13: Accident', {}, clockwise)).toBe('none');
});

it("uses each nation's roads only for what happens there", () => {
  const irish = route({ type: 'road', road: 'NI M1', from: 'J3', to: 'J7', sense: 1 });
  const english = route('M1 J4 to J10');
  const lisburn = { source: 'news-rss', geometry: point(spot('NI M1 J6')) };

  expect(said('M1 closed after crash', lisburn, irish)).toContain('R1 certain');
  expect(said('M1 closed after crash', lisburn, english)).toBe('none');
  expect(said('M1 J6A closed', {}, english)).toContain('R2 certain');
  expect(said('M1 J6 closed', {}, irish)).toBe('none');
});

it('never matches a route through Oxford with a closure in Cambridge', () => {
  const oxford = route('M40 J8 to J9', drawn('A34', [-1.2, 51.88], [-1.28, 51.75], [-1.27, 51.7]));
  const cambridge: LonLat[] = [spot('M11 J13'), spot('M11 J11+0.5'), [0.12, 52.2]];

  for (const at of cambridge) {
    for (const title of ['M11 closed', 'A34 closed', 'M40 closed', 'Road closed']) {
      expect(said(title, { geometry: point(at) }, oxford), title).toBe('none');
    }
  }
});

it('finds nothing by a shape that is empty or crosses the 180th meridian', () => {
  const world = polygon([
    [179, 50],
    [-179, 50],
    [-179, 60],
    [179, 60],
    [179, 50],
  ]);

  expect(said('Warning', { geometry: world }, M62_WEST)).toBe('none');
  expect(said('Warning', { geometry: '{"type":"MultiPolygon","coordinates":[]}' }, M62_WEST)).toBe('none');
  expect(said('Warning', { geometry: '{"type":"Polygon","coordinates":[[]]}' }, M62_WEST)).toBe('none');
  expect(said('Warning', { geometry: '{"type":"LineString","coordinates":[]}' }, M62_WEST)).toBe('none');
});

it('counts each kilometre in overlapping areas of one warning once, and none in a hole', () => {
  const one = square(spot('M62 J22'), 0.1);
  const twice = JSON.stringify({ type: 'MultiPolygon', coordinates: [[one], [one]] });
  const holed = polygon(one, square(spot('M62 J22'), 0.05));

  expect(said('Warning', { geometry: twice }, M62_WEST)).toBe('R5 certain: runs through the area for 24 km');
  expect(said('Warning', { geometry: holed }, M62_WEST)).toBe('R5 certain: runs through the area for 12 km');
});

it('names, among several stretches, the one that is on the route', () => {
  const works = 'M62 between J30 and J31, and M62 between J26 and J27: Roadworks';

  expect(said(works, {}, M62_WEST)).toBe('R2 certain: names the M62, J26 to J27');
  expect(said(works, { geometry: point(spot('M62 J26+0.5')) }, M62_WEST)).toBe(
    'R1 certain: names the M62, J26 to J27',
  );
});

it('says where on the route it is, in kilometres', () => {
  const there = match(incident('M62 J26 to J27', {}), route('M62 J18 to J27'))!;
  const back = match(incident('M62 J26 to J27', {}), M62_WEST)!;
  const length = M62_WEST.km.at(-1)!;

  expect(there.to_km).toBeCloseTo(length, 1);
  expect(back.from_km).toBe(0);
  expect(back.to_km).toBeCloseTo(length - there.from_km!, 1);
});

describe('explain', () => {
  it('gives every rule with its numbers and outcome, even if none matches', () => {
    const explained = explain(
      incident('M62 westbound: Accident', { geometry: point(spot('M62 J29+0.5')) }),
      M62_WEST,
    );

    expect(explained).toMatchObject({ level: 'none', why: null });
    expect(explained.rules).toHaveLength(13);
    expect(explained.rules[0]).toMatchObject({
      rule: 'R1',
      outcome: 'none',
      words: 'M62 between J29 and J30; the route uses it between J18 and J27, the same way',
      numbers: { from: 20.5, leg_from: 9, leg_to: 18, off_km: 0 },
    });
    expect(explained.rules[1]).toEqual({
      rule: 'R2',
      outcome: 'not_tried',
      words: 'it has a position',
      numbers: {},
    });
  });

  it('names the other carriageway, and says that nearness was not asked on the road itself', () => {
    const at = { geometry: point(spot('M62 J26+0.5')) };
    const { rules } = explain(incident('M62 eastbound: Accident', at), M62_WEST);

    expect(rules[0]).toMatchObject({
      outcome: 'none',
      words: 'M62 between J26 and J27; the route uses it between J18 and J27, the other way',
    });
    expect(rules[8]).toMatchObject({
      outcome: 'none',
      words: 'there the route is on a road that it names',
    });
  });

  it('names the rule that decided', () => {
    const explained = explain(incident('M62 eastbound J26 to J27: Accident'), M62_WEST);

    expect(explained).toMatchObject({ level: 'possible', why: 'the other carriageway' });
    expect(explained.rules.filter(({ outcome }) => outcome === 'possible').map(({ rule }) => rule)).toEqual([
      'R6',
    ]);
  });
});
