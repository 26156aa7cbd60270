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
   into onto via along through near is are was were be been being has have had having will due because affect affects
   affecting affected impact impacts report reports reported reporting alert alerts incident incidents disruption
   disruptions disrupted road roads route routes line lines train trains rail railway service services passenger
   passengers traveller travellers driver drivers vehicle vehicles motorist motorists journey journeys travel travelling
   traffic people area areas also currently now remain remains continue continues force place
   between following`,
);

/** They turn the next word round, so they belong to it: "not accepted" is one word here, and is not "accepted". */
const NEGATION = /^(?:no|not|without|never|nor|cannot|\p{L}+n't)$/u;

/** What only may be is not what is: they belong to the next word that says something. In capitals it is a month. */
const HEDGE = /^(?:may|might|could)$/;

/** Comfort is not a model's to give: no active alert proves that something is well, whatever its text says. */
const CALM =
  /\b(?:all clear|all (?:is |are )?(?:well|good|fine|ok|okay)|everything|nothing|as usual|normal(?:ly)?|good service|fine|safe(?:ly)?|resolved|back to|fully (?:open|recovered)|no (?:active |other |further |more |known )*(?:alerts?|delays?|disruptions?|problems?|issues?|incidents?|impacts?))\b/i;

/** Links, and what some reader might take for markup. */
const MARKUP =
  /[<>`*_#|~^{}[\]\\]|https?:|\bwww\.|:\/\/|\b[\w-]+\.(?:com|co|uk|org|net|gov|io|example|info|app|dev)\b|&#?\w+;|\S@\S/i;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** What becomes of one alert when only its words matter. */
interface Vocabulary {
  /** As written, and their stems. */
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** Words that say something, two that follow each other: "45 minut". */
  pairs: ReadonlySet<string>;
  /** Any two words that follow each other, as written: "park lane". */
  neighbours: ReadonlySet<string>;
  isPlanned: boolean;
}

interface Word {
  /** In lower case. */
  text: string;
  stem: string;
  /** A name, unless it only begins the sentence. */
  isCapital: boolean;
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

  const words = wordsOf(text);
  const telling = words.filter(isTelling);
  if (telling.length === 0) return false;
  if (cited.some(({ isPlanned }) => isPlanned) && !words.some(({ stem }) => stem === 'plann')) return false;
  if (!areFigures(words, cited)) return false;

  // Of several alerts each word must be true of all, names excepted: "Severe delays on the Victoria and Central lines".
  // And within a clause all must come from one of them, or the road of one would get the junction of another.
  const states = telling.filter((word) => !isName(word));
  if (!states.every((word) => cited.every((one) => has(one, word)))) return false;
  const clauses = text.split(/[,;:]\s|\b(?:and|but|while|with|plus)\b/i).map((clause) => wordsOf(clause));
  return clauses.every((clause) =>
    cited.some((one) => clause.filter(isTelling).every((word) => has(one, word)) && areNames(clause, one)),
  );
}

const isTelling = ({ text, stem }: Word) => !NEUTRAL.has(text) && !NEUTRAL.has(stem);

/** "M6", "J20", "Victoria": what an alert is about, not what happens there. */
const isName = ({ text, isCapital }: Word) =>
  !STATE.test(text) && (isCapital || /\p{L}\d|\d\p{L}/u.test(text));

/** Also where a publisher writes them as titles: "Severe Delays". */
const STATE =
  /^(?:severe|minor|major|critical|high|medium|low|part|planned|special|clos|suspen|cancel|delay|block|restrict|reduc|flood|strike|red|amber|yellow|warning|no |not )/;

/** A figure alone proves nothing ("10 minutes" of "J10, 45 minutes"): a neighbour has to come with it. */
function areFigures(words: readonly Word[], cited: readonly Vocabulary[]): boolean {
  const telling = words.filter(isTelling);
  return telling.every(({ text, stem }, index) => {
    if (!/^[\d.,:]+$/.test(text)) return true;
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
    if (!next?.isCapital || !isTelling(word) || KIND.test(next.text)) return true;
    if (/\d/.test(word.text + next.text)) return true;
    return (!word.isCapital && index > 0) || neighbours.has(`${word.text} ${next.text}`);
  });
}

/** Names as they are written; other words in any of their forms. */
function has({ words, stems }: Vocabulary, { text, stem, isCapital }: Word): boolean {
  return (
    words.has(text) || (!isCapital && stems.has(stem)) || (isCapital && STATE.test(text) && stems.has(stem))
  );
}

function vocabulary(event: Disruption): Vocabulary {
  const fields = Object.values(factsOf(event)).map((text: string) => wordsOf(text));
  const all = fields.flat();
  return {
    words: new Set(all.map(({ text }) => text)),
    stems: new Set(all.map(({ stem }) => stem)),
    pairs: new Set(
      fields.flatMap((words) => {
        const telling = words.filter(isTelling);
        return telling.slice(1).map((word, index) => `${telling[index]!.stem} ${word.stem}`); // one before each
      }),
    ),
    neighbours: new Set(
      fields.flatMap((words) => words.slice(1).map((word, index) => `${words[index]!.text} ${word.text}`)),
    ),
    isPlanned: event.metadata.phase === 'planned',
  };
}

/** "A1(M)", "J20", "10:30" and "1,200" are one word each. */
const WORD = /[\p{L}\p{N}]+(?:[.,:](?=\p{N})\p{N}+|'\p{L}+)*(?:\(m\))?/giu;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let negation = '';
  let hedge = '';
  for (const [found] of text.normalize('NFKC').replaceAll('’', "'").matchAll(WORD)) {
    const lower = found.toLowerCase().replace(/'s$/, '');
    if (NEGATION.test(lower)) {
      negation = 'not ';
      continue;
    }
    if (HEDGE.test(found)) {
      hedge = 'may ';
      continue;
    }
    const stem = stemOf(lower);
    const isNeutral = NEUTRAL.has(lower) || NEUTRAL.has(stem);
    const turned = `${isNeutral ? '' : hedge}${negation}`;
    words.push({
      text: `${turned}${lower}`,
      stem: `${turned}${stem}`,
      // The first may be capital for its place alone.
      isCapital: words.length > 0 && !turned && /^\p{Lu}/u.test(found),
    });
    negation = '';
    if (!isNeutral) hedge = '';
  }
  return words;
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
