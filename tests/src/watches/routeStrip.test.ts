import { describe, expect, it } from 'vitest';
import type { RoutePlace } from '#contract/watches/watches.ts';
import type { SourceEntry } from '../../../src/api/alerts/disruptions.ts';
import { silentParts, type StripInput, stripOf, unheard } from '../../../src/watches/routeStrip.ts';
import type { Touch } from '../../../src/watches/timeWindow.ts';

const place = (km: number, ...junctions: string[]): RoutePlace => ({
  km,
  latitude: 53,
  longitude: -1,
  name: junctions.length > 0 ? null : `Place ${km}`,
  junctions: junctions.map((one) => {
    const [road = '', junction = ''] = one.split(' ');
    return { road, junction };
  }),
  minor: junctions.length === 1 && km % 10 !== 0,
});

const touch = (id: string, from_km: number, to_km = from_km): Touch => ({
  match: { subject_id: id, level: 'certain', why: '', from_km, to_km },
  alert: null,
  event: null,
});

const PLACES = [
  place(0),
  place(20, 'M62 J26'),
  place(28, 'M62 J27'),
  place(32, 'M62 J28'),
  place(40, 'M62 J29', 'M1 J42'),
  place(61, 'M1 J40'),
  place(83, 'M1 J38'),
  place(101, 'M1 J37'),
  place(200, 'M1 J6A'),
];

const COURSE: StripInput['course'] = [
  { from_km: 20, to_km: 40, road: 'M62', from: 'J26', to: 'J29', direction: 'E', line: 'chain' },
  { from_km: 40, to_km: 200, road: 'M1', from: 'J42', to: 'J6A', direction: 'S', line: 'chain' },
];

function strip(fields: Partial<StripInput>): string[] {
  const rows = stripOf({
    length_km: 200,
    places: PLACES,
    course: COURSE,
    touches: [],
    silent: [],
    unknown: null,
    trip: null,
    ...fields,
  });
  return rows.map((row) => {
    switch (row.kind) {
      case 'place':
        return `${row.place.km}${row.silent ? ' grey' : ''}`;
      case 'touch':
        return row.touch.match.subject_id;
      case 'silent':
        return row.words;
      case 'run':
        return `[${row.label}] hides ${row.hidden.length}`;
    }
  });
}

