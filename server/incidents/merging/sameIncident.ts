/**
 * Whether two reports are about one incident. Similar words alone never decide. Either they refer to each other; or
 * they name one road with a common stretch, place or position; or one line or the same ends of it; or they are at one
 * place. Two reports of one publisher are one only if the second repeats the first. They began within six hours of each
 * other, and nothing that both state contradicts: cause, direction, stretch, mode. Reports that refer to each other need
 * neither. A warning and news of it need not begin together, because a newsroom writes before the warning begins.
 */
import { isDeepStrictEqual } from 'node:util';
import { counted } from '#contract/numbers.ts';
import { KM_PER_DEGREE, kilometres } from '#contract/places/distance.ts';
import { keyOf } from '../../geography/names/nameIndex.ts';
import { settlementsNamed } from '../../geography/names/placeNames.ts';
import { stationsNamed } from '../../geography/names/stationNames.ts';
import { type Box, isIn } from '../../geography/names/placeEvidence.ts';
import { areOpposite } from '../../geography/roads/directionWords.ts';
import { along, roadTable, rulerAt } from '../../geography/roads/roadTable.ts';
import { causesContradict } from './causes.ts';
import { areDisjoint, chainOf, endsOf, inCommon, overlap } from './stretchOverlap.ts';
import { isPlaceWord, type Point, type Report, stationWords } from './comparedReport.ts';

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
  const warning = ofOneWarning(one, other);
  if (one.phase !== other.phase && !areWorks(one, other) && !warning) return null;
  if (one.related.includes(other.event_id) || other.related.includes(one.event_id)) {
    return { rule: 'link', words: 'One publisher names the other’s incident.', doubt: 0 };
  }
  const apart = Math.abs(one.began - other.began);
  if (
    !(apart <= BEGAN_WITHIN_MS || (warning && !one.warned?.hasHappened && !other.warned?.hasHappened)) ||
    disagree(one, other)
  )
    return null;

  const found =
    warning ??
    onOneRoad(one, other) ??
    onOneLine(one, other) ??
    onOneCrossing(one, other) ??
    (areTwoCrossings(one, other) ? null : (atOnePlace(one, other) ?? byNames(one, other)));
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

/** Whether one publisher repeats its own words. An operator writes all its records in the same words, so it also
 *  repeats place and cause, and says that it goes on. */
export function isFollowUp(one: Report, other: Report): boolean {
  if (one.isOperator || other.isOperator) {
    if (!isRepeated(one, other)) return false;
  } else if (one.publisher !== other.publisher) return true;
  const common = shared(one.words, other.words).length;
  return common >= FOLLOW_UP_WORDS && common >= FOLLOW_UP_SHARE * Math.min(one.words.size, other.words.size);
}

/** "Closed at Haydon Bridge following a collision", and later "remains closed". */
const isRepeated = (one: Report, other: Report) =>
  (goesOnFrom(one, other) || goesOnFrom(other, one)) &&
  one.roads.length > 0 &&
  one.direction === other.direction &&
  one.slip === other.slip &&
  isDeepStrictEqual(one.roads, other.roads) &&
  isDeepStrictEqual(one.stretch, other.stretch) &&
  isDeepStrictEqual(one.names, other.names) &&
  isDeepStrictEqual(one.position, other.position) &&
  shared(one.causes, other.causes).some((cause) => cause !== 'works');

const goesOnFrom = (first: Report, second: Report) =>
  first.began < second.began && !first.goesOn && second.goesOn;

const FOLLOW_UP_WORDS = 3;
const FOLLOW_UP_SHARE = 0.6;

const areWorks = (one: Report, other: Report) => one.causes.has('works') && other.causes.has('works');

/** How long after the end of one another may say that the same began; its own time may be that of the end. */
const AGAIN_MS = 60 * 60_000;

