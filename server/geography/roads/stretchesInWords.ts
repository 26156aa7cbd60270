/** The stretches of a road that words name: from junction to junction, of its own or of other roads, and from place
 *  to place. Their positions are found in ../names/junctionPlaces.ts and incidentPlace.ts. */
import type { Stretch } from '#contract/incidents/facts.ts';
import { everyMatch } from './everyMatch.ts';
import { labelPosition } from './junctionLabels.ts';
import { junctionIndex, junctionName, type Chain, type RoadTable } from './roadTable.ts';
import { isPlaced, type Found, type Mention } from './roadRoles.ts';
import { isDestination } from './directionWords.ts';
import type { Sentence } from './reportSentences.ts';

/** In the order of the text: "J26", for another road "M62 J27" or "A43", or a name. */
export type Stretches = Omit<Stretch, 'road'>[];

export interface Reading {
  words: string;
  sentences: readonly Sentence[];
  mentions: readonly Mention[];
  affected: readonly string[];
  chainOf(road: string): Chain | null;
  table: RoadTable;
}

/** An end of a stretch: a junction of the road, another road, or a place. */
interface End extends Found {
  /** The road that has the junction, or the road itself; null: a place. */
  road: string | null;
  /** A queue ends there, or traffic is sent off there. It counts only if no other place is given. */
  isBeside?: boolean;
}

/** The end of a queue is not part of the closed stretch. */
const OF_QUEUE = /\b(?:back|tailbacks?|diversions?|diverted) (?:to|onto|past|as far as) (?:the )?$/i;
const QUEUES =
  /\b(?:queu\w*|congestion|delays|slow traffic)\b(?:(?!\b(?:between|J(?:unction )?\d))[^.;:,])*\b(?:to|from) (?:the )?$/i;
/** A queue between two junctions is a stretch: "from J8 (Reigate) to J10", "from J16 southbound, up to J15". */
const LEADS_ON =
  /^(?:(?!\b(?:back|J\d))[^.;:]){0,40}?(?:\b(?:to|until|and|past|as far as)|[-–—]) ?(?:J|junction |\d)/i;
const TURNS_OFF =
  /\b(?:(?:should|must|can|to|will|please) (?:exit|leave|use)|come off|coming off|taken off|turned off|turned (?:a)?round|directed off|re-?join\w*|join(?! (?:closed|shut)))\b[^.;:,]*\b(?:at|from|via) (?:the )?$|\buse (?:the exit at )?$/i;

const JUNCTIONS_MAX = 40;

const UNITS = 'one|two|three|four|five|six|seven|eight|nine';
const TEENS = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const TENS = 'twenty|thirty|forty|fifty';
const NUMBER_WORD = `(?:(?:${TENS})(?:[- ](?:${UNITS}))?|${TEENS}|${UNITS})(?: (?-i:[AB])(?=[,.;)]|$| (?:and|to|near|of|on)\b))?`;

/** "J26", "Jct. 4", "junction 21A", "junction three", "cyffordd 28". "J8/9" is one junction, and "Junction 27 retail
 *  park" is none. */
