/**
 * Whether two reports are about one incident. Similar words alone never decide. Either they refer to each other; or
 * they name one road with a common stretch, place or position; or one line or the same ends of it; or they are at one
 * place. Two reports of one publisher are one only if the second repeats the first. Except for reports that refer to
 * each other, they began within six hours of each other, and nothing that both state contradicts: cause, direction,
 * stretch, mode. If one of them does not state something, that is no contradiction.
 */
import { KM_PER_DEGREE } from '#contract/places/distance.ts';
import type { Stretch } from '#contract/incidents/facts.ts';
import { labelPosition } from '../../geography/roads/junctionLabels.ts';
import { isIn } from '../../geography/names/placeEvidence.ts';
import { areOpposite } from '../../geography/roads/directions.ts';
import { along, periodOf, roadTable, type Chain } from '../../geography/roads/roadTable.ts';
import { causesContradict } from './causes.ts';
import type { Report } from './comparedReport.ts';

export type Rule = 'link' | 'road' | 'line' | 'place';

export interface Evidence {
  rule: Rule;
  /** The reason in words: "Both name the M62, J26 to J27. They began 12 minutes apart." */
  words: string;
  /** Lower numbers are surer. */
  doubt: number;
}

/** How far apart their beginnings may be. Only incidents in force are compared. */
export const BEGAN_WITHIN_MS = 6 * 60 * 60_000;
/** How far apart two publishers' positions for one incident on a road may be. */
const ROAD_KM = 3;
/** How far outside a town a road may pass it. */
const PAST_TOWN_KM = 5;
const PLACE_KM = 1;
/** The reach of one place, such as a quarter, a landmark or a station; a town has many places. */
const ONE_PLACE_KM = 1;
const SMALL_TOWN_KM = 3;
const TOWN_KM = 8;

/** The reason why these are the same incident; null if nothing shows it. */
export function sameIncident(one: Report, other: Report): Evidence | null {
  if (one.source === other.source && !isFollowUp(one, other)) return null;
  if (one.phase !== other.phase && !areWorks(one, other)) return null;
  if (one.related.includes(other.event_id) || other.related.includes(one.event_id)) {
    return { rule: 'link', words: 'One publisher names the other’s incident.', doubt: 0 };
  }
  const apart = Math.abs(one.began - other.began);
  if (!(apart <= BEGAN_WITHIN_MS) || disagree(one, other)) return null;

  const found =
    onOneWater(one, other) ??
    onOneRoad(one, other) ??
    onOneLine(one, other) ??
    onOneCrossing(one, other) ??
    atOnePlace(one, other);
  if (!found) return null;
  const minutes = Math.round(apart / 60_000);
  return {
    ...found,
    words: `${found.words} ${beganWords(minutes)}`,
    doubt: found.doubt + apart / BEGAN_WITHIN_MS,
  };
}

