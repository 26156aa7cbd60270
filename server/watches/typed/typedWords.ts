/** A route as people type it: "Leeds - Heathrow via M1 M25", "M1 J43 to J6a", "A1, Grantham to Newark". Only words
 *  are read here; typedLegs.ts finds their meaning. Every pattern takes time in proportion to the text. */
import { normalRoad, roadNameAt } from '#contract/incidents/roadName.ts';
import { junctionName, type Sign } from '../../geography/roads/roadTable.ts';

/** As counted in UTF-16 units in the text. */
export interface Range {
  from: number;
  to: number;
}

/** A junction or a place of the route. */
export type TypedStop =
  | {
      kind: 'junction';
      /** The road in its normal form; null: no road is named. */
      road: string | null;
      /** "J26" */
      junction: string;
      at: Range;
      /** The junction alone, without its road. */
      number: Range;
    }
  | {
      kind: 'place';
      name: string;
      /** The road that is named before it in the same part: "A1 Grantham to Newark". */
      road: string | null;
      /** Whether the place is named right after its road: in "A1 Grantham to Newark" Grantham is, Newark is not. */
      isOfRoad: boolean;
      at: Range;
    };

export interface TypedRoad {
  road: string;
  at: Range;
}

interface TypedSign {
  sign: Sign;
  /** The road named last. */
  road: string;
  at: Range;
}

export interface TypedRoute {
  stops: TypedStop[];
  /** The roads from each stop to the next. A route without two stops has them all in the first list. */
  roads: TypedRoad[][];
  signs: TypedSign[];
  /** The first road after the last stop, if that stop is a junction or other roads lead to it: the route may go on
   *  along it. */
  after: TypedRoad | null;
}

/** Further stops are not read; the longest route has 60 legs. */
export const STOPS_MAX = 100;
const ROADS_MAX = 60;
/** Between two stops. */
const ROADS_BETWEEN_MAX = 8;

const ROAD =
  /(?:m6[ -]?toll|[am][ -]?\d{1,4}(?: ?\(m\)|m(?![a-z])| m(?![a-z0-9]))?|b\d{3,4})(?![a-hik-z0-9])(?!j[a-z]*[k-z])/iy;
const JUNCTION =
  /(?:junctions?|junct?|jctn?s?|jc?ns?|exits?|j)\.? ?#?(\d{1,2}[a-z]?(?:\/\d{1,2}[a-z]?)?|t\d)(?![a-z0-9])/iy;
/** A whole postcode: the "M1" of "M1 1AE" is no road. "2nd" is no half of one. */
const POSTCODE = /[a-z]{1,2}\d[a-z\d]? ?\d(?!st|nd|rd|th|hr)[abd-hjlnp-uw-z]{2}(?![a-z0-9])/iy;
/** A number is a junction after a road or another junction: "M1 43 to 6a". */
const NUMBER = /(?:t\d|\d{1,2}[a-z]?(?:\/\d{1,2}[a-z]?)?)(?![a-z0-9:.])/iy;
const SIGN =
  /(?:(north|south|east|west|coast|london)[ -]?bound|(anti|counter)?-?clockwise|([nsew])\/?b)(?![a-z0-9])/iy;
const BREAK = /[,;|/\n\r]+|\.(?=\s|$)/y;
const ARROW = /-{0,3}>|=>|[-–—→+]/y;
/** Hyphens inside a name; beside a road they separate: "Carlisle-M6-Preston". */
/** In a name of this form the slash stands for letters: "M/cr". */
const WORD =
  /[a-z]\/(?:cr|chester|ham|pool|hampton|castle)(?![a-z0-9])|[^\s,;|>→–—/-]+(?:-(?![am]\d)[^\s,;|>→–—/-]+)*/iy;

const SIGNS: Readonly<Record<string, Sign>> = { n: 'N', s: 'S', e: 'E', w: 'W', c: 'coast', l: 'London' };

/** The length of the longest name of a road, and one word more. */
const NAME_MAX = 40;

/** Between two stops. */
const BETWEEN = new Set('to till until then towards from and & + thence'.split(' '));
/** The word before the roads or places on the way: "Leeds to London via the M1". */
const VIA = new Set('via using along through'.split(' '));
/** Words without a meaning of their own that can be part of a name: "Stoke on Trent". */
const FILLERS = new Set(
  'the on onto by of at into past down up coach bus drive go going take follow join leave motorway road route start end'.split(
    ' ',
  ),
);

/** Fillers that are the last word of a name. */
const LAST = /\s(?:end|road|co(?:unty)? down)$/i;

