/** A summary in pages that fit, each of whole sentences where they do. */
import type { Sentence } from '../board/summarySentences.ts';
import { linesOf } from './fit.ts';

export const SUMMARY_PAGE_MS = 14_000;

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export type SummaryPage = Sentence[];

/** `width` in units, `lines` a page. A sentence that is longer than a page goes on at the top of the next. */
export function summaryPages(sentences: readonly Sentence[], width: number, lines: number): SummaryPage[] {
  const pages: SummaryPage[] = [];
  let page: SummaryPage = [];
  for (const sentence of sentences.flatMap(apart)) {
    if (page.length > 0 && heightOf([...page, sentence], width) > lines) {
      pages.push(page);
      page = [];
    }
    page.push(sentence);
    while (heightOf(page, width) > lines) {
      const [long] = page as [Sentence];
      const broken = linesOf(wordsOf(long), width, 'body');
      const head = broken.slice(0, lines).join('');
      pages.push([{ ...long, text: long.hasEnded ? head.slice(BADGE.length) : head }]);
      page = [{ ...long, text: broken.slice(lines).join('') }];
    }
  }
  if (page.length > 0) pages.push(page);
  return pages;
}

/** Not Intl.Segmenter: to it a sentence that begins with a number ("7 others are medium.") is none. */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));

const wordsOf = ({ text, hasEnded }: Sentence) => (hasEnded ? BADGE + text : text);

/** In lines. */
const heightOf = (page: SummaryPage, width: number) =>
  linesOf(page.map(wordsOf).join(' '), width, 'body').length;
