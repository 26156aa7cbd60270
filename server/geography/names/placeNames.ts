/** The towns, districts, airports, stations and landmarks that the police, newsrooms and others name. */
import { setImmediate } from 'node:timers/promises';
import { NORTHERN_IRELAND } from '../shapes/northernIreland.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Box,
  distance,
  type Evidence,
  evidenceFor,
  isIn,
  padded,
  roadEvidence,
} from './placeEvidence.ts';
import { NATIONS, placesByNumber, type Place } from './gazetteer.ts';
import type { Located, Names, Spot } from './locate.ts';
import { keyOf, nameIndexInSteps } from './nameIndex.ts';
import { useNames } from '../roads/directionWords.ts';
import { roadTable } from '../roads/roadTable.ts';
import { stationsNamed } from './stationNames.ts';
import { words } from './abbreviations.ts';

interface PlaceSpot extends Spot {
  country: string;
  /** How likely the name means this place: its population, or a number that stands for it. */
  weight: number;
  isSuburb?: boolean;
  isStation?: boolean;
}

/** The area that a publisher writes about. `only`: nowhere else. `home`: a newsroom's own region has priority, but
 *  it also reports from elsewhere. */
export type Region = { only: Box } | { nation: (typeof NATIONS)[number] } | { home: Box } | null;

/** The areas of nations. Landmarks belong to no nation, so their place decides: Waterloo Bridge in London is not in
 *  Wales. */
const NATION_BOXES: Readonly<Partial<Record<(typeof NATIONS)[number], Box>>> = {
  Scotland: { south: 54.6, west: -8.7, north: 61, east: -0.6 },
  Wales: { south: 51.35, west: -5.4, north: 53.5, east: -2.6 },
  'Northern Ireland': NORTHERN_IRELAND,
};
const isPerhapsIn = (spot: Spot, nation: (typeof NATIONS)[number]) => {
  const box = NATION_BOXES[nation];
  return box === undefined || isIn(spot, box);
};

const LONDON_BOX: Box = { north: 51.7, south: 51.28, east: 0.34, west: -0.52 };
export const LONDON: Region = { only: LONDON_BOX };

/** How far apart districts and stations of one town may be. */
const SAME_PLACE_KM = 12;
/** How much likelier than its namesakes a place must be: 16 times. */
const MARGIN = 1.2;
/** The smallest place that is believed without a region, because the gazetteer does not have all its namesakes. */
const KNOWN_TO_ALL = 10_000;
/** The smallest village that is believed within a nation or in a newsroom's region. */
const KNOWN_IN_NATION = 1500;
const KNOWN_ALONE = 900;
const KNOWN_AT_HOME = 1001;
/** From this many letters on, a name hardly ever belongs to two places. */
const OWN_NAME_LETTERS = 9;
const KNOWN_WITHOUT_TWIN = 4000;
/** Outside its region a newsroom explains which place it means, unless everybody knows it. */
const KNOWN_AWAY = 100_000;
/** From this size on, an alternative name counts; that of a smaller place is more often another village. */
const KNOWN_BY_OTHERS = 100_000;
const CERTAIN = 1_000_000;
/** London's district names of places below this size are also streets of other towns. */
const OF_LONDON = 20_000;
/** Less than this is no evidence. */
const SOME = 1;
const STRONG = 2;
const CITY_RADIUS_KM = 40;

type Landmark = readonly [name: string, latitude: number, longitude: number, borough?: string];
type Named = readonly [name: string, south: number, west: number, north: number, east: number];

interface Landmarks {
  services: readonly Landmark[];
  crossings: readonly Landmark[];
  interchanges: readonly Landmark[];
  london: readonly Landmark[];
  others: readonly Landmark[];
  hospitals: readonly Landmark[];
}

interface InWords {
  regions: readonly Named[];
  flood_regions: readonly (readonly [name: string, latitude: number, longitude: number, reachKm: number])[];
  twins: readonly string[];
  local_twins: readonly string[];
  ordinary: readonly string[];
  short: Readonly<Record<string, readonly string[]>>;
}

