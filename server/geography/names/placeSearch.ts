/** Place search without a network: from a query to suggestions. */
import { setImmediate } from 'node:timers/promises';
import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import type { LocationSuggestion, LocationSuggestions } from '#contract/places/geocode.ts';
import { KM_PER_DEGREE, kilometres } from '#contract/places/distance.ts';
import { stations } from './stations.ts';
import { NATIONS, PLACES_ATTRIBUTION, readGazetteer, type Country, type Place } from './gazetteer.ts';
import { placeIndex, type PlaceIndex } from './placeIndex.ts';

export const EMBEDDED_ATTRIBUTION = `${PLACES_ATTRIBUTION}. ${STATIONS_ATTRIBUTION}`;

/** Places with the same label within this distance are one place. */
const SAME_KM = 10;

let loaded: { places: Place[]; index: PlaceIndex } | undefined;
let loading: Promise<void> | undefined;

/** Loaded at first use, because a server whose users never search does not need it. */
function gazetteer() {
  if (!loaded) {
    const places = readGazetteer();
    const making = placeIndex(places);
    let made = making.next();
    while (!made.done) made = making.next();
    loaded = { places, index: made.value };
  }
  return loaded;
}

/** Reads the places in steps, so that nobody is delayed. Without this call, `searchEmbedded` reads them at once. */
export function embeddedPlaces(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  if (loaded) return;
  await setImmediate();
  stations(); // this call reads and keeps them
  await setImmediate();
  const places = readGazetteer();
  await setImmediate();
  const making = placeIndex(places);
  for (let made = making.next(); ; made = making.next()) {
    if (made.done) {
      loaded = { places, index: made.value };
      return;
    }
    await setImmediate();
  }
}

/** Best first; nothing for fewer than two letters. */
export function searchEmbedded(query: string, limit: number): LocationSuggestions {
  return { results: find(query, limit), attribution: EMBEDDED_ATTRIBUTION };
}

function find(query: string, limit: number): LocationSuggestion[] {
  if (query.replace(/[^\p{L}\d]/gu, '').length < 2) return [];
  const { places, index } = gazetteer();

  const postcode = postcodeIn(query);
  const district = postcode && index.district(postcode.outward);
  if (postcode && district) {
    const suggestion = toSuggestion(district, labelOf(district));
    if (!postcode.inward) return [suggestion];
    const unit = `${postcode.outward} ${postcode.inward}`;
    const label = `${unit} (shown at district ${suggestion.label})`;
    return [{ ...suggestion, label, raw: { address: { ...suggestion.raw.address, postcode: unit } } }];
  }

  // A few more than `limit`, because the same place can be found under two names.
  const found = new Map<string, Place>();
  for (const place of index.find(query, limit * 2)) {
    let label = labelOf(place);
    const twin = found.get(label);
    if (twin && distance(twin, place) < SAME_KM) continue;
    if (twin) label += ` (near ${nearest(places, place).name})`;
    if (!found.has(label)) found.set(label, place);
    if (found.size === limit) break;
  }
  return [...found].map(([label, place]) => toSuggestion(place, label));
}

/** Towns, airports and stations whose names the words misspell, largest first: one edit for every five letters, at
 *  most two. */
export function misspelt(query: string, limit: number): LocationSuggestion[] {
  const asked = lettersOf(query);
  const edits = Math.min(2, Math.floor(asked.length / 5));
  if (edits === 0 || asked.length > 40) return [];
  const { places } = gazetteer();
  lettersUsed ??= Int32Array.from(places, ({ type, name }) => (type === 'postcode' ? 0 : lettersIn(name)));
  const used = lettersIn(query);
  const found: { place: Place; edits: number }[] = [];
  for (const [index, place] of places.entries()) {
    if (Math.abs(place.name.length - query.length) > edits + 2) continue;
    // An edit puts one letter in the place of another, at most.
    if (bitsIn(lettersUsed[index]! ^ used) > 2 * edits || lettersUsed[index] === 0) continue;
    const needed = editsBetween(asked, lettersOf(place.name), edits);
    if (needed !== null) found.push({ place, edits: needed });
  }
  return found
    .toSorted((one, other) => one.edits - other.edits || other.place.population - one.place.population)
    .slice(0, limit)
    .map(({ place }) => toSuggestion(place, labelOf(place)));
}

