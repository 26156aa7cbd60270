/** Words that one carriageway has reopened say nothing about the other one, which is still closed. */
import { OPPOSITE } from './directionWords.ts';
import { everyMatch } from './everyMatch.ts';

const WAY =
  /\b(?:(north|south|east|west)[- ]?bound|([nsew])(?:\/b|b)|((?:anti|counter)[- ]?)?clockwise|(in|out)bound|(both) (?:directions?|ways|carriageways|sides)|(other|opposite) (?:carriageway|direction|side|way))\b/gi;
const TOWARDS =
  /\b(?:[Tt]owards|[Ii]nto) (?:the )?(\p{Lu}[\p{L}'’]+)|(?<!\p{L})(\p{Lu}[\p{L}'’]+|[Cc]oast|[Cc]ity|[Cc]ountry)(?:[- ]|(?<=[Cc]oast|[Cc]ity|[Cc]ountry))bound\b/gu;
const SHUT =
  /\b(?:clos(?:ed|es|ures?)|shuts?|block(?:ed|s)|(?:is|are|remains?|still|being) held|(?:still|only|down to) (?:one|a single) lane)\b/i;
/** "Westbound is not closed", "southbound unaffected" */
const IS_NOT_SHUT =
  /\b(?:(?:is|are|was|were) not|never) (?:closed|shut|blocked)\b|\bno (?:road )?closures?\b|\bclosures?\b[^.;]{0,40}\b(?:cancelled|called off)\b|\b(?:un|not )affected\b|\b(?:moving|running|flowing) (?:well|normally|freely|as (?:normal|usual))\b/i;
