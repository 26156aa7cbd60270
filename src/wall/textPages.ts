/** Divides a text into pages that fit: whole sentences where possible, and about as much text on each page. */
import type { Sentence } from '../feeds/summarySentences.ts';
import { linesOf } from './fit.ts';

/** The badge "Ended" before a sentence is about as wide as this word. */
const BADGE = 'mmmm ';

export type TextPage = Sentence[];

/** At the end of a page: the sentence goes on. At the start: it began on the page before. */
const CUT = '…';

/** Pages are evened out in lines no narrower than this share of the width. */
const EMPTIEST = 0.4;
/** Steps of the binary search for the width at which the pages are even. */
const TRIES = 4;

/** The share of a page that can stay empty for a better break; the smaller ones are for when the pages run out. */
const REACHES = [0.45, 0.3, 0.15] as const;
/** The same, where otherwise a name, a number or a bracket would be divided. */
const FURTHEST_REACH = 0.7;
const GRAVE = 4;

/**
 * `width` is in units, `lines` is per page. As few pages as possible, about equally full: no page is shown for 14
 * seconds with one word, and no page ends with a line of one word. A sentence is divided only where it is longer than
 * a page, and then between its clauses if a page can end there. There are at most `most` pages; the rest of the text
 * is left out.
 */
export function textPages(
  sentences: readonly Sentence[],
  width: number,
  lines: number,
  most = Infinity,
): TextPage[] {
  const parts = sentences
    .flatMap(apart)
    .map((sentence) => ({ ...sentence, isLong: heightOf([sentence], width) > lines }));
  const reach = REACHES.find((share) => filled(parts, width, lines, share).pages.length <= most);
  const pages =
    reach === undefined
      ? filled(parts, width, lines, REACHES[0]).pages
      : evenPages(parts, width, lines, reach);

  const shown = pages.slice(0, most).map((page) => tied(page, width));
  const last = shown.at(-1);
  if (pages.length > most && last && !last.at(-1)!.text.endsWith(CUT)) {
    const cut = [...last, { text: CUT, hasEnded: false }];
    if (heightOf(cut, width) <= lines) return [...shown.slice(0, -1), cut];
  }
  return shown;
}

interface Part extends Sentence {
  /** Longer than a page: only such a sentence can continue on the next one. */
  isLong: boolean;
}

function evenPages(parts: readonly Part[], width: number, lines: number, reach: number): TextPage[] {
  let best = filled(parts, width, lines, reach);
  if (best.pages.length < 2) return best.pages;

  // Filled as if the lines were narrower, the pages are less full.
  let [tooNarrow, wideEnough] = [EMPTIEST, 1];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const share = (tooNarrow + wideEnough) / 2;
    const narrower = filled(parts, width * share, lines, reach);
    if (narrower.pages.length > best.pages.length || narrower.harm > best.harm) tooNarrow = share;
    else [wideEnough, best] = [share, narrower];
  }
  return best.pages;
}

/** The pages, each filled as far as possible, and the total `harm` of dividing sentences. */
function filled(parts: readonly Part[], width: number, lines: number, reach: number) {
  const pages: TextPage[] = [];
  let harm = 0;
  let page: TextPage = [];
  const turn = () => {
    if (page.length > 0) pages.push(page);
    page = [];
  };
  for (const { isLong, ...sentence } of parts) {
    let rest = sentence;
    while (heightOf([...page, rest], width) > lines) {
      const end = isLong ? pageEnd(rest, page, width, lines, reach) : null;
      if (end !== null) {
        harm += harmAt(rest.text, end);
        page.push(upTo(rest, end));
        rest = { ...rest, text: `${CUT}\u00a0${rest.text.slice(end).trimStart()}` };
      } else if (page.length === 0) break; // one word that is longer than a page
      turn();
    }
    page.push(rest);
  }
  turn();
  return { pages, harm };
}

/** Where to divide a sentence that follows the text already on the page: as late as fits, or at a better place within
 *  `reach`. Null where it is better to begin it on the next page, or it cannot be divided. */
