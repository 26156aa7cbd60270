/** The type size of a message: as large as its length allows, and smaller in steps until the whole text is on the
 *  screen. */
import { FACES, textWidth } from '../words/wallFit.ts';
import type { Form, Sheet } from '../words/form.ts';

/** For each length of text, the first size and the smallest that people can read from where they stand. In units. */
const STEPS = [
  { most: 40, size: 196, floor: 56 },
  { most: 80, size: 156, floor: 56 },
  { most: 140, size: 124, floor: 47 },
  { most: 200, size: 104, floor: 47 },
] as const;
const STEP = 4;
const LINE = 1.06;

/** The room for the text: the screen without its frame, head, end and the plate beside it. */
const ROOMS: Readonly<Record<'usual' | 'upright', { width: number; height: number; plate: number }>> = {
  usual: { width: 1752, height: 773, plate: 146 },
  upright: { width: 952, height: 1497, plate: 198 },
};

/** The text with no-break spaces, so that a word and its number stay on one line: "gate 2", "bays 4 to 7". */
export const together = (text: string) =>
  text.replace(/ (?=\d)/g, '\u00a0').replace(/(?<=\d) to\u00a0/g, '\u00a0to\u00a0');

/** How many lines the text takes; null when one of its words is wider than the line. */
export function linesOf(text: string, size: number, width: number): number | null {
  const scale = size / FACES.place.size;
  const space = textWidth(' ', 'place') * scale;
  let lines = 1;
  let left: number = width;
  for (const word of together(text).split(' ')) {
    const wide = textWidth(word, 'place') * scale;
    if (wide > width) return null;
    if (wide > left) {
      lines += 1;
      left = width;
    }
    left -= wide + space;
  }
  return lines;
}

/** `band`: the height of a message above it, in units. */
export function screenSize(text: string, form: Form, beside: boolean, band = 0): number {
  const room = ROOMS[form === 'upright' ? 'upright' : 'usual'];
  const height = room.height - (beside ? room.plate : 0) - band;
  const { size: first, floor } = STEPS.find(({ most }) => text.length <= most) ?? STEPS[3];
  let size: number = first;
  const fits = () => {
    const lines = linesOf(text, size, room.width);
    return lines !== null && lines * size * LINE <= height;
  };
  while (size > floor && !fits()) size -= STEP;
  return Math.max(size, floor);
}

const BAND = [
  { most: 58, size: 64 },
  { most: 80, size: 56 },
  { most: 200, size: 47 },
] as const;
/** The width beside the symbol and within the frame. */
const BAND_WIDTH = { usual: 1648, wide: 1648, large: 1302, upright: 808, tall: 628 };
/** As large as on an upright board, whose units are smaller. */
const TALL_SIZE = 0.83;
/** The frame, the line above the text, and some room. */
const BAND_REST = 72;

/** The size in a band, and the height of all its lines. */
export function bandSize(text: string, form: Sheet): { size: number; height: number } {
  const { size: usual } = BAND.find(({ most }) => text.length <= most) ?? BAND[2];
  const size = form === 'tall' ? Math.round(usual * TALL_SIZE) : usual;
  const wide = textWidth(text, 'place') * (size / FACES.place.size);
  // A word wider than the line is broken, and the words around it can each leave a line unfilled.
  const lines = linesOf(text, size, BAND_WIDTH[form]) ?? Math.ceil(wide / BAND_WIDTH[form]) + 1;
  return { size, height: Math.max(140, Math.round(BAND_REST + lines * size * 1.02)) };
}