type Token =
  | { kind: 'road'; road: string; at: Range }
  | { kind: 'junction' | 'number'; junction: string; at: Range }
  | { kind: 'sign'; sign: Sign; at: Range }
  | { kind: 'break' | 'line' | 'between' | 'via' | 'filler'; at: Range }
  | { kind: 'word'; at: Range };

export function readRouteText(text: string): TypedRoute {
  return arranged(itemsOf(text, tokensOf(text)));
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const add = (token: Record<string, unknown> & { kind: Token['kind'] }, length: number) => {
    tokens.push({ ...token, at: { from: at, to: at + length } } as Token); // each call gives its kind's fields
    at += length;
  };
  while (at < text.length) {
    let match: RegExpExecArray | null;
    let named: ReturnType<typeof roadNameAt>;
    const atStart = at === 0 || !/[\p{L}\d]/u.test(text[at - 1]!) || tokens.at(-1)?.at.to === at;
    if (/[^\S\n\r]/.test(text[at]!)) at++;
    else if ((match = take(BREAK)))
      add({ kind: /[\n\r]/.test(match[0]) ? 'line' : 'break' }, match[0].length);
    else if (atStart && (match = take(POSTCODE))) add({ kind: 'word' }, match[0].length);
    else if (atStart && (match = take(ROAD)))
      add({ kind: 'road', road: normalRoad(match[0].replaceAll('-', ' ')) }, match[0].length);
    else if (atStart && (match = take(JUNCTION)))
      add({ kind: 'junction', junction: junctionName(match[1]!) }, match[0].length);
    else if (atStart && (match = take(SIGN))) {
      const [said, bound, anti, letter] = match;
      const word = (bound ?? letter)?.charAt(0).toLowerCase();
      add({ kind: 'sign', sign: word ? SIGNS[word] : anti ? 'AC' : 'CW' }, said.length);
    } else if (atStart && (match = take(NUMBER)))
      add({ kind: 'number', junction: junctionName(match[0]) }, match[0].length);
    else if (atStart && tokens.length > 0 && (named = roadNameAt(text.slice(at, at + NAME_MAX))))
      add({ kind: 'road', road: named.road }, named.length);
    else if ((match = take(ARROW))) add({ kind: 'between' }, match[0].length);
    else if ((match = take(WORD))) {
      const word = match[0].toLowerCase();
      const kind = BETWEEN.has(word)
        ? 'between'
        : VIA.has(word)
          ? 'via'
          : FILLERS.has(word)
            ? 'filler'
            : 'word';
      add({ kind }, match[0].length);
    } else at++;
  }
  return tokens;
}

type Item =
  | TypedStop
  | { kind: 'road'; road: string; at: Range }
  | { kind: 'sign'; sign: Sign; road: string; at: Range }
  | { kind: 'via' }
  | { kind: 'to' };

/** After these a number is a junction. */
const COUNTED: ReadonlySet<Token['kind']> = new Set(['road', 'junction', 'number']);
const PASSED_OVER: ReadonlySet<Token['kind']> = new Set(['filler', 'between', 'sign', 'break', 'line']);

