/** What is expected in the next hours, in the words of the wall. */
import type { NextUp } from '../../../api/alerts/feeds.ts';
import { namedPlaces, shortPlaces } from '../../../feeds/alerts/shortTitles.ts';

/** On two lines: where, in several lengths, then what. */
export interface NextWords {
  /** The fullest first. */
  places: string[];
  /** What can stand where none of them fits. */
  last: string;
  what: string;
}

/** "Amber wind, Wales" and "warning begins"; "M62, J26 to J27" and "expected clear". */
export function nextWords({ place, what }: NextUp): NextWords {
  const [, kind, begins] = /^(.+) ((?:warning|alert) begins)$/.exec(what ?? '') ?? [];
  if (!kind || !begins) {
    const forms = shortPlaces(place ?? '');
    const places = [...new Set([...forms, ...forms.map(withoutDirection)])];
    return { places, last: places.at(-1)!, what: what ?? '' }; // there is at least one
  }
  const named = kind.charAt(0).toUpperCase() + kind.slice(1);
  return { places: namedPlaces(named, place ?? ''), last: named, what: begins };
}

/** Both carriageways of one road at one time are one entry, without a direction. */
export function bothWays(nextUp: readonly NextUp[]): NextUp[] {
  const keyOf = ({ at, kind, place, what }: NextUp) =>
    `${at?.slice(0, 16)} ${kind} ${withoutDirection(place ?? '')} ${what}`;
  const merged = new Map<string, NextUp>();
  for (const entry of nextUp) {
    const first = merged.get(keyOf(entry));
    if (!first) merged.set(keyOf(entry), entry);
    else if (first.place !== entry.place)
      merged.set(keyOf(entry), { ...first, place: withoutDirection(first.place ?? '') });
  }
  return [...merged.values()];
}

/** No other entry has the same time and road. */
const withoutDirection = (form: string) =>
  form.replace(/ (?:[a-z]+bound|both ways|(?:anti-)?clockwise)(?=,|$)/i, '');
