/** The quickest way along known roads between two places, as a proposal: motorways count as faster than A roads. */
import createGraph, { type Graph, type NodeId } from 'ngraph.graph';
import { aStar } from 'ngraph.path';
import numbered from '../../geography/roads/numbered.json' with { type: 'json' };
import { coveredPartOf } from '../../geography/roads/coveredRoads.ts';
import {
  periodOf,
  rulerAt,
  type Chain,
  type LonLat,
  type RoadTable,
  type Sense,
} from '../../geography/roads/roadTable.ts';

/** A stretch of one road, from waypoint to waypoint. Both are the same where one road only joins two others. */
export interface Stage {
  chain: Chain;
  from: number;
  to: number;
}

/** An end of a way: a point, which may be a waypoint of a road that the route uses. The way then leaves or joins that
 *  road at the best of its waypoints; at a named road it is another one than `at`, so that the road is used.
 *  `sense`: only at waypoints on this side of `at`. */
export interface WayEnd {
  point: LonLat;
  road: { chain: Chain; at: number; isNamed: boolean; sense: Sense | null } | null;
}

/** `exit` and `entry`: where the roads of the two ends are left and joined. */
export interface ProposedWay {
  stages: Stage[];
  exit: number | null;
  entry: number | null;
}

interface Place {
  point: LonLat;
  /** Null: it is an end of the way. */
  at: { chain: Chain; index: number } | null;
}

const KMH = { motorway: 100, numbered: 90, trunk: 70, other: 50, streets: 35 };
/** Streets are longer than the straight line, by this factor. */
const DETOUR = 1.3;
/** Two consecutive roads that are further apart than this do not meet. */
export const APART_KM = 4;
/** The furthest distance from one road to another. */
const CHANGE_KM = 2.5;
const CHANGE_HOURS = 0.04;
/** Hours on a road that the user has named count this much, because it should not be left early. */
const NAMED = 0.7;
/** The furthest distance from a place to the roads around it. */
const ACCESS_KM = 40;
const ACCESSES = 12;

/** An A road whose junctions have numbers is built like a motorway. */
const isNumbered = (road: string) => road !== 'about' && Object.hasOwn(numbered, road);

export const isMotorway = ({ road }: Chain) => /^M|\(M\)$/.test(road);

interface Known {
  graph: Graph<Place, number>;
  places: readonly { id: string; chain: Chain; index: number; point: LonLat }[];
}

const graphs = new WeakMap<RoadTable, Known>();

/** Stages in order; null: no way is known. */
export function proposedWay(from: WayEnd, to: WayEnd, table: RoadTable): ProposedWay | null {
  let known = graphs.get(table);
  if (!known) graphs.set(table, (known = graphOf(table)));
  const { graph } = known;
  for (const [end, { point, road }] of Object.entries({ from, to })) {
    graph.addNode(end, { point, at: null });
    const links = road
      ? alongRoad(road)
      : around(known, point).map(({ id, km }) => ({ id, hours: (km * DETOUR) / KMH.streets }));
    for (const { id, hours } of links) graph.addLink(end, id, hours);
  }
  try {
    const least = to.road ? NAMED : 1;
    const unused = [from.road, to.road].flatMap((road) => (road?.isNamed ? [idOf(road.chain, road.at)] : []));
    const path = aStar(graph, {
      distance: (_from, _to, link) => link.data,
      blocked: (one, other) => unused.includes(String(one.id)) || unused.includes(String(other.id)),
      // From no point can the way be quicker than this.
      heuristic: (one, other) =>
        (rulerAt(other.data.point[1]).distance(one.data.point, other.data.point) * least) /
        KMH.motorway /
        1.02,
    }).find('from', 'to');
    const passed = path.flatMap(({ data }) => (data.at ? [data.at] : []));
    // The path may begin with its end.
    if (path[0]?.id === 'to') passed.reverse();
    const stages = stagesOf(passed);
    const exit = from.road && stages[0]?.chain === from.road.chain ? stages.shift()!.to : null;
    const entry = to.road && stages.at(-1)?.chain === to.road.chain ? stages.pop()!.from : null;
    const joined = stages.filter((stage, index) => stage.from !== stage.to || isJoint(stages, index));
    const isWay = joined.some((stage) => stage.from !== stage.to);
    return isWay && !(from.road && exit === null) && !(to.road && entry === null)
      ? { stages: joined, exit, entry }
      : null;
  } finally {
    graph.removeNode('from');
    graph.removeNode('to');
  }
}