function beganWords(minutes: number): string {
  if (minutes === 0) return 'They began together.';
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const words = [hours && counted(hours, 'hour'), rest && counted(rest, 'minute')].filter(Boolean).join(' ');
  return `They began ${words} apart.`;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Whether a newsroom or an account repeats its own words. An operator lists an incident once. */
export function isFollowUp(one: Report, other: Report): boolean {
  if (one.isOperator || other.isOperator) return false;
  if (one.publisher !== other.publisher) return true;
  const common = shared(one.words, other.words).length;
  return common >= FOLLOW_UP_WORDS && common >= FOLLOW_UP_SHARE * Math.min(one.words.size, other.words.size);
}

const FOLLOW_UP_WORDS = 3;
const FOLLOW_UP_SHARE = 0.6;

const areWorks = (one: Report, other: Report) => one.causes.has('works') && other.causes.has('works');

/** Whether they are about different things, wherever they are. */
function disagree(one: Report, other: Report): boolean {
  if (one.isOfAnother || other.isOfAnother) return true;
  if (causesContradict(one.causes, other.causes)) return true;
  // Buses report the closure that diverts them.
  const modes = [one.mode, other.mode].map((mode) => (mode === 'bus' ? 'road' : mode));
  return modes[0] !== null && modes[1] !== null && modes[0] !== modes[1] && !areOneBridge(one, other);
}

/** A lorry that hits a railway bridge stops road and trains. */
const areOneBridge = (one: Report, other: Report) => one.causes.has('bridge') && other.causes.has('bridge');

/** Both give a cause, and one event can have both. */
const isOfOneCause = (one: Report, other: Report) =>
  one.causes.size > 0 && other.causes.size > 0 && !causesContradict(one.causes, other.causes);

/** A report without a cause may be about any except planned works. */
const mayBeOfOneCause = (one: Report, other: Report) =>
  isOfOneCause(one, other) || (!one.causes.has('works') && !other.causes.has('works'));

/** "Albert Road" and "Albert Street" share no name. */
const areOneStreet = (one: Report, other: Report, name: string) => {
  const [own, others] = [one.streets.get(name), other.streets.get(name)];
  return own === undefined || others === undefined || own === others;
};

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((word) => other.has(word));

/** The names that both share. A post may write names in lower case, so if it has none, its words count. */
const sharedNames = (one: Report, other: Report) =>
  shared(one.names.size > 0 ? one.names : one.words, other.names.size > 0 ? other.names : other.words).filter(
    (word) => (one.names.has(word) || other.names.has(word)) && areOneStreet(one, other, word),
  );

/** Whether they are two incidents, however similar each is to a third. */
export const contradict = (one: Report, other: Report): boolean =>
  disagree(one, other) || (sharedRoad(one, other) !== undefined && areApart(one, other));

const sharedRoad = (one: Report, other: Report) => one.roads.find((name) => other.roads.includes(name));

/** Whether they are apart on one road: on its two carriageways, one on the road and one beside it, or on stretches
 *  with nothing in common. */
function areApart(one: Report, other: Report): boolean {
  const road = sharedRoad(one, other)!; // the callers have checked it
  if (one.isIrish !== other.isIrish) return true;
  if (areOpposite(road, one.direction, other.direction, roadTable()) || areOfOtherSlips(one, other))
    return true;
  // One means one carriageway and the other means both, so they differ.
  if ((one.isBothWays && other.direction) || (other.isBothWays && one.direction)) return true;
  const [own, others] = [stretchOn(road, one), stretchOn(road, other)];
  return (
    own.length > 0 &&
    others.length > 0 &&
    own.every((part) => others.every((part2) => areDisjoint(part, part2)))
  );
}

/** A report that names no slip road means the carriageway. */
const areOfOtherSlips = ({ slip: one }: Report, { slip: other }: Report) =>
  one !== other &&
  one !== 'unsure' &&
  other !== 'unsure' &&
  (one === null || other === null || (one !== 'slip' && other !== 'slip'));

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
  const names = sharedNames(one, other);
  if (names.length > 0 && !areFar(one, other) && mayBeOfOneCause(one, other)) {
    return { rule: 'road', words: `Both name the ${road} at ${inWords(names)}.`, doubt: 2 };
  }
  if (isInCountyOf(one, other) || isInCountyOf(other, one))
    return { rule: 'road', words: `Both name the ${road}, one in the county where the other is.`, doubt: 5 };
  if (liesOnStretch(road, one, other) || liesOnStretch(road, other, one))
    return { rule: 'road', words: `Both name the ${road}, one a place on the other’s stretch.`, doubt: 4 };
  const km = kmBetween(one, other);
  if (km === null) return null;
  if (areAtOtherPlaces(one, other, km)) return null;
  const [reach, otherReach] = [one, other].map((report) => roadReach(report, road)) as [number, number];
  const isExact = one.position!.reachKm === 0 && other.position!.reachKm === 0;
  const isNear = isExact
    ? km <= Math.max(ROAD_KM, (reach + otherReach) / 2)
    : Math.max(reach, otherReach) <= WIDE_KM && km <= reach + otherReach && isOfOneCause(one, other);
  if (!isNear) return null;
  return {
    rule: 'road',
    words: `Both name the ${road}, ${km.toFixed(1)} km apart.`,
    doubt: isExact ? 2 : 3,
  };
}

/** Causes that are rare: a county has many collisions on a motorway, but hardly two fires at once. */
const RARE: ReadonlySet<string> = new Set(['fire', 'snow', 'flood', 'landslip', 'spill', 'animal', 'ground']);

