/**
 * Whether texts fit, in wall units. It is calculated once for every screen, from the text alone, without the layout.
 */
import { wordsWithin } from '#contract/wholeWords.ts';
import { useSyncExternalStore } from 'react';
import { moreWords } from '../../../ui/signs/Tally.tsx';
import { type Grade, GRADE_WORDS } from '../../../ui/signs/Severity.tsx';

/** Text is measured at this many times its size, because otherwise its width would be rounded to units. */
const ENLARGED = 10;

/** The type styles that are measured, as in the style sheets: weight, size in units, and the space between letters
 *  as a share of the size. */
export const FACES = {
  place: { weight: 780, size: 82, spacing: -0.014 },
  effect: { weight: 660, size: 57, spacing: -0.008 },
  bandTime: { weight: 720, size: 57, spacing: -0.008 },
  calm: { weight: 600, size: 50 },
  kind: { weight: 640, size: 28 },
  lead: { weight: 680, size: 47, spacing: -0.006 },
  time: { weight: 700, size: 31 },
  summary: { weight: 500, size: 24.5 },
  queue: { weight: 540, size: 24.5 },
  slot: { weight: 540, size: 23 },
  silentName: { weight: 700, size: 27 },
  silentSince: { weight: 560, size: 27 },
  silentNames: { weight: 560, size: 22 },
  tally: { weight: 680, size: 26 },
  totals: { weight: 680, size: 37 },
  next: { weight: 700, size: 24 },
  held: { weight: 660, size: 30 },
  route: { weight: 720, size: 29 },
  routeWords: { weight: 560, size: 29 },
  listName: { weight: 700, size: 45 },
  listWhat: { weight: 620, size: 36 },
  listTime: { weight: 700, size: 35 },
  stripTitle: { weight: 620, size: 40 },
  stripStop: { weight: 680, size: 37 },
} as const satisfies Record<string, { weight: number; size: number; spacing?: number }>;
export type Face = keyof typeof FACES;

const FAMILY = 'Sofia Sans Semi Condensed Variable';

/** The width of a letter as a share of the type size, for browsers that cannot measure text. */
const TYPICAL_WIDTH = 0.5;

/** Only this share of a line's length is used, because the screen rounds. */
const SLACK = 0.995;

/** How many texts one canvas measures. Chromium keeps every measured text, 1.2 kB each, as long as the canvas
 *  exists: 100 MB a day. */
const MOST_BY_ONE_CANVAS = 2000;

let canvas: OffscreenCanvasRenderingContext2D | null = null;
let measurements = 0;
let measured: Face | undefined;

export function textWidth(text: string, face: Face): number {
  if (measurements++ % MOST_BY_ONE_CANVAS === 0) {
    canvas = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');
    measured = undefined;
  }
  const style: { size: number; spacing?: number } = FACES[face];
  if (!canvas) return text.length * style.size * TYPICAL_WIDTH;
  // Setting the same font again costs as much as measuring a line.
  if (face !== measured) canvas.font = fontOf((measured = face));
  return canvas.measureText(text).width / ENLARGED + text.length * style.size * (style.spacing ?? 0);
}

export const fits = (text: string, width: number, face: Face): boolean =>
  textWidth(text, face) <= width * SLACK;

/** The first of these forms that fits on one line; they begin with the fullest. If none fits, as many whole words of
 *  the last one as fit, so that it never ends inside a name, a number or a unit. */
export function fitting(forms: readonly string[], width: number, face: Face): string {
  return (
    forms.find((form) => fits(form, width, face)) ??
    wordsWithin(forms.at(-1) ?? '', (text) => fits(text, width, face))
  );
}

/** The first of these forms that fits, otherwise the whole last one, because a part of it would say something else. */
export const fittingWhole = (forms: readonly string[], width: number, face: Face): string =>
  forms.find((form) => fits(form, width, face)) ?? forms.at(-1) ?? '';

/** As many of these names as fit, from the first, and how many are left out. */
export const namesWithin = (names: readonly string[], width: number, face: Face): string =>
  fitting(
    names.map((_, left) =>
      [...names.slice(0, names.length - left), ...(left > 0 ? [`and ${left} more`] : [])].join(', '),
    ),
    width,
    face,
  );

/** True when the fonts are loaded. Texts that were measured before must be measured again, so the whole wall is drawn
 *  again; rows and the map, which React would keep, get another key. */
export function useFacesLoaded(): boolean {
  return useSyncExternalStore(onFacesLoaded, facesLoaded);
}

const facesLoaded = () =>
  !document.fonts || Object.keys(FACES).every((face) => document.fonts.check(fontOf(face as Face)));

function fontOf(face: Face): string {
  const { weight, size } = FACES[face];
  return `${weight} ${size * ENLARGED}px "${FAMILY}"`;
}

function onFacesLoaded(listener: () => void): () => void {
  document.fonts?.addEventListener('loadingdone', listener);
  return () => document.fonts?.removeEventListener('loadingdone', listener);
}

// How many grades of a tally must lose their word so that the tally stays on one line.

/** As shares of the type size: a symbol with the gap after it, the padding of a plate, and the gap between grades. */
const SYMBOL = 0.84 + 0.42;
const PLATE = 0.9;
const GAP = 0.6;

interface Counts {
  counts: readonly { grade: Grade; count: number }[];
  unlisted: number;
}

/** 0 if the tally fits. Otherwise the last two grades lose their word, then one more at a time, from the last to
 *  all. One more than there are grades: also the word for unlisted alerts. */
export function wordlessLevels(
  { counts, unlisted }: Counts,
  { width, face }: { width: number; face: Face },
): number {
  const tries = [0, ...counts.map((_, place) => place + 1).filter((levels) => levels >= 2), counts.length];
  const most = unlisted > 0 ? counts.length + 1 : counts.length;
  return tries.find((wordless) => tallyWidth({ counts, unlisted }, wordless, face) <= width) ?? most;
}

/** The width when this many grades have no word, in units. */
export function tallyWidth({ counts, unlisted }: Counts, wordless: number, face: Face): number {
  const { size } = FACES[face];
  const more = moreWords(unlisted, wordless > counts.length);
  const tail = more ? textWidth(more, face) + GAP * size : 0;
  return counts.reduce((sum, { grade, count }, place) => {
    const words = place >= counts.length - wordless ? `${count}` : `${count} ${GRADE_WORDS[grade]}`;
    const round = SYMBOL + (grade === 'critical' ? PLATE : 0) + (place > 0 ? GAP : 0);
    return sum + textWidth(words, face) + round * size;
  }, tail);
}
