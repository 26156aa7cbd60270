/** A feed's summary, one line at a time. A line ends only where a sentence ends; nothing is ever cut in the middle. */
import type { Summary } from '../api/feeds.ts';
import { type Sentence, sentencesOf } from '../feeds/summarySentences.ts';
import { fits } from './fit.ts';

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export type SummaryPage = Sentence[];

/** `lead`: the title of the alert above it, whose words are not repeated. `width` is in units. */
export function summaryPages(
  summary: Summary | null | undefined,
  { lead, width }: { lead: string; width: number },
): SummaryPage[] {
  if (!summary?.text?.trim()) return [];
  const pages: SummaryPage[] = [];
  const isOnOneLine = (sentences: SummaryPage) => fits(sentences.map(wordsOf).join(' '), width, 'summary');
  for (const sentence of sentencesOf(summary).flatMap(apart)) {
    if (repeats(sentence.text, lead)) continue;
    const last = pages.at(-1);
    if (last && isOnOneLine([...last, sentence])) {
      last.push(sentence);
      continue;
    }
    const form = formsOf(sentence.text).find((text) => isOnOneLine([{ ...sentence, text }]));
    if (form) pages.push([{ ...sentence, text: form }]);
  }
  return pages;
}

const wordsOf = ({ text, hasEnded }: Sentence) => (hasEnded ? BADGE + text : text);

/** The parts of a built-in summary, each before its sentences. */
export const PART = /^(Affected|Advice|Until):? /;

/** Whether it says three words in a row of the lead again. Advice may: it says what to do there. */
function repeats(text: string, lead: string): boolean {
  if (text.startsWith('Advice')) return false;
  const [said, known] = [words(text), words(lead)];
  const spoken = ` ${said.join(' ')} `;
  return known.some(
    (_, at) => at + 3 <= known.length && spoken.includes(` ${known.slice(at, at + 3).join(' ')} `),
  );
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}()]+/gu) ?? [];

/** What must not be left out of a sentence: a number, a grade, a direction, a "not". */
const KEPT =
  /\d|\b(?:no|not|without|only|except|unless|severe|amber|red|yellow|[a-z]+bound|both ways|cancelled|open)\b/i;

/** The sentence, then without what stands in brackets, then without its last clauses. */
function formsOf(text: string): string[] {
  const forms = [text];
  const bare = text.replace(/ \(([^()\d]*)\)/g, '');
  if (bare !== text) forms.push(bare);
  const clauses = bare.replace(/\.$/, '').split(/(?=[,;] | [–-] )/);
  for (let count = clauses.length - 1; count > 0 && !KEPT.test(clauses[count]!); count--) {
    const kept = clauses.slice(0, count).join('');
    if (kept.split(' ').length >= 3) forms.push(`${kept}.`);
  }
  return forms;
}

/** Intl.Segmenter is not used: it does not begin a sentence at a number ("7 others are medium."). */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));
