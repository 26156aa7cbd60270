/** A text's sentences, and which of them describe a way round. The words beside one road are read by roadRoles.ts. */

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
  /^\W*(?:(?:then|and|please|northbound|southbound|eastbound|westbound|traffic|(?:(?:road users|drivers|motorists|traffic|vehicles|you) (?:should|must|can|may|(?:is|are) (?:being )?(?:advised|asked|told) to)))[:,]? )?(?:exit(?! (?:slip|road|ramp|is|closed|shut|blocked))|leave|follow|take|turn|rejoin|re-join|continue|carry on|proceed|head|join)\b(?!ing)/i;
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
  for (const { 0: mark, index } of words.matchAll(END)) {
    if (sentences.length >= SENTENCES_MAX) break;
    if (mark === '.' && ABBREVIATION.test(words.slice(Math.max(0, index - 7), index))) continue;
    add(index + mark.length);
  }
  add(words.length);
  return sentences;
}
