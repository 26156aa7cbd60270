import { expect, it } from 'vitest';
import {
  feedPages,
  lacking,
  liveRoom,
  LOW_ROOM,
  PAGE_MS,
  pageAt,
  rowHeights,
  rowTracks,
  TWO_LINES,
} from '../../../../../src/screens/wall/rows/feedPages.ts';
import { ROUTES_HEIGHT, rowsHeight } from '../../../../../src/screens/wall/words/wallMeasures.ts';

const heights = (...of: Parameters<typeof rowHeights>) => rowHeights(...of).map(Math.round);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

it('gives five rows the same height, whatever they hold', () => {
  expect(heights(5)).toEqual([146, 146, 146, 146, 146]);
  expect(sum(rowHeights(5))).toBeCloseTo(rowsHeight('usual'));
});

it('lets the rows of fewer feeds grow by a quarter at most, and leaves the rest empty', () => {
  expect(heights(1)).toEqual([183]);
  expect(heights(4)).toEqual([183, 183, 183, 183]);
  expect(rowTracks(rowHeights(2))).toBe('minmax(0, 183.0fr) minmax(0, 183.0fr) minmax(0, 366.0fr)');
});

it('fills the screen with five, and leaves nothing at the foot', () => {
  expect(rowTracks([366, 366])).toBe('minmax(0, 366.0fr) minmax(0, 366.0fr)');
});

it('leaves room for what is below: of five rows eleven units each, and of a held feed', () => {
  expect(heights(5, { foot: ROUTES_HEIGHT })).toEqual([136, 136, 136, 136, 136]);
  expect(heights(5, { held: 1, foot: ROUTES_HEIGHT })).toEqual([62, 430, 62, 62, 62]);
  expect(rowTracks(rowHeights(5, { foot: ROUTES_HEIGHT }), ROUTES_HEIGHT).split(' minmax')).toHaveLength(5);
});

it('gives a held feed most of the screen, and keeps the others on it', () => {
  expect(heights(5, { held: 1 })).toEqual([62, 484, 62, 62, 62]);
  expect(heights(1, { held: 0 })).toEqual([rowsHeight('usual')]);
});

it('fits an upright screen, even under the longest message', () => {
  const room = (foot: number) => liveRoom(rowHeights(5, { foot, form: 'upright' })[0]!, 'upright');
  expect(room(ROUTES_HEIGHT)).toBeGreaterThan(LOW_ROOM); // three lines
  const foot = ROUTES_HEIGHT + 312;
  expect(Math.round(room(foot))).toBe(75); // one of the 53 that a lead has
  expect(room(foot - lacking(5, foot))).toBeCloseTo(TWO_LINES + 1);
  expect(lacking(5, ROUTES_HEIGHT)).toBe(0);
  expect(heights(5, { held: 0, form: 'upright' })[1]).toBe(106);
});

const pages = (feeds: string) =>
  feedPages([...feeds], (feed) => feed === feed.toUpperCase()).map((page) => page.join(''));

it.each([
  ['five feeds are one page', 'abcde', ['abcde']],
  ['none is a page as well', '', ['']],
  ['more take turns, five at a time', 'abcdefg', ['abcde', 'fg']],
  ['a feed with a critical alert is on every page, in its place', 'abCdefgh', ['abCde', 'Cfgh']],
  ['four of them leave one place', 'ABCDefg', ['ABCDe', 'ABCDf', 'ABCDg']],
  ['where critical feeds alone fill the screen, all take turns', 'ABCDEfg', ['ABCDE', 'fg']],
])('%s', (_, feeds, expected) => expect(pages(feeds)).toEqual(expected));

it('changes pages by the clock', () => {
  expect([0, 19_999, 20_000, 39_999, 40_000].map((now) => pageAt(now, 2, PAGE_MS))).toEqual([0, 0, 1, 1, 0]);
  expect(pageAt(123_456, 1, PAGE_MS)).toBe(0);
});
