/** A text's sentences, and which of them describe a way round; its short forms spelled out. The words beside one road
 *  are read by roadRoles.ts. */
import { everyMatch } from './everyMatch.ts';

export interface Sentence {
  from: number;
  to: number;
  /** "Exit at J26 and follow the A58": none of its roads is affected. */
  isWayRound: boolean;
}

const SENTENCES_MAX = 60;
const END = /[.!?;](?=\s|$)|\n|\s\|\s/g;
const ABBREVIATION = /\b(?:St|Mt|No|Dr|Rd|Jct|Jn|J|approx|nr|Ave|Inc|Ltd|vs|[A-Z])$/i;

const INSTRUCTION =
  /^\W*(?:(?:then|and|please|northbound|southbound|eastbound|westbound|traffic|(?:(?:road users|drivers|motorists|traffic|vehicles|you)(?: travelling \w+(?= \w+ (?:exit|follow)\b))? (?:should|must|can|may|(?:is|are) (?:being )?(?:advised|asked|told) to)))[:,]? )?(?:exit(?! (?:slip|road|ramp|is|closed|shut|blocked))|leave|follow|take|turn|rejoin|re-join|continue|carry on|proceed|head|join)\b(?!ing)/i;
const WAY_ROUND =
  /^\W*(?:local |alternative |signed |the )?(?:diversion|divert|alternative) ?(?:route|via)?\b(?! (?:lifted|removed|has been|is no longer))/i;

/** "Take the M6 Toll, as the M6 is closed": the second half is not a way round. */
const REASON = /\b(?:as|because|while|since) (?:the )?[AM]\d{1,4}(?:\(M\))? (?:is|was|are|remains|has)\b/i;

export function sentencesIn(words: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to <= from) return;
    const said = words.slice(from, Math.min(to, from + 80));
    const isWayRound = INSTRUCTION.test(said) || WAY_ROUND.test(said);
    const reason = isWayRound ? words.slice(from, to).search(REASON) : -1;
    if (reason > 0) sentences.push({ from, to: from + reason, isWayRound });
    sentences.push({ from: Math.max(from, from + reason), to, isWayRound: isWayRound && reason <= 0 });
    from = to;
  };
  for (const { 0: mark, index } of everyMatch(words, END)) {
    if (sentences.length >= SENTENCES_MAX) break;
    if (mark === '.' && ABBREVIATION.test(words.slice(Math.max(0, index - 7), index))) continue;
    add(index + mark.length);
  }
  add(words.length);
  return sentences;
}

/** Short forms of publishers for words about roads, and the words. A name or a number follows "btw" for "between". */
const SHORT_FORMS: readonly (readonly [forms: string, word: string])[] = [
  [
    String.raw`(?:btw|btwn|betw|bet\.|b/w)(?= (?:the |junctions? |j(?:unc|n|ct)?s? ?)?(?-i:\p{Lu}|\d))`,
    'between',
  ],
  ['jctn|jcn|jnctn|junct', 'junction'],
  ['j/w', 'at'],
  [String.raw`c[/'’]?way`, 'carriageway'],
  [String.raw`r[/'’]bout|r/abt|rdbt|rndbt|roundabt`, 'roundabout'],
  ['clsd', 'closed'],
  ['blkd|blckd', 'blocked'],
  ['lns', 'lanes'],
  [String.raw`ln(?= \d)|(?<=\d )ln`, 'lane'],
  ['dirs', 'directions'],
  [String.raw`a(?:nti)?[-/ ]?(?:cw|c/wise|clock)|a[-/]clockwise`, 'anti-clockwise'],
  [String.raw`n/bo?u?nd`, 'northbound'],
  [String.raw`s/bo?u?nd`, 'southbound'],
  [String.raw`e/bo?u?nd`, 'eastbound'],
  [String.raw`w/bo?u?nd`, 'westbound'],
  [String.raw`b/d(?= (?:car|van|lorry|hgv|coach|bus|veh\w*|tanker))`, 'broken-down'],
];
const FORM = new RegExp(
  String.raw`(?<![\p{L}\d/'’])(?:${SHORT_FORMS.map(([forms]) => `(${forms})`).join('|')})(?![\p{L}\d])`,
  'giu',
);

/** A text with its short forms spelled out, and for each place in it the place in the given text. */
export function spelledOut(text: string): { words: string; given: (at: number) => number } {
  const shifts: { at: number; by: number }[] = [];
  let longer = 0;
  const words = text.replace(FORM, (form, ...groups: unknown[]) => {
    const word = SHORT_FORMS[groups.findIndex((group) => group !== undefined)]![1]; // one of them has matched
    const at = groups.find((group) => typeof group === 'number') as number; // the offset
    longer += word.length - form.length;
    shifts.push({ at: at + form.length + longer, by: longer });
    return word;
  });
  return { words, given: (at) => at - (shifts.findLast((shift) => shift.at <= at)?.by ?? 0) };
}
