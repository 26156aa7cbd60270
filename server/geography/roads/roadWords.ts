/**
 * Roads as words name them, each with its role: what is affected, what only says where (a limit), a way round, where a
 * queue ends, or a part of a name. Of an affected road its carriageway, stretch, slip road and what is closed. Every
 * pattern takes time in proportion to the text, and no more than its beginning is read.
 */
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { Closed, Direction, Slip, Stretch } from '#contract/incidents/facts.ts';
import { closedIn, slipIn } from './closedWords.ts';
import { labelPosition } from './junctionLabels.ts';
import {
  junctionIndex,
  junctionName,
  periodOf,
  roadTable,
  senseOf,
  type Chain,
  type RoadTable,
  type Sense,
} from './roadTable.ts';
import { isPlaced, roleOf, type Heard, type RoadRole } from './roadRoles.ts';
import { isDestination, positionsNamed, senseTowards, signOf } from './directions.ts';
import { sentencesIn, type Sentence } from './wayRoundSentences.ts';

export interface Range {
  from: number;
  to: number;
}

export interface RoadUse {
  /** Normal form: "M62", "A1(M)", "M6 Toll". */
  road: string;
  role: RoadRole;
  /** Where the text names it first in this role; null: only the publisher's field names it. */
  at: Range | null;
  /** As signs on the road have it. Null: not told. */
  direction: Direction | 'both' | null;
  /** On the road's chain. Null: not told, both, or the road is not in our table. */
  sense: Sense | null;
  /** In the order of the text: "J26", on another road "M62 J27" or "A43", or a name. */
  stretch: Omit<Stretch, 'road'>[];
  slip: Slip | null;
  closed: Closed;
}

interface ReadAs {
  table?: RoadTable;
  /** Whether of Northern Ireland; by default as the words have it. */
  isIrish?: boolean;
  /** Roads that the publisher's field gives: no other road is affected. */
  roads?: readonly string[];
}

/** Characters: publishers name the place first. */
const READ_MAX = 2000;
/** An honest text has a few. */
const ROADS_MAX = 30;
const JUNCTIONS_MAX = 40;
const WAYS_MAX = 20;

/** Not a postcode: the "M1" of "M1 2AB". */
const ROAD = /\b(?:M6 ?Toll|A\d{1,4}(?: ?\(M\)|M)?|M\d{1,4}|B\d{3,4})(?!\w)(?! \d[A-Z]{2}\b)/gi;

const UNITS = 'one|two|three|four|five|six|seven|eight|nine';
const TEENS = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const TENS = 'twenty|thirty|forty|fifty';
const NUMBER_WORD = `(?:${TENS})(?:[- ](?:${UNITS}))?|${TEENS}|${UNITS}`;

