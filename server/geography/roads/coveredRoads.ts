/**
 * Which roads somebody reports on. National Highways, Traffic Scotland and Traffic Wales report on motorways and
 * trunk roads. The other roads belong to councils, and none of our sources reports on those. Written by hand from
 * general knowledge. A stretch that is not here counts as not covered: if it was doubtful whether it is a trunk road,
 * it is left out.
 */
import covered from './covered.json' with { type: 'json' };
import type { Chain } from './roadTable.ts';
import { waypointIndex } from './roadTable.ts';

/** By chain: the whole chain, or the stretches between two names of its table. */
const TRUNK_ROADS = covered.trunkRoads as unknown as Readonly<
  Record<string, 'all' | readonly (readonly [from: string, to: string])[]>
>;

/** Motorways of councils, and one of a company. */
const OTHERS_MOTORWAYS: ReadonlySet<string> = new Set(covered.othersMotorways);

const isMotorway = (road: string) => /^M\d|\(M\)$/.test(road);

/** The parts of a road that somebody reports on: all, none, or the parts from these waypoints to the next. */
export type CoveredPart = 'all' | 'none' | ReadonlySet<number>;

const found = new WeakMap<Chain, CoveredPart>();

export function coveredPartOf(chain: Chain): CoveredPart {
  let part = found.get(chain);
  if (!part) found.set(chain, (part = partOf(chain)));
  return part;
}

/** The same for a road that is not in our table. */
export const coveredByName = (road: string): CoveredPart =>
  isMotorway(road) && !OTHERS_MOTORWAYS.has(road) ? 'all' : 'none';

function partOf(chain: Chain): CoveredPart {
  // In Northern Ireland one department looks after every road.
  if (chain.waypoints.every(({ nation }) => nation === 'northern-ireland')) return 'all';
  const stretches = Object.hasOwn(TRUNK_ROADS, chain.id) ? TRUNK_ROADS[chain.id]! : [];
  if (stretches === 'all') return 'all';
  if (stretches.length === 0) return coveredByName(chain.id);
  return new Set(
    stretches.flatMap(([from, to]) => {
      const [first, last] = [waypointIndex(chain, from), waypointIndex(chain, to)];
      if (first < 0 || last <= first) throw new Error(`The ${chain.id} has no stretch ${from} to ${to}.`);
      return Array.from({ length: last - first }, (_, index) => first + index);
    }),
  );
}

/** The roads of that list, for a check. */
export const TRUNK_ROAD_IDS: readonly string[] = Object.keys(TRUNK_ROADS);
