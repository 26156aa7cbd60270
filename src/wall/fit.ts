/** What fits where, in wall units: calculated from the text alone, once for every screen, without the layout. */
import { useSyncExternalStore } from 'react';

/** Text is measured at this many times its size, as otherwise its width would be rounded to units. */
const ENLARGED = 10;

/** The type styles that are measured, as the style sheets set them: weight, size in units, family. */
export const FACES = {
  title: { weight: 660, size: 36, line: 1.1, family: 'Sofia Sans Semi Condensed Variable' },
  longTitle: { weight: 660, size: 27, line: 1.08, family: 'Sofia Sans Semi Condensed Variable' },
  body: { weight: 440, size: 25, family: 'Sofia Sans Variable' },
  meta: { weight: 540, size: 21, family: 'Sofia Sans Semi Condensed Variable' },
  tally: { weight: 680, size: 26.5, family: 'Sofia Sans Semi Condensed Variable' },
  totals: { weight: 680, size: 35, family: 'Sofia Sans Semi Condensed Variable' },
} as const;
export type Face = keyof typeof FACES;

/** In units. */
export const lineHeight = (face: 'title' | 'longTitle') => FACES[face].size * FACES[face].line;

/** The width of a letter, as a share of the type size, for where text cannot be measured. */
const TYPICAL_WIDTH = 0.5;

/** Lines are counted as this share of their length, to allow for rounding by the screen. */
const SLACK = 0.995;

let canvas: OffscreenCanvasRenderingContext2D | null | undefined;
let measured: Face | undefined;

export function textWidth(text: string, face: Face): number {
  if (canvas === undefined) {
    canvas = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
  }
  if (!canvas) return text.length * FACES[face].size * TYPICAL_WIDTH;
  // Setting the same font again costs as much as measuring a line.
  if (face !== measured) canvas.font = fontOf((measured = face));
  return canvas.measureText(text).width / ENLARGED;
}

/** The text as lines of at most `width`, broken as a browser breaks it: after spaces and hyphens. A word longer than
 *  a line starts on a new line and is broken inside. The lines joined are the text. */
export function linesOf(text: string, width: number, face: Face): string[] {
  const lines: string[] = [];
  let line = '';
  let left = width * SLACK;
  const fits = (words: string, room: number) => textWidth(words.trimEnd(), face) <= room;

  const turn = () => {
    if (line) lines.push(line);
    line = '';
    left = width * SLACK;
  };
  for (const word of text.trim().split(/(?<=[^\S\u00a0]|[-–])/u)) {
    const whole = fits(word, width * SLACK);
    if (!whole) turn(); // it begins on a new line
    for (const part of whole ? [word] : word) {
      if (!fits(part, left)) turn();
      line += part;
      left -= textWidth(part, face); // by the word: to measure the whole line each time is slow
    }
  }
  return line ? [...lines, line] : lines;
}

/** True once the fonts are loaded; what was measured before must be measured again. */
export function useFacesLoaded(): boolean {
  return useSyncExternalStore(onFacesLoaded, facesLoaded);
}

const facesLoaded = () =>
  !document.fonts || Object.keys(FACES).every((face) => document.fonts.check(fontOf(face as Face)));

function fontOf(face: Face): string {
  const { weight, size, family } = FACES[face];
  return `${weight} ${size * ENLARGED}px "${family}"`;
}

function onFacesLoaded(listener: () => void): () => void {
  document.fonts?.addEventListener('loadingdone', listener);
  return () => document.fonts?.removeEventListener('loadingdone', listener);
}