/** By place: which letters its name has, a bit for each; 0 for a postcode. Most names are ruled out by them alone. */
let lettersUsed: Int32Array | undefined;

function lettersIn(name: string): number {
  let letters = 0;
  for (const letter of lettersOf(name)) letters |= 1 << (letter.codePointAt(0)! % 31);
  return letters;
}

function bitsIn(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');

/** The number of letters that are left out, added, changed or exchanged; null: more than `most`. */
function editsBetween(one: string, other: string, most: number): number | null {
  if (Math.abs(one.length - other.length) > most) return null;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let least = row;
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let edits = Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      const isExchanged =
        row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isExchanged) edits = Math.min(edits, before[at - 2]! + 1);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return null;
    [before, last] = [last, next];
  }
  const edits = last[other.length]!;
  return edits <= most ? edits : null;
}

/** A full postcode such as `EH1 1AA` anywhere in an address, or an incomplete one alone: `EH1 1A`. */
function postcodeIn(query: string): { outward: string; inward?: string } | null {
  const text = query.toUpperCase().replace(/\s+/g, ' ').trim();
  const unit = /(?<![A-Z\d])([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2})(?![A-Z\d])/.exec(text);
  if (unit) return { outward: unit[1]!, inward: unit[2]! };
  const begun = /^([A-Z]{1,2}\d[A-Z\d]?)(?: \d[A-Z]?|\d[A-Z]|(?<=[A-Z])\d)$/.exec(text);
  return begun && { outward: begun[1]! };
}

const distance = (a: Place, b: Place) => kilometres(a.latitude, a.longitude, b.latitude, b.longitude);

function nearest(places: readonly Place[], to: Place): Place {
  const districts = places.filter(({ type }) => type === 'postcode');
  return districts.reduce((best, place) => (distance(place, to) < distance(best, to) ? place : best));
}

/** The name with what distinguishes it from other places of that name. */
function labelOf({ name, type, area, country, crs }: Place): string {
  if (type === 'station') return crs ? `${name} station (${crs})` : `${name} station, ${country}`;
  if (name === country) return name;
  const where = area && area !== name ? area : country;
  return country === 'Ireland' && where !== country ? `${name}, ${where}, ${country}` : `${name}, ${where}`;
}

function toSuggestion(place: Place, label: string): LocationSuggestion {
  const { latitude, longitude, type } = place;
  return {
    label,
    latitude,
    longitude,
    type,
    bounding_box: place.boundingBox ?? extentOf(place),
    raw: { address: addressOf(place) },
  };
}

/** The address in Nominatim's terms, as far as it has them. */
function addressOf({ name, type, area, country, crs }: Place): Record<string, string> {
  const nation = NATIONS.find((nation) => nation === country);
  const state = nation ? 'United Kingdom' : country;
  return {
    [type === 'station' ? 'railway' : type === 'airport' ? 'aeroway' : type]: name,
    ...(crs && { ref: crs }),
    ...(area && area !== country && { [AREA_WORDS[type] ?? 'county']: area }),
    ...(nation && { state: nation }),
    country: state,
    country_code: COUNTRY_CODES[state] ?? 'gb',
  };
}

const AREA_WORDS: Readonly<Record<string, string>> = { postcode: 'locality', suburb: 'city' };
const COUNTRY_CODES: Readonly<Record<string, string>> = {
  Ireland: 'ie',
  'Isle of Man': 'im',
  Jersey: 'je',
  Guernsey: 'gg',
} satisfies Partial<Record<Country, string>>;

/** The approximate extent of a town, from 940 measured ones. A station gets a close view. */
function extentOf({ type, population, latitude, longitude }: Place): LocationSuggestion['bounding_box'] {
  const isTown = (type === 'city' || type === 'town') && population > 0;
  if (!isTown && type !== 'station') return null;
  const km = isTown ? 0.53 * (population / 1000) ** 0.43 : 0.8;
  const north = km / KM_PER_DEGREE;
  const east = north / Math.cos((latitude * Math.PI) / 180);
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
  return {
    north: round(latitude + north),
    south: round(latitude - north),
    east: round(longitude + east),
    west: round(longitude - east),
  };
}
