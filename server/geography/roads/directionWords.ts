/**
 * Which of a road's two directions words mean: "coastbound", "London-bound", "towards Hull", "inbound", "J27 to J26".
 * Words of the compass ("westbound", "NB") are read in roadWords.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Direction } from '#contract/incidents/facts.ts';
import {
  along,
  periodOf,
  rulerAt,
  senseOf,
  type Chain,
  type LonLat,
  type RoadTable,
  type Sense,
  type Sign,
} from './roadTable.ts';

interface DestinationFile {
  /** By lower-case name: latitude, longitude. */
  points: Record<string, [number, number]>;
  /** The centres of the cities that "inbound" can mean. */
  centres: [number, number][];
}
const FILE = JSON.parse(
  readFileSync(join(import.meta.dirname, 'destinations.json'), 'utf8'), // our own file; a test checks its shape
) as DestinationFile;
const POINTS = new Map(Object.entries(FILE.points).map(([name, [y, x]]): [string, LonLat] => [name, [x, y]]));
const CENTRES = FILE.centres.map(([y, x]): LonLat => [x, y]);

/** A name in lower case with only letters and digits. "St" is never read as "Saint". */
const key = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();

const namesOf = new WeakMap<RoadTable, Map<string, LonLat[]>>();

/** All places that waypoints are named after. */
function placesOf(table: RoadTable): Map<string, LonLat[]> {
  let names = namesOf.get(table);
  if (!names) {
    names = new Map();
    for (const { waypoints } of table.chains)
      for (const { name, point } of waypoints) {
        if (!name) continue;
        for (const one of new Set([
          key(name),
          key(name.replace(/[ -](?:upon|on|under|le|by|super|in)[ -].*$/i, '')),
        ]))
          names.set(one, [...(names.get(one) ?? []), point]);
      }
    namesOf.set(table, names);
  }
  return names;
}

/** Towns and villages by name, and landmarks. The room of names above sets them. */
let named: { settlements: NamedPoints; landmarks: NamedPoints } = {
  settlements: () => [],
  landmarks: () => [],
};
type NamedPoints = (name: string) => readonly LonLat[];
export const useNames = (names: typeof named): void => {
  named = names;
};

/** If the end of a way is further from a place than this, it does not lead there. */
const LEADS_TO_KM = 160;

/** The place with this name that is nearest to the road; null: we know none, or it is too far away. */
function placeNamed(name: string, chain: Chain, table: RoadTable): LonLat | null {
  const asked = key(name).replace(/^(?:the|central|greater|city of|port of) (?=\S)/, '');
  const own = POINTS.get(key(name)) ?? POINTS.get(asked);
  if (own) return own;
  const found = placesOf(table).get(asked) ?? named.settlements(asked);
  const [nearest] = found
    .map((point) => ({ point, off: along(chain, point)?.off ?? Infinity }))
    .toSorted((one, other) => one.off - other.off);
  return nearest && nearest.off < LEADS_TO_KM ? nearest.point : null;
}

export function isDestination(name: string, table: RoadTable): boolean {
  const asked = key(name).replace(/^(?:the|central|greater|city of|port of) (?=\S)/, '');
  if (POINTS.has(key(name)) || placesOf(table).has(asked)) return true;
  return /^\p{Lu}/u.test(name) && named.settlements(asked).length > 0;
}

const NAME = String.raw`\p{Lu}[\p{L}'’-]+(?:[ -](?:(?:on|upon|in|the|le|under|of)[ -])?\p{Lu}[\p{L}'’-]+){0,3}`;
const BESIDE = new RegExp(
  String.raw`\b(?:at|near|nr|in|outside|around|through) (?:the )?(${NAME})|(?:^|[ (])(${NAME} (?:[Rr]oundabout|[Rr]bt|[Ff]lyover|[Ii]nterchange|Corner|Circus|[Ss]ervices|[Jj]unction))\b`,
  'gu',
);
const BESIDE_MAX = 4;
/** How far off the road a place may be that its words name. */
const BESIDE_KM = 5;

/** Positions on the chain that the words name: its waypoints, and towns and villages beside it, but not its
 *  destination. */
export function positionsNamed(words: string, chain: Chain, towards: string): number[] {
  const said = words.toLowerCase();
  const own = chain.waypoints.flatMap(({ name }, index) =>
    name &&
    name.length > 3 &&
    name.toLowerCase() !== towards.toLowerCase() &&
    said.includes(name.toLowerCase())
      ? [index]
      : [],
  );
  if (own.length > 0) return own;
  const found: number[] = [];
  for (const [, place, landmark] of words.matchAll(BESIDE)) {
    if (found.length >= BESIDE_MAX) break;
    const parts = (place ?? landmark ?? '').split(' ');
    for (let count = parts.length; count > 0; count--) {
      const name = key(parts.slice(0, count).join(' '));
      const beside = [...named.landmarks(name), ...named.settlements(name)]
        .map((point) => along(chain, point))
        .find((there) => there !== null && there.off <= BESIDE_KM);
      if (beside) found.push(beside.at);
      if (beside) break;
    }
  }
  return found;
}

/** If nothing says where on the road it is, a place gives a direction only near the road's end. */
const NEAR_END = 0.3;
/** A place this close to the incident is on neither side of it. */
const ASIDE = 0.35;

