/** The place of a team's own report. It is read like a publisher's place, so that the report is matched by the same
 *  rules. */
import { setImmediate } from 'node:timers/promises';
import type { Disruption, Geometry } from '#contract/incidents/disruptions.ts';
import { kilometres } from '#contract/places/distance.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import type { ReportRequest } from '#contract/shift/responses.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { Leg, Position } from '#contract/watches/watches.ts';
import { plainWords } from '../http/documents/plainText.ts';
import { DIRECTION_WORDS } from '../geography/roads/incidentPlace.ts';
import { badInput } from '../refusals.ts';
import { atJunctions } from '../geography/names/junctionPlaces.ts';
import { findRoutePlaces } from '../geography/names/routePlaces.ts';
import { readRoadWords } from '../geography/roads/roadWords.ts';
import { along, junctionName, labelOf, roadTable, waypointIndex } from '../geography/roads/roadTable.ts';
import { stripOf } from '../geography/roads/routeWay.ts';

interface ReportPlace {
  latitude: number | null;
  longitude: number | null;
  geometry: Geometry | null;
  metadata: Disruption['metadata'];
  facts: Facts;
}

const NO_FACTS: Facts = {
  place: null,
  effect: null,
  cause: null,
  advice: [],
  expected_clear: null,
  expected_clear_from: null,
  lanes: null,
  delay_minutes: null,
  roads: [],
  aside: [],
  stretch: [],
  direction: null,
  slip: null,
  closed: 'unknown',
};

const ACTIVE = { phase: 'active' as const };

type Asked = Pick<
  ReportRequest,
  'road' | 'from' | 'to' | 'direction' | 'place' | 'from_km' | 'to_km' | 'title'
>;

interface Along {
  id: string;
  name: string;
  geometry: Geometry;
  legs: readonly Leg[];
  length_km: number;
}

/** The legs of a team's routes, one route after the other. */
type RouteLegs = AsyncIterable<{ id: string; legs: readonly Leg[] }>;

/** `route`: the route whose kilometres are given. `routes`: the team's routes, read only if the place may be on one
 *  of them. If the place is unknown, refuses in words. */
export async function reportPlace(
  asked: Asked,
  { route, routes }: { route: Along | null; routes: () => RouteLegs },
): Promise<ReportPlace> {
  if (asked.road !== undefined) return onRoad(asked.road, asked);
  if (asked.place !== undefined) return atPlace(asked.place.trim(), routes);
  return alongRoute(route!, asked.from_km!, asked.to_km ?? asked.from_km!); // the schema asks for one of the three
}

/** "J26"; on a road without junctions a place with its name in our table: "Tadcaster". */
function endOn(road: string, typed: string): string {
  const chains = roadTable().named(road);
  if (chains.length === 0) return junctionName(typed);
  for (const chain of chains) {
    const at = chain.waypoints[waypointIndex(chain, typed)];
    if (at) return at.junction === null ? labelOf(at) : junctionName(typed);
  }
  throw badInput(
    /^[jt]?\s?\d/i.test(typed.trim())
      ? `The ${road} has no junction ${junctionName(typed)}.`
      : `The ${road} has no ${typed.trim()} in our table.`,
  );
}

type OnRoad = Pick<Asked, 'from' | 'to' | 'direction'>;

function onRoad(name: string, { from, to, direction }: OnRoad): ReportPlace {
  const road = normalRoad(name);
  const ends = [from ?? to, to ?? from].flatMap((end) => (end === undefined ? [] : endOn(road, end)));
  const [first, last] = ends;
  const stretch = first === undefined || last === undefined ? [] : [{ road, from: first, to: last }];
  const between = first === last ? first : `${first} to ${last}`;
  const place = [road, between, direction && DIRECTION_WORDS[direction]].filter(Boolean).join(' ');
  const at = atJunctions(stretch, null, { isLoose: true });
  return {
    latitude: at?.latitude ?? null,
    longitude: at?.longitude ?? null,
    geometry: null,
    metadata: {
      ...ACTIVE,
      roads: [road],
      ...(at && { location_method: 'junction', location_names: at.names, location_reach_km: at.reachKm }),
    },
    facts: { ...NO_FACTS, place, roads: [road], stretch, direction: direction ?? null },
  };
}

