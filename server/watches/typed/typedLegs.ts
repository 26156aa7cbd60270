/** From a typed route to its legs, with words about what was done and what was not understood. Nothing is stored. */
import { setImmediate } from 'node:timers/promises';
import type { Leg, Resolved, RouteProblem } from '#contract/watches/watches.ts';
import { tooLong, WATCH_LIMITS } from '#contract/watches/watches.ts';
import { DIRECTION_WORDS } from '../../geography/roads/incidentPlace.ts';
import { APART_KM, isMotorway, type Stage } from './roadGraph.ts';
import {
  along as alongChain,
  junctionIndex,
  labelOf,
  nearestJunctions,
  periodOf,
  roadTable,
  senseOf,
  type Chain,
  type RoadTable,
  type Sense,
} from '../../geography/roads/roadTable.ts';
import { type Course, courseAlong, isThere, isWinding, type Stop } from './courseAlong.ts';
import { FURTHER_KM, isWorse, type Say, type Slot, wayOffers } from './offeredWays.ts';
import { nameIn, stretchWords } from './waypointWords.ts';
import { readRouteText, type Range, type TypedRoad, type TypedRoute, type TypedStop } from './typedWords.ts';
import {
  besideFirst,
  isBeside,
  isMeant,
  isNamedAfter,
  islandsOf,
  key,
  km,
  namedFirst,
  onRoadFirst,
  placesOf,
  spelled,
  waypointAnywhere,
  waypointNamed,
  type FindPlaces,
  type KnownPlace,
} from './typedNames.ts';
import { CHANGE_KM, wayOf, type Way } from '../../geography/roads/routeWay.ts';

/** A longer straight line is never made without asking the user. */
const PROPOSE_FROM_KM = 10;
/** The same limit for a straight line to the first, or from the last, named road. */
const ASK_FROM_KM = 30;
/** A longer straight line is never made without a word to the user. */
const SILENT_MAX_KM = 60;
/** The length of a road that is no motorway counts this many times: where both run side by side, the motorway is
 *  meant. */
const SLOWNESS = 1.3;
/** A place as near to a road as this is on it, as services are. */
const ON_ROAD_KM = 4;
/** Each proposal takes some 10 ms to find. */
const PROPOSALS_MAX = 6;
/** A place with the same name that is further away than this is another place. */
const OTHER_PLACE_KM = 40;

/** A stop, and the roads on the way to it. */
interface Found {
  stop: Stop;
  roads: TypedRoad[];
}

/** "M25 Heathrow": the road that is named right before the place. */
const roadOf = ({ typed }: Stop): TypedRoad | undefined =>
  typed.kind === 'place' && typed.isOfRoad && typed.road ? { road: typed.road, at: typed.at } : undefined;

/** Problems are listed in the order of their places in the text. */
const LEVELS = ['stop', 'proposal', 'done', 'understood'] as const;
const worstFirst = (one: RouteProblem, other: RouteProblem) =>
  LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) || (one.at?.from ?? -1) - (other.at?.from ?? -1);

/** Works in steps of some milliseconds; between the steps other work gets its turn. */
export async function resolveText(
  text: string,
  findPlaces: FindPlaces,
  table: RoadTable = roadTable(),
): Promise<Resolved> {
  const asked = new Map<string, ReturnType<FindPlaces>>();
  const find: FindPlaces = (name) => {
    if (!asked.has(name)) asked.set(name, findPlaces(name));
    return asked.get(name)!;
  };
  const instead = new Map<string, string | null>();
  const resolved = await resolve(text, find, table, PROPOSALS_MAX, instead);
  const problems: RouteProblem[] = [];
  for (const problem of resolved.problems) {
    const way = problem.level === 'proposal' ? problem.repairs[0] : undefined;
    const isKept = !way || !isWorse(await resolve(way.text, find, table, 0), resolved, text);
    const question = isKept ? null : instead.get(way.text);
    if (isKept) problems.push(problem);
    else if (question) problems.push({ ...problem, level: 'stop', text: question, repairs: [] });
  }
  return { ...resolved, problems: problems.sort(worstFirst) };
}