/** "J26", "Jct. 4", "junction 21A", "junction three", "cyffordd 28"; "J8/9" is one junction. */
const JUNCTION = new RegExp(
  String.raw`\b(?:junctions?|j(?:cts?|ns?|unc|cn)?|[cg]h?yffyrdd|[cg]h?yffordd)\.? ?(?:(T\d|\d{1,2}[A-Z]?(?:\/\d{1,2}[A-Z]?)?)\b|(${NUMBER_WORD})\b)`,
  'gi',
);
/** The M6 Toll's need no other word. */
const TOLL_JUNCTION = /\b(T[1-8])\b/g;
/** "C28" of "cyffordd" in Welsh texts. */
const WELSH_JUNCTION = /\bC(\d{1,2}[A-Z]?)\b/g;
const WELSH =
  /\b(?:ar gau|ar agor|oedi|gwrthdrawiad|tua['’]r|rhwng|cyfeiriad|lôn|gogledd|dwyrain|gorllewin|ffordd|gwaith)\b/i;

/** The far end where only the first is called a junction: "J26-27", "junctions 26 and 27". */
const BARE_END =
  /^ ?(to|and|[-–—]) ?(\d{1,2}[A-Z]?|(?:twenty|thirty|forty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)\b(?![:.]\d)(?!\s*(?:%|am\b|pm\b|(?:mile|min|hour|metre|yard|lane|vehicle|km|mph)))/i;

/** Between two ends of one stretch; a name in brackets or words may stand there too: "J26 Malpas to J24". */
const GAP_MAX = 60;

const BOTH = String.raw`\b(?:both (?:directions?|ways|carriageways|sides|bounds)|(?<=: )both(?= :)|(?:each|either) (?:direction|way)|all (?:directions|approaches)|(?:in )?two[- ]way closure|[iy]['’]?r? ?ddau gyfeiriad|bothways)\b`;
const POINT = String.raw`\b(north|south|east|west)(?: ?[- ]?bound|wards?|erly)\b|(?:\btua['’]?r |(?<=: ))(gogledd|dwyrain|gorllewin|de)\b`;
const SHORT = String.raw`(?<![\w'’])([nsew])(?:[/'’.]b\.?|[/'’.-]?bound|['’]?bnd|b)(?![\w/])|(?<=\d(?:\(M\))? ?\()([nsew])(?=\))`;
const ROUND = String.raw`\b(?:(anti|counter)[- ]?)?clockwise\b`;
const RING = String.raw`\b(inner|outer)(?= (?:carriageway|loop))`;
/** The longest name has three words. */
const NAME_BOUND = String.raw`\b((?:[\p{L}'’]{1,20}[ -]){0,2}?[\p{L}'’]{1,20}?)(?:[- ]bound|(?<=coast|london|city|country|town|in|out)bound)\b`;
const TOWARDS = String.raw`\b(?:towards?|heading (?:to|for|into)|travelling to|in the direction of|(?<=\()to|direction|(?<=\d )into)\s+(?=[\p{L}])`;
/** Words begin so that any of them may be one: at others nothing is tried. */
const AT_WAY = String.raw`(?<![\p{L}\d_])(?=[abcdeghinostwy])`;
const WAYS = new RegExp(`${BOTH}|${POINT}|${SHORT}|${ROUND}|${RING}|${NAME_BOUND}|${TOWARDS}`, 'giu');
/** Most texts have no "Hull-bound", which is looked for at every word. */
const BOUND = /(?<!north|south|east|west)[- ]bound|(?:coast|london|city|country|town|in|out)bound/i;
const PLAIN_WAYS = new RegExp(`${AT_WAY}(?:${BOTH}|${POINT}|${SHORT}|${ROUND}|${RING}|${TOWARDS})`, 'giu');
/** Right after a road: "M1 south at J24", not "A1 South Mimms". */
const AFTER_ROAD =
  /^ ?(north|south|east|west)(?=[,;:]|$| (?!of\b|from\b|and\b|east\b|west\b|to\b[^J]{0,20}$)[a-z]| J\d)/;

const POINTS: Readonly<Record<string, Direction>> = {
  n: 'N',
  s: 'S',
  e: 'E',
  w: 'W',
  gogledd: 'N',
  de: 'S',
  dwyrain: 'E',
  gorllewin: 'W',
};

/** A road or a junction of the text. */
interface Found<What> {
  what: What;
  at: number;
  end: number;
}

interface Mention extends Found<string> {
  role: RoadRole;
  sentence: Sentence;
}

/** End of a stretch: a junction of the road, another road, or a place. */
interface End extends Found<string> {
  /** The road whose junction it is, or that it is itself; null: a place. */
  road: string | null;
}

interface Said {
  way: Direction | 'both' | null;
  /** A place that it leads to. */
  towards: string | null;
  at: number;
  end: number;
}

/** Affected roads first, then by role; each road once in each role. */
export function readRoadWords(text: string, as: ReadAs = {}): RoadUse[] {
  const table = as.table ?? roadTable();
  // Whole words: "M6" of "M62" is another road.
  const words = text.length > READ_MAX ? text.slice(0, Math.max(0, text.lastIndexOf(' ', READ_MAX))) : text;
  const sentences = sentencesIn(words);
  const mentions = mentionsIn(words, sentences, as.roads ?? []);
  if (mentions.length === 0 && !as.roads?.length) return [];

  const fields = (as.roads ?? []).filter((road) => !mentions.some(({ what }) => what === road));
  const affected = [
    ...new Set([...fields, ...mentions.filter(({ role }) => role === 'affected').map(({ what }) => what)]),
  ];
  const isIrish =
    as.isIrish ?? (affected.some((road) => table.named(road).length > 1) && isIrishText(words, table));
  const chainOf = (road: string): Chain | null => {
    const all = table.named(road);
    return all.find(({ id }) => (id !== road) === isIrish) ?? all[0] ?? null;
  };
  const reading: Reading = { words, sentences, mentions, affected, chainOf, table };
  const stretches = stretchesOf(reading);
  const ways = waysOf(reading);

  const uses = affected.map((road): RoadUse => {
    const own = mentions.find(({ what, role }) => what === road && role === 'affected');
    const stretch = stretches.get(road) ?? [];
    const chain = chainOf(road);
    const { direction, sense } = directionOf(chain, ways.get(road) ?? [], stretch, reading);
    const clauses = clausesOf(road, reading);
    return {
      road,
      role: 'affected',
      at: own ? { from: own.at, to: own.end } : null,
      direction,
      sense,
      stretch,
      slip: slipIn(clauses),
      closed: closedIn(clauses),
    };
  });
  const seen = new Set(affected.map((road) => `${road} affected`));
  for (const { what: road, role, at, end } of mentions) {
    if (seen.has(`${road} ${role}`) || affected.includes(road)) continue;
    seen.add(`${road} ${role}`);
    uses.push({
      road,
      role,
      at: { from: at, to: end },
      direction: null,
      sense: null,
      stretch: [],
      slip: null,
      closed: 'unknown',
    });
  }
  return uses;
}

export interface Mark extends Range {
  use: RoadRole | 'stretch' | 'direction';
}

/** Uses of the words of a text, in their order; none lies over another. */
export function readMarks(text: string, { table = roadTable(), roads = [] }: ReadAs = {}): Mark[] {
  const words = text.slice(0, READ_MAX);
  const sentences = sentencesIn(words);
  const mentions = mentionsIn(words, sentences, roads);
  const marks: Mark[] = mentions.map(({ role, at, end }) => ({ use: role, from: at, to: end }));
  if (marks.length === 0) return [];
  for (const { at, end } of junctionsIn(words)) marks.push({ use: 'stretch', from: at, to: end });
  for (const { at, end } of saysIn(words, table)) marks.push({ use: 'direction', from: at, to: end });
  marks.sort((one, other) => one.from - other.from);
  return marks.filter(({ from }, index) => from >= Math.max(0, ...marks.slice(0, index).map(({ to }) => to)));
}

interface Reading {
  words: string;
  sentences: readonly Sentence[];
  mentions: readonly Mention[];
  affected: readonly string[];
  chainOf(road: string): Chain | null;
  table: RoadTable;
}

function mentionsIn(words: string, sentences: readonly Sentence[], fields: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  const heard: Heard = { words, hasAffected: false, fields };
  for (const match of words.matchAll(ROAD)) {
    if (mentions.length >= ROADS_MAX) break;
    const what = normalRoad(match[0]);
    const end = match.index + match[0].length;
    const sentence = sentences.find(({ to }) => match.index < to) ?? sentences.at(-1)!; // there is one for each word
    const before = mentions.at(-1);
    const role = roleOf({ what, at: match.index, end }, sentence, before ?? null, heard);
    mentions.push({ what, role, at: match.index, end, sentence });
    if (role === 'affected') heard.hasAffected = true;
  }
  if (fields.length > 0) {
    const said = new Set(mentions.filter(({ role }) => role === 'affected').map(({ what }) => what));
    for (const mention of mentions) {
      if (fields.includes(mention.what)) {
        if (mention.role === 'limit' || mention.role === 'destination' || said.has(mention.what))
          mention.role = 'affected';
      } else if (mention.role === 'affected') mention.role = 'limit';
    }
    return mentions;
  }
  // Where every road seems to be beside it, the first that says where is the one.
  if (!heard.hasAffected) {
    // One that is a name beside is named in passing: "at its junction with the A4155. The A4155 is not affected."
    const passed = new Set(mentions.filter(({ role }) => role === 'name').map(({ what }) => what));
    const left = mentions.filter(({ what }) => !passed.has(what));
    const first =
      left.find(({ role }) => role === 'limit') ?? left.find(({ role }) => role === 'destination');
    if (first) first.role = 'affected';
  }
  // A road that is affected once stays so: "queues on the A1 back to the M1. The M1 is closed."
  const affected = new Set(mentions.filter(({ role }) => role === 'affected').map(({ what }) => what));
  for (const mention of mentions) if (affected.has(mention.what)) mention.role = 'affected';
  return mentions;
}

// Stretches.

function junctionsIn(words: string): Found<string>[] {
  const junctions: Found<string>[] = [];
  const patterns = [
    JUNCTION,
    ...(/toll/i.test(words) ? [TOLL_JUNCTION] : []),
    ...(WELSH.test(words) ? [WELSH_JUNCTION] : []),
  ];
  for (const pattern of patterns)
    for (const match of words.matchAll(pattern)) {
      if (junctions.length >= JUNCTIONS_MAX) break;
      const number = match[1] ?? String(numberOf(match[2]!)); // one of the two is part of every match
      const first = { what: junctionName(number), at: match.index, end: match.index + match[0].length };
      junctions.push(first);
      const bare = BARE_END.exec(words.slice(first.end, first.end + GAP_MAX));
      const isEnd = bare && (bare[1]!.toLowerCase() !== 'and' || isBetween(words, first.at, match[0]));
      if (!isEnd) continue;
      const end = first.end + bare[0].length;
      const last = /^\d/.test(bare[2]!) ? bare[2]!.toUpperCase() : String(numberOf(bare[2]!));
      junctions.push({ what: `J${last}`, at: end - bare[2]!.length, end });
    }
  return junctions.sort((one, other) => one.at - other.at);
}

const WORD_VALUES = new Map(
  [...UNITS.split('|'), ...TEENS.split('|')].map((word, index) => [word, index + 1] as const),
);
for (const [index, word] of TENS.split('|').entries()) WORD_VALUES.set(word, (index + 2) * 10);

const numberOf = (words: string): number =>
  words
    .toLowerCase()
    .split(/[- ]/)
    .reduce((sum, word) => sum + (WORD_VALUES.get(word) ?? 0), 0);

/** "At J26 and J27" names two places, "between J26 and J27" and "junctions 26 and 27" what lies between. */
const isBetween = (words: string, at: number, junction: string) =>
  /^(?:junctions|j(?:ct|n)s)/i.test(junction) ||
  /\b(?:between|rhwng)\b/i.test(words.slice(Math.max(0, at - 40), at));

/** Between a road and its junction, and a junction and its road. */
const OF_ROAD = /^ ?(?:of|on|for|,)? ?(?:the )?$/i;
const LEADS_TO_JUNCTION = new Set(
  `north south east west northbound southbound eastbound westbound coastbound londonbound nb sb eb wb n/b s/b e/b w/b
  clockwise anti anticlockwise both ways directions motorway bound at near by from between junction junctions in the within`.split(
    /\s+/,
  ),
);
const leadsToJunction = (gap: string) =>
  gap
    .toLowerCase()
    .split(/[\s(),:;–-]/)
    .every((word) => word === '' || LEADS_TO_JUNCTION.has(word));

function stretchesOf(reading: Reading): Map<string, RoadUse['stretch']> {
  const { words, mentions, affected, sentences } = reading;
  const junctions = junctionsIn(words);
  const ends = new Map<string, End[]>();
  const taken = new Set<Mention>();
  const add = (road: string | undefined, end: End) => {
    if (road) ends.set(road, [...(ends.get(road) ?? []), end]);
  };
  for (const junction of junctions) {
    const sentence = sentences.find(({ to }) => junction.at < to);
    if (sentence?.isWayRound) continue;
    const after = mentions.find(
      ({ at }) => at >= junction.end && OF_ROAD.test(words.slice(junction.end, at)) && at - junction.end < 12,
    );
    const before = mentions.findLast(({ end }) => end <= junction.at);
    // "J22 (A672) and J21": the road in brackets says which junction that was.
    const isInBrackets =
      before && /^ ?\)/.test(words.slice(before.end)) && /\(\s*$/.test(words.slice(0, before.at));
    const isOfBefore =
      before &&
      !(isInBrackets && before.role !== 'affected') &&
      junction.at - before.end < 45 &&
      leadsToJunction(words.slice(before.end, junction.at));
    const isOfAfter = after && !isOfBefore && /\b(?:of|on)\b/.test(words.slice(junction.end, after.at));
    // "Exit for A50 (J24)": the junction is of the road that is left.
    const isOfExit =
      isOfBefore &&
      before.role === 'limit' &&
      /\b(?:exit|entry|turn-?off|slip(?: road)?) (?:for|to|from) (?:the )?$/i.test(
        words.slice(Math.max(0, before.at - 25), before.at),
      );
    const owner = isOfAfter ? after : isOfBefore && !isOfExit ? before : null;
    // "To the M1 from the A43 at J15A": only the M1 has this junction.
    const isOfAffected =
      owner?.role === 'limit' && affected.some((one) => isOnlyOn(junction.what, one, [owner.what], reading));
    if (owner && owner.role !== 'affected' && !isOfAffected) {
      if (owner.role !== 'limit') continue;
      taken.add(owner);
      if (isOfLink(words, owner)) continue;
      const isStretch =
        /\b(?:between|from|to|and|at|near|by|before|after|past|[-–])\s*(?:the )?$/i.test(
          words.slice(Math.max(0, Math.min(owner.at, junction.at) - 20), Math.min(owner.at, junction.at)),
        ) || /\(\s*$/.test(words.slice(owner.at - 2, owner.at));
      if (isStretch)
        add(roadBefore(owner, reading), {
          what: `${owner.what} ${junction.what}`,
          road: owner.what,
          at: Math.min(owner.at, junction.at),
          end: Math.max(owner.end, junction.end),
        });
      continue;
    }
    // A road without this junction, beside one that has it: "the B4100 is shut, queues on the M40 slip at J12".
    const other = owner
      ? null
      : mentions.findLast((one) => one.role !== 'affected' && one.end <= junction.at);
    if (other && junction.at - other.end < GAP_MAX && isOnlyOn(junction.what, other.what, affected, reading))
      continue;
    const road =
      (isOfAffected ? null : owner?.what) ??
      mentions.findLast((one) => one.role === 'affected' && one.at < junction.at)?.what ??
      affected[0];
    // A queue's tail is no part of what is closed.
    if (
      /\b(?:back|tailbacks?) (?:to|onto|past|as far as) (?:the )?$/i.test(
        words.slice(Math.max(0, junction.at - 25), junction.at),
      ) &&
      ends.size > 0
    )
      continue;
    add(road, { ...junction, road: road ?? null });
  }
  for (const mention of mentions) {
    if (mention.role !== 'limit' || taken.has(mention)) continue;
    const lead = words.slice(Math.max(0, mention.at - 40), mention.at);
    // "J22 (A672)": the junction says it already.
    if (/\bJ(?:ct|n|unction)?\.? ?\d{1,2}[A-Z]? ?\($/i.test(lead)) continue;
    const tail = words.slice(mention.end, mention.end + 40);
    const isPlace =
      LIMIT_LEAD.test(lead) ||
      isPlaced(lead, tail) ||
      /^ (?:[A-Z][\p{L}'’]+ ){0,3}(?:junction|roundabout|interchange|merge)\b/u.test(tail);
    const isSlip =
      /\b(?:exit|entry|slip(?: ?roads?)?|link(?: ?road)?|leaving|leave) (?:for|to|from|onto) (?:the )?$/i.test(
        lead,
      );
    if (isPlace && !isSlip && !isOfLink(words, mention))
      add(roadBefore(mention, reading), {
        what: mention.what,
        road: mention.what,
        at: mention.at,
        end: mention.end,
      });
  }
  const stretches = new Map<string, RoadUse['stretch']>();
  for (const road of affected) {
    const own = (ends.get(road) ?? []).sort((one, other) => one.at - other.at);
    const isNumbered = own.some(({ what }) => /^J|^T\d/.test(what));
    const named = isNumbered ? [] : namedStretch(road, own, reading);
    const paired = named.length > 0 ? named : pairs(words, own, isNumbered);
    stretches.set(road, paired);
  }
  return stretches;
}

const isOnlyOn = (junction: string, road: string, affected: readonly string[], { chainOf }: Reading) => {
  const has = (name: string) => {
    const chain = chainOf(name);
    return chain !== null && junctionIndex(chain, junction) >= 0;
  };
  return has(road) && !affected.some(has);
};

/** "M5 to M4 link road", "queues to the M25": no end of what is closed. */
const isOfLink = (words: string, { at, end }: Found<string>) =>
  /^[^.;:]{0,48}\blink\b/i.test(words.slice(end, end + 60)) ||
  /\b(?:link|slip|exit)(?: ?road)?(?: (?:at|from) J\w{1,4})? (?:to|from|for) (?:the )?$|\bqueu\w*[^.;]{0,25} to (?:the )?$/i.test(
    words.slice(Math.max(0, at - 45), at),
  );

const LIMIT_LEAD =
  /(?:\b(?:between|and|from|to|at|near|by|before|after|past|beyond|approaching|junctions? (?:with|of)|(?:roundabout|interchange) with|meets|joins|within|until|up to|as far as|rhwng|ger|ac|a'r|i'r)|[-–&(>:]) ?(?:the |its junction with (?:the )?)?$/i;

/** The affected road that a limit is of: named last before it, else the first. */
const roadBefore = (limit: Found<string>, { mentions, affected }: Reading): string | undefined =>
  mentions.findLast(({ role, at }) => role === 'affected' && at < limit.at)?.what ?? affected[0];

function pairs(words: string, ends: readonly End[], isNumbered: boolean): RoadUse['stretch'] {
  const stretch: RoadUse['stretch'] = [];
  for (let at = 0; at < ends.length; at++) {
    const [one, next] = [ends[at]!, ends[at + 1]]; // `at` is within
    if (next && joins(words, one, next)) {
      stretch.push({ from: one.what, to: next.what });
      at++;
    } else stretch.push({ from: one.what, to: one.what });
  }
  // Beside numbered junctions another road says nothing more.
  const numbered = stretch.filter(({ from, to }) => /\b[JT]\d/.test(from) || /\b[JT]\d/.test(to));
  const kept = isNumbered && numbered.length > 0 ? numbered : stretch;
  // A stretch says more than one of its ends, or a place on the way.
  const spans = kept.filter(({ from, to }) => from !== to);
  const known = new Set<string>();
  return (
    spans.length > 0 ? kept.filter((one) => one.from !== one.to || !isEndOf(one.from, spans)) : kept
  ).filter(({ from, to }) => {
    const key = `${from}>${to}`;
    return !known.has(key) && known.add(key);
  });
}

const isEndOf = (label: string, spans: RoadUse['stretch']) =>
  spans.some(({ from, to }) => from === label || to === label);

function joins(words: string, one: End, next: End): boolean {
  const gap = words.slice(one.end, next.at);
  if (
    gap.length > GAP_MAX ||
    /[;:|]|\.(?: |$)/.test(gap) ||
    /\b(?:queue|delay|tailback|back to|diver)/i.test(gap)
  )
    return false;
  return (
    /\b(?:to|until|till|and as far as|through to)\b|[-–—>]/i.test(gap) ||
    (/ i /.test(gap) && WELSH.test(words)) ||
    (/\band\b|&|\bac?\b/i.test(gap) && isBetween(words, one.at, words.slice(one.at, one.end)))
  );
}

const WORD = String.raw`(?:St\. \p{Lu}|\p{Lu})[\p{L}'’-]+`;
const NAME = String.raw`(?:the )?${WORD}(?: (?:(?:of|on|le|the|upon|under|in|y|yr|and) )?${WORD}){0,3}`;
const BETWEEN_NAMES = /\b(?:between|rhwng) (\S.{1,50}?) (?:and|ac|a|&) (\S.{1,60})/giu;
const FROM_TO = /\bfrom (\S.{1,50}?) (?:to|towards|i) (\S.{1,60})/giu;
const A_NAME = new RegExp(`^${NAME}`, 'u');
const BARE_TO = new RegExp(
  String.raw`(?<![\p{L}'’-])(${NAME}(?: services| interchange| roundabout)?) (?:to|>) (${NAME})`,
  'gu',
);
/** "A82 Tarbet - Ardlui : Road closed": the dash stands for "to" between two places. */
const BARE_DASH = new RegExp(
  String.raw`(?<=\b[AM]\d{1,4}(?:\(M\))?:? )(${NAME}) [-–] (${NAME})(?= ?(?:[:,(-]|$|(?:north|south|east|west)bound\b|both\b))`,
  'gu',
);
const OF_SERVICES = /\b(?:divert\w*|services?|bus(?:es)?|trains?|coach(?:es)?|trams?)\b[^.;]*$/i;
/** "Strensall Road to A64 Hopgrove", "River Dee to M56 J16" */
const TO_ROAD = new RegExp(
  String.raw`(?<![\p{L}'’-])(${NAME}(?: services| interchange| roundabout)?) (?:to|>) (?:the )?(?=[AM]\d)`,
  'gu',
);
/** No place begins so. */
const NOT_A_PLACE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?\b|(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b|\d|the \d|J\d|Junction|Today|Tonight|Lane|Lon\b)/;

/** "between Grantham and Newark", "from Brackley to the M40", "Caxton Gibbet to Black Cat". */
function namedStretch(road: string, own: readonly End[], reading: Reading): RoadUse['stretch'] {
  const { words, sentences, mentions, affected, chainOf, table } = reading;
  const chain = chainOf(road);
  const endIn = (said: string, from: number): string | null => {
    // "#Liskeard", "its junction with the A541"
    const part = said.replace(/^(?:#|(?:its|the) junctions? (?:with|of) (?:the )?)/, '');
    const at = from + said.length - part.length;
    const limit = own.find((end) => end.at >= at && end.at < at + part.length && end.at - at < 6);
    if (limit) return limit.what;
    const name = A_NAME.exec(part)?.[0].replace(/^(?:the|[NSEW]B) /, '');
    return name && !NOT_A_PLACE.test(part) ? nameOn(name, chain, table) : null;
  };
  for (const pattern of [BETWEEN_NAMES, FROM_TO, BARE_TO, BARE_DASH]) {
    for (const match of words.matchAll(pattern)) {
      const sentence = sentences.find(({ to }) => match.index < to);
      const ownerAt = mentions.findLast(({ role, at }) => role === 'affected' && at < match.index);
      if (sentence?.isWayRound || (ownerAt?.what ?? affected[0]) !== road) continue;
      // "Buses are diverted between Ripon and Harrogate because the A61 is blocked"
      if (!ownerAt && OF_SERVICES.test(words.slice(sentence?.from ?? 0, match.index))) continue;
      const fromAt = match.index + match[0].indexOf(match[1]!);
      const toAt = match.index + match[0].lastIndexOf(match[2]!);
      const [from, to] = [endIn(match[1]!, fromAt), endIn(match[2]!, toAt)];
      if (!from || !to || from === to) continue;
      const isKnown = (label: string) => chain !== null && labelPosition(chain, label, table) !== null;
      // "Caxton Gibbet to Black Cat", ": Taffs Well to Nantgarw :", not "diverted Leeds to York".
      const [lead, tail] = [words.slice(0, match.index), words.slice(match.index + match[0].length)];
      const isWhole =
        (/(?:[:,>(]\s*|[-–]\s+)$/.test(lead.slice(-5)) ||
          mentions.some(({ end }) => end === lead.trimEnd().length)) &&
        /^\s*(?:[:,;)(]|[-–] |$|\.|(?:(?:is|are|road|fully|currently|now) ){0,3}(?:closed|shut|blocked)\b|[NSEWnsew](?:orth|outh|ast|est)?[/-]?[Bb](?:ound)?\b|[Bb]oth\b)/.test(
          tail.slice(0, 20),
        );
      if (pattern === BARE_DASH && ![from, to].every((end) => isKnown(end) || isDestination(end, table)))
        continue;
      if (pattern === BARE_TO && !isKnown(from) && !isKnown(to) && !isWhole) continue;
      return [{ from, to }];
    }
  }
  for (const match of words.matchAll(TO_ROAD)) {
    const limit = own.find(
      ({ at }) => at >= match.index + match[0].length && at <= match.index + match[0].length + 1,
    );
    const from = limit && endIn(match[1]!, match.index);
    if (from) return [{ from, to: limit.what }];
  }
  return [];
}

/** As the table has the name, where it has it; "Dwyrain" and other words that are no names of the road stay as they are. */
function nameOn(name: string, chain: Chain | null, table: RoadTable): string {
  const bare = name.replace(/ (?:(?:[Nn]orth|[Ss]outh|[Ee]ast|[Ww]est)bound|[Bb]oth|[Cc]losed).*$/, '');
  const position = chain && (labelPosition(chain, name, table) ?? labelPosition(chain, bare, table));
  return (position !== null && chain?.waypoints[Math.round(position)]?.name) || bare;
}

// Directions.

function saysIn(words: string, table: RoadTable): Said[] {
  const says: Said[] = [];
  for (const match of words.matchAll(BOUND.test(words) ? WAYS : PLAIN_WAYS)) {
    if (says.length >= WAYS_MAX) break;
    const [said, point, welsh, short, bracketed, anti, ring, name] = match;
    const letter = short ?? bracketed;
    let [at, end] = [match.index, match.index + said.length];
    let way: Said['way'] = null;
    let towards: string | null = null;
    if (point || welsh) way = POINTS[(welsh ?? point!.charAt(0)).toLowerCase()]!;
    else if (letter) {
      if (short && !isAbbreviation(words, at, end, said)) continue;
      way = POINTS[letter.toLowerCase()]!;
    } else if (ring) way = ring.toLowerCase() === 'outer' ? 'CW' : 'AC';
    else if (/clockwise$/i.test(said)) way = anti ? 'AC' : 'CW';
    else if (name) {
      towards = boundFor(name, table);
      if (!towards) continue;
      at = end - said.length;
    } else if (/^(?:toward|heading|travelling|in|direction|to)/i.test(said)) {
      const target =
        /^(?:the )?(?:[\p{L}'’-]+)(?: [\p{L}'’-]+){0,2}/u.exec(words.slice(end, end + 60))?.[0] ?? '';
      towards = longestDestination(target, table);
      if (!towards) continue;
      end += towards.length;
    } else way = 'both';
    says.push({ way, towards, at, end });
  }
  return says;
}

/** "M62 EB", "(SB)", "J26 NB", but not "NB: the A64 is open". */
function isAbbreviation(words: string, at: number, end: number, said: string): boolean {
  if (/['’/.]|bnd|bound/i.test(said)) return !/^[nsew]\.b\.?$/i.test(said) || said === said.toUpperCase();
  const [before, after] = [words.slice(Math.max(0, at - 12), at), words.slice(end, end + 1)];
  if (after === ':' || (after === '.' && /^NB$/i.test(said) && /[.:]\s*$/.test(before))) return false;
  return (
    /(?:\d(?:\(M\)|M|[A-Za-z])?|[,(/&-]|\b(?:and|Toll|J\w+))\s*$/i.test(before) ||
    (said === said.toUpperCase() && /\w\s$/.test(before)) ||
    // "Shut nb at Wetherby"
    (/^[nsew]b$/i.test(said) && /[a-z]\s$/.test(before) && /\s/.test(after))
  );
}

/** "Belfast bound": the last words before "bound" that are a destination. */
function boundFor(name: string, table: RoadTable): string | null {
  const parts = name.split(/[ -]/);
  for (let first = 0; first < parts.length; first++) {
    const tried = parts.slice(first).join(' ');
    if (/^(?:coast|london|city|country|town|in|out)$/i.test(tried) || isDestination(tried, table))
      return tried;
  }
  return null;
}

function longestDestination(target: string, table: RoadTable): string | null {
  const parts = target.split(' ');
  for (let count = parts.length; count > 0; count--) {
    const tried = parts.slice(0, count).join(' ');
    if (
      /^(?:the )?(?:coast|sea|city centre|town centre|north|south|east|west)$/i.test(tried) ||
      isDestination(tried, table)
    )
      return tried;
  }
  return null;
}

/** Words on each affected road's direction, in their order. */
function waysOf({ words, sentences, mentions, affected, table }: Reading): Map<string, Said[]> {
  const ways = new Map<string, Said[]>();
  const says = saysIn(words, table);
  for (const mention of mentions) {
    const after = AFTER_ROAD.exec(words.slice(mention.end, mention.end + 40));
    if (after && !says.some(({ at }) => at >= mention.end && at < mention.end + after[0].length + 3))
      says.push({
        way: POINTS[after[1]!.charAt(0)]!,
        towards: null,
        at: mention.end + 1,
        end: mention.end + after[0].length,
      });
  }
  for (const said of says.sort((one, other) => one.at - other.at)) {
    if (sentences.find(({ to }) => said.at < to)?.isWayRound) continue;
    const before = mentions.findLast(({ end }) => end <= said.at);
    const gap = before ? words.slice(before.end, said.at) : '';
    const isBeside = before && gap.length < 30 && /^(?:J\w{1,4})?$/i.test(gap.replaceAll(/[\s()]/g, ''));
    let road: string | undefined;
    if (!before) road = affected[0];
    else if (before.role === 'affected') road = before.what;
    else {
      if (before.role === 'diversion' || before.role === 'name') {
        if (!/[.;]/.test(gap) && before.role === 'diversion') continue;
      }
      const owner =
        mentions.findLast((one) => one.role === 'affected' && one.at < said.at)?.what ?? affected[0];
      // "M5 J15 southbound to M4 J20 westbound": the second is the other road's.
      if (isBeside && before.role !== 'name' && owner !== undefined && (ways.get(owner)?.length ?? 0) > 0)
        continue;
      road = owner;
    }
    if (road === undefined) continue;
    ways.set(road, [...(ways.get(road) ?? []), said]);
  }
  return ways;
}

function directionOf(
  chain: Chain | null,
  says: readonly Said[],
  stretch: RoadUse['stretch'],
  { words, table }: Reading,
): Pick<RoadUse, 'direction' | 'sense'> {
  const told = (direction: Direction | 'both' | null) => ({
    direction,
    sense: chain && direction && direction !== 'both' ? senseOf(chain, direction) : null,
  });
  const points = says.filter(({ way }) => way !== null);
  const [first] = points;
  if (first) {
    if (first.way === 'both') return told('both');
    const other = points.find(({ way }) => way !== first.way && way !== 'both');
    // "Northbound and southbound" is both; what is said of the other way further on is another thing.
    if (other && other.at - first.end < 8 && areTwoWays(chain, first.way!, other.way!)) return told('both');
    return told(first.way);
  }
  if (!chain) return { direction: null, sense: null };
  const ends = stretch.flatMap(({ from, to }) => [
    labelPosition(chain, from, table),
    labelPosition(chain, to, table),
  ]);
  const positions = ends.filter((at) => at !== null);
  const mean = (all: readonly number[]) =>
    all.length > 0 ? all.reduce((sum, at) => sum + at, 0) / all.length : null;
  for (const { towards } of says) {
    // The middle of two ends is not known if one is not in our table.
    const middle = ends.includes(null) ? null : mean(positions);
    const from = middle ?? (towards && mean(positionsNamed(words, chain, towards)));
    const sense = towards && senseTowards(towards, chain, from === '' ? null : from, table);
    if (sense) return { direction: signOf(chain, sense, from === '' ? null : from), sense };
  }
  const sense = senseOfOrder(chain, stretch, words);
  return { direction: sense && signOf(chain, sense, mean(positions)), sense };
}

const WORKS = /\b(?:road ?works?|works|resurfac\w+|maintenance|survey|improvements?|both)\b/i;

/** "J12 to J11": as traffic meets them. Works lie on both sides, and "between" has no order. */
function senseOfOrder(chain: Chain, stretch: RoadUse['stretch'], words: string): Sense | null {
  const [only] = stretch;
  if (!only || stretch.length > 1 || only.from === only.to || WORKS.test(words)) return null;
  const [from, to] = [junctionIndex(chain, only.from), junctionIndex(chain, only.to)];
  if (from < 0 || to < 0 || from === to) return null;
  const junctions = junctionsIn(words);
  const at = junctions.findIndex(
    ({ what }, index) => what === only.from && junctions[index + 1]?.what === only.to,
  );
  const [one, next] = [junctions[at], junctions[at + 1]];
  if (!one || !next || !/(?:\bto|[-–>]) ?(?:junction |jct |j)?$/i.test(words.slice(one.end, next.at)))
    return null;
  if (isBetween(words, one.at, '')) return null;
  const period = periodOf(chain);
  const ahead = period ? (to - from + period) % period < period / 2 : to > from;
  return ahead ? 1 : -1;
}

function areTwoWays(chain: Chain | null, one: Direction | 'both', other: Direction | 'both'): boolean {
  if (one === 'both' || other === 'both') return true;
  const [own, others] = [one, other].map((way) => (chain ? senseOf(chain, way) : null));
  return own && others
    ? own !== others
    : 'NS EW CWAC'.includes(one + other) || 'SN WE ACCW'.includes(one + other);
}

// Words on one road.

/** The words that are about it: of a text with one affected road all but the ways round. */
function clausesOf(road: string, { words, sentences, mentions, affected }: Reading): string[] {
  if (affected.length < 2)
    return sentences.filter(({ isWayRound }) => !isWayRound).map(({ from, to }) => words.slice(from, to));
  const own = mentions.filter(({ role }) => role === 'affected');
  return own.flatMap((mention, index) => {
    if (mention.what !== road) return [];
    const isLinked = (one: Mention, next: Mention) =>
      one.sentence === next.sentence && isLink(words.slice(one.end, next.at));
    let first = index;
    while (first > 0 && isLinked(own[first - 1]!, own[first]!)) first--;
    let last = index;
    while (last < own.length - 1 && isLinked(own[last]!, own[last + 1]!)) last++;
    const before = own[first - 1];
    const from =
      before?.sentence === mention.sentence
        ? clauseStart(words, before.end, own[first]!.at)
        : mention.sentence.from;
    // "One lane closed on both the M18 J6 to J7 and the M62": said of the second too.
    const lead = before?.sentence === mention.sentence ? words.slice(mention.sentence.from, before.at) : '';
    const shared = /\bon both (?:of )?(?:the )?$/i.test(lead) ? lead : '';
    const next = own[last + 1];
    const to =
      next?.sentence === mention.sentence ? clauseStart(words, mention.end, next.at) : mention.sentence.to;
    // The rest is still about it, until another road is named.
    const rest = sentences.filter(
      ({ from: start, to: end, isWayRound }) =>
        start >= mention.sentence.to &&
        !isWayRound &&
        (!next || end <= next.sentence.from) &&
        next?.sentence !== mention.sentence,
    );
    return [shared + words.slice(from, to), ...rest.map((one) => words.slice(one.from, one.to))];
  });
}

/** "A57 Snake Pass and A53", "A1307 at Haverhill and A143" */
const isLink = (gap: string) =>
  gap.split(/[\s,/&#]/).every((word) => /^(?:|and|the|on|both|at|near|over|\p{Lu}\p{L}+)$/u.test(word));

/** Between two roads of one sentence: where the words about the second begin. */
function clauseStart(words: string, from: number, to: number): number {
  const gap = words.slice(from, to);
  const cut = [...gap.matchAll(/,|\b(?:but|while|because|as|and|after|due to|by|with|where)\b|[-–:]\s/gi)].at(
    -1,
  );
  return cut ? from + cut.index : to;
}

/** Names that only waypoints of Northern Ireland have. */
const irishNames = new WeakMap<RoadTable, RegExp>();

function isIrishText(words: string, table: RoadTable): boolean {
  let names = irishNames.get(table);
  if (!names) {
    const [irish, others] = [new Set<string>(), new Set<string>()];
    for (const { waypoints } of table.chains)
      for (const { name, nation } of waypoints)
        if (name && /^[\p{L}' -]{4,}$/u.test(name))
          (nation === 'northern-ireland' ? irish : others).add(name);
    const only = [...irish].filter(
      (name) =>
        !others.has(name) &&
        // Also in Great Britain, where no waypoint is named after them.
        !/^(?:Temple|Broadway|Divis Street|York Street|Sydenham|Claudy|Moira|Newcastle|Clough|Hillsborough|Moy)$/.test(
          name,
        ),
    );
    names = new RegExp(
      String.raw`\b(?:${only.join('|')}|Northern Ireland|Trafficwatch ?NI|PSNI|country[- ]?bound|city[- ]?bound|Westlink|Sprucefield|Sandyknowes)\b`,
      'i',
    );
    irishNames.set(table, names);
  }
  return names.test(words);
}