/** Kilometres of a route that is not known here; a town in the route's name is somewhere else. */
const KILOMETRE = /\bkm ?\d|\bkilomet(?:re|er)s? \d/i;
const NO_KILOMETRES =
  'A kilometre counts along a route: report it from the page of that route, or say a road or a place.';

/** "A64 at Tadcaster bar", "M62 J26 to J27", "Chain Bar", "Leeds". */
async function atPlace(typed: string, routes: () => RouteLegs): Promise<ReportPlace> {
  if (KILOMETRE.test(typed)) throw badInput(NO_KILOMETRES);
  const [first] = readRoadWords(typed);
  const road = first?.road;
  const direction = !first || first.direction === 'both' ? null : first.direction;
  // Junctions in a controller's text are checked one by one; a stretch between places is found below.
  const said = first?.stretch.find(({ from, to }) => [from, to].every((end) => /^[JT]\d/.test(end)));
  const found =
    (said ? onRoad(first!.road, { ...said, direction: direction ?? undefined }) : null) ??
    (await onStrip(typed, road, routes())) ??
    (road ? onChain(typed, road) : null) ??
    (await inTown(typed, road));
  return { ...found, facts: { ...found.facts, place: typed, direction: direction ?? found.facts.direction } };
}

interface Named {
  /** The words as they were typed. */
  words: string;
  point: Position;
  road: string | null;
}

/** A place on a route of the team, with the kilometre. */
interface OnRoute extends Named {
  watch_id: string;
  km: number;
}

const STREET = 'road|rd|street|st|lane|ln|avenue|ave|drive|way|terrace|crescent|row|close|square|castle';
/** A town after which a street is named: "Harrogate Road" is in Leeds. */
const BEFORE_STREET = new RegExp(`^(?:${STREET}) `);
const IN_STREET = new RegExp(`\\w (?:${STREET}) `);

/** The place with the longest name in the typed words. A street named after a town is on no road, unless a road is
 *  named. */
function longest<T extends Named>(
  found: readonly T[],
  typed: string,
  road: string | undefined,
): T | undefined {
  const said = plainWords(typed);
  return found
    .filter(({ words }) => {
      if (words.trim() === '' || !said.includes(words)) return false;
      const [before = '', after = ''] = said.split(words, 2);
      return !BEFORE_STREET.test(after) && (road !== undefined || !IN_STREET.test(`${before} ${after}`));
    })
    .toSorted((one, other) => other.words.length - one.words.length)[0];
}

/** A junction or place of a route's strip; with `road`, only if the route follows that road. */
async function onStrip(
  typed: string,
  road: string | undefined,
  routes: RouteLegs,
): Promise<ReportPlace | null> {
  const found: OnRoute[] = [];
  for await (const { id, legs } of routes) {
    // A team has up to 200 routes, each of which takes some milliseconds.
    await setImmediate();
    const { places, course } = stripOf(legs);
    for (const { km, name, junctions, longitude, latitude } of places) {
      const parts = course.filter(({ from_km, to_km }) => from_km <= km && km <= to_km);
      const part =
        parts.find((one) => (road ? one.road === road : one.road !== null)) ?? (road ? null : parts[0]);
      if (!part) continue;
      const names = [name, ...junctions.map((one) => `${one.road} ${one.junction}`)];
      for (const one of names)
        if (one)
          found.push({
            words: plainWords(one),
            point: [longitude, latitude],
            road: part.road,
            watch_id: id,
            km,
          });
    }
  }
  const best = longest(found, typed, road);
  if (!best) return null;
  const place = atPoint(best);
  // With a road, the carriageway is read from the words in the same way as for a publisher.
  if (road) return place;
  const told_of = found
    .filter(({ words }) => words === best.words)
    .map(({ watch_id, km }) => ({ watch_id, from_km: km, to_km: km }));
  return { ...place, metadata: { ...place.metadata, told_of } };
}

/** A town, bridge or junction of this road in our table. */
function onChain(typed: string, road: string): ReportPlace | null {
  const found = roadTable()
    .named(road)
    .flatMap(({ waypoints }) =>
      waypoints.flatMap(({ name, point }) => (name ? { words: plainWords(name), point, road } : [])),
    );
  const best = longest(found, typed, road);
  return best ? atPoint(best) : null;
}

const atPoint = ({ point: [longitude, latitude], road }: Named): ReportPlace => ({
  longitude,
  latitude,
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  metadata: { ...ACTIVE, location_method: 'publisher', ...(road && { roads: [road] }) },
  facts: { ...NO_FACTS, ...(road && { roads: [road] }) },
});

