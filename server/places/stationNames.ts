/** The stations and lines that a railway's sentences name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { around, type Located, type Names, type Spot } from './locate.ts';
import { keyOf, nameIndex } from './nameIndex.ts';
import { kilometres } from '#contract/distance.ts';
import { stations } from './stations.ts';

interface StationSpot extends Spot {
  crs: string | null;
  /** Asked for by less than its full name: "Newport" for Newport (South Wales). */
  isBare: boolean;
}

/** South, west, north, east. */
type Box = readonly [number, number, number, number];

interface Lines {
  tfl: Readonly<Record<string, readonly string[]>>;
  lines: Readonly<Record<string, readonly string[]>>;
  cities: Readonly<Record<string, string>>;
  operators: Readonly<Record<string, Box>>;
}

type LondonRow = [name: string, latitude: number, longitude: number];

const STATION_REACH_KM = 1;
/** Entrances, and halves of one station. */
const SAME_STATION_KM = 3;
/** Another station in the text decides between namesakes: it is this near to one, and this far from all others. */
const NEAR_KM = 40;
const FAR_KM = 150;
/** Or, where the operators are known, so many times as far. */
const FAR_TIMES = 3;
const LONDON: Box = [51.2, -1.05, 51.85, 0.45];

const dataFile = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

interface Known {
  named(key: string): StationSpot[];
  lines: Lines;
}

let known: Known | undefined;

function read(): Known {
  if (known) return known;
  const lines = dataFile('rail-lines.json') as Lines;
  const national = stations();
  const { stations: london } = dataFile('stations-london.json') as { stations: LondonRow[] };
  const nameOf = (at: number) => {
    const station = national[at];
    return station ? station.name.replace(/ Rail$/, '') : london[at - national.length]![0];
  };
  const find = nameIndex(national.length + london.length, (at) => formsOf(nameOf(at)));
  const cities = new Map(Object.entries(lines.cities).map(([name, crs]) => [keyOf(name), crs]));

  const spotOf = (at: number, key: string): StationSpot => {
    const [, latitude, longitude] = london[at - national.length] ?? [];
    const station = national[at] ?? { crs: null, latitude: latitude!, longitude: longitude! };
    const name = nameOf(at);
    return {
      name,
      crs: station.crs,
      latitude: station.latitude,
      longitude: station.longitude,
      reachKm: STATION_REACH_KM,
      isBare: !fullForms(name).some((form) => keyOf(form) === key),
    };
  };
  return (known = {
    lines,
    named(key) {
      // "Worcester" is its station in the middle, and never a bare form of another.
      const crs = cities.get(key);
      if (!crs) return find(key).map((at) => spotOf(at, key));
      const at = national.findIndex((station) => station.crs === crs);
      return [{ ...spotOf(at, key), isBare: false }];
    },
  });
}

/** Also by less than its full name: "Newport" for Newport (South Wales). */
function formsOf(name: string): string[] {
  return [...fullForms(name), name.replace(/ \([^()]*\)$| International$| Surrey$/, '')];
}

/** "London Euston" is called Euston; "London St Pancras International" is St Pancras. */
function fullForms(name: string): string[] {
  const short = name.replace(/^London /, '');
  const halves = name === "King's Cross St Pancras" ? ["King's Cross"] : [];
  return [...new Set([name, short, short.replace(/(?<=St Pancras) International$/, ''), ...halves])];
}

/**
 * Stations where the operators run, by their two letters. Without known operators a name that several stations
 * have, in full or not, is decided only by the others that the text names.
 */
export function railNames(operators: readonly string[]): Names {
  const { lines } = read();
  const boxes = operators.flatMap((code) => (lines.operators[code] ? [lines.operators[code]] : []));
  return namesWithin(operators.length > 0 && boxes.length === operators.length ? boxes : []);
}

/** All stations and stops that are called so, in full or not. */
export const stationsNamed = (key: string): readonly Spot[] => read().named(key);

/** The stations and stops of London's own network, and of the lines that it runs beyond. */
export const londonNames = (): Names => namesWithin([LONDON]);

function namesWithin(boxes: readonly Box[]): Names {
  const { named } = read();
  const isWithin = ({ latitude, longitude }: Spot) =>
    boxes.length === 0 ||
    boxes.some(
      ([south, west, north, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return {
    find: (key) => named(key).filter(isWithin),
    choose(namesakes, { beside }) {
      const first = namesakes[0] as StationSpot | undefined;
      if (!first) return null;
      const areOne = namesakes.every((other) => distance(first, other) <= SAME_STATION_KM);
      const isNamedInFull = (namesakes as StationSpot[]).some(({ isBare }) => !isBare);
      if (areOne && (isNamedInFull || boxes.length > 0)) return first;

      const byDistance = namesakes
        .map((spot) => ({ spot, km: Math.min(...beside.map((other) => distance(spot, other))) }))
        .sort((a, b) => a.km - b.km);
      const [nearest, next] = byDistance;
      if (!nearest || nearest.km > NEAR_KM) return null;
      const far = boxes.length > 0 ? Math.min(FAR_KM, FAR_TIMES * nearest.km) : FAR_KM;
      return !next || next.km >= far ? nearest.spot : null;
    },
  };
}

const distance = (a: Spot, b: Spot) => kilometres(a.latitude, a.longitude, b.latitude, b.longitude);

/** A whole line of Transport for London, by its id there. */
export function tflLine(id: string): Located | null {
  const { lines } = read();
  return Object.hasOwn(lines.tfl, id) ? between(lines.tfl[id]!, londonNames(), `${id} line`) : null;
}

/** A line of National Rail that the text names as the one that is affected: "on the Airedale line". */
export function namedLine(text: string): Located | null {
  const { lines } = read();
  const said = text.toLowerCase().replace(/\s+/g, ' ');
  for (const [name, ends] of Object.entries(lines.lines)) {
    const at = said.indexOf(name.toLowerCase());
    if (at === -1 || /\b(?:by|via)(?: the)? $/.test(said.slice(0, at))) continue;
    return between(ends, namesWithin([]), name);
  }
  return null;
}

function between(ends: readonly string[], names: Names, line: string): Located | null {
  const spots = ends.flatMap((end) => {
    const [spot] = names.find(keyOf(end));
    return spot ?? [];
  });
  const found = spots.length === ends.length ? around(spots, true) : null;
  return found && { ...found, names: [line] };
}