interface Known {
  /** Settlements, counties and airports. */
  places(key: string): Place[];
  landmarks: ReadonlyMap<string, PlaceSpot>;
  /** Junctions of roads, by their names. */
  waypoints: ReadonlyMap<string, readonly PlaceSpot[]>;
  /** By code. */
  airports: ReadonlyMap<string, PlaceSpot>;
  /** Parts of the country, and counties. */
  regions: ReadonlyMap<string, Box>;
  /** First words of their names. */
  regionWords: ReadonlySet<string>;
  floodRegions: ReadonlyMap<string, Spot>;
  twins: ReadonlySet<string>;
  localTwins: ReadonlySet<string>;
  ordinary: ReadonlySet<string>;
  /** Full names by the short ones. */
  short: ReadonlyMap<string, readonly string[]>;
}

let known: Known | undefined;

const dataFile = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** Reads them in steps, so that nobody is delayed. Without this call the first question reads them at once. */
export async function loadPlaceNames(): Promise<void> {
  const making = reading();
  while (!making.next().done) await setImmediate();
}

function read(): Known {
  if (!known) for (const making = reading(); !making.next().done;);
  return known!; // the last step has set it
}

function* reading(): Generator<void, void> {
  const { regions, flood_regions, twins, local_twins, ordinary, short } = dataFile(
    'names-in-words.json',
  ) as InWords;
  const { count, place } = placesByNumber();
  yield;
  const find = yield* nameIndexInSteps(count, (at) => namesOf(place(at)));
  yield;
  const all = Array.from({ length: count }, (_, at) => place(at));
  yield;
  const boxes = regionsByName(all, regions);
  yield;
  const landmarks = landmarksByName(dataFile('landmarks.json') as Landmarks);
  yield;
  const waypoints = waypointsByName();
  yield;
  known = {
    places: (key) => find(key).map(place),
    airports: new Map(
      all.flatMap((one) =>
        one.type === 'airport'
          ? one.otherNames.filter((name) => /^[A-Z]{3}$/.test(name)).map((code) => [code, toSpot(one)!])
          : [],
      ),
    ),
    landmarks,
    waypoints,
    regions: boxes,
    regionWords: new Set([...boxes.keys()].map((key) => key.split(' ')[0]!)),
    floodRegions: new Map(
      flood_regions.map(([name, latitude, longitude, reachKm]) => [
        keyOf(name),
        { name, latitude, longitude, reachKm },
      ]),
    ),
    twins: new Set([...twins, ...local_twins].map(keyOf)),
    localTwins: new Set(local_twins.map(keyOf)),
    ordinary: new Set(ordinary.map(keyOf)),
    short: new Map(Object.entries(short).map(([name, full]) => [keyOf(name), full.map(keyOf)])),
  };
}

/** The places with this name where people live. */
export function settlementsNamed(name: string): Place[] {
  const { ordinary, places } = read();
  const key = keyOf(name);
  if (ordinary.has(key)) return [];
  return places(key).filter(({ type }) => type !== 'administrative' && type !== 'airport');
}

/** Whether any place, landmark, station or junction has this name. */
export const isKnownName = (name: string): boolean => spotsNamed(keyOf(name), new Set(), false).length > 0;

useNames({
  settlements: (name) => settlementsNamed(name).map(({ longitude, latitude }) => [longitude, latitude]),
  landmarks(name) {
    const spot = read().landmarks.get(keyOf(name));
    return spot ? [[spot.longitude, spot.latitude]] : [];
  },
});

const ELSEWHERE = { country: '' };

/** The lines of the postcode districts. */
let districts: Buffer | undefined;

