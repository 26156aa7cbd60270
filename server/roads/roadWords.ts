/**
 * Roads, junctions and directions as words name them. Every pattern takes time in proportion to the text, and no more
 * than its beginning is read.
 */
import { normalRoad } from '#contract/roadName.ts';
import type { Direction, Stretch } from '#contract/facts.ts';
import { junctionName } from './roadTable.ts';

export interface RoadWords {
  /** Normal forms, each once, in the order of the text: "M62", "A1(M)", "M6 Toll". */
  roads: string[];
  /** In the order of the text; junctions without any road are left out. */
  stretch: Stretch[];
  /** Of the road named first. Null: none is named, or both are. */
  direction: Direction | null;
  /** "Coastbound" and "Londonbound" depend on the road, so they are no compass point. */
  bound: 'coast' | 'London' | null;
  slip: boolean;
}

/** Characters: publishers name the place first. */
const READ_MAX = 2000;

/** Not a postcode: the "M1" of "M1 2AB". */
const ROAD = /\b(?:M6 ?Toll|A\d{1,4}(?: ?\(M\)|M)?|M\d{1,4}|B\d{3,4})(?!\w)(?! \d[A-Z]{2}\b)/gi;

/** "J26", "Jct. 4", "junction 21A"; "J8/9" is one junction. */
const JUNCTION = /\b(?:junctions?|j(?:cts?|ns?)?)\.? ?(T\d|\d{1,2}[A-Z]?(?:\/\d{1,2}[A-Z]?)?)\b/gi;

/** The far end where only the first is called a junction: "J26-27", "junctions 26 and 27". */
const BARE_END =
  /^ ?(to|and|[-–—]) ?(\d{1,2}[A-Z]?)\b(?![:.]\d)(?!\s*(?:%|am\b|pm\b|(?:mile|min|hour|metre|yard|lane|vehicle|km|mph)))/i;

/** "M62 EB" without a stroke only right after the road: "NB" can also open a note. */
const DIRECTION =
  /\b(?:(north|south|east|west|coast|london)[- ]?bound|([nsew])(?:\/|(?<=\d(?:\(M\)|M)? [nsew]))b|(anti-?|counter-?)?clockwise|both (?:directions|ways|carriageways))\b/gi;

const COMPASS: Readonly<Record<string, Direction>> = { n: 'N', e: 'E', s: 'S', w: 'W' };

const SLIP = /\bslips?(?: ?roads?)?\b/i;

/** Between two junctions of one stretch; a name in brackets or words may stand there too: "J26 Malpas to J24". */
const GAP_MAX = 60;

interface Found<What> {
  what: What;
  at: number;
  end: number;
}

export function readRoadWords(text: string): RoadWords {
  // Whole words: "M6" of "M62" is another road.
  const words = text.length > READ_MAX ? text.slice(0, Math.max(0, text.lastIndexOf(' ', READ_MAX))) : text;
  const named = Array.from(words.matchAll(ROAD), (match) => found(match, normalRoad(match[0])));
  const roads = [...new Set(named.map(({ what }) => what))];
  const directions = directionsOf(words, named);
  const [only = null, other] = new Set(directions);
  const said = other === undefined ? only : null;

  return {
    roads,
    stretch: stretchOf(words, named),
    direction: said === 'coast' || said === 'London' || said === 'both' ? null : said,
    bound: said === 'coast' || said === 'London' ? said : null,
    slip: SLIP.test(words),
  };
}

function stretchOf(words: string, roads: readonly Found<string>[]): Stretch[] {
  const junctions = junctionsOf(words).map((junction) => ({ ...junction, road: roadOf(junction, roads) }));
  const stretch: Stretch[] = [];
  for (let at = 0; at < junctions.length; at++) {
    const [one, next] = [junctions[at]!, junctions[at + 1]]; // `at` is within
    if (!one.road) continue;
    const isPair = next?.road === one.road && joins(words, one, next);
    stretch.push({ road: one.road, from: one.what, to: isPair ? next.what : one.what });
    if (isPair) at++;
  }
  return stretch;
}

function junctionsOf(words: string): Found<string>[] {
  return Array.from(words.matchAll(JUNCTION)).flatMap((match) => {
    const first = found(match, junctionName(match[1]!)); // the group is part of every match
    const bare = BARE_END.exec(words.slice(first.end, first.end + GAP_MAX));
    const isEnd = bare && (bare[1]!.toLowerCase() !== 'and' || isBetween(words, first.at, match[0]));
    if (!isEnd) return [first];
    const end = first.end + bare[0].length;
    return [first, { what: `J${bare[2]!.toUpperCase()}`, at: end - bare[2]!.length, end }];
  });
}

/** The road named last before the junction; before the first road, that one: "J26 to J27 of the M62". */
function roadOf({ at }: Found<string>, roads: readonly Found<string>[]): string | null {
  return (roads.findLast((road) => road.at < at) ?? roads[0])?.what ?? null;
}

function joins(words: string, one: Found<string>, next: Found<string>): boolean {
  const gap = words.slice(one.end, next.at);
  if (gap.length > GAP_MAX || /[;:]|\.(?: |$)/.test(gap)) return false;
  return (
    /\bto\b|\buntil\b|[-–—]/i.test(gap) ||
    (/\band\b/i.test(gap) && isBetween(words, one.at, words.slice(one.at, one.end)))
  );
}

/** "At J26 and J27" names two places, "between J26 and J27" and "junctions 26 and 27" what lies between. */
const isBetween = (words: string, at: number, junction: string) =>
  /^(?:junctions|j(?:ct|n)s)/i.test(junction) || /\bbetween\b/i.test(words.slice(Math.max(0, at - 20), at));

type Way = Direction | 'coast' | 'London' | 'both';

/** Those given before another road is named: "M62 closed, diversion by the M6 southbound" says nothing of the M62. */
function directionsOf(words: string, roads: readonly Found<string>[]): Way[] {
  const another = roads.find(({ what }) => what !== roads[0]?.what)?.at ?? words.length;
  return Array.from(words.slice(0, another).matchAll(DIRECTION), meaningOf);
}

function meaningOf([said, bound = '', letter = '', anti]: RegExpExecArray): Way {
  if (/^both/i.test(said)) return 'both';
  const word = bound.toLowerCase();
  if (word === 'coast') return 'coast';
  if (word === 'london') return 'London';
  const point = COMPASS[word.charAt(0) || letter.toLowerCase()];
  if (point) return point;
  return anti ? 'AC' : 'CW';
}

const found = <What>(match: RegExpExecArray, what: What): Found<What> => ({
  what,
  at: match.index,
  end: match.index + match[0].length,
});
