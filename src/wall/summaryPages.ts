/** A feed's summary, one line at a time. A line ends only where a sentence ends; nothing is ever cut in the middle. */
import type { Alert } from '../api/disruptions.ts';
import type { Summary } from '../api/feeds.ts';
import { type Sentence, sentencesOf } from '../feeds/summarySentences.ts';
import { formsOf } from '../feeds/worst.ts';
import { fits } from './fit.ts';

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export interface SummaryPage {
  sentences: Sentence[];
  /** Whether what stands at the right of the line has room beside it. */
  withMark: boolean;
  /** False where the lead's own publisher says it. */
  isOfSummary: boolean;
}

/** The built-in summary's parts where they are about the lead, the alert above it; of another lead what its publisher
 *  advises; else the whole text. The clock time until when stands beside the title, whose words are not repeated. The widths
 *  are of the line and of the mark at its right, in units. */
export function summaryPages(
  summary: Summary | null | undefined,
  { lead, width, mark = 0 }: { lead: Alert; width: number; mark?: number },
): SummaryPage[] {
  const { parts } = summary?.metadata ?? {};
  const isOther = parts != null && parts.event_id !== lead.event_id;
  const advice = lead.facts?.advice ?? [];
  if (isOther && advice.length > 0)
    return pagesOf([`Advice: ${advice[0]}`].map(sentence), { lead, width, mark, isOfSummary: false });
  const { affected, advice: what, until } = (!isOther && parts) || {};
  const own = pagesOf(
    [affected && `Affected: ${affected}`, what && `Advice: ${what}`, until && !/\d/.test(until) && until]
      .flatMap((text) => text || [])
      .map(sentence),
    { lead, width, mark, isOfSummary: true },
  );
  if (own.length > 0 || !summary?.text?.trim()) return own;
  return pagesOf(sentencesOf(summary), { lead, width, mark, isOfSummary: true });
}

const sentence = (text: string): Sentence => ({ text: text.replace(/(?<![.!?…])$/, '.'), hasEnded: false });

function pagesOf(
  said: readonly Sentence[],
  {
    lead,
    width,
    mark,
    isOfSummary,
  }: { lead: Alert; width: number; mark: number } & Pick<SummaryPage, 'isOfSummary'>,
): SummaryPage[] {
  const pages: SummaryPage[] = [];
  const title = formsOf(lead)[0] ?? '';
  const isOnOneLine = (sentences: Sentence[], withMark: boolean) =>
    fits(sentences.map(wordsOf).join(' '), width - (withMark ? mark : 0), 'summary');
  /** On the last page or on one of its own; whole without the mark before shortened with it. */
  const place = (one: Sentence, forms: string[]): boolean => {
    const last = pages.at(-1);
    if (last && isOnOneLine([...last.sentences, one], last.withMark)) {
      last.sentences.push(one);
      return true;
    }
    for (const text of forms)
      for (const withMark of [true, false])
        if (isOnOneLine([{ ...one, text }], withMark))
          return pages.push({ sentences: [{ ...one, text }], withMark, isOfSummary }) > 0;
    return false;
  };
  for (const one of said.flatMap(apart)) {
    const { text } = one;
    if (repeats(text, title) || place(one, [text])) continue;
    const clauses = clausesOf(text);
    if (clauses.length === 0) place(one, shortened(text));
    else for (const clause of clauses) place({ ...one, text: clause }, shortened(clause));
  }
  return pages;
}

/** How many pages a critical alert holds: the first, and those up to the advice. */
export const heldPages = (pages: readonly SummaryPage[]): number =>
  1 +
  Math.max(
    0,
    pages.findLastIndex(({ sentences }) => sentences.some(({ text }) => text.startsWith('Advice'))),
  );

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

/** The rest of a sentence whose subject stands before a clause: "The A65, which floods often, is likely to flood". */
const PREDICATE =
  /^[,;] (?:is|are|was|were|will|has|have|had|may|might|can|could|must|should|remains?|does|do|did)\b/;

/** The sentence, then without what stands in brackets, then without its last clauses. */
function shortened(text: string): string[] {
  const forms = [text];
  const bare = text.replace(/ \(([^()\d]*)\)/g, '');
  if (bare !== text) forms.push(bare);
  const clauses = bare.replace(/\.$/, '').split(/(?=[,;] | [–-] )/);
  for (let count = clauses.length - 1; count > 0 && isSpare(clauses[count]!); count--) {
    const kept = clauses.slice(0, count).join('');
    if (kept.split(' ').length >= 3) forms.push(`${kept}.`);
  }
  // "Stay away from the river and follow the advice of the emergency services."
  const [, first, second = ''] = /^(Advice: (?:\S+ ){2,}?\S+) and (.*)$/.exec(forms.at(-1)!) ?? []; // there is one
  if (first && !KEPT.test(second)) forms.push(`${first}.`);
  return forms;
}

const isSpare = (clause: string) => !KEPT.test(clause) && !PREDICATE.test(clause);

/** Intl.Segmenter is not used: it does not begin a sentence at a number ("7 others are medium."). */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));

/** "Use the A58; the A65 is flooded." as two sentences, each of the same part. */
function clausesOf(text: string): string[] {
  const [part = ''] = PART.exec(text) ?? [];
  const clauses = text.slice(part.length).replace(/\.$/, '').split('; ');
  return clauses.length > 1 ? clauses.map((clause) => `${part}${clause}.`) : [];
}
