/** The place of an incident on a road's table, and the part of it on the route; in intervals between junctions. */
import {
  DIRECTION_WORDS,
  type IncidentPlace,
  type NamedRoad,
} from '../../../geography/roads/incidentPlace.ts';
import type { Found } from './found.ts';
import { onOtherCarriageway, type Way } from './matchByDirection.ts';
import { labelOf, periodOf, type Chain } from '../../../geography/roads/roadTable.ts';
import { kmAt, type Piece } from './watchLine.ts';

/** A slip road belongs to the junction that is nearer than this. */
const SAME_JUNCTION = 0.5;

/** The intervals by which a leg reaches beyond its junctions at each end: for slip roads, and for the error of the
 *  table. */
export const LEG_WIDENING = 0.12;

interface Interval {
  lo: number;
  hi: number;
}

/** The incident's road that is this chain. This is a loop and not a map, because it is called for every piece of
 *  every route that may be touched. */
export function namedOn({ roads }: IncidentPlace, chain: Chain): NamedRoad | null {
  for (const named of roads) if (named.chain === chain) return named;
  return null;
}

/** The length of the span in the piece, in intervals; below 0: its distance from the piece. On a ring at the best
 *  place. */
export const overlapOf = (span: Interval, { lo, hi, chain }: Piece, widening: number): number =>
  overlap(span, lo - widening, hi + widening, periodOf(chain));

export function overlap({ lo, hi }: Interval, first: number, last: number, period: number): number {
  const here = Math.min(hi, last) - Math.max(lo, first);
  if (period === 0) return here;
  return Math.max(
    here,
    Math.min(hi - period, last) - Math.max(lo - period, first),
    Math.min(hi + period, last) - Math.max(lo + period, first),
  );
}

/** The span on the same turn of the ring as the piece. */
function onTurnOf({ lo, hi }: Interval, piece: Piece): Interval {
  const period = periodOf(piece.chain);
  if (!period) return { lo, hi };
  const on = (turn: number) => Math.min(hi + turn, piece.hi) - Math.max(lo + turn, piece.lo);
  const turn = [0, period, -period].reduce((best, one) => (on(one) > on(best) ? one : best));
  return { lo: lo + turn, hi: hi + turn };
}

export function onRoad(
  rule: 'R1' | 'R2',
  incident: IncidentPlace,
  named: NamedRoad,
  span: Interval & { offKm?: number },
  piece: Piece,
  way: Way,
): Found {
  const on = onTurnOf(span, piece);
  const one = kmAt(piece, Math.max(on.lo, piece.lo));
  const other = kmAt(piece, Math.min(on.hi, piece.hi));
  const where = {
    from_km: Math.min(one, other),
    to_km: Math.max(one, other),
    off_m: span.offKm === undefined ? null : Math.round(span.offKm * 1000),
  };
  if (way === 'opposite') return onOtherCarriageway(where);
  if (incident.isSlip && !leavesAt(named, on, piece))
    return { rule, level: 'possible', why: 'a slip road', ...where };
  return { rule, level: 'certain', why: naming(incident, named, piece), ...where };
}

/** Whether the route comes onto the road, or leaves it, at the junction of this slip road. */
function leavesAt({ said }: NamedRoad, on: Interval, piece: Piece): boolean {
  const single = said.length === 1 && said[0]!.lo === said[0]!.hi ? onTurnOf(said[0]!, piece).lo : null;
  const junction = single ?? Math.round((on.lo + on.hi) / 2);
  return Math.min(Math.abs(junction - piece.lo), Math.abs(junction - piece.hi)) < SAME_JUNCTION;
}

/** "names the M62, J27 to J26, westbound"; without junctions, the place of its position. */
function naming({ sign, roads }: IncidentPlace, { road, said, at, chain }: NamedRoad, piece: Piece): string {
  const direction = sign && road === roads[0]?.road ? `, ${DIRECTION_WORDS[sign]}` : '';
  // The stretch that is on the route counts, if there are several.
  const [first, ...others] = said;
  if (first) {
    const on = (span: Interval) => overlapOf(span, piece, 0);
    const { label } = others.reduce((best, span) => (on(span) > on(best) ? span : best), first);
    return `names the ${road}, ${label}${direction}`;
  }
  const place = at && chain ? `, ${placeOn(chain, at)} by its position` : '';
  return `names the ${road}${direction}${place}`;
}

function placeOn(chain: Chain, { lo, hi }: Interval): string {
  const count = chain.waypoints.length;
  const label = (at: number) => labelOf(chain.waypoints[((at % count) + count) % count]!);
  const [from, to] = [label(Math.floor(lo)), label(Math.ceil(hi))];
  return from === to ? `at ${from}` : `between ${from} and ${to}`;
}

export function compared({ road, sense }: NamedRoad, span: Interval, piece: Piece): string {
  const way = sense === null ? '' : sense === piece.sense ? ', the same way' : ', the other way';
  return `${road} ${placeOn(piece.chain, span)}; the route uses it ${placeOn(piece.chain, piece)}${way}`;
}
