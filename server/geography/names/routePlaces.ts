/** The places that people name in a route, found in the embedded gazetteer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { embeddedPlaces, misspelt, searchEmbedded } from './placeSearch.ts';

/** More would be further and further from what was typed. */
const CANDIDATES = 5;

export interface RoutePlace {
  /** "Leeds" */
  name: string;
  /** "Leeds, West Yorkshire" */
  label: string;
  point: [longitude: number, latitude: number];
  isInNorthernIreland: boolean;
  /** The words are no name of it, but a nickname, a code or a misspelling, and mean it. */
  isMeant?: boolean;
}

const { names } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'nicknames.json'), 'utf8'), // our own file
) as { names: Record<string, string> };
const NICKNAMES = new Map(Object.entries(names));

const key = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '');

/** "Brum", also before what is there: "Bham Airport". Undefined: the words are no nickname. */
function fullName(name: string): string | undefined {
  const asked = name.toLowerCase().replaceAll(/['’.]/g, '').replaceAll(/\s+/g, ' ').trim();
  const [, town = '', kind] = /^(.+?) (airport|docks|station|city centre)$/.exec(asked) ?? [];
  const full = NICKNAMES.get(town);
  return NICKNAMES.get(asked) ?? (kind && full ? `${full} ${kind}` : undefined);
}

/** Best first, at most five. */
export async function findRoutePlaces(name: string): Promise<RoutePlace[]> {
  await embeddedPlaces();
  // A search takes some milliseconds, and a route has many places.
  await setImmediate();
  const nickname = fullName(name);
  const { results } = searchEmbedded(nickname ?? name, CANDIDATES);
  const isFound = nickname !== undefined || results.some(({ label }) => key(label).includes(key(name)));
  const isPart = results.some(({ label }) => key(name).includes(key(label.split(/, | \(/)[0]!))); // a label is not empty
  const other = isFound || isPart ? [] : misspelt(name, CANDIDATES);
  const found = other.length > 0 ? other : results;
  return found.map(({ label, latitude, longitude, raw: { address } }, index) => ({
    name: label.split(/, | \(/)[0]!, // a label is not empty
    label,
    point: [longitude, latitude],
    isInNorthernIreland: address.state === 'Northern Ireland',
    ...(index === 0 && (nickname !== undefined || other.length > 0) && { isMeant: true }),
  }));
}
