import { expect, it } from 'vitest';
import type { RoutePlace } from '#contract/watches/watches.ts';
import type { Watch } from '../../../../../src/api/watches/oneWatch.ts';
import {
  EMPTY_DRAFT,
  allDepartures,
  boundsOf,
  draftOf,
  endsOf,
  named,
  partAt,
  reversedLegs,
  reversedName,
  textOf,
  typedDeparture,
} from '../../../../../src/screens/watches/making/watchDraft.ts';

const place = (name: string | null, junctions: [road: string, junction: string][] = [], minor = false) =>
  ({
    km: 0,
    latitude: 53,
    longitude: -1,
    name,
    junctions: junctions.map(([road, junction]) => ({ road, junction })),
    minor,
  }) satisfies RoutePlace;

const PLACES = [
  place('Leeds'),
  place('Chain Bar', [['M62', 'J26']], true),
  place('Lofthouse', [
    ['M62', 'J29'],
    ['M1', 'J42'],
  ]),
  place(null, [['M1', 'J6A']]),
];

it('makes the text of a saved route from the places that its author named', () => {
  expect(textOf({ places: PLACES })).toBe('Leeds, M62 J29, M1 J42, M1 J6A');
});

it('names a route by its ends', () => {
  expect(endsOf(PLACES)).toBe('Leeds to M1 J6A');
  expect(endsOf([])).toBe('');
});

it.each([
  ['Leeds to Heathrow', 'Heathrow to Leeds'],
  ['Leeds – Hull', 'Hull to Leeds'],
  ['Night coach', 'Night coach, way back'],
  ['Leeds to Hull to York', 'Leeds to Hull to York, way back'],
])('names the way back of %s', (name, back) => {
  expect(reversedName(name)).toBe(back);
});

it('turns a way round twice into itself', () => {
  const legs = [
    {
      type: 'exact' as const,
      points: [
        [-1.5, 53.8],
        [-1.4, 53.7],
      ] as [number, number][],
      roads: [
        { road: 'M1', lo: 3, hi: 4.5, sense: -1 as const, from_km: 0, to_km: 12 },
        { road: 'M62', lo: 1, hi: 2, sense: 1 as const, from_km: 14, to_km: 20 },
      ],
    },
    { type: 'road' as const, road: 'M62', from: 'J26', to: 'J27', sense: 1 as const },
  ];

  expect(reversedLegs(legs)[0]).toEqual({ type: 'road', road: 'M62', from: 'J27', to: 'J26', sense: -1 });
  expect(reversedLegs(reversedLegs(legs))).toEqual(legs);
  expect(reversedLegs(legs)[1]).toEqual({
    type: 'exact',
    points: [
      [-1.4, 53.7],
      [-1.5, 53.8],
    ],
    roads: [
      { road: 'M62', lo: 1, hi: 2, sense: -1, from_km: 0, to_km: 6 },
      { road: 'M1', lo: 3, hi: 4.5, sense: 1, from_km: 8, to_km: 20 },
    ],
  });
  const drawn = { type: 'line' as const, points: legs[0]!.points! };
  expect(reversedLegs([drawn])).toEqual([{ ...drawn, points: drawn.points.toReversed() }]);
});

it.each([
  ['Leeds, M1 J4', 12, 'M1 J4', 7],
  ['Leeds, M1 J4, Hull', 12, 'M1 J4', 7],
  ['Le', 2, 'Le', 0],
  ['Leeds\nM1', 8, 'M1', 6],
  ['Leeds, ', 7, '', 7],
])('finds in "%s" at %i the part "%s"', (text, cursor, words, from) => {
  expect(partAt(text, cursor)).toMatchObject({ words, from });
});

const watch = { places: PLACES, departures: [], notify: {} } as unknown as Watch;

it('offers a made name again if nobody typed one, so that it follows each edit', () => {
  const offered = (name: string, named_by_hand: boolean) =>
    draftOf({ ...watch, name, named_by_hand }).offered;
  expect(offered('Leeds to M1 J6A', false)).toBe('Leeds to M1 J6A');
  expect(offered('The early coach', true)).toBe('');

  const area = named({ ...EMPTY_DRAFT, place: 'Leeds' }, 'area');
  expect(area.name).toBe('Within 30 km of Leeds');
  expect(named({ ...area, reach_m: 10_000 }, 'area').name).toBe('Within 10 km of Leeds');
  expect(named({ ...area, name: 'Our city', reach_m: 10_000 }, 'area').name).toBe('Our city');
  const rail = { ...EMPTY_DRAFT.which, feeds: ['rail-network'], min_severity: 'high' as const };
  expect(named({ ...EMPTY_DRAFT, which: rail }, 'feeds').name).toBe('Rail, high and worse');
});

