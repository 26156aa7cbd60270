/**
 * Lets through what a model wrote only where it is true to the alerts. Not by understanding: a sentence may use the words of
 * the alerts that it cites, and a short list of words that say nothing by themselves. Whatever else stands in it (a number,
 * a place, a comfort) was made up, or might be. Better a true sentence dropped than a false one shown. Pure.
 */
import type { Disruption } from '#contract/disruptions.ts';
import type { SummarySentence } from '#contract/feeds.ts';
import { factsOf, SENTENCES_MAX } from './prompt.ts';

const SENTENCE_MAX = 280;

/** Words that no sentence needs to have from an alert: they name, place or state nothing. */
const NEUTRAL = stemsOf(
  `a an the this that these which who where there it its they their and or but as while with of on in at to from for by
   into onto via along through near is are be been being has have having due because affect affects
   affecting affected impact impacts report reports reported reporting alert alerts incident incidents disruption
   disruptions disrupted road roads route routes line lines train trains rail railway service services passenger
   passengers traveller travellers driver drivers vehicle vehicles motorist motorists journey journeys travel travelling
   traffic people area areas also currently now remain remains continue continues force place
   between following`,
);

/** They turn the next word round, so they belong to it: "not accepted" is one word here, and is not "accepted". */
const NEGATION = /^(?:no|not|without|never|nor|cannot|\p{L}+n't)$/u;

/**
 * What may be, what will be and what was is not what is. Each of these belongs to all that is said in its statement, before
 * it and after it: "Delays of an hour may occur". Those that are words of their own have to come from the alert as well.
 */
const MOODS: readonly { prefix: string; silent: RegExp; telling?: RegExp }[] = [
  {
    prefix: 'may ',
    silent: /^(?:may|might|could|would|should)$/,
    telling:
      /^(?:possibl[ey]|possibility|potential(?:ly)?|likely|probabl[ey]|expected|forecast|predicted|anticipated|chance|if|unless)$/,
  },
  { prefix: 'will ', silent: /^(?:will|shall)$/ },
  { prefix: 'was ', silent: /^(?:was|were|had)$/ },
];
/** A month, unless a verb follows it. */
const MAY_IN_CAPITALS = /^M(?:ay|AY)$/;
const AFTER_MAY = /^(?:be|have|not|also|still|see|cause|affect|experience)$/i;

/** Where one statement ends and the next begins. A comma does not: "may be cancelled, delayed or revised". */
const STATEMENT_END = /[.;:!?…](?:\s|$)/;
const STATEMENT_START = /^(?:means|because|due|while|but|after|following)$/;
/** Within a clause all must come from one alert. */
const CLAUSE_END = /[,;:]\s/;
const CLAUSE_START = /^(?:and|but|while|with|plus)$/;

/** What is named beside these is the way out, not what is wrong: "diverted by the A65", "tickets accepted on Northern". */
const WAY_OUT = /^(?:divert|diversion|avoid|alternativ|accept|replac|instead|us$|open|reopen|normal|good)/;

const NUMBER_WORD =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|dozens?|half|both|several|many|single|double)$/;

/** Comfort is not a model's to give: no active alert proves that something is well, whatever its text says. */
const CALM =
  /\b(?:good|well|clear(?:ed)?|all (?:is |are )?(?:well|good|fine|ok|okay)|everything|nothing|as usual|normal(?:ly)?|fine|safe(?:ly)?|resolved|back to|fully|no (?:active |other |further |more |known )*(?:alerts?|delays?|disruptions?|problems?|issues?|incidents?|impacts?))\b/i;

