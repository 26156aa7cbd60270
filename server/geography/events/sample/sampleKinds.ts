/** The kinds of sample events by category. The data is in kinds.json. */
import { readFileSync } from 'node:fs';
import type { CATEGORIES } from '#contract/places/events.ts';
import type { Season } from './sampleCalendar.ts';

export type Category = (typeof CATEGORIES)[number];

export interface Kind extends Season {
  category: Category;
  sub_categories: readonly string[];
  tags: readonly string[];
  /** Relative frequency within its category. */
  weight: number;
  /** `{a}`, `{b}` and `{town}` are filled in. */
  names: readonly string[];
  a?: readonly string[];
  b?: readonly string[];
  /** Plain sentences; `{venue}` and `{town}` are filled in. */
  about: string;
  /** London time. */
  starts: readonly string[];
  minutes: number;
  /** The range of venue capacity that suits it: no football match in an arts centre. */
  capacity?: readonly [min: number, max: number];
  /** Types of venue; absent: any venue with the category. */
  venues?: readonly string[];
  /** Pounds per person; null: free. */
  price: readonly [from: number, to: number] | null;
}

/** Fields that can name one of the shared lists instead. */
const SHARED = ['months', 'days', 'a', 'b', 'venues'] as const;
type Shared = (typeof SHARED)[number];

export const KINDS: readonly Kind[] = readKinds();

function readKinds(): Kind[] {
  const { lists, kinds } = JSON.parse(readFileSync(new URL('./kinds.json', import.meta.url), 'utf8')) as {
    lists: Readonly<Record<string, readonly unknown[]>>;
    kinds: (Omit<Kind, Shared> & Readonly<Record<Shared, unknown>>)[];
  };
  return kinds.map((kind) => {
    const named = SHARED.filter((field) => typeof kind[field] === 'string');
    return {
      ...kind,
      ...Object.fromEntries(named.map((field) => [field, lists[kind[field] as string]])),
    } as Kind;
  });
}
