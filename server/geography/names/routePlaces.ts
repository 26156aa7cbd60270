/** The places that people name in a route, found in the embedded gazetteer. */
import { isInNorthernIreland } from '../shapes/northernIreland.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { embeddedPlaces, misspelt, searchEmbedded } from './placeSearch.ts';

/** The most candidates: further ones would be less and less like the typed words. */
const CANDIDATES = 5;

export interface RoutePlace {
  /** "Leeds" */
  name: string;
  /** "Leeds, West Yorkshire" */
  label: string;
  point: [longitude: number, latitude: number];
  isInNorthernIreland: boolean;
  /** True: the words are not its name, but a nickname, a code or a misspelling. */
  isMeant?: boolean;
  isMisspelt?: boolean;
}

const { names } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'nicknames.json'), 'utf8'), // our own file
) as { names: Record<string, string> };
const NICKNAMES = new Map(Object.entries(names));

const key = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '');

/** The full name for a nickname such as "Brum", also before other words: "Bham Airport". Undefined: the words are
 *  not a nickname. */
function fullName(name: string): string | undefined {
  const asked = name.toLowerCase().replaceAll(/['’.]/g, '').replaceAll(/\s+/g, ' ').trim();
  const [, town = '', kind] =
    /^(\S+) (airport|docks|station|city centre|new street|racecourse|(?:bus|coach) station)$/.exec(asked) ??
    [];
  const full = NICKNAMES.get(town);
  const fort = /^ft (?=\p{L})/u;
  if (fort.test(asked)) return asked.replace(fort, 'fort ');
  // The station of Hull is not called after Kingston.
  const isShort = full?.toLowerCase().split(' ').includes(town);
  return NICKNAMES.get(asked) ?? (kind && full && !isShort ? `${full} ${kind}` : undefined);
}

/** A name, and where it is: latitude, longitude. */
type Row = readonly [name: string, latitude: number, longitude: number, ...rest: unknown[]];

const dataOf = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));

interface Destination {
  place: RoutePlace;
  /** True: a roundabout or a street, whose name only begins like a town's. */
  isMinor: boolean;
}

let kept: Map<string, Destination> | undefined;

/** Destinations of coaches other than towns, airports and stations: stadiums, parks, services, coach stations,
 *  ports. By key. */
function destinations(): Map<string, Destination> {
  if (kept) return kept;
  kept = new Map();
  const add = ([name, latitude, longitude]: Row, isMinor = false, town: string | null = null) => {
    const place: RoutePlace = {
      name,
      label: town && !key(name).includes(key(town)) ? `${name}, ${town}` : name,
      point: [longitude, latitude],
      isInNorthernIreland: isInNorthernIreland(longitude, latitude),
    };
    const names = town ? [name, `${name} ${town}`, `${town} ${name}`] : [name];
    for (const one of names) kept!.set(destinationKey(one), { place, isMinor });
  };
  // Later ones win.
  const { venues } = dataOf('../events/sample/venues.json') as {
    venues: { name: string; town: string; latitude: number; longitude: number }[];
  };
  for (const { name, town, latitude, longitude } of venues) add([name, latitude, longitude], false, town);
  for (const file of ['landmarks.json', 'destinations.json']) {
    const { _about, services = [], ...others } = dataOf(file) as Record<string, readonly Row[]>;
    for (const [name, ...at] of services) add([`${name} services`, ...at]);
    for (const [kind, rows] of Object.entries(others))
      for (const row of rows) add(row, kind === 'interchanges' || kind === 'london');
  }
  return kept;
}

const destinationKey = (name: string) => key(name.replace(/^the\s/i, ''));

/** Words after a destination's own that add nothing: "Leigh Delamere service area". */
const SERVICES = /\s(?:motorway services|services?|service (?:area|station)|msa)$/i;

/** A destination by its whole name. "Watford Gap" alone means its services, because there is no town of that name. */
function destinationNamed(name: string): Destination | undefined {
  const all = destinations();
  return all.get(destinationKey(name)) ?? all.get(destinationKey(name.replace(SERVICES, '') + ' services'));
}

/** Destinations whose names begin as typed. */
function destinationsFrom(name: string): RoutePlace[] {
  const asked = destinationKey(name);
  if (asked.length < 4) return [];
  const begun = [...destinations()].filter(([known]) => known.startsWith(asked));
  return [...new Set(begun.map(([, { place }]) => place))];
}

const nameOf = ({ label }: { label: string }) => label.split(/, | \(/)[0]!; // a label is not empty

/** Best first, at most five. */
export async function findRoutePlaces(name: string): Promise<RoutePlace[]> {
  await embeddedPlaces();
  // A search takes some milliseconds, and a route has many places.
  await setImmediate();
  const nickname = fullName(name);
  const { results } = searchEmbedded(nickname ?? name, CANDIDATES);
  // "Brent Cross" is not the station of Brent Cross West.
  const begins = results.some(
    ({ label }) => key(label).startsWith(key(name)) && !/\([A-Z]{3}\)$/.test(label),
  );
  const destination = destinationNamed(nickname ?? name);
  const named = destination?.isMinor && begins ? undefined : destination?.place;
  const isFound = nickname !== undefined || results.some(({ label }) => key(label).includes(key(name)));
  const isPart = results.some(({ label }) => key(name).includes(key(nameOf({ label }))));
  const other = named || isFound || isPart ? [] : misspelt(name, CANDIDATES);
  // "Newcaslte" means the same as "Newcastle".
  const [meant] = other;
  const found = meant ? [...searchEmbedded(nameOf(meant), CANDIDATES).results, ...other.slice(1)] : results;
  const places = found.map(({ label, latitude, longitude, raw: { address } }, index): RoutePlace => ({
    name: nameOf({ label }),
    label,
    point: [longitude, latitude],
    isInNorthernIreland: address.state === 'Northern Ireland',
    ...(index === 0 && (nickname !== undefined || other.length > 0) && { isMeant: true }),
    ...(other.length > 0 && { isMisspelt: true }),
  }));
  const isTown = places[0] !== undefined && key(places[0].name) === key(nickname ?? name);
  const begun = destinationsFrom(name).filter((place) => place !== named);
  // A town with the name comes before other things with it; both come before names that only begin like it.
  return [
    ...(named && !isTown ? [{ ...named, isMeant: true }] : []),
    ...places,
    ...(named && isTown ? [named] : []),
    ...begun,
  ].slice(0, CANDIDATES);
}
