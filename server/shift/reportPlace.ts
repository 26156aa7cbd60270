/** Where a team's own report is: read as a publisher's would be, so that it is matched by the same rules. */
import type { Disruption, Geometry } from '#contract/disruptions.ts';
import { kilometres } from '#contract/distance.ts';
import type { Facts } from '#contract/facts.ts';
import type { ReportRequest } from '#contract/responses.ts';
import { normalRoad } from '#contract/roadName.ts';
import type { Leg, Position } from '#contract/watches.ts';
import { badInput } from '../refusals.ts';
import { findRoutePlaces } from '../places/routePlaces.ts';
import { junctionIndex, junctionName, roadTable } from '../roads/roadTable.ts';
import { wayOf } from '../roads/way.ts';

export interface ReportPlace {
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
  stretch: [],
  direction: null,
};

const NOWHERE = { latitude: null, longitude: null, geometry: null };
const ACTIVE = { phase: 'active' as const };

type Asked = Pick<
  ReportRequest,
  'road' | 'from' | 'to' | 'direction' | 'place' | 'from_km' | 'to_km' | 'title'
>;

interface Along {
  geometry: Geometry;
  legs: readonly Leg[];
  length_km: number;
}

/** `route`: the one whose kilometres are given. Refuses, in words, what is nowhere. */
export async function reportPlace(asked: Asked, route: Along | null): Promise<ReportPlace> {
  if (asked.road !== undefined) return onRoad(asked.road, asked);
  if (asked.place !== undefined) return atPlace(asked.place);
  return alongRoute(route!, asked.from_km!, asked.to_km ?? asked.from_km!); // the schema asks for one of the three
}

function onRoad(name: string, { from, to, direction }: Asked): ReportPlace {
  const road = normalRoad(name);
  const chains = roadTable().named(road);
  const ends = [from ?? to, to ?? from].flatMap((end) => (end === undefined ? [] : junctionName(end)));
  for (const end of ends) {
    if (chains.length > 0 && chains.every((chain) => junctionIndex(chain, end) < 0))
      throw badInput(`The ${road} has no junction ${end}.`);
  }
  const [first, last] = ends;
  const stretch = first === undefined || last === undefined ? [] : [{ road, from: first, to: last }];
  return {
    ...NOWHERE,
    metadata: { ...ACTIVE, roads: [road] },
    facts: { ...NO_FACTS, roads: [road], stretch, direction: direction ?? null },
  };
}

/** All that a person means by the name of a town lies so near. */
const TOWN_REACH_KM = 3;

async function atPlace(name: string): Promise<ReportPlace> {
  const [best] = await findRoutePlaces(name);
  if (!best) throw badInput(`No place is known as “${name.trim()}”.`);
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
    },
    facts: NO_FACTS,
  };
}

function alongRoute({ geometry: line, legs, length_km }: Along, from: number, to: number): ReportPlace {
  if (line.type !== 'LineString') throw badInput('An area has no kilometres. Say a road or a place.');
  const [lo, hi] = [Math.min(from, to), Math.max(from, to)];
  if (hi > length_km) throw badInput(`The route is only ${length_km.toFixed(1)} km long.`);
  const points = between(line.coordinates as Position[], lo, hi); // a line of the server's own making
  const middle = points[Math.floor(points.length / 2)]!; // there is at least one
  const isPoint = points.length === 1;
  const part = wayOf(legs).course.find(({ from_km, to_km }) => from_km <= lo && lo <= to_km);
  return {
    longitude: middle[0],
    latitude: middle[1],
    geometry: isPoint
      ? { type: 'Point', coordinates: points[0]! }
      : { type: 'LineString', coordinates: points },
    metadata: { ...ACTIVE, location_method: 'publisher', ...(part?.road && { roads: [part.road] }) },
    facts: { ...NO_FACTS, ...(part?.road && { roads: [part.road], direction: part.direction }) },
  };
}

/** The piece of the line between two distances from its start; beyond its end, its last point. */
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