/** The direction that leads to a place. `from`: the position on the chain, if it is known. */
export function senseTowards(
  name: string,
  chain: Chain,
  from: number | null,
  table: RoadTable,
): Sense | null {
  const word = key(name);
  if (/^(?:the )?(?:coast|sea)$/.test(word)) return senseOf(chain, 'coast');
  if (/^(?:the )?(?:in|city|town)$|^(?:the )?(?:city|town) centre$/.test(word))
    return senseInbound(chain, from);
  if (/^(?:out|country)$/.test(word)) {
    const inbound = senseInbound(chain, from);
    return inbound && (inbound === 1 ? -1 : 1);
  }
  if (/^the (?:north|south|east|west)$/.test(word))
    return senseOf(chain, word.charAt(4).toUpperCase() as Sign); // one of the four
  if (word === 'london') {
    const signed = senseOf(chain, 'London');
    if (signed) return signed;
  }
  const point = placeNamed(name, chain, table);
  if (!point) return null;
  // A town in the gazetteer may be anywhere on the road; a place in the tables is more often an end.
  const isKnownEnd = POINTS.has(word) || placesOf(table).has(word);
  const there = along(chain, point);
  if (!there) return null;
  const last = chain.waypoints.length - 1;
  const period = periodOf(chain);
  if (period) {
    if (from === null) return null;
    const ahead = (((there.at - from) % period) + period) % period;
    if (Math.min(ahead, period - ahead) < ASIDE || Math.abs(ahead - period / 2) < period / 12) return null;
    return ahead < period / 2 ? 1 : -1;
  }
  const near = last * (isKnownEnd ? NEAR_END : NEAR_END / 3);
  if (from === null) return there.at <= near ? -1 : there.at >= last - near ? 1 : null;
  return Math.abs(there.at - from) < ASIDE ? null : there.at > from ? 1 : -1;
}

/** How near to its centre a road ends in a city, and from how far away it leads into it. */
const CENTRE_KM = 7;
const INTO_KM = 30;
/** A longer road leads into several cities. */
const SHORT_KM = 70;

function senseInbound(chain: Chain, from: number | null): Sense | null {
  const { waypoints, isOrbital } = chain;
  if (isOrbital) return null;
  const kmTo = (point: LonLat, centre: LonLat) => rulerAt(point[1]).distance(point, centre);
  const nearestCentre = (point: LonLat) =>
    CENTRES.map((centre) => ({ centre, km: kmTo(point, centre) })).toSorted(
      (one, other) => one.km - other.km,
    )[0]!; // there are some
  const last = waypoints.length - 1;
  if (from !== null) {
    const here = waypoints[Math.round(from)]?.point;
    const nearest = here && nearestCentre(here);
    const there = nearest && nearest.km < INTO_KM ? along(chain, nearest.centre) : null;
    if (there && Math.abs(there.at - from) >= ASIDE) return there.at > from ? 1 : -1;
    // This is in the centre of the city where the road ends.
    if (there && (there.at < ASIDE || there.at > last - ASIDE)) return there.at < ASIDE ? -1 : 1;
  }
  const [start, end] = [waypoints[0]!.point, waypoints[last]!.point]; // a chain has two
  if (kmTo(start, end) > SHORT_KM) return null;
  const [one, other] = [nearestCentre(start), nearestCentre(end)];
  const isIn = [one.km < CENTRE_KM, other.km < CENTRE_KM] as const;
  if (isIn[0] !== isIn[1]) return isIn[1] ? 1 : -1;
  // The road begins outside the centre of a city and leads away from it.
  if (isIn[0] || one.centre !== other.centre || Math.min(one.km, other.km) > INTO_KM / 2) return null;
  return one.km * AWAY < other.km ? -1 : other.km * AWAY < one.km ? 1 : null;
}

/** How many times further from the centre counts as away from it. */
const AWAY = 1.5;

/** Whether two words for one road cannot both be true. An unknown direction, and both ways, contradict nothing. */
export function areOpposite(
  road: string,
  one: Direction | 'both' | null,
  other: Direction | 'both' | null,
  table: RoadTable,
): boolean {
  if (one === null || other === null || one === other || one === 'both' || other === 'both') return false;
  const senses = table.named(road).map((chain) => [senseOf(chain, one), senseOf(chain, other)] as const);
  const known = senses.filter(([own, others]) => own && others);
  if (known.length > 0) return known.every(([own, others]) => own !== others);
  return OPPOSITE[one] === other;
}

export const OPPOSITE: Readonly<Record<Direction, Direction>> = {
  N: 'S',
  S: 'N',
  E: 'W',
  W: 'E',
  CW: 'AC',
  AC: 'CW',
};

/** The name of a direction on signs: of the road's names, the one that fits its course there. The A38 is signed
 *  north in Derbyshire and east in Devon. */
export function signOf(chain: Chain, sense: Sense, at: number | null = null): Direction | null {
  const signs = (chain.signs?.[sense] ?? []).filter((sign) => sign !== 'coast' && sign !== 'London');
  const [first = null] = signs;
  if (signs.length < 2 || at === null) return first;
  const index = Math.min(Math.max(Math.round(at), 0), chain.waypoints.length - 1);
  const [behind, ahead] = [index - 1, index + 1].map(
    (one) => chain.waypoints[Math.min(Math.max(one, 0), chain.waypoints.length - 1)]!.point, // it is within
  ) as [LonLat, LonLat];
  const east = (ahead[0] - behind[0]) * Math.cos((behind[1] * Math.PI) / 180) * sense;
  const north = (ahead[1] - behind[1]) * sense;
  const course: Partial<Record<Direction, number>> = { N: north, S: -north, E: east, W: -east };
  return signs.toSorted((one, other) => (course[other] ?? 0) - (course[one] ?? 0))[0] ?? null;
}
