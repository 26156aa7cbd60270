/** Roads that a text names, and the role of each. */
import { normalRoad } from '#contract/incidents/roadName.ts';
import { everyMatch } from './everyMatch.ts';
import type { Sentence } from './reportSentences.ts';

/** `affected`: something is wrong on it. `limit`: it says where on another road. `diversion`: a way round.
 *  `destination`: where a queue ends or traffic goes. `name`: part of a name (a bus, a company, a scheme), or only
 *  mentioned. */
export type RoadRole = 'affected' | 'limit' | 'diversion' | 'destination' | 'name';

interface Heard {
  words: string;
  /** The words without statements that a road is unaffected. */
  other: string;
  /** True: nothing is wrong on any of its roads. They are named in news about a person, or as unaffected. */
  isInPassing: boolean;
  /** True: a road before it is affected. */
  hasAffected: boolean;
}

/** The most roads; a genuine text has a few. */
const ROADS_MAX = 30;

/** A road's number. The "M1" of the postcode "M1 2AB" is left out. */
const ROAD = /\b(?:M6 ?Toll|A\d{1,4}(?: ?\(M\)|M)?|M\d{1,4}|B\d{3,4})(?!\w)(?! \d[A-Z]{2}\b)/gi;

/** A road or a junction of the text. */
export interface Found {
  what: string;
  at: number;
  end: number;
}

export interface Mention extends Found {
  role: RoadRole;
  /** True: here an affected road only says where: "M1 closed. M18 closed J1 to M1". */
  isEnd?: boolean;
  sentence: Sentence;
}

export function mentionsIn(
  words: string,
  sentences: readonly Sentence[],
  fields: readonly string[],
): Mention[] {
  const mentions: Mention[] = [];
  let heard: Heard | undefined;
  for (const match of everyMatch(words, ROAD, ROADS_MAX)) {
    const what = normalRoad(match[0]);
    const end = match.index + match[0].length;
    const sentence = sentences.find(({ to }) => match.index < to) ?? sentences.at(-1)!; // there is one for each word
    const before = mentions.at(-1);
    heard ??= heardIn(words);
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
      } else if (mention.role === 'affected') {
        // "Diverted by the A65; the A65 is flooded": it stays the way round.
        const other = mentions.find(({ what, role }) => what === mention.what && role !== 'affected');
        mention.role = other?.role ?? 'limit';
      }
    }
    return mentions;
  }
  // If every road seems to be only a limit, the first that says where is the affected one.
  if (!heard?.hasAffected) {
    // If a road is also a name, it is only mentioned: "at its junction with the A4155. The A4155 is not affected."
    const passed = new Set(mentions.filter(({ role }) => role === 'name').map(({ what }) => what));
    const left = mentions.filter(
      ({ what, at, sentence }) => !passed.has(what) && !OF_STREET.test(words.slice(sentence.from, at)),
    );
    const first =
      left.find(({ role }) => role === 'limit') ?? left.find(({ role }) => role === 'destination');
    if (first) first.role = 'affected';
  }
  // "M1/M45. M45 closed between M1 J17 and the A45": the head names the place, and the rest says which road it is.
  const isListed = ({ at, end }: Mention) =>
    /^\/[AMB]\d/.test(words.slice(end, end + 4)) ||
    /[AM]\d[^\s/]*\/$/.test(words.slice(Math.max(0, at - 10), at));
  const limits = new Set(mentions.filter(({ role }) => role === 'limit').map(({ what }) => what));
  const areLimits = mentions.filter((one) => limits.has(one.what) && one.role === 'affected');
  const isOther = mentions.some(({ what, role }) => role === 'affected' && !limits.has(what));
  if (isOther && areLimits.every(isListed)) for (const mention of areLimits) mention.role = 'limit';
  // A road that is affected once stays so: "queues on the A1 back to the M1. The M1 is closed."
  const affected = new Set(mentions.filter(({ role }) => role === 'affected').map(({ what }) => what));
  for (const mention of mentions) {
    if (!affected.has(mention.what)) continue;
    mention.isEnd = mention.role === 'limit' && END_BEFORE.test(words.slice(0, mention.at));
    mention.role = 'affected';
  }
  const open = new Set(
    mentions.filter(({ end }) => ITSELF_OPEN.test(words.slice(end, end + 40))).map(({ what }) => what),
  );
  const isOtherShut = [...affected].some((what) => !open.has(what));
  for (const mention of mentions) if (isOtherShut && open.has(mention.what)) mention.role = 'name';
  return mentions;
}

