/** How the waypoints of a road, and the stretch between two, are written: for people, and as a route can be typed. */
import { labelOf, type Chain } from '../../geography/roads/roadTable.ts';
import type { Stage } from './roadGraph.ts';

/** "M1 J43", "A1 Grantham" */
export const nameIn = (chain: Chain, index: number): string => {
  const waypoint = chain.waypoints[index]!;
  return isJunction(labelOf(waypoint)) ? labelOf(waypoint) : `${chain.road} ${labelOf(waypoint)}`;
};

/** The end of a motorway is named after its junction on the other motorway: "M25 J5". */
const isJunction = (label: string) => /^[AM]\d\S*(?: Toll)? [JT]\d/.test(label);

/** "M62 J26 to J29"; "M621 from M1 J43 to J3". */
export function stretchWords(road: string, from: string | null, to: string | null): string {
  const start = from && `${isJunction(from) ? 'from ' : ''}${from}`;
  return [road, start, to && `${start ? 'to' : 'as far as'} ${to}`].filter(Boolean).join(' ');
}

/** "M4 J32", "M4 J4B": as it can be typed. */
export const typedWaypoint = (chain: Chain, index: number): string => {
  const waypoint = chain.waypoints[index]!;
  return waypoint.junction || isJunction(labelOf(waypoint))
    ? `${waypoint.junction ? `${chain.road} ` : ''}${labelOf(waypoint)}`
    : `${chain.road} ${labelOf(waypoint).replaceAll(/[,;]/g, ' ')}`;
};

/** Between two roads, the road's own junction is named as well: "M60 J15", "M61", "M6 J30". */
export function typedStage({ chain, from, to }: Stage): string[] {
  const [start, end] = [typedWaypoint(chain, from), typedWaypoint(chain, to)];
  if (from === to) return [start];
  const isNamed = [start, end].some((name) => name.startsWith(`${chain.road} `));
  return isNamed ? [start, end] : [start, chain.road, end];
}
