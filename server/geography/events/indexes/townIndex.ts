/** How many performances each category and town has, at any time: for the lists of those in use. */
import type { TownCount } from '#contract/places/events.ts';
import { keyOf } from '../eventRows.ts';
import type { IndexedRow } from './indexedRow.ts';

export interface TownIndex {
  /** Categories and towns of the performances that are not over at this instant. */
  inUse(at: Date): { categories: string[]; towns: TownCount[] };
}

/** All performances, also those without a position, by category and town. */
type Groups = ReadonlyMap<string, { category: string; town: string | null; overMs: Float64Array }>;

/** Takes rows page by page. */
export function townIndex() {
  const groups = new Map<string, { category: string; town: string | null; over: number[] }>();

  return {
    add(rows: readonly IndexedRow[]): void {
      for (const { category, town, overMs, spelling } of rows) {
        const name = `${category}\n${town ?? ''}`;
        const group = groups.get(name);
        if (group) group.over.push(overMs);
        else groups.set(name, { ...spelling, over: [overMs] });
      }
    },

    async finished(): Promise<TownIndex> {
      const made = new Map<string, { category: string; town: string | null; overMs: Float64Array }>();
      for (const [key, { category, town, over }] of groups) {
        made.set(key, { category, town, overMs: Float64Array.from(over).sort() });
        over.length = 0;
      }
      return { inUse: (at) => inUse(made, at.getTime()) };
    },
  };
}

function inUse(groups: Groups, atMs: number): { categories: string[]; towns: TownCount[] } {
  const categories = new Map<string, string>();
  const towns = new Map<string, TownCount>();
  for (const { category, town, overMs } of groups.values()) {
    const count = overMs.length - firstAfter(overMs, atMs);
    if (count === 0) continue;
    if (!categories.has(keyOf(category))) categories.set(keyOf(category), category);
    if (town === null) continue;
    const known = towns.get(keyOf(town));
    if (known) known.event_count += count;
    else towns.set(keyOf(town), { town, event_count: count });
  }
  return {
    categories: [...categories.values()].sort(byName),
    towns: [...towns.values()].sort((a, b) => byName(a.town, b.town)),
  };
}

const { compare: byName } = new Intl.Collator('en-GB');

/** How many of the sorted times are not after this one. */
function firstAfter(ascending: Float64Array, ms: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}
