/** Incidents and routes for tests of matching, placed by junctions. */
import type { Facts } from '#contract/incidents/facts.ts';
import type { Leg } from '#contract/watches/watches.ts';
import { factsOf } from '../../../../support/readAs.ts';
import {
  incidentPlace,
  type IncidentPlace,
  type StoredIncident,
} from '../../../../../server/geography/roads/incidentPlace.ts';
import {
  junctionIndex,
  roadTable,
  type Chain,
  type LonLat,
} from '../../../../../server/geography/roads/roadTable.ts';
import {
  watchLine,
  type StoredWatch,
  type WatchLine,
} from '../../../../../server/watches/matching/rules/watchLine.ts';

export const TABLE = roadTable();

export const chainOf = (id: string): Chain => TABLE.chain(id)!;

/** The point at a position of a chain: 17.5 is half-way from the 18th waypoint to the 19th. */
export function pointAt(chain: Chain, at: number): LonLat {
  const count = chain.waypoints.length;
  const from = chain.waypoints[Math.floor(at) % count]!.point;
  const to = chain.waypoints[Math.ceil(at) % count]!.point;
  const t = at - Math.floor(at);
  return [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
}

/** The point "M62 J26", or a quarter of the way on to the next junction: "M62 J26+0.25". */
export function spot(words: string): LonLat {
  const [, road = '', junction = '', on = '0'] = /^(.+) (J[^+]+)(?:\+(.+))?$/.exec(words) ?? [];
  const chain = chainOf(road);
  return pointAt(chain, junctionIndex(chain, junction) + Number(on));
}

export const point = (at: LonLat) => JSON.stringify({ type: 'Point', coordinates: at });
export const line = (...points: LonLat[]) => JSON.stringify({ type: 'LineString', coordinates: points });
export const polygon = (...rings: LonLat[][]) => JSON.stringify({ type: 'Polygon', coordinates: rings });

/** A square around a point; its sides are twice this many degrees of latitude. */
export const square = ([x, y]: LonLat, degrees: number): LonLat[] => [
  [x - degrees * 1.7, y - degrees],
  [x + degrees * 1.7, y - degrees],
  [x + degrees * 1.7, y + degrees],
  [x - degrees * 1.7, y + degrees],
  [x - degrees * 1.7, y - degrees],
];

/** An incident with a title in a publisher's words; the product itself reads everything from the title. */
export function stored(
  title: string,
  {
    source = 'national-highways',
    summary_line = '',
    geometry = null,
    metadata = {},
    ...rest
  }: Partial<StoredIncident> = {},
): StoredIncident {
  const event_id = `${source}:1`;
  const times = { start_time: null, end_time: null, updated_at: null };
  const facts: Facts =
    rest.facts ?? factsOf({ event_id, event_type: 'road.incident', title, summary_line, metadata, ...times });
  return {
    event_id,
    source,
    title,
    summary_line,
    latitude: null,
    longitude: null,
    ...rest,
    metadata,
    geometry,
    facts,
  };
}

export const incident = (title: string, rest: Partial<StoredIncident> = {}): IncidentPlace =>
  incidentPlace(stored(title, rest), TABLE);

/** "M62 J18 to J27": the shorter way round a ring. */
export function roadLeg(words: string): Leg {
  const [, road = '', from = '', to = ''] = /^(.+) (J\S+) to (J\S+)$/.exec(words) ?? [];
  const chain = chainOf(road);
  const [first, last] = [junctionIndex(chain, from), junctionIndex(chain, to)];
  const count = chain.waypoints.length;
  const rises = chain.isOrbital ? (last - first + count) % count <= count / 2 : last > first;
  return { type: 'road', road, from, to, sense: rises ? 1 : -1 };
}

export const storedRoute = (...legs: (Leg | string)[]): StoredWatch => ({
  id: 'route',
  kind: 'route',
  legs: legs.map((leg) => (typeof leg === 'string' ? roadLeg(leg) : leg)),
  geometry: null,
  reach_m: null,
});

export const route = (...legs: (Leg | string)[]): WatchLine => watchLine(storedRoute(...legs), TABLE);

export const area = (geometry: StoredWatch['geometry'], reach_m: number | null = null): WatchLine =>
  watchLine({ id: 'area', kind: 'area', legs: [], geometry, reach_m }, TABLE);

/** A leg that is a whole piece of a chain, as an imported line with its road found. */
export function exactLeg(words: string, roads = true): Leg {
  const leg = roadLeg(words) as Extract<Leg, { type: 'road' }>;
  const chain = chainOf(leg.road);
  const [from, to] = [junctionIndex(chain, leg.from), junctionIndex(chain, leg.to)];
  const points: LonLat[] = [];
  for (let step = 0; step <= 4 * Math.abs(to - from); step++) {
    points.push(pointAt(chain, from + (leg.sense * step) / 4));
  }
  const { km } = watchLine(storedRoute({ type: 'link', points }), TABLE);
  const found = {
    road: leg.road,
    lo: Math.min(from, to),
    hi: Math.max(from, to),
    sense: leg.sense,
    from_km: 0,
    to_km: km.at(-1)!,
  };
  return { type: 'exact', points, roads: roads ? [found] : [] };
}