const isInCountyOf = (one: Report, { position, causes }: Report) =>
  position !== null &&
  position.reachKm <= WIDE_KM &&
  [...causes].some((cause) => RARE.has(cause) && one.causes.has(cause)) &&
  one.within.some((box) => isIn(position, box));

/** "J8 to J7" and "near Harlow": the place of one report is beside the stretch of the other, with the same cause. */
function liesOnStretch(road: string, one: Report, other: Report): boolean {
  const { position } = other;
  if (!position?.name || position.reachKm > WIDE_KM || stretchOn(road, other).length > 0) return false;
  if (!isOfOneCause(one, other)) return false;
  const [chain, ...more] = roadTable().named(road);
  if (!chain || more.length > 0) return false;
  return stretchOn(road, one).some((part) => {
    const span = endsOf(part);
    const there = span && along(chain, [position.longitude, position.latitude]);
    return there && there.off <= PAST_TOWN_KM && there.at >= span[0] - AT_END && there.at <= span[1] + AT_END;
  });
}

/** In waypoints: a town lies beside its junction, and not at it. */
const AT_END = 0.2;

/** Whether each is at a village or landmark of its own: "the A32 at Droxford", "the A32 at Wickham". */
function areAtOtherPlaces(one: Report, other: Report, km: number): boolean {
  const [own, others] = [one.position!, other.position!];
  return (
    own.name !== '' &&
    others.name !== '' &&
    own.name !== others.name &&
    km > Math.max(own.reachKm, others.reachKm, ROAD_KM) + 1 &&
    !namesThePlace(one, other)
  );
}

/** How far along a road it may be from its position: a road passes a town outside it, and a point stands for a
 *  stretch. */
function roadReach(report: Report, road: string): number {
  const { reachKm } = report.position!;
  const isStretch = report.sections.length > 0 || stretchOn(road, report).some(({ from, to }) => from !== to);
  const stands = isStretch ? STRETCH_KM : POINT_KM;
  return reachKm === 0 ? stands : reachKm + (reachKm > ONE_PLACE_KM ? PAST_TOWN_KM / 2 : 1);
}

const STRETCH_KM = 4;
const POINT_KM = 2;
/** From this reach on, a city or region says too little about the place on a road. */
const WIDE_KM = 12;

const stretchOn = (road: string, { stretch }: Report) => stretch.filter((part) => part.road === road);

/**
 * Whether two stretches overlap. If they only touch at an end they do not, but one of them may be a single junction.
 */
function overlap(one: Stretch, other: Stretch): boolean {
  const common = inCommon(one, other);
  if (common === null) return one.from === other.from && one.to === other.to;
  return common > 0 || (common === 0 && (one.from === one.to || other.from === other.to));
}

/** Whether two stretches have nothing in common. If the table does not have an end, this is not known. */
function areDisjoint(one: Stretch, other: Stretch): boolean {
  const common = inCommon(one, other);
  if (common === null) return false;
  return common < 0 || (common === 0 && one.from !== one.to && other.from !== other.to);
}

/** How far two stretches of one road overlap, in waypoints; null when one of their ends is not known. */
function inCommon(one: Stretch, other: Stretch): number | null {
  const [own, others] = [endsOf(one), endsOf(other)];
  if (own && others) return Math.min(own[1], others[1]) - Math.max(own[0], others[0]);
  const labels = [one.from, one.to, other.from, other.to];
  if (!labels.every((label) => /^[JT]\d/.test(label))) return null;
  const [low, high] = numbered(one);
  const [otherLow, otherHigh] = numbered(other);
  return Math.min(high, otherHigh) - Math.max(low, otherLow);
}

/** The ends of each stretch, kept because each is compared with many. */
const knownEnds = new WeakMap<Stretch, [number, number] | null>();

function endsOf(stretch: Stretch): [number, number] | null {
  let found = knownEnds.get(stretch);
  if (found === undefined) {
    const [chain, ...more] = roadTable().named(stretch.road);
    // Two roads have this number, so it is not known which is meant.
    found = chain && more.length === 0 ? ends(stretch, chain) : null;
    knownEnds.set(stretch, found);
  }
  return found;
}

