/** What is expected in the next hours, in the words of the wall. */
import type { NextUp } from '../api/feeds.ts';
import { shortPlaces } from './shortTitles.ts';

/** What happens next on two lines: where, in several lengths, then what. */
export interface NextWords {
  /** The fullest first. */
  places: string[];
  /** Of which the last can stand where nothing else fits. */
  last: string;
  what: string;
}

/** "Amber wind, Wales" and "warning begins"; "M62, J26 to J27" and "expected clear". */
export function nextWords({ place, what }: NextUp): NextWords {
  const [, kind, begins] = /^(.+) ((?:warning|alert) begins)$/.exec(what ?? '') ?? [];
  const forms = shortPlaces(place ?? '');
  if (!kind || !begins) {
    const places = [...new Set([...forms, ...forms.map(withoutDirection)])];
    return { places, last: places.at(-1)!, what: what ?? '' }; // there is at least one
  }
  const named = kind.charAt(0).toUpperCase() + kind.slice(1);
  const [first = ''] = (place ?? '').split(/, |; | and /);
  return { places: [...forms, first].map((form) => `${named}, ${form}`), last: named, what: begins };
}

/** No other entry has the same time and road. */
const withoutDirection = (form: string) =>
  form.replace(/ (?:[a-z]+bound|both ways|(?:anti-)?clockwise)(?=,|$)/i, '');
