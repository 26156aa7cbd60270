import { expect, it } from 'vitest';
import type { Self, ShownPage } from '../../../../../src/api/displays/displaySelf.ts';
import {
  feedsOf,
  hasRoute,
  lacksRoutes,
  pageNow,
  pageShowing,
  pagesWith,
  playlistOf,
} from '../../../../../src/screens/wall/playlist/playlist.ts';

const layout = (...types: string[]): Self['layout'] =>
  ({
    name: 'Gate',
    pin_criticals: true,
    pages: types.map((type) => ({ type, dwell_s: 20 })),
  }) as Self['layout'];

const withPage = (page: object): Self['layout'] =>
  ({ name: 'Gate', pin_criticals: true, pages: [{ dwell_s: 20, ...page }] }) as Self['layout'];
const NO_FEED = 'This build knows no feed of a page of type board';

it.each<[string, Self['layout'], string[], string | null]>([
  ['nothing was asked for', undefined, ['board'], null],
  ['pages that are drawn', layout('routes', 'map'), ['routes', 'map'], null],
  [
    'a page of a newer build',
    layout('routes', 'hologram'),
    ['board'],
    'This build does not know pages of type hologram',
  ],
  ['no page', layout(), ['board'], 'No page that this build draws'],
  ['a board of feeds that are gone', withPage({ type: 'board', feeds: ['gone'] }), ['board'], NO_FEED],
  ['a board of no feed', withPage({ type: 'board', feeds: [] }), ['board'], NO_FEED],
  ['a board of one that is left', withPage({ type: 'board', feeds: ['gone', 'aviation'] }), ['board'], null],
  [
    'a message without words',
    withPage({ type: 'message' }),
    ['board'],
    'A page of type message says nothing',
  ],
  ['a message', withPage({ type: 'message', text: 'Gate 4 is closed' }), ['message'], null],
  [
    'a message of blanks',
    withPage({ type: 'message', text: '  ' }),
    ['board'],
    'A page of type message says nothing',
  ],
  ['the jobs of the day', layout('jobs', 'routes'), ['jobs', 'routes'], null],
])('shows all feeds rather than nothing or the earlier layout: %s', (_, of, pages, problem) => {
  const list = playlistOf(of);
  expect([list.pages.map(({ type }) => type), list.problem]).toEqual([pages, problem]);
  if (problem) expect(list.pages[0]!.feeds).toBeUndefined();
});

it('pins criticals, unless the layout says not to', () => {
  const pins = (of: Self['layout']) => playlistOf(of).pinsCriticals;
  expect(pins(undefined)).toBe(true);
  expect(pins({ ...layout('board')!, pin_criticals: false })).toBe(false);
});

it('keeps the feeds of its own board if a critical stands alone', () => {
  const own = { type: 'board', dwell_s: 20, feeds: ['aviation'] } as ShownPage;
  const page = pageShowing([own], { feed: 'aviation', watchIds: [] }, [])!;
  expect(pagesWith([own], { is: 'new', page })).toEqual([own]);
});

it.each<[string, string[] | null, string[], boolean]>([
  ['routes', ['a', 'b'], ['b', 'c'], false],
  ['routes', ['a', 'b'], ['c'], true],
  ['changes', ['a'], [], true],
  ['routes', null, [], false],
  ['board', ['a'], [], false],
])('%s of %j have none of theirs among %j: %s', (type, watch_ids, ids, lacks) => {
  expect(
    lacksRoutes(
      { type, watch_ids },
      ids.map((id) => ({ id })),
    ),
  ).toBe(lacks);
});

it('turns by the clock alone, each page for its dwell, and a single page stays', () => {
  const pages = [{ dwell_s: 10 }, { dwell_s: 30 }, { dwell_s: 20 }];
  const shown = Array.from({ length: 120 }, (_, second) => pageNow(pages, new Date(second * 1000)).place);
  for (const [place, seconds] of [
    [0, 20],
    [1, 60],
    [2, 40],
  ] as const)
    expect(shown.filter((one) => one === place)).toHaveLength(seconds);
  expect(shown.filter((one, at) => at > 0 && one !== shown[at - 1])).toHaveLength(5);
  expect(pageNow([{ dwell_s: 30 }], new Date()).place).toBe(0);
  expect([0, 59, 60, 125].map((second) => pageNow(pages, new Date(second * 1000)).turn)).toEqual([
    0, 0, 1, 2,
  ]);
});

const page = (type: string, more: Partial<ShownPage> = {}): ShownPage => ({ type, dwell_s: 30, ...more });
const types = (pages: readonly ShownPage[]) => pages.map(({ type }) => type);

it('gives a new critical the screen, and a known one every second page, never twice in a row', () => {
  const pages = [page('board'), page('routes'), page('map')];
  const [, routes] = pages as [ShownPage, ShownPage];
  expect(types(pagesWith(pages, null))).toEqual(['board', 'routes', 'map']);
  expect(types(pagesWith(pages, { is: 'new', page: routes }))).toEqual(['routes']);
  expect(types(pagesWith(pages, { is: 'known', page: routes }))).toEqual([
    'routes',
    'board',
    'routes',
    'map',
  ]);
  expect(types(pagesWith([routes], { is: 'known', page: routes }))).toEqual(['routes']);
});

it.each<[string, ShownPage[], number | null]>([
  ['the list of its route', [page('board'), page('routes', { watch_ids: ['a', 'b'] })], 1],
  [
    'a board of its feed, not a list of other routes',
    [page('routes', { watch_ids: ['b'] }), page('board')],
    1,
  ],
  [
    'the board of its feed',
    [page('board', { feeds: ['rail-network'] }), page('board', { feeds: ['roads-uk'] })],
    1,
  ],
  ['the jobs on its route', [page('board'), page('jobs')], 1],
  ['no jobs on other routes', [page('jobs', { watch_ids: ['b'] }), page('board')], 1],
  ['all feeds where no page does', [page('map'), page('changes')], null],
])('interrupts with the page that shows the critical: %s', (_, pages, place) => {
  const touched = { feed: 'roads-uk', watchIds: ['a'] };
  const found = pageShowing(pages, touched, [{ watch_id: 'a' }]);
  expect(place === null ? found : pages.indexOf(found!)).toEqual(
    place ?? { type: 'board', dwell_s: 30, large: false },
  );
});

it('interrupts with nothing for a critical outside its routes and feeds', () => {
  const pages = [page('routes'), page('board', { feeds: ['rail-network'] })];
  expect(pageShowing(pages, { feed: 'roads-uk', watchIds: [] }, [])).toBeUndefined();
  expect(pageShowing([page('jobs')], { feed: 'roads-uk', watchIds: ['a'] }, [])).toBeUndefined();
});

it('knows the feeds of a layout, and whether routes have a place in it', () => {
  expect(
    feedsOf([page('map'), page('board', { feeds: ['roads-uk'] }), page('board', { feeds: ['aviation'] })]),
  ).toEqual(['roads-uk', 'aviation']);
  expect(feedsOf([page('board'), page('board', { feeds: ['aviation'] })])).toBeNull();
  expect(feedsOf([page('map')])).toEqual([]);
  expect(hasRoute([page('board', { without_routes: true }), page('map')], 'a')).toBe(false);
  expect(hasRoute([page('board')], 'a')).toBe(true);
  expect(hasRoute([page('map'), page('changes')], 'a')).toBe(true);
  expect(hasRoute([page('routes', { watch_ids: ['b'] })], 'a')).toBe(false);
});
