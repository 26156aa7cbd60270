/** Evidence that decides between places with one name: the publisher's area, and other names in the words. The choice
 *  itself, which also counts the size of a place, is in placeNames.ts. */
import { NORTHERN_IRELAND } from '../shapes/northernIreland.ts';
import { kilometres } from '#contract/places/distance.ts';
import { crossingsOf } from '../roads/junctionLabels.ts';
import { along, type Chain, type LonLat, roadTable } from '../roads/roadTable.ts';
import type { Spot } from './locate.ts';

/** WGS84 degrees. */
export interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

export interface Evidence {
  /** The places are only in these boxes; each box is enough. Empty: anywhere. */
  only: readonly Box[];
  /** Boxes that are named beside it: counties, police forces, islands. */
  named: readonly Box[];
  /** The areas of police forces, councils and fire services among them. */
  forces: readonly Box[];
  /** The newsroom's own region. */
  home: Box | null;
  /** The roads that it is about, if the table has them. */
  chains: readonly Chain[];
  /** Crossings with roads of the table, for roads that it does not have. */
  crossings: readonly LonLat[];
  /** The areas of roads with such numbers. */
  zones: readonly Box[];
}

export const isIn = (
  { latitude, longitude }: Pick<Spot, 'latitude' | 'longitude'>,
  { north, south, east, west }: Box,
): boolean => latitude <= north && latitude >= south && longitude <= east && longitude >= west;

export const padded = ({ south, west, north, east }: Box, degrees: number): Box => ({
  south: south - degrees,
  west: west - degrees * 1.6,
  north: north + degrees,
  east: east + degrees * 1.6,
});

/** Decimal logarithms of how much likelier each kind of evidence makes a place. */
const NAMED = 3;
const HOME = 2;
const OUT_OF_FORCE = -1.1;
const ON_ROAD = 2.5;
const OFF_ROAD = -1.2;
const IN_ZONE = 0.7;
const OUT_OF_ZONE = -0.8;
/** The value of another place beside it, when it is very close; and for each tenth of the distance. */
const BESIDE = 3;
const BESIDE_KM = 5;
const PER_TENFOLD = 2.2;
const BESIDE_LEAST = -0.8;

const ON_ROAD_KM = 6;
const OFF_ROAD_KM = 30;

/** 0: nothing is known. Negative: it is evidence against the place. */
export function evidenceFor(spots: readonly Spot[], evidence: Evidence, beside: readonly Spot[]): number {
  const [best] = spots;
  if (!best) return 0;
  const isNamed = evidence.named.some((box) => spots.some((spot) => isIn(spot, box)));
  const isHome = evidence.home !== null && spots.some((spot) => isIn(spot, evidence.home!)); // it is there
  return (
    (isNamed ? NAMED : isBeyond(spots, evidence.forces) ? OUT_OF_FORCE : 0) +
    (isHome ? HOME : 0) +
    ofRoads(spots, evidence) +
    (beside.length === 0 ? 0 : besideOthers(best, beside))
  );
}

/** How far a force may be from the place that it reports, in degrees: its box is rough, and it helps its neighbours. */
const FORCE_PAD = 0.2;

const isBeyond = (spots: readonly Spot[], forces: readonly Box[]) =>
  forces.length > 0 && forces.every((box) => !spots.some((spot) => isIn(spot, padded(box, FORCE_PAD))));

function ofRoads(spots: readonly Spot[], { chains, crossings, zones }: Evidence): number {
  if (chains.length > 0) {
    const off = Math.min(...spots.map((spot) => kmToRoads(spot, chains) - spot.reachKm));
    return off <= ON_ROAD_KM ? ON_ROAD : off > OFF_ROAD_KM ? OFF_ROAD : 0;
  }
  const isBeside = crossings.some(([longitude, latitude]) =>
    spots.some((spot) => kilometres(spot.latitude, spot.longitude, latitude, longitude) <= ON_ROAD_KM),
  );
  if (isBeside) return ON_ROAD;
  if (zones.length === 0) return 0;
  return zones.some((zone) => spots.some((spot) => isIn(spot, zone))) ? IN_ZONE : OUT_OF_ZONE;
}

const kmToRoads = ({ longitude, latitude }: Spot, chains: readonly Chain[]) =>
  Math.min(...chains.map((chain) => along(chain, [longitude, latitude])?.off ?? Infinity));

function besideOthers(spot: Spot, beside: readonly Spot[]): number {
  const km = Math.min(...beside.map((other) => distance(spot, other)));
  return Math.max(BESIDE_LEAST, BESIDE - PER_TENFOLD * Math.log10(Math.max(km, BESIDE_KM) / BESIDE_KM));
}

export const distance = (a: Spot, b: Spot) => kilometres(a.latitude, a.longitude, b.latitude, b.longitude);

/** The first figure of an A or B road shows roughly in which part of Great Britain it is. */
const ZONES: Readonly<Record<string, Box>> = {
  1: { south: 51.45, west: -3.2, north: 56.0, east: 1.8 },
  2: { south: 50.5, west: -0.8, north: 51.6, east: 1.5 },
  3: { south: 49.8, west: -6.4, north: 51.65, east: 0.0 },
  4: { south: 51.2, west: -5.4, north: 53.4, east: 0.0 },
  5: { south: 51.4, west: -4.8, north: 54.3, east: 0.0 },
  6: { south: 51.8, west: -3.7, north: 56.0, east: 0.2 },
  7: { south: 54.5, west: -5.3, north: 56.1, east: -1.9 },
  8: { south: 55.2, west: -7.6, north: 58.8, east: -3.0 },
  9: { south: 55.8, west: -7.6, north: 61.0, east: -0.7 },
};

/** `roads`: in normal forms. `isIrish`: in Northern Ireland; null: perhaps. */
export function roadEvidence(
  roads: readonly string[],
  isIrish: boolean | null,
): Pick<Evidence, 'chains' | 'crossings' | 'zones'> {
  const chains = roads
    .slice(0, 3)
    .flatMap((road) => roadTable().named(road))
    .filter(({ id, road }) => isIrish === null || isIrish === (id !== road));
  if (chains.length > 0) return { chains, crossings: [], zones: [] };
  const crossings = isIrish ? [] : roads.slice(0, 3).flatMap(crossingsOf);
  const zone = ZONES[/^[AB](\d)\d*$/.exec(roads[0] ?? '')?.[1] ?? ''];
  // In Northern Ireland roads have numbers of their own.
  return { chains, crossings, zones: zone ? [zone, NORTHERN_IRELAND] : [] };
}
