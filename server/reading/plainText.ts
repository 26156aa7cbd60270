/** Foreign HTML to plain text: what publishers put into titles and descriptions. */
import { decodeHTMLStrict } from 'entities';

/** Of one field of a foreign document, in characters: far beyond what any publisher means to be read. What is longer is cut
 *  where documents are read (xml.ts, json.ts), so that no rule for its words ever meets it. */
export const FIELD_MAX = 20_000;

/** The field as it is, or its beginning. */
export const cutField = (text: string) =>
  text.length > FIELD_MAX ? text.slice(0, FIELD_MAX).toWellFormed() : text;

/** These join what stands around them: "No<b>r</b>th" is one word. All other tags part words. */
const INLINE =
  /^<\/?(?:a|abbr|b|big|bdi|bdo|cite|code|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)(?=[\s/>])/i;

/** Attribute values may hold '>'; a tag with stray quotes is caught by the simpler second form. */
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'"<>])*>|<\/?[a-z][^<>]*>/gi;

/**
 * The text that a reader of this HTML would see, on one line: references decoded (also doubly escaped ones), tags
 * gone, white space (also no-break) collapsed, control and direction-changing characters dropped. Plain text
 * passes unharmed, "a < b" as well. What comes back is still foreign text, and still has to be escaped where it is shown.
 */
export function plainText(html: string): string {
  let text = html;
  // Escaped HTML turns into HTML by decoding, so both steps repeat; no feed escapes more than twice.
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

/** Plain text cut to at most `max` characters, at the end of a word, with "…" where something was cut. */
export function summaryLine(text: string, max = 200): string {
  if (text.length <= max) return text;

  const cut = text.slice(0, max - 1);
  const atWord = /\s/.test(text.charAt(max - 1)) ? cut : cut.replace(/(?<!\s)\s+\S*$/, '');
  // One endless word has no end to cut at; toWellFormed mends a character cut in two.
  const kept = (atWord.length >= max / 2 ? atWord : cut)
    .toWellFormed()
    .replace(/(?<![\uFFFD\s,;:.–-])[\uFFFD\s,;:.–-]+$/u, '');
  return `${kept}…`;
}

/** Up to this many characters a comment is read across a room; above, its first sentence is. */
const HEADLINE_LENGTH = 70;

/** Some comments are a whole report: what a reader needs first, and the rest. A sentence ends after a full word
 *  or a bracket, so that "St. Helens" and "Jct. 4" are not taken for one. */
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
