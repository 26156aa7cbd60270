import { describe, expect, it } from 'vitest';
import { madeName } from '#contract/watches/watchName.ts';
import { isEverything, type Judged, leftOutBy, WHICH, type Which } from '#contract/watches/whichIncidents.ts';
import { isWatchedWithin, isWatching, type When, watchingChangesAt } from '#contract/watches/whenWatched.ts';

const at = (time: string) => new Date(time);
const WORKDAYS = { days: 0b0011111, from: '06:00', to: '20:00' };
const NIGHTS = { days: 0b0010000, from: '22:00', to: '05:00' };

describe('hours', () => {
  it.each<[string, When, string, boolean]>([
    ['always', null, '2026-11-21T03:00:00Z', true],
    ['from the first minute', WORKDAYS, '2026-11-23T06:00:00Z', true],
    ['not a moment before', WORKDAYS, '2026-11-23T05:59:59Z', false],
    ['to the last minute', WORKDAYS, '2026-11-23T19:59:59Z', true],
    ['not from then on', WORKDAYS, '2026-11-23T20:00:00Z', false],
    ['not on other days', WORKDAYS, '2026-11-22T12:00:00Z', false],
    ['by London’s clock in summer', WORKDAYS, '2026-07-06T05:00:00Z', true],
    ['a night begins on its day', NIGHTS, '2026-11-20T22:30:00Z', true],
    ['and goes on into the next', NIGHTS, '2026-11-21T04:59:00Z', true],
    ['but not before its day', NIGHTS, '2026-11-20T04:00:00Z', false],
    ['nor in the night after', NIGHTS, '2026-11-21T22:30:00Z', false],
    ['nor from the minute at which it ends', NIGHTS, '2026-11-21T05:00:00Z', false],
    ['a night begins with its first minute', NIGHTS, '2026-11-20T22:00:00Z', true],
    [
      'the hour that comes twice counts for the first time',
      { ...NIGHTS, days: 64, from: '01:00', to: '02:00' },
      '2026-10-25T00:30:00Z',
      true,
    ],
    ['and for the second', { ...NIGHTS, days: 64, from: '01:00', to: '02:00' }, '2026-10-25T01:30:00Z', true],
    [
      'the hour that is left out does not count',
      { ...NIGHTS, days: 64, from: '01:00', to: '02:00' },
      '2026-03-29T01:00:00Z',
      false,
    ],
  ])('%s', (_, when, time, expected) => {
    expect(isWatching(when, at(time))).toBe(expected);
  });

  it.each<[When, string, string | null]>([
    [null, '2026-11-21T03:00:00Z', null],
    [WORKDAYS, '2026-11-20T12:00:00Z', '2026-11-20T20:00:00.000Z'],
    [WORKDAYS, '2026-11-20T20:00:00Z', '2026-11-23T06:00:00.000Z'],
    [NIGHTS, '2026-11-20T23:00:00Z', '2026-11-21T05:00:00.000Z'],
    // Both nights on which the clocks change.
    [{ days: 127, from: '22:00', to: '06:00' }, '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
    [{ days: 127, from: '22:00', to: '06:00' }, '2026-03-28T23:00:00Z', '2026-03-29T05:00:00.000Z'],
    [{ days: 127, from: '00:30', to: '01:30' }, '2026-03-29T00:45:00Z', '2026-03-29T01:00:00.000Z'],
    [{ days: 127, from: '00:30', to: '01:30' }, '2026-10-25T00:00:00Z', '2026-10-25T00:30:00.000Z'],
  ])('%j change after %s at %s', (when, time, expected) => {
    expect(watchingChangesAt(when, at(time))?.toISOString() ?? null).toBe(expected);
  });

  it('change at the minutes that a look at each minute of both clock nights finds', () => {
    for (const [from, to] of [
      ['2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z'],
      ['2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z'],
    ] as const)
      for (const when of [
        { days: 127, from: '01:00', to: '02:00' },
        { days: 127, from: '01:30', to: '01:15' },
        { days: 64, from: '22:00', to: '01:30' },
        { days: 32, from: '00:00', to: '23:59' },
      ]) {
        let next = watchingChangesAt(when, at(from))?.getTime();
        for (let time = Date.parse(from); time < Date.parse(to); time += 60_000) {
          const changes = isWatching(when, new Date(time)) !== isWatching(when, new Date(time - 60_000));
          if (time > Date.parse(from)) expect(changes, new Date(time).toISOString()).toBe(time === next);
          if (time === next) next = watchingChangesAt(when, new Date(time))?.getTime();
        }
      }
  });

  it('are met by what lasts into them, and not by what ends before', () => {
    expect(isWatchedWithin(WORKDAYS, at('2026-11-21T09:00:00Z'), at('2026-11-23T06:00:00Z'))).toBe(false);
    expect(isWatchedWithin(WORKDAYS, at('2026-11-21T09:00:00Z'), at('2026-11-23T06:01:00Z'))).toBe(true);
    expect(isWatchedWithin(WORKDAYS, at('2026-11-23T09:00:00Z'), at('2026-11-23T09:01:00Z'))).toBe(true);
  });
});

describe('which', () => {
  const closed: Judged = {
    source: 'national-highways',
    severity: 'high',
    title: 'M62 closed',
    summary_line: 'An overturned lorry.',
    metadata: { phase: 'active' },
  };
  const unrated = {
    ...closed,
    severity: 'medium' as const,
    metadata: { phase: 'active', severity_unrated: true },
  };
  const planned = { ...closed, metadata: { phase: 'planned' } };
  const twice = {
    ...closed,
    metadata: { phase: 'active', also_reported_by: [{ source: 'tfl', title: 'Buses turned at Ćmielów' }] },
  };

  it.each<[Partial<Which>, Judged, string | null, string | null]>([
    [{}, closed, 'certain', null],
    [{}, closed, 'possible', null],
    [{}, closed, 'near', 'level'],
    [{ level: 'certain' }, closed, 'certain', null],
    [{ feeds: ['roads-uk'] }, { ...closed, source: null }, null, 'source'],
    [{ min_severity: 'critical' }, { ...closed, severity: null }, null, null],
    [{ phase: 'active' }, { ...closed, metadata: null }, null, null],
    [{ level: 'certain' }, closed, 'possible', 'level'],
    [{ level: 'certain' }, closed, null, null],
    [{ min_severity: 'high' }, closed, null, null],
    [{ min_severity: 'critical' }, closed, null, 'grade'],
    [{ min_severity: 'critical' }, unrated, null, null],
    [{ min_severity: 'critical', unrated: false }, unrated, null, 'grade'],
    [{ unrated: false }, closed, null, null],
    [{ phase: 'active' }, planned, null, 'phase'],
    [{ phase: 'planned' }, planned, null, null],
    [{ words: 'overturned LORRY' }, closed, null, null],
    [{ words: 'closed An' }, closed, null, 'words'],
    [{ words: 'ćMIELÓW' }, twice, null, null],
    [{ feeds: ['roads-uk'] }, closed, null, null],
    [{ feeds: ['rail-network'] }, closed, null, 'source'],
    [{ feeds: ['rail-network'] }, twice, null, null],
    [{ feeds: ['aviation'], sources: ['tfl'] }, twice, null, null],
  ])('%j of %j at %s: %s', (which, incident, level, expected) => {
    expect(leftOutBy({ ...WHICH, ...which }, incident, level)).toBe(expected);
  });
});

it('is everything only if it leaves nothing out', () => {
  expect(isEverything(WHICH)).toBe(true);
  const less: Partial<Which>[] = [
    { min_severity: 'high' },
    { unrated: false },
    { phase: 'planned' },
    { words: 'closed' },
    { level: 'certain' },
    { feeds: ['aviation'] },
    { sources: ['tfl'] },
  ];
  for (const one of less) expect(isEverything({ ...WHICH, ...one }), JSON.stringify(one)).toBe(false);
});

it.each([
  [{ kind: 'route', ends: ['Leeds', 'Heathrow'] }, 'Leeds to Heathrow'],
  [{ kind: 'area', place: 'Leeds', reach_m: 30_000 }, 'Within 30 km of Leeds'],
  [{ kind: 'area', place: 'Leeds', reach_m: 1500 }, 'Within 1.5 km of Leeds'],
  [{ kind: 'area', place: 'Leeds' }, 'Area round Leeds'],
  [{ kind: 'area', near: 'Leeds' }, 'Area drawn near Leeds'],
  [{ kind: 'feeds', which: { feeds: ['rail-network'], min_severity: 'high' } }, 'Rail, high and worse'],
  [{ kind: 'feeds', which: { feeds: ['public-safety'] } }, 'Safety, all grades'],
  [{ kind: 'feeds', which: { min_severity: 'critical' } }, 'Everything, critical'],
  [
    { kind: 'feeds', which: { feeds: ['rail-network', 'roads-uk'], words: 'strike' } },
    'Rail and Roads, “strike”, all grades',
  ],
] as const)(
  '%j is called %s',
  ({ which, ...what }: { kind: 'route' | 'area' | 'feeds'; which?: object }, name) => {
    const rest = { ends: [null, null] as const, place: null, reach_m: null };
    expect(madeName({ ...rest, ...what, which: { ...WHICH, ...which } })).toBe(name);
  },
);
