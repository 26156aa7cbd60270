/** How far from a route an incident's position still touches it. */
import type { Leg } from '#contract/watches/watches.ts';
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';

/** A surveyed line is exactly on the road; a straight line or a hand-drawn line is beside it. */
const EXACT_REACH_KM = 1;
export const CHORD_REACH_KM = 2.5;

/** A drawn leg of a named road is as far as this from the road itself. */
export const DRAWN_KM = 2.5;

/** An incident on a road of another name counts only where that road meets the route. */
const CROSSING_KM = 0.6;

/** A flood or a diverted bus further away is on other roads. A position that a road publisher gives can be on the
 *  road itself, although our chain is further away from it. */
export const BESIDE_KM = 1.2;

/** The reach of a leg whose author gave none. */
export const reachOfLeg = ({ type }: Pick<Leg, 'type'>): number =>
  type === 'exact' ? EXACT_REACH_KM : CHORD_REACH_KM;

/** How far from the route a position counts, whatever its leg allows. */
export function reachAside({ mode, roads }: IncidentPlace): number {
  if (mode === 'other') return BESIDE_KM;
  return roads.length > 0 ? CROSSING_KM : mode === 'road' ? Infinity : BESIDE_KM;
}

/** The furthest distance between a route and a position that still matches it. */
export const furthestReach = ({ road, reachKm }: { road: string | null; reachKm: number }): number =>
  road === null ? reachKm : Math.max(reachKm, DRAWN_KM, CHORD_REACH_KM);
