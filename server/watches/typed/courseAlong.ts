/** The shortest way by typed roads, in their order, from one stop of a typed route to the next. */
import { periodOf, type Chain, type LonLat, type Sense } from '../../geography/roads/roadTable.ts';
import { CHANGE_KM } from '../../geography/roads/routeWay.ts';
import { APART_KM, type Stage } from './roadGraph.ts';
import type { TypedStop } from './typedWords.ts';
import { key, km, SAME_PLACE_KM } from './typedNames.ts';

/** A way off the roads is slower: its length counts this many times. */
const OFF_ROAD = 3;
/** The length of a way over two roads, compared with the straight line. If the way is longer than this, the two
 *  roads are not joined by their own waypoints. */
const WINDING = 2;
const WINDING_KM = 20;

/** The position of a stop. */
export interface Stop {
  typed: TypedStop;
  /** "M1 J43", "Leeds", "A1 Grantham" */
  label: string;
  /** The same label, without the road of a place. */
  name: string;
  point: LonLat;
  on: { chain: Chain; index: number } | null;
}

/** The best way along roads. */
export interface Course {
  stages: (Stage & { sense: Sense })[];
  /** In kilometres; those off the roads count more. */
  cost: number;
  /** By typed road: its chain, or the motorway that it is in parts. */
  named: readonly Chain[];
}

/** Facts in the text about the roads of a course. */
interface Roads {
  /** Roads that must be used. */
  named: readonly Chain[];
  /** The direction that the text gives for a road; null: none. */
  senseOn: (chain: Chain) => Sense | null;
  /** The factor by which the length of a road counts. */
  slownessOf: (chain: Chain) => number;
}

/** The shortest way by the roads in this order, from stop to stop; null: the way cannot reach a waypoint of one of
 *  them. */
export function courseAlong(
  from: Stop,
  to: Stop,
  chains: readonly Chain[],
  { named, senseOn, slownessOf }: Roads,
): Pick<Course, 'stages' | 'cost'> | null {
  interface Exit {
    cost: number;
    entry: number;
    sense: Sense;
    before: number;
  }
  if (chains.length === 0) return null;
  const layers: Exit[][] = [];
  let entries = chains[0]!.waypoints.map(({ point }, index) => ({
    before: -1,
    cost: from.on
      ? from.on.chain === chains[0] && from.on.index === index
        ? 0
        : Infinity
      : isThere(from, chains[0]!, index)
        ? 0
        : km(from.point, point) * OFF_ROAD * slownessOf(chains[0]!),
  }));
  const isNamed = (chain: Chain) => named.includes(chain) && chain.waypoints.length > 1;
  for (const [layer, chain] of chains.entries()) {
    const sense = senseOn(chain);
    const positions = kilometresOf(chain);
    const slowness = slownessOf(chain);
    const exits = chain.waypoints.map((_, index): Exit => {
      let best: Exit = { cost: Infinity, entry: index, sense: 1, before: -1 };
      for (const [entry, { cost, before }] of entries.entries()) {
        // A named road must be used.
        if (entry === index && isNamed(chain)) continue;
        const rising = lengthBetween(chain, positions, entry, index, 1);
        const falling = lengthBetween(chain, positions, entry, index, -1);
        const goes: Sense = periodOf(chain) && sense ? sense : rising <= falling ? 1 : -1;
        const total = cost + (goes === 1 ? rising : falling) * slowness;
        if (total < best.cost) best = { cost: total, entry, sense: goes, before };
      }
      return best;
    });
    layers.push(exits);
    const next = chains[layer + 1];
    if (!next) break;
    const gaps = next.waypoints.map(({ point }) => chain.waypoints.map((other) => km(other.point, point)));
    // Roads that meet should join there, unless that is a long way round.
    const doMeet = gaps.some((row) => row.some((gap) => gap <= CHANGE_KM));
    const offRoad = OFF_ROAD * Math.max(slowness, slownessOf(next));
    entries = gaps.map((row) => {
      let best = { before: -1, cost: Infinity };
      for (const [index, { cost }] of exits.entries()) {
        const isPassed = doMeet && row[index]! > APART_KM;
        const total = cost + row[index]! * offRoad * (isPassed ? 2 : 1);
        if (total < best.cost) best = { before: index, cost: total };
      }
      return best;
    });
  }
  const last = chains.at(-1)!;
  let exit = -1;
  let least = Infinity;
  for (const [index, { cost }] of layers.at(-1)!.entries()) {
    const { point } = last.waypoints[index]!;
    const off = to.on
      ? to.on.chain === last && to.on.index === index
        ? 0
        : Infinity
      : isThere(to, last, index)
        ? 0
        : km(point, to.point) * OFF_ROAD * slownessOf(last);
    if (cost + off < least) [least, exit] = [cost + off, index];
  }
  if (exit < 0) return null;
  const stages: Course['stages'] = [];
  for (let layer = chains.length - 1; layer >= 0; layer--) {
    const { entry, sense, before } = layers[layer]![exit]!;
    stages.unshift({ chain: chains[layer]!, from: entry, to: exit, sense });
    exit = before;
  }
  return { stages, cost: least };
}

/** Whether the place has the name of a waypoint of the road. */
export function isThere({ typed, label, point }: Stop, chain: Chain, index: number): boolean {
  const { name, point: there } = chain.waypoints[index]!;
  const called = [label, typed.kind === 'place' ? typed.name : label].map(key);
  return name !== null && called.includes(key(name)) && km(point, there) < SAME_PLACE_KM;
}

/** Kilometres to each waypoint from the first; a break counts as its straight line. A ring has one figure more: the
 *  length of the whole ring. */
function kilometresOf({ waypoints, isOrbital }: Chain): number[] {
  const positions = [0];
  for (const [index, { point }] of waypoints.entries()) {
    const next = waypoints[index + 1] ?? (isOrbital ? waypoints[0] : undefined);
    if (next) positions.push(positions.at(-1)! + km(point, next.point));
  }
  return positions;
}

function lengthBetween(
  chain: Chain,
  positions: readonly number[],
  from: number,
  to: number,
  sense: Sense,
): number {
  const length = (positions[to]! - positions[from]!) * sense;
  if (length >= 0) return length;
  return periodOf(chain) ? length + positions.at(-1)! : Infinity;
}

export function isWinding(stages: readonly Stage[], from: Stop, to: Stop): boolean {
  const length = stages.reduce((sum, { chain, from: first, to: last }) => {
    const positions = kilometresOf(chain);
    return (
      sum +
      Math.min(
        lengthBetween(chain, positions, first, last, 1),
        lengthBetween(chain, positions, first, last, -1),
      )
    );
  }, 0);
  const gaps = stages.some(({ chain, from: first }, index) => {
    const before = stages[index - 1];
    return before && km(before.chain.waypoints[before.to]!.point, chain.waypoints[first]!.point) > CHANGE_KM;
  });
  return gaps || length > km(from.point, to.point) * WINDING + WINDING_KM;
}
