/** The place of an incident by its words: which of the places that they name it is about, and how far it reaches. */
import { kilometres } from '#contract/places/distance.ts';
import { words } from './abbreviations.ts';

export interface Spot {
  name: string;
  /** WGS84 degrees. */
  latitude: number;
  longitude: number;
  /** How far from the point the place reaches. */
  reachKm: number;
  /** True for a bridge, a tunnel or a pass: it is named without its town, and with "the" or "on". */
  isLandmark?: boolean;
  isAirport?: boolean;
  /** A town, a village or a part of one. */
  isSettlement?: boolean;
  /** A place where people are taken, so it is where something happened only after words such as "outside". */
  isHospital?: boolean;
}

/** The places that a text can name. */
export interface Names {
  /** The places with this name. The words of the name are as `words` gives them, joined by spaces. */
  find(name: string): readonly Spot[];
  /** An airport by its code of three letters, if the text is about flying. */
  airport?(code: string): Spot | null;
  /** A postcode, "SA1 4BQ", or its first half, "SA1". */
  postcode?(code: string): Spot | null;
  /** Whether places can be in a county that the words after a name begin with, as in "Sutton, Surrey"; null if the
   *  words begin with no county. */
  within?(after: string): ((spot: Spot) => boolean) | null;
  /** The place that is meant; null when that is not certain. `beside`: other places that the text names. */
  choose(namesakes: readonly Spot[], beside: readonly Spot[]): Spot | null;
}

export interface Located {
  latitude: number;
  longitude: number;
  /** Everything that the words name is within this distance, in whole kilometres. */
  reachKm: number;
  /** The names that were read: one, or the two ends of a stretch. */
  names: string[];
  isBetween: boolean;
}

/** The largest reach in km: for a larger one a point in the middle would say nothing. */
const REACH_MAX_KM = 50;

/** If two places in one text are further apart than this, it is not known which of them is meant. */
const APART_MAX_KM = 40;

/** The most characters that are read: no text names its place later. */
const READ_MAX = 1000;
const NAME_WORDS_MAX = 7;
/** The most words of one sentence, and sentences of a text: no publisher's first thousand characters have more. */
const TOKENS_MAX = 160;
const SENTENCES_MAX = 24;

interface Token {
  raw: string;
  key: string;
  from: number;
  to: number;
}

/** A name in the text, by its first and last token. */
interface Mention {
  first: number;
  last: number;
  namesakes: readonly Spot[];
  spot: Spot | null;
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words before a name that say where. */
const AT = setOf(
  'at near nr in aig ger yn ym yng ardal around outside through inside serving affecting avoid hit hits hitting floods opposite by beside',
);
/** Words before the place of a cause, which has priority over a stretch. */
const CAUSE_AT = setOf('at near nr in aig ger yn ym yng outside around opposite');
/** "north of Leeds", "the outskirts of Leeds". */
const SIDES = setOf(
  'north south east west outskirts edge centre side outside parts streets area areas district suburb heart middle part',
);
/** Words after a name for something that happened there, or stands there. */
const HAPPENED = setOf(
  'flood floods flooding crash collision closure closures derailment blaze evacuation fire landslip station stations ' +
    'area interchange junction roundabout services',
);
const SHUTS = setOf('blocks blocking blocked closes closing closed shuts shutting shut floods strikes on');
const SAILS = /\b(?:ferr(?:y|ies)|sailings?)\b/i;
/** "Near Ralia, Newtonmore": the second name says where the first is. */
const OF_UNKNOWN =
  /\b(?:at|near|in|outside) (?:the )?\p{Lu}[\p{L}'’-]{1,20}(?: \p{Lu}[\p{L}'’-]{1,20}){0,2}, $/u;
/** Streets that every town has: "Lincoln High Street". */
const OWN_STREETS =
  /^ (?:High Street|Market (?:Place|Square|Street)|(?:Inner |Outer )?Ring Road|(?:Railway|Train|Bus|Coach) Station|(?:Northern |Southern |Eastern |Western )?By-?pass|(?:Town|City) Centre|(?:(?:General|Royal|University|City|District|County|Community|Cottage|Memorial) )*(?:Hospital|Infirmary)|Harbour|Marina|Seafront|Promenade|Village|Quays?|Lock|Weir|Main Street|Bus Garage|Level Crossing|Services|Interchange|Moor|Common|Pier|Gorge|Coachway|Parkway|Park (?:and|&) Ride|Racecourse|Industrial Estate|Business Park|Retail Park|Golf Club)\b/;
/** Words in lower case after a name that mean a part of the place. With a capital they make another name: "Leeds
 *  Road". */
const PARTS = setOf(
  'road roads bypass homes residents town village city seafront promenade harbour centre street ' +
    'ferry ferries port pier bridge',
);
/** Parts of a town in two words: "Ely underpass", "Whitby swing bridge". */
const OWN_PARTS =
  /^ (?:high street|main street|ring road|one-way system|market (?:place|square)|(?:swing|lift|railway|road|river|rail) bridge|chain ferry|level crossing|park and ride|(?:shopping|leisure|retail) (?:centre|park)|(?:industrial|business|housing) (?:estate|park)|flyover|underpass|tunnel|viaduct|quayside|racecourse|docks?)\b/;
