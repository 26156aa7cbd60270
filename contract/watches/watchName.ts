/** The name that is made from the content of a route, an area or feeds. It follows every edit until somebody types
 *  another one. */
import { FEEDS } from '../feeds/feeds.ts';
import { knownSource } from '../feeds/knownSources.ts';
import type { WatchKind } from './watches.ts';
import { gradeWords, type Which } from './whichIncidents.ts';

export interface Named {
  kind: WatchKind;
  /** A route's first and last place; null if they have no name. */
  ends: readonly [from: string | null, to: string | null];
  /** The place of an area: "Leeds"; null: not known. */
  place: string | null;
  /** Radius of a circle. */
  reach_m: number | null;
  /** For an outline without a place: the town in it or near it. */
  near?: string | null;
  which: Which;
}

/** "Leeds to Heathrow", "Within 30 km of Leeds", "Area drawn near Leeds", "Rail, high and worse". */
export function madeName({ kind, ends: [from, to], place, reach_m, near, which }: Named): string {
  if (kind === 'route') return from && to ? (from === to ? `${from} and back` : `${from} to ${to}`) : 'Route';
  if (kind === 'feeds') return [feedsWords(which), gradeWords(which)].join(', ');
  if (reach_m === null) return place ? `Area round ${place}` : near ? `Area drawn near ${near}` : 'Area';
  return `Within ${kilometres(reach_m)} km of ${place ?? 'a point'}`;
}

const kilometres = (metres: number) => String(Math.round(metres / 100) / 10);

/** The most feeds and sources that are named one by one. */
const NAMED = 3;

/** "Rail", "Rail and Roads", "Rail and TfL", “Rail, planned, ‘strike’”; "Everything". */
function feedsWords({ feeds, sources, phase, words }: Which): string {
  const chosen = [
    ...FEEDS.filter(({ slug }) => feeds.includes(slug)).map(({ category }) => category as string),
    ...sources.map((source) => knownSource(source).shortName ?? knownSource(source).displayName),
  ];
  const names =
    chosen.length > NAMED ? [...chosen.slice(0, NAMED - 1), `${chosen.length - NAMED + 1} more`] : chosen;
  const named = names.length > 0 ? new Intl.ListFormat('en-GB').format(names) : 'Everything';
  return [named, phase === 'planned' && 'planned', words && `“${words}”`].filter(Boolean).join(', ');
}