const THE = String.raw`(?:the )?[#[]?$`;
const before = (source: string) => new RegExp(`(?:${source})${THE}`, 'iu');

/** Name of a bus, an aircraft, a gate. */
const NAME_BEFORE = before(
  String.raw`\b(?:(?<!diversion |alternative |main |this |signed |en )routes?|services?(?! road)|bus(?:es)?|number|no\.?|metrobus|megabus|flights?|gates?|stands?|platforms?|unit|plot|flat|size|airbus|boeing|embraer|terminal|postcode|bus line) `,
);
const NAME_AFTER =
  /^ (?:bus(?:es)?|service(?! station| area| road)|airport flyer|coach(?:es)?|metrobus|taxis?|motors|recovery|group|garage|cars|caf[eé]|diner|truckstop|postcode|neo|paper|(?:skip|plant|car|van|coach|tool) hire|skips|tyres|removals|cabs|haulage)\b/i;
const SCHEME_AFTER =
  /^(?:['’]s)?(?: [\p{L}'’-]+){0,3} (?:dualling|scheme|project|proposals?|plans?|upgrade|inquiry|contract|campaign)\b|^ dualling\b/iu;

const NONE_BEFORE = before(
  String.raw`\bno (?:closures?|delays|restrictions|issues|problems|incidents?) (?:on|to) `,
);
const SCHEME_BEFORE =
  /\b(?:schemes?|plans?|proposals?|projects?|bid|campaign|call|funding) (?:to|for) (?:\w+ ){0,6}(?:the )?$/i;