/** Everything that people mean by a town's name is as near as this. */
const TOWN_REACH_KM = 3;

/** The words before a place's name. */
const BEFORE = /^\W*(?:(?:at|near|by|in|on|outside|past|before|after|junction with)\b\W*)*/i;

async function inTown(typed: string, road: string | undefined): Promise<ReportPlace> {
  const name = (road ? typed.replace(ROAD_NUMBER, ' ') : typed).trim().replace(BEFORE, '');
  const [best] = name === '' ? [] : await findRoutePlaces(name);
  // A road without a place is enough: the report may concern every route on it.
  if (road && (!best || isOff(road, best.point))) return onRoad(road, {});
  if (!best) throw badInput(`No place is known as “${typed}”.`);
  const [longitude, latitude] = best.point;
  return {
    latitude,
    longitude,
    geometry: null,
    metadata: {
      ...ACTIVE,
      location_method: 'place_name',
      location_names: [best.name],
      location_reach_km: TOWN_REACH_KM,
      ...(road && { roads: [road] }),
    },
    facts: { ...NO_FACTS, ...(road && { roads: [road] }) },
  };
}

/** If a place is further from the road than this, another place of that name is meant. */
const NEAR_ROAD_KM = 10;

const isOff = (road: string, point: Position): boolean => {
  const off = roadTable()
    .named(road)
    .flatMap((chain) => along(chain, [point[0], point[1]])?.off ?? []);
  return off.length > 0 && Math.min(...off) > NEAR_ROAD_KM;
};

const ROAD_NUMBER = /\b(?:M6 ?Toll|[AMB]\d{1,4}(?: ?\(M\)|M)?)(?!\w)/gi;

function alongRoute(
  { id, name, geometry: line, legs, length_km }: Along,
  from: number,
  to: number,
): ReportPlace {
  if (line.type !== 'LineString') throw badInput('An area has no kilometres. Say a road or a place.');
  const [lo, hi] = [Math.min(from, to), Math.max(from, to)];
  if (hi > length_km) throw badInput(`The route is only ${length_km.toFixed(1)} km long.`);
  const points = between(line.coordinates as Position[], lo, hi); // a line of the server's own making
  const middle = points[Math.floor(points.length / 2)]!; // there is at least one
  const isPoint = points.length === 1;
  const { course, places } = stripOf(legs);
  const part = course.find(({ from_km, to_km }) => from_km <= lo && lo <= to_km);
  const ends = [places.findLast(({ km }) => km <= lo), places.find(({ km }) => km >= hi)].flatMap((end) =>
    end ? (end.junctions.find(({ road }) => road === part?.road)?.junction ?? end.name ?? []) : [],
  );
  const km = lo === hi ? `km ${lo}` : `km ${lo} to ${hi}`;
  const where = [part?.road, [...new Set(ends)].join(' to ')].filter(Boolean).join(' ');
  return {
    longitude: middle[0],
    latitude: middle[1],
    geometry: isPoint
      ? { type: 'Point', coordinates: points[0]! }
      : { type: 'LineString', coordinates: points },
    metadata: {
      ...ACTIVE,
      location_method: 'publisher',
      told_of: [{ watch_id: id, from_km: lo, to_km: hi }],
      ...(part?.road && { roads: [part.road] }),
    },
    facts: {
      ...NO_FACTS,
      place: [where, `${km} of ${name}`].filter(Boolean).join(', '),
      ...(part?.road && { roads: [part.road], direction: part.direction }),
    },
  };
}

/** The piece of the line between two distances from its start. A distance beyond its end means the last point. */
function between(line: readonly Position[], lo: number, hi: number): Position[] {
  const found: Position[] = [];
  let km = 0;
  for (let index = 0; index + 1 < line.length; index++) {
    const [a, b] = [line[index]!, line[index + 1]!];
    const length = kilometres(a[1], a[0], b[1], b[0]);
    const at = (wanted: number): Position => {
      const share = length > 0 ? (wanted - km) / length : 0;
      return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
    };
    if (lo >= km && lo <= km + length && found.length === 0) found.push(at(lo));
    if (found.length > 0 && km + length > lo && km + length < hi) found.push(b);
    if (hi > lo && hi >= km && hi <= km + length) return [...found, at(hi)];
    km += length;
  }
  return found.length > 0 ? found : [line.at(-1)!];
}
