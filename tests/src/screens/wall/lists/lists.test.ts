import { expect, it } from 'vitest';
import type { EntryState } from '../../../../../src/screens/wall/lists/EntryMark.tsx';
import { listPages, rowsThatFit } from '../../../../../src/screens/wall/rows/feedPages.ts';
import { partLengths, stripOf } from '../../../../../src/screens/wall/lists/WallStrip.tsx';
import { newestFirst } from '../../../../../src/screens/wall/lists/WallChanges.tsx';
import { soonWords } from '../../../../../src/screens/wall/lists/WallList.tsx';
import type { RouteState } from '../../../../../src/watches/watchState.ts';
import type { Touch } from '../../../../../src/watches/timeWindow.ts';
import { alert } from '../../board/boardServer.ts';

const entries = (bad: number, clear: number) => [
  ...Array.from({ length: bad }, (_, place) => ({ id: `b${place}`, state: 'high' as EntryState })),
  ...Array.from({ length: clear }, (_, place) => ({ id: `c${place}`, state: 'clear' as EntryState })),
];
const ids = (pages: ReturnType<typeof listPages<{ id: string; state: EntryState }>>) =>
  pages.map((page) => page.map((entry) => ('clear' in entry ? `+${entry.clear}` : entry.id)).join(' '));

it.each([
  ['all fit', 2, 2, ['b0 b1 c0 c1']],
  ['the clear are folded first', 2, 4, ['b0 b1 c0 +3']],
  ['no clear one is named where none has room', 3, 2, ['b0 b1 b2 +2']],
  ['those that are not clear take turns, the worst first', 5, 0, ['b0 b1 b2 b3', 'b4']],
  ['and the clear stay folded on the last page', 5, 3, ['b0 b1 b2 b3', 'b4 +3']],
  ['only clear ones', 0, 6, ['c0 c1 c2 +3']],
])('shares a page of four lines: %s', (_, bad, clear, pages) => {
  expect(ids(listPages(entries(bad, clear), 4))).toEqual(pages);
});

it('has fewer rows if a message takes their room, and never more than without', () => {
  const rows = { most: 14, height: 742, least: 46 };
  const under = [null, 152, 228].map((height) => rowsThatFit(rows, height === null ? null : { height }));
  expect(under).toEqual([14, 12, 11]);
});

const touch = (id: string, from: number | null, to: number | null, stretch?: object): Touch => ({
  match: { subject: 'disruption', subject_id: id, level: 'certain', why: '', from_km: from, to_km: to },
  alert: alert(id, stretch ? ({ facts: { stretch: [stretch] } } as never) : {}),
  event: null,
});
const state = (certain: Touch[], possible: Touch[] = []) => ({ certain, possible }) as unknown as RouteState;
const drawn = (of: ReturnType<typeof stripOf>) =>
  of.parts.map(
    ({ from, to, touch }) =>
      `${from.name}@${from.km}-${to.name}@${to.km}${touch ? ` ${touch.match.subject_id}` : ''}`,
  );
const leeds = { name: 'Leeds to Heathrow', length_km: 324 };

it('draws a route from end to end, with the junctions of what touches it', () => {
  const m62 = { road: 'M62', from: 'J26', to: 'J27' };
  const strip = stripOf(leeds, state([touch('m62', 20, 26, m62)], [touch('m1', 100, 100)]));
  expect(drawn(strip)).toEqual([
    'Leeds@0-M62 J26@20',
    'M62 J26@20-M62 J27@26 m62',
    'M62 J27@26-@100',
    '@100-@101 m1',
    '@101-Heathrow@324',
  ]);
  expect(strip.more).toBe(0);
});

it('counts what it cannot draw: without a place, behind a worse one, or the fourth', () => {
  const strip = stripOf(
    leeds,
    state([
      touch('a', 20, 40),
      touch('b', null, null),
      touch('c', 30, 50),
      touch('d', 0, 5),
      touch('e', 300, 324),
      touch('f', 200, 210),
    ]),
  );
  expect(drawn(strip)).toEqual(['Leeds@0-@5 d', '@5-@20', '@20-@40 a', '@40-@300', '@300-Heathrow@324 e']);
  expect(strip.more).toBe(3);
});

it('is one line if nothing is known, and never divides the name of an end', () => {
  expect(drawn(stripOf({ name: 'Airport run', length_km: 50 }, state([])))).toEqual(['Start@0-End@50']);
});

it('gives a part that is touched room to be seen, and keeps the whole length', () => {
  const { parts } = stripOf(leeds, state([touch('a', 20, 21), touch('b', 40, 41), touch('c', 60, 61)]));
  const lengths = partLengths(parts, 1200, 190);
  expect(lengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1200);
  expect(lengths.filter((_, place) => parts[place]!.touch)).toEqual([190, 190, 190]);
});

it('lists changes newest first, in the words of a wall, and only those of the chosen routes', () => {
  const change = (event_id: string, kind: string, at: string, more: object = {}) =>
    ({ event_id, kind, at: `2026-11-24T${at}:00.000Z`, phase: 'active', ...more }) as never;
  const all = [
    change('a', 'new', '05:00', { watch_ids: ['1'] }),
    change('b', 'cleared', '06:00', { watch_ids: ['2'] }),
    change('c', 'changed', '06:01'),
    change('d', 'new', '04:00', { worse_at: '2026-11-24T06:02:00.000Z', watch_ids: ['1', '2'] }),
    change('e', 'new', '06:03', { phase: 'planned' }),
  ];
  const listed = (of: readonly string[] | null) =>
    newestFirst(all, of)
      .map(({ event_id }) => event_id)
      .join('');
  expect(listed(null)).toBe('dba');
  expect(listed(['1'])).toBe('da');
});

it('counts down to a departure for half a day', () => {
  const now = new Date('2026-11-24T06:05:00Z');
  const words = ['06:10', '07:20', '17:05', '18:05', '06:00'].map((clock) =>
    soonWords(new Date(`2026-11-24T${clock}:00Z`), now),
  );
  expect(words).toEqual(['in 5 min', 'in 1 h 15', 'in 11 h', '', '']);
  const evening = new Date('2026-11-24T22:50:00Z');
  expect(soonWords(new Date('2026-11-25T06:10:00Z'), evening)).toBe(''); // "06:10 tomorrow" says it
});
