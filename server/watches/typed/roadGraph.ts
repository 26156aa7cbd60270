/** The quickest way along known roads between two places, as a proposal: motorways count as faster than A roads. */
import createGraph, { type Graph, type NodeId } from 'ngraph.graph';
import { aStar } from 'ngraph.path';
import {
  labelOf,
  periodOf,
  rulerAt,
  type Chain,
  type LonLat,
  type RoadTable,
} from '../../geography/roads/roadTable.ts';

/** A stretch of one road, from waypoint to waypoint. */
export interface Stage {
  chain: Chain;
  from: number;
  to: number;
}

interface Place {
  point: LonLat;
  /** Null: it is an end of the way. */
  at: { chain: Chain; index: number } | null;
}

const KMH = { motorway: 100, other: 50, streets: 35 };
/** Streets are longer than the straight line, by this factor. */
const DETOUR = 1.3;
/** The furthest distance from one road to another. */
const CHANGE_KM = 2.5;
const CHANGE_HOURS = 0.04;
/** The furthest distance from a place to the roads around it. */
const ACCESS_KM = 40;
const ACCESSES = 12;

const isMotorway = ({ road }: Chain) => /^M|\(M\)$/.test(road);

interface Known {
  graph: Graph<Place, number>;
  places: readonly { id: string; chain: Chain; index: number; point: LonLat }[];
}

const graphs = new WeakMap<RoadTable, Known>();

/** Stages in order; null: no way is known. */
export function proposedWay(from: LonLat, to: LonLat, table: RoadTable): Stage[] | null {
  let known = graphs.get(table);
  if (!known) graphs.set(table, (known = graphOf(table)));
  const { graph } = known;
  const ends = { from, to };
  for (const [end, point] of Object.entries(ends)) {
    graph.addNode(end, { point, at: null });
    for (const { id, km } of around(known, point)) graph.addLink(end, id, (km * DETOUR) / KMH.streets);
  }
  try {
    const path = aStar(graph, {
      distance: (_from, _to, link) => link.data,
      // From no point can the way be quicker than this.
      heuristic: (one, other) =>
        rulerAt(other.data.point[1]).distance(one.data.point, other.data.point) / KMH.motorway / 1.02,
    }).find('from', 'to');
    const passed = path.flatMap(({ data }) => (data.at ? [data.at] : []));
    // The path may begin with its end.
    if (path[0]?.id === 'to') passed.reverse();
    const stages = stagesOf(passed);
    return stages.length > 0 ? stages : null;
  } finally {
    graph.removeNode('from');
    graph.removeNode('to');
  }
}

function graphOf(table: RoadTable): Known {
  const graph = createGraph<Place, number>();
  const places = table.chains.flatMap((chain) =>
    chain.waypoints.map(({ point }, index) => ({ chain, index, point, id: idOf(chain, index) })),
  );
  for (const { chain, index, point, id } of places) graph.addNode(id, { point, at: { chain, index } });
  for (const chain of table.chains) {
    const kmh = isMotorway(chain) ? KMH.motorway : KMH.other;
    for (const [index, { point }] of chain.waypoints.entries()) {
      const next = chain.waypoints[index + 1] ?? (periodOf(chain) ? chain.waypoints[0] : undefined);
      if (!next || chain.breaks.has(index)) continue;
      const km = rulerAt(point[1]).distance(point, next.point);
      graph.addLink(idOf(chain, index), idOf(chain, (index + 1) % chain.waypoints.length), km / kmh);
    }
  }
  const byLatitude = places.toSorted((one, other) => one.point[1] - other.point[1]);
  for (const [index, place] of byLatitude.entries()) {
    const ruler = rulerAt(place.point[1]);
    for (let next = index + 1; next < byLatitude.length; next++) {
      const other = byLatitude[next]!;
      if ((other.point[1] - place.point[1]) * 111 > CHANGE_KM) break;
      if (other.chain === place.chain) continue;
      const km = ruler.distance(place.point, other.point);
      if (km <= CHANGE_KM) graph.addLink(place.id, other.id, CHANGE_HOURS + km / KMH.streets);
    }
  }
  return { graph, places };
}

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
  return stages.filter(({ from, to }) => from !== to);
}

/** "M4 J32", "M4 J4B": as it can be typed. */
export const typed = (chain: Chain, index: number): string => {
  const waypoint = chain.waypoints[index]!;
  return waypoint.junction || /^[AM]\d\S*(?: Toll)? [JT]\d/.test(labelOf(waypoint))
    ? `${waypoint.junction ? `${chain.road} ` : ''}${labelOf(waypoint)}`
    : `${chain.road} ${labelOf(waypoint).replaceAll(/[,;]/g, ' ')}`;
};

/** Between two roads, the road's own junction is named as well: "M60 J15", "M61", "M6 J30". */
export function typedStage({ chain, from, to }: Stage): string[] {
  const [start, end] = [typed(chain, from), typed(chain, to)];
  const isNamed = [start, end].some((name) => name.startsWith(`${chain.road} `));
  return isNamed ? [start, end] : [start, chain.road, end];
}
