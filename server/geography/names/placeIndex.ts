/** Finds names by the beginnings of their words, and ranks the places. */
import type { Place } from './gazetteer.ts';
import { words } from './abbreviations.ts';

export interface PlaceIndex {
  /** Best first, at most `limit`. `query` is split into words here; without words it finds nothing. */
  find(query: string, limit: number): Place[];
  /** The postcode district with exactly this name. */
  district(outcode: string): Place | undefined;
}

interface Name {
  place: Place;
  words: readonly string[];
  isOther: boolean;
  /** The weight of the place, independent of the query. */
  weight: number;
}

/** The weight that a match adds to a place's own, which is the decimal logarithm of its population. */
const MATCH = {
  whole: 4,
  /** `Newcastle` for Newcastle upon Tyne. */
  firstWords: 2.6,
  /** `Lee` for Leeds. */
  beginning: 1.5,
  innerWords: 1.2,
  inner: 0.3,
};
/** The most words of a query: no name has more, and longer queries would only cost time. */
const WORDS_MAX = 10;

/** Words that belong to a street name in an address, although there is a town called Street in Somerset. */
const STREET_WORDS: ReadonlySet<string> = new Set(['street', 'st', 'road', 'lane', 'square', 'park']);

/** Some 5 ms of work. */
const PLACES_A_STEP = 1000;

/** Added for an alternative name of the place. */
const OTHER_NAME = -0.7;

/** Builds the index in steps, so that others get their turn between two of them. */
export function* placeIndex(places: readonly Place[]): Generator<void, PlaceIndex> {
  const byWord = new Map<string, Name[]>();
  const districts = new Map<string, Place>();
  const add = (word: string, name: Name) => {
    const known = byWord.get(word);
    if (!known) byWord.set(word, [name]);
    else if (known.at(-1) !== name) known.push(name);
  };

  for (const [count, place] of places.entries()) {
    if (count % PLACES_A_STEP === PLACES_A_STEP - 1) yield;
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
  yield;
  const sorted = [...byWord.keys()].sort();
  yield;

  /** All names with a word that begins like this. */
  function* beginningWith(start: string): Generator<Name> {
    for (let at = lowerBound(sorted, start); at < sorted.length; at++) {
      const word = sorted[at]!;
      if (!word.startsWith(start)) return;
      yield* byWord.get(word)!;
    }
  }

  function scored(asked: readonly string[], isPart = false): Map<Place, number> {
    const scores = new Map<Place, number>();
    // A part of a query must be a whole name, so only the few names with its first word are tried.
    const candidates = isPart ? (byWord.get(asked[0]!) ?? []) : beginningWith(asked[0]!);
    for (const name of candidates) {
      const match = matchOf(asked, name);
      if (match === null) continue;
      // "High Street" in an address is not the station in Glasgow.
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
      // "Abingdon-on-Thames", "12 High Street, Leeds": the longest part that is a name counts; if equal, the later
      // one. At the end of an address, Street can be the town.
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

/** Each word of the query must begin a word of the name, in order. Further words must describe its area, country or
 *  type. */
function matchOf(asked: readonly string[], { words: own, place, isOther }: Name): number | null {
  // Station and airport codes are typed in full, because two letters begin too many old names.
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

/** The words for a place's area, country and type. Thousands of places share a few hundred of these lists. */
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

/** How likely it is that this place is meant, as a logarithm of population. */
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
