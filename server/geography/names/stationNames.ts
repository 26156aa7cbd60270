/** The stations and lines that a railway's sentences name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { around, type Located, type Names, type Spot } from './locate.ts';
import { keyOf, nameIndex } from './nameIndex.ts';
import { type Box as Area, distance, evidenceFor } from './placeEvidence.ts';
import { stations } from './stations.ts';

interface StationSpot extends Spot {
  crs: string | null;
  /** True: it was named by less than its full name, such as "Newport" for Newport (South Wales). */
  isBare: boolean;
}

/** South, west, north, east. */
type Box = readonly [number, number, number, number];

interface Lines {
  tfl: Readonly<Record<string, readonly string[]>>;
  lines: Readonly<Record<string, readonly string[]>>;
  cities: Readonly<Record<string, string>>;
  junctions: readonly OtherRow[];
  operators: Readonly<Record<string, readonly number[]>>;
  operator_names: Readonly<Record<string, string>>;
}

type OtherRow = [name: string, latitude: number, longitude: number];

const STATION_REACH_KM = 1;
/** How far apart entrances, and halves of one station, may be. */
const SAME_STATION_KM = 3;
/** Another station in the text decides that a short name means the station near it. */
const NEAR_KM = 40;
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
  const { stations: ofLondon } = dataFile('stations-london.json') as { stations: OtherRow[] };
  const others = [...ofLondon, ...lines.junctions];
  const nameOf = (at: number) => {
    const station = national[at];
    return station ? station.name.replace(/ Rail$/, '') : others[at - national.length]![0];
  };
  const find = nameIndex(national.length + others.length, (at) => formsOf(nameOf(at)));
  const cities = new Map(Object.entries(lines.cities).map(([name, crs]) => [keyOf(name), crs]));

  const spotOf = (at: number, key: string): StationSpot => {
    const [, latitude, longitude] = others[at - national.length] ?? [];
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
      // "Worcester" is the station in its centre, and never a short form of another.
      const crs = cities.get(key);
      if (!crs) return find(key).map((at) => spotOf(at, key));
      const at = national.findIndex((station) => station.crs === crs);
      return [{ ...spotOf(at, key), isBare: false }];
    },
  });
}

/** A name with its shorter forms, such as "Newport" for Newport (South Wales). */
function formsOf(name: string): string[] {
  return [...fullForms(name), name.replace(/ \([^()]*\)$| International$| Surrey$/, '')];
}

/** "London Euston" is called Euston; "London St Pancras International" is St Pancras. */
function fullForms(name: string): string[] {
  const short = name.replace(/^London /, '');
  const halves = name === "King's Cross St Pancras" ? ["King's Cross"] : [];
  return [...new Set([name, short, short.replace(/(?<=St Pancras) International$/, ''), ...halves])];
}

/** The stations where these operators run, by their two letters. Without known operators, a name of several
 *  stations, full or short, is decided only by the other stations in the text. */
export function railNames(operators: readonly string[], named: readonly Area[] = []): Names {
  const { lines } = read();
  const known = operators.map((code) => lines.operators[code] ?? []);
  const boxes = known.flatMap((sides) => [sides.slice(0, 4), sides.slice(4)] as unknown as Box[]);
  // An operator that runs everywhere decides nothing.
  const areKnown = operators.length > 0 && known.every(({ length }) => length > 0);
  return namesWithin(areKnown ? boxes.filter(({ length }) => length === 4) : [], named);
}

/** The letters of the operators that the words name: in full, alone in a sentence, before a colon or with their
 *  services. */
export function operatorsIn(text: string): string[] {
  const { operator_names } = read().lines;
  const found = new Set<string>();
  for (const sentence of text.split(/(?<=[.!?:])\s+/)) {
    const parts = sentence.replace(/[.:]$/, '').split(/, (?:and )?| and | ?\/ ?/);
    for (const part of parts) {
      const code = operator_names[part.trim()];
      if (code) found.add(code);
    }
    for (const [name, code] of Object.entries(operator_names)) {
      const at = sentence.indexOf(name);
      if (at === -1) continue;
      const isWhole =
        name.includes(' ') ||
        /^[A-Z]{3,}$/.test(name) ||
        /^(?:ScotRail|CrossCountry|Merseyrail|Southeastern|Thameslink|TransPennine)$/.test(name);
      if (isWhole || /^ (?:services?|trains?|passengers|customers)\b/.test(sentence.slice(at + name.length)))
        found.add(code);
    }
  }
  return [...found];
}

/** All stations and stops with this name, full or short. */
export const stationsNamed = (key: string): readonly Spot[] => read().named(key);

/** The stations and stops of London's own network, and of the lines that it runs beyond. */
export const londonNames = (): Names => namesWithin([LONDON]);

/** All have the same weight, so only areas and the other names decide. */
const MARGIN = 1;

function namesWithin(boxes: readonly Box[], named: readonly Area[] = []): Names {
  const { named: find } = read();
  const evidence = { only: [], named, forces: [], home: null, chains: [], crossings: [], zones: [] };
  const isWithin = ({ latitude, longitude }: Spot) =>
    boxes.length === 0 ||
    boxes.some(
      ([south, west, north, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return {
    find: (key) => find(key).filter(isWithin),
    choose(namesakes, beside) {
      const spots = namesakes as readonly StationSpot[];
      const first = spots[0];
      if (!first) return null;
      const isKnown = boxes.length > 0 || named.length > 0;
      if (spots.every((other) => distance(first, other) <= SAME_STATION_KM))
        return isKnown || spots.some(({ isBare }) => !isBare) || isNear(first, beside) ? first : null;
      const [best, next] = spots
        .map((spot) => ({ spot, support: evidenceFor([spot], evidence, beside) }))
        .sort((one, other) => other.support - one.support);
      return best && best.support > 0.5 && best.support - (next?.support ?? 0) >= MARGIN ? best.spot : null;
    },
  };
}

const isNear = (spot: Spot, beside: readonly Spot[]) =>
  beside.some((other) => distance(spot, other) <= NEAR_KM);

/** A whole line of Transport for London, by its id there. */
export function tflLine(id: string): Located | null {
  const { lines } = read();
  return Object.hasOwn(lines.tfl, id) ? between(lines.tfl[id]!, londonNames(), `${id} line`) : null;
}

/** A line of National Rail that the text names as affected: "on the Airedale line". */
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