function pageEnd(
  sentence: Sentence,
  page: TextPage,
  width: number,
  lines: number,
  reach: number,
): number | null {
  const { text } = sentence;
  const before = page.map((other) => `${wordsOf(other)} `).join('') + (sentence.hasEnded ? BADGE : '');
  const room =
    linesOf(before + text, width, 'body')
      .slice(0, lines)
      .join('').length - before.length;
  const fits = (end: number) => heightOf([...page, upTo(sentence, end)], width) <= lines;
  const ends = [...text.matchAll(/(?<=[^\s…])\s+/g)].map(({ index }) => index);
  // No page is left with one word, and none ends with only one or two words of a new sentence.
  const possible = page.length > 0 ? ends.slice(2, -1) : ends.slice(0, -1);
  const furthest = possible.findLast((end) => end <= room && fits(end));
  if (furthest === undefined) {
    if (page.length > 0) return null;
    const [first = text.length] = ends;
    return fits(first) ? first : endWithin(text.slice(0, first), fits);
  }
  const bestWithin = (share: number) =>
    possible
      .filter((end) => end <= furthest && end >= furthest * (1 - share))
      .reduce((best, end) => (harmAt(text, end) <= harmAt(text, best) ? end : best));
  const best = bestWithin(reach);
  if (harmAt(text, best) < GRAVE) return best;
  // A new sentence moves to the next page, unless this page would stay half empty.
  return page.length > 0 && before.length > room ? null : bestWithin(FURTHEST_REACH);
}

/** Where to divide a word that is longer than the page: after its last letter that fits, or else after its first. */
function endWithin(word: string, fits: (end: number) => boolean): number {
  const begin = word.startsWith(CUT) ? CUT.length + 1 : 0;
  const letters = [...new Intl.Segmenter().segment(word.slice(begin))];
  const endOf = ({ index, segment }: Intl.SegmentData) => begin + index + segment.length;
  let [low, high] = [0, letters.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(endOf(letters[middle]!))) low = middle;
    else high = middle - 1;
  }
  return endOf(letters[low]!);
}

/** The part of the sentence on a page that ends there. */
const upTo = (sentence: Sentence, end: number): Sentence => ({
  ...sentence,
  text: `${sentence.text.slice(0, end).replace(/(?<![\s,;:–])[\s,;:–]+$/u, '')}${CUT}`,
});

const CLAUSE_END = /[,;:–—)]$/u;
/** Words that begin a part of a sentence. */
const LINKS =
  /^(?:after|and|as|because|before|between|but|by|due|during|following|for|from|in|on|or|until|via|when|where|which|while|with)$/i;
/** Words that belong to the next word, in the languages of British and Irish place names. */
const LEADING =
  /^(?:a|an|and|ar|are|around|at|be|been|between|by|for|from|has|have|in|into|is|may|na|nan|near|not|of|off|on|or|the|to|towards|until|via|was|were|will|with|y|yr)$/i;
/** "between Corris", which continues with "and". */
const HALF_A_SPAN = /\bbetween\s/i;

/** How much a page end there disturbs a reader: nothing at the end of a clause, most inside a bracket. */
function harmAt(text: string, end: number): number {
  const before = text.slice(0, end);
  const after = text.slice(end).trimStart();
  const [last, next] = [/(?<!\S)\S*$/.exec(before)![0], /^\S*/.exec(after)![0]];
  if (before.lastIndexOf('(') > before.lastIndexOf(')') && after.includes(')')) return 6;
  // "J26 | (Chain Bar)", "5 | miles", "22 Nov 2026, | 23:00"
  if (next.startsWith('(') || /^\W*\d[\d.,:]*$/u.test(last)) return 5;
  if (next.toLowerCase() === 'to' || (HALF_A_SPAN.test(before.split(/[,;:.]/).at(-1)!) && next === 'and'))
    return 3;
  if (CLAUSE_END.test(last)) return 0;
  // "Junction | 12", "Vauxhall | Cross"
  if (/^\W*\d/u.test(next) || (/^\p{Lu}/u.test(last) && /^\p{Lu}/u.test(next))) return 5;
  if (LEADING.test(last)) return 4;
  return LINKS.test(next) ? 1 : 2;
}

/** Keeps the page's last two words on one line, if a line has room for them. The page does not grow. */
function tied(page: TextPage, width: number): TextPage {
  const last = page.at(-1)!;
  const text = last.text.replace(/(?<!\s)\s+(\S+)$/, '\u00a0$1');
  const pair = /(?<![^ ])[^ ]*\u00a0\S+$/.exec(text)?.[0] ?? '';
  return linesOf(pair, width, 'body').length > 1 ? page : [...page.slice(0, -1), { ...last, text }];
}

/** Intl.Segmenter is not used: it does not begin a sentence at a number ("7 others are medium."). */
const SENTENCE_END = /(?<=[.!?…]["”’)]?)(?<!\b(?:St|Mr|Mrs|Dr|No|Jct|approx)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

const apart = ({ text, hasEnded }: Sentence): Sentence[] =>
  text.split(SENTENCE_END).map((part) => ({ text: part.trim(), hasEnded }));

const wordsOf = ({ text, hasEnded }: Sentence) => (hasEnded ? BADGE + text : text);

/** In lines. */
const heightOf = (page: TextPage, width: number) =>
  linesOf(page.map(wordsOf).join(' '), width, 'body').length;
