import { expect, it } from 'vitest';
import type { Leg } from '#contract/watches/watches.ts';
import type { IncidentPlace } from '../../../../../server/geography/roads/incidentPlace.ts';
import { incidentIndex, watchIndex } from '../../../../../server/watches/matching/rules/matchIndex.ts';
import { match } from '../../../../../server/watches/matching/rules/matcher.ts';
import { labelOf, rulerAt, type LonLat } from '../../../../../server/geography/roads/roadTable.ts';
import type { WatchLine } from '../../../../../server/watches/matching/rules/watchLine.ts';
import { area, incident, line, point, polygon, route, square, TABLE } from './matchingWorld.ts';

let state = 11;
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 4_294_967_296;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const anywhere = (): LonLat => [-5 + 6 * random(), 50.5 + 5.5 * random()];
/** Up to some kilometres away. */
const beside = ([x, y]: LonLat, degrees = 0.05): LonLat => [
  x + (random() - 0.5) * degrees * 1.7,
  y + (random() - 0.5) * degrees,
];

/** A walk of short steps. */
function walk(from: LonLat, steps: number, degrees: number): LonLat[] {
  const points = [from];
  let turn = random() * 6.28;
  for (let step = 0; step < steps; step++) {
    turn += (random() - 0.5) * 0.8;
    const [x, y] = points.at(-1)!;
    points.push([x + Math.sin(turn) * degrees * 1.7, y + Math.cos(turn) * degrees]);
  }
  return points;
}

const CHAINS = TABLE.chains.filter(({ waypoints, id }) => waypoints.length > 12 && id.startsWith('M'));

function randomRoadLeg(): Leg {
  const { id, waypoints } = pick(CHAINS);
  const [one, two] = [Math.floor(random() * waypoints.length), Math.floor(random() * waypoints.length)];
  if (one === two) return randomRoadLeg();
  const [from, to] = [labelOf(waypoints[one]!), labelOf(waypoints[two]!)];
  return { type: 'road', road: id, from, to, sense: two > one ? 1 : -1 };
}

const WATCHES: WatchLine[] = Array.from({ length: 60 }, (_, at) => {
  if (at % 10 === 0) return area({ type: 'Polygon', coordinates: [square(anywhere(), 0.1 + random() / 3)] });
  if (at % 10 === 1) return area({ type: 'Point', coordinates: anywhere() }, 1000 + 40_000 * random());
  if (at % 3 === 0) return route({ type: 'exact', points: walk(anywhere(), 60, 0.02), roads: [] });
  if (at % 3 === 1) return route({ type: 'line', points: walk(anywhere(), 12, 0.1), road: 'A64' });
  return route(randomRoadLeg(), { type: 'link', points: [anywhere(), anywhere()] }, randomRoadLeg());
});

/** Half of the points lie near a route. */
function randomPoint(): LonLat {
  const { line: way } = pick(WATCHES);
  if (random() < 0.5 || way.xy.length === 0) return anywhere();
  const vertex = Math.floor((random() * way.xy.length) / 2);
  return beside([way.xy[vertex * 2]!, way.xy[vertex * 2 + 1]!]);
}

/** An airport beside the beginning of a route. */
function randomAirport(): IncidentPlace {
  const { line: way } = pick(WATCHES.filter(({ area }) => !area));
  const geometry = point(beside([way.xy[0]!, way.xy[1]!]));
  return incident('Delays', { source: 'airport-status', event_type: 'aviation.delay', geometry });
}

function randomIncident(): IncidentPlace {
  if (random() < 0.1) return randomAirport();
  const at = randomPoint();
  const { road, waypoints } = pick(CHAINS);
  const named = pick(['', '', `${road}: `, `${road} ${labelOf(pick(waypoints))}: `, 'A64 eastbound: ']);
  const geometry = pick([
    () => point(at),
    () => point(at),
    () => line(...walk(at, 20, 0.005)),
    () => polygon(square(at, 0.02 + random() / 5)),
    () => null,
  ])();
  const town = { location_method: 'place_name', location_names: ['Town'], location_reach_km: 8 * random() };
  const isTown = geometry === null && random() < 0.5;
  const [longitude, latitude] = at;
  return incident(`${named}Closed`, { geometry, longitude, latitude, metadata: isTown ? town : {} });
}

/** Whether each candidate is on a road. */
function candidates(search: (visit: (at: number, isOnRoad: boolean) => void) => void): Map<number, boolean> {
  const found = new Map<number, boolean>();
  search((at, isOnRoad) => {
    expect(found.has(at)).toBe(false);
    found.set(at, isOnRoad);
  });
  return found;
}

it('finds the same as a comparison of every route with each of 10,000 random points', () => {
  const watches = WATCHES.slice(0, 20);
  const index = watchIndex(watches);
  const different: string[] = [];
  let matched = 0;
  for (let tried = 0; tried < 10_000; tried++) {
    const at = randomPoint();
    const place = incident('Roadworks', { geometry: point(at) });
    const near = candidates((visit) => index.near(place, visit));
    for (const [number, watch] of watches.entries()) {
      const found = match(place, watch);
      if (found) matched++;
      if (found && !near.has(number)) different.push(`${at.join()} left out`);
      if (!watch.area && (found !== null) !== isWithinReach(at, watch))
        different.push(`${at.join()} measured`);
    }
  }
  expect(different).toEqual([]);
  expect(matched).toBeGreaterThan(1000);
});

/** Computed by cheap-ruler alone, segment by segment. */
function isWithinReach(at: LonLat, { line: { xy }, legs }: WatchLine): boolean {
  const ruler = rulerAt(at[1]);
  return legs.some(({ first, last, reachKm }) => {
    for (let vertex = first; vertex < last; vertex++) {
      const [from, to] = [vertex, vertex + 1].map((one): LonLat => [xy[one * 2]!, xy[one * 2 + 1]!]);
      if (ruler.pointToSegmentDistance(at, from!, to!) < reachKm) return true;
    }
    return false;
  });
}

it('finds the same from both sides, for incidents of every kind', () => {
  const incidents = Array.from({ length: 1500 }, randomIncident);
  const byWatch = watchIndex(WATCHES);
  const byIncident = incidentIndex(incidents);
  const nearWatches = WATCHES.map((watch) => candidates((visit) => byIncident.near(watch, visit)));
  const rules = new Set<string>();
  const different: string[] = [];
  for (const [at, place] of incidents.entries()) {
    const near = candidates((visit) => byWatch.near(place, visit));
    for (const [number, watch] of WATCHES.entries()) {
      const found = match(place, watch);
      if (!found) continue;
      rules.add(found.rule);
      if (!near.has(number)) different.push(`${found.rule} by incident`);
      if (!nearWatches[number]!.has(at)) different.push(`${found.rule} by route`);
      if (near.get(number) !== nearWatches[number]!.get(at)) different.push(`${found.rule} on the road`);
      expect(match(place, watch, near.get(number))).toEqual(found);
    }
  }
  expect(different).toEqual([]);
  expect([...rules].sort()).toEqual(
    expect.arrayContaining(['R1', 'R10', 'R11', 'R12', 'R2', 'R3', 'R5', 'R6', 'R7', 'R9']),
  );
});

it('finds nothing near a place without routes', () => {
  const place = incident('M62 J26', { geometry: point([-1.7, 53.7]) });

  expect(candidates((visit) => watchIndex([]).near(place, visit)).size).toBe(0);
  expect(candidates((visit) => incidentIndex([]).near(WATCHES[2]!, visit)).size).toBe(0);
});