/** "Bishopthorpe Road, York, is closed near the A64": the street is the one. */
const OF_STREET =
  /\b\p{Lu}[\p{L}'’]+ (?:Road|Street|Lane|Avenue|Drive)\b[^.;]{0,60}\b(?:near|close to|off|beside|not far from|(?:closed|shut|blocked)\b[^.;]{0,30}\b(?:from|between|junction with|junctions with|(?:between|from) (?:the )?[ABM]\d+(?:\(M\))? (?:and|to))) (?:the |its )*$/u;
/** News about a person, in which a road is only where they were. */
const OF_PEOPLE =
  /\b(?:(?<!\b(?:vehicles|lorries|hgvs|caravans|motorcycles) (?:are |were |have been )?)banned|jailed|sentenced|court|fined|convicted|charged|praised|awarded|caught (?:speeding|driving)|speeding|mph chase|anniversary)\b/i;

/** A road with a place in brackets says where, directly after the affected road or after another of this kind. */
const PLACED_AFTER = /^ \(\p{Lu}\p{Ll}[^()]{1,40}\)/u;
const PLACED_BEFORE = /(?:^|[^\w(])[AM]\d{1,4}(?:\(M\))? $|\) (?:-|to) $/;

export const isPlaced = (lead: string, tail: string) => PLACED_AFTER.test(tail) && PLACED_BEFORE.test(lead);

/** Something beside a road: the road itself is not affected, as in "a cafe beside the A66". */
const BESIDE = before(String.raw`\b(?:beside|alongside|next to|overlooking|just off) `);
const ON_ROAD =
  /\b(?:roads?|lanes?|traffic|carriageway|delays?|queu\w+|congest\w+|motorists|drivers|divert\w*|diversion|blocked|crash\w*|collision|flood\w*|water)\b/i;
const ROAD_SPARED =
  /\b(?:the )?(?:roads?|traffic) (?:is|are|was|were|has been|have been) (?:not |un)affected/i;
const UNAFFECTED =
  /\b(?:no|without) (?:traffic|roads?|lanes?|delays?|disruption|(?:road ?)?works)\b(?:(?! but\b)[^.;]){0,20}|\btraffic (?:is|was|were) (?:not |un)affected/i;

const SLOWED = /\bspeed (?:limit|restriction)s?\b|\bhigh[- ]sided\b/i;

/** "Traffic on the A4155 is not affected" */
const SPARED =
  /^ (?:(?:and|&) (?:the )?[ABM]\d+(?:\(M\))? )?(?:(?:itself|both|main ?lines?|main carriageways?|traffic) )*(?:(?:(?:is|are|was|were) )?(?:both )?(?:not |un)|(?:will|should) (?:not be |be un))affected|^ (?:is|are) (?:not (?:expected|likely)|unlikely) to (?:flood|be (?:affected|flooded))\b(?!,? but\b)|^ (?:is|are|remains?|stays?) (?:fully )?open (?:as (?:usual|normal)|throughout)\b|^,? (?:will )?(?:remains?|stays?) (?:fully )?open(?=[.;]|$)|^ (?:(?:has|have|was|were|is|been|being) )*(?:gritted|salted|ploughed|treated)\b/i;

/** "After a chase on the M5, a car crashed on the A38", "a suspect from the M1 pursuit" */
const CHASED = before(
  String.raw`\b(?:chases?|pursuits?)\b(?: [\w'’-]+){0,3}? (?:on|along|down|from|up) |\bsuspects? (?:from|in) `,
);
/** "Allow 45 mins extra from M25 J29": where a journey to what is shut begins. */
const ALLOW_FROM = before(
  String.raw`\ballow (?:up to |about |an? )?(?:\d+ (?:extra )?(?:mins?|minutes|hours?)|extra|additional|plenty)\b[^.;,]{0,25} from `,
);
/** "A footbridge over the A19 is closed" */
const BRIDGE_OVER = before(
  String.raw`\b(?:foot|over|rail(?:way)? )?(?:bridges?|subways?|underpass) (?:over|across|above|under|beneath) `,
);
const BRIDGE_SHUT =
  /^(?: (?:at|near|in) \p{Lu}[\p{L}'’-]+)? (?:(?:is|are|will|be|has|been|remains?|to) )*(?:closed|shut)\b/iu;
/** "Man charged over M6 crash": what happened there is past. */
const OF_COURT =
  /\b(?:charged|jailed|sentenced|in court|convicted|inquest|on trial|pleaded|found guilty|banned from driving|caught (?:doing \d+ ?mph|speeding|driving))\b/i;
const CRASHES = /\b(?:crash(?:es)?|collision|accident|incident|fire)\b/gi;

/** "M25 J10: closure of the A3. The M25 itself stays open" */
const ITSELF_OPEN = /^ itself (?:is|are|remains?|stays?|will (?:be|stay|remain)) (?:fully )?open\b/i;

/** "Car stopped on the M6 near Keele, driver arrested" */
const PULLED_OVER = before(
  String.raw`\b(?:cars?|vans?|lorr(?:y|ies)|vehicles?|drivers?|motorists?|hgvs?|bikes?) (?:was |were )?(?:stopped|pulled over)(?: by \w+)? (?:on|along) `,
);
const OF_OFFENCE = /\b(?:arrest\w*|seiz\w+|fined|charged|drunk|drugs?|uninsured|insurance|licence|stolen)\b/i;

/** "Our runway is closed. Check before travelling up the A38": a way to what is shut. */
const BEFORE_TRAVEL = before(
  String.raw`\bbefore (?:you )?(?:travel(?:ling)?|driv(?:e|ing)|us(?:e|ing)|set(?:ting)? (?:off|out)) (?:(?:up|down|on|along|by|via) )?`,
);
const SHUT_BESIDE =
  /\b(?:runways?|airports?|terminals?|stations?)\b[^.;]{0,40}\b(?:is|are|has been|have been|remains?)(?: \w+)? (?:closed|shut)\b/i;

/** "An earlier collision on the M40 has been cleared". Delays that remain are on the only road named. */
const OVER_BEFORE = before(String.raw`\b(?:earlier|previous) [^.;,]{0,40}\b(?:on|at|along) `);
const OVER_AFTER =
  /^[^.;,]{0,40}\b(?:has|have|is|are|was|were|now) (?:now |since |been )*(?:clear(?:ed)?|over|ended|resolved|removed|re-?opened|finished)\b/i;
const REMAINS = /\b(?:delays?|queu\w+|congest\w+|tailbacks?|slow)\b/i;

const WAY_ROUND =
  /\b(?:divert(?:ed|ing)?|diversions?|re-?rout(?:ed|ing)|alternative (?:routes?|road)|instead of|(?<!in |of |heavy |lane |if you |when you )use(?! of\b)|using|via|follow|sent (?:over|along|via|through|down|round|around|by|on ?to)|(?:push|forc|send|mov)(?:e?s|ed|ing|t)? (?:\w+ )?(?:traffic|drivers|vehicles) on ?to|take(?! place| care| extra)|rejoin|dargyfeirio|dargyfeiriad|detour|avoid by|go(?:ing)? (?:round|around)(?: by)?)\b/i;
/** Words before a road that traffic leaves: "diverted by the closed A4". */
const LEFT = before(
  String.raw`\b(?:off|from|away from|leaving|leave|avoid|avoiding|instead of|closed|closure of) `,
);

/** "J1 to M1 closed", but not "near the M1 with lanes closed", "queues back to the M1". */
const END_BEFORE = before(String.raw`(?<!\bback )\b(?:to|and|between) `);

/** "On the diversion for the M62 closure": the M62 is not the way round. */
const AVOIDED = before(String.raw`\b(?:diversion|alternative)s?(?: routes?)? for `);

/** "The entry slip road to the M1" belongs to the M1. */
const JOINED = before(
  String.raw`\b(?:entry|on|access|joining)[ -]?slip(?: ?roads?)? (?:from (?:the )?[ABM]\d+(?:\(M\))? )?(?:on)?to `,
);

const TAIL = before(
  String.raw`\b(?:(?:queu\w*|traffic|tailbacks?|congestion|delays?|backing up|backed up|stretch\w*|slow)[^.;]{0,40}\b)?(?:back|tailbacks?|queu\w+) (?:past \p{Lu}[\p{L}'’]+ )?(?:up )?(?:to|onto|on to|past|beyond|as far as|towards|almost to|into|(?<=back (?:up )?)along) `,
);
/** "Queues reach the M42": this is the end of a queue on another road. */
const REACHED = before(
  String.raw`\b(?:queu(?:es?|ing)|tailbacks?|congestion) (?:now |also |already )?(?:reach(?:es|ed|ing)?|extend(?:s|ed|ing)? (?:on)?to|stretch(?:es|ed|ing)? (?:on)?to) `,
);
const TOWARDS = before(String.raw`\b(?:towards?|heading (?:for|to)|in the direction of|bound for) `);

/** Signs between two roads of a list, of which the first may have its name: "the A628 Woodhead and A57". */
const IS_LIST =
  /^(?:\s*(?:,|and|&|\/|, and|, the|and the|& the|and on the|\/ ?#|and #)|(?: \p{Lu}\p{L}+){1,2} and(?: the)?)\s*$/u;

/** "The A1307 at Haverhill and A143 at Withersfield" */
const isList = (gap: string, tail: string) =>
  IS_LIST.test(gap) ||
  (/^ (?:at|over|near|in|by|through) (?:\p{Lu}[\p{L}'’]+ ){1,2}and (?:the )?$/u.test(gap) &&
    /^ (?:(?:at|over|near|in|by|through) \p{Lu}|(?:are|were|is) )/u.test(tail));

const IS_SECOND_OF_BOTH = /\bboth (?:of )?(?:the )?[AM]\d{1,4}\b[^.;,]*\band (?:on )?(?:the )?$/i;

/** Words before a road that says where on a road already named. */
const LIMIT_BEFORE = before(
  String.raw`\b(?:between|rhwng|from|to|at|near|nr|by|before|after|past|beyond|over|under|beneath|off|until|till|within|around|ger|ac|a['’]r|i['’]r|onto|into|joining|approaching|approach to|approaches to|meets|joins|crosses|crossing|leading to|access to|for|with|via junction|exit|entry|turn-?off for|above|below|reach|reaches|reaching|opposite|outside|of) |\(|> ?|&gt; ?`,
);
const JUNCTION_AFTER =
  /^(?:\/[AM]\d+)?(?: \([^)]{0,20}\))?(?: (?!(?:between|at|near|from)\b)[\p{Lu}][\p{L}'’]+){0,3}[ /](?:junctions?(?! ?\d+[a-z]?(?:,| and| to))|jct|jn|roundabout|interchange|turn-?off|turning|arm|slip|link|exit|merge|split|crossroads|flyover|overbridge|on-ramp|off-ramp|diverge)\b/iu;
const AFTER_JUNCTION = /\bJ(?:unction )?\d{1,2}[A-Z]? ?(?:[-–] ?)?\(?(?:the )?$/i;

/** "to Coldra M4 J24" */
const NAMED_PLACE_BEFORE = /\b(?:to|from|at|near|between) (?:\p{Lu}[\p{L}'’]+ ){1,2}$/u;

const EFFECT =
  /\b(?:clos(?:ed|es|ure|ures|ing)|shut|blocked|blocks?|delays?|queu(?:e|es|ing)|congest(?:ed|ion)|slow|busy|gridlock(?:ed)?|crash(?:es)?|collision|accident|rtc|lights|signals|road ?works|works|stationary|affect(?:ed|ing)|flood(?:ed|ing)?|restrict(?:ed|ions?)|standstill|halted|held|stopped|incident|breakdown|broken|impassable|tailbacks?|reopen(?:s|ed)?|fire|disrupt(?:ed|ion)|lanes?|resurfacing|stop[- ]start|ar gau)\b/i;
const NO_EFFECT =
  /^(?:(?!\b(?:closed|shut|blocked)\b)[^.;]){0,40}?\b(?:(?:not|un)[- ]?affected|(?:is|are|remains?|stays?|still|now) (?:fully )?open|open\b|(?:access )?maintained|easing|eas(?:es|ed)|moving well|clear\b|as normal|flowing|no (?:reports|issues|problems))/i;

function heardIn(words: string): Heard {
  const other = words.replace(UNAFFECTED, '');
  const isUnaffected = other !== words && !EFFECT.test(other) && !SLOWED.test(other);
  const isInPassing = isUnaffected || (OF_PEOPLE.test(words) && !EFFECT.test(words));
  return { words, other, isInPassing, hasAffected: false };
}

/** `last`: the road that was named before. */
function roleOf(
  road: Found,
  sentence: Sentence,
  last: (Found & { role: RoadRole; sentence: Sentence }) | null,
  { words, other, isInPassing, hasAffected }: Heard,
): RoadRole {
  const lead = words.slice(Math.max(sentence.from, road.at - 70), road.at);
  const tail = words.slice(road.end, Math.min(sentence.to, road.end + 60));
  const own = words.slice(sentence.from, sentence.to);
  if (NAME_BEFORE.test(lead) || NAME_AFTER.test(tail)) return 'name';
  if (BESIDE.test(lead) && !ON_ROAD.test(words.replace(ROAD_SPARED, ''))) return 'name';
  const isOnlyRoad = words.match(ROAD)!.length < 2; // it names this one
  if (ALLOW_FROM.test(lead) || (CHASED.test(lead) && !isOnlyRoad)) return 'name';
  const isOfCourt = OF_COURT.test(own) && !EFFECT.test(own.replace(CRASHES, ''));
  if (isOfCourt) return 'name';
  const isScheme = SCHEME_AFTER.test(tail) || SCHEME_BEFORE.test(lead);
  if (isInPassing || (isScheme && !EFFECT.test(words))) return 'name';
  const isOffence = PULLED_OVER.test(lead) && OF_OFFENCE.test(words);
  if (isOffence && !EFFECT.test((isOnlyRoad ? words : own).replace(/\bstopped\b/gi, ''))) return 'name';
  if (BRIDGE_OVER.test(lead) && BRIDGE_SHUT.test(tail)) return 'name';
  const isOver = OVER_BEFORE.test(lead) && OVER_AFTER.test(tail);
  if (SPARED.test(tail) || (isOver && !(REMAINS.test(other) && words.match(ROAD)?.length === 1)))
    return 'name';
  if (BEFORE_TRAVEL.test(lead) && SHUT_BESIDE.test(words) && !EFFECT.test(tail)) return 'name';
  if (AVOIDED.test(lead)) return hasAffected ? 'name' : 'limit';
  if (sentence.isWayRound && !LEFT.test(lead)) return 'diversion';

  const clause = words.slice(Math.max(sentence.from, road.at - 200), road.at);
  const wayRound = clause.search(WAY_ROUND);
  if (wayRound >= 0 && !LEFT.test(lead)) {
    // "Diverted via the A18 while the M180 is closed": "while" begins another clause.
    const since = clause.slice(wayRound);
    const isNewClause =
      /\b(?:because|while|as|after|due to|since|when)\b[^,]*$/i.test(since) &&
      !/\b(?:via|along|use|onto)\b[^,]*$/i.test(
        since.slice(since.search(/\b(?:because|while|as|after|due to|since|when)\b/i)),
      );
    // "X6 diverted, M62 closed J24 to J25"
    const isClosed =
      /[,-] (?:the )?$/.test(since) && /^ (?:is |are |was )?(?:closed|shut|blocked)\b/i.test(tail);
    const isAfterColon = /^(?:re-?routed|diverted)\b[^:]*: /i.test(since) || / : /.test(since);
    if (!isNewClause && !isAfterColon && !isClosed) return 'diversion';
  }
  if (JOINED.test(lead)) return 'affected';
  if (TAIL.test(lead) || REACHED.test(lead)) return 'destination';
  if (TOWARDS.test(lead)) return 'destination';

  // "There are no closures on the M4", "J9 (Winnall, A34/A272)"
  if (NONE_BEFORE.test(lead)) return 'name';
  if (hasAffected && /\bJ(?:ct|n|unction)?\.? ?\d{1,2}[A-Z]? \([^()]*$/i.test(lead)) return 'limit';

  // "A5 slow. M1 junction 11 closed"
  const isOwn = /(?:^|[,;:]) ?(?:the )?$/i.test(lead) && /^ junction ?\d/i.test(tail);
  const isJunction = !isOwn && JUNCTION_AFTER.test(tail);
  if (hasAffected) {
    // A list goes on as it began: "the A38, A50 and A516".
    if (
      last &&
      last.sentence === sentence &&
      isList(words.slice(last.end, road.at), tail) &&
      !isOpenBetween(words, sentence, road.at)
    ) {
      if (isJunction && last.role === 'affected' && /\//.test(words.slice(last.end, road.at)))
        return 'affected';
      return last.role === 'name' ? 'name' : last.role;
    }
    // "On both the M18 J6 to J7 and the M62 J35 to J34"
    if (last?.role === 'affected' && IS_SECOND_OF_BOTH.test(clause)) return 'affected';
    if (isOpenBetween(words, sentence, road.at)) return 'limit';
    // "A720 A7 (Sheriffhall Rbt) - A68 (Millerhill Jct) - Queue"
    if (isPlaced(lead, tail)) return 'limit';
    // "A449 : Southbound : Usk to Coldra M4 J24": the first field is the affected road.
    if (/ : /.test(lead)) return 'limit';
    if (NAMED_PLACE_BEFORE.test(lead)) return 'limit';
    if (
      LIMIT_BEFORE.test(lead) &&
      !/\b(?:closure|closed|crash|collision|works|delays?|queues?) (?:of|to) (?:the )?$/i.test(lead)
    )
      return 'limit';
    // "M606 southbound, M62 J26: exit slip closed"
    if (/\b[AM]\d{1,4}(?:\(M\))?(?: \p{L}+bound)?, $/u.test(lead) && /^ J\d/.test(tail)) return 'limit';
    if (isJunction || AFTER_JUNCTION.test(lead)) return 'limit';
    if (NO_EFFECT.test(tail)) return 'name';
    const own = ownClause(words, sentence, road);
    return EFFECT.test(own) ? 'affected' : last?.sentence === sentence ? 'limit' : 'name';
  }
  if (/\bjunction with (?:the )?$/i.test(lead)) return 'limit';
  if (OF_STREET.test(words.slice(sentence.from, road.at))) return 'limit';
  if (isJunction && /\b(?:at|near|by|from|before|after|to) (?:the )?$/i.test(lead)) return 'limit';
  if (isOpenBetween(words, sentence, road.at) && !/\b(?:of|on) (?:the )?$/i.test(lead)) return 'limit';
  if (/\b(?:exit|slip(?: road)?|link(?: road)?) (?:for|to|from) (?:the )?$/i.test(lead)) return 'limit';
  // "The link road from the M4 eastbound to the M25"
  if (/\b(?:slip|link)(?: road)? from (?:the )?[AM]\d[^.;,]{0,30} (?:on)?to (?:the )?$/i.test(lead))
    return 'limit';
  if (/\bslip(?: ?road)? from (?:the )?$/i.test(lead) && /^ (?:on)?to (?:the )?[AM]\d/i.test(tail))
    return 'limit';
  // "Motorists travelling from the M62 to Hull face delays on the A15"
  if (/\b(?:travelling|driving|heading|coming|going) from (?:the )?$/i.test(lead)) return 'limit';
  // "Traffic from the M69 onto the M1": the affected road may follow.
  if (
    /\b(?:traffic|vehicles|drivers) from (?:the )?$/i.test(lead) &&
    /^ (?:on)?to (?:the )?[AM]\d/i.test(tail)
  )
    return 'limit';
  return 'affected';
}

/** Whether "Between A and" still needs its second end. */
function isOpenBetween(words: string, sentence: Sentence, at: number): boolean {
  const said = words.slice(Math.max(sentence.from, at - 90), at);
  const begun = Math.max(
    said.toLowerCase().lastIndexOf('between '),
    said.toLowerCase().lastIndexOf('rhwng '),
  );
  if (begun < 0) return false;
  const since = said.slice(begun + 7);
  const and = /\b(?:and|&|ac|a)\b/i.exec(since);
  if (!and) return !/,/.test(since) && !/\bJ\d.*\b(?:of|on) (?:the )?$/i.test(since);
  // The second end directly follows the "and".
  return since
    .slice(and.index + and[0].length)
    .split(/[\s#[]/)
    .every((word) => /^(?:|the|its|junction|with|of|J\d\w*)$/i.test(word));
}

const CLAUSE_START = /[,:]|\b(?:but|while|because|and|as)\b/gi;

function ownClause(words: string, sentence: Sentence, road: Found): string {
  const head = words.slice(sentence.from, road.at);
  const tail = words.slice(road.end, sentence.to);
  const from = Math.max(...everyMatch(head, CLAUSE_START).map(({ index }) => index), 0);
  const to = /,|\b(?:but|while|because)\b/i.exec(tail)?.index ?? tail.length;
  return `${head.slice(from)} ${tail.slice(0, to)}`;
}