/** Whether they are about different things, wherever they are. */
function disagree(one: Report, other: Report): boolean {
  if (one.isOfAnother || other.isOfAnother) return true;
  const [first, second] = one.began < other.began ? [one, other] : [other, one];
  if (second.began - first.began > AGAIN_MS && second.began > first.ended() + AGAIN_MS) return true;
  if (causesContradict(one.causes, other.causes)) return true;
  // Two lines have one incident only where both say why.
  if (one.line && other.line && one.line !== other.line && shared(one.causes, other.causes).length === 0)
    return true;
  // Buses report the closure that diverts them.
  const modes = [one.mode, other.mode].map((mode) => (mode === 'bus' ? 'road' : mode));
  return modes[0] !== null && modes[1] !== null && modes[0] !== modes[1] && !areOneBridge(one, other);
}

/** A lorry that hits a railway bridge stops road and trains. */
const areOneBridge = (one: Report, other: Report) => one.causes.has('bridge') && other.causes.has('bridge');

/** News may leave open what stopped. */
const areOf = (mode: Report['mode'], { mode: one }: Report, { mode: other }: Report) =>
  (one === mode && (other ?? mode) === mode) || (one === null && other === mode);

/** Each names stations, and none of them is the other's. */
function areAtOtherStations(one: Report, other: Report): boolean {
  const own = (report: Report) => [...report.names].filter((name) => !one.line!.includes(name));
  return (
    own(one).length > 0 &&
    own(other).length > 0 &&
    sharedNames(one, other).every((name) => one.line!.includes(name))
  );
}

/** Both give a cause, and one event can have both. */
const isOfOneCause = (one: Report, other: Report) =>
  one.causes.size > 0 && other.causes.size > 0 && !causesContradict(one.causes, other.causes);

/** A report without a cause may be about any except planned works. */
const mayBeOfOneCause = (one: Report, other: Report) =>
  isOfOneCause(one, other) || (!one.causes.has('works') && !other.causes.has('works'));

/** "Albert Road" and "Albert Street" share no name, and "Tower Bridge" is no part of "Tower Hill". */
const areOneStreet = (one: Report, other: Report, name: string) => {
  const [own, others] = [one, other].map(
    ({ streets, landmarks }) => streets.get(name) ?? landmarks.get(name),
  );
  return own === undefined || others === undefined || own === others;
};

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((word) => other.has(word));

/** The names of one that are a name of the other too, or a part of it, or contain it: "hawick" and "hawick high". */
const inBoth = (one: Iterable<string>, other: Iterable<string>): string[] => {
  const others = [...other].map(properWords);
  return [...one].filter((name) => {
    const words = properWords(name);
    return others.some(
      (more) =>
        words.length * more.length > 0 &&
        (words.every((word) => more.includes(word)) || more.every((word) => words.includes(word))),
    );
  });
};

const properWords = (name: string) => name.split(' ').filter(isPlaceWord);

/** The names that both share. One of them must write it as a name. */
const sharedNames = (one: Report, other: Report) =>
  shared(one.spoken, other.spoken).filter(
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
  if ((one.isBothWays && other.isOneWay()) || (other.isBothWays && one.isOneWay())) return true;
  const [own, others] = [stretchOn(road, one), stretchOn(road, other)];
  return (
    own.length > 0 &&
    others.length > 0 &&
    own.every((part) =>
      others.every((otherPart) => areDisjoint(inCommon(part, one, otherPart, other), part, otherPart)),
    )
  );
}

/** A report that names no slip road means the carriageway. */
const areOfOtherSlips = ({ slip: one }: Report, { slip: other }: Report) =>
  one !== other &&
  one !== 'unsure' &&
  other !== 'unsure' &&
  (one === null || other === null || (one !== 'slip' && other !== 'slip'));

const sharedPart = (road: string, one: Report, other: Report) =>
  stretchOn(road, one).find((part) =>
    stretchOn(road, other).some((otherPart) =>
      overlap(inCommon(part, one, otherPart, other), part, otherPart),
    ),
  );

