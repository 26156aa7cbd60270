import { expect, it } from 'vitest';
import {
  bandSize,
  linesOf,
  screenSize,
  together,
} from '../../../../../src/screens/wall/playlist/WallMessage.tsx';

// Text cannot be measured here, so each letter counts as half as wide as high.
const text = (letters: number) =>
  'word '
    .repeat(Math.ceil(letters / 5))
    .slice(0, letters)
    .trim();

it.each([
  ['up to 40 characters', 34, 'usual', false, 196],
  ['up to 80', 79, 'usual', false, 156],
  ['up to 140', 139, 'usual', false, 120],
  ['200', 199, 'usual', false, 104],
  ['200 beside a critical', 199, 'usual', true, 96],
  ['80 on a screen that stands upright', 79, 'upright', false, 156],
] as const)('writes a message of %s as large as fits', (_, letters, form, beside, size) => {
  expect(screenSize(text(letters), form, beside)).toBe(size);
});

it('is smaller under a band, which takes a part of the height', () => {
  expect(screenSize(text(199), 'usual', false, 216)).toBe(88);
});

it('goes down for a word as wide as the line, and never below what can be read', () => {
  expect(screenSize('a'.repeat(30), 'usual', false)).toBe(116);
  expect(screenSize('a'.repeat(200), 'usual', false)).toBe(47);
});

it('keeps a word and its number on one line', () => {
  expect(together('bays 4 to 7, gate 2')).toBe('bays\u00a04\u00a0to\u00a07, gate\u00a02');
  expect(linesOf('go to gate 2', 100, 330)).toBe(2);
  expect(linesOf('gate 2', 100, 200)).toBeNull();
});

it('makes a band as high as its lines', () => {
  expect(bandSize(text(40), 'usual')).toEqual({ size: 64, height: 140 });
  expect(bandSize(text(199), 'usual')).toEqual({ size: 47, height: 216 });
  expect(bandSize(text(40), 'upright').height).toBeGreaterThan(180);
  // A word of 4700 units takes six lines of 808.
  expect(bandSize('a'.repeat(200), 'upright').height).toBeGreaterThan(72 + 6 * 47);
});