function ends({ from, to }: Stretch, chain: Chain): [number, number] | null {
  const [one, other] = [from, to].map((label) => labelPosition(chain, label, roadTable()));
  // On a ring, the order of two junctions does not show the way between them.
  if (typeof one !== 'number' || typeof other !== 'number' || periodOf(chain) > 0) return null;
  return one <= other ? [one, other] : [other, one];
}

function numbered({ from, to }: Stretch): [number, number] {
  const [one, other] = [junctionNumber(from), junctionNumber(to)];
  return one <= other ? [one, other] : [other, one];
}

/** The number of a junction for comparison: J21A lies between J21 and J22. */
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
  // "A fault at Church Fenton, between Leeds and York" has both ends of "between Leeds and York".
  const within = [[one, other] as const, [other, one] as const].flatMap(([named, { sections }]) =>
    sections.filter((name) => name.split(' to ').every((end) => named.names.has(end))),
  );
  if (within[0] && isOfOneCause(one, other) && !areFar(one, other))
    return {
      rule: 'line',
      words: `Both name the line ${inWords([within[0]]).replace(' To ', ' to ')}.`,
      doubt: 3,
    };
  if (!one.line || one.line !== other.line || areFar(one, other)) return null;
  return { rule: 'line', words: `Both name the ${one.line}.`, doubt: 2 };
}

/** A flood warning and news about it: both titles name a place, and its river or a street. */
function onOneWater(
  { waters: one, isOperator }: Report,
  { waters: other, ...rest }: Report,
): Evidence | null {
  if (!one || !other || isOperator === rest.isOperator) return null;
  const names = shared(one.all, other.all);
  return names.length < WATER_NAMES || shared(one.title, other.title).length === 0
    ? null
    : { rule: 'place', words: `Both name ${inWords(names)}, for a flood.`, doubt: 4 };
}

const WATER_NAMES = 2;

/** Both name the same two ports or the ship: "Ullapool - Stornoway", "the Loch Seaforth". */
function onOneCrossing(one: Report, other: Report): Evidence | null {
  if (one.mode !== 'ferry' || other.mode !== 'ferry' || !isOfOneCause(one, other)) return null;
  const names = shared(one.names, other.names);
  return names.length < CROSSING_NAMES
    ? null
    : { rule: 'line', words: `Both name ${inWords(names)}, for the same cause.`, doubt: 3 };
}

const CROSSING_NAMES = 2;

function atOnePlace(one: Report, other: Report): Evidence | null {
  // If both name roads and these differ, they are two incidents near each other.
  if (one.roads.length > 0 && other.roads.length > 0) return null;
  const km = kmBetween(one, other);
  if (km === null) return atNamed(one, other) ?? atNamed(other, one) ?? atOneStreet(one, other);
  const [own, others] = [one.position!, other.position!];
  const reach = Math.max(own.reachKm, others.reachKm);
  const isSure =
    isOfOneCause(one, other) || (!(one.isOperator && other.isOperator) && mayBeOfOneCause(one, other));
  const isRail = one.mode === 'rail' && other.mode === 'rail';
  // An airport is one place, however large it is.
  const isAirport = one.mode === 'air' && other.mode === 'air' && reach <= SMALL_TOWN_KM;
  if (km > ALIAS_KM && areTwoOfAKind(own.name, others.name)) return null;
  if (km <= PLACE_KM && (isAirport || (reach <= ONE_PLACE_KM && isSure))) {
    return { rule: 'place', words: `They are ${km.toFixed(1)} km apart.`, doubt: 3 };
  }
  // One names a station, the other the section that contains it.
  if (isRail && isOfOneCause(one, other) && reach <= SECTION_KM && km <= reach && namesThePlace(one, other)) {
    return {
      rule: 'place',
      words: `One lies within ${Math.ceil(reach)} km of the other, for the same cause.`,
      doubt: 4,
    };
  }
  if (reach > TOWN_KM || km > own.reachKm + others.reachKm + PLACE_KM) return null;
  if (one.facility && one.facility === other.facility && !isRail && isSure) {
    return { rule: 'place', words: `Both name its ${one.facility}.`, doubt: 3 };
  }

  // The town that both name says little, but a street in it is a place. Several stations can have one name.
  const town = new Set(
    [own, others].flatMap(({ reachKm, name }) => (reachKm > ONE_PLACE_KM ? name.split(' ') : [])),
  );
  const names = shared(one.names, other.names).filter(
    (word) => !town.has(word) && areOneStreet(one, other, word),
  );
  const isOfRail = one.mode === 'rail' || other.mode === 'rail';
  if (names.length > 0 && isSure && !isOfRail) {
    return { rule: 'place', words: `Both name ${inWords(names)}.`, doubt: 3 };
  }

  const isOne = own.name !== '' && own.name === others.name;
  if (
    !isOne ||
    !isOfOneCause(one, other) ||
    (one.mode && other.mode && one.mode !== other.mode && reach > ONE_PLACE_KM && !areOneBridge(one, other))
  )
    return null;
  if (reach > SMALL_TOWN_KM && one.mode === 'road') return null;
  // Each names a street of its own.
  if (one.mode === 'road' && namesOtherStreets(one, other)) return null;
  return { rule: 'place', words: `Both name ${inWords([own.name])}, for the same cause.`, doubt: 4 };
}

