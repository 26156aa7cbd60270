/** The roads in a text, each with its role: affected, only saying where (a limit), a way round, the end of a queue,
 *  or a part of a name. For an affected road also its carriageway, stretch, slip road and closed part. Every pattern
 *  takes time in proportion to the text, of which only the beginning is read. Numbers of roads are found in
 *  roadRoles.ts, their names in contract/incidents/roadName.ts. */
import type { Closed, Direction, Slip } from '#contract/incidents/facts.ts';
import { everyMatch } from './everyMatch.ts';
import { closedIn, slipIn } from './closedWords.ts';
import { labelPosition } from './junctionLabels.ts';
import {
  junctionIndex,
  periodOf,
  roadTable,
  senseOf,
  type Chain,
  type RoadTable,
  type Sense,
} from './roadTable.ts';
import { mentionsIn, type Mention, type RoadRole } from './roadRoles.ts';
import { isDestination, positionsNamed, senseTowards, signOf } from './directionWords.ts';
import { isBetween, junctionsIn, stretchesOf, type Reading, type Stretches } from './stretchesInWords.ts';
import { withoutOtherCarriageway } from './reopenedCarriageway.ts';
import { sentencesIn, spelledOut } from './reportSentences.ts';

export interface Range {
  from: number;
  to: number;
}

export interface RoadUse {
  /** Normal form: "M62", "A1(M)", "M6 Toll". */
  road: string;
  role: RoadRole;
  /** The place in the text that first names it in this role; null: only the publisher's field names it. */
  at: Range | null;
  /** The direction, as on the road's signs. Null: not stated. */
  direction: Direction | 'both' | null;
  /** The direction on the road's chain. Null: not stated, both, or the road is not in our table. */
  sense: Sense | null;
  stretch: Stretches;
  slip: Slip | null;
  closed: Closed;
}

interface ReadAs {
  table?: RoadTable;
  /** Whether its roads are in Northern Ireland; by default the words decide. */
  isIrish?: boolean;
  /** The roads in the publisher's field: no other road is affected. */
  roads?: readonly string[];
  /** The direction in the publisher's field. */
  direction?: Direction;
}

/** The most characters that are read: publishers name the place first. */
const READ_MAX = 2000;
const WAYS_MAX = 20;

const BOTH = String.raw`\b(?:both (?:directions?|ways|carriageways|sides|bounds)|(?<=: )both(?= :)|(?:each|either) (?:direction|way)|all (?:directions|approaches)|(?:in )?two[- ]way closure|[iy]['’]?r? ?ddau gyfeiriad|bothways)\b`;
/** "Heading north on the A1", but not "heading North Wales": a name begins with a capital. */
const POINT = String.raw`\b(north|south|east|west)(?: ?[- ]?bound|wards?|erly(?! by-?pass)|(?<=\b(?:heading|headed|travelling|driving|going) \w+)(?! (?:of|to|and|east|west)\b)(?= (?-i:[a-z(]|J\d)|[,.;:]|$))\b|(?:\btua['’]?r |(?<=: ))(gogledd|dwyrain|gorllewin|de)\b`;
const SHORT = String.raw`(?<![\w'’])([nsew])(?:[/'’.]b\.?|[/'’.-]?bound|['’]?bnd|b)(?![\w/])|(?<=\d(?:\(M\))? ?\()([nsew])(?=\))`;
const ROUND = String.raw`\b(?:(anti|counter)[- ]?)?clockwise\b`;
const RING = String.raw`\b(inner|outer)(?= (?:carriageway|loop))`;
/** A destination; the longest name has three words. */
const NAME_BOUND = String.raw`\b((?:[\p{L}'’]{1,20}[ -]){0,2}?[\p{L}'’]{1,20}?)(?:[- ]bound|(?<=coast|london|city|country|town|in|out)bound)\b`;
const TOWARDS = String.raw`\b(?:towards?|heading (?:to|for|into)|travelling to|in the direction of|(?<=\()to|direction|(?<=\d )into)\s+(?=[\p{L}])`;
/** Places at which a word of direction can begin; at other places nothing is tried. */
const AT_WAY = String.raw`(?<![\p{L}\d_])(?=[abcdeghinostwy])`;
const WAYS = new RegExp(`${BOTH}|${POINT}|${SHORT}|${ROUND}|${RING}|${NAME_BOUND}|${TOWARDS}`, 'giu');
/**
 * A quick test for words such as "Hull-bound", which few texts have, because the full pattern is tried at every word.
 */
const BOUND = /(?<!north|south|east|west)[- ]bound|(?:coast|london|city|country|town|in|out)bound/i;
const PLAIN_WAYS = new RegExp(`${AT_WAY}(?:${BOTH}|${POINT}|${SHORT}|${ROUND}|${RING}|${TOWARDS})`, 'giu');
/** A direction directly after a road: "M1 south at J24", but not "A1 South Mimms". */
const AFTER_ROAD =
  /^ ?(north|south|east|west|[NSEW](?=[:,]|$| (?:at|near|nr|just|between|before|after|past|approaching|blocked|closed|shut|slow|queues?|queuing|delays|stationary|heavy)\b| J\d))(?=[,;:]|$| (?!of\b|from\b|and\b|east\b|west\b|to\b[^J]{0,20}$)[a-z]| J\d)/;

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

