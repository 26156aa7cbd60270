/** The meaning of a typed name: a place, a waypoint of a road, or two names without a separator between them. */
import {
  along as alongChain,
  rulerAt,
  type Chain,
  type LonLat,
  type RoadTable,
} from '../../geography/roads/roadTable.ts';
import { STOPS_MAX, type TypedRoute } from './typedWords.ts';

export interface KnownPlace {
  /** "Leeds" */
  name: string;
  /** "Leeds, West Yorkshire" */
  label: string;
  point: LonLat;
  isInNorthernIreland: boolean;
  /** The typed words are not its name but stand for it: a nickname, a code or a misspelling. */
  isMeant?: boolean;
  isMisspelt?: boolean;
}

/** Best first, a few. */
export type FindPlaces = (name: string) => Promise<readonly KnownPlace[]>;

/** A longer text is not a name. */
const NAME_MAX = 80;
/** A place with the name of a waypoint is that waypoint, if it is no further away than this. */
export const SAME_PLACE_KM = 8;
/** A road passes a place that is as near to it as this. */
const BESIDE_KM = 12;
export const km = (from: LonLat, to: LonLat) => rulerAt(to[1]).distance(from, to);

export const key = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '');

/** The words of a name between spaces: " newcastle upon tyne ". */
const wordsOfName = (name: string) =>
  ` ${name
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()} `;

