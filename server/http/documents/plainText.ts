/** Foreign HTML to plain text: what publishers put into titles and descriptions. */
import { decodeHTMLStrict } from 'entities';

/** The most characters of one field in a foreign document: far more than any publisher expects a reader to read.
 *  Longer fields are cut where documents are read (xml.ts, json.ts), so that no pattern ever runs on them. */
export const FIELD_MAX = 20_000;

/** The field, or its beginning when it is too long. */
export const cutField = (text: string) =>
  text.length > FIELD_MAX ? text.slice(0, FIELD_MAX).toWellFormed() : text;

/** Tags that do not separate words: "No<b>r</b>th" is one word. All other tags separate them. */
const INLINE =
  /^<\/?(?:a|abbr|b|big|bdi|bdo|cite|code|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)(?=[\s/>])/i;

/** Attribute values can contain '>'. The simpler second form catches a tag with stray quotes. */
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>|<\/?[a-z][^<>]*>/gi;

/** The text that a reader of this HTML would see, on one line: references are decoded (also when escaped twice),
 *  tags removed, white space (also no-break) collapsed, and control and direction characters dropped. Plain text is
 *  unchanged, even "a < b". The result is still foreign text, and must still be escaped where it is shown. */
export function plainText(html: string): string {
  let text = html;
  // Decoding turns escaped HTML into HTML, so both steps are repeated. No feed escapes more than twice.
  for (let round = 0; round < 3; round++) {
    const before = text;
    text = decodeHTMLStrict(withoutTags(text));
    if (text === before) break;
  }

  return withoutTags(text)
    .toWellFormed()
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\uFFFE\uFFFF]/gu, '')
    .trim();
}

/** Plain text as HTML that shows it. */
export const html = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Plain text, cut to at most `max` characters at the end of a word, with "…" when something was cut. */
export function summaryLine(text: string, max = 200): string {
  if (text.length <= max) return text;

  const cut = text.slice(0, max - 1);
  const atWord = /\s/.test(text.charAt(max - 1)) ? cut : cut.replace(/(?<!\s)\s+\S*$/, '');
  // A single endless word has no end to cut at. toWellFormed repairs a character that was cut in two.
  const kept = (atWord.length >= max / 2 ? atWord : cut)
    .toWellFormed()
    .replace(/(?<![\uFFFD\s,;:.–-])[\uFFFD\s,;:.–-]+$/u, '');
  return `${kept}…`;
}

/** A text in the form of a record: the shown line and, when that was cut, the whole text, from which facts are read. */
export function summarised(text: string): { summary_line: string; text?: string } {
  const summary_line = summaryLine(text);
  return { summary_line, ...(summary_line !== text && { text }) };
}

/** A comment of at most this many characters can be read across a room. For a longer one, only its first sentence is
 *  shown. */
const HEADLINE_LENGTH = 70;

/** Some comments are a whole report. This returns the sentence that a reader needs first, and the rest. A sentence
 *  ends after a full word or a bracket, so that "St. Helens" and "Jct. 4" do not end it. */
export function headline(comment: string): [said: string, further: string] {
  if (comment.length <= HEADLINE_LENGTH) return [comment, ''];
  const end = comment.search(/(?<=[a-z]{3}|\w{4}|\))\.\s+(?=\p{Lu})/u);
  return end === -1 ? [comment, ''] : [comment.slice(0, end), comment.slice(end + 1).trim()];
}

function withoutTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(TAG, (tag) => (INLINE.test(tag) ? '' : ' '))
    .replace(/<[!?][a-z][^<>]*>/gi, ' ')
    .replace(/<\/?[a-z][^<>\s]*\s[^<>=]*=[^<>]*$/i, ' ');
}

/** " a64 at tadcaster bar ": with spaces around all words, a search finds only whole words. */
export const plainWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** The address of a feed's link, if a browser may follow it: only http or https. */
export function webAddress(address: string | null | undefined): string | undefined {
  const url = URL.parse(address?.trim() ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