interface Said {
  way: Direction | 'both' | null;
  /** The place that it leads to. */
  towards: string | null;
  at: number;
  end: number;
}

/** Affected roads first, then by role; each road once in each role. */
export function readRoadWords(text: string, as: ReadAs = {}): RoadUse[] {
  const table = as.table ?? roadTable();
  // Cut at a whole word: the "M6" of a cut "M62" would be another road.
  const cut = text.length > READ_MAX ? text.slice(0, Math.max(0, text.lastIndexOf(' ', READ_MAX))) : text;
  const { words: full, given } = spelledOut(cut);
  const words = withoutOtherCarriageway(full, as.direction);
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
      at: own ? { from: given(own.at), to: given(own.end) } : null,
      direction,
      sense,
      stretch,
      slip: slipIn(clauses, road),
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
      at: { from: given(at), to: given(end) },
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

/** The uses of the words of a text, in order; none overlaps another. */
export function readMarks(text: string, { table = roadTable(), roads = [] }: ReadAs = {}): Mark[] {
  const { words, given } = spelledOut(text.slice(0, READ_MAX));
  const sentences = sentencesIn(words);
  const mentions = mentionsIn(words, sentences, roads);
  const marks: Mark[] = mentions.map(({ role, at, end }) => ({ use: role, from: at, to: end }));
  if (marks.length === 0) return [];
  for (const { at, end } of junctionsIn(words)) marks.push({ use: 'stretch', from: at, to: end });
  for (const { at, end } of saysIn(words, table)) marks.push({ use: 'direction', from: at, to: end });
  marks.sort((one, other) => one.from - other.from);
  return marks
    .filter(({ from }, index) => from >= Math.max(0, ...marks.slice(0, index).map(({ to }) => to)))
    .map(({ use, from, to }) => ({ use, from: given(from), to: given(to) }));
}

function saysIn(words: string, table: RoadTable): Said[] {
  const says: Said[] = [];
  for (const match of everyMatch(words, BOUND.test(words) ? WAYS : PLAIN_WAYS)) {
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

/** Whether it is an abbreviated direction: "M62 EB", "(SB)", "J26 NB", but not "NB: the A64 is open". */
function isAbbreviation(words: string, at: number, end: number, said: string): boolean {
  if (/['’/.]|bnd|bound/i.test(said)) return !/^[nsew]\.b\.?$/i.test(said) || said === said.toUpperCase();
  const [before, after] = [words.slice(Math.max(0, at - 12), at), words.slice(end, end + 1)];
  if (after === ':' || (after === '.' && /^NB$/i.test(said) && /[.:]\s*$/.test(before))) return false;
  return (
    /(?:\d(?:\(M\)|M|[A-Za-z])?|[,(/&-]|\b(?:and|Toll|J\w+))\s*$/i.test(before) ||
    (said === said.toUpperCase() && /\w\s$/.test(before)) ||
    // "Shut nb at Wetherby"
    (/^[nsew]b$/i.test(said) && /[a-z]\s$/.test(before) && /[\s,]/.test(after))
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

/** The words about each affected road's direction, in their order. */
function waysOf({ words, sentences, mentions, affected, table }: Reading): Map<string, Said[]> {
  const ways = new Map<string, Said[]>();
  const says = saysIn(words, table);
  for (const mention of mentions) {
    const after = AFTER_ROAD.exec(words.slice(mention.end, mention.end + 40));
    if (after && !says.some(({ at }) => at >= mention.end && at < mention.end + after[0].length + 3))
      says.push({
        way: POINTS[after[1]!.charAt(0).toLowerCase()]!,
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
    // "The southbound A1(M)": the direction of the road after it.
    const next = mentions.find(({ at }) => at >= said.end);
    const isOfNext =
      next?.role === 'affected' &&
      said.way !== null &&
      !isBeside &&
      /^ (?:carriageway of )?(?:the )?$/i.test(words.slice(said.end, next.at));
    let road: string | undefined;
    if (isOfNext) road = next.what;
    else if (!before) road = affected[0];
    else if (before.role === 'affected') road = before.what;
    else {
      if (before.role === 'diversion' && !/[.;]/.test(gap)) continue;
      // "A898 closed. M898 northbound queueing"
      if (before.role === 'name' && isBeside && /^[AM]\d/.test(before.what)) continue;
      const owner =
        mentions.findLast((one) => one.role === 'affected' && one.at < said.at)?.what ?? affected[0];
      // "M5 J15 southbound to M4 J20 westbound": the second direction belongs to the other road.
      if (isBeside && before.role !== 'name' && owner !== undefined && (ways.get(owner)?.length ?? 0) > 0)
        continue;
      road = owner;
    }
    if (road === undefined) continue;
    ways.set(road, [...(ways.get(road) ?? []), said]);
    // "The A628 Woodhead Pass and A57 Snake Pass are closed in both directions"
    const at = before ? mentions.indexOf(before) : -1;
    const last = mentions[at - 1];
    const isShared =
      said.way === 'both' &&
      before?.role === 'affected' &&
      last?.role === 'affected' &&
      !ways.has(last.what) &&
      !/\b(?:is|was|has|remains)\b/i.test(gap) &&
      isLink(words.slice(last.end, before.at));
    if (isShared) ways.set(last.what, [said]);
  }
  return ways;
}

function directionOf(
  chain: Chain | null,
  says: readonly Said[],
  stretch: Stretches,
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
    // "Northbound and southbound" means both. A later mention of the other direction is about something else.
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
    // The middle of two ends is not known if one of them is not in our table.
    const middle = ends.includes(null) ? null : mean(positions);
    const from = middle ?? (towards && mean(positionsNamed(words, chain, towards)));
    const sense = towards && senseTowards(towards, chain, from === '' ? null : from, table);
    if (sense) return { direction: signOf(chain, sense, from === '' ? null : from), sense };
  }
  const sense = senseOfOrder(chain, stretch, words);
  return { direction: sense && signOf(chain, sense, mean(positions)), sense };
}

const WORKS = /\b(?:road ?works?|works|resurfac\w+|maintenance|survey|improvements?|both)\b/i;

/** "J12 to J11": the order in which traffic meets them. Works are on both sides, and "between" has no order. */
function senseOfOrder(chain: Chain, stretch: Stretches, words: string): Sense | null {
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

/** The words about a road. If the text has only one affected road, all words except the ways round and the sentences
 *  about roads that are only names. */
function clausesOf(road: string, { words, sentences, mentions, affected }: Reading): string[] {
  if (affected.length < 2)
    return sentences
      .filter((one) => {
        const named = mentions.filter(({ sentence }) => sentence === one);
        return !one.isWayRound && (named.length === 0 || named.some(({ role }) => role !== 'name'));
      })
      .map(({ from, to }) => withoutAside(words, { from, to }, mentions));
  const own = mentions.filter(({ role, isEnd }) => role === 'affected' && !isEnd);
  return own.flatMap((mention, index) => {
    if (mention.what !== road) return [];
    const isLinked = (one: Mention, next: Mention) =>
      one.sentence === next.sentence &&
      isLink(words.slice(one.end, next.at)) &&
      // "Overturned lorry closes M606, M62 busy": each has its own state.
      !(SHUT.test(words.slice(one.sentence.from, one.at)) && IS_BUSY.test(words.slice(next.end)));
    let first = index;
    while (first > 0 && isLinked(own[first - 1]!, own[first]!)) first--;
    let last = index;
    while (last < own.length - 1 && isLinked(own[last]!, own[last + 1]!)) last++;
    const before = own[first - 1];
    const from =
      before?.sentence === mention.sentence
        ? clauseStart(words, before.end, own[first]!.at)
        : mention.sentence.from;
    // "One lane closed on both the M18 J6 to J7 and the M62": this also belongs to the second road.
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

/** A sentence without what it says of another road: "use the A27, which has reopened", "for the M62 closure". */
function withoutAside(words: string, { from, to }: Range, mentions: readonly Mention[]): string {
  let said = words.slice(from, to);
  const asides = mentions.filter(({ role, at, end }) => role !== 'affected' && at >= from && end <= to);
  for (const { end } of asides.toReversed()) {
    const rest = said.slice(end - from);
    if (/^,? which\b/.test(rest)) said = said.slice(0, end - from);
    else said = said.slice(0, end - from) + rest.replace(/^ closure\b/, '');
  }
  return said;
}

const SHUT = /\b(?:clos|shut|block|crash|collision|accident|fire|overturn)/i;
const IS_BUSY = /^ (?:also |is |now |very )*(?:busy|delays?|queu\w*|slow|congest\w*|solid|gridlock\w*)\b/i;

/** "A57 Snake Pass and A53", "A1307 at Haverhill and A143" */
const isLink = (gap: string) =>
  gap.split(/[\s,/&#]/).every((word) => /^(?:|and|the|on|both|at|near|over|\p{Lu}\p{L}+)$/u.test(word));

const CLAUSE_START = /,|\b(?:but|while|because|as|and|after|following|due to|by|with|where)\b|[-–:]\s/gi;

/** The place at which the words about the second of two roads in one sentence begin. */
function clauseStart(words: string, from: number, to: number): number {
  const gap = words.slice(from, to);
  const cut = everyMatch(gap, CLAUSE_START).at(-1);
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
        // These names also exist in Great Britain, where no waypoint has them.
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