describe('the strip of a route', () => {
  it('has every junction and place in order, and folds long runs without anything', () => {
    expect(strip({})).toEqual([
      '0',
      '[Place 0 to M62 J26, 20 km: nothing known] hides 0',
      '20',
      '[M62 J26 to J29, 20 km: nothing known] hides 2',
      '40',
      '[M1 J42 to J6A, 160 km: nothing known] hides 3',
      '200',
    ]);
  });

  it('shows an incident between its two places, and never folds over it', () => {
    expect(strip({ touches: [touch('far', 90), touch('lorry', 21, 30)] })).toEqual([
      '0',
      '[Place 0 to M62 J26, 20 km: nothing known] hides 0',
      '20',
      'lorry',
      '28',
      '32',
      '40',
      '[M1 J42 to J38, 43 km: nothing known] hides 1',
      '83',
      'far',
      '101',
      '[M1 J37 to J6A, 99 km: nothing known] hides 0',
      '200',
    ]);
  });

  it('shows trouble at the very end and beyond it', () => {
    expect(strip({ touches: [touch('end', 200), touch('beyond', 203)] }).slice(-4)).toEqual([
      '101',
      'end',
      'beyond',
      '200',
    ]);
  });

  it('says for a stretch without a fresh source that there is no information', () => {
    const words = 'No information from Traffic Wales since 05:41';
    const rows = strip({ silent: [{ from_km: 40, to_km: 200, words }] });

    expect(rows).toEqual([
      '0',
      '[Place 0 to M62 J26, 20 km: nothing known] hides 0',
      '20',
      '[M62 J26 to J29, 20 km: nothing known] hides 2',
      '40 grey',
      words,
      '[M1 J42 to J6A, 160 km: no information from Traffic Wales since 05:41] hides 3',
      '200',
    ]);
  });

  it('has its silent parts in their order, and all of it grey when the whole answer is old', () => {
    const parts = [
      { from_km: 40, to_km: 200, words: 'Second' },
      { from_km: 0, to_km: 20, words: 'First' },
    ];
    expect(strip({ silent: parts }).filter((row) => /^(First|Second)$/.test(row))).toEqual([
      'First',
      'Second',
    ]);
    const grey = (fields: Partial<StripInput>) => strip(fields).filter((row) => row.endsWith('grey'));
    expect(grey({ silent: parts })).toEqual(['0 grey', '40 grey']);
    expect(grey({ unknown: 'No information since 07:42' })).toContain('20 grey');
  });

  it('leaves out incidents without a place on it, and has the others in their order', () => {
    const all = [
      touch('long', 90, 99),
      touch('short', 90, 91),
      touch('before', 85),
      { ...touch('nowhere', 0), match: { ...touch('nowhere', 0).match, from_km: null, to_km: null } },
      touch('outside', -2, 1),
    ];
    const ids = strip({ touches: all }).filter((row) => all.some((one) => one.match.subject_id === row));
    expect(ids).toEqual(['outside', 'before', 'short', 'long']);
  });

  it('says when its vehicle is at each place and incident', () => {
    const leaves = new Date('2026-11-22T06:00:00Z');
    const arrives = new Date('2026-11-22T10:00:00Z');
    const trip = { departure_id: 'd', leaves, arrives, length_km: 200 };
    const rows = (of: StripInput['trip']) =>
      stripOf({
        length_km: 200,
        places: [place(0), place(100), place(200)],
        course: [],
        touches: [touch('lorry', 50)],
        silent: [],
        unknown: null,
        trip: of,
      }).flatMap((row) => ('at' in row ? (row.at?.toISOString().slice(11, 16) ?? null) : []));
    expect(rows(trip)).toEqual(['06:00', '07:00', '08:00', '10:00']);
    expect(rows(null)).toEqual([null, null, null, null]);
  });

  it('says only on a road that no source covers that none does', () => {
    const rows = strip({ silent: [{ from_km: 20, to_km: 40, words: 'No source covers this road' }] });

    expect(rows).toEqual([
      '0',
      '[Place 0 to M62 J26, 20 km: nothing known] hides 0',
      '20 grey',
      'No source covers this road',
      '[M62 J26 to J29, 20 km: no source covers this road] hides 2',
      '40',
      '[M1 J42 to J6A, 160 km: nothing known] hides 3',
      '200',
    ]);
  });

  it('says nothing about any stretch when the whole answer is old', () => {
    const rows = strip({ unknown: 'No information since 07:42' });

    expect(rows.join()).not.toContain('nothing known');
    expect(rows).toContain('[M1 J42 to J6A, 160 km: no information since 07:42] hides 3');
  });

  it('names before its last place the sources that are not heard there', () => {
    const silent = [{ from_km: 200, to_km: 200, words: 'No information from Airport status since 05:41' }];
    expect(strip({ silent }).slice(-2)).toEqual(['No information from Airport status since 05:41', '200']);
  });

  it('has a start and an end while only its length is known', () => {
    expect(strip({ places: [], course: [], touches: [touch('lorry', 21, 30)] })).toEqual([
      '0',
      'lorry',
      '200',
    ]);
  });
});

it('names, among unheard sources, those of roads, and roads that no source covers', () => {
  const now = new Date('2026-11-22T06:14:30Z');
  const entry = (source: string, fields: Partial<SourceEntry>): [string, SourceEntry] => [
    source,
    { source, state: 'ok', freshness: 'fresh', last_collected: '2026-11-22T05:41:00Z', ...fields },
  ];
  const off = { state: 'not_configured', freshness: null, last_collected: null } as const;
  const sources = new Map([
    entry('national-highways', {}),
    entry('traffic-wales', { freshness: 'stale' }),
    entry('traffic-scotland', off),
    entry('northern-ireland-roads', off),
    entry('uncovered-roads', off),
    entry('unknown-roads', off),
    entry('met-office', off),
  ]);

  expect(unheard([...sources.keys()], { sources }, now)).toEqual([
    { source: 'traffic-wales', words: 'No information from Traffic Wales since 05:41' },
    { source: 'traffic-scotland', words: 'No information from Traffic Scotland' },
    { source: 'northern-ireland-roads', words: 'No information from Northern Ireland Roads' },
    { source: 'uncovered-roads', words: 'No source covers this road' },
    { source: 'unknown-roads', words: 'No known road, so no source can be named' },
  ]);
});

it('gives a source without a part of its own the whole route', () => {
  const coverage = [{ source: 'traffic-wales', from_km: 50, to_km: 70 }];
  const silent = [
    { source: 'traffic-wales', words: 'Wales' },
    { source: 'met-office', words: 'weather' },
  ];

  expect(silentParts(silent, coverage, 200)).toEqual([
    { from_km: 50, to_km: 70, words: 'Wales' },
    { from_km: 0, to_km: 200, words: 'weather' },
  ]);
});