function onOneRoad(one: Report, other: Report): Evidence | null {
  const road = sharedRoad(one, other);
  if (!road || areApart(one, other)) return null;
  const part = sharedPart(road, one, other);
  if (part) {
    const where = part.from === part.to ? part.from : `${part.from} to ${part.to}`;
    return { rule: 'road', words: `Both name the ${road}, ${where}.`, doubt: 1 };
  }
  // A road keeps a street's name for miles, and in several towns: "A40 Oxford Road".
  const isAnyTowns = (name: string) =>
    kmBetween(one, other) === null &&
    (name.endsWith(' road') || [one, other].every(({ streets }) => streets.get(name) === 'road'));
  const names = sharedNames(one, other).filter(
    (name) => (name.includes(' ') || isPlaceWord(name)) && !isAnyTowns(name),
  );
  const areApartByName = areFar(one, other) || areInOtherAreas(one, other);
  if (names.length > 0 && !areApartByName && mayBeOfOneCause(one, other)) {
    return { rule: 'road', words: `Both name the ${road} at ${inWords(names)}.`, doubt: 2 };
  }
  if ((isInCountyOf(one, other) || isInCountyOf(other, one)) && !areInOtherAreas(one, other))
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

const hasRareCause = (one: Report, other: Report) =>
  shared(one.causes, other.causes).some((cause) => RARE.has(cause));

const isInCountyOf = (one: Report, other: Report) =>
  other.position !== null &&
  other.position.reachKm <= WIDE_KM &&
  hasRareCause(one, other) &&
  one.within.some((box) => isIn(other.position!, box));

/** "J8 to J7" and "near Harlow": the place of one report is beside the stretch of the other, with the same cause. */
function liesOnStretch(road: string, one: Report, other: Report): boolean {
  const { position } = other;
  if (!position?.name || position.reachKm > WIDE_KM || stretchOn(road, other).length > 0) return false;
  // Two on one carriageway may be one, if one of them gives no cause.
  const isOneSide = one.direction !== null && one.direction === other.direction;
  if (!(isOneSide ? mayBeOfOneCause(one, other) : isOfOneCause(one, other))) return false;
  const chain = chainOf(road, other);
  if (!chain) return false;
  return stretchOn(road, one).some((part) => {
    const span = endsOf(part, one);
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
  const { reachKm, name } = report.position!;
  const isStretch = report.sections.length > 0 || stretchOn(road, report).some(({ from, to }) => from !== to);
  if (reachKm === 0) return isStretch ? STRETCH_KM : POINT_KM;
  return reachKm + (name === '' ? 0 : reachKm > ONE_PLACE_KM ? PAST_TOWN_KM / 2 : 1);
}

const STRETCH_KM = 4;
const POINT_KM = 2;
/** From this reach on, a city or region says too little about the place on a road. */
const WIDE_KM = 12;

const stretchOn = (road: string, { stretch }: Report) => stretch.filter((part) => part.road === road);

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
  if (one.line !== other.line) return null;
  if (one.line && !areFar(one, other) && !areAtOtherStations(one, other))
    return { rule: 'line', words: `Both name the ${one.line}.`, doubt: 2 };
  if (shared(one.causes, other.causes).length === 0) return null;
  return areOnOneTrack(one, other) || areOnOneTrack(other, one)
    ? { rule: 'line', words: 'One is on the line that the other names, for the same cause.', doubt: 4 }
    : null;
}

/** "Between Preston and Lancaster" and "near Garstang": the place or section of the second is on the first. */
function areOnOneTrack(one: Report, other: Report): boolean {
  const { position } = other;
  if (one.position?.name || !position || one.roads.length + other.roads.length > 0) return false;
  if (position.name && position.reachKm > TOWN_KM) return false;
  const points = position.name ? [position] : other.ends;
  return (
    areOnSection(one, points) &&
    (isOnlyLine(one, points) || hasRareCause(one, other) || namesPlaceOf(one, other)) &&
    (other.ends.length === 0 || areOnSection(one, other.ends) || areOnSection(other, one.ends))
  );
}

/** Whether all are far from the ends of its section, where other lines run beside it, above all in a city. */
const isOnlyLine = ({ ends }: Report, points: Report['ends']) =>
  points.every(({ latitude, longitude }) =>
    ends.every((end) => kilometres(latitude, longitude, end.latitude, end.longitude) > OTHER_LINES_KM),
  );

const OTHER_LINES_KM = 10;

const namesPlaceOf = (one: Report, other: Report) =>
  sharedNames(one, other).length > 0 ||
  one.sections.some((section) => section.split(' to ').includes(stationWords(other.position!.name)));

/** Whether all of these are beside the straight line between the ends of its section. */
function areOnSection({ ends: [from, to] }: Report, points: Report['ends']): boolean {
  if (!from || !to) return false;
  const ruler = rulerAt(from.latitude);
  const at = ({ latitude, longitude }: (typeof points)[number]): [number, number] => [longitude, latitude];
  const off = Math.min(SECTION_OFF_KM, 1 + ruler.distance(at(from), at(to)) * SECTION_BEND);
  return (
    points.length > 0 &&
    points.every((point) => ruler.pointToSegmentDistance(at(point), at(from), at(to)) <= off)
  );
}

/** How far a railway and the places beside it are from the straight line: at most so far, and a part of its length. */
const SECTION_OFF_KM = 5;
const SECTION_BEND = 0.1;

/** A warning and news about it. For a flood both titles name a place, and its river or a street; for weather they
 *  share a region, and their colours and days do not contradict. */
function ofOneWarning(
  { warned: one, began }: Report,
  { warned: other, ...rest }: Report,
): (Omit<Evidence, 'rule'> & { rule: 'place' }) | null {
  if (!one || !other || one.isOfAgency === other.isOfAgency) return null;
  const [kind] = shared(one.kinds, other.kinds);
  const names = kind === 'flood' ? inBoth(one.all, other.all) : shared(one.all, other.all);
  const inTitles = inBoth(one.title, other.title);
  const isRiver = (name: string) => one.rivers.has(name) || other.rivers.has(name);
  // "River Avon at Evesham", "River Avon at Bath"
  const areTwoPlaces =
    inTitles.every(isRiver) && [one, other].every(({ title }) => [...title].some((name) => !isRiver(name)));
  const isInTitles = inTitles.length > 0 && !areTwoPlaces;
  // "Bangor-on-Dee" is one name, although the warning also names the Dee.
  const others = inBoth(other.all, one.all);
  const words = new Set(others.flatMap(properWords));
  const common = new Set(names.flatMap(properWords).filter((word) => words.has(word)));
  const areTwo = names.length > 1 && others.length > 1 && common.size > 1;
  const isOne =
    kind === 'flood'
      ? areTwo &&
        isInTitles &&
        (one.rivers.size * other.rivers.size === 0 || shared(one.rivers, other.rivers).length > 0) &&
        (!(one.hasHappened || other.hasHappened) ||
          shared(one.signs, other.signs).length > 0 ||
          names.some((name) => one.signs.has(name) || other.signs.has(name)))
      : kind &&
        names.length > 0 &&
        (!one.colour || !other.colour || one.colour === other.colour) &&
        (shared(one.days, other.days).length > 0 ||
          (other.days.size * one.days.size === 0 && Math.abs(began - rest.began) <= WARNED_WITHIN_MS));
  return isOne
    ? { rule: 'place', words: `Both name ${inWords(names)}, for a warning of ${kind}.`, doubt: 4 }
    : null;
}

/** The longest time before a warning begins at which news that names no day can be about it. */
const WARNED_WITHIN_MS = 24 * 60 * 60_000;

/** Both name the same two ports or the ship: "Ullapool - Stornoway", "the Loch Seaforth". */
function onOneCrossing(one: Report, other: Report): Evidence | null {
  if (!areOf('ferry', one, other) || !isOfOneCause(one, other)) return null;
  const names = crossingNames(one, other);
  return names.length < CROSSING_NAMES
    ? null
    : { rule: 'line', words: `Both name ${inWords(names)}, for the same cause.`, doubt: 3 };
}

const CROSSING_NAMES = 2;
/** Words in the names of many ships and ports: "MV Isle of Mull", "MV Isle of Lewis". */
const OF_SHIPS: ReadonlySet<string> = new Set([
  'isle',
  'loch',
  'lough',
  'port',
  'ferry',
  'ferries',
  'island',
]);

/** The "isle" of "Isle of Mull" and "Isle of Lewis" is no name that both share. */
const crossingNames = (one: Report, other: Report) =>
  shared(one.names, other.names).filter(
    (name) =>
      !OF_SHIPS.has(name) ||
      shared(one.sayings, other.sayings).some((whole) => whole.split(' ').includes(name)),
  );

/** "Portsmouth to Caen", "Portsmouth to Fishbourne" */
const areTwoCrossings = (one: Report, other: Report): boolean =>
  one.mode === 'ferry' &&
  other.mode === 'ferry' &&
  Math.min(one.names.size, other.names.size) > 0 &&
  sharedNames(one, other).length === 0;

function atOnePlace(one: Report, other: Report): Evidence | null {
  // If both name roads and these differ, they are two incidents near each other.
  if (one.roads.length > 0 && other.roads.length > 0) return null;
  const km = kmBetween(one, other);
  if (km === null) return atNamed(one, other) ?? atNamed(other, one) ?? atOneStreet(one, other);
  const [own, others] = [one.position!, other.position!];
  const reach = Math.max(own.reachKm, others.reachKm);
  const isSure =
    isOfOneCause(one, other) || (!(one.isOperator && other.isOperator) && mayBeOfOneCause(one, other));
  const isRail = areOf('rail', one, other) && one.roads.length + other.roads.length === 0;
  // An airport is one place, however large it is.
  const isAirport = one.mode === 'air' && other.mode === 'air' && reach <= SMALL_TOWN_KM;
  if (km > ALIAS_KM && (areTwoOfAKind(own.name, others.name) || namesLandmarksApart(one, other))) return null;
  if (isAirport && one.facility && other.facility && !areOneFacility(one.facility, other.facility))
    return null;
  if (km <= PLACE_KM && (isAirport || (reach <= ONE_PLACE_KM && isSure))) {
    return { rule: 'place', words: `They are ${km.toFixed(1)} km apart.`, doubt: 3 };
  }
  const isNear = km <= own.reachKm + others.reachKm + PLACE_KM;
  // One names a station, the other the section or town that contains it.
  const isPassing = shared(one.said, other.said).length === 0;
  const hasCause = shared(one.causes, other.causes).length > 0;
  if (
    isRail &&
    isNear &&
    hasCause &&
    within(reach, ONE_PLACE_KM, SECTION_KM) &&
    !isPassing &&
    namesThePlace(one, other)
  ) {
    return { rule: 'place', words: `They are ${km.toFixed(1)} km apart, for the same cause.`, doubt: 4 };
  }
  if (reach > TOWN_KM || !isNear) return null;
  // Two landmarks of one town: "Botley Interchange, Oxford", "Magdalen Bridge, Oxford".
  const areTwo = own.name !== '' && others.name !== '' && own.name !== others.name;
  if (reach <= ONE_PLACE_KM && areTwo && !namesThePlace(one, other)) return null;
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
  // "Collision on High Street, Bromsgrove", "Bromsgrove: A38 shut".
  if (
    [one, other].some(({ roads }) => roads.length > 0) &&
    [one, other].some(({ streets }) => streets.size > 0)
  )
    return null;
  // Each names a street of its own.
  if (one.mode === 'road' && namesOtherStreets(one, other)) return null;
  return { rule: 'place', words: `Both name ${inWords([own.name])}, for the same cause.`, doubt: 4 };
}

/** Each names streets, and none that the other names. */
const areOnOtherStreets = (one: Report, other: Report) => {
  const [own, others] = [one, other].map(({ streets, said }) =>
    [...streets.keys()].filter((name) => said.has(name)),
  ) as [string[], string[]];
  return own.length > 0 && others.length > 0 && !own.some((name) => others.includes(name));
};

/** "Westminster Bridge" and "Lambeth Bridge", "Tower Bridge" and "Tower Hill" */
const namesLandmarksApart = (one: Report, other: Report) => {
  const [own, others] = [one, other].map(({ landmarks }) =>
    [...landmarks].flatMap(([name, kind]) => (SPANS.has(kind) ? name : [])),
  ) as [string[], string[]];
  return (
    (own.length > 0 && others.length > 0 && !own.some((name) => others.includes(name))) ||
    !shared(one.said, other.said).every((name) => areOneStreet(one, other, name))
  );
};

const SPANS: ReadonlySet<string> = new Set(['bridge', 'tunnel', 'viaduct', 'crossing']);

const within = (value: number, from: number, to: number) => value > from && value <= to;

/** "Terminal 3" and "terminal 1" are two; an airport may be either. */
const areOneFacility = (one: string, other: string) => one === other || /port/.test(one + other);

/** The title of one report names the other's landmark, although it does not say that it is there: "banned from
 *  Humber Bridge". */
function atNamed({ position: at, ...one }: Report, other: Report): Evidence | null {
  if (!at || other.position || !isOfOneCause({ ...one, position: at }, other) || !LANDMARK.test(at.name))
    return null;
  return at.name.split(' ').every((word) => other.words.has(word))
    ? { rule: 'place', words: `Both name ${inWords([at.name])}, for the same cause.`, doubt: 4 }
    : null;
}

const LANDMARK = /\S (?:airport|bridge|tunnel|crossing|viaduct|flyover|interchange|services|pass)$/;

/** Reports of which one has no place that we know, and which name the same street and town: "Castle Street, Conwy". */
function atOneStreet(one: Report, other: Report): Evidence | null {
  if (!isOfOneCause(one, other)) return null;
  if (areInOtherAreas(one, other) || areOnOtherStreets(one, other)) return null;
  const isPlaced = (name: string) => [one, other].every(({ placed }) => placed().has(name));
  const names = sharedNames(one, other).filter(isPlaced);
  if (names.every((name) => COMMON.has(name))) return null;
  const isStreet = names.some((name) => one.streets.has(name) && other.streets.has(name));
  const areAll = names.length >= Math.min(one.names.size, other.names.size);
  if (names.length < STREET_NAMES || !(isStreet || areAll)) return null;
  return { rule: 'place', words: `Both name ${inWords(names)}, for the same cause.`, doubt: 5 };
}

const STREET_NAMES = 2;

/** The words that are in one full name of both: "burton" is a part of two names in "Burton Joyce" and "Burton upon
 *  Trent", and in one with "Burton". */
function sharedFully(one: Report, other: Report): string[] {
  const namesWith = (word: string, { sayings }: Report) =>
    [...sayings].filter((name) => name.split(' ').includes(word));
  return shared(one.placed(), other.placed()).filter((word) => {
    const [own, others] = [namesWith(word, one), namesWith(word, other)];
    return own.length === 0 || others.length === 0 || inBoth(own, others).length > 0;
  });
}

/** Whether each is or says that it is in a town or county, and these are apart. */
function areInOtherAreas(one: Report, other: Report): boolean {
  const [own, others] = [one, other].map(({ position, towns }) => (position ? [position] : towns()));
  const areNear = own!.some((place) =>
    others!.some(
      (another) =>
        kilometres(place.latitude, place.longitude, another.latitude, another.longitude) <=
        WIDE_KM + Math.max(one.position?.reachKm ?? 0, other.position?.reachKm ?? 0),
    ),
  );
  const areBothPlaced = one.position !== null && other.position !== null;
  if (own!.length > 0 && others!.length > 0 && !areNear && !areBothPlaced) return true;
  const [boxes, moreBoxes] = [one.counties(), other.counties()];
  const hold = (counties: readonly Box[], points: readonly Point[]) =>
    counties.some((box) => points.some((at) => isIn(at, box)));
  if (boxes.length > 0 && moreBoxes.length > 0)
    return !hold(boxes, moreBoxes.map(middleOf)) && !hold(moreBoxes, boxes.map(middleOf));
  return [[boxes, other.position] as const, [moreBoxes, one.position] as const].some(
    ([counties, position]) => position && counties.length > 0 && !hold(counties, [position]),
  );
}

const middleOf = ({ north, south, east, west }: Box) => ({
  latitude: (north + south) / 2,
  longitude: (east + west) / 2,
});

/** Whether each names the place at which the other is. */
const eachNamesTheOther = (one: Report, other: Report) =>
  [[one, other] as const, [other, one] as const].every(
    ([{ position }, { sayings }]) => position !== null && sayings.has(position.name),
  );

/** Both name one place for one cause, and only one of them has a point for it, or none. Trains stop at a station for
 *  one fault; in a town with many streets they also share a street or a part of it. */
function byNames(one: Report, other: Report): Evidence | null {
  const names = sharedFully(one, other);
  const isOneStreet =
    names.length > 1 && names.some((name) => one.streets.has(name) && other.streets.has(name));
  const hasCause = shared(one.causes, other.causes).length > 0;
  if (!(hasCause || (isOneStreet && mayBeOfOneCause(one, other)))) return null;
  const isFar = areFar(one, other) && !(hasRareCause(one, other) && eachNamesTheOther(one, other));
  if (isFar || areInOtherAreas(one, other)) return null;
  const road = sharedRoad(one, other);
  if (road ? areApart(one, other) : one.roads.length > 0 && other.roads.length > 0) return null;
  const km = kmBetween(one, other);
  if (km !== null && areAtOtherPlaces(one, other, km)) return null;
  if (areOnOtherStreets(one, other) || namesLandmarksApart(one, other)) return null;
  const places = [one, other].flatMap(({ position }) =>
    position?.name && position.reachKm <= TOWN_KM ? position : [],
  );
  const towns = new Set([
    ...places.flatMap(({ name, reachKm }) => (reachKm > ONE_PLACE_KM ? name.split(' ') : [])),
    ...one.area,
    ...other.area,
  ]);
  const isAir = one.mode === 'air' || other.mode === 'air';
  const isTracked =
    one.roads.length + other.roads.length === 0 &&
    [one, other].some(({ mode }) => mode === 'rail' || mode === 'air' || mode === 'ferry');
  const isPlaced = places.some(({ name }) => {
    const station = stationWords(name);
    // "Newport" is one station of several.
    const isOnly = km !== null || (!name.includes('(') && stationsNamed(keyOf(station)).length < 2);
    const words = new Set([name, station, ...(isAir ? [station.replace(/ airport$/, '')] : [])]);
    return (
      isOnly &&
      [one, other].every(({ sayings, area }) =>
        [...words].some((word) => sayings.has(word) || area.has(word)),
      )
    );
  });
  const isInTown = names.some(
    (name) => towns.has(name) || (!COMMON.has(name) && settlementsNamed(name).length > 0),
  );
  const own = names.filter((name) => !towns.has(name) && (isInTown || !COMMON.has(name)));
  const isOfArea =
    isPlaced ||
    road !== undefined ||
    own.length > 1 ||
    own.some((name) => one.landmarks.has(name) || other.landmarks.has(name)) ||
    shared(one.area, other.said).length + shared(other.area, one.said).length > 0;
  if (!(isTracked ? isPlaced : isOfArea && own.length > 0)) return null;
  if (one.facility && other.facility && !areOneFacility(one.facility, other.facility)) return null;
  return { rule: 'place', words: `Both name ${inWords(names)}, for the same cause.`, doubt: 5 };
}

/** Words of names that every town has: "Royal Infirmary", "Market Place". */
const COMMON: ReadonlySet<string> = new Set(
  'royal infirmary hospital general market place high main church station london victoria park queen queens king kings elizabeth george albert county hall town centre mill bridge new street square university college cathedral castle school shopping retail industrial estate'.split(
    ' ',
  ),
);

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