/** `proposals`: the most ways that are looked for. `instead`: by the text of a proposed way, the question that is asked
 *  without it; null: none. */
async function resolve(
  text: string,
  findPlaces: FindPlaces,
  table: RoadTable,
  proposals: number,
  instead = new Map<string, string | null>(),
): Promise<Resolved> {
  const route = readRouteText(text);
  const places = await placesOf(route, findPlaces, table);
  const problems: RouteProblem[] = [];
  const say: Say = (level, words, at = null, repairs = []) =>
    problems.push({ level, text: words, at: at && { ...at }, repairs });
  const replaced = ({ from, to }: Range, words: string) => text.slice(0, from) + words + text.slice(to);

  const placesNamed = (name: string) => places.get(name) ?? [];
  const inNorthernIreland = isNorthernIrish(route, places, table);
  const chainOf = (road: string): Chain | undefined => {
    const all = table.named(road);
    return all.find(({ id }) => id.startsWith('NI ') === inNorthernIreland) ?? all[0];
  };

  const stops = route.stops.map((stop, index) =>
    stop.kind === 'junction'
      ? junctionStop(stop)
      : placeStop(stop, placesNamed(stop.name), roadsBeside(index)),
  );
  const found: Found[] = [];
  const typedRoads = route.roads.map((roads) => [...roads]);
  for (const [index, stop] of stops.entries()) {
    // The roads before a stop that was not understood belong to the next stop that was understood.
    const roads = index > 0 ? route.roads[index - 1]! : [];
    if (stop) found.push({ stop, roads: found.length > 0 ? roads : [] });
    else if (route.roads[index]) route.roads[index]!.unshift(...roads);
  }

  const offer = wayOffers({ text, route, typedRoads, chainOf, table, say, most: proposals });
  const legs: Leg[] = [];
  for (const [index, { stop, roads }] of found.entries()) {
    const before = found[index - 1]?.stop;
    if (!before || legs.length > WATCH_LIMITS.legs) continue;
    await setImmediate();
    connect(before, stop, [...goingOn(found[index - 1]!, { stop, roads }), ...roads]);
  }
  const said = route.stops.at(-1);
  if (route.after && said && found.at(-1)?.stop.typed === said) {
    const { road, at } = route.after;
    const { label } = found.at(-1)!.stop;
    const way = route.roads.at(-1)!;
    const roads = way.slice(way.indexOf(route.after)).map(({ road }) => road);
    const before = `${text.slice(0, said.at.from)}${roads.join(', ')}, ${text.slice(said.at.from, said.at.to)}`;
    say(
      'stop',
      `Does the ${road} lead to ${label}, or on from it? Name the place where the route ends.`,
      at,
      [{ label: `It leads to ${label}`.slice(0, 80), text: before }],
    );
  }
  const [only] = found;
  const loose = route.roads.flat();
  if (route.stops.length < 2 && (only || loose.length > 0)) {
    const [road] = loose;
    say(
      'stop',
      road
        ? `Where does the route join and leave the ${road.road}? Name two junctions or places.`
        : `Where does the route go from ${only!.stop.label}? Name another junction or place.`,
      road?.at ?? only?.stop.typed.at,
    );
  }
  if (found.length > 1 && legs.length === 0)
    say('stop', 'This is one place. Name another junction or place.');
  const long = tooLong(legs);
  if (long) {
    say('stop', long);
    legs.length = 0;
  }

  const way: Way = wayOf(legs, table);
  checkSigns();
  const course = wordsOf(way);
  if (course) say('understood', course);
  return {
    ...way,
    legs,
    problems: bounded(problems.sort(worstFirst)),
    name: nameOf(found.map(({ stop }) => stop)),
  };

  /** "M3 via Winchester Services M25": from a place on the road, the way goes on along this road to the next road,
   *  which is further away. */
  function goingOn({ stop, roads }: Found, next: Found): TypedRoad[] {
    const before = roads.at(-1) ?? roadOf(stop);
    const after = next.roads[0] ?? roadOf(next.stop);
    const [own, other] = [before, after].map((named) => named && chainOf(named.road));
    if (!before || !own || stop.on) return [];
    const isOnIt = (alongChain(own, stop.point)?.off ?? Infinity) <= ON_ROAD_KM;
    // "M6 Keele services - M6 J20"
    if (isOnIt && next.roads.length === 0 && next.stop.on?.chain === own) return [before];
    if (!other || own === other) return [];
    const isFurther = other.waypoints.every(({ point }) => km(point, stop.point) > FURTHER_KM);
    return isOnIt && isFurther ? [before] : [];
  }

  function junctionStop(stop: TypedStop & { kind: 'junction' }): Stop | null {
    const { road, junction, at } = stop;
    if (!road) {
      say('stop', `Which road is ${junction} on?`, at);
      return null;
    }
    const chain = chainOf(road);
    if (!chain) {
      say('stop', `The ${road} is not in our table. Name a place on it, or draw it.`, at);
      return null;
    }
    const index = junctionIndex(chain, junction);
    if (index >= 0) {
      const waypoint = chain.waypoints[index]!;
      const label = `${chain.road} ${labelOf(waypoint)}`;
      return { typed: stop, label, name: label, point: waypoint.point, on: { chain, index } };
    }
    const near = nearestJunctions(chain, junction);
    if (near.length === 0) {
      say('stop', `We do not know the junctions of the ${chain.road}. Name a place on it.`, at);
      return null;
    }
    say(
      'stop',
      `The ${chain.road} has no ${junction}. Nearest: ${near.join(', ')}.`,
      at,
      near.map((other) => ({
        label: `Use ${other}`,
        text: replaced(at, `${chain.road} ${other}`),
      })),
    );
    return null;
  }

  /** The roads that are named right before and after a stop: its own first, then the one after it. */
  function roadsBeside(index: number): Chain[] {
    const own = route.stops[index]?.road;
    const [before, after] = [route.roads[index - 1]?.at(-1), route.roads[index]?.[0]];
    const ofBefore = before ? undefined : route.stops[index - 1]?.road;
    const next = route.stops[index + 1];
    const ofNext = after ? undefined : next?.road;
    return [own, after?.road, ofNext, before?.road, ofBefore].flatMap(
      (road) => (road && chainOf(road)) || [],
    );
  }

  function placeStop(
    stop: TypedStop & { kind: 'place' },
    places: readonly KnownPlace[],
    beside: readonly Chain[],
  ): Stop | null {
    const { name, road, at } = stop;
    // "A1 Scotch Corner" is on the A1(M).
    const chain = road ? chainsOf(road).find((named) => waypointNamed(named, name) !== null) : null;
    const on = chain ? waypointNamed(chain, name) : null;
    if (chain && on !== null) {
      const { point, name: known } = chain.waypoints[on]!;
      const name = known ?? labelOf(chain.waypoints[on]!);
      return { typed: stop, label: nameIn(chain, on), name, point, on: { chain, index: on } };
    }
    const others = route.stops.flatMap((other) =>
      other.kind === 'place' && other !== stop ? [other.name] : [],
    );
    const named = namedFirst(places, name, others, inNorthernIreland);
    const [otherEnd] = route.stops.length === 2 && beside.length === 0 ? others : [];
    const candidates = otherEnd
      ? besideFirst(named, name, placesNamed(otherEnd))
      : onRoadFirst(named, name, beside);
    // "A1, Blyth": no place of that name is on the road, but one of the road's waypoints has the name.
    const [next] = beside.filter((one) => waypointNamed(one, name) !== null);
    const onNext = next ? waypointNamed(next, name) : null;
    if (next && onNext !== null && !isNamedAfter(next, onNext, candidates[0])) {
      const waypoint = next.waypoints[onNext]!;
      return {
        typed: stop,
        label: nameIn(next, onNext),
        name: waypoint.name ?? labelOf(waypoint),
        point: waypoint.point,
        on: { chain: next, index: onNext },
      };
    }
    const [best] = candidates;
    const nameAt = { from: at.to - name.length, to: at.to };
    // A longer name would run into the next one.
    const index = route.stops.indexOf(stop);
    const [before, after] = [
      route.stops[index - 1]?.at.to ?? 0,
      route.stops[index + 1]?.at.from ?? text.length,
    ];
    const start = /^\s+$/.test(text.slice(before, nameAt.from)) ? ', ' : '';
    const end = /^\s+$/.test(text.slice(at.to, after)) ? ',' : '';
    const use = ({ label }: KnownPlace) => ({
      label: `Use ${label}`,
      text: replaced(nameAt, start + label.replaceAll(',', '') + end),
    });
    if (!best || !isMeant(best, spelled(name))) {
      const known = waypointAnywhere(name, table);
      if (known) return { typed: stop, label: known.name, name: known.name, point: known.point, on: null };
      const short = name.length > 40 ? `${name.slice(0, 40)}…` : name;
      say('stop', `We do not know the place “${short}”.`, at, best ? [use(best)] : []);
      return null;
    }
    const twins = candidates.filter(
      (other) => key(other.name) === key(best.name) && km(other.point, best.point) > OTHER_PLACE_KM,
    );
    const isAsTyped = [best.name, best.label].some((known) => key(known) === key(name));
    if (twins.length > 0 || !isAsTyped) {
      const isGuess = !best.isMeant || best.isMisspelt || twins.length > 0;
      say(
        'understood',
        `“${name}” ${isGuess ? 'is read as' : 'means'} ${best.label}.`,
        at,
        twins.slice(0, 3).map(use),
      );
    }
    return { typed: stop, label: best.name, name: best.name, point: best.point, on: null };
  }

  function connect(from: Stop, to: Stop, between: readonly TypedRoad[]) {
    const { typed: last } = to;
    // "A1 Grantham to Newark" has one road for both names; "A1 Newark" alone is a waypoint, as "M1 J43" is.
    const ownChain = last.kind === 'place' && last.road ? (to.on?.chain ?? chainOf(last.road)) : undefined;
    const isFromBeside = ownChain && from.on?.chain !== ownChain && isBeside(from.point, ownChain);
    const isByRoad =
      between.length === 0 &&
      last.kind === 'place' &&
      last.road &&
      (!(last.isOfRoad && to.on) || isFromBeside);
    // "Leeds M62 M6 M5 Bristol": the last road is named right before the place.
    const isLastBeside =
      last.kind === 'place' && last.road && last.isOfRoad && between.at(-1)?.road !== last.road;
    const roads =
      isByRoad || (between.length > 0 && isLastBeside)
        ? [...between, { road: last.road!, at: last.at }]
        : between; // both say so
    const length = km(from.point, to.point);
    const words = `${Math.max(1, Math.round(length))} km`;
    const known = roads.filter(({ road }) => chainOf(road));
    for (const { road, at } of roads)
      if (!chainOf(road) && known.length > 0)
        say('done', `The ${road} is not in our table: name places on it, or draw it.`, at);
    const [unknown] = roads;
    if (unknown && known.length === 0) {
      legs.push({ type: 'line', points: [from.point, to.point], road: unknown.road });
      const said = `From ${from.label} to ${to.label} we draw a straight line for the ${unknown.road}, which is not in our table (${words}).`;
      const isLong = length > SILENT_MAX_KM;
      const offered = length > ASK_FROM_KM ? offer(from, to, null, null, () => slotAt(from, to, [])) : null;
      if (offered) instead.set(offered, isLong ? said : null);
      say(isLong && !offered ? 'stop' : 'done', said, unknown.at);
      return;
    }
    const isGiven = known.length > 0;
    // The way may leave or join a road at the typed waypoint itself: "M6 J15 Stoke". In "M1, A64 Bramham" it does not
    // go through Leeds.
    const used = (named: readonly Chain[]) =>
      named.filter((chain) => chain !== from.on?.chain && chain !== to.on?.chain);
    let best: Course | null = null;
    for (const named of variantsOf(
      known.map(({ road }) => road),
      from,
      to,
    )) {
      const chains = [...named];
      if (from.on && chains[0] !== from.on.chain && (isGiven || to.on)) chains.unshift(from.on.chain);
      if (to.on && chains.at(-1) !== to.on.chain && (isGiven || from.on)) chains.push(to.on.chain);
      const course = courseAlong(
        from,
        to,
        chains.filter((chain, at) => chain !== chains[at - 1]),
        { named: used(named), senseOn, slownessOf },
      );
      if (course && (!best || course.cost < best.cost)) best = { ...course, named };
    }
    for (const [index, { road, at }] of known.entries()) {
      const chain = best?.named[index];
      if (chain && chain !== chainOf(road))
        say('understood', `Between ${from.label} and ${to.label} the ${road} is the ${chain.road}.`, at);
    }
    const stages = best?.stages;
    if (!best || !stages || (!isGiven && stages.length > 1 && isWinding(stages, from, to))) {
      link(from, to, null, null, () => (isGiven ? null : slotAt(from, to, [])));
      return;
    }
    const before = problems.length;
    let here: Pick<Stop, 'point' | 'label' | 'typed'> = from;
    for (const [index, { chain, from: first, to: last, sense }] of stages.entries()) {
      const [start, end] = [chain.waypoints[first]!, chain.waypoints[last]!];
      const at = { typed: to.typed, point: start.point, label: nameIn(chain, first) };
      if (here === from ? !from.on && !isThere(from, chain, first) : km(here.point, at.point) > CHANGE_KM)
        link(here, at, here === from ? null : stages[index - 1]!, stages[index]!, () =>
          slotAt(from, to, stages.slice(0, index)),
        );
      if (first !== last) {
        legs.push({ type: 'road', road: chain.id, from: labelOf(start), to: labelOf(end), sense });
        sayBreaks(chain, first, last, to.typed.at);
      }
      here = { typed: to.typed, point: end.point, label: nameIn(chain, last) };
    }
    const end = stages.at(-1)!; // there is one for each chain
    if (!to.on && !isThere(to, end.chain, end.to)) link(here, to, end, null, () => slotAt(from, to, stages));
    // A way that is offered may join it elsewhere.
    const isAsked = problems.slice(before).some(({ level }) => level === 'proposal' || level === 'stop');
    if (!isAsked) sayAway(from, to, stages, used(best.named));
  }

  /** A named road must be used, so it is driven away from a place that it does not lead to: "Fishguard A40 M4 London"
   *  would follow the A40 to London and the M4 back. */
  function sayAway(from: Stop, to: Stop, stages: readonly Stage[], named: readonly Chain[]) {
    if (stages.length < 2) return;
    const [first, last] = [stages[0]!, stages.at(-1)!];
    const pointOf = (chain: Chain, index: number) => chain.waypoints[index]!.point;
    const ends = [
      [first, from, first.to, first.from],
      [last, to, last.from, last.to],
    ] as const;
    for (const [{ chain }, stop, inner, outer] of ends)
      if (
        !stop.on &&
        named.includes(chain) &&
        km(pointOf(chain, inner), stop.point) < km(pointOf(chain, outer), stop.point)
      )
        say(
          'stop',
          `The ${chain.road} leads away from ${stop.label} there. Name a place where it is joined.`,
          stop.typed.at,
        );
  }

  /** A road, and the motorway that it is in parts: in "A1 Wetherby - A1 Catterick" the A1 is the A1(M). */
  function chainsOf(road: string): Chain[] {
    const [chain, motorway] = [chainOf(road), chainOf(`${road}(M)`)];
    const isPart = chain && motorway && [...chain.breaks.values()].includes(motorway.id);
    return [...(chain ? [chain] : []), ...(isPart ? [motorway] : [])];
  }

  /** The direction that is typed for the road. */
  function senseOn(chain: Chain): Sense | null {
    const wanted = route.signs.find(({ road }) => chainOf(road) === chain);
    return wanted ? senseOf(chain, wanted.sign) : null;
  }

  /** A road that is a motorway in parts is as quick as that. */
  function slownessOf(chain: Chain): number {
    return isMotorway(chain) || chainsOf(chain.road).length > 1 ? 1 : SLOWNESS;
  }

  /** The chains of the roads; if a road may be its motorway, also with that: if a waypoint that is typed beside it, or
   *  both ends of the way, are beside the motorway, and none is beside the road itself. */
  function variantsOf(roads: readonly string[], from: Stop, to: Stop): Chain[][] {
    return roads.reduce<Chain[][]>(
      (variants, road, index) => {
        const [chain, motorway] = chainsOf(road);
        const ends = [...(index === 0 ? [from] : []), ...(index === roads.length - 1 ? [to] : [])];
        const isMotorway =
          motorway !== undefined &&
          variants.length === 1 &&
          ends.every(({ point }) => !isBeside(point, chain!)) &&
          (ends.some(({ on, point }) => on && isBeside(point, motorway)) ||
            ends.every(({ point }) => isBeside(point, motorway)));
        const tried = isMotorway ? [chain!, motorway] : [chain!]; // each road is known
        return tried.flatMap((one) => variants.map((before) => [...before, one]));
      },
      [[]],
    );
  }

  /** The place of the way that is missing after these stages; null if it is not sure. */
  function slotAt(from: Stop, to: Stop, used: readonly Stage[]): Slot | null {
    const stop = route.stops.indexOf(from.typed);
    if (route.stops[stop + 1] !== to.typed) return null;
    const own = roadOf(to);
    const named = [...(typedRoads[stop] ?? []), ...(own ? [own] : [])].filter(({ road }) => chainOf(road));
    let roads = 0;
    for (const { chain } of used)
      while (named[roads] && chainsOf(named[roads]!.road).includes(chain)) roads++;
    return { stop, roads };
  }

  /** A straight line, and words that say so. If known roads make a better way, that way is offered. `before` and
   *  `after`: the roads on both sides; null at a place. A long line is never made without asking. */
  function link(
    from: Pick<Stop, 'point' | 'label' | 'typed'>,
    to: Pick<Stop, 'point' | 'label' | 'typed'>,
    before: Stage | null,
    after: Stage | null,
    slotOf: () => Slot | null,
  ) {
    const length = km(from.point, to.point);
    if (length < 0.01) return;
    legs.push({ type: 'link', points: [from.point, to.point], names: [from.label, to.label] });
    if (from.typed.kind === 'junction' && to.typed.kind === 'junction' && length < CHANGE_KM) return;
    const words = `${Math.max(1, Math.round(length))} km`;
    say('done', `From ${from.label} to ${to.label} we draw a straight line (${words}).`, to.typed.at);
    const isApart = before !== null && after !== null && length > APART_KM && !areBeside(before, after);
    const apart = isApart ? `The ${before.chain.road} and the ${after.chain.road} do not meet: ` : '';
    const isLong = length > (before || after ? ASK_FROM_KM : PROPOSE_FROM_KM) || isApart;
    const question =
      isApart || length > SILENT_MAX_KM
        ? `${apart}By which road do you go from ${from.label} to ${to.label} (${words})?`
        : null;
    const offered = isLong ? offer(from, to, before, after, slotOf, apart) : null;
    if (offered) instead.set(offered, question);
    else if (question) say('stop', question, to.typed.at);
  }

  /** Whether two roads meet although neither has a waypoint there: the line of one passes the waypoint of the other,
   *  or both waypoints have one name. */
  function areBeside(before: Stage, after: Stage): boolean {
    const [one, other] = [before.chain.waypoints[before.to]!, after.chain.waypoints[after.from]!];
    const isPassed = [alongChain(before.chain, other.point), alongChain(after.chain, one.point)].some(
      (found) => found !== null && found.off <= CHANGE_KM,
    );
    return isPassed || (one.name !== null && one.name === other.name);
  }

  function sayBreaks(chain: Chain, first: number, last: number, at: Range) {
    const [lo, hi] = [Math.min(first, last), Math.max(first, last)];
    for (const [index, as] of chain.breaks) {
      if (index < lo || index >= hi || periodOf(chain)) continue;
      const [start, end] = [labelOf(chain.waypoints[index]!), labelOf(chain.waypoints[index + 1]!)];
      const other = table.chain(as ?? '');
      if (other) say('done', `${chain.road} ${start} to ${end} is the ${other.road}: both are watched.`, at);
      else
        say(
          'done',
          `From ${chain.road} ${start} to ${end} we draw a straight line: the road is interrupted.`,
          at,
        );
    }
  }

  function checkSigns() {
    for (const { sign, road, at } of route.signs) {
      const chain = chainOf(road);
      const senses = legs.flatMap((leg) =>
        leg.type === 'road' && leg.road === chain?.id ? [leg.sense] : [],
      );
      const said = chain && senseOf(chain, sign);
      if (!said || senses.length === 0 || senses.includes(said)) continue;
      const part = way.course.find((part) => part.road === chain.road && part.direction);
      const is = part?.direction ? DIRECTION_WORDS[part.direction] : 'the other way';
      say('done', `${chain.road} ${part?.from} to ${part?.to} is ${is}.`, at);
    }
  }
}

