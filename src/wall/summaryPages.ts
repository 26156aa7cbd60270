/** A summary in pages that fit, each of whole sentences where they do, and none with much less on it than the others. */
import type { Sentence } from '../disruptions/summarySentences.ts';
import { linesOf } from './fit.ts';

export const SUMMARY_PAGE_MS = 14_000;

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export type SummaryPage = Sentence[];

/** No page is made emptier than this for the sake of the others. */
const EMPTIEST = 0.4;
/** How often the width at which the pages are even is halved towards. */
const TRIES = 4;

/** `width` in units, `lines` a page. As few pages as there can be, and those about as full as each other: nothing stands
 *  for 14 seconds with one word on it. A sentence is divided only where it is longer than a page. */
export function summaryPages(sentences: readonly Sentence[], width: number, lines: number): SummaryPage[] {
  const parts = sentences
    .flatMap(apart)
    .map((sentence) => ({ ...sentence, isLong: heightOf([sentence], width) > lines }));
  let pages = filled(parts, width, lines);
  if (pages.length < 2) return pages;

  // Filled in narrower lines than there are, the pages are less full.
  let [tooNarrow, wideEnough] = [EMPTIEST, 1];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const share = (tooNarrow + wideEnough) / 2;
    const narrower = filled(parts, width * share, lines);
    if (narrower.length > pages.length) tooNarrow = share;
    else [wideEnough, pages] = [share, narrower];
  }
  return pages;
}

interface Part extends Sentence {
  /** Only such a one may go on on the next page. */
  isLong: boolean;
}

/** Page after page, each with as much as goes into it. */
function filled(parts: readonly Part[], width: number, lines: number): SummaryPage[] {
  const pages: SummaryPage[] = [];
  let page: SummaryPage = [];
  const turn = () => {
    if (page.length > 0) pages.push(page);
    page = [];
  };
  for (const { isLong, ...sentence } of parts) {
    let rest = sentence;
    while (heightOf([...page, rest], width) > lines) {
      if (!isLong) {
        turn();
        break;
      }
      const [head, tail] = divided(rest, page, width, lines);
      if (head) page.push(head);
      turn();
      rest = tail;
    }
    page.push(rest);
  }
  turn();
  return pages;
}

/** What of a sentence goes on a page behind what is there, null when that is not two words; and what is left. */
function divided(
  sentence: Sentence,
  page: SummaryPage,
  width: number,
  lines: number,
): [head: Sentence | null, tail: Sentence] {
  const before = page.map((other) => `${wordsOf(other)} `).join('') + (sentence.hasEnded ? BADGE : '');
  const end = linesOf(before + sentence.text, width, 'body')
    .slice(0, lines)
    .join('').length;
  const head = sentence.text.slice(0, Math.max(0, end - before.length));
  if (page.length > 0 && !head.trim().includes(' ')) return [null, sentence];
  return [
    { ...sentence, text: head },
    { ...sentence, text: sentence.text.slice(head.length) },
  ];
}

/** Not Intl.Segmenter: to it a sentence that begins with a number ("7 others are medium.") is none. */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));

const wordsOf = ({ text, hasEnded }: Sentence) => (hasEnded ? BADGE + text : text);

/** In lines. */
const heightOf = (page: SummaryPage, width: number) =>
  linesOf(page.map(wordsOf).join(' '), width, 'body').length;
