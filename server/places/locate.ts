/** Where an incident is, by its words: which of the places that they name it is about, and how far it reaches. */
import { kilometres } from '#contract/distance.ts';
import { words } from './words.ts';

export interface Spot {
  name: string;
  /** WGS84 degrees. */
  latitude: number;
  longitude: number;
  /** How far from the point the place reaches. */
  reachKm: number;
  /** Named without its town, and with "the" or "on": a bridge, a tunnel, a pass. */
  isLandmark?: boolean;
  isAirport?: boolean;
}

/** The places that a text can name. */
export interface Names {
  /** The namesakes, by the words of the name as `words` gives them, joined by spaces. */
  find(name: string): readonly Spot[];
  /** The one that is meant; null when that is not certain. */
  choose(namesakes: readonly Spot[], context: { text: string; beside: readonly Spot[] }): Spot | null;
}

export interface Located {
  latitude: number;
  longitude: number;
  /** All that the words name lies within this distance, in whole kilometres. */
  reachKm: number;
  /** What was read: one name, or the ends of what lies between. */
  names: string[];
  isBetween: boolean;
}

/** What reaches further than this has no place: a point in the middle would say nothing. */
export const REACH_MAX_KM = 50;

/** Two places in one text that are further apart leave open which of them is meant. */
const APART_MAX_KM = 40;

/** The first characters decide; no text names its place later. */
const READ_MAX = 1000;
const NAME_WORDS_MAX = 7;

interface Token {
  raw: string;
  key: string;
  from: number;
  to: number;
}

/** A name in the text: its first and last token. */
interface Mention {
  first: number;
  last: number;
  namesakes: readonly Spot[];
  spot: Spot | null;
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Before a name: it says where. */
const AT = setOf('at near in around outside through into inside serving affecting avoid hits');
/** "north of Leeds", "the outskirts of Leeds". */
const SIDES = setOf('north south east west outskirts edge centre side outside parts streets');
/** After a name: something that happened there, or stands there. */
const HAPPENED = setOf(
  'flood floods flooding crash collision closure closures derailment blaze evacuation station stations',
);
const STATION_KINDS = setOf('bus railway train tube underground rail metro tram');
/** Capitals in a headline that belong to no name. */
const FUNCTION_WORDS = setOf(
  'a after all amid an and are area as at because between blocked both by cause causes closed cut delayed delays ' +
    'disruption due during following for from has hit hits in into is leads leaves near no of off on or outside over ' +
    'residual road roads section services severe shut suspended through to traffic trains until via was when where ' +
    'while with monday tuesday wednesday thursday friday saturday sunday today tonight tomorrow',
);
const STREET = /\b(?:avenue|bridge|close|drive|green|hill|lane|road|row|square|street|terrace|way)\s*,\s*$/i;
const ROAD_OR_NUMBER = /^(?:[abmj]?\d+m?)$/;

/** Between the words of one name. */
const IN_NAME = /^(?:\s|-|\.\s?|\s?\(|\)\s?)$/;
/** Between two words of one phrase. */
const ADJACENT = /^(?:\s+|-)$/;

/** Names that stand for each other: "Doncaster / Sheffield". */
const OR = /^\)?\s*(?:\/|,|or)\s*$/i;
const AND = /^\)?\s*(?:stations?\s+)?(?:and|&|to|–|—|-)\s*(?:J\d{1,2}[A-Z]?\s+)?$/i;
const TO = /^\)?\s*(?:stations?\s+)?(?:to|–|—|-|→)\s*(?:J\d{1,2}[A-Z]?\s+)?$/i;
const INSTEAD = /^\s*instead of\s*$/i;
const ALSO = /^\s*(?:\/|,|and|&)\s*$/i;

const SENTENCE_END = /(?<=[^ .][.!?])(?<!\b(?:St|Jct|Rd)\.) | ?[;|] ?/;
/** It says what a post is about, not where. */
const HASHTAG = /#[\p{L}\p{N}_]+/gu;
/** Such sentences name places where nothing is wrong. */
const ELSEWHERE =
  /\b(?:accept(?:ed|ing)?|tickets?|refunds?|compensation|normal(?:ly)?|divert\w* (?:along|by|over|through|to|via))\b/i;

/**
 * Of several texts about one incident the first that places it. What lies between two places is at the middle of
 * them. Null: nothing names a place for certain.
 */
