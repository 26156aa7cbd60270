/** The words of a feed's summary about the lead, one line at a time. A line ends only at the end of a sentence, and
 *  no text is cut. */
import { stateSince } from '#contract/incidents/disruptions.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Summary } from '../../../api/alerts/feeds.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { isBuiltIn } from '../../../feeds/rows/summarySentences.ts';
import { formsOf } from '../../../feeds/alerts/titles.ts';
import { fits } from '../words/textFit.ts';

/** Its sentences. */
export type SummaryPage = string[];

/**
 * The parts of the built-in summary if they are about the lead (the alert above); otherwise its publisher's advice;
 * otherwise a model's sentences about it. Nothing about another alert, an older state of this one, or numbers of
 * alerts. The time of its end is left out, because it is beside the title. `width`: of the line beside its mark, in
 * units.
 */
export function summaryPages(
  summary: Summary | null | undefined,
  { lead, width }: { lead: Alert; width: number },
): SummaryPage[] {
  const { parts } = summary?.metadata ?? {};
  const { affected, advice, until } = (parts?.event_id === lead.event_id && parts) || {};
  const built = [
    affected && `Affected: ${affected}`,
    advice && `Advice: ${advice}`,
    until && !/\d/.test(until) && until,
  ].flatMap((text) => text || []);
  const [own] = lead.facts?.advice ?? [];
  const texts = [built, own ? [`Advice: ${own}`] : [], summary ? sentencesOn(lead, summary) : []];
  for (const said of texts) {
    const pages = pagesOf(said.map(sentence), lead, width);
    if (pages.length > 0) return pages;
  }
  return [];
}

const sentence = (text: string) => text.trim().replace(/(?<=[^.!?…])$/, '.');

/** The sentences of a model's text that are about the lead; none if the text is older than the lead's last change. */
function sentencesOn(lead: Alert, summary: Summary): string[] {
  if (isBuiltIn(summary)) return [];
  const made = dateOf(summary.generated_at);
  const changed = dateOf(lead.trend?.since) ?? dateOf(stateSince(lead));
  if (made && changed && made < changed) return [];
  const known = summary.metadata?.sentences ?? [];
  if (known.length > 0)
    return known.flatMap(({ text, event_ids }) => (text && event_ids?.includes(lead.event_id) ? [text] : []));
  const names = namesOf(lead);
  return apart(summary.text ?? '').filter((text) => names.some((name) => text.includes(name)));
}

/** Its roads, and the names of its place. */
const namesOf = ({ facts, title }: Alert): string[] => [
  ...(facts?.roads ?? []),
  ...((facts?.place ?? title ?? '').match(/\p{Lu}\p{L}{3,}/gu) ?? []),
];

function pagesOf(said: readonly string[], lead: Alert, width: number): SummaryPage[] {
  const pages: SummaryPage[] = [];
  const title = formsOf(lead)[0] ?? '';
  const isOnOneLine = (sentences: string[]) => fits(sentences.join(' '), width, 'summary');
  /** Puts a text on the last page or on one of its own. */
  const place = (one: string, forms: string[]): boolean => {
    const last = pages.at(-1);
    if (last && isOnOneLine([...last, one])) {
      last.push(one);
      return true;
    }
    const form = forms.find((text) => isOnOneLine([text]));
    if (form) pages.push([form]);
    return form !== undefined;
  };
  for (const text of said.flatMap(apart)) {
    if (!text || repeats(text, title) || place(text, [text])) continue;
    const clauses = clausesOf(text);
    if (clauses.length === 0) place(text, shortened(text));
    else for (const clause of clauses) place(clause, shortened(clause));
  }
  return pages;
}

/** How many pages of a critical alert stay: the first, and the following up to the advice. */
export const heldPages = (pages: readonly SummaryPage[]): number =>
  1 +
  Math.max(
    0,
    pages.findLastIndex((sentences) => sentences.some((text) => text.startsWith('Advice'))),
  );

/** The names of the parts of a built-in summary, each before its sentences. */
export const PART = /^(Affected|Advice|Until):? /;

/** Whether a text repeats three words in a row of the lead. Advice may, because it says what to do there. */
function repeats(text: string, lead: string): boolean {
  if (text.startsWith('Advice')) return false;
  const [said, known] = [words(text), words(lead)];
  const spoken = ` ${said.join(' ')} `;
  return known.some(
    (_, at) => at + 3 <= known.length && spoken.includes(` ${known.slice(at, at + 3).join(' ')} `),
  );
}

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}()]+/gu) ?? [];

/** Words that a sentence must not lose: a number, a grade, a direction, a "not". */
const KEPT =
  /\d|\b(?:no|not|without|only|except|unless|severe|amber|red|yellow|[a-z]+bound|both ways|cancelled|open)\b/i;

/** The rest of a sentence whose subject is before a clause: "The A65, which floods often, is likely to flood". */
const PREDICATE =
  /^[,;] (?:is|are|was|were|will|has|have|had|may|might|can|could|must|should|remains?|does|do|did)\b/;

/** The forms of a sentence: whole, then without words in brackets, then without its last clauses. */
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

const apart = (text: string): string[] => text.split(SENTENCE_END).map((part) => part.trim());

/** "Use the A58; the A65 is flooded." as two sentences of the same part. */
function clausesOf(text: string): string[] {
  const [part = ''] = PART.exec(text) ?? [];
  const clauses = text.slice(part.length).replace(/\.$/, '').split('; ');
  return clauses.length > 1 ? clauses.map((clause) => `${part}${clause}.`) : [];
}