/** Whether the roads before and after it are too far apart to change from one to the other. */
function isJoint(stages: readonly Stage[], index: number): boolean {
  const [before, after] = [stages[index - 1], stages[index + 1]];
  if (!before || !after) return false;
  const [one, other] = [before.chain.waypoints[before.to]!.point, after.chain.waypoints[after.from]!.point];
  return rulerAt(one[1]).distance(one, other) > APART_KM;
}

/** The waypoints of a road with the hours from one of them. */
function alongRoad({ chain, at, isNamed, sense }: NonNullable<WayEnd['road']>) {
  const { waypoints } = chain;
  const hours = waypoints.map(() => Infinity);
  hours[at] = 0;
  for (const step of sense ? [sense] : [1, -1]) {
    let total = 0;
    const most = periodOf(chain) ? waypoints.length - 1 : step === 1 ? waypoints.length - 1 - at : at;
    for (let count = 1; count <= most; count++) {
      const before = (at + step * (count - 1) + waypoints.length) % waypoints.length;
      const index = (before + step + waypoints.length) % waypoints.length;
      total += hoursBetween(chain, step === 1 ? before : index);
      hours[index] = Math.min(hours[index]!, total);
    }
  }
  return hours.flatMap((value, index) =>
    (isNamed && index === at) || value === Infinity ? [] : [{ id: idOf(chain, index), hours: value * NAMED }],
  );
}

/** The hours from this waypoint to the next; a break counts as its straight line. */
function hoursBetween(chain: Chain, index: number): number {
  const [{ point }, next] = [chain.waypoints[index]!, chain.waypoints[(index + 1) % chain.waypoints.length]!];
  const km = rulerAt(point[1]).distance(point, next.point);
  const covered = coveredPartOf(chain);
  const isTrunk = typeof covered === 'string' ? covered === 'all' : covered.has(index);
  const { road } = chain;
  if (isMotorway(chain)) return km / KMH.motorway;
  return km / (isNumbered(road) ? KMH.numbered : isTrunk ? KMH.trunk : KMH.other);
}

function graphOf(table: RoadTable): Known {
  const graph = createGraph<Place, number>();
  const places = table.chains.flatMap((chain) =>
    chain.waypoints.map(({ point }, index) => ({ chain, index, point, id: idOf(chain, index) })),
  );
  for (const { chain, index, point, id } of places) graph.addNode(id, { point, at: { chain, index } });
  for (const chain of table.chains) {
    for (const index of chain.waypoints.keys()) {
      const isLast = index === chain.waypoints.length - 1 && !periodOf(chain);
      if (isLast || chain.breaks.has(index)) continue;
      const next = (index + 1) % chain.waypoints.length;
      graph.addLink(idOf(chain, index), idOf(chain, next), hoursBetween(chain, index));
    }
  }
  const byLatitude = places.toSorted((one, other) => one.point[1] - other.point[1]);
  for (const [index, place] of byLatitude.entries()) {
    const ruler = rulerAt(place.point[1]);
    for (let next = index + 1; next < byLatitude.length; next++) {
      const other = byLatitude[next]!;
      if ((other.point[1] - place.point[1]) * 111 > APART_KM) break;
      if (other.chain === place.chain) continue;
      const km = ruler.distance(place.point, other.point);
      // "Bingham" on the A46 and on the A52 is one junction.
      const isSame = nameOf(place) !== null && nameOf(place) === nameOf(other);
      if (km <= (isSame ? APART_KM : CHANGE_KM))
        graph.addLink(place.id, other.id, CHANGE_HOURS + km / KMH.streets);
    }
  }
  return { graph, places };
}

const nameOf = ({ chain, index }: Known['places'][number]) => chain.waypoints[index]!.name;

const idOf = ({ id }: Chain, index: number): NodeId & string => `${id} ${index}`;

/** The nearest waypoints. */
function around({ places }: Known, point: LonLat) {
  const ruler = rulerAt(point[1]);
  return places
    .filter((place) => Math.abs(place.point[1] - point[1]) * 111 < ACCESS_KM)
    .map((place) => ({ id: place.id, km: ruler.distance(point, place.point) }))
    .filter(({ km }) => km < ACCESS_KM)
    .toSorted((one, other) => one.km - other.km)
    .slice(0, ACCESSES);
}

function stagesOf(passed: readonly { chain: Chain; index: number }[]): Stage[] {
  const stages: Stage[] = [];
  for (const { chain, index } of passed) {
    const last = stages.at(-1);
    if (last?.chain === chain) last.to = index;
    else stages.push({ chain, from: index, to: index });
  }
  return stages;
}
