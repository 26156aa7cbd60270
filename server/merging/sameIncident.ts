/**
 * Whether two sources report the same incident. Never by words alone: they point to each other; or name one road with
 * a stretch, a place or a position in common; or one line or the same two ends of it; or they are at one place. In each
 * case, but for the first, both are of one phase, began within an hour of each other, and give no causes that exclude
 * each other. What is less sure needs the same cause too.
 */
import type { Direction, Stretch } from '#contract/facts.ts';
import type { Report } from './report.ts';

export type Rule = 'link' | 'road' | 'line' | 'place';

export interface Evidence {
  rule: Rule;
  /** In words, for anyone who asks why: "Both name the M62, J26 to J27. They began 12 minutes apart." */
  words: string;
  /** The lower, the surer. */
  doubt: number;
}

export const BEGAN_WITHIN_MS = 60 * 60_000;
/** Two positions that publishers give for one incident on a road. */
const ROAD_KM = 3;
/** A road passes a town so far outside it. */
const PAST_TOWN_KM = 5;
const PLACE_KM = 1;
/** A quarter, a landmark or a station is one place; a town has many. */
const ONE_PLACE_KM = 1;
const SMALL_TOWN_KM = 3;
const TOWN_KM = 8;

/** Why these are the same incident; null if nothing shows it. */
export function sameIncident(one: Report, other: Report): Evidence | null {
  if (one.source === other.source || one.phase !== other.phase) return null;
  if (one.related.includes(other.event_id) || other.related.includes(one.event_id)) {
    return { rule: 'link', words: 'One publisher names the other’s incident.', doubt: 0 };
  }
  const apart = Math.abs(one.began - other.began);
  if (!(apart <= BEGAN_WITHIN_MS) || disagree(one, other)) return null;

  const found = onOneRoad(one, other) ?? onOneLine(one, other) ?? atOnePlace(one, other);
  if (!found) return null;
  const minutes = Math.round(apart / 60_000);
  const began = minutes === 0 ? 'They began together.' : `They began ${counted(minutes, 'minute')} apart.`;
  return { ...found, words: `${found.words} ${began}`, doubt: found.doubt + apart / BEGAN_WITHIN_MS };
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** They are about different things, wherever they are. */
function disagree(one: Report, other: Report): boolean {
  if (one.isOfAnother || other.isOfAnother) return true;
  if (one.causes.size > 0 && other.causes.size > 0 && !isOfOneCause(one, other)) return true;
  if (one.mode === 'warning' || other.mode === 'warning') return true;
  // Buses report the closure that they are diverted for.
  const modes = [one.mode, other.mode].map((mode) => (mode === 'bus' ? 'road' : mode));
  return modes[0] !== null && modes[1] !== null && modes[0] !== modes[1];
}

const isOfOneCause = ({ causes }: Report, other: Report) => shared(causes, other.causes).length > 0;

/** A newsroom or the police that give no cause that we know, beside one that is known, often have another. */
const mayBeOfOneCause = (one: Report, other: Report) =>
  isOfOneCause(one, other) ||
  [one, other].every(({ causes, isOperator }) => isOperator || causes.size > 0) ||
  one.causes.size + other.causes.size === 0;

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((word) => other.has(word));

/** However each is like a third, they are two incidents. */
export const contradict = (one: Report, other: Report): boolean =>
  disagree(one, other) || (sharedRoad(one, other) !== undefined && areApart(one, other));

const sharedRoad = (one: Report, other: Report) => one.roads.find((name) => other.roads.includes(name));

/** On one road: on its two carriageways, on and beside it, or on stretches that have nothing in common. */
function areApart(one: Report, other: Report): boolean {
  if (areOpposite(one.direction, other.direction) || one.slip !== other.slip) return true;
  const road = sharedRoad(one, other)!; // the callers have asked
  return (
    stretchOn(road, one).length > 0 && stretchOn(road, other).length > 0 && !sharedPart(road, one, other)
  );
}

const sharedPart = (road: string, one: Report, other: Report) =>
  stretchOn(road, one).find((part) => stretchOn(road, other).some((otherPart) => overlap(part, otherPart)));

function onOneRoad(one: Report, other: Report): Evidence | null {
  const road = sharedRoad(one, other);
  if (!road || areApart(one, other)) return null;
  const part = sharedPart(road, one, other);
  if (part) {
    const where = part.from === part.to ? part.from : `${part.from} to ${part.to}`;
    return { rule: 'road', words: `Both name the ${road}, ${where}.`, doubt: 1 };
  }
  const names = shared(one.names, other.names);
  if (names.length > 0 && !areFar(one, other) && mayBeOfOneCause(one, other)) {
    return { rule: 'road', words: `Both name the ${road} at ${inWords(names)}.`, doubt: 2 };
  }
  const km = kmBetween(one, other);
  if (km === null) return null;
  const reach = Math.max(one.position!.reachKm, other.position!.reachKm);
  const isNear =
    reach === 0 ? km <= ROAD_KM : reach <= TOWN_KM && km <= reach + PAST_TOWN_KM && isOfOneCause(one, other);
  if (!isNear) return null;
  return {
    rule: 'road',
    words: `Both name the ${road}, ${km.toFixed(1)} km apart.`,
    doubt: reach === 0 ? 2 : 3,
  };
}

const stretchOn = (road: string, { stretch }: Report) => stretch.filter((part) => part.road === road);

const OPPOSITE: Readonly<Record<Direction, Direction>> = {
  N: 'S',
  S: 'N',
  E: 'W',
  W: 'E',
  CW: 'AC',
  AC: 'CW',
};

const areOpposite = (one: Direction | null, other: Direction | null) =>
  one !== null && other === OPPOSITE[one];

/** Stretches that only touch end to end are neighbours; a single junction may be an end. */
function overlap(one: Stretch, other: Stretch): boolean {
  const [low, high] = ends(one);
  const [otherLow, otherHigh] = ends(other);
  const common = Math.min(high, otherHigh) - Math.max(low, otherLow);
  return common > 0 || (common === 0 && (low === high || otherLow === otherHigh));
}

function ends({ from, to }: Stretch): [number, number] {
  const [one, other] = [junctionNumber(from), junctionNumber(to)];
  return one <= other ? [one, other] : [other, one];
}

/** J21A lies between J21 and J22. */
function junctionNumber(name: string): number {
  const [, digits = '', letter = ''] = /(\d+)([A-Z]?)/.exec(name) ?? [];
  return Number(digits) + (letter ? (letter.charCodeAt(0) - 64) / 27 : 0);
}

function onOneLine(one: Report, other: Report): Evidence | null {
  if (one.mode !== 'rail' && other.mode !== 'rail') return null;
  const section = one.sections.find((name) => other.sections.includes(name));
  if (section) {
    return {
      rule: 'line',
      words: `Both name the line ${inWords([section]).replace(' To ', ' to ')}.`,
      doubt: 2,
    };
  }
  if (!one.line || one.line !== other.line || areFar(one, other)) return null;
  return { rule: 'line', words: `Both name the ${one.line}.`, doubt: 2 };
}

function atOnePlace(one: Report, other: Report): Evidence | null {
  // Roads that both name and that differ are two incidents near each other.
  if (one.roads.length > 0 && other.roads.length > 0) return null;
  const km = kmBetween(one, other);
  if (km === null) return null;
  const [own, others] = [one.position!, other.position!];
  const reach = Math.max(own.reachKm, others.reachKm);
  const isSure =
    isOfOneCause(one, other) || (!(one.isOperator && other.isOperator) && mayBeOfOneCause(one, other));
  // An airport is one place, however large.
  const isAirport = one.mode === 'air' && other.mode === 'air' && reach <= SMALL_TOWN_KM;
  if (km <= PLACE_KM && (isAirport || (reach <= ONE_PLACE_KM && isSure))) {
    return { rule: 'place', words: `They are ${km.toFixed(1)} km apart.`, doubt: 3 };
  }
  if (reach > TOWN_KM || km > reach + PLACE_KM) return null;

  // The town that both name says little, a street of it says where. Stations of one name are many.
  const town = new Set(
    [own, others].flatMap(({ reachKm, name }) => (reachKm > ONE_PLACE_KM ? name.split(' ') : [])),
  );
  const names = shared(one.names, other.names).filter((word) => !town.has(word));
  const isOfRail = one.mode === 'rail' || other.mode === 'rail';
  if (names.length > 0 && isSure && !isOfRail) {
    return { rule: 'place', words: `Both name ${inWords(names)}.`, doubt: 3 };
  }

  const isOne = own.name !== '' && own.name === others.name;
  if (!isOne || !isOfOneCause(one, other) || one.mode !== other.mode) return null;
  if (reach > SMALL_TOWN_KM && one.mode === 'road') return null;
  return { rule: 'place', words: `Both name ${inWords([own.name])}, for the same cause.`, doubt: 4 };
}

/** "chain", "bar": "Chain Bar". */
const inWords = (names: readonly string[]) =>
  names.join(' ').replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());

/** Both have a place, and these do not touch. */
function areFar(one: Report, other: Report): boolean {
  const km = kmBetween(one, other);
  return km !== null && km > one.position!.reachKm + other.position!.reachKm + PAST_TOWN_KM;
}

const KM_PER_DEGREE = 111.2;

function kmBetween({ position: one }: Report, { position: other }: Report): number | null {
  if (!one || !other) return null;
  const east = (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, east) * KM_PER_DEGREE;
}
