/** A text in pages that fit, each of whole sentences where they do, and none with much less on it than the others. */
import type { Sentence } from '../disruptions/summarySentences.ts';
import { linesOf } from './fit.ts';

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export type TextPage = Sentence[];

/** Stands for words that are still to come. */
const CUT = '…';

/** No page is made emptier than this for the sake of the others. */
const EMPTIEST = 0.4;
/** How often the width at which the pages are even is halved towards. */
const TRIES = 4;

/**
 * `width` in units, `lines` a page. As few pages as there can be, and those about as full as each other: nothing stands
 * for 14 seconds with one word on it, and no line at the end of a page has one word. A sentence is divided only where
 * it is longer than a page. There are no more than `most` pages: what does not fit on them is left out.
 */
export function textPages(
  sentences: readonly Sentence[],
  width: number,
  lines: number,
  most = Infinity,
): TextPage[] {
  const pages = evenPages(sentences, width, lines);
  const shown = pages.slice(0, most).map((page) => tied(page, width));
  const last = shown.at(-1);
  if (pages.length > most && last && !last.at(-1)!.text.endsWith(CUT)) {
    const cut = [...last, { text: CUT, hasEnded: false }];
    if (heightOf(cut, width) <= lines) return [...shown.slice(0, -1), cut];
  }
  return shown;
}

function evenPages(sentences: readonly Sentence[], width: number, lines: number): TextPage[] {
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
function filled(parts: readonly Part[], width: number, lines: number): TextPage[] {
  const pages: TextPage[] = [];
  let page: TextPage = [];
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

/** What of a sentence goes on a page behind what is there, cut at a word, and what is left. The first is null when that is
 *  not three words. */
function divided(
  sentence: Sentence,
  page: TextPage,
  width: number,
  lines: number,
): [head: Sentence | null, tail: Sentence] {
  const before = page.map((other) => `${wordsOf(other)} `).join('') + (sentence.hasEnded ? BADGE : '');
  const end = linesOf(before + sentence.text, width, 'body')
    .slice(0, lines)
    .join('').length;
  const words = sentence.text.slice(0, Math.max(0, end - before.length)).trimEnd();
  const cut = (text: string) => ({ ...sentence, text: `${text.replace(/[\s,;:–]+$/u, '')}${CUT}` });
  let head = words;
  while (heightOf([...page, cut(head)], width) > lines && /\s/.test(head)) head = head.replace(/\s+\S+$/, '');
  // No page with a single word of it is left over.
  if (/^\S+$/.test(sentence.text.slice(head.length).trim())) head = head.replace(/\s+\S+$/, '');
  if (page.length > 0 && !/\S\s+\S+\s+\S/.test(head)) return [null, sentence];
  return [cut(head), { ...sentence, text: sentence.text.slice(head.length).trimStart() }];
}

/** With its last two words in one line, if a line has room for them; the page does not grow by that. */
function tied(page: TextPage, width: number): TextPage {
  const last = page.at(-1)!;
  const text = last.text.replace(/\s+(\S+)$/, '\u00a0$1');
  const pair = /[^ ]*\u00a0\S+$/.exec(text)?.[0] ?? '';
  return linesOf(pair, width, 'body').length > 1 ? page : [...page.slice(0, -1), { ...last, text }];
}

/** Not Intl.Segmenter: to it a sentence that begins with a number ("7 others are medium.") is none. */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));

const wordsOf = ({ text, hasEnded }: Sentence) => (hasEnded ? BADGE + text : text);

/** In lines. */
const heightOf = (page: TextPage, width: number) =>
  linesOf(page.map(wordsOf).join(' '), width, 'body').length;