/** "Govan flat fire closes road", "after a Leeds house fire" */
const THING_HAPPENED =
  /^ (?:(?:flat|house|mill|bus|coach|lorry|truck|car|van|train|tram|hgv|tanker|motorbike|motorcycle|school|pub|factory|warehouse|shop|hotel|church|club|farm|bridge|tunnel|road|street|motorway|gas|water|main|tower|block|town|city|centre|village|station|level crossing|multi-vehicle|fatal|serious) ){1,3}(?:fire|blaze|crash|collision|pile-up|derailment|explosion|leak|burst|flood|evacuation|landslip|landslide|strike|collapse)\b/;
/** "A303 eastbound" */
const ALONG_ROAD =
  /\b[AMB]\d{1,4}(?:\(M\))? (?:(?:north|south|east|west)bound|both (?:ways|directions)|[NSEW]B) $/i;
/** "Closures for the Twickenham international" */
const EVENT_OF =
  /^ (?:\p{Ll}+ )?(?:match(?:es)?|games?|fixtures?|internationals?|concerts?|gigs?|races?|festivals?|carnival|parade|marathon|half marathon|air ?show|fireworks|derby|final|Christmas (?:market|lights)|Carnival|Festival|Marathon|Half Marathon|Airshow|10[kK])\b(?! (?:at|in) (?:the )?\p{Lu})/u;