/** A postcode district. Few texts have one, so each is searched in the file. */
function districtOf(code: string): PlaceSpot | null {
  districts ??= readFileSync(join(import.meta.dirname, 'outcodes.json'));
  const start = districts.indexOf(`["${code}",`);
  if (start === -1) return null;
  const line = districts.toString('utf8', start, districts.indexOf(']', start) + 1);
  const [, , latitude, longitude] = JSON.parse(line) as [string, string, number, number];
  return { ...ELSEWHERE, name: code, latitude, longitude, reachKm: DISTRICT_REACH_KM, weight: CERTAIN };
}

const DISTRICT_REACH_KM = 3;

/** A single word that is a name in London and has other meanings elsewhere. */
const isPlain = (name: string) =>
  /^\p{Lu}[\p{L}']+$/u.test(name) || /\b(?:Road|Street|Lane|Avenue|Hill|Way|Row|Green|Bridge)$/.test(name);

function landmarksByName({ services, crossings, interchanges, london, others, hospitals }: Landmarks) {
  const spots = new Map<string, PlaceSpot>();
  const add = ([name, latitude, longitude, borough]: Landmark, called = name) => {
    const weight = borough && isPlain(name) ? OF_LONDON : CERTAIN;
    spots.set(keyOf(called), {
      ...ELSEWHERE,
      name,
      latitude,
      longitude,
      reachKm: 1,
      weight,
      isLandmark: true,
      ...(weight < CERTAIN && { isOfLondon: true }),
    });
  };
  for (const row of hospitals) {
    add(row);
    Object.assign(spots.get(keyOf(row[0]))!, { isHospital: true });
  }
  // Later ones win.
  for (const row of services) for (const kind of SERVICES) add(row, `${row[0]} ${kind}`);
  for (const row of [...interchanges, ...others, ...london, ...crossings]) add(row);
  return spots;
}

const SERVICES = ['services', 'service area', 'motorway services', 'service station'];

function waypointsByName(): Map<string, PlaceSpot[]> {
  const spots = new Map<string, PlaceSpot[]>();
  for (const { road, waypoints } of roadTable().chains) {
    for (const { name, point } of waypoints) {
      if (!name || name.length < 4) continue;
      const [longitude, latitude] = point;
      const spot = { ...ELSEWHERE, name, latitude, longitude, reachKm: 2, weight: 300, road };
      const key = keyOf(name);
      const list = spots.get(key);
      if (list) list.push(spot);
      else spots.set(key, [spot]);
    }
  }
  return spots;
}

function namesOf({ name, country, otherNames, population }: Place): string[] {
  if (country === 'Ireland') return [];
  // Names of two or three letters are words of other sentences, except Ely and Ayr.
  const base = BASE.exec(name)?.[1];
  return [name, ...otherNames, ...(base ? [base] : [])].filter(
    (one) => one.length > 3 || (one === name && one.length === 3 && population >= KNOWN_OF_THREE),
  );
}

const KNOWN_OF_THREE = 2500;

/** "Weston-super-Mare" can be "Weston", if nothing else has that name. */
const BASE = /^(.+?)[- ](?:on|upon|under|in|by|le|super|next|cum)[- ](?:the[- ])?\p{L}/iu;

/** A place's main name has priority over another place's alternative name, unless other evidence decides. */
function placesCalled(key: string, isDecided: boolean): Place[] {
  const all = read().places(key);
  // A county or a police force beside it decides.
  if (isDecided) return all;
  const own = all.filter(
    ({ name, type, population }) =>
      keyOf(name) === key || type === 'administrative' || type === 'airport' || population >= KNOWN_BY_OTHERS,
  );
  return own.length > 0 ? own : all;
}

/** All places with this name. `roads`: the roads that the text names. */
function spotsNamed(key: string, roads: ReadonlySet<string>, isDecided: boolean): PlaceSpot[] {
  const { landmarks, waypoints, ordinary, short } = read();
  const onRoads = (waypoints.get(bareOf(key)) ?? waypoints.get(key) ?? []).filter((spot) =>
    roads.has((spot as { road?: string }).road ?? ''),
  );
  if (ordinary.has(key) && onRoads.length === 0) return [];
  const landmark = landmarks.get(key);
  const found = [
    ...(ordinary.has(key) ? [] : [key, ...(short.get(key) ?? [])])
      .flatMap((name) => placesCalled(name, isDecided))
      .flatMap((place) => toSpot(place) ?? []),
    ...(landmark ? [landmark] : []),
    ...stationsNamed(key).map((station) => ({ ...station, ...ELSEWHERE, weight: 0, isStation: true })),
    ...onRoads.map((spot) => ({ ...spot, weight: 3000 })),
  ];
  if (found.length > 0) return found;
  // "M25 at Clacket Lane": on a motorway the word "services" is often left out.
  const service = isOfMotorway(roads) ? landmarks.get(`${key} services`) : undefined;
  if (service) return [service];
  return [...(waypoints.get(key) ?? waypoints.get(bareOf(key)) ?? [])];
}

const isOfMotorway = (roads: ReadonlySet<string>) =>
  roads.size > 0 && [...roads].some((road) => road.startsWith('M'));

const OF_TRAINS = /\b(?:lines?|trains?|stations?|tube|railway|overground)\b/i;
const OF_STREETS = / (?:street|road|lane|avenue|square|parade)$/;

/** "countess roundabout" is the junction called Countess. */
const bareOf = (key: string) => key.replace(/ (?:roundabout|interchange|junction|island|crossroads)$/, '');

/** The parts of the country that words name: counties, police forces, islands. */
export function regionsIn(text: string): Box[] {
  const { regions, regionWords } = read();
  const parts = words(text.slice(0, REGIONS_READ_MAX));
  const found: Box[] = [];
  for (let at = 0; at < parts.length; at++) {
    if (!regionWords.has(parts[at]!)) continue;
    for (let length = Math.min(4, parts.length - at); length > 0; length--) {
      const box = regions.get(parts.slice(at, at + length).join(' '));
      const next = parts[at + length] ?? '';
      if (
        !box ||
        (NO_REGION.has(next) && hasCapital(text, next)) ||
        (length === 1 && OTHERS_OWN.has(parts[at - 1] ?? ''))
      )
        continue;
      found.push(box);
      at += length - 1;
      break;
    }
  }
  if (/\b(?:NI|PSNI|Northern Ireland|Ulster|Translink|Ulsterbus|Metro Belfast|Goldliner)\b/.test(text))
    found.push(NORTHERN_IRELAND);
  if (/\bIsland (?:drivers|residents|motorists|roads?|buses|line)\b/i.test(text))
    found.push({ south: 50.57, west: -1.6, north: 50.77, east: -1.06 });
  if (
    /(?:\bin|\b(?:north|south|east|west|central|inner|outer)(?:[- ](?:east|west))?|#) ?London\b/i.test(text)
  )
    found.push(LONDON_BOX);
  return found;
}

/** "Dorset Council", "Devon and Cornwall Police", "GMP" */
const FORCE =
  /(?<!\p{L})((?:\p{Lu}[\p{L}'’-]{1,25} (?:(?:and|&) )?){1,4})(?:(?:County|City|Borough|District|Metropolitan|Roads?) )?(?:Police|Polic\w+|Constabulary|Council|Fire|Highways|Ambulance|Cops)\b|\b[GSW][MY]P\b|\bHeddlu ((?:\p{Lu}[\p{L}-]{1,25} ?){1,3})/gu;

/** The areas of the police forces, councils and fire services that the words name. */
const forcesIn = (text: string): Box[] =>
  Array.from(
    text.slice(0, REGIONS_READ_MAX).matchAll(FORCE),
    ([whole, name, welsh]) => name ?? welsh ?? whole,
  ).flatMap(regionsIn);

/** How far beyond its rough box a county may reach, in degrees. */
const COUNTY_PAD = 0.12;
/** Whether a place can be in the county with which the words after it begin: "Sutton, Surrey", "Sutton in Surrey". A
 *  county with the name of a town is taken for the town. */
function countyAfter(after: string): ((spot: Spot) => boolean) | null {
  const [, said] = COUNTY_AFTER.exec(after) ?? [];
  if (!said) return null;
  const { regions, places } = read();
  const parts = words(said);
  for (let length = Math.min(4, parts.length); length > 0; length--) {
    const key = parts.slice(0, length).join(' ');
    const box = regions.get(key);
    if (
      !box ||
      NO_REGION.has(parts[length] ?? '') ||
      places(key).some(({ type }) => type !== 'administrative')
    )
      continue;
    const area = padded(box, COUNTY_PAD);
    return (spot) => isIn(spot, area);
  }
  return null;
}

const COUNTY_AFTER =
  /^(?:,? in|,? on|,| \() ?(?:the )?((?:\p{Lu}[\p{L}'’-]{1,25} ?(?:(?:and|of|on) )?){1,5})/u;

/** "Kent Road" is a street, "a Kent road" is in Kent. */
const hasCapital = (text: string, word: string) =>
  text.includes(` ${word[0]!.toUpperCase()}${word.slice(1)}`) || text.includes(` ${word.toUpperCase()}`);

const REGIONS_READ_MAX = 1200;
/** "Kent Road", "Devon House": here the name is not the region. */
const NO_REGION: ReadonlySet<string> = new Set(
  'road street lane avenue way house arms hotel park terrace drive close place bound'.split(' '),
);
const OTHERS_OWN: ReadonlySet<string> = new Set(['duke', 'mr', 'mrs', 'pc']);

/** The largest region that counts. Whole nations decide little, and their own sources have a rule of their own. */
const WIDEST = 3.2;

/** Our own list has priority over the counties of the gazetteer; of these, the first with a name counts. */
function regionsByName(places: readonly Place[], own: readonly Named[]): Map<string, Box> {
  const boxes = new Map<string, Box>(
    own.map(([name, south, west, north, east]) => [keyOf(name), { south, west, north, east }]),
  );
  const taken = new Set(boxes.keys());
  for (const place of places) {
    const box = place.boundingBox;
    if (place.type !== 'administrative' || !box) continue;
    const isNarrow = box.north - box.south <= WIDEST || place.name === 'Wales' || place.name === 'Scotland';
    for (const key of namesOf(place).map(keyOf)) {
      if (key.length > 3 && !taken.has(key) && isNarrow) boxes.set(key, box);
      taken.add(key);
    }
  }
  return boxes;
}

/** Null for a county or a nation, because it has no point. */
function toSpot({ name, type, latitude, longitude, population, country, boundingBox }: Place) {
  const spot: PlaceSpot = { name, latitude, longitude, reachKm: 3, weight: 1000, country };
  if (type === 'airport') return { ...spot, weight: CERTAIN, isAirport: true };
  if (type === 'administrative') {
    if (!boundingBox || boundingBox.north - boundingBox.south > 0.25 || name.startsWith('Isle of'))
      return null;
    return { ...spot, reachKm: 8, weight: 100_000 };
  }
  const weight = population || (type === 'village' || type === 'hamlet' ? 1000 : 5000);
  const reachKm = weight >= 1_000_000 ? 20 : weight >= 250_000 ? 8 : weight >= 50_000 ? 5 : 3;
  return { ...spot, weight, reachKm, isSettlement: true, ...(type === 'suburb' && { isSuburb: true }) };
}

/** The region of a county or city that a newsroom has in its name. */
function regionOf({ type, latitude, longitude, population, boundingBox }: Place): Box | null {
  if (type === 'administrative') return boundingBox ?? null;
  if (type !== 'city' && population < 50_000) return null;
  const [high, wide] = [CITY_RADIUS_KM / 111, CITY_RADIUS_KM / 65];
  return {
    north: latitude + high,
    south: latitude - high,
    east: longitude + wide,
    west: longitude - wide,
  };
}

/** Names of railways and airlines that contain a town. They say nothing about where they report from. */
const NO_NEWSROOM =
  /\b(?:air(?:lines?|ports?|ways)|bus(?:es)?|coach(?:es)?|express|rail(?:way)?s?|trains?|trams?)\b/i;

let lastPublisher: { name: string; region: Region } | undefined;

/** The region in a publisher's name: "Kent Online", "Leeds Live". Null: the whole country. */
export function regionOfPublisher(name: string): Region {
  // The stories of a feed come one after another, so the last result is kept.
  if (lastPublisher?.name !== name) lastPublisher = { name, region: readRegion(name) };
  return lastPublisher.region;
}

function readRegion(name: string): Region {
  if (/\btrafficwatch ?ni\b|\bPSNI\b/i.test(name)) return { nation: 'Northern Ireland' };
  if (NO_NEWSROOM.test(name)) return null;
  const { places } = read();
  const parts = name.slice(0, 200).split(/[^\p{L}\p{N}'’-]+/u);
  for (let length = 3; length > 0; length--) {
    for (let at = 0; at + length <= parts.length; at++) {
      const [home] = places(keyOf(parts.slice(at, at + length).join(' '))).flatMap(
        (place) => regionOf(place) ?? [],
      );
      if (home) return { home };
    }
  }
  return null;
}

/** A region of SEPA's flood alerts. */
export function floodRegion(name: string): Located | null {
  const spot = read().floodRegions.get(keyOf(name));
  if (!spot) return null;
  const { latitude, longitude, reachKm } = spot;
  return { latitude, longitude, reachKm, names: [spot.name], isBetween: false };
}

/** The places that texts can name. `isRail`: the text is about trains, so a name can be a station without its town.
 *  `isAir`: the text is about flights, so a name is first that of an airport. `about`: all words of the report and
 *  of its publisher. `roads`: the roads that it is about. */
export function placeNames(
  region: Region,
  {
    isRail = false,
    isAir = false,
    about = '',
    roads = [],
  }: { isRail?: boolean; isAir?: boolean; about?: string; roads?: readonly string[] } = {},
): Names {
  const { twins, localTwins } = read();
  const isIrish = region && 'nation' in region ? region.nation === 'Northern Ireland' : null;
  const evidence: Evidence = {
    only: region && 'only' in region ? [region.only] : [],
    // These areas are so small that a name belongs to one place.
    named: [...regionsIn(about), ...(isIrish ? [NORTHERN_IRELAND] : [])],
    forces: forcesIn(about),
    home: region && 'home' in region ? region.home : null,
    ...(isRail ? { chains: [], crossings: [], zones: [] } : roadEvidence(roads, isIrish)),
  };
  const isPossible = (spot: PlaceSpot) =>
    region === null ||
    'home' in region ||
    ('nation' in region
      ? spot.country === region.nation || (spot.country === '' && isPerhapsIn(spot, region.nation))
      : isIn(spot, region.only));
  const stationWeight = isRail ? KNOWN_TO_ALL : region ? KNOWN_IN_NATION : 500;
  const isLondons = (region !== null && 'only' in region) || evidence.named.includes(LONDON_BOX);
  const named = new Set(roads);
  const found = new Map<string, PlaceSpot[]>();

  function isBelieved({ best, weight, spots }: Cluster, only: boolean, support: number): boolean {
    const name = keyOf(best.name);
    /** True: no other place has the name, and the name is long or the road's number fits. */
    const isAlone = only && (name.replaceAll(' ', '').length >= OWN_NAME_LETTERS || support > 0);
    if (region && 'only' in region) return true;
    if (weight >= CERTAIN) return true;
    if (support >= STRONG) return true;
    if (region === null) {
      if (twins.has(name)) return false;
      // "Wotton-under-Edge" is nowhere else.
      const isOwn = only && BASE.test(best.name) && keyOf(best.name) !== keyOf(BASE.exec(best.name)![1]!);
      return (
        weight >= KNOWN_TO_ALL ||
        isOwn ||
        isAlone ||
        (only && (best.isSuburb === true || weight >= KNOWN_WITHOUT_TWIN)) ||
        support >= SOME
      );
    }
    if (localTwins.has(name)) return false;
    // Outside England, fewer places share a name.
    if ('nation' in region)
      return isAlone || weight >= (only && region.nation !== 'England' ? KNOWN_ALONE : KNOWN_IN_NATION);
    return spots.some((spot) => isIn(spot, region.home)) ? weight >= KNOWN_AT_HOME : weight >= KNOWN_AWAY;
  }

  return {
    postcode(code) {
      const spot = districtOf(code);
      return spot && isPossible(spot) ? spot : null;
    },
    within: countyAfter,
    find(key) {
      let spots = found.get(key);
      if (!spots) {
        const airports = isAir
          ? read()
              .places(`${key} airport`)
              .flatMap((one) => toSpot(one) ?? [])
          : [];
        const station = key.endsWith(' station') ? key.slice(0, -' station'.length) : null;
        spots = airports.length > 0 ? airports : spotsNamed(key, named, evidence.named.length > 0);
        // This also holds for the name of a street: "Liverpool Street station".
        if (station && spots.length === 0 && OF_STREETS.test(station))
          spots = stationsNamed(station).map((one) => ({
            ...one,
            ...ELSEWHERE,
            weight: 0,
            isStation: true,
            isLandmark: true,
          }));
        // Without a railway "High Street" is a street, and not the station in Glasgow.
        const isStreet = !isRail && OF_STREETS.test(key) && !OF_TRAINS.test(about);
        found.set(key, (spots = spots.filter((spot) => isPossible(spot) && !(isStreet && spot.isStation))));
      }
      return spots;
    },
    airport: (code) =>
      isRail || !(isAir || FLYING.test(about)) ? null : (read().airports.get(code) ?? null),
    choose(namesakes, beside) {
      const isHere = (spot: PlaceSpot) =>
        !('isOfLondon' in spot) ||
        isLondons ||
        beside.some((other) => distance(spot, other) <= SAME_PLACE_KM);
      const spots = (namesakes as readonly PlaceSpot[]).filter((spot) => isPossible(spot) && isHere(spot));
      const ranked = clustersOf(spots, stationWeight)
        .map((cluster) => {
          const support = evidenceFor(cluster.spots, evidence, beside);
          return { cluster, support, score: Math.log10(Math.max(cluster.weight, 100)) + support };
        })
        .sort((one, other) => other.score - one.score);
      const [first, next] = ranked;
      if (!first || first.support < -1 || (next && first.score - next.score < MARGIN)) return null;
      return isBelieved(first.cluster, ranked.length === 1, first.support) ? first.cluster.best : null;
    },
  };
}

/** Words about flying: elsewhere "MAN" and "SOU" are not airports. */
const FLYING =
  /\b(?:airports?|flights?|runway|terminals?|airlines?|planes?|aircraft|departures?|arrivals|baggage|air traffic|drone|check-in|passengers?)\b/i;

interface Cluster {
  best: PlaceSpot;
  spots: PlaceSpot[];
  weight: number;
}

/** Heaviest first. */
function clustersOf(namesakes: readonly PlaceSpot[], stationWeight: number): Cluster[] {
  const weightOf = ({ isStation, weight }: PlaceSpot) => (isStation ? stationWeight : weight);
  const clusters: Cluster[] = [];
  for (const spot of namesakes.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const same = clusters.find(({ best }) => distance(best, spot) <= SAME_PLACE_KM);
    if (same) same.spots.push(spot);
    else clusters.push({ best: spot, spots: [spot], weight: weightOf(spot) });
  }
  return clusters;
}