const JUNCTION = new RegExp(
  String.raw`\b(?:junctions?|j(?:cts?|ns?|unc|cn)?|[cg]h?yffyrdd|[cg]h?yffordd)\.? ?(?:(T\d|\d{1,2}[A-Z]?(?:\/\d{1,2}[A-Z]?)?)\b|(${NUMBER_WORD})\b)(?! (?:retail|shopping|business|outlet|industrial|leisure|trade|enterprise)\b)`,
  'gi',
);
/** The junctions of the M6 Toll need no other word. */
const TOLL_JUNCTION = /\b(T[1-8])\b/g;
/** "C28" of "cyffordd" in Welsh texts. */
const WELSH_JUNCTION = /\bC(\d{1,2}[A-Z]?)\b/g;
const WELSH =
  /\b(?:ar gau|ar agor|oedi|gwrthdrawiad|tua['’]r|rhwng|cyfeiriad|lôn|gogledd|dwyrain|gorllewin|ffordd|gwaith)\b/i;

/** The far end when only the first is called a junction: "J26-27", "junctions 26 and 27". */
const BARE_END = new RegExp(
  String.raw`^(?: \([^()\d]{1,25}\))? ?(to|and|[-–—]) ?(\d{1,2}[A-Z]?|${NUMBER_WORD})\b(?![:.]\d)(?!\s*(?:%|am\b|pm\b|(?:mile|min|hour|metre|yard|lane(?! \d)|vehicle|km|mph)))`,
  'i',
);

/** The most characters between two ends of one stretch. A name in brackets or words may stand there too: "J26 Malpas
 *  to J24". */
const GAP_MAX = 60;

export function junctionsIn(words: string): Found[] {
  const junctions: Found[] = [];
  const patterns = [
    JUNCTION,
    ...(/toll/i.test(words) ? [TOLL_JUNCTION] : []),
    ...(WELSH.test(words) ? [WELSH_JUNCTION] : []),
  ];
  for (const pattern of patterns)
    for (const match of everyMatch(words, pattern)) {
      if (junctions.length >= JUNCTIONS_MAX) break;
      const number = match[1] ?? numberOf(match[2]!); // every match has one of the two
      const first = { what: junctionName(number), at: match.index, end: match.index + match[0].length };
      junctions.push(first);
      const bare = BARE_END.exec(words.slice(first.end, first.end + GAP_MAX));
      const isEnd = bare && (bare[1]!.toLowerCase() !== 'and' || isBetween(words, first.at, match[0]));
      if (!isEnd) continue;
      const end = first.end + bare[0].length;
      const last = /^\d/.test(bare[2]!) ? bare[2]!.toUpperCase() : numberOf(bare[2]!);
      junctions.push({ what: `J${last}`, at: end - bare[2]!.length, end });
    }
  return junctions.sort((one, other) => one.at - other.at);
}

const WORD_VALUES = new Map(
  [...UNITS.split('|'), ...TEENS.split('|')].map((word, index) => [word, index + 1] as const),
);
for (const [index, word] of TENS.split('|').entries()) WORD_VALUES.set(word, (index + 2) * 10);

/** "Seven A" is "7A". */
const numberOf = (words: string): string => {
  const said = words.toLowerCase().split(/[- ]/);
  const number = said.reduce((sum, word) => sum + (WORD_VALUES.get(word) ?? 0), 0);
  return `${number}${/ ([AB])$/.exec(words)?.[1] ?? ''}`;
};

/** "At J26 and J27" names two places; "between J26 and J27" and "junctions 26 and 27" name the stretch between them. */
export const isBetween = (words: string, at: number, junction: string) =>
  /^(?:junctions|j(?:ct|n)s)/i.test(junction) ||
  /\b(?:between|rhwng)\b/i.test(words.slice(Math.max(0, at - 40), at));

/** Words between a road and its junction, and between a junction and its road. */
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

export function stretchesOf(reading: Reading): Map<string, Stretches> {
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
    // "J22 (A672) and J21": the road in brackets only explains the junction before it.
    const isInBrackets =
      before && /^ ?\)/.test(words.slice(before.end)) && /\(\s*$/.test(words.slice(0, before.at));
    const isOfBefore =
      before &&
      !(isInBrackets && before.role !== 'affected') &&
      junction.at - before.end < 45 &&
      leadsToJunction(words.slice(before.end, junction.at));
    const isOfAfter = after && !isOfBefore && /\b(?:of|on)\b/.test(words.slice(junction.end, after.at));
    // "Exit for A50 (J24)": the junction belongs to the road that traffic leaves.
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
    // The road does not have this junction, but one beside it does: "the B4100 is shut, queues on the M40 slip at
    // J12".
    const other = owner
      ? null
      : mentions.findLast((one) => one.role !== 'affected' && one.end <= junction.at);
    if (other && junction.at - other.end < GAP_MAX && isOnlyOn(junction.what, other.what, affected, reading))
      continue;
    const road =
      (isOfAffected ? null : owner?.what) ??
      mentions.findLast((one) => one.role === 'affected' && one.at < junction.at)?.what ??
      affected[0];
    const lead = words.slice(Math.max(0, junction.at - GAP_MAX), junction.at);
    if (OF_QUEUE.test(lead)) continue;
    const isBeside = TURNS_OFF.test(lead) || (QUEUES.test(lead) && !LEADS_ON.test(words.slice(junction.end)));
    add(road, { ...junction, road: road ?? null, isBeside });
  }
  for (const mention of mentions) {
    if (mention.role !== 'limit' || taken.has(mention)) continue;
    const lead = words.slice(Math.max(0, mention.at - 40), mention.at);
    // "J22 (A672)": the junction already gives the place.
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
  const stretches = new Map<string, Stretches>();
  for (const road of affected) {
    const all = (ends.get(road) ?? []).sort((one, other) => one.at - other.at);
    const closed = all.filter(({ isBeside }) => !isBeside);
    const own = closed.length > 0 ? closed : all;
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

/** "M5 to M4 link road", "queues to the M25": these are not ends of a closed stretch. */
const isOfLink = (words: string, { at, end }: Found) =>
  /^[^.;:]{0,48}\blink\b/i.test(words.slice(end, end + 60)) ||
  /\b(?:link|slip|exit)(?: ?road)?(?: (?:at|from) J\w{1,4})? (?:to|from|for) (?:the )?$|\b(?:slip|link)(?: ?road)? from (?:the )?#?[AM]\d[^.;,]{0,30} (?:on)?to (?:the )?$|\bqueu\w*[^.;]{0,25} to (?:the )?$/i.test(
    words.slice(Math.max(0, at - 45), at),
  );

const LIMIT_LEAD =
  /(?:\b(?:between|and|from|to|at|near|by|before|after|past|beyond|approaching|junctions? (?:with|of)|(?:roundabout|interchange) with|meets|joins|within|until|up to|as far as|rhwng|ger|ac|a'r|i'r)|[-–&(>:]) ?(?:the |its junction with (?:the )?)?$/i;

/** The affected road that a limit belongs to: the one named last before it, otherwise the first. */
const roadBefore = (limit: Found, { mentions, affected }: Reading): string | undefined =>
  mentions.findLast(({ role, at }) => role === 'affected' && at < limit.at)?.what ?? affected[0];

function pairs(words: string, ends: readonly End[], isNumbered: boolean): Stretches {
  const stretch: Stretches = [];
  for (let at = 0; at < ends.length; at++) {
    const [one, next] = [ends[at]!, ends[at + 1]]; // `at` is within
    if (next && joins(words, one, next)) {
      stretch.push({ from: one.what, to: next.what });
      at++;
    } else stretch.push({ from: one.what, to: one.what });
  }
  // Beside numbered junctions another road adds nothing.
  const numbered = stretch.filter(({ from, to }) => /\b[JT]\d/.test(from) || /\b[JT]\d/.test(to));
  const kept = isNumbered && numbered.length > 0 ? numbered : stretch;
  // A stretch says more than one of its ends, or than a place on it.
  const spans = kept.filter(({ from, to }) => from !== to);
  const known = new Set<string>();
  return (
    spans.length > 0 ? kept.filter((one) => one.from !== one.to || !isEndOf(one.from, spans)) : kept
  ).filter(({ from, to }) => {
    const key = `${from}>${to}`;
    return !known.has(key) && known.add(key);
  });
}

const isEndOf = (label: string, spans: Stretches) =>
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
/** Words that no place begins with. */
const NOT_A_PLACE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?\b|(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b|\d|the \d|J\d|Junction|Today|Tonight|Lane|Lon\b|(?:Closed|Open|Shut|Reduced|Restricted)\b)/;

/** "between Grantham and Newark", "from Brackley to the M40", "Caxton Gibbet to Black Cat". */
function namedStretch(road: string, own: readonly End[], reading: Reading): Stretches {
  const { words, sentences, mentions, affected, chainOf, table } = reading;
  const chain = chainOf(road);
  const endIn = (said: string, from: number): string | null => {
    // "#Liskeard", "its junction with the A541"
    const part = said.replace(/^(?:#|(?:its|the) junctions? (?:with|of) (?:the )?)/, '');
    const at = from + said.length - part.length;
    const limit = own.find((end) => end.at >= at && end.at < at + part.length && end.at - at < 6);
    if (limit) return limit.what;
    const name = A_NAME.exec(part)?.[0].replace(/^(?:the|[NSEW]B|(?:North|South|East|West)bound) /, '');
    return name && !NOT_A_PLACE.test(part) ? nameOn(name, chain, table) : null;
  };
  for (const pattern of [BETWEEN_NAMES, FROM_TO, BARE_TO, BARE_DASH]) {
    for (const match of everyMatch(words, pattern)) {
      const sentence = sentences.find(({ to }) => match.index < to);
      const ownerAt = mentions.findLast(({ role, at }) => role === 'affected' && at < match.index);
      if (sentence?.isWayRound || (ownerAt?.what ?? affected[0]) !== road) continue;
      // "Buses are diverted between Ripon and Harrogate because the A61 is blocked": this is not a stretch of the
      // A61.
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
  for (const match of everyMatch(words, TO_ROAD)) {
    const limit = own.find(
      ({ at }) => at >= match.index + match[0].length && at <= match.index + match[0].length + 1,
    );
    const from = limit && endIn(match[1]!, match.index);
    if (from) return [{ from, to: limit.what }];
  }
  return [];
}

/** The name as the table has it, if it has it. "Dwyrain" and other words that are not names on the road stay
 *  unchanged. */
function nameOn(name: string, chain: Chain | null, table: RoadTable): string {
  const bare = name.replace(
    / (?:(?:[Nn]orth|[Ss]outh|[Ee]ast|[Ww]est)bound|[Bb]oth|[Cc]losed|CLOSED|BLOCKED|OPEN).*$/,
    '',
  );
  const position = chain && (labelPosition(chain, name, table) ?? labelPosition(chain, bare, table));
  return (position !== null && chain?.waypoints[Math.round(position)]?.name) || bare;
}
