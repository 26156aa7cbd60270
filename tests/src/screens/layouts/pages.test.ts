import { expect, it } from 'vitest';
import type { ShownPage } from '../../../../src/api/displays/displaySelf.ts';
import { pageAbout, requestOf, roundWords } from '../../../../src/screens/layouts/pages.ts';
import { reachedBy, tagsOf, targetChoices, targetOf } from '../../../../src/screens/layouts/shownLayout.ts';
import { untilChoices } from '../../../../src/screens/layouts/MessageDialog.tsx';

const page = (type: string, more: Partial<ShownPage> = {}): ShownPage => ({ type, dwell_s: 30, ...more });
const draft = (...pages: ShownPage[]) => ({ name: 'Gate', pages, pin_criticals: true });

it.each<[string, Parameters<typeof requestOf>[0], string]>([
  ['no page', draft(), 'Add at least one page.'],
  ['too many pages', draft(...Array.from({ length: 13 }, () => page('map'))), 'At most 12 pages.'],
  ['a message without words', draft(page('map'), page('message', { text: ' ' })), 'Write what page 2 says.'],
  ['no name', { ...draft(page('map')), name: ' ' }, 'Give the layout a name.'],
  ['a long name', { ...draft(page('map')), name: 'a'.repeat(61) }, 'At most 60 characters.'],
])('says in words why a layout is not saved: %s', (_, layout, fault) => {
  expect(requestOf(layout)).toEqual({ fault });
});

it('sends for each page only what belongs to its type', () => {
  const everything = {
    feeds: ['roads-uk'],
    watch_ids: ['1'],
    without_routes: true,
    large: true,
    text: 'Hello',
  };
  const pages = ['board', 'routes', 'message', 'map'].map((type) => page(type, everything));
  expect(requestOf(draft(...pages))).toEqual({
    name: 'Gate',
    pin_criticals: true,
    pages: [
      { type: 'board', dwell_s: 30, feeds: ['roads-uk'], without_routes: true, large: true },
      { type: 'routes', dwell_s: 30, watch_ids: ['1'] },
      { type: 'message', dwell_s: 30, text: 'Hello' },
      { type: 'map', dwell_s: 30 },
    ],
  });
});

it('says what a page shows, and how long a round takes', () => {
  const name = (id: string) => ({ 1: 'Leeds', 2: 'York' })[id];
  expect(pageAbout(page('board', { feeds: ['roads-uk', 'rail-network'] }), name)).toBe(
    'Rail Network, UK Roads',
  );
  expect(pageAbout(page('board', { without_routes: true }), name)).toBe('all feeds, without routes');
  expect(pageAbout(page('routes', { watch_ids: ['2', '9'] }), name)).toBe('York, a deleted route');
  expect(roundWords([{ dwell_s: 40 }, { dwell_s: 50 }])).toBe('Goes round in 1 min 30 s');
  expect(roundWords([{ dwell_s: 40 }, { dwell_s: 20 }])).toBe('Goes round in 1 min');
  expect(roundWords([{ dwell_s: 40 }])).toBe('One page stands, nothing goes round.');
});

it('names a target, and reads it again, even if a tag holds a colon', () => {
  const displays = [
    { id: '1', name: 'North', tags: ['Gate', 'a:b'] },
    { id: '2', name: 'South', tags: ['Gate'] },
  ];
  expect(tagsOf(displays)).toEqual([
    ['a:b', ['1']],
    ['Gate', ['1', '2']],
  ]);
  expect(targetChoices(displays).map(({ label }) => label)).toEqual([
    'All 2 displays',
    'Tag: a:b (1)',
    'Tag: Gate (2)',
    'North',
    'South',
  ]);
  const reached = targetChoices(displays).map(({ value }) =>
    reachedBy(displays, targetOf(value)).map(({ id }) => id),
  );
  expect(reached).toEqual([['1', '2'], ['1'], ['1', '2'], ['1'], ['2']]);
});

it('offers short spans and then the full hours of the clock, never more than allowed', () => {
  const choices = untilChoices(new Date('2026-11-24T06:05:00Z'), 4);
  expect(choices.map(({ label }) => label)).toEqual([
    '06:20 (in 15 min)',
    '06:35 (in 30 min)',
    '07:05 (in 1 h)',
    '08:00 (in 1 h 55)',
    '09:00 (in 2 h 55)',
    '10:00 (in 3 h 55)',
  ]);
});
