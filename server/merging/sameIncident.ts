/**
 * Whether two sources report the same incident. Never by words alone: they point to each other; or name one road with
 * a stretch or position in common; or one line or the same two ends of it; or they are at one place. In each case both
 * are of one phase and began within an hour of each other.
 */
import type { Phase } from '#contract/disruptions.ts';
import type { Direction, Facts, Stretch } from '#contract/facts.ts';

/** What is compared of an incident. */
export interface Report {
  event_id: string;
  source: string;
  event_type: string;
  phase: Phase;
  /** ISO 8601, UTC. */
  start_time: string;
  title: string;
  /** WGS84 degrees; `isExact`: the publisher's own, not that of a town that it names. */
  position: { latitude: number; longitude: number; isExact: boolean } | null;
  facts: Pick<Facts, 'place' | 'cause' | 'roads' | 'stretch' | 'direction'>;
  /** Incidents that it says it is about. */
  related: readonly string[];
}

export type Rule = 'link' | 'road' | 'line' | 'place';

export interface Evidence {
  rule: Rule;
  /** In words, for whoever asks why: "Both name the M62, J26 to J27. They began 12 minutes apart." */
  words: string;
  /** The lower, the surer. */
  doubt: number;
}

export const BEGAN_WITHIN_MS = 60 * 60_000;
/** Two positions that publishers give for one incident on a road; and where one is that of a town. */
const ROAD_KM = 3;
const ROAD_BY_TOWN_KM = 8;
const PLACE_KM = 1;

/** A report with what is read out of its words for comparing it, once. */
export interface Comparable extends Report {
  /** In ms since 1970. */
  began: number;
  cause: string | null;
  /** What it is about; null: of anything on the ground. */
  subject: string | null;
  /** "piccadilly line"; null where none is named. */
  line: string | null;
  /** "huddersfield to leeds" for both ways of naming it; null where the place is not a section. */
  section: string | null;
}

export const comparable = (report: Report): Comparable => ({
  ...report,
  began: Date.parse(report.start_time),
  cause: causeOf(report),
  subject: subjectOf(report),
  line: lineOf(report),
  section: sectionOf(report),
});

/** Why these are the same incident; null if nothing shows it. */
export function sameIncident(one: Comparable, other: Comparable): Evidence | null {
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
function disagree(one: Comparable, other: Comparable): boolean {
  if (one.cause && other.cause && one.cause !== other.cause) return true;
  // A newsroom or the police write of anything.
  return one.subject !== null && other.subject !== null && one.subject !== other.subject;
}

function subjectOf({ event_type }: Report): string | null {
  const [subject = ''] = event_type.split('.');
  if (event_type === 'road.roadworks') return 'roadworks';
  return ['police', 'news', 'social'].includes(subject) ? null : subject;
}

/** Causes that exclude each other. */
const CAUSES: readonly (readonly [string, RegExp])[] = [
  ['collision', /\b(?:collision|crash|accident|overturned|jackknifed|hit)/i],
  ['breakdown', /\bbroken[- ]?down|\bbreakdown/i],
  ['flood', /\b(?:flood|standing water|burst water)/i],
  ['tree', /\btree/i],
  ['fire', /\bfire/i],
  ['spill', /\b(?:spill|debris|shed load)/i],
  ['snow', /\b(?:snow|ice)\b/i],
  ['landslip', /\blandsl/i],
  ['signals', /\bsignal/i],
  ['power', /\b(?:power|overhead|electric)/i],
  ['points', /\bpoints\b/i],
  ['works', /\b(?:roadworks|engineering|resurfacing|maintenance)/i],
  ['strike', /\b(?:strike|industrial action)/i],
  ['trespass', /\btrespass/i],
];

const causeOf = ({ facts, title }: Report) =>
  CAUSES.find(([, words]) => words.test(facts.cause ?? title))?.[0] ?? null;

function onOneRoad(one: Report, other: Report): Evidence | null {
  const road = one.facts.roads.find((name) => other.facts.roads.includes(name));
  if (!road || areOpposite(one.facts.direction, other.facts.direction)) return null;
  const [own, others] = [stretchOn(road, one), stretchOn(road, other)];
  if (own.length > 0 && others.length > 0) {
    const common = own.find((part) => others.some((otherPart) => overlap(part, otherPart)));
    if (!common) return null;
    const where = common.from === common.to ? common.from : `${common.from} to ${common.to}`;
    return { rule: 'road', words: `Both name the ${road}, ${where}.`, doubt: 1 };
  }
  const km = kmBetween(one, other);
  const isExact = one.position?.isExact && other.position?.isExact;
  if (km === null || km > (isExact ? ROAD_KM : ROAD_BY_TOWN_KM)) return null;
  return { rule: 'road', words: `Both name the ${road}, ${km.toFixed(1)} km apart.`, doubt: isExact ? 2 : 3 };
}

const stretchOn = (road: string, { facts }: Report) => facts.stretch.filter((part) => part.road === road);

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

/** Lines that more than one publisher reports on, by a name that means nothing else. */
const LINES =
  /\b(bakerloo|central line|circle line|district line|hammersmith (?:and|&) city|jubilee line|metropolitan line|northern line|piccadilly|victoria line|waterloo (?:and|&) city|elizabeth line|docklands light railway|dlr|liberty line|lioness line|mildmay line|suffragette line|weaver line|windrush line)\b/i;

function onOneLine(one: Comparable, other: Comparable): Evidence | null {
  if (one.line && one.line === other.line) {
    return { rule: 'line', words: `Both name the ${one.line}.`, doubt: 2 };
  }
  if (!one.section || one.section !== other.section || !isOfRail(one, other)) return null;
  return { rule: 'line', words: `Both name the line ${one.facts.place}.`, doubt: 2 };
}

/** Both can be about trains, and one is. */
const isOfRail = (...reports: Comparable[]) => reports.some(({ subject }) => subject === 'rail');

function lineOf({ title, facts }: Report): string | null {
  const name = LINES.exec(facts.place ?? '')?.[0] ?? LINES.exec(title)?.[0];
  return name?.toLowerCase().replace('docklands light railway', 'DLR').replace(/^dlr$/, 'DLR') ?? null;
}

function sectionOf({ facts: { place } }: Report): string | null {
  const [from, to, more] = place?.toLowerCase().split(' to ') ?? [];
  return from && to && more === undefined ? [from, to].sort().join(' to ') : null;
}

function atOnePlace(one: Comparable, other: Comparable): Evidence | null {
  // Roads that both name and that differ are two incidents near each other.
  if (one.facts.roads.length > 0 && other.facts.roads.length > 0) return null;
  // The police and newsrooms write of places; an airport or a flood has its own source.
  if (one.subject !== null && other.subject !== null) return null;
  const km = kmBetween(one, other);
  if (km === null || km > PLACE_KM || !one.position!.isExact || !other.position!.isExact) return null;
  return { rule: 'place', words: `They are ${km.toFixed(1)} km apart.`, doubt: 3 };
}

const KM_PER_DEGREE = 111.2;

function kmBetween({ position: one }: Report, { position: other }: Report): number | null {
  if (!one || !other) return null;
  const east = (one.longitude - other.longitude) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, east) * KM_PER_DEGREE;
}
