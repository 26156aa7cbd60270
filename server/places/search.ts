/** Finding names by the beginnings of their words, and which place is meant. */
import type { Place } from './gazetteer.ts';
import { words } from './words.ts';

export interface PlaceIndex {
  /** The best first, at most `limit`. `query` is split into words here; without one it finds nothing. */
  find(query: string, limit: number): Place[];
  /** The postcode district of exactly this name. */
  district(outcode: string): Place | undefined;
}

interface Name {
  place: Place;
  words: readonly string[];
  isOther: boolean;
  /** What the place weighs, whatever is asked. */
  weight: number;
}

/** What a match adds to a place's weight, which is the decimal logarithm of its people. */
const MATCH = {
  whole: 4,
  /** `Newcastle` of Newcastle upon Tyne. */
  firstWords: 2.6,
  /** `Lee` of Leeds. */
  beginning: 1.5,
  innerWords: 1.2,
  inner: 0.3,
};
/** More are no name, only work. */
const WORDS_MAX = 10;

/** In an address these are of a street, though there is a Street in Somerset. */
const STREET_WORDS: ReadonlySet<string> = new Set(['street', 'st', 'road', 'lane', 'square', 'park']);

/** For another name of the place than its own. */
const OTHER_NAME = -0.7;

export function placeIndex(places: readonly Place[]): PlaceIndex {
  const byWord = new Map<string, Name[]>();
  const districts = new Map<string, Place>();
  const add = (word: string, name: Name) => {
    const known = byWord.get(word);
    if (!known) byWord.set(word, [name]);
    else if (known.at(-1) !== name) known.push(name);
  };

  for (const place of places) {
    if (place.type === 'postcode') districts.set(place.name, place);
    const weight = weightOf(place);
    const seen = new Set<string>();
    for (const [at, text] of [place.name, ...place.otherNames].entries()) {
      const parts = words(text);
      const joined = parts.join('');
      if (seen.has(joined)) continue;
      seen.add(joined);
      const name = { place, words: parts, isOther: at > 0, weight: weight + (at > 0 ? OTHER_NAME : 0) };
      for (const word of parts) add(word, name);
      // "miltonkeynes"
      if (parts.length > 1 && at === 0) add(joined, name);
    }
  }
  const sorted = [...byWord.keys()].sort();

  /** All names with a word that begins so. */
  function* beginningWith(start: string): Generator<Name> {
    for (let at = lowerBound(sorted, start); at < sorted.length; at++) {
      const word = sorted[at]!;
      if (!word.startsWith(start)) return;
      yield* byWord.get(word)!;
    }
  }

  function scored(asked: readonly string[], isPart = false): Map<Place, number> {
    const scores = new Map<Place, number>();
    // A part is a whole name or none: only names that have its first word can be it, and they are few.
    const candidates = isPart ? (byWord.get(asked[0]!) ?? []) : beginningWith(asked[0]!);
    for (const name of candidates) {
      const match = matchOf(asked, name);
      if (match === null) continue;
      // "High Street" in an address is no station of Glasgow.
      if (isPart && (match < MATCH.whole || name.place.type === 'station')) continue;
      const score = match + name.weight;
      if (score > (scores.get(name.place) ?? -Infinity)) scores.set(name.place, score);
    }
    return scores;
  }

  return {
    district: (outcode) => districts.get(outcode),
    find(query, limit) {
      const asked = words(query).slice(0, WORDS_MAX);
      if (asked.length === 0) return [];
      let scores = scored(asked);
      // "Haver ford west"
      if (scores.size === 0 && asked.length > 1) scores = scored([asked.join('')]);
      // "Abingdon-on-Thames", "12 High Street, Leeds": the longest part that is a name; of two the later, as in an address.
      // A town may be called Street: as the last part of an address.
      const last = query.includes(',') ? words(query.slice(query.lastIndexOf(',') + 1)).join(' ') : '';
      for (let length = asked.length - 1; scores.size === 0 && length > 0; length--) {
        for (let at = asked.length - length; scores.size === 0 && at >= 0; at--) {
          const part = asked.slice(at, at + length);
          if (part.join(' ') === last || !part.every((word) => STREET_WORDS.has(word)))
            scores = scored(part, true);
        }
      }
      return [...scores]
        .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || compare(a.name, b.name))
        .slice(0, limit)
        .map(([place]) => place);
    },
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function lowerBound(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every word asked for begins a word of the name, in this order; those left over must be of where it is or what. */
function matchOf(asked: readonly string[], { words: own, place, isOther }: Name): number | null {
  // Codes of stations and airports are typed in full, and two letters begin too many names of long ago.
  const isCode = own.length === 1 && own[0]!.length <= 3;
  if (isOther && (isCode || asked[0]!.length < 3) && asked[0] !== own[0]) return null;
  if (asked.length === 1 && own.length > 1) {
    const joined = own.join('');
    if (joined === asked[0]) return MATCH.whole;
    if (asked[0]!.length > own[0]!.length && joined.startsWith(asked[0]!)) return MATCH.beginning;
  }

  let next = 0;
  let first = -1;
  let matched = 0;
  let areWhole = true;
  let context: readonly string[] | undefined;
  for (const word of asked) {
    let at = next;
    while (at < own.length && !own[at]!.startsWith(word)) at++;
    if (at < own.length) {
      if (first < 0) first = at;
      areWhole &&= own[at] === word;
      matched++;
      next = at + 1;
      continue;
    }
    context ??= contextOf(place);
    if (first < 0 || !context.some((other) => other.startsWith(word))) return null;
  }
  if (first < 0) return null;

  const isAtOnce = first === 0 && next === matched;
  if (isAtOnce && areWhole) return matched === own.length ? MATCH.whole : MATCH.firstWords;
  if (isAtOnce) return MATCH.beginning;
  return areWhole ? MATCH.innerWords : MATCH.inner;
}

const contexts = new Map<string, readonly string[]>();

/** Where and what a place is, in words; for thousands of places there are some hundreds of such. */
function contextOf({ type, area, country }: Place): readonly string[] {
  const kind = KIND_WORDS[type] ?? '';
  const where = `${area ?? ''} ${country} ${country === 'Ireland' ? '' : 'UK'} ${kind}`;
  let known = contexts.get(where);
  if (!known) contexts.set(where, (known = words(where)));
  return known;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  station: 'railway train rail station',
  airport: 'airport',
};

/** As a logarithm of people: how likely it is that somebody means this one. */
function weightOf({ type, population, boundingBox }: Place): number {
  if (population > 0) return Math.log10(Math.max(population, 100));
  switch (type) {
    case 'administrative':
      return boundingBox && boundingBox.north - boundingBox.south > 2.5 ? 6.5 : 5.2;
    case 'airport':
      return 4.6;
    case 'suburb':
      return 4;
    case 'city':
    case 'town':
      return 4.2;
    case 'village':
      return 2.8;
    case 'station':
      return 2.4;
    case 'postcode':
      return 0.5;
    default:
      return 2;
  }
}
