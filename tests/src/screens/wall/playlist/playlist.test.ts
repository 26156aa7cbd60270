import { expect, it } from 'vitest';
import type { Self } from '../../../../../src/api/displays/displaySelf.ts';
import { pageNow, playlistOf } from '../../../../../src/screens/wall/playlist/playlist.ts';

const layout = (...types: string[]): Self['layout'] =>
  ({
    name: 'Gate',
    pin_criticals: true,
    pages: types.map((type) => ({ type, dwell_s: 20 })),
  }) as Self['layout'];

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
  ['a page that is not drawn yet', layout('jobs', 'routes'), ['routes'], 'This build does not draw jobs yet'],
])('shows all feeds rather than nothing or the layout before: %s', (_, of, pages, problem) => {
  const list = playlistOf(of);
  expect([list.pages.map(({ type }) => type), list.problem]).toEqual([pages, problem]);
});

it('turns by the clock alone, each page for its dwell, and one page stands', () => {
  const pages = [{ dwell_s: 10 }, { dwell_s: 30 }, { dwell_s: 20 }];
  const shown = Array.from({ length: 120 }, (_, second) => pageNow(pages, new Date(second * 1000)));
  for (const [place, seconds] of [
    [0, 20],
    [1, 60],
    [2, 40],
  ] as const)
    expect(shown.filter((one) => one === place)).toHaveLength(seconds);
  expect(shown.filter((one, at) => at > 0 && one !== shown[at - 1])).toHaveLength(5);
  expect(pageNow([{ dwell_s: 30 }], new Date())).toBe(0);
});
