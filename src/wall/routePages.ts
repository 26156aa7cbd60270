/** How the team's routes share one line of the wall. */
import type { Grade } from '../ui/Severity.tsx';
import { clearParts, type RouteLine } from '../watches/myRoutes.ts';
import { fits, fitting, textWidth } from './fit.ts';
import { ROUTES_GAP, ROUTES_SYMBOL, ROUTES_SYMBOL_GAP } from './measures.ts';

export const ROUTES_PAGE_MS = 10_000;

/** A longer name loses its last words, so that two routes fit on a line. */
const NAME_WIDTH = 480;

export interface RouteEntry {
  key: string;
  /** '' where there is room for the number alone. */
  name: string;
  grades: readonly Grade[];
  words: string;
  isClear: boolean;
}

/** Pages of what fits in `width`. Only clear routes are counted together, at the end. `were`: as they were when the
 *  answer came. */
export function routePages(lines: readonly RouteLine[], { width, were }: { width: number; were: boolean }) {
  const pages: RouteEntry[][] = [];
  let left = 0;
  const put = (entry: RouteEntry) => {
    const needed = widthOf(entry);
    if (pages.length > 0 && needed + ROUTES_GAP <= left) {
      pages.at(-1)!.push(entry);
      left -= needed + ROUTES_GAP;
    } else {
      pages.push([entry]);
      left = width - needed;
    }
  };

  for (const { id, name, grades, words, isClear } of lines)
    if (!isClear) put({ key: id, name: shortName(name), grades, words, isClear });
  const clear = clearParts(lines, were);
  if (clear) {
    const entry = { key: 'clear', grades: [], isClear: true };
    const full = { ...entry, name: shortName(clear.name), words: clear.rest };
    const short = { ...entry, name: '', words: clear.all };
    put(pages.length === 0 || widthOf(full) + ROUTES_GAP <= left ? full : short);
  }
  return pages;
}

function widthOf({ name, grades, words, isClear }: RouteEntry): number {
  const symbols = (isClear ? 1 : grades.length) * ROUTES_SYMBOL;
  return (name ? textWidth(name, 'route') + ROUTES_SYMBOL_GAP : 0) + symbols + textWidth(words, 'routeWords');
}

function shortName(name: string): string {
  if (fits(name, NAME_WIDTH, 'route')) return name;
  const whole = fitting([name], NAME_WIDTH, 'route');
  if (whole) return `${whole}…`;
  // One word without an end.
  const letters = [...name];
  while (letters.length > 1 && !fits(`${letters.join('')}…`, NAME_WIDTH, 'route')) letters.pop();
  return `${letters.join('')}…`;
}
