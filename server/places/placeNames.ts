/** The towns, districts, airports, stations and landmarks that the police, newsrooms and others name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIONS, placesByNumber, type Place } from './gazetteer.ts';
import type { Located, Names, Spot } from './locate.ts';
import { keyOf, nameIndex } from './nameIndex.ts';
import { stationsNamed } from './stationNames.ts';
import { kilometres } from '#contract/distance.ts';

interface PlaceSpot extends Spot {
  area: string;
  country: string;
  /** How likely the name means this place: its population, or what stands for it. */
  weight: number;
  isSuburb?: boolean;
  isStation?: boolean;
}

interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

/**
 * Where a publisher writes about. `only`: nowhere else; a newsroom's own region counts first, but it also reports
 * from elsewhere.
 */
export type Region = { only: Box } | { nation: (typeof NATIONS)[number] } | { home: Box } | null;

export const LONDON: Region = { only: { north: 51.7, south: 51.28, east: 0.34, west: -0.52 } };

/** Districts and stations of one town. */
const SAME_PLACE_KM = 12;
/** A place so much larger than its namesakes is meant by the bare name. */
const DOMINANCE = 20;
/** Without a region smaller places are not believed: the gazetteer does not have all their namesakes. */
const KNOWN_TO_ALL = 10_000;
/** In a nation and in a newsroom's region the smallest villages are not believed either. */
const KNOWN_IN_NATION = 1500;
const KNOWN_AT_HOME = 1001;
/** Of smaller places an alternative name is more often another village. */
const KNOWN_BY_OTHERS = 100_000;
const CERTAIN = 1_000_000;
const NEAR_KM = 40;
const FAR_KM = 150;
const CITY_RADIUS_KM = 40;

interface InWords {
  landmarks: readonly (readonly [name: string, latitude: number, longitude: number])[];
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
  floodRegions: ReadonlyMap<string, Spot>;
  twins: ReadonlySet<string>;
  localTwins: ReadonlySet<string>;
  ordinary: ReadonlySet<string>;
  /** Full names by the short ones. */
  short: ReadonlyMap<string, readonly string[]>;
}

let known: Known | undefined;

function read(): Known {
  if (known) return known;
  const file = readFileSync(join(import.meta.dirname, 'names-in-words.json'), 'utf8');
  const { landmarks, flood_regions, twins, local_twins, ordinary, short } = JSON.parse(file) as InWords;
  const { count, place } = placesByNumber();
  const find = nameIndex(count, (at) => namesOf(place(at)));
  return (known = {
    places: (key) => find(key).map(place),
    landmarks: new Map(
      landmarks.map(([name, latitude, longitude]) => [
        keyOf(name),
        { ...ELSEWHERE, name, latitude, longitude, reachKm: 1, weight: CERTAIN, isLandmark: true },
      ]),
    ),
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
  });
}

const ELSEWHERE = { area: '', country: '' };

function namesOf({ name, type, country, population, otherNames }: Place): string[] {
  if (country === 'Ireland') return [];
  const others = type === 'administrative' || population >= KNOWN_BY_OTHERS ? otherNames : [];
  // Names of two or three letters are words of other sentences.
  return [name, ...others].filter((one) => one.length > 3);
}

/** All that are called so. */
function spotsNamed(key: string): PlaceSpot[] {
  const { places, landmarks, ordinary, short } = read();
  if (ordinary.has(key)) return [];
  const landmark = landmarks.get(key);
  return [
    ...[key, ...(short.get(key) ?? [])].flatMap(places).flatMap((place) => toSpot(place) ?? []),
    ...(landmark ? [landmark] : []),
    ...stationsNamed(key).map((station) => ({ ...station, ...ELSEWHERE, weight: 0, isStation: true })),
  ];
}

/** Null for a county or a nation: it has no point. */
function toSpot({ name, type, latitude, longitude, population, area, country, boundingBox }: Place) {
  const spot: PlaceSpot = { name, latitude, longitude, reachKm: 3, weight: 1000, area: area ?? '', country };
  if (type === 'airport') return { ...spot, weight: CERTAIN, isAirport: true };
  if (type === 'administrative') {
    if (!boundingBox || boundingBox.north - boundingBox.south > 0.25) return null;
    return { ...spot, reachKm: 8, weight: 100_000 };
  }
  const weight = population || (type === 'village' || type === 'hamlet' ? 1000 : 5000);
  const reachKm = weight >= 1_000_000 ? 20 : weight >= 250_000 ? 8 : weight >= 50_000 ? 5 : 3;
  return { ...spot, weight, reachKm, ...(type === 'suburb' && { isSuburb: true }) };
}

/** Of a county or city, which a newsroom has in its name. */
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