const OPEN = new RegExp(
  String.raw`\b(?:re-?open(?:s|ed|ing)?|open(?:ed)?|clear(?:ed)?|released|(?:closure|restriction)s?\b[^.;]{0,40}\b(?:lifted|removed))\b|${IS_NOT_SHUT.source}`,
  'i',
);
const HAS_OPENED = /\b(?:re-?opened|(?:now|is|are|fully) (?:open|clear)|cleared|lifted|removed|released)\b/i;
const NOT_YET =
  /\b(?:not|n['’]t|remain(?:s|ed|ing)?|stays?|still|will|to|until|till|before|once|when|after|expected|estimated|anticipated|likely|planned|should|hoped|due|can|could|may)\b(?: \w+){0,3}? ?(?:re-?open\w*|open\w*|clear\w*|closed|shut|blocked|lifted)\b/i;
/** A closure that stands no longer: "following an earlier closure", "after being closed", "closed for six hours". */
const IS_PAST =
  /\b(?:after|following|earlier|previous)\b[^.,;]{0,30}\bclosures?\b(?! (?:is|are|remains?|stays?|in)\b)|\b(?:after|having) (?:being|been|having been|(?:it|they) (?:was|were)) (?:\w+ )?(?:closed|shut|blocked)\b|(?<!\b(?:remains?|stays?|still|be|has been|have been|is|are) )\b(?:closed|shut|blocked)\b[^.;]{0,20}? for (?:[\w.]+ ){1,3}(?:hours?|minutes)\b/gi;
/** "Northbound was closed. Southbound has reopened": it stands. "Southbound has reopened. It was closed at 06:00": it
 *  is past. */
const WAS_SHUT = new RegExp(
  String.raw`${IS_PAST.source}|\b(?:(?<!\b(?:has|have) )been|was|were)\b[^.;]{0,30}\b(?:closed|shut|blocked)\b|(?<!\b(?:remains?|stays?|still|be|been|is|are) )\b(?:closed|shut|blocked) earlier\b`,
  'gi',
);
/** "Northbound has not reopened" is a closure. */
export const NOT_OPENED =
  /\b(?:(?:has|have|is|are) not|(?:has|have|is|are)n['’]t)(?: yet)?(?: been)? (?:re-?)?open(?:ed)?\b/i;
export const ROAD = /\b[ABM]\d{1,4}(?:\(M\)|M)?(?!\w)/g;
const PLACE = /\b(?:J\d|junctions? \d)|\b(?:at|near|between|in|from) (?:the )?(?!\p{Lu}\p{Ll}+day\b)\p{Lu}/u;
const JUNCTION = /\b(?:J|junctions? )(\d+\w?)/gi;
/** Words of a place in a clause, and roads. */
const PLACES =
  /\b(?:J\d+\w?|junctions? \d+\w?|[ABM]\d{1,4}(?:\(M\)|M)?(?!\w)|(?:at|near|between|in|from|to|and)(?= (?:the )?(?:J\d|junction|\p{Lu}))|(?!\p{Lu}\p{Ll}+day\b|Re-?open|Open|Clos|Clear|Shut|Block|All\b|Lane|Traffic)\p{Lu}\p{Ll}+)/gu;
/** Ends of clauses. One without a word of a state belongs to the next. */
const ENDS =
  /[.!?;](?=\s|$)|\n|,(?=\s)|\s(?=(?:but|while|whilst|although|though|whereas|and(?! (?:J?\d|junction|(?-i:\p{Lu})))|with|as)\s)/giu;

/** The most that is read: publishers say first what is closed. */
const READ_MAX = 2000;
const CLAUSES_MAX = 40;

interface Clause {
  from: number;
  to: number;
  /** "N", "S", "both", "to Hull", by itself or by the clause before; null: none is named. */
  way: string | null;
  says: 'shut' | 'opened' | 'opens' | null;
  roads: string[];
  junctions: string[];
}

const AGAINST: Readonly<Record<string, string>> = { ...OPPOSITE, IN: 'OUT', OUT: 'IN' };

/** The other direction of a road: "S" for "N"; undefined for "both" and "other". */
export const oppositeOf = (way: string): string | undefined => AGAINST[way];

/** Whether one of two directions can be open while the other is closed. */
export const areTwoWays = (one: string, another: string): boolean =>
  one === 'other' ||
  oppositeOf(one) === another ||
  (one !== another && [one, another].every((way) => way.startsWith('to ')) && !areOfCoast(one, another));

/** "Coastbound" and "Dover-bound" are one side, "coastbound" and "London-bound" are two. */
const areOfCoast = (...ways: readonly string[]): boolean =>
  ways.includes('to coast') && !ways.includes('to london');

/** The direction that words give: "N", "CW", "OUT", "to Hull", "both", "other"; null: none. */
export function wayIn(said: string): string | null {
  const ways = new Set<string>();
  for (const [all, point, short, anti, bound, both, other] of everyMatch(said, WAY)) {
    if (point ?? short) ways.add((point ?? short)!.charAt(0).toUpperCase());
    else if (bound) ways.add(bound.toUpperCase());
    else if (both) ways.add('both');
    else if (other) ways.add('other');
    else if (all) ways.add(anti ? 'AC' : 'CW');
  }
  const [[, before, after] = []] = ways.size === 0 ? everyMatch(said, TOWARDS, 1) : [];
  const towards = before ?? after;
  return ways.size > 1 ? 'both' : ([...ways][0] ?? (towards ? `to ${towards.toLowerCase()}` : null));
}

function stateIn(said: string, hasOpened: boolean): Clause['says'] {
  if (NOT_OPENED.test(said)) return 'shut';
  if (IS_NOT_SHUT.test(said)) return 'opened';
  const isShut = SHUT.test(said);
  if (!OPEN.test(said)) return SHUT.test(said.replace(hasOpened ? WAS_SHUT : IS_PAST, ' ')) ? 'shut' : null;
  if (NOT_YET.test(said)) return isShut ? 'shut' : 'opens';
  return HAS_OPENED.test(said) || !isShut ? 'opened' : 'shut';
}

function clausesIn(text: string): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  const add = (to: number) => {
    const said = text.slice(from, to);
    // "It reopened northbound at 07:30 and southbound at 08:15"
    const goesOn = /^ and\b/i.test(said) && clauses.at(-1)?.says === 'opened' && wayIn(said) !== null;
    const hasOpened = clauses.some((before) => before.says === 'opened');
    const says = stateIn(said, hasOpened) ?? (goesOn ? 'opened' : null);
    // "Southbound reopened first. The road has now reopened": the second is about all of it.
    const isNew = says === 'opened' && /^[.!?\n]/.test(said);
    const way = wayIn(said) ?? (isNew ? null : (clauses.at(-1)?.way ?? null));
    const junctions = everyMatch(said, JUNCTION).map(([, number]) => number!);
    clauses.push({ from, to, way, says, roads: said.match(ROAD) ?? [], junctions });
    from = to;
  };
  let [last, hasState] = [0, false];
  for (const { 0: mark, index } of everyMatch(text, ENDS)) {
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
  if (last.whole !== whole || last.own !== own) last = { whole, own, read: withoutOther(whole, own) };
  return last.read;
}

/** The last result, because the roads and the times of a report are read one after the other. */
let last = { whole: '', own: '', read: '' };

function withoutOther(whole: string, own: string): string {
  const text = whole.slice(0, READ_MAX);
  if (
    !OPEN.test(text) ||
    (wayIn(text) === null && (text.match(JUNCTION)?.length ?? 0) < 2) ||
    ![SHUT, NOT_OPENED, NOT_YET].some((words) => words.test(text))
  )
    return whole;
  const clauses = clausesIn(text);
  const openings = clauses.filter(({ says, way }) => says === 'opened' && way !== null);
  // A carriageway that will reopen is still closed.
  const standing = clauses
    .filter(({ says, way }) => says === 'shut' || (says === 'opens' && way !== null))
    .map((one) => ({ ...one, way: one.way ?? own }))
    .filter(
      (one) =>
        !openings.some(
          (open) =>
            open.from > one.from && (open.way === one.way || open.way === 'both') && !areApart(open, one),
        ),
    );
  const opened = new Set(openings.map(({ way }) => way));
  let read = text;
  const blank = (from: number, to: number, kept = ROAD) => {
    let left = '';
    let at = from;
    for (const { 0: road, index } of everyMatch(read.slice(from, to), kept)) {
      left += ' '.repeat(from + index - at) + road;
      at = from + index + road.length;
    }
    read = read.slice(0, from) + left + ' '.repeat(to - at) + read.slice(to);
  };
  const blankWays = (from: number, to: number) => {
    for (const words of [WAY, TOWARDS])
      for (const { 0: said, index } of everyMatch(text.slice(from, to), words))
        blank(from + index, from + index + said.length);
  };
  for (const one of clauses) {
    const { way, says, from, to, roads } = one;
    if (says !== 'opened' && says !== 'opens') continue;
    const isOneWay = way !== null && way !== 'both';
    const own = standing.filter(
      (other) => (says === 'opened' || other.says === 'shut') && isOneRoad(roads, other, clauses),
    );
    const shut =
      own.find((other) => areApart(one, other) || (isOneWay && areTwoWays(way, other.way))) ??
      own.find((other) => isOneWay && other.way === 'both' && says === 'opened' && opened.size === 1);
    if (!shut) continue;
    const said = text.slice(from, to);
    const first = [WAY, TOWARDS, OPEN].map((words) => said.search(words)).filter((at) => at >= 0);
    // "Southbound has reopened at J9 but northbound is closed" closes J9.
    blank(from + Math.min(...first), to, PLACE.test(text.slice(shut.from, shut.to)) ? ROAD : PLACES);
    blankWays(from, to);
    // "M6 southbound closed. M6 southbound has reopened, northbound closed": the direction is the closed one.
    if (way === null || shut.way === 'both' || shut.way === way) continue;
    for (const before of clauses) {
      if ((before.way !== way && before.way !== 'both') || before.from >= from) continue;
      if (before.says === 'shut' && before.way === way) {
        const at = text.slice(before.from, before.to).search(SHUT);
        if (at >= 0) blank(before.from + at, before.to, PLACES);
      }
      blankWays(before.from, before.to);
    }
  }
  return read + whole.slice(READ_MAX);
}

/** "M23 closed at J9, J10 has reopened" */
const areApart = (one: Clause, other: Clause): boolean =>
  one.junctions.length > 0 &&
  other.junctions.length > 0 &&
  !one.junctions.some((junction) => other.junctions.includes(junction));

/** In doubt it is the same road, so that it stays closed. */
function isOneRoad(roads: readonly string[], shut: Clause, clauses: readonly Clause[]): boolean {
  if (roads.length === 0) return true;
  const own =
    shut.roads.length > 0
      ? shut.roads
      : clauses.filter(({ from }) => from < shut.from).flatMap((one) => one.roads);
  return own.length === 0 || roads.some((road) => own.includes(road));
}
