/** The stations and lines that a railway's sentences name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { around, type Located, type Names, type Spot } from './locate.ts';
import { kilometres, stations } from './stations.ts';
import { words } from './words.ts';

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
/** Namesakes are told apart by another station of the text: this near, and all others this far. */
const NEAR_KM = 40;
const FAR_KM = 150;
/** Or, where the operators are known, so many times as far. */
const FAR_TIMES = 3;
const LONDON: Box = [51.2, -1.05, 51.85, 0.45];

const dataFile = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

let known: { byName: ReadonlyMap<string, readonly StationSpot[]>; lines: Lines } | undefined;

function read() {
  if (known) return known;
  const lines = dataFile('rail-lines.json') as Lines;
  const byName = new Map<string, StationSpot[]>();
  const add = (name: string, spot: StationSpot) => {
    const key = words(name).join(' ');
    const same = byName.get(key);
    if (!same) byName.set(key, [spot]);
    else if (!same.some((other) => other.crs === spot.crs && other.latitude === spot.latitude))
      same.push(spot);
  };

  const byCode = new Map<string, StationSpot>();
  for (const { name: full, crs, latitude, longitude } of stations()) {
    const name = full.replace(/ Rail$/, '');
    const spot = { name, crs, latitude, longitude, reachKm: STATION_REACH_KM, isBare: false };
    if (crs) byCode.set(crs, spot);
    for (const form of fullForms(name)) add(form, spot);
    const bare = name.replace(/ \([^()]*\)$| International$| Surrey$/, '');
    if (bare !== name) add(bare, { ...spot, isBare: true });
  }
  for (const [name, latitude, longitude] of (dataFile('stations-london.json') as { stations: LondonRow[] })
    .stations) {
    const spot = { name, crs: null, latitude, longitude, reachKm: STATION_REACH_KM, isBare: false };
    for (const form of fullForms(name)) add(form, spot);
  }
  for (const [name, crs] of Object.entries(lines.cities)) {
    const station = byCode.get(crs);
    // "Worcester" is its station in the middle, and never a bare form of another.
    if (station) byName.set(words(name).join(' '), [station]);
  }
  return (known = { byName, lines });
}

/** "London Euston" is called Euston; "London St Pancras International" is St Pancras. */
function fullForms(name: string): string[] {
  const short = name.replace(/^London /, '');
  const halves = name === "King's Cross St Pancras" ? ["King's Cross"] : [];
  return [...new Set([name, short, short.replace(/(?<=St Pancras) International$/, ''), ...halves])];
}

/**
 * Stations where the operators run, told by their two letters. Without known operators a name that several stations
 * have, in full or not, is decided only by the others that the text names.
 */
export function railNames(operators: readonly string[]): Names {
  const { lines } = read();
  const boxes = operators.flatMap((code) => (lines.operators[code] ? [lines.operators[code]] : []));
  return namesWithin(operators.length > 0 && boxes.length === operators.length ? boxes : []);
}

/** Every station by every name that it has, full or not. */
export function* allStationNames(): Generator<[name: string, spot: Spot]> {
  for (const [name, spots] of read().byName) for (const spot of spots) yield [name, spot];
}

/** The stations and stops of London's own network, and of the lines that it runs beyond. */
export const londonNames = (): Names => namesWithin([LONDON]);

function namesWithin(boxes: readonly Box[]): Names {
  const { byName } = read();
  const isWithin = ({ latitude, longitude }: Spot) =>
    boxes.length === 0 ||
    boxes.some(
      ([south, west, north, east]) =>
        latitude >= south && latitude <= north && longitude >= west && longitude <= east,
    );
  return {
    find: (name) => byName.get(name)?.filter(isWithin) ?? [],
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
    const [spot] = names.find(words(end).join(' '));
    return spot ?? [];
  });
  const found = spots.length === ends.length ? around(spots, true) : null;
  return found && { ...found, names: [line] };
}