/** The title of one report names the other's landmark, although it does not say that it is there: "banned from
 *  Humber Bridge". */
function atNamed({ position: at, ...one }: Report, other: Report): Evidence | null {
  if (!at || other.position || !isOfOneCause({ ...one, position: at }, other) || !LANDMARK.test(at.name))
    return null;
  return at.name.split(' ').every((word) => other.words.has(word))
    ? { rule: 'place', words: `Both name ${inWords([at.name])}, for the same cause.`, doubt: 4 }
    : null;
}

const LANDMARK = /\S (?:bridge|tunnel|crossing|viaduct|flyover|interchange|services|pass)$/;

/** Reports without a place that we know, which name the same street and town: "Castle Street, Conwy". */
function atOneStreet(one: Report, other: Report): Evidence | null {
  if (one.position || other.position || !isOfOneCause(one, other)) return null;
  const [fewer, more] =
    one.names.size <= other.names.size ? [one.names, other.names] : [other.names, one.names];
  const names = shared(fewer, more);
  if (names.length < STREET_NAMES || names.length < fewer.size) return null;
  return { rule: 'place', words: `Both name ${inWords(names)}, for the same cause.`, doubt: 5 };
}

const STREET_NAMES = 2;

/** "Tay Bridge" and "Tay Road Bridge" are one landmark by two names. */
const ALIAS_KM = 0.1;

/** "Westminster Bridge", "Lambeth Bridge" */
const areTwoOfAKind = (one: string, other: string) =>
  one !== other &&
  one.includes(' ') &&
  other.includes(' ') &&
  one.split(' ').at(-1) === other.split(' ').at(-1) &&
  // "Leamington Spa" and "Royal Leamington Spa"
  !` ${one}`.endsWith(` ${other}`) &&
  !` ${other}`.endsWith(` ${one}`);

/** The place of one is a name in the other. */
const namesThePlace = (one: Report, other: Report) =>
  [[one, other] as const, [other, one] as const].some(
    ([{ position }, { names }]) =>
      position!.name !== '' && position!.name.split(' ').some((word) => word.length > 3 && names.has(word)),
  );

const SECTION_KM = 16;

const namesOtherStreets = (one: Report, other: Report) => {
  const [own, others] = [one, other].map(({ names, position }) =>
    [...names].filter((word) => !position!.name.split(' ').includes(word)),
  ) as [string[], string[]];
  return own.length > 0 && others.length > 0 && !own.some((word) => others.includes(word));
};

/** "chain", "bar": "Chain Bar". */
const inWords = (names: readonly string[]) =>
  names.join(' ').replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());

/** Both have a place, and these do not touch. */
function areFar(one: Report, other: Report): boolean {
  const km = kmBetween(one, other);
  return km !== null && km > one.position!.reachKm + other.position!.reachKm + PAST_TOWN_KM;
}

function kmBetween({ position: one }: Report, { position: other }: Report): number | null {
  if (!one || !other) return null;
  const east = (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, east) * KM_PER_DEGREE;
}