const FOR_EVENT =
  /\b(?:clos\w+|shut|restrictions?|traffic|delays?|diver\w+|disruption|busy) (?:\w+ ){0,2}?(?:for|before|during|ahead of) (?:the |an? |\p{Ll}+day['’]s |today['’]s |tonight['’]s )?$/iu;
const STATION_KINDS = setOf('bus railway train tube underground rail metro tram coach');
/** Words with a capital in a headline that are not part of a name. */
const FUNCTION_WORDS = setOf(
  'a after all amid an and are area as at because between blocked both by cause causes closed cut delayed delays ' +
    'disruption due during following for from has hit hits in into is leads leaves near no of off on or outside over ' +
    'residual road roads section services severe shut suspended through to traffic trains until via was when where ' +
    'while with monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays ' +
    'saturdays sundays weekdays january february april june july august september october november december today tonight tomorrow northbound southbound ' +
    'eastbound westbound clockwise anticlockwise anti cause police flood warning warnings alert alerts incident ' +
    'overnight station stn bus railway coach gridlocked buses approaching towards',
);
/** Words after a name that mean the same place: "Countess Roundabout", "Leigh Delamere services". */
const KINDS = setOf(
  'interchange junction roundabout island services crossroads gyratory stn motorway intersection terminal terminals',
);
const STREET =
  /\b(?:approach|avenue|bridge|close|court|crescent|drive|esplanade|flyover|gardens|green|grove|hill|interchange|junction|lane|parade|park|parkway|place|quay|road|rd|roundabout|row|square|st|street|terrace|underpass|viaduct|way)\s*(?:,|\bin\b|-|–|:)\s*$/i;
/** "Gawber Road Barnsley" */
const STREET_THEN_TOWN =
  /(?<!\p{L})\p{Lu}[\p{L}'’]{1,25} (?:Road|Rd|Street|St|Lane|Ln|Avenue|Ave|Drive|Crescent|Terrace|Parade|Way) $/u;
const BESIDE_HOSPITAL =
  /\b(?:outside|near|nr|by|beside|opposite|around|behind|approach to|next to) (?:the )?$/i;
const ROAD_OR_NUMBER = /^(?:[abmj]?\d+[am]?)$/;

/** Signs between the words of one name. */
const IN_NAME = /^(?:\s|-|\.\s?|\s?\(|\)\s?)$/;
/** "St James' Park" */
const OF_MANY = /^s['’] $/;
/** Signs between two words of one phrase. */
const ADJACENT = /^(?:\s+|-)$/;

/** Signs between names that stand for each other: "Doncaster / Sheffield". */
const OR = /^\)?\s*(?:\/|,|or)\s*$/i;
const JUNCTION = String.raw`(?:\(?J\d{1,2}[A-Z]?\)?,?\s+\(?|(?:the\s+)?[AMB]\d+(?:\(M\))?,?\s+\(?)?`;
const AND = new RegExp(String.raw`^\)?\s*(?:stations?\s+)?(?:and|&|to|ac?|–|—|-)\s*${JUNCTION}$`, 'i');
const TO = new RegExp(String.raw`^\)?\s*(?:stations?\s+)?(?:to|–|—|-|→)\s*${JUNCTION}$`, 'i');
const INSTEAD = /^\s*instead of\s*$/i;
const ALSO = /^\s*(?:\/|,|and|&)\s*$/i;

const SENTENCE_END = /(?<=[^ .][.!?])(?<!\b(?:St|Jct|Rd|nr|Stn)\.)(?<!\b(?:Jn|Ave)\.) | ?[;|] ?/;
const HASHTAG = /#([\p{L}\p{N}_]+)/gu;
/** Sentences with these words name places where nothing is wrong. */
const ELSEWHERE =
  /\b(?:accept(?:ed|ing)?|tickets?|refunds?|compensation|normal(?:ly)?|divert\w* (?:along|by|over|through|to|via|onto)|diversions? (?:via|along|by|over|through|using|routes?|is|are|from|signed|in place|in operation)|replacement buses (?:run|operate|call)|(?:taken|airlifted|flown|rushed|transferred) (?:by \w+ )?to|motorists (?:are )?(?:sent|directed))\b/i;
/** Words before a name in a sentence, for what went wrong there. */
const CAUSED =
  /\b(?:fail(?:ure|ed|ing)|faults?|fault|faulty|problems?|damage[ds]?|fires?|blaze|smoke|flood(?:ing|ed|s)?|trees?|branch|landsl?ips?|landslides?|rockfall|collisions?|collided|crash(?:es|ed)?|accidents?|rt[ca]|overturn\w*|jack-?knif\w*|broken[- ]down|breakdown|breaks? down|trespass\w*|struck|hit|hits|strikes|casualty|emergency|incident|obstruction|objects?|animals?|cattle|cows?|sheep|horses?|deer|swans?|leak|burst|spill\w*|debris|sinkhole|subsidence|suspicious|unattended|security|fallen|stolen|theft|vandalism|unexploded|explosion|stabbing|shooting|police|protest\w*|demonstration|derail\w*|wires?|power|stranded|stuck|ill|investigation|collapse[ds]?|gas|drain|cable|pothole|shed|lost)\b/i;
/** Words for a vehicle that starts, ends or goes there, where nothing happened. */
const GOES =
  /\b(?:starts?|starting|ends?|ending|terminat\w*|turn(?:s|ed|ing)?(?: round| around| back)?|call(?:s|ing)?|stop(?:s|ping)?|change|land(?:ed|s)?|depart\w*|arriv\w*|depots?|board\w*|live[sd]?|lives|court|jail\w*|sentenced|hospital|queu\w+ back|tail\w* back|towards?|bound for|join|leave|exit|rejoin|via)(?: \w+)? (?:at|in|near|from)$/i;

/** The place that the texts about one incident name, its title first. The place of a cause has priority over a
 *  stretch, whichever text has it. Otherwise the first text decides, and in it a stretch, of which the middle is
 *  taken. Null: nothing names a place for certain. */
export function locate(texts: readonly string[], names: Names): Located | null {
  const sentences = texts.flatMap((text, order) =>
    sentencesOf(text).map((sentence) => read(sentence, names, order)),
  );
  resolve(sentences, names);
  const found = sentences.flatMap((sentence) => [
    ...pointsIn(sentence),
    ...sectionsIn(sentence),
    ...postcodesIn(sentence, names),
  ]);
  // The sort is stable: of one rank, the first that is named counts.
  found.sort((one, other) => one.rank - other.rank);
  for (const one of found) {
    const at = one.isBetween ? around(one.spots, true) : pointOf(found, one);
    if (at) return at;
    // If a point cannot be decided, the meaning of the rest is unclear; but a stretch contains its cause.
    if (!one.isBetween && !found.some(({ isBetween }) => isBetween)) return null;
  }
  return null;
}

/** The known end of a stretch to a place that we do not know. Both are small, so the stretch is short: "between
 *  Melbury Abbas and Shaftesbury". */
export function locateOneEnd(texts: readonly string[], names: Names): Located | null {
  const sentences = texts
    .filter((text) => text.includes('between '))
    .flatMap((text, order) => sentencesOf(text).map((sentence) => read(sentence, names, order)));
  resolve(sentences, names);
  for (const { text, tokens, mentions } of sentences) {
    for (const [at, { first, last, spot }] of mentions.entries()) {
      if (!spot?.isSettlement || spot.reachKm > ONE_END_REACH_KM) continue;
      // Both are names that we know, but not which of the places is meant.
      const others = [mentions[at - 1], mentions[at + 1]];
      if (others.some((other) => other && Math.abs(other.first - first) <= ONE_END_WORDS)) continue;
      const [said, after] = [text.slice(0, tokens[first]!.from), text.slice(tokens[last]!.to)];
      if (UNKNOWN_AND.test(said) || (said.endsWith('between ') && AND_UNKNOWN.test(after)))
        return around([{ ...spot, reachKm: spot.reachKm + ONE_END_REACH_KM }], false);
    }
  }
  return null;
}

const ONE_END_REACH_KM = 3;
const ONE_END_WORDS = 5;
const AND_UNKNOWN = /^ and \p{Lu}\p{Ll}{3,25}(?! (?:Road|Street|Lane|Avenue))/u;
const UNKNOWN_AND = /\bbetween \p{Lu}\p{Ll}{3,25}(?: \p{Lu}\p{Ll}{2,25}){0,2} and $/u;

/** A place that was read, and how well its words say where the incident is. Lower ranks are surer. */
interface Candidate {
  rank: number;
  isBetween: boolean;
  spots: Spot[];
  /** True: other names of the same rank cannot be told from it. */
  isOpen: boolean;
}

/** The point of one rank. If several are far from each other, none is certain. */
function pointOf(found: readonly Candidate[], { rank }: Candidate): Located | null {
  const alike = found.filter((one) => one.rank === rank && !one.isBetween);
  const spots = alike.flatMap((one) => one.spots);
  const [first] = spots;
  if (!first || alike.some(({ isOpen }) => isOpen)) return null;
  const apart = Math.max(
    ...spots.map((spot) => kilometres(first.latitude, first.longitude, spot.latitude, spot.longitude)),
  );
  if (apart > APART_MAX_KM) return null;
  // The smaller place says more, also in another text: "around Whitehall" under "in Westminster".
  const within = found
    .filter((one) => one.rank < RANK.hashtag && !one.isBetween)
    .flatMap((one) => one.spots)
    .find(
      (spot) =>
        spot.reachKm <= first.reachKm / 2 &&
        kilometres(first.latitude, first.longitude, spot.latitude, spot.longitude) <= first.reachKm,
    );
  return around([within ?? first], false);
}

const RANK = {
  cause: 0,
  causeSection: 1,
  section: 10,
  postcode: 10.5,
  point: 11,
  text: 10,
  event: 80,
  hashtag: 90,
} as const;

function sentencesOf(text: string): string[] {
  const said = text.slice(0, READ_MAX).replace(/\s+/g, ' ');
  const words = said.split(' ');
  const last = words.findLastIndex((word) => !word.startsWith('#'));
  // The tags at the end say what the text is about, so they count last.
  const tags = words.slice(last + 1).join(' ');
  const sentences = words
    .slice(0, last + 1)
    .join(' ')
    .split(SENTENCE_END);
  return [...sentences.slice(0, SENTENCES_MAX), tags]
    .map((sentence) => (ELSEWHERE.test(sentence) ? withoutElsewhere(sentence) : sentence))
    .filter((sentence) => sentence !== '');
}

/** "A1 closed at Dromore, diversion via Hillsborough" */
const THEN_DIVERTED =
  /^(.{9,}?)(?:,| [-–]) (?:with )?(?:(?:traffic|signed|is|being|a) )*(?:diversions?|diverted)(?: route)? (?:via|along|by|onto|over|through)\b(?!.*\b(?:as|while|owing|due|because|at|near)\b)/i;

/** The words that say where it happened: "crash at Wadebridge" of "Two taken to hospital in Truro after crash at
 *  Wadebridge", otherwise the words before a diversion. */
function withoutElsewhere(sentence: string): string {
  const cause = /\b(?:after|following) (.{8,})$/i.exec(sentence)?.[1] ?? '';
  if (CAUSED.test(cause) && !ELSEWHERE.test(cause)) return cause;
  const [, head] = THEN_DIVERTED.exec(sentence) ?? [];
  return head && !ELSEWHERE.test(head) ? head : '';
}

/** "#MiltonKeynes" becomes "Milton Keynes". */
const untagged = (text: string) =>
  text.replace(HASHTAG, (_, tag: string) => tag.replaceAll('_', ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

/** A place around all of these; null when they are too far apart for a point. */
export function around(spots: readonly Spot[], isBetween: boolean): Located | null {
  const mean = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const latitude = mean(spots.map((spot) => spot.latitude));
  const longitude = mean(spots.map((spot) => spot.longitude));
  const reachKm = Math.max(
    ...spots.map((spot) => kilometres(latitude, longitude, spot.latitude, spot.longitude) + spot.reachKm),
  );
  if (!(reachKm <= REACH_MAX_KM)) return null;
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    reachKm: Math.ceil(reachKm),
    names: spots.map(({ name }) => name),
    isBetween,
  };
}

interface Sentence {
  text: string;
  tokens: readonly Token[];
  mentions: readonly Mention[];
  /** True: it is in capitals throughout, so capitals say nothing. */
  isShouted: boolean;
  isTags: boolean;
  /** The number of the text among the texts. */
  order: number;
}

/** "Ullapool's Shore Street". "Earl's Court Road" is not a street of an Earl. */
const STREET_OF =
  /(?<!\bSt\.? |\bSaint )(?<=^|\s)(\p{Lu}[\p{L}-]{2,25}(?: \p{Lu}[\p{L}-]{2,25})?)['’]s ((?:\p{Lu}[\p{L}-]{1,25} ){1,2}(?:Street|Road|Lane|Avenue|Square|Quay|Parade|Terrace|Place|Bridge))\b/gu;

/** The text with the town after its street, if there is a town of that name and no place with both names. */
const withTownLast = (text: string, names: Names) =>
  text.replace(STREET_OF, (whole, town: string, street: string) => {
    const [first = ''] = street.split(' ');
    const isTown = names.find(words(town).join(' ')).length > 0;
    return isTown && names.find(words(`${town}'s ${first}`).join(' ')).length === 0
      ? `${street} in ${town}`
      : whole;
  });

function read(given: string, names: Names, order: number): Sentence {
  const isTags = /^(?:#[\p{L}\p{N}_]+ ?)+$/u.test(given);
  const text = withTownLast(untagged(given), names);
  const tokens = Array.from(
    text.matchAll(/&|[\p{L}\p{N}]+(?:['’`][\p{L}\p{N}]+)*/gu),
    ({ 0: raw, index }) => ({
      raw,
      key: words(raw)[0] ?? '',
      from: index,
      to: index + raw.length,
    }),
  ).slice(0, TOKENS_MAX);
  const letters = text.replace(/[^\p{L}]/gu, '');
  const isShouted = letters.length > 12 && letters.replace(/\p{Ll}/gu, '').length > letters.length * 0.7;
  const sentence = { text, tokens, mentions: [], isShouted, isTags, order };

  const mentions: Mention[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const mention = mentionAt(sentence, at, names);
    if (!mention) continue;
    mentions.push(mention);
    at = mention.last;
  }
  return { ...sentence, mentions };
}

/** The longest name that begins at this token. */
function mentionAt(sentence: Sentence, first: number, names: Names): Mention | null {
  const { text, tokens } = sentence;
  if (!/^\p{Lu}/u.test(tokens[first]!.raw)) return null;
  let last = first;
  while (
    last - first + 1 < NAME_WORDS_MAX &&
    last + 1 < tokens.length &&
    (IN_NAME.test(text.slice(tokens[last]!.to, tokens[last + 1]!.from)) ||
      OF_MANY.test(text.slice(tokens[last]!.to - 1, tokens[last + 1]!.from)))
  )
    last++;
  for (; last >= first; last--) {
    const namesakes = namesakesOf(tokens.slice(first, last + 1), tokens[first - 1], names);
    if (namesakes.length > 0 && isWhole(sentence, first, last, names)) {
      const after = text.slice(tokens[last]!.to);
      // A list of stations of ours has none abroad: "Stratford, Maryland".
      if (names.within && BEYOND.test(after)) return null;
      const isThere = names.within?.(after);
      return {
        first,
        last: withKind(sentence, last),
        namesakes: isThere ? namesakes.filter(isThere) : namesakes,
        spot: null,
      };
    }
  }
  const { raw } = tokens[first]!;
  const airport = /^[A-Z]{3}$/.test(raw) && !sentence.isShouted ? names.airport?.(raw) : null;
  if (airport) return { first, last: first, namesakes: [airport], spot: null };
  return null;
}

/** Words after a name of ours that make it one abroad: "Perth, Western Australia". */
const BEYOND =
  /^,? (?:in |\()?(?:Alabama|Arizona|California|Colorado|Connecticut|Delaware|Florida|Georgia|Illinois|Indiana|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Nebraska|Nevada|New (?:Brunswick|England|Hampshire|Jersey|Mexico|South Wales|York|Zealand)|(?:North|South) (?:Carolina|Dakota)|Nova Scotia|Ohio|Oklahoma|Ontario|Oregon|Pennsylvania|Quebec|Queensland|Rhode Island|(?:South|Western) Australia|Tasmania|Tennessee|Texas|Utah|Vermont|Virginia|Wisconsin|Australia|Canada|Jamaica|South Africa|the US|USA)\b(?! (?:Avenue|Close|Drive|Gardens|Inn|Lane|Place|Plaza|Road|Square|Street|Water|Way))/;

/** Welsh changes of a name's first letters: "yng Nghaerdydd" is in Caerdydd, "a Chaernarfon" and Caernarfon. */
const MUTATIONS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  yn: [[/^n/, 'd']],
  ym: [
    [/^mh/, 'p'],
    [/^m/, 'b'],
  ],
  yng: [
    [/^ngh/, 'c'],
    [/^ng/, 'g'],
  ],
  a: [
    [/^ch/, 'c'],
    [/^ph/, 'p'],
    [/^th/, 't'],
  ],
};

function namesakesOf(tokens: readonly Token[], before: Token | undefined, names: Names): readonly Spot[] {
  const key = keyOf(tokens);
  const found = names.find(key);
  if (found.length > 0) return found;
  const change = MUTATIONS[before?.key ?? '']?.find(([letters]) => letters.test(key));
  return change ? names.find(key.replace(...(change as [RegExp, string]))) : [];
}

/**
 * "Countess Roundabout": the kind belongs to the name. "At Reading services to Paddington run late" is about trains.
 */
function withKind({ text, tokens }: Sentence, last: number): number {
  const next = tokens[last + 1];
  const areTrains =
    next?.key === 'services' && /^ (?:to|from|between|towards|via) /.test(text.slice(next.to));
  return next && !areTrains && KINDS.has(next.key) && ADJACENT.test(text.slice(tokens[last]!.to, next.from))
    ? last + 1
    : last;
}

const keyOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key).join(' ');

/** False if the name is part of another one: "Leeds Road", "Jack London", "Barton on the Heath". */
function isWhole({ text, tokens, isShouted }: Sentence, first: number, last: number, names: Names): boolean {
  const isPart = (token: Token | undefined, gap: string) =>
    token !== undefined &&
    ADJACENT.test(gap) &&
    (isShouted ? OF_NAMES.has(token.key) : /^\p{Lu}/u.test(token.raw)) &&
    (!FUNCTION_WORDS.has(token.key) ||
      (token.key === 'road' && /^R(?:oa)?d$/.test(token.raw) && !isShouted)) &&
    !AT.has(token.key) &&
    !HAPPENED.has(token.key) &&
    !KINDS.has(token.key) &&
    !ROAD_OR_NUMBER.test(token.key);
  const [before, after] = [tokens[first - 1], tokens[last + 1]];
  const gapAfter = text.slice(tokens[last]!.to, after?.from);
  const isOwner = OWN_STREETS.test(text.slice(tokens[last]!.to));
  if (!isOwner && after && gapAfter === '-')
    return /^\p{Lu}/u.test(after.raw) && names.find(after.key).length > 0;
  if (!isOwner && isPart(after, gapAfter)) return false;
  if (!isOwner && after && ADJACENT.test(gapAfter)) {
    // "Settle to Carlisle line" is between the two.
    if (
      LINES.has(after.key) &&
      !/\p{Lu}[\p{L}'’]{1,25} ?(?:to|and|&|-|–) ?$/u.test(text.slice(0, tokens[first]!.from))
    )
      return false;
    const further = tokens.slice(last + 2, last + 4).find(({ key }) => key !== 'the');
    const isCapital = further !== undefined && /^\p{Lu}\p{Ll}/u.test(further.raw);
    // "Portree on Skye" is no name.
    const isOnIsland = after.key === 'on' && Boolean(names.within?.(text.slice(tokens[last]!.to)));
    if (JOINS_NAMES.has(after.key) && isCapital && !FUNCTION_WORDS.has(further.key) && !isOnIsland)
      return false;
    if (IN_GAELIC.test(text.slice(tokens[last]!.to))) return false;
  }
  if (first === 1 && isHeadlineWord(before!)) return true;
  return (
    STREET_THEN_TOWN.test(text.slice(0, tokens[first]!.from)) ||
    !isPart(before, text.slice(before?.to ?? 0, tokens[first]!.from))
  );
}

/** Words in the middle of names: "Barrow upon Trent", "Aston on Clun". */
const JOINS_NAMES = setOf('by cum juxta le next of on sub super under y');
/** "Àird a' Mhachair", "Baile na Cille" */
const IN_GAELIC = /^ (?:a['’]|na[mn]?) \p{Lu}/u;
/** "Victoria line", "Leeds lines" are not stations. */
const LINES = setOf('line lines railway');
/** In a text in capitals, only these words show that a name goes on. */
const OF_NAMES = setOf(
  'airport avenue castle central city council court drive east garden gardens great greater hill hospital house ' +
    'lane lower new north northern old park place police railway road south square street town united university ' +
    'upper way west western',
);

/** Words at the beginning of a sentence, where every word has a capital: "Delays Leeds to York". */
const HEADLINE_WORDS = setOf(
  'accident buses bus cancellations closed closure closures collision crash delay delays disruption fire flooding incident ' +
    'lines queues reduced residual roadworks rta rtc trains train tram trams works',
);
const isHeadlineWord = ({ key }: Token) => HEADLINE_WORDS.has(key) || FUNCTION_WORDS.has(key);

/** Decides the places of all names: first names that are clear by themselves, then names that need the others. */
function resolve(sentences: readonly Sentence[], names: Names): void {
  const mentions = sentences.flatMap((sentence) => sentence.mentions);
  for (const mention of mentions) mention.spot = names.choose(mention.namesakes, []);
  for (let round = 0; round < 2; round++) {
    const known = [...mentions.flatMap(({ spot }) => spot ?? []), ...sentences.flatMap(alongSections)];
    const open = mentions.filter(({ spot }) => spot === null);
    if (known.length === 0 || open.length === 0) break;
    for (const mention of open) mention.spot = names.choose(mention.namesakes, known);
  }
  // If only one place has each of two names, and these places are near each other, both are meant.
  const alone = mentions.filter(({ spot, namesakes }) => spot === null && namesakes.length === 1);
  for (const mention of alone) {
    const beside = alone.filter((other) => other !== mention).map(({ namesakes }) => namesakes[0]!);
    if (beside.length > 0) mention.spot = names.choose(mention.namesakes, beside);
  }
}

/** Points of a stretch with known ends. Of two places with one name, the one beside it is meant. */
function alongSections(sentence: Sentence): Spot[] {
  return sectionsOf(sentence).flatMap(({ ends, others }) => {
    const [from, to] = [ends[0]?.spot, others[0]?.spot];
    if (!from || !to) return [];
    return STEPS.map((share) => ({
      ...from,
      latitude: from.latitude + (to.latitude - from.latitude) * share,
      longitude: from.longitude + (to.longitude - from.longitude) * share,
    }));
  });
}

const STEPS = [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8];

const between = ({ text, tokens }: Sentence, one: Mention, other: Mention) =>
  text.slice(tokens[one.last]!.to, tokens[other.first]!.from);

const keyBefore = ({ tokens }: Sentence, { first }: Mention, steps = 1) => tokens[first - steps]?.key ?? '';

/** The words of the sentence between the last mention and this one. */
function before({ text, tokens, mentions }: Sentence, mention: Mention): string {
  const previous = mentions[mentions.indexOf(mention) - 1];
  return text.slice(previous ? tokens[previous.last]!.to : 0, tokens[mention.first]!.from).trim();
}

/** The stretches in a sentence: "between A and B", "from A to B / C", "A - B", "at A instead of B". */
function sectionsIn(sentence: Sentence): Candidate[] {
  return sectionsOf(sentence).flatMap(({ ends, others }) => {
    const spots = [...ends, ...others].flatMap(({ spot }) => spot ?? []);
    if (spots.length < ends.length + others.length) return [];
    const isCaused = CAUSED.test(before(sentence, ends[0]!));
    const rank = isCaused ? RANK.causeSection : RANK.section + sentence.order * RANK.text;
    return [{ rank, isBetween: true, spots, isOpen: false }];
  });
}

function sectionsOf(sentence: Sentence): { ends: Mention[]; others: Mention[] }[] {
  const { mentions } = sentence;
  return mentions.flatMap((mention, at) => {
    if (at > 0 && OR.test(between(sentence, mentions[at - 1]!, mention))) return [];
    const ends = alternatives(sentence, at);
    const next = mentions[at + ends.length];
    if (!next) return [];
    const joint = between(sentence, ends.at(-1)!, next);
    const joins = isAfterBetween(sentence, mention) ? AND : TO;
    if (!joins.test(joint) && !INSTEAD.test(joint)) return [];
    // "queues back from A to B", "by A to B" and similar words do not name an affected stretch.
    if (/\b(?:queu\w+ back|via)(?: from)?$/i.test(before(sentence, mention))) return [];
    return [{ ends, others: alternatives(sentence, at + ends.length) }];
  });
}

/** "between A", "between J26 A", "between the A345 A". */
const isAfterBetween = (sentence: Sentence, mention: Mention) =>
  /\b(?:between|rhwng) (?:the )?(?:J\d{1,2}[A-Z]?,? \(?|[AMB]\d+(?:\(M\))?,? \(?)?$/i.test(
    `${before(sentence, mention)} `,
  );

/** The mention and those that stand for the same: "Doncaster / Sheffield". */
function alternatives(sentence: Sentence, at: number): Mention[] {
  const { mentions } = sentence;
  const group = [mentions[at]!];
  for (let next = at + 1; next < mentions.length; next++) {
    if (!OR.test(between(sentence, mentions[next - 1]!, mentions[next]!))) break;
    group.push(mentions[next]!);
  }
  return group;
}

/** The points in a sentence: "at A", "near A and B", "A: …", "after the A flood". */
function pointsIn(sentence: Sentence): Candidate[] {
  const { mentions, order, isTags } = sentence;
  const inSections = new Set(sectionsOf(sentence).flatMap(({ ends, others }) => [...ends, ...others]));
  const found: Candidate[] = [];
  let last: { mention: Mention; rank: number } | null = null;
  for (const [at, mention] of mentions.entries()) {
    if (inSections.has(mention)) continue;
    const previous = mentions[at - 1];
    const isAlso: boolean | null =
      last && last.mention === previous && ALSO.test(between(sentence, last.mention, mention));
    const rank: number | null = isTags
      ? RANK.hashtag
      : isAlso
        ? last!.rank // it is there
        : isOfCause(sentence, mention)
          ? RANK.cause
          : saysWhere(sentence, mention)
            ? isOfEvent(sentence, mention)
              ? RANK.event
              : RANK.point + order * RANK.text
            : null;
    if (rank === null) continue;
    last = { mention, rank };
    const { spot } = mention;
    if (isOfNext(sentence, mention, mentions[at + 1])) continue;
    // A tag of a whole city says where its writer is.
    if (isTags && (!spot || spot.reachKm >= CITY_REACH_KM)) continue;
    found.push({ rank, isBetween: false, spots: spot ? [spot] : [], isOpen: spot === null });
  }
  return found;
}

const POSTCODE = /(?<![\p{L}\p{N}])([A-Z]{1,2}\d[A-Z\d]?)( \d[A-Z]{2})?(?![\p{L}\p{N}])/gu;
/** Half a postcode has the form of a bus, a flight or a road, so it is one only after these words. */
const HALF_POSTCODE_AFTER =
  /(?:\b(?:in|near|around|the) |\(|\b(?:Road|Rd|Street|St|Lane|Avenue|Ave|Hill|Way|Drive|Terrace|Place|Square|Grove|Gardens|Row),? )$/;
const POSTCODES_MAX = 3;
/** A gas, a railway, and lanes. */
const NO_POSTCODE = /^(?:CO2|HS2|L[1-5])$/;

/** "St Helen's Road, SA1 4BQ", "streets in LS6", "GREAT CAMBRIDGE ROAD (N18)" */
function postcodesIn({ text, order }: Sentence, names: Names): Candidate[] {
  return [...text.matchAll(POSTCODE)]
    .slice(0, POSTCODES_MAX)
    .flatMap(({ 0: whole, 1: code = '', 2: rest, index }) => {
      const said = text.slice(0, index);
      const after = text.slice(index + whole.length);
      // "BA2 490" is a flight, and "(KT12 ABC)" a vehicle.
      const isOther =
        NO_POSTCODE.test(code) || /^ ?\d/.test(after) || (said.endsWith('(') && after[0] !== ')');
      const isRoad = /^[ABM]\d/.test(code) || (/^[A-Z]\d/.test(code) && !said.endsWith('('));
      if (
        !rest &&
        (isOther || isRoad || !HALF_POSTCODE_AFTER.test(said) || /^ (?:bus|service|route|flight)/.test(after))
      )
        return [];
      const spot = names.postcode?.(code);
      return spot
        ? [{ rank: RANK.postcode + order * RANK.text, isBetween: false, spots: [spot], isOpen: false }]
        : [];
    });
}

/** "Longford roundabout, Gloucester", "Sutton near Peterborough": we know none there, and the town says enough. */
function isOfNext(sentence: Sentence, mention: Mention, next: Mention | undefined): boolean {
  const town = next?.spot;
  if (!town) return false;
  const [joint, near] = /^,? ?(in |near |by |outside )?$/.exec(between(sentence, mention, next)) ?? [];
  if (joint === undefined) return false;
  // "Victoria Park, Cardiff", and not "Lewes, Cliffe" or "Reading, Swindon and Bristol"
  const isPerhapsIn =
    !mention.spot || (town.reachKm > mention.spot.reachKm && !FURTHER.test(afterOf(sentence, next)));
  if (!near && !isPerhapsIn) return false;
  const most = near && near !== 'in ' ? NEAR_NEXT_KM : APART_MAX_KM;
  return mention.namesakes.every(
    (spot) => kilometres(spot.latitude, spot.longitude, town.latitude, town.longitude) > most,
  );
}

/** "Trains are busy for the Wrexham game": a place that is named otherwise counts more. */
const isOfEvent = (sentence: Sentence, mention: Mention) =>
  EVENT_OF.test(afterOf(sentence, mention)) &&
  FOR_EVENT.test(sentence.text.slice(0, sentence.tokens[mention.first]!.from));

const afterOf = ({ text, tokens }: Sentence, { last }: Mention) => text.slice(tokens[last]!.to);
const FURTHER = /^(?:,? (?:and|&|or) |, ?\p{Lu}|\/)/u;

/** "Near" a town is at most this far away from it. */
const NEAR_NEXT_KM = 20;

const CITY_REACH_KM = 20;

/**
 * Whether it is the place of a cause: "a signal failure at A", "a tree has fallen near A", "flooding in the A area".
 */
function isOfCause(sentence: Sentence, mention: Mention): boolean {
  const [one, two] = [1, 2].map((steps) => keyBefore(sentence, mention, steps));
  const follows = sentence.tokens[mention.last + 1]?.key;
  const says = CAUSE_AT.has(one!) || (one === 'the' && CAUSE_AT.has(two!) && follows === 'area');
  const words = before(sentence, mention);
  return says && CAUSED.test(words) && !GOES.test(words);
}

function saysWhere(sentence: Sentence, mention: Mention): boolean {
  const { text, tokens } = sentence;
  const { first, last, namesakes } = mention;
  const [one, two, three] = [1, 2, 3].map((steps) => keyBefore(sentence, mention, steps));
  const isFirst = first === 0;
  const said = text.slice(0, tokens[first]!.from);
  const after = text.slice(tokens[last]!.to);
  const follows = tokens[last + 1];
  const isAirport = namesakes.some((spot) => spot.isAirport);
  const isLandmark = isAirport || namesakes.some((spot) => spot.isLandmark);

  if (namesakes.some((spot) => spot.isHospital)) return BESIDE_HOSPITAL.test(said);
  // "Dover bound"
  if (follows?.key === 'bound') return false;
  if (isFirst && /^\s*$/.test(after)) return true;
  if (AT.has(one!))
    return /\b(?:not|unable to) (?:stop|call|serv)\w* \S+\s*$/i.test(said) || !GOES.test(said.trim());
  if (/\bjust (?:past|before|after|beyond) (?:the )?$/.test(said)) return true;
  // This is a port, and the other end is abroad or on an island.
  if ((one === 'from' || one === 'between' || /^ to \p{Lu}/u.test(after)) && SAILS.test(text)) return true;
  if (one === 'of' && SIDES.has(two!)) return true;
  if (one === 'from' && two === 'and' && three === 'to') return true;
  if (isAirport && (one === 'from' || one === 'to')) return true;
  if (one === 'the' && (AT.has(two!) || two === 'on') && (isLandmark || follows?.key === 'area')) return true;
  // "Overnight closures of the Tyne Tunnel", "at the junction of Target Roundabout"
  if (isLandmark && /\b(?:closures?|junction) of (?:the )?$/i.test(said)) return true;
  // "Protest blocks Westminster Bridge"
  if (isLandmark && SHUTS.has(one!)) return true;
  const opens = isFirst || /[:;,–-]\s(?:the )?$/i.test(said);
  if (isLandmark && (one === 'on' || opens || (first === 1 && one === 'the'))) return true;
  // "A9 Dalwhinnie - Accident", "M74 J13 Abington", "M60 Worsley: queues"
  if (
    /^(?:[abm]\d+m?|j\d+[a-z]?)$/.test(one!) &&
    !/\b(?:to|towards|via|and|onto|on|by) (?:the )?\S+$/i.test(said.trim())
  )
    return true;
  // "A303 eastbound Winterbourne Stoke closed", and not "A27 westbound Fontwell to Crockerhill"
  if (ALONG_ROAD.test(said) && !/^ (?:to|and|towards|traffic) /.test(after)) return true;
  // "M5, Cullompton", "M4 : Westbound : Newport"
  if (
    /\b[AMB]\d{1,4}(?:\(M\))?(?: :)?(?: (?:\p{L}+bound|Both(?: [Dd]irections| [Ww]ays)?))?(?: \p{Lu}[\p{L}'’-]+){0,4}\s?[,:(–-]\s?$/u.test(
      said,
    )
  )
    return true;
  if (isFirst && /^(?:\s?:|,|\s[-–]\s| \(\p{Lu})/u.test(after)) return true;
  // "RTC Brampton, A69 closed", "PSNI: Lurgan, Gilford Road"
  if (first === 1 && HEADLINE_WORDS.has(one!) && /^(?:\s?[:,]|\s[-–]\s|\s*$| #?[AMB]\d)/.test(after))
    return true;
  if (/[:;] $/.test(said) && after.startsWith(',')) return true;
  // "Longford roundabout Gloucester", "brings Builth Wells to a standstill"
  if (KINDS.has(one!) && /^\p{Lu}/u.test(tokens[first - 2]?.raw ?? '')) return true;
  if (
    isFirst &&
    /^ (?:is |are |was )?(?:cut off|evacuated|flooded|gridlocked|hit by|at a standstill)\b/.test(after)
  )
    return true;
  if (/^ to (?:a )?(?:standstill|halt)\b/.test(after)) return true;
  // "Sheep Market, Stamford", alone
  if (/^(?:\p{Lu}[\p{L}'’.]* ){1,3}\p{Lu}[\p{L}'’.]+, $/u.test(said) && /^\s*(?:$|[-–:(])/.test(after))
    return true;
  if (isOfEvent(sentence, mention)) return true;
  if (STREET.test(said) || STREET_THEN_TOWN.test(said) || said.endsWith('(') || OF_UNKNOWN.test(said))
    return true;
  if (one === 'via' && /\b(?:services|trains) via (?:the )?$/i.test(said)) return true;
  // "On approach to the Tyne Bridge" is at the bridge, "traffic to the Tyne Tunnel" is not at the tunnel.
  const isThere = /\b(?:approach(?:es)?|access|backed up) to the $/i.test(said);
  const lead = one === 'the' && !isThere ? two : one;
  if (lead === 'towards' || lead === 'to' || lead === 'for' || lead === 'via') return false;
  const isKind = follows !== undefined && STATION_KINDS.has(follows.key);
  const next = isKind ? tokens[last + 2] : follows;
  if (OWN_STREETS.test(after) || OWN_PARTS.test(after) || THING_HAPPENED.test(after)) return true;
  if (next && PARTS.has(next.key) && next.raw === next.key) return true;
  return HAPPENED.has(next?.key ?? '') || (last > first && KINDS.has(tokens[last]!.key));
}