function itemsOf(text: string, tokens: readonly Token[]): Item[] {
  const items: Item[] = [];
  /** The last named road; the last one in this part; and one that has no junction yet. */
  let current: string | null = null;
  let ofPart: string | null = null;
  let pending: { road: string; at: Range } | null = null;
  const flush = () => {
    if (pending) items.push({ kind: 'road', ...pending });
    pending = null;
  };
  /** The road that was read with the junction before it: "J36 M1". */
  let readAhead: string | null = null;
  /** The kind of token before a bare number, without words such as "the" and "to" and without directions. */
  let before: Token['kind'] | null = null;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token.kind === 'number' && (!current || !before || !COUNTED.has(before))) {
      index = addPlace(index);
      before = 'word';
      continue;
    }
    switch (token.kind) {
      case 'road':
        flush();
        current = ofPart = token.road;
        // In "J36 M1" the road has been read with its junction.
        if (readAhead !== token.road) pending = { road: token.road, at: token.at };
        break;
      case 'number':
      case 'junction': {
        const named = pending?.road ?? current ?? roadAhead(tokens, index);
        const ahead = tokens[index + 1];
        readAhead = !pending && ahead?.kind === 'road' && ahead.road === named ? named : null;
        const from = pending?.at.from ?? token.at.from;
        pending = null;
        items.push({
          kind: 'junction',
          road: named,
          junction: token.junction,
          at: { from, to: token.at.to },
          number: token.at,
        });
        break;
      }
      case 'sign': {
        const road = current ?? roadAhead(tokens, index);
        if (road) items.push({ kind: 'sign', sign: token.sign, road, at: token.at });
        break;
      }
      case 'break':
      case 'line':
        flush();
        ofPart = null;
        if (token.kind === 'line') items.push({ kind: 'to' });
        break;
      case 'between':
        flush();
        items.push({ kind: 'to' });
        break;
      case 'via':
        flush();
        ofPart = null;
        items.push({ kind: 'via' });
        break;
      case 'filler':
        break;
      case 'word':
        index = addPlace(index);
    }
    if (token.kind !== 'junction' && token.kind !== 'number') readAhead = null;
    if (!PASSED_OVER.has(token.kind)) before = token.kind;
  }
  flush();
  return items;

  /** Adds the name from this token to the last that belongs to it; fillers count only between its words, but "Mile
   *  End" and "Cemmaes Road" are names. */
  function addPlace(first: number): number {
    let last = first;
    for (let next = first + 1; next < tokens.length; next++) {
      const { kind } = tokens[next]!;
      const isLast = kind === 'filler' && LAST.test(text.slice(tokens[first]!.at.from, tokens[next]!.at.to));
      if (kind === 'word' || kind === 'number' || isLast) last = next;
      else if (kind !== 'filler') break;
    }
    const at = { from: tokens[first]!.at.from, to: tokens[last]!.at.to };
    if (pending) at.from = pending.at.from;
    const name = text.slice(tokens[first]!.at.from, at.to);
    const isOfRoad = pending !== null;
    pending = null;
    items.push({ kind: 'place', name, road: ofPart, isOfRoad, at });
    return last;
  }
}

/** "J26 to J27 of the M62" */
const roadAhead = (tokens: readonly Token[], index: number): string | null => {
  for (const token of tokens.slice(index + 1, index + 8)) {
    if (token.kind === 'road') return token.road;
    if (token.kind === 'break' || token.kind === 'line' || token.kind === 'word') return null;
  }
  return null;
};

/** Stops in the order of the route, and the roads between them. */
function arranged(items: readonly Item[]): TypedRoute {
  const stops: TypedStop[] = [];
  const roads: TypedRoad[][] = [];
  const signs: TypedSign[] = [];
  /** Roads named since the last stop. */
  let open: TypedRoad[] = [];
  /** "Leeds to Heathrow via ...": the destination, which is kept until the way to it has been read. */
  let kept: TypedStop | null = null;
  /** "via M1 to": the way to it has been read if a place comes next, but not in "via M1 and M25". */
  let isRead = false;
  let roadCount = 0;

  const addStop = (stop: TypedStop) => {
    if (stops.length >= STOPS_MAX) return;
    if (stops.length > 0) roads.push(open.splice(0));
    stops.push(stop);
  };
  const release = () => {
    if (kept) addStop(kept);
    kept = null;
    isRead = false;
  };
  for (const item of items) {
    if (item.kind === 'via') {
      if (kept || stops.length < 2 || open.length > 0) continue;
      kept = stops.pop()!;
      open = roads.pop()!;
    } else if (item.kind === 'to') {
      isRead = open.length > 0 || roads.length >= stops.length;
    } else if (item.kind === 'road') {
      isRead = false;
      if (open.length < ROADS_BETWEEN_MAX && roadCount++ < ROADS_MAX)
        open.push({ road: item.road, at: item.at });
    } else if (item.kind === 'sign') signs.push({ sign: item.sign, road: item.road, at: item.at });
    else {
      if (isRead) release();
      addStop(item);
    }
  }
  release();
  // Roads after the last stop belong to the way to it: "Leeds to York, A64". In "Leeds M62 Hull A63" the M62 does too.
  const last = stops.at(-1);
  const way = roads.at(-1);
  let after: TypedRoute['after'] = null;
  if (way && open.length > 0) {
    if (last?.kind === 'place' && last.road && last.isOfRoad) {
      way.push({ road: last.road, at: last.at });
      const from = last.at.to - last.name.length;
      stops.splice(-1, 1, { ...last, road: null, isOfRoad: false, at: { from, to: last.at.to } });
    }
    if (way.length > 0 || last?.kind === 'junction')
      after = open.find(({ road }) => road !== last?.road) ?? null;
    way.push(...open);
  } else if (!way) roads.push(open);
  return { stops, roads, signs, after };
}
