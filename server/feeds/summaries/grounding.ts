/** Keeps a model's sentence only if the alerts that it cites support it. No understanding of the sentence is needed:
 *  it may use the words of those alerts and a short list of words without content. Anything else in it (a number, a
 *  place, a reassurance) may be made up. It is better to drop a true sentence than to show a false one. Pure.
 *  When no model is asked stands in summarise.ts. */
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import type { SummarySentence } from '#contract/feeds/feeds.ts';
import { figuresOf, inFigures, type Figure } from './figuresInText.ts';
import { factsOf, SENTENCES_MAX } from './modelPrompt.ts';

const SENTENCE_MAX = 280;

/** Words that a sentence can use without an alert: they name, place or state nothing. */
const NEUTRAL = stemsOf(
  `a an the this that these which who where there it its they their and or but as while with of on in at to from for by
   into onto via along through near is are be been being has have having due because affect affects
   affecting affected impact impacts report reports reported reporting alert alerts incident incidents disruption
   disruptions disrupted road roads route routes line lines train trains rail railway service services passenger
   passengers traveller travellers driver drivers vehicle vehicles motorist motorists journey journeys travel travelling
   traffic people area areas also currently now remain remains continue continues force place
   between following`,
);

/** Negations. They are joined to the next word: "not accepted" becomes one word, which is different from "accepted". */
const NEGATION = /^(?:no|not|without|never|nor|cannot|\p{L}+n't)$/u;

/** Moods: a statement about something that may be, will be or was is not a present fact. A mood applies to its whole
 *  statement, before and after the word: "Delays of an hour may occur". The `telling` words must also come from the
 *  alert. */
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

/** The end of a statement. A comma does not end one: "may be cancelled, delayed or revised". */
const STATEMENT_END = /[.;:!?…](?:\s|$)/;
const STATEMENT_START = /^(?:means|because|due|while|but|after|following)$/;
/** Everything within a clause must come from one alert. */
const CLAUSE_END = /[,;:]\s/;
const CLAUSE_START = /^(?:and|but|while|with|plus)$/;

/** Words of a way round the problem. A name beside them is the alternative, not the problem: "diverted by the A65",
 *  "tickets accepted on Northern". */
const WAY_OUT = /^(?:divert|diversion|avoid|alternativ|accept|replac|instead|us$|open|reopen|normal|good)/;

/** The measures that a figure can have. "10 miles of queues" are not "delays of 10 miles". */
const MEASURES: readonly [string, RegExp][] = [
  ['delay', /^(?:delay|late$)/],
  ['queue', /^(?:queu|tailback|congest)/],
  ['wait', /^wait/],
  ['closure', /^clos/],
  ['way round', /^(?:divert|diversion|detour)/],
  ['wind', /^(?:wind|gust)/],
  ['rain', /^rain/],
  ['snow', /^snow/],
  ['visibility', /^visib/],
  ['temperature', /^temperatur/],
  ['speed', /^speed/],
  ['depth', /^(?:depth|deep)/],
];

/** Directions and junctions. A claim about one need not be true of another: "northbound closed, southbound open". */
const SIDES: readonly RegExp[] = [/^(?:(?:north|south|east|west)bound|(?:anti)?clockwise)$/, /^j\d+[a-z]?$/];

/** Words that add nothing between a number and its noun: "two of the lanes are closed". */
const OF = /^(?:of|the|its|other|further|more|is|are|be|been|being|have|has|remain|remains)$/;
/** Words that end the noun of a count. */
const AFTER_NOUN =
  /^(?:a|an|this|that|these|which|who|where|there|it|they|their|and|or|but|as|while|with|on|in|at|to|from|for|by|into|onto|via|along|through|near|due|because|between|following|until|after)$/;
const NOUN_WORDS = 3;

/** Words of reassurance. A model must not reassure: no active alert proves that something is well, whatever its text
 *  says. */
const CALM =
  /\b(?:good|well|clear(?:ed)?|all (?:is |are )?(?:well|good|fine|ok|okay)|everything|nothing|as usual|normal(?:ly)?|fine|safe(?:ly)?|resolved|back to|fully|no (?:active |other |further |more |known )*(?:alerts?|delays?|disruptions?|problems?|issues?|incidents?|impacts?))\b/i;

/** Links, anything that a reader could take for markup, and questions, because a question states nothing. */
const MARKUP =
  /[<>`*_#|~^{}[\]\\?]|https?:|\bwww\.|:\/\/|\b[\w-]+\.(?:com|co|uk|org|net|gov|io|example|info|app|dev)\b|&#?\w+;|\S@\S/i;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** One alert as sets of its words. */
interface Vocabulary {
  /** The words as written, and their stems. */
  words: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** Possible names: words in capitals, even at the start of a statement, unless the statement is about the possible
   *  or the future. */
  names: ReadonlySet<string>;
  figures: readonly FigureWord[];
  /** The clauses of each statement. */
  parts: readonly (readonly Word[])[];
  /** Every two words that follow each other, as written: "park lane". */
  neighbours: ReadonlySet<string>;
  /** Names that occur only beside a way out. */
  waysOut: ReadonlySet<string>;
  /** The publisher: a sentence can use this name, but it supports no other word. */
  publisher: string;
  isPlanned: boolean;
}

interface Word {
  /** The word in lower case, after its negation or mood: "may not stop". */
  text: string;
  stem: string;
  /** The word without negation and mood. */
  bare: string;
  isCapital: boolean;
  isFirst: boolean;
  /** The index of its clause in the text, and of its statement. */
  clause: number;
  statement: number;
  figure?: Figure;
}

interface FigureWord extends Figure {
  /** The stems after a count, which can be its noun. */
  nouns: readonly string[];
  /** The stem before the figure, for a figure with nothing after it. */
  before: string;
  /** All stems in its clause. */
  around: ReadonlySet<string>;
  /** The measure that its clause gives it; two if both stand equally near. */
  measures: readonly string[];
}

/** The sentences that the cited alerts support, in order, at most four. `events` is keyed by the cited ids. */
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
    const event_ids = ids.map((id) => events.get(id)!.event_id); // each id was found above
    if (kept.size < SENTENCES_MAX && !kept.has(text)) kept.set(text, { text, event_ids });
  }
  return { kept: [...kept.values()], dropped: sentences.length - kept.size };
}

/** Tests whether each figure in a text has the same unit or noun as in this alert, because a text that was shortened
 *  may have lost it. */
export function figuresOfAlert(event: Disruption): (text: string) => boolean {
  const own = [vocabulary(event)];
  return (text) => areFigures(wordsOf(text), own);
}

/** Whether these sentences can stand for the feed: at least one cites an alert of the worst severity in force. */
export function tellsTheWorst(sentences: readonly SummarySentence[], events: readonly Disruption[]): boolean {
  const active = events.filter((event) => !isPlanned(event));
  const worst = Math.min(...active.map(({ severity }) => severityRank(severity)));
  const cited = new Set(sentences.flatMap(({ event_ids }) => event_ids));
  return active.some(({ event_id, severity }) => severityRank(severity) === worst && cited.has(event_id));
}

function isTrue(text: string, cited: readonly Vocabulary[]): boolean {
  if (!text || text.length > SENTENCE_MAX) return false;
  if (UNSEEN.test(text) || MARKUP.test(text) || CALM.test(text)) return false;

  const words = wordsOf(cited.reduce((rest, { publisher }) => rest.replaceAll(publisher, ' '), text));
  const telling = words.filter(isTelling);
  if (telling.length === 0) return false;
  if (!saysWhatIsPlanned(words, cited)) return false;
  if (!areFigures(words, cited)) return false;
  // "No service between A and B" means no service, though "service" by itself has no content.
  if (words.some((word) => !isTelling(word) && cited.some(({ stems }) => stems.has(`not ${word.stem}`)))) {
    return false;
  }

  // If several alerts are cited, each word must be true of all of them. Names are the exception: "Severe delays on
  // the Victoria and Central lines". All words of one clause must come from one alert, or one road would get another
  // road's junction.
  const states = telling.filter((word) => !isName(word) && !word.figure && word.stem !== PLANNED);
  if (!states.every((word) => cited.every((one) => has(one, word)))) return false;
  return clausesOf(words).every((clause) =>
    cited.some(
      (one) =>
        clause.filter(isTelling).every((word) => word.figure !== undefined || has(one, word)) &&
        figureWords(clause).every((figure) => isSupported(figure, one)) &&
        areNames(clause, one) &&
        areOfTheirSide(clause, one) &&
        areWaysOut(clause, one),
    ),
  );
}

const isTelling = ({ text, stem }: Word) => !NEUTRAL.has(text) && !NEUTRAL.has(stem);

/** "M6", "J20", "Victoria": what an alert is about, not what happens there. */
const isName = ({ text, isCapital, isFirst }: Word) =>
  !STATE.test(text) && ((isCapital && !isFirst) || /\p{L}\d|\d\p{L}/u.test(text));

/** Words of state, which are never names, even where a publisher writes them in capitals: "Severe Delays". */
const STATE =
  /^(?:severe|minor|major|critical|high|medium|low|part|planned|special|clos|suspen|cancel|delay|block|restrict|reduc|flood|strike|red|amber|yellow|warning|no |not )/;

const PLANNED = 'plann';

const clausesOf = (words: readonly Word[]) =>
  Object.values(Object.groupBy(words, ({ clause }) => clause)) as Word[][];

/** The cited alerts whose own names occur here. A name that all of them share cannot tell them apart. */
function namedIn(words: readonly Word[], cited: readonly Vocabulary[]): Vocabulary[] {
  return cited.filter(({ names }) =>
    words.some(
      (word) =>
        (isName(word) || word.isCapital) &&
        names.has(word.bare) &&
        !cited.every((other) => other.names.has(word.bare)),
    ),
  );
}

/** The clauses. A clause that holds only names is joined to the clause that says something about them: "planned on
 *  the M60 and the M62". */
function inStatements(clauses: readonly Word[][]): Word[][] {
  const joined: Word[][] = [];
  for (const clause of clauses) {
    const last = joined.at(-1);
    const isOnlyNames = [clause, last ?? []].some((words) => words.filter(isTelling).every(isNameOrFigure));
    if (last && isOnlyNames) last.push(...clause);
    else joined.push([...clause]);
  }
  return joined;
}

const isNameOrFigure = (word: Word) =>
  word.figure !== undefined || isName(word) || isSide(word) || (word.isCapital && !STATE.test(word.text));

/** Words that say that something is in force. A planned alert has not begun. */
const NOW = /^(?:now|currently|force|remains?|continues?)$/;

/** A planned alert must be called planned, and never in force. If planned and active alerts are cited together, each
 *  is named in its own clause, and only the planned ones are called planned. */
function saysWhatIsPlanned(words: readonly Word[], cited: readonly Vocabulary[]): boolean {
  const ahead = cited.filter(({ isPlanned }) => isPlanned);
  if (ahead.length === 0) return true;
  const clauses = inStatements(clausesOf(words).filter((clause) => clause.some(isTelling)));
  const saysPlanned = (clause: readonly Word[]) => clause.some(({ stem }) => stem === PLANNED);
  const isAllAhead = ahead.length === cited.length;
  const isNow = ({ text }: Word) => NOW.test(text);
  if (clauses.some((clause) => (isAllAhead || saysPlanned(clause)) && clause.some(isNow))) return false;

  const named = clauses.map((clause) => namedIn(clause, cited));
  if (isAllAhead) {
    return (
      words.some(({ stem }) => stem === PLANNED) &&
      clauses.every((clause, index) => saysPlanned(clause) || named[index]!.length === 0)
    );
  }

  const isRight = clauses.every((clause, index) => {
    const isAhead = saysPlanned(clause);
    return named[index]!.length > 0 && named[index]!.every(({ isPlanned }) => isPlanned === isAhead); // one per clause
  });
  return isRight && cited.every((one) => named.flat().includes(one));
}

/** A figure with its unit or noun must be true of every alert that it is about. These are all cited alerts, or the
 *  alerts that its statement names, or one alert for each figure: "10 minutes on the Victoria line and 20 minutes on
 *  the Central line". */
function areFigures(words: readonly Word[], cited: readonly Vocabulary[]): boolean {
  const statements = Object.values(Object.groupBy(words, ({ statement }) => statement)) as Word[][];
  return statements.every((statement) => {
    const all = namedIn(statement, cited);
    const clauses = clausesOf(statement);
    return clauses.every((clause) =>
      figureWords(clause).every((figure) => {
        const haveTheirOwn = clauses.every(
          (other) =>
            namedIn(other, cited).length === 0 ||
            other.some((word) => word.figure?.kind === figure.kind && word.figure.unit === figure.unit),
        );
        const named = namedIn(clause, cited);
        const of = haveTheirOwn && named.length > 0 ? named : all.length > 0 ? all : cited;
        return of.every((one) => isSupported(figure, one));
      }),
    );
  });
}

/** The figures with the words around them in their clause. A clause never reaches past its statement. */
function figureWords(words: readonly Word[]): FigureWord[] {
  const parts = Object.values(Object.groupBy(words, ({ clause, statement }) => `${statement} ${clause}`));
  return (parts as Word[][]).flatMap((part) =>
    part.flatMap((word) => (word.figure ? [{ ...word.figure, ...contextOf(part, word) }] : [])),
  );
}

function contextOf(
  clause: readonly Word[],
  word: Word,
): Pick<FigureWord, 'nouns' | 'before' | 'around' | 'measures'> {
  const at = clause.indexOf(word);
  const nouns: string[] = [];
  for (const { bare, figure } of clause.slice(at + 1)) {
    if (figure || AFTER_NOUN.test(bare) || nouns.length === NOUN_WORDS) break;
    if (!OF.test(bare)) nouns.push(stemOf(bare));
  }
  const measured = clause.flatMap(({ bare }, index) => {
    const [measure] = MEASURES.find(([, pattern]) => pattern.test(bare)) ?? [];
    return measure ? [{ measure, distance: Math.abs(index - at) }] : [];
  });
  const nearest = Math.min(...measured.map(({ distance }) => distance));
  const before = clause.slice(0, at).findLast(({ bare }) => !NEUTRAL.has(bare));
  return {
    nouns,
    before: before && !before.figure ? stemOf(before.bare) : '',
    around: new Set(clause.map(({ bare }) => stemOf(bare))),
    measures: measured.filter(({ distance }) => distance === nearest).map(({ measure }) => measure),
  };
}

function isSupported(figure: FigureWord, { figures }: Vocabulary): boolean {
  return figure.values.every((value) =>
    figures.some((own) => own.values.includes(value) && says(own, figure)),
  );
}

/** Whether the alert says the same as the sentence about this value. */
function says(own: FigureWord, { kind, unit, bound, role, year, ...said }: FigureWord): boolean {
  if (own.kind !== kind || own.unit !== unit || own.bound !== bound) return false;
  switch (kind) {
    case 'amount':
      return (
        own.measures.length === 0 ||
        said.measures.length === 0 ||
        said.measures.some((measure) => own.measures.includes(measure))
      );
    case 'count': {
      const [noun] = said.nouns;
      if (noun === undefined)
        return own.nouns.length === 0 && own.before !== '' && own.before === said.before;
      return own.nouns.includes(noun) && said.nouns.every((word) => own.around.has(word));
    }
    case 'label':
      return true;
    case 'date':
    case 'time':
      // "From 15:30" in an alert supports "at 15:30" in a sentence; "until 15:30" does not.
      return (own.role === role || (own.role === 'from' && role === '')) && (!year || own.year === year);
  }
}

/** Words of kind that may follow a name, even if the alert does not have them: "Victoria Line". */
const KIND = /^(?:lines?|services?|trains?|passengers?)$/;

/** Whether these words are names of the alert. A name of two words must not combine two others: "London Road" and
 *  "Park Lane" make no "Park Road". */
function areNames(words: readonly Word[], { neighbours }: Vocabulary): boolean {
  return words.every((word, index) => {
    const next = words[index + 1];
    if (!next?.isCapital || !isTelling(word) || KIND.test(next.bare)) return true;
    if (/\d/.test(word.text + next.text)) return true;
    return !word.isCapital || neighbours.has(`${word.bare} ${next.bare}`);
  });
}

/** Whether the alert says this about the same direction or junction. */
function areOfTheirSide(words: readonly Word[], { parts }: Vocabulary): boolean {
  const states = words.filter((word) => isTelling(word) && !isNameOrFigure(word) && !isSide(word));
  return SIDES.every((kind) =>
    words
      .filter(({ bare }) => kind.test(bare))
      .every(({ bare }) =>
        states.every(({ stem }) => {
          const said = parts.filter(
            (part) => part.some((one) => one.stem === stem) && part.some((one) => kind.test(one.bare)),
          );
          return said.length === 0 || said.some((part) => part.some((one) => one.bare === bare));
        }),
      ),
  );
}

const isSide = ({ bare }: Word) => SIDES.some((kind) => kind.test(bare));

/** A name that the alert mentions only as a way out: the clause must speak of a way out too, or hold nothing but
 *  such names. */
function areWaysOut(clause: readonly Word[], { waysOut }: Vocabulary): boolean {
  const telling = clause.filter(isTelling);
  if (!telling.some(({ bare }) => waysOut.has(bare))) return true;
  return telling.some(({ stem }) => WAY_OUT.test(stem)) || telling.every(({ bare }) => waysOut.has(bare));
}

/** Whether the alert has this word: a name as written, another word in any of its forms. */
function has({ words, stems, names }: Vocabulary, word: Word): boolean {
  const { text, stem, bare, isCapital, isFirst } = word;
  if (words.has(text)) return true;
  if (isName(word)) return names.has(bare);
  if (isFirst && isCapital && !STATE.test(bare) && names.has(bare)) return true;
  return stems.has(stem);
}

function vocabulary(event: Disruption): Vocabulary {
  const { source, begins, ...said } = factsOf(event);
  const facts = { ...said, ...(begins && { begins: `from ${begins}` }) };
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
    figures: fields.flatMap(figureWords),
    parts: statements.flatMap((words) => inStatements(clausesOf(words))),
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
    isPlanned: isPlanned(event),
  };
}

/** Stand-ins for a figure, so that it counts as one word. "A1(M)" and "J20" are one word each. */
const [FIGURE_START, FIGURE_REST] = ['\uE001', '\uE000'];
const WORD = /\uE001\uE000*|[\p{L}\p{N}]+(?:[.,:](?=\p{N})\p{N}+|'\p{L}+)*(?:\([mM]\))?/gu;

function wordsOf(given: string): Word[] {
  const written = inFigures(
    given.replaceAll(/\p{Co}/gu, ' ').replaceAll(/(?<=\banti)-(?=clockwise\b)/gi, ''),
  );
  const figures = figuresOf(written);
  const text = figures.reduce(
    (rest, { start, end }) =>
      rest.slice(0, start) + FIGURE_START.padEnd(end - start, FIGURE_REST) + rest.slice(end),
    written,
  );
  const words: Word[] = [];
  const moods: Set<string>[] = [];
  const found = [...text.matchAll(WORD)];
  let [clause, statement, end] = [0, 0, 0];
  let negation = '';
  let figure = 0;
  for (const [index, { 0: written, index: at }] of found.entries()) {
    const bare = written.toLowerCase().replace(/'s$/, '');
    const between = text.slice(end, at);
    end = at + written.length;
    if (CLAUSE_END.test(between) || CLAUSE_START.test(bare)) clause++;
    if (STATEMENT_END.test(between) || STATEMENT_START.test(bare)) statement++;

    const isFirst = words.at(-1)?.statement !== statement;
    if (written.startsWith(FIGURE_START)) {
      const { start: _, end: __, ...said } = figures[figure++]!; // in the same order
      words.push({
        text: '',
        stem: '',
        bare: '',
        isCapital: false,
        isFirst,
        clause,
        statement,
        figure: said,
      });
      negation = '';
      continue;
    }
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

/** Puts a word into its mood. Names, numbers and the mood words themselves stay as they are. */
function inMood(word: Word, moods: ReadonlySet<string> | undefined): Word {
  const isItself = MOODS.some(({ telling }) => telling?.test(word.bare));
  if (!moods || isItself || word.figure || isName(word) || !isTelling(word) || /\d/.test(word.bare))
    return word;
  const mood = [...moods].sort().join('');
  return { ...word, text: `${mood}${word.text}`, stem: `${mood}${word.stem}` };
}

/** "closed", "closes" and "closing" have the stem "clos". */
function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return word.replace(/(?:ing|ed|es|s)$/, '').replace(/e$/, '');
}

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).flatMap((word) => [word, stemOf(word)]));
}

/** The sentence on one line, with an end mark. */
function tidy(text: string): string {
  const line = text.replace(/[ \t\r\n]+/g, ' ').trim();
  return !line || /[.!?…]$/.test(line) ? line : `${line}.`;
}
