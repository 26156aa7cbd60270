import { expect, it } from 'vitest';
import {
  feedPages,
  PAGE_MS,
  pageAt,
  type RowKind,
  rowHeights,
  rowTracks,
} from '../../../src/wall/feedPages.ts';
import { ROWS_HEIGHT } from '../../../src/wall/measures.ts';

const heights = (...kinds: RowKind[]) => rowHeights(kinds).map(Math.round);
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

it('gives five busy rows the same height, and a quiet one two thirds of it', () => {
  expect(heights('busy', 'busy', 'busy', 'busy', 'busy')).toEqual([188, 188, 188, 188, 188]);
  expect(heights('busy', 'busy', 'busy', 'busy', 'quiet')).toEqual([201, 201, 201, 201, 133]);
  expect(sum(rowHeights(['quiet', 'quiet', 'busy', 'quiet', 'quiet']))).toBeCloseTo(ROWS_HEIGHT);
});

it('lets the rows of fewer feeds grow by a quarter at most, and leaves the rest empty', () => {
  expect(heights('busy')).toEqual([235]);
  expect(heights('busy', 'busy', 'busy', 'busy')).toEqual([235, 235, 235, 235]);
  expect(heights('busy', 'quiet')).toEqual([235, 155]);
  expect(rowTracks(rowHeights(['busy', 'busy']))).toBe(
    'minmax(0, 234.5fr) minmax(0, 234.5fr) minmax(0, 469.0fr)',
  );
});

it('fills the screen with five, and leaves nothing at the foot', () => {
  expect(rowTracks([469, 469])).toBe('minmax(0, 469.0fr) minmax(0, 469.0fr)');
});

it('gives a held feed most of the screen, and keeps the others on it', () => {
  expect(heights('busy', 'held', 'busy', 'quiet', 'busy')).toEqual([111, 494, 111, 111, 111]);
  expect(heights('held')).toEqual([ROWS_HEIGHT]);
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