export function locate(texts: readonly string[], names: Names): Located | null {
  for (const text of texts) {
    const sentences = text
      .slice(0, READ_MAX)
      .replace(HASHTAG, ' ')
      .replace(/\s+/g, ' ')
      .split(SENTENCE_END)
      .filter((sentence) => !ELSEWHERE.test(sentence))
      .map((sentence) => read(sentence, names));
    for (const how of [sectionIn, pointIn]) {
      for (const sentence of sentences) {
        const found = how(sentence);
        if (found) return found;
      }
    }
  }
  return null;
}

/** What lies around all of these; null when that is too much for a point. */
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
  /** In capitals throughout, so that they say nothing. */
  isShouted: boolean;
}

function read(text: string, names: Names): Sentence {
  const tokens = Array.from(
    text.matchAll(/&|[\p{L}\p{N}]+(?:['’`][\p{L}\p{N}]+)*/gu),
    ({ 0: raw, index }) => ({
      raw,
      key: words(raw)[0] ?? '',
      from: index,
      to: index + raw.length,
    }),
  );
  const letters = text.replace(/[^\p{L}]/gu, '');
  const isShouted = letters.length > 12 && letters.replace(/\p{Ll}/gu, '').length > letters.length * 0.7;
  const sentence = { text, tokens, mentions: [], isShouted };

  const mentions: Mention[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const mention = mentionAt(sentence, at, names);
    if (!mention) continue;
    mentions.push(mention);
    at = mention.last;
  }
  resolve(mentions, text, names);
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
    IN_NAME.test(text.slice(tokens[last]!.to, tokens[last + 1]!.from))
  )
    last++;
  for (; last >= first; last--) {
    const namesakes = names.find(keyOf(tokens.slice(first, last + 1)));
    if (namesakes.length > 0 && isWhole(sentence, first, last, names))
      return { first, last, namesakes, spot: null };
  }
  return null;
}

const keyOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key).join(' ');

/** False where the name is part of another one: "Leeds Road", "Jack London", "Barton on the Heath". */
function isWhole({ text, tokens, isShouted }: Sentence, first: number, last: number, names: Names): boolean {
  const isPart = (token: Token | undefined, gap: string) =>
    token !== undefined &&
    ADJACENT.test(gap) &&
    (isShouted ? OF_NAMES.has(token.key) : /^\p{Lu}/u.test(token.raw)) &&
    !FUNCTION_WORDS.has(token.key) &&
    !AT.has(token.key) &&
    !HAPPENED.has(token.key) &&
    !ROAD_OR_NUMBER.test(token.key);
  const [before, after] = [tokens[first - 1], tokens[last + 1]];
  const gapAfter = text.slice(tokens[last]!.to, after?.from);
  if (after && gapAfter === '-') return /^\p{Lu}/u.test(after.raw) && names.find(after.key).length > 0;
  if (isPart(after, gapAfter)) return false;
  if (after && ADJACENT.test(gapAfter)) {
    if (LINES.has(after.key)) return false;
    const further = tokens.slice(last + 2, last + 4).find(({ key }) => key !== 'the');
    const isCapital = further !== undefined && /^\p{Lu}\p{Ll}/u.test(further.raw);
    if (JOINS_NAMES.has(after.key) && isCapital && !FUNCTION_WORDS.has(further.key)) return false;
  }
  return first === 1 && isHeadlineWord(before!)
    ? true
    : !isPart(before, text.slice(before?.to ?? 0, tokens[first]!.from));
}

/** In the middle of names: "Barrow upon Trent", "Aston on Clun". */
const JOINS_NAMES = setOf('by cum juxta le next of on sub super under y');
/** "Victoria line", "Leeds lines" are no stations. */
const LINES = setOf('line lines railway');
/** In capitals throughout, only these show that a name goes on. */
const OF_NAMES = setOf(
  'airport avenue castle central city council court drive east garden gardens great greater hill hospital house ' +
    'lane lower new north northern old park place police railway road south square street town united university ' +
    'upper way west western',
);

/** The first word of a sentence has its capital anyway: "Delays Leeds to York". */
const HEADLINE_WORDS = setOf(
  'buses bus cancellations closed closure closures collision crash delay delays disruption fire flooding incident ' +
    'lines queues reduced residual trains train tram trams works',
);
const isHeadlineWord = ({ key }: Token) => HEADLINE_WORDS.has(key) || FUNCTION_WORDS.has(key);

/** First those whose name says all, then those that only the others tell apart. */
function resolve(mentions: readonly Mention[], text: string, names: Names): void {
  for (const mention of mentions) mention.spot = names.choose(mention.namesakes, { text, beside: [] });
  const beside = mentions.flatMap(({ spot }) => spot ?? []);
  if (beside.length === 0) return;
  for (const mention of mentions) mention.spot ??= names.choose(mention.namesakes, { text, beside });
}

const between = ({ text, tokens }: Sentence, one: Mention, other: Mention) =>
  text.slice(tokens[one.last]!.to, tokens[other.first]!.from);

const keyBefore = ({ tokens }: Sentence, { first }: Mention, steps = 1) => tokens[first - steps]?.key ?? '';

/** "between A and B", "from A to B / C", "A - B", "at A instead of B". */
function sectionIn(sentence: Sentence): Located | null {
  for (const { ends, others } of sectionsOf(sentence)) {
    const spots = [...ends, ...others].map(({ spot }) => spot);
    if (spots.some((spot) => spot === null)) continue;
    const found = around(spots as Spot[], true); // none is null
    if (found) return found;
  }
  return null;
}

function sectionsOf(sentence: Sentence): { ends: Mention[]; others: Mention[] }[] {
  const { mentions } = sentence;
  return mentions.flatMap((mention, at) => {
    if (at > 0 && OR.test(between(sentence, mentions[at - 1]!, mention))) return [];
    const ends = alternatives(sentence, at);
    const next = mentions[at + ends.length];
    if (!next) return [];
    const joint = between(sentence, ends.at(-1)!, next);
    const joins = keyBefore(sentence, mention) === 'between' ? AND : TO;
    if (!joins.test(joint) && !INSTEAD.test(joint)) return [];
    return [{ ends, others: alternatives(sentence, at + ends.length) }];
  });
}

/** The mention and those that stand for it: "Doncaster / Sheffield". */
function alternatives(sentence: Sentence, at: number): Mention[] {
  const { mentions } = sentence;
  const group = [mentions[at]!];
  for (let next = at + 1; next < mentions.length; next++) {
    if (!OR.test(between(sentence, mentions[next - 1]!, mentions[next]!))) break;
    group.push(mentions[next]!);
  }
  return group;
}

/** "at A", "near A and B", "A: …", "after the A flood". */
function pointIn(sentence: Sentence): Located | null {
  const { mentions } = sentence;
  const inSections = new Set(sectionsOf(sentence).flatMap(({ ends, others }) => [...ends, ...others]));
  const meant: Mention[] = [];
  for (const [at, mention] of mentions.entries()) {
    if (inSections.has(mention)) continue;
    const previous = mentions[at - 1];
    const isAlso = previous && meant.at(-1) === previous && ALSO.test(between(sentence, previous, mention));
    if (isAlso || saysWhere(sentence, mention)) meant.push(mention);
  }
  const spots = meant.flatMap(({ spot }) => spot ?? []);
  const [first] = spots;
  // A place that we cannot tell from its namesakes can be the one that is meant.
  if (!first || spots.length < meant.length) return null;
  const apart = Math.max(
    ...spots.map((spot) => kilometres(first.latitude, first.longitude, spot.latitude, spot.longitude)),
  );
  return apart <= APART_MAX_KM ? around([first], false) : null;
}

function saysWhere(sentence: Sentence, mention: Mention): boolean {
  const { text, tokens } = sentence;
  const { first, last, namesakes } = mention;
  const [one, two, three] = [1, 2, 3].map((steps) => keyBefore(sentence, mention, steps));
  const isFirst = first === 0;
  const before = text.slice(0, tokens[first]!.from);
  const after = text.slice(tokens[last]!.to);
  const follows = tokens[last + 1];
  const { isLandmark, isAirport } = namesakes[0]!;

  if (isFirst && /^\s*$/.test(after)) return true;
  if (AT.has(one!)) return true;
  if (one === 'of' && SIDES.has(two!)) return true;
  if (one === 'from' && two === 'and' && three === 'to') return true;
  if (isAirport && (one === 'from' || one === 'to')) return true;
  if (one === 'the' && (AT.has(two!) || two === 'on') && (isLandmark || follows?.key === 'area')) return true;
  if (isLandmark && (one === 'on' || isFirst || (first === 1 && one === 'the') || /^[abm]\d+$/.test(one!)))
    return true;
  if (isFirst && /^(?::|,| [-–] )/.test(after)) return true;
  if (STREET.test(before) || before.endsWith('(')) return true;
  if (one === 'towards' || one === 'to' || one === 'for' || one === 'via') return false;
  const isKind = follows !== undefined && STATION_KINDS.has(follows.key);
  return HAPPENED.has((isKind ? tokens[last + 2] : follows)?.key ?? '');
}