/** Short forms at the end of a name, after its town. */
const SHORT_ENDS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\S) (?:apt|arpt|airpt|airprt|a[/']port)\.?$/i, ' Airport'],
  [/(?<=\S) int(?:l|'l)?\.?(?= Airport$)/i, ' International'],
  [/(?<=\S) n(?:th)?\.? term(?:inal)?$/i, ' North Terminal'],
  [/(?<=\S) s(?:th)?\.? term(?:inal)?$/i, ' South Terminal'],
  [/(?<=\S) x$/i, ' Cross'],
  [/(?<= New) st\.?$/i, ' Street'],
];

/** "Leeds Stn", "York Rlwy Stn": after a name, "stn" means a station. The airport code STN is written in capitals. */
export const spelled = (name: string): string =>
  SHORT_ENDS.reduce((text, [short, long]) => text.replace(short, long), name).replace(
    /(?<=\S)(?: (?:rlwy|rly|railway|rail))? stn\.?$/i,
    (said) => (said.endsWith('STN') && /[a-z]/.test(name) ? said : ' station'),
  );

/** "Leeds coach station" has the name Leeds in it; so has "Leeds London", which has another place as well. */
const isPart = ({ name, label, isMeant }: KnownPlace, typed: string) =>
  !isMeant &&
  key(typed).length > key(name).length &&
  key(typed).includes(key(name)) &&
  key(typed) !== key(label);

/** Whether the typed words mean this place: they are the beginning of its name in whole words, or more words, or a
 *  code such as LHR. "Foo" does not mean "Luddenden Foot". */
export function isMeant({ name, label, isMeant }: KnownPlace, typed: string): boolean {
  if (isMeant) return true;
  const [known, asked] = [key(name), key(typed)];
  return (
    (asked.length > 2 && known.startsWith(asked)) ||
    asked.includes(known) ||
    wordsOfName(label).includes(wordsOfName(typed)) ||
    (/^[a-z]{3}$/i.test(typed) && /Airport|station/.test(name))
  );
}

const namedWaypoints = new WeakMap<Chain, ReadonlyMap<string, number>>();

export function waypointNamed(chain: Chain, name: string): number | null {
  let named = namedWaypoints.get(chain);
  if (!named) {
    // The first waypoint of a name wins.
    const rows = chain.waypoints.flatMap(({ name }, index) => (name ? [[key(name), index] as const] : []));
    namedWaypoints.set(chain, (named = new Map(rows.toReversed())));
  }
  return named.get(key(name)) ?? null;
}

/** A junction or crossroads that is not in the gazetteer, if waypoints of that name are at one place only. */
export function waypointAnywhere(
  name: string,
  { chains }: RoadTable,
): { name: string; point: LonLat } | null {
  const found = chains.flatMap((chain) => {
    const index = waypointNamed(chain, name);
    const waypoint = index === null ? undefined : chain.waypoints[index];
    return waypoint?.name ? [{ name: waypoint.name, point: waypoint.point }] : [];
  });
  const [first] = found;
  return first && found.every(({ point }) => km(point, first.point) < SAME_PLACE_KM) ? first : null;
}

export const isBeside = (point: LonLat, chain: Chain) =>
  (alongChain(chain, point)?.off ?? Infinity) <= BESIDE_KM;

const isOnRoad = (place: KnownPlace | undefined, beside: readonly Chain[]) =>
  place !== undefined && beside.some((chain) => isBeside(place.point, chain));

/** A town with the waypoint's name that is further away than this is another town: Blyth in Northumberland is 11 km
 *  from the A1. */
const CLOSE_KM = 5;
export const isNamedAfter = (chain: Chain, index: number, place: KnownPlace | undefined) =>
  place !== undefined &&
  ((alongChain(chain, place.point)?.off ?? Infinity) <= CLOSE_KM ||
    km(chain.waypoints[index]!.point, place.point) <= SAME_PLACE_KM);

/** The places that have the name of the best one. */
const equals = (places: readonly KnownPlace[]) =>
  places.filter(({ name }) => key(name) === key(places[0]!.name));

/** On which islands there is a place of the best one's name. */
export function islandsOf(places: readonly KnownPlace[]): { isIrish: boolean; isBritish: boolean } {
  const found = equals(places);
  return {
    isIrish: found.some(({ isInNorthernIreland }) => isInNorthernIreland),
    isBritish: found.some(({ isInNorthernIreland }) => !isInNorthernIreland),
  };
}

const ABROAD = /, Ireland$/;

/** Orders places with the same name: the one in an area that is another stop comes first ("Isle of Wight, Newport"),
 *  otherwise one on the island of the route. */
export function namedFirst(
  places: readonly KnownPlace[],
  name: string,
  stops: readonly string[],
  isIrish: boolean,
): readonly KnownPlace[] {
  const meant = equals(places).filter((place, index) => index === 0 || isMeant(place, name));
  const areas = new Set(stops.map(key));
  const first =
    meant.find(({ label }) =>
      label
        .split(', ')
        .slice(1)
        .some((area) => areas.has(key(area))),
    ) ??
    meant.find(({ isInNorthernIreland, label }) => isInNorthernIreland === isIrish && !ABROAD.test(label));
  return first ? [first, ...places.filter((place) => place !== first)] : places;
}

/** "Weston-super-Mare" is also called "Weston". */
const AFTER_NAME = /[- ](?:on|upon|under|in|by|le|super|next|y|yn)[- ]\p{L}.*$/iu;

/** Orders places with the same name: one on the road that is named next to it comes first. "A470 Betws" is
 *  Betws-y-Coed. */
export function onRoadFirst(
  places: readonly KnownPlace[],
  name: string,
  beside: readonly Chain[],
): readonly KnownPlace[] {
  const [best] = places;
  if (!best || beside.length === 0 || isOnRoad(best, beside)) return places;
  const other = places.find(
    (place) =>
      [place.name, place.name.replace(AFTER_NAME, '')].some((own) => key(own) === key(best.name)) &&
      isMeant(place, name) &&
      isOnRoad(place, beside),
  );
  return other ? [other, ...places.filter((place) => place !== other)] : places;
}

/** A place further away than this gives way to a namesake beside the other end of the route. */
const LONG_KM = 100;

/** Orders places with the same name, if the best is far away: one beside the other end of the route comes first.
 *  "Newport to Cowes" begins on the Isle of Wight. */
export function besideFirst(
  places: readonly KnownPlace[],
  name: string,
  end: readonly KnownPlace[],
): readonly KnownPlace[] {
  const [[best], [other]] = [places, end];
  if (!best || !other || key(best.name) !== key(name) || equals(end).length > 1) return places;
  if (km(best.point, other.point) <= LONG_KM) return places;
  const near = equals(places).find(({ point }) => km(point, other.point) <= SAME_PLACE_KM);
  return near ? [near, ...places.filter((place) => place !== near)] : places;
}

/** A route has fewer places than this. */
const LOOKUPS_MAX = 100;
/** The most words in which two names without a separator are looked for: "Cardiff Gatwick". */
const SPLIT_WORDS_MAX = 5;

/** A word that belongs to the place before it: "Immingham docks". */
const KIND =
  /^(?:air(?:port|field)|city|cent(?:re|er)|town|bus|coach(?:way)?|docks?|port|harbour|ferry|cruise|terminal|station|stn|services?|depot|hospital|uni(?:versity)?|college|school|north|south|east|west|(?:industrial|trading) estate|(?:business|retail|country|theme|safari)? ?park|race ?course|castle|zoo|stadium|arena|hall|house|hotel|market|square|street|road|lane|hill|cross|edge|manor|towers?|world|village|moor|bridge|interchange|pier|sea ?front|beach|outlet|museum|show ?ground|p&r|t\d)\b/i;

const MISSPELT_TOWN = /^\p{L}{6,}$/u;

/** The halves of a name at each of its first gaps: the words before, the words after, and the length of the gap. */
function* halves(name: string) {
  const gaps = /[ -]+/g;
  for (let count = 0; count < SPLIT_WORDS_MAX; count++) {
    const gap = gaps.exec(name);
    if (!gap) return;
    yield [name.slice(0, gap.index), name.slice(gaps.lastIndex), gap[0].length] as const;
  }
}

/** The places of a route; each name is looked up once. If a name turns out to be two names, the route has two stops
 *  there. */
export async function placesOf(route: TypedRoute, findPlaces: FindPlaces, table: RoadTable) {
  const places = new Map<string, readonly KnownPlace[]>();
  let lookups = 0;
  const find = async (name: string) => {
    if (name.length > NAME_MAX) return [];
    let found = places.get(name);
    if (!found) {
      found = ++lookups > LOOKUPS_MAX ? [] : await findPlaces(spelled(name));
      places.set(name, found);
    }
    return found;
  };
  const isKnown = async (name: string) => {
    const [best] = await find(name);
    if (!best) return false;
    const meant = spelled(name);
    return isMeant(best, meant) && !isPart(best, meant);
  };
  /** Whether it is one of two names without a separator between them: whole words only, because a part of a name can
   *  be anything. */
  const isWhole = async (name: string) => {
    const [best] = await find(name);
    if (!best || KIND.test(name)) return false;
    // A short or long name is like too many others.
    if (best.isMisspelt) return MISSPELT_TOWN.test(name) && !/ station|Airport/.test(best.label);
    return (
      best.isMeant ||
      [best.name, best.label].some((known) => wordsOfName(known).startsWith(wordsOfName(name)))
    );
  };
  /** Each rest of a text is checked once, so that the steps grow with its words, not with their cube. */
  const checked = new Map<string, boolean>();
  /** One name, or several: "Harrogate York". The first half is cut off, and the rest is checked in the same way. */
  const areWhole = async (name: string): Promise<boolean> => {
    const known = checked.get(name);
    if (known !== undefined) return known;
    let are = await isWhole(name);
    for (const [first, second] of are ? [] : halves(name)) {
      are = (await isWhole(first)) && (await areWhole(second));
      if (are) break;
    }
    checked.set(name, are);
    return are;
  };
  /** "Sheffield Meadowhall", "Glasgow Buchanan": the town only says where the destination is. Two towns side by side,
   *  as in "Brighton Hove", are two stops. */
  const isWithin = async (name: string, town: string) => {
    const [[best], [around]] = [await find(name), await find(town)];
    return best && around && !best.label.includes(', ') && km(best.point, around.point) <= SAME_PLACE_KM;
  };
  // "A217 Reigate Hill" has "Reigate" beside it.
  const isOnItsRoad = ({ name, road }: { name: string; road: string | null }) =>
    road !== null && table.named(road).some((chain) => waypointNamed(chain, name) !== null);
  for (let index = 0; index < route.stops.length; index++) {
    const stop = route.stops[index]!;
    if (stop.kind !== 'place' || isOnItsRoad(stop) || (await isKnown(stop.name))) continue;
    for (const [first, second, gap] of halves(stop.name)) {
      if (!(await isWhole(first)) || !(await areWhole(second))) continue;
      if (await isWithin(second, first)) {
        route.stops[index] = { ...stop, name: second };
        break;
      }
      const { from, to } = stop.at;
      const middle = to - second.length;
      route.stops.splice(
        index,
        1,
        { ...stop, name: first, at: { from, to: middle - gap } },
        { ...stop, name: second, isOfRoad: false, at: { from: middle, to } },
      );
      // The roads of a route with fewer than two stops lie between the two new ones.
      if (route.stops.length > 2) route.roads.splice(index, 0, []);
      // Further stops are not read.
      route.stops.splice(STOPS_MAX);
      route.roads.splice(STOPS_MAX - 1);
      break;
    }
  }
  return places;
}