/** Links, what some reader might take for markup, and questions, which state nothing. */
const MARKUP =
  /[<>`*_#|~^{}[\]\\?]|https?:|\bwww\.|:\/\/|\b[\w-]+\.(?:com|co|uk|org|net|gov|io|example|info|app|dev)\b|&#?\w+;|\S@\S/i;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** What becomes of one alert when only its words matter. */
interface Vocabulary {
  /** As written, and their stems. */
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** What may be a name: in capitals, also at the beginning of a statement, unless that is of what may or will be. */
  names: ReadonlySet<string>;
  /** Words that say something, two that follow each other: "45 minut". */
  pairs: ReadonlySet<string>;
  /** Any two words that follow each other, as written: "park lane". */
  neighbours: ReadonlySet<string>;
  /** Names that only stand beside a way out. */
  waysOut: ReadonlySet<string>;
  /** Who reports it: so it may be called, but nothing is there for that. */
  publisher: string;
  isPlanned: boolean;
}

interface Word {
  /** In lower case, after what turns it: "may not stop". */
  text: string;
  stem: string;
  /** Without that. */
  bare: string;
  isCapital: boolean;
  isFirst: boolean;
  /** Which clause, and which statement, of its text it stands in. */
  clause: number;
  statement: number;
}

/** The sentences that are true to the alerts which they cite, in their order, at most four; `events` by the ids they cite. */
export function ground(
  sentences: readonly SummarySentence[],
  events: ReadonlyMap<string, Disruption>,
): { kept: SummarySentence[]; dropped: number } {
  const vocabularies = new Map<string, Vocabulary>();
  const vocabularyOf = (id: string, event: Disruption) => {
    const made = vocabularies.get(id) ?? vocabulary(event);
    vocabularies.set(id, made);
    return made;
  };

  const kept = new Map<string, SummarySentence>();
  for (const sentence of sentences) {
    const text = tidy(sentence.text);
    const ids = [...new Set(sentence.event_ids)];
    const cited = ids.flatMap((id) => {
      const event = events.get(id);
      return event ? [vocabularyOf(id, event)] : [];
    });
    if (ids.length === 0 || cited.length !== ids.length || !isTrue(text, cited)) continue;
    const event_ids = ids.map((id) => events.get(id)!.event_id); // each was found above
    if (kept.size < SENTENCES_MAX && !kept.has(text)) kept.set(text, { text, event_ids });
  }
  return { kept: [...kept.values()], dropped: sentences.length - kept.size };
}

/** Whether they are enough to stand for the feed: something is said of the worst that is in force. */
export function tellsTheWorst(sentences: readonly SummarySentence[], events: readonly Disruption[]): boolean {
  const active = events.filter(({ metadata }) => metadata.phase === 'active');
  const worst = ['critical', 'high', 'medium', 'low'].find((level) =>
    active.some(({ severity }) => severity === level),
  );
  const cited = new Set(sentences.flatMap(({ event_ids }) => event_ids));
  return active.some(({ event_id, severity }) => severity === worst && cited.has(event_id));
}

function isTrue(text: string, cited: readonly Vocabulary[]): boolean {
  if (!text || text.length > SENTENCE_MAX) return false;
  if (UNSEEN.test(text) || MARKUP.test(text) || CALM.test(text)) return false;

  const words = wordsOf(cited.reduce((rest, { publisher }) => rest.replaceAll(publisher, ' '), text));
  const telling = words.filter(isTelling);
  if (telling.length === 0) return false;
  if (cited.some(({ isPlanned }) => isPlanned) && !words.some(({ stem }) => stem === 'plann')) return false;
  if (!areFigures(words, cited)) return false;
  // "No service between A and B" is no service, though "service" by itself says nothing.
  if (words.some((word) => !isTelling(word) && cited.some(({ stems }) => stems.has(`not ${word.stem}`)))) {
    return false;
  }

  // Of several alerts each word must be true of all, names excepted: "Severe delays on the Victoria and Central lines".
  // And within a clause all must come from one of them, or the road of one would get the junction of another.
  const states = telling.filter((word) => !isName(word));
  if (!states.every((word) => cited.every((one) => has(one, word)))) return false;
  const clauses = Object.values(Object.groupBy(words, ({ clause }) => clause)) as Word[][];
  return clauses.every((clause) =>
    cited.some(
      (one) =>
        clause.filter(isTelling).every((word) => has(one, word)) &&
        areNames(clause, one) &&
        areWaysOut(clause, one),
    ),
  );
}

const isTelling = ({ text, stem }: Word) => !NEUTRAL.has(text) && !NEUTRAL.has(stem);

/** "M6", "J20", "Victoria": what an alert is about, not what happens there. */
const isName = ({ text, isCapital, isFirst }: Word) =>
  !STATE.test(text) && ((isCapital && !isFirst) || /\p{L}\d|\d\p{L}/u.test(text));

/** Also where a publisher writes them as titles: "Severe Delays". */
const STATE =
  /^(?:severe|minor|major|critical|high|medium|low|part|planned|special|clos|suspen|cancel|delay|block|restrict|reduc|flood|strike|red|amber|yellow|warning|no |not )/;

/** A figure alone proves nothing ("10 minutes" of "J10, 45 minutes"): a neighbour has to come with it. */
function areFigures(words: readonly Word[], cited: readonly Vocabulary[]): boolean {
  const telling = words.filter(isTelling);
  return telling.every(({ text, stem, bare }, index) => {
    if (!/^[\d.,:]+$/.test(text) && !NUMBER_WORD.test(bare)) return true;
    const before = telling[index - 1];
    const after = telling[index + 1];
    return cited.every(
      ({ pairs }) =>
        (before && pairs.has(`${before.stem} ${stem}`)) || (after && pairs.has(`${stem} ${after.stem}`)),
    );
  });
}

/** A name may be followed by what it is, though its alert does not say so: "Victoria Line". */
const KIND = /^(?:lines?|services?|trains?|passengers?)$/;

/** Names of two words are not put together from two others: "London Road" and "Park Lane" make no "Park Road". */
function areNames(words: readonly Word[], { neighbours }: Vocabulary): boolean {
  return words.every((word, index) => {
    const next = words[index + 1];
    if (!next?.isCapital || !isTelling(word) || KIND.test(next.bare)) return true;
    if (/\d/.test(word.text + next.text)) return true;
    return !word.isCapital || neighbours.has(`${word.bare} ${next.bare}`);
  });
}

/** Nothing is said of a way out but that it is one. */
function areWaysOut(clause: readonly Word[], { waysOut }: Vocabulary): boolean {
  const telling = clause.filter(isTelling);
  if (!telling.some(({ bare }) => waysOut.has(bare))) return true;
  return telling.some(({ stem }) => WAY_OUT.test(stem)) || telling.every(({ bare }) => waysOut.has(bare));
}

/** Names as they are written; other words in any of their forms. */
function has({ words, stems, names }: Vocabulary, word: Word): boolean {
  const { text, stem, bare, isCapital, isFirst } = word;
  if (words.has(text)) return true;
  if (isName(word)) return names.has(bare);
  if (isFirst && isCapital && !STATE.test(bare) && names.has(bare)) return true;
  return stems.has(stem);
}

function vocabulary(event: Disruption): Vocabulary {
  const { source, ...facts } = factsOf(event);
  const fields = Object.values(facts).map((text: string) => wordsOf(text));
  const all = fields.flat();
  const titled = new Set(wordsOf(facts.title).map(({ bare }) => bare));
  const statements = fields.flatMap(
    (words) => Object.values(Object.groupBy(words, ({ statement }) => statement)) as Word[][],
  );
  const isWayOut = (words: readonly Word[]) => words.some(({ stem }) => WAY_OUT.test(stem));
  const elsewhere = new Set(
    statements.filter((words) => !isWayOut(words)).flatMap((words) => words.map(({ bare }) => bare)),
  );
  return {
    words: new Set(all.map(({ text }) => text)),
    stems: new Set(all.map(({ stem }) => stem)),
    names: new Set(
      all
        .filter(
          (word) => isName(word) || (word.isCapital && !STATE.test(word.text) && word.text === word.bare),
        )
        .map(({ bare }) => bare),
    ),
    pairs: new Set(
      fields.flatMap((words) => {
        const telling = words.filter(isTelling);
        return telling.slice(1).map((word, index) => `${telling[index]!.stem} ${word.stem}`); // one before each
      }),
    ),
    neighbours: new Set(
      fields.flatMap((words) => words.slice(1).map((word, index) => `${words[index]!.bare} ${word.bare}`)),
    ),
    waysOut: new Set(
      statements
        .filter(isWayOut)
        .flat()
        .filter((word) => isName(word) && !titled.has(word.bare) && !elsewhere.has(word.bare))
        .map(({ bare }) => bare),
    ),
    publisher: source,
    isPlanned: event.metadata.phase === 'planned',
  };
}

/** "A1(M)", "J20", "10:30" and "1,200" are one word each. */
const WORD = /[\p{L}\p{N}]+(?:[.,:](?=\p{N})\p{N}+|'\p{L}+)*(?:\(m\))?/giu;

function wordsOf(given: string): Word[] {
  const text = given.normalize('NFKC').replaceAll('’', "'");
  const words: Word[] = [];
  const moods: Set<string>[] = [];
  const found = [...text.matchAll(WORD)];
  let [clause, statement, end] = [0, 0, 0];
  let negation = '';
  for (const [index, { 0: written, index: at }] of found.entries()) {
    const bare = written.toLowerCase().replace(/'s$/, '');
    const between = text.slice(end, at);
    end = at + written.length;
    if (CLAUSE_END.test(between) || CLAUSE_START.test(bare)) clause++;
    if (STATEMENT_END.test(between) || STATEMENT_START.test(bare)) statement++;

    const isMonth = MAY_IN_CAPITALS.test(written) && !AFTER_MAY.test(found[index + 1]?.[0] ?? '');
    const silent = isMonth ? undefined : MOODS.find(({ silent }) => silent.test(bare));
    const mood = silent ?? MOODS.find(({ telling }) => telling?.test(bare));
    if (mood) (moods[statement] ??= new Set()).add(mood.prefix);
    if (silent) continue;
    if (NEGATION.test(bare)) {
      negation = 'not ';
      continue;
    }
    const stem = stemOf(bare);
    const isFirst = words.at(-1)?.statement !== statement;
    const isCapital = !negation && /^\p{Lu}/u.test(written);
    words.push({
      text: `${negation}${bare}`,
      stem: `${negation}${stem}`,
      bare,
      isCapital,
      isFirst,
      clause,
      statement,
    });
    negation = '';
  }
  return words.map((word) => inMood(word, moods[word.statement]));
}

/** Names, numbers and what says the mood itself are what they are in any. */
function inMood(word: Word, moods: ReadonlySet<string> | undefined): Word {
  const isItself = MOODS.some(({ telling }) => telling?.test(word.bare));
  if (!moods || isItself || isName(word) || !isTelling(word) || /\d/.test(word.bare)) return word;
  const mood = [...moods].sort().join('');
  return { ...word, text: `${mood}${word.text}`, stem: `${mood}${word.stem}` };
}

/** "closed", "closes" and "closing" are "clos". */
function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return word.replace(/(?:ing|ed|es|s)$/, '').replace(/e$/, '');
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).flatMap((word) => [word, stemOf(word)]));
}

/** On one line, with an end. */
function tidy(text: string): string {
  const line = text.replace(/[ \t\r\n]+/g, ' ').trim();
  return !line || /[.!?…]$/.test(line) ? line : `${line}.`;
}