it('has a saved circle again after the outline form was opened', () => {
  const circle = { type: 'Point' as const, coordinates: [-1.55, 53.8] };
  const area = draftOf({ ...watch, kind: 'area', made_by: 'circle', geometry: circle, reach_m: 10_000 });
  const outline = { ...area, shape: 'polygon' as const, remade: true };
  expect(boundsOf(outline)).toBeNull();
  expect(boundsOf({ ...outline, shape: 'circle' })).toEqual(circle);
  expect(boundsOf({ ...outline, shape: 'circle', area: null })).toBeNull();
});

it('has a saved outline again, which has three points at least', () => {
  const ring = [
    [-1.6, 53.7],
    [-1.5, 53.8],
    [-1.4, 53.7],
    [-1.6, 53.7],
  ] as [number, number][];
  const polygon = { type: 'Polygon' as const, coordinates: [ring] };
  const area = draftOf({ ...watch, kind: 'area', made_by: 'outline', geometry: polygon } as unknown as Watch);
  expect([area.shape, area.area]).toEqual(['polygon', null]);
  expect(boundsOf(area)).toEqual(polygon);
  expect(boundsOf({ ...area, outline: area.outline.slice(0, 2) })).toBeNull();
});

it('changes the departure whose form is open, and adds only a new one', () => {
  const at = (at_local: string) => ({ ...typedDeparture([], 0).one, at_local });
  const departures = [at('06:10'), at('07:15')];
  const clocks = (index: number, at_local: string) => {
    const typed = typedDeparture(departures, index);
    return allDepartures({ departures, typed: { ...typed, one: { ...typed.one, at_local } } })?.map(
      (one) => one.at_local,
    );
  };
  expect(clocks(0, '06:20')).toEqual(['06:20', '07:15']);
  expect(clocks(2, '08:00')).toEqual(['06:10', '07:15', '08:00']);
});

it('takes typed hours, and drops no form in which something stands', () => {
  const typed = typedDeparture([], 0);
  const at = { ...typed.one, at_local: '06:10' };
  const minutes = (hours: string) =>
    allDepartures({ departures: [], typed: { ...typed, one: at, hours } })?.map((one) => one.duration_min);
  expect(['', '4', '4:05', '4:75', 'four'].map(minutes)).toEqual([
    [null],
    [240],
    [245],
    undefined,
    undefined,
  ]);
  const saved = [{ ...at, duration_min: 245 }];
  expect(typedDeparture(saved, 0).hours).toBe('4:05');

  const of = (changes: Partial<typeof typed> | null) =>
    allDepartures({ departures: saved, typed: changes && { ...typed, index: 1, ...changes } });
  expect([of(null), of({})]).toEqual([saved, saved]);
  for (const begun of [
    { hours: '4' },
    { pause: { from: '2026-12-21', to: '' } },
    { pause: { from: '', to: '2027-01-03' } },
    { one: { ...typed.one, days: 1 } },
  ])
    expect(of(begun)).toBeNull();
});

it('takes a departure with the typed period, and none whose period has no end or ends too early', () => {
  const { one, ...typed } = typedDeparture([], 0);
  const saved = (pause: { from: string; to: string }) =>
    allDepartures({ departures: [], typed: { ...typed, one: { ...one, at_local: '06:10' }, pause } });
  const christmas = { from: '2026-12-21', to: '2027-01-03' };
  expect(saved({ from: '', to: '' })).toMatchObject([{ at_local: '06:10', except: [] }]);
  const oneDay = { from: '2026-12-25', to: '2026-12-25' };
  for (const pause of [christmas, oneDay]) expect(saved(pause)).toMatchObject([{ except: [pause] }]);
  for (const pause of [
    { from: '2026-12-21', to: '' },
    { from: '', to: '2027-01-03' },
    { from: '2027-01-03', to: '2026-12-21' },
  ])
    expect(saved(pause)).toBeNull();
});
