/** Foreign HTML to plain text: what publishers put into titles and descriptions. */

/** Named references met in UK feeds; any other name stays as it is written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  pound: '£',
  euro: '€',
  cent: '¢',
  deg: '°',
  copy: '©',
  reg: '®',
  trade: '™',
  sect: '§',
  para: '¶',
  middot: '·',
  bull: '•',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  minus: '−',
  times: '×',
  divide: '÷',
  plusmn: '±',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  sup2: '²',
  sup3: '³',
  micro: 'µ',
  ordm: 'º',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  larr: '←',
  rarr: '→',
  harr: '↔',
  le: '≤',
  ge: '≥',
  ne: '≠',
  Prime: '″',
  prime: '′',
  shy: '',
  zwj: '',
  zwnj: '',
  lrm: '',
  rlm: '',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  auml: 'ä',
  aring: 'å',
  aelig: 'æ',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  igrave: 'ì',
  iacute: 'í',
  icirc: 'î',
  iuml: 'ï',
  ntilde: 'ñ',
  ograve: 'ò',
  oacute: 'ó',
  ocirc: 'ô',
  otilde: 'õ',
  ouml: 'ö',
  oslash: 'ø',
  szlig: 'ß',
  ugrave: 'ù',
  uacute: 'ú',
  ucirc: 'û',
  uuml: 'ü',
  yacute: 'ý',
  yuml: 'ÿ',
  wcirc: 'ŵ',
  ycirc: 'ŷ',
  Agrave: 'À',
  Aacute: 'Á',
  Acirc: 'Â',
  Auml: 'Ä',
  Ccedil: 'Ç',
  Egrave: 'È',
  Eacute: 'É',
  Ecirc: 'Ê',
  Icirc: 'Î',
  Iuml: 'Ï',
  Ntilde: 'Ñ',
  Oacute: 'Ó',
  Ocirc: 'Ô',
  Ouml: 'Ö',
  Ucirc: 'Û',
  Uuml: 'Ü',
  Wcirc: 'Ŵ',
  Ycirc: 'Ŷ',
};

/** Numbers 128 to 159 name control characters, but publishers mean windows-1252, and browsers read it so. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

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
    text = decodeReferences(withoutTags(text));
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
  const atWord = /\s/.test(text.charAt(max - 1)) ? cut : cut.replace(/\s+\S*$/, '');
  // One endless word has no end to cut at; toWellFormed mends a character cut in two.
  const kept = (atWord.length >= max / 2 ? atWord : cut).toWellFormed().replace(/[\uFFFD\s,;:.–-]+$/u, '');
  return `${kept}…`;
}

/** Up to this many characters a comment is read across a room; above, its first sentence is. */
const HEADLINE_LENGTH = 70;

/** Some comments are a whole report: what a reader needs first, and the rest. A sentence ends after a full word
 *  or a bracket, so that "St. Helens" and "Jct. 4" are not taken for one. */
export function headline(comment: string): [said: string, further: string] {
  if (comment.length <= HEADLINE_LENGTH) return [comment, ''];
  const end = comment.search(/(?<=\b[a-z]{3,}|\w{4}|\))\.\s+(?=\p{Lu})/u);
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

function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]\w{1,15}));/g,
    (whole, decimal, hex, named) => {
      if (named !== undefined) return Object.hasOwn(NAMED, named) ? (NAMED[named] as string) : whole;

      const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (code >= 128 && code < 160) return WINDOWS_1252.charAt(code - 128);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '';
    },
  );
}