/** Names of railways and airlines that have a town in them say nothing of where they write about. */
const NO_NEWSROOM =
  /\b(?:air(?:lines?|ports?|ways)|bus(?:es)?|coach(?:es)?|express|rail(?:way)?s?|trains?|trams?)\b/i;

let lastPublisher: { name: string; region: Region } | undefined;

/** The region in a publisher's name: "Kent Online", "Leeds Live". Null: the whole country. */
export function regionOfPublisher(name: string): Region {
  // A feed's stories come one after the other.
  if (lastPublisher?.name !== name) lastPublisher = { name, region: readRegion(name) };
  return lastPublisher.region;
}

function readRegion(name: string): Region {
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

/** `isRail`: about trains, so that a name can be that of a station without a town. */
export function placeNames(region: Region, isRail = false): Names {
  const { twins, localTwins } = read();
  const isInside = ({ latitude, longitude, country, isLandmark }: PlaceSpot, of: Region) => {
    if (of === null) return true;
    if ('nation' in of) return country === of.nation || isLandmark === true;
    const { north, south, east, west } = 'only' in of ? of.only : of.home;
    return latitude <= north && latitude >= south && longitude <= east && longitude >= west;
  };

  function alone(name: string, inside: readonly Cluster[], all: readonly Cluster[]): PlaceSpot | null {
    if (region === null) return twins.has(name) ? null : knownToAll(all);
    if ('only' in region) return theOne(inside);
    if (localTwins.has(name)) return null;
    return 'home' in region ? ofNewsroom(inside, all, region.home) : ofNation(inside);
  }

  return {
    find: spotsNamed,
    choose(namesakes, { text, beside }) {
      const stationWeight = isRail ? KNOWN_TO_ALL : region ? KNOWN_IN_NATION : 500;
      const all = clustersOf(namesakes as readonly PlaceSpot[], stationWeight);
      const inCounty = all.filter(({ spots }) => spots.some((spot) => isCountyNamed(spot, text)));
      const candidates = inCounty.length > 0 ? inCounty : all;
      const inside = candidates.filter(({ spots }) => spots.some((spot) => isInside(spot, region)));
      if (inCounty.length === 1 && (inside.length === 1 || region === null || 'home' in region))
        return inCounty[0]!.best;
      return alone(keyOf(namesakes[0]?.name ?? ''), inside, candidates) ?? besideOthers(inside, beside);
    },
  };
}

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

const distance = (a: Spot, b: Spot) => kilometres(a.latitude, a.longitude, b.latitude, b.longitude);

/** The only one, or one far larger than the next. */
function theOne([first, next]: readonly Cluster[]): PlaceSpot | null {
  if (!first) return null;
  return !next || first.weight >= DOMINANCE * Math.max(next.weight, 1000) ? first.best : null;
}

function knownToAll(clusters: readonly Cluster[]): PlaceSpot | null {
  const [first] = clusters;
  const isDistrict = first?.best.isSuburb && clusters.length === 1;
  return first && (first.weight >= KNOWN_TO_ALL || isDistrict) ? theOne(clusters) : null;
}

const ofNation = (clusters: readonly Cluster[]) =>
  theOne(clusters.filter(({ weight }) => weight >= KNOWN_IN_NATION));

function ofNewsroom(inside: readonly Cluster[], all: readonly Cluster[], home: Box): PlaceSpot | null {
  const [first] = inside;
  // Then it can be a village that the gazetteer does not have, and not the city of that name.
  if (!first || first.weight < KNOWN_AT_HOME) return null;
  const spot = theOne(inside);
  // Of a large town next door it would write as often.
  const [latitude, longitude] = [(home.north + home.south) / 2, (home.east + home.west) / 2];
  const isRivalled = all.some(
    ({ best, weight }) =>
      best !== spot &&
      weight >= 10 * first.weight &&
      kilometres(latitude, longitude, best.latitude, best.longitude) <= FAR_KM,
  );
  return isRivalled ? null : spot;
}

function besideOthers(clusters: readonly Cluster[], beside: readonly Spot[]): PlaceSpot | null {
  const [nearest, next] = clusters
    .map(({ best }) => ({ best, km: Math.min(...beside.map((other) => distance(best, other))) }))
    .sort((a, b) => a.km - b.km);
  return nearest && nearest.km <= NEAR_KM && (!next || next.km >= FAR_KM) ? nearest.best : null;
}

/** "Ashford, Kent", "Richmond in North Yorkshire". */
function isCountyNamed({ name, area }: PlaceSpot, text: string): boolean {
  if (!area || area === name) return false;
  return ` ${keyOf(text)} `.includes(` ${keyOf(area)} `);
}