/** The most problems in an answer, because each repair contains the whole text again. */
const PROBLEMS_MAX = 100;
const REPAIRS_MAX = 20;

/** The first problems, which are the worst. */
function bounded(problems: readonly RouteProblem[]): RouteProblem[] {
  let repairs = 0;
  return problems.slice(0, PROBLEMS_MAX).map((problem) => {
    repairs += problem.repairs.length;
    return repairs > REPAIRS_MAX ? { ...problem, repairs: [] } : problem;
  });
}

/** The M1 is the one in England, unless the text names a place or a road that only Northern Ireland has. Bangor is in
 *  Wales too, so beside Manchester it is that one. */
function isNorthernIrish(
  { stops, roads }: TypedRoute,
  places: ReadonlyMap<string, readonly KnownPlace[]>,
  table: RoadTable,
): boolean {
  const found = stops.flatMap((stop) => (stop.kind === 'place' ? [places.get(stop.name) ?? []] : []));
  const islands = found.map(islandsOf);
  if (islands.some(({ isIrish, isBritish }) => isIrish && !isBritish)) return true;
  const named = [
    ...stops.flatMap((stop) => (stop.road ? [stop.road] : [])),
    ...roads.flat().map(({ road }) => road),
  ];
  const isOnlyThere = named.some((road) => {
    const chains = table.named(road);
    return chains.length > 0 && chains.every(({ id }) => id.startsWith('NI '));
  });
  const isElsewhere = islands.some(({ isIrish, isBritish }) => isBritish && !isIrish);
  return isOnlyThere || (!isElsewhere && found.some(([best]) => best?.isInNorthernIreland));
}

/** "M62 J26 to J29 eastbound, then M1 J42 to J6A southbound" */
function wordsOf({ course }: Way): string {
  return course
    .filter(({ road, line }) => road && line !== 'drawn')
    .map(({ road, from, to, direction }) =>
      [stretchWords(road!, from, to), direction && DIRECTION_WORDS[direction]].filter(Boolean).join(' '),
    )
    .join(', then ');
}

/** "Leeds to Heathrow"; null if no place is named. */
function nameOf(stops: readonly Stop[]): string | null {
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last || first === last || !stops.some(({ typed }) => typed.kind === 'place')) return null;
  return `${first.name} to ${last.name}`;
}
