/** Ways over known roads that are offered in place of a straight line of a typed route, each as the whole text with
 *  the way in it. */
import type { Resolved, RouteProblem } from '#contract/watches/watches.ts';
import { labelOf, periodOf, type Chain, type RoadTable } from '../../geography/roads/roadTable.ts';
import type { Stop } from './courseAlong.ts';
import { proposedWay, type Stage, type WayEnd } from './roadGraph.ts';
import type { Range, TypedRoad, TypedRoute } from './typedWords.ts';
import { key, km } from './typedNames.ts';
import { nameIn, stretchWords, typedStage, typedWaypoint } from './waypointWords.ts';

/** A road that is further from a place than this does not begin at the place. */
export const FURTHER_KM = 8;

/** The place of a missing way in the text: after a stop, and after this many of the known roads that are typed behind
 *  it. The road of the next stop, as in "M6 Glasgow", is the last of these roads. */
export interface Slot {
  stop: number;
  roads: number;
}

/** Notes a problem, with its place in the text and ways to mend it. */
export type Say = (
  level: RouteProblem['level'],
  words: string,
  at?: Range | null,
  repairs?: RouteProblem['repairs'],
) => void;

/** `most`: the most ways that are looked for. `typedRoads`: by stop, the roads that are typed after it. */
export function wayOffers({
  text,
  route,
  typedRoads,
  chainOf,
  table,
  say,
  most,
}: {
  text: string;
  route: TypedRoute;
  typedRoads: readonly (readonly TypedRoad[])[];
  chainOf: (road: string) => Chain | undefined;
  table: RoadTable;
  say: Say;
  most: number;
}) {
  let left = most;
  return offer;

  /** Offers the known roads for a straight line, and returns the text with them; null: there are none, or their place
   *  in the text is not sure. */
  function offer(
    from: Pick<Stop, 'point' | 'label' | 'typed'>,
    to: Pick<Stop, 'point' | 'label' | 'typed'>,
    before: Stage | null,
    after: Stage | null,
    slotOf: () => Slot | null,
    apart = '',
  ): string | null {
    const slot = left > 0 ? slotOf() : null;
    if (!slot) return null;
    // A search without a result counts too, because it takes as long.
    left--;
    const onRoad = (chain: Chain, at: number, other: number): WayEnd => {
      const [point, there] = [chain.waypoints[at]!.point, chain.waypoints[other]!.point];
      const isFar = km(point, there) > FURTHER_KM && !periodOf(chain);
      const sense = isFar ? (other > at ? 1 : -1) : null;
      return { point, road: { chain, at, isNamed: at !== other, sense } };
    };
    const way = proposedWay(
      before ? onRoad(before.chain, before.from, before.to) : { point: from.point, road: null },
      after ? onRoad(after.chain, after.to, after.from) : { point: to.point, road: null },
      table,
    );
    if (!way) return null;
    const [exit, entry] = [
      before && nameIn(before.chain, way.exit!),
      after && nameIn(after.chain, way.entry!),
    ]; // a way has an exit from the road before it, and an entry to the road after it
    const repaired = withWay(slot, [
      ...(before ? [typedWaypoint(before.chain, way.exit!)] : []),
      ...way.stages.flatMap(typedStage),
      ...(after ? [typedWaypoint(after.chain, way.entry!)] : []),
    ]);
    say(
      'proposal',
      `${apart}From ${exit ?? from.label} to ${entry ?? to.label} there is a way: ${wayWords(way.stages)}.`,
      to.typed.at,
      [{ label: 'Use this way', text: repaired }],
    );
    return repaired;
  }

  /** The whole route as it was typed, with this way inserted where it is missing. Roads there that we do not know
   *  would make a straight line again, so they are left out. */
  function withWay(slot: Slot, way: readonly string[]): string {
    const parts = route.stops.flatMap((stop, index) => {
      const said = text.slice(stop.at.from, stop.at.to).trim().replaceAll('\n', ' ');
      const isAfter = slot.stop === index - 1;
      const roads = (typedRoads[index] ?? [])
        .filter(({ road }) => slot.stop !== index || chainOf(road))
        .map(({ road }) => road);
      const before = (typedRoads[index - 1] ?? []).filter(({ road }) => chainOf(road)).length;
      const named =
        stop.kind === 'junction'
          ? [stop.road ? `${stop.road} ${stop.junction}` : said]
          : isAfter && stop.road && !chainOf(stop.road)
            ? [stop.name]
            : // "M6 Glasgow": the way goes between the two.
              isAfter && slot.roads > before && stop.road
              ? [stop.road, ...way, stop.name]
              : [said];
      if (slot.stop === index && slot.roads <= roads.length) roads.splice(slot.roads, 0, ...way);
      return [...named.map((part) => part.replaceAll('\n', ' ')), ...roads];
    });
    return parts.filter((part, index) => part !== parts[index - 1]).join(', ');
  }
}

const wayWords = (stages: readonly Stage[]): string =>
  stages
    .filter(({ from, to }) => from !== to)
    .map(({ chain, from, to }) =>
      stretchWords(chain.road, labelOf(chain.waypoints[from]!), labelOf(chain.waypoints[to]!)),
    )
    .join(', then ');

/** A repaired route this many times as long goes a long way round, because nearer roads are not in the table. */
const ROUNDABOUT = 3;

/** Whether a repaired text has more that is not understood, a longer straight line, other ends, or a way back where
 *  none was typed. */
export function isWorse(then: Resolved, now: Resolved, typed: string): boolean {
  const open = ({ problems }: Resolved) =>
    problems.filter(({ level }) => level === 'stop' || level === 'proposal').length;
  const straight = ({ legs }: Resolved) =>
    Math.max(0, ...legs.map((leg) => (leg.type === 'road' ? 0 : km(leg.points[0]!, leg.points.at(-1)!))));
  const turns = ({ legs }: Resolved) =>
    legs.filter((leg, index) => {
      const before = legs[index - 1];
      const isBack = leg.type === 'road' && before?.type === 'road' && before.road === leg.road;
      return isBack && before.sense !== leg.sense && !key(typed).includes(key(leg.from));
    }).length;
  return (
    then.name !== now.name ||
    open(then) >= open(now) ||
    straight(then) > straight(now) ||
    then.length_km > ROUNDABOUT * now.length_km ||
    turns(then) > turns(now)
  );
}
