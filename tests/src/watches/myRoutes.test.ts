import { expect, it } from 'vitest';
import type { ListedWatch } from '../../../src/api/watches/watches.ts';
import { clearWords, routeLines } from '../../../src/watches/myRoutes.ts';
import type { RouteState, Standing } from '../../../src/watches/watchState.ts';
import { NEXT_DEPARTURE, type Touch } from '../../../src/watches/timeWindow.ts';

const NOW = new Date('2026-11-22T15:52:00Z');
const trip = (at: string) => ({
  departure_id: at,
  leaves: new Date(`2026-11-${at}:00Z`),
  arrives: new Date(Date.parse(`2026-11-${at}:00Z`) + 4 * 3_600_000),
  length_km: 320,
});

const touch = (id: string, severity: 'critical' | 'high'): Touch => ({
  match: { subject_id: id, level: 'certain', why: '', from_km: 0, to_km: 0 },
  alert: { event_id: id, severity },
  event: null,
});
const route = (name: string, standing: Standing, certain: Touch[] = [], at: string | null = null) => ({
  watch: { id: name, name } as ListedWatch, // all that a line needs
  state: {
    standing,
    certain,
    possible: standing === 'possible' ? [touch('p', 'high')] : [],
    window: NEXT_DEPARTURE,
    trip: at === null ? null : trip(at),
    trips: at === null ? [] : [trip(at)],
  } as unknown as RouteState,
});

it('says how each route stands, with each grade once', () => {
  const lines = routeLines(
    [
      route('Leeds to Heathrow', 'certain', [touch('a', 'critical'), touch('b', 'high'), touch('c', 'high')]),
      route('Leeds to Hull', 'certain', [touch('a', 'high')]),
      route('Cardiff', 'silent'),
      route('Newcastle', 'possible'),
      route('Dublin', 'unseen'),
      route('York to Bristol', 'clear'),
      route('Luton', 'clear', [], '22T16:45'),
      route('Hull', 'clear', [], '22T15:30'),
      route('Deal', 'certain', [touch('a', 'high')], '23T06:10'),
    ],
    NOW,
  );

  expect(lines.map(({ name, grades, words }) => [name, grades.join(), words])).toEqual([
    ['Leeds to Heathrow', 'critical,high', '3 disruptions now'],
    ['Leeds to Hull', 'high', '1 disruption now'],
    ['Cardiff', '', 'do not rely on this'],
    ['Newcastle', '', 'possible trouble now'],
    ['Dublin', '', 'no trouble reported now'],
    ['York to Bristol', '', 'clear now'],
    ['Luton', '', 'clear for 16:45'],
    ['Hull', '', 'clear on the way, left 15:30'],
    ['Deal', 'high', '1 disruption for 06:10 tomorrow, its end is not known'],
  ]);
});

it('says that a coach may be past all of it if it has passed it by plan', () => {
  const behind = touch('a', 'high');
  const ahead: Touch = { ...behind, match: { ...behind.match, from_km: 100, to_km: 100 } };
  const words = (standing: Standing, touches: Touch[]) => {
    const { watch, state } = route('Hull', standing, [], '22T15:45');
    return routeLines([{ watch, state: { ...state, [standing]: touches } }], NOW)[0]!.words;
  };
  expect(words('certain', [behind])).toBe('1 disruption on the way, left 15:45, may be behind it');
  expect(words('certain', [behind, ahead])).toBe('2 disruptions on the way, left 15:45');
  expect(words('possible', [behind])).toBe('possible trouble on the way, left 15:45, may be behind it');
  expect(words('possible', [ahead])).toBe('possible trouble on the way, left 15:45');
});

it('names a route that no source covers, in whole or in part', () => {
  const line = (of: 'all' | 'part', source = 'uncovered-roads') => {
    const { watch, state } = route('York to Whitby', 'unseen');
    return routeLines([{ watch, state: { ...state, uncovered: [{ source, of }] } }], NOW)[0];
  };
  expect(line('all')).toMatchObject({
    words: 'no trouble reported now, no source covers this road',
    isClear: false,
  });
  expect(line('part')!.words).toBe('no trouble reported now, no source covers part of it');
  expect(line('all', 'unknown-roads')!.words).toBe('no trouble reported now, no known road');
  expect(line('part', 'unknown-roads')!.words).toBe('no trouble reported now, no known road for part of it');
});

it('says that a route is clear but for roads in town, alone and among others', () => {
  const plain = route('York to Hull', 'clear');
  const { watch, state } = route('Leeds to Heathrow', 'clear');
  const inTown = { watch, state: { ...state, butInTown: true } };
  expect(routeLines([inTown], NOW)[0]).toMatchObject({
    words: 'clear now, but for roads in town',
    isClear: true,
  });
  expect(clearWords(routeLines([plain, inTown], NOW))).toBe(
    'York to Hull and 1 more clear now, but for roads in town',
  );
  expect(clearWords(routeLines([plain], NOW))).toBe('York to Hull clear now');
});

it('counts together only routes that are known to be clear', () => {
  const words = (...standings: Standing[]) =>
    clearWords(
      routeLines(
        standings.map((standing, index) => route(`Route ${index + 1}`, standing)),
        NOW,
      ),
    );

  expect(words('clear', 'late', 'clear', 'silent', 'clear', 'unseen')).toBe('Route 1 and 2 more clear now');
  expect(words('clear', 'possible')).toBe('Route 1 clear now');
  expect(words('silent', 'unseen')).toBe('');
});

it('names the window of those that are clear together, or says that each has its own', () => {
  const clear = (...all: (string | null)[]) =>
    clearWords(
      routeLines(
        all.map((at, index) => route(`Route ${index + 1}`, 'clear', [], at)),
        NOW,
      ),
    );

  expect(clear('22T16:45', '22T16:45')).toBe('Route 1 and 1 more clear for 16:45');
  expect(clear('22T16:45', '23T06:10')).toBe('Route 1 and 1 more clear for their departures');
  expect(clear('22T16:45', null)).toBe('Route 1 and 1 more clear now or for their departures');
});

it('is not among the clear ones while incidents without a place may be in it', () => {
  const { watch, state } = route('Leeds', 'clear');
  const lines = routeLines([{ watch, state: { ...state, unplaced: 3 } }, route('York', 'clear')], NOW);
  expect(lines.map(({ words }) => words)).toEqual(['clear now, 3 without a place', 'clear now']);
  expect(clearWords(lines)).toBe('York clear now');
  expect(clearWords(lines.slice(0, 1))).toBe('');
});

it('is as affected as it was if all its alerts are snoozed, and has the grade of an unknown one', () => {
  const words = (standing: Standing) => {
    const { watch, state } = route('Leeds', standing);
    return routeLines([{ watch, state: { ...state, possible: [], snoozed: 2 } }], NOW)[0]!.words;
  };
  expect([words('certain'), words('possible')]).toEqual(['2 snoozed', '2 snoozed']);
  const unknown = { ...touch('a', 'high'), alert: null };
  const [line] = routeLines([route('Leeds', 'certain', [unknown])], NOW);
  expect(line).toMatchObject({ grades: ['unrated'], words: '1 disruption now' });
});
