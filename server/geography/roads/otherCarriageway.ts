/** Words that one carriageway has reopened say nothing about the other one, which is still closed. */
import { OPPOSITE } from './directions.ts';

const WAY =
  /\b(?:(north|south|east|west)[- ]?bound|([nsew])(?:\/b|b)|((?:anti|counter)[- ]?)?clockwise|(in|out)bound|(both) (?:directions?|ways|carriageways|sides)|(other|opposite) (?:carriageway|direction|side|way))\b/gi;
const SHUT = /\b(?:clos(?:ed|es|ure)|shut|block(?:ed|s))\b/i;
const OPEN =
  /\b(?:re-?open(?:s|ed|ing)?|open(?:ed)?|clear(?:ed)?|(?:closure|restriction)s?\b[^.;]{0,40}\blifted)\b/i;
const HAS_OPENED = /\b(?:re-?opened|(?:now|is|are|fully) (?:open|clear)|cleared|lifted)\b/i;
const NOT_YET =
  /\b(?:not|n['’]t|remain(?:s|ed|ing)?|stays?|still|will|to|until|till|before|once|when|after|expected|should|hoped|due|can|could|may)\b(?: \w+){0,3}? ?(?:re-?open\w*|open\w*|clear\w*|closed|shut|blocked|lifted)\b/i;
/** A closure that stands no longer. "Closed after a crash" stands. */
const WAS_SHUT =
  /\b(?:(?<!\b(?:has|have) )been|was|were|earlier|previous(?:ly)?|following|after)\b[^.;]{0,30}\b(?:clos(?:ed|ures?)|shut|blocked)\b|\b(?:closed|shut|blocked) (?:earlier|for (?:[\w.]+ ){1,3}(?:hours?|minutes))\b/i;
/** "Northbound has not reopened" is a closure. */
export const NOT_OPENED =
  /\b(?:(?:has|have|is|are) not|(?:has|have|is|are)n['’]t)(?: yet)?(?: been)? (?:re-?)?open(?:ed)?\b/i;
export const ROAD = /\b[ABM]\d{1,4}(?:\(M\)|M)?(?!\w)/g;
/** Ends of clauses. One without a word of a state belongs to the next. */
const ENDS = /[.!?;](?=\s|$)|\n|,(?=\s)|\s(?=(?:but|while|whilst|although|though|whereas|and|with)\s)/gi;

/** The most that is read: publishers say first what is closed. */
const READ_MAX = 2000;
const CLAUSES_MAX = 40;

interface Clause {
  from: number;
  to: number;
  /** "N", "S", "both"; null: none is named. */
  way: string | null;
  says: 'shut' | 'opened' | 'opens' | null;
  roads: string[];
}

const AGAINST: Readonly<Record<string, string>> = { ...OPPOSITE, IN: 'OUT', OUT: 'IN' };

/** The other direction of a road: "S" for "N"; undefined for "both" and "other". */
export const oppositeOf = (way: string): string | undefined => AGAINST[way];

/** The direction that words give: "N", "CW", "OUT", "both", "other"; null: none. */
export function wayIn(said: string): string | null {
  const ways = new Set<string>();
  for (const [all, point, short, anti, bound, both, other] of said.matchAll(WAY)) {
    if (point ?? short) ways.add((point ?? short)!.charAt(0).toUpperCase());
    else if (bound) ways.add(bound.toUpperCase());
    else if (both) ways.add('both');
    else if (other) ways.add('other');
    else if (all) ways.add(anti ? 'AC' : 'CW');
  }
  return ways.size > 1 ? 'both' : ([...ways][0] ?? null);
}

function stateIn(said: string): Clause['says'] {
  if (NOT_OPENED.test(said)) return 'shut';
  const isShut = SHUT.test(said);
  if (!OPEN.test(said)) return isShut && !WAS_SHUT.test(said) ? 'shut' : null;
  if (NOT_YET.test(said)) return isShut ? 'shut' : 'opens';
  return HAS_OPENED.test(said) || !isShut ? 'opened' : 'shut';
}

function clausesIn(text: string): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  const add = (to: number) => {
    const said = text.slice(from, to);
    clauses.push({ from, to, way: wayIn(said), says: stateIn(said), roads: said.match(ROAD) ?? [] });
    from = to;
  };
  let [last, hasState] = [0, false];
  for (const { 0: mark, index } of text.matchAll(ENDS)) {
    if (clauses.length >= CLAUSES_MAX) break;
    const said = text.slice(last, index);
    last = index;
    hasState ||= SHUT.test(said) || OPEN.test(said);
    if (!hasState && !/[.!?;\n]/.test(mark)) continue;
    add(index);
    hasState = false;
  }
  add(text.length);
  return clauses;
}

/** The text with blanks for the words that another carriageway than a closed one has reopened. Its length and its
 *  roads stay. `own`: the direction of closures for which the words give none ("N"). Without it they are of both. */
export function withoutOtherCarriageway(whole: string, own: string = 'both'): string {
  const text = whole.slice(0, READ_MAX);
  if (!OPEN.test(text) || text.search(WAY) < 0 || !(SHUT.test(text) || NOT_OPENED.test(text))) return whole;
  const clauses = clausesIn(text);
  const openings = clauses.filter(({ says, way }) => says === 'opened' && way !== null);
  const standing = clauses
    .filter(({ says }) => says === 'shut')
    .map((one) => ({ ...one, way: one.way ?? own }))
    .filter(
      (one) => !openings.some(({ way, from }) => from > one.from && (way === one.way || way === 'both')),
    );
  const opened = new Set(openings.map(({ way }) => way));
  let read = text;
  const blank = (from: number, to: number) => {
    let left = '';
    let at = from;
    for (const { 0: road, index } of text.slice(from, to).matchAll(ROAD)) {
      left += ' '.repeat(from + index - at) + road;
      at = from + index + road.length;
    }
    read = read.slice(0, from) + left + ' '.repeat(to - at) + read.slice(to);
  };
  for (const one of clauses) {
    const { way, says, from, to, roads } = one;
    if (way === null || way === 'both' || (says !== 'opened' && says !== 'opens')) continue;
    const shut = standing.find(
      (other) =>
        (way === 'other' ||
          oppositeOf(way) === other.way ||
          (other.way === 'both' && says === 'opened' && opened.size === 1)) &&
        isOneRoad(roads, other, clauses),
    );
    if (!shut) continue;
    const said = text.slice(from, to);
    const first = Math.min(...[WAY, OPEN].map((words) => said.search(words)));
    blank(from + first, to);
    // "M6 southbound closed. M6 southbound has reopened, northbound closed": the direction is the closed one.
    if (shut.way === 'both') continue;
    for (const before of clauses) {
      if (before.says !== 'shut' || before.way !== way || before.from > from) continue;
      for (const { 0: words, index } of text.slice(before.from, before.to).matchAll(WAY))
        blank(before.from + index, before.from + index + words.length);
    }
  }
  return read + whole.slice(READ_MAX);
}

/** In doubt it is the same road, so that it stays closed. */
function isOneRoad(roads: readonly string[], shut: Clause, clauses: readonly Clause[]): boolean {
  if (roads.length === 0) return true;
  const own =
    shut.roads.length > 0
      ? shut.roads
      : clauses.filter(({ from }) => from < shut.from).flatMap((one) => one.roads);
  return own.length === 0 || roads.some((road) => own.includes(road));
}
