/** How the entries of a list share the screen: entries without room take turns, the worst page first. */
import type { EntryState } from './EntryMark.tsx';

/** A number of clear entries in one line. */
interface Folded {
  clear: number;
}

/** How many rows of at least this height fit. `band`: the height of a message above them. All in units. */
export const rowsThatFit = (
  { most, height, least }: { most: number; height: number; least: number },
  band: { height: number } | null,
): number => Math.min(most, Math.floor((height - (band?.height ?? 0)) / least));

export const isFolded = (entry: object): entry is Folded => 'clear' in entry;

/** The pages. Clear entries are folded into one line first; other entries never are. `entries`: worst first, the
 *  clear ones last. */
export function listPages<Entry extends { state: EntryState }>(
  entries: readonly Entry[],
  most: number,
): (Entry | Folded)[][] {
  if (entries.length <= most) return [[...entries]];
  const isClear = ({ state }: Entry) => state === 'clear';
  const others = entries.filter((entry) => !isClear(entry));
  const clear = entries.filter(isClear);
  const room = Math.max(0, most - others.length - 1);
  const named = clear.slice(0, others.length < most ? room : 0);
  const folded = clear.length - named.length;
  const lines = [...others, ...named, ...(folded > 0 ? [{ clear: folded }] : [])];
  return Array.from({ length: Math.ceil(lines.length / most) }, (_, page) =>
    lines.slice(page * most, (page + 1) * most),
  );
}

/** The lines on screen, and the time of the next departure of all entries, in milliseconds: `elsewhere` if another page
 *  or the folded line has it. */
export function linesNow<Entry extends { state: EntryState; departsAt: number | null }>(
  entries: readonly Entry[],
  most: number,
  turn: number,
): { lines: (Entry | Folded)[]; next: number | null; elsewhere: number | null } {
  const pages = listPages(entries, most);
  const lines = pages[turn % pages.length] ?? [];
  const [next = null] = entries.flatMap(({ departsAt }) => departsAt ?? []).toSorted((a, b) => a - b);
  const isHere = lines.some((line) => !isFolded(line) && line.departsAt === next);
  return { lines, next, elsewhere: isHere ? null : next };
}
