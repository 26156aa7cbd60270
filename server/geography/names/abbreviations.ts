/** Abbreviations that count as the same word, including some that the word does not begin with, such as `jn` for
 *  Junction. None of them is a station or airport code, as `ctl` is. */
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saint: 'st',
    upon: 'on',
    gt: 'great',
    lt: 'little',
    mt: 'mount',
    upr: 'upper',
    x: 'cross',
    intl: 'international',
    jct: 'junction',
    jn: 'junction',
    pk: 'park',
    pkwy: 'parkway',
    rd: 'road',
    sq: 'square',
  }),
);

const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ð: 'd',
  þ: 'th',
  ł: 'l',
};

/** The words of a name or a query, in lower case without accents, apostrophes, hyphens and dots. `King's Lynn` is
 *  `kings`, `lynn`. */
export function words(text: string): string[] {
  const small = text.toLowerCase();
  // A single word, as most are.
  if (/^[a-z0-9]+$/.test(small)) return [SAME.get(small) ?? small];
  return plain(small)
    .replace(/['’‘ʼ`´]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^a-z0-9]+/)
    .flatMap((word) => (word ? [SAME.get(word) ?? word] : []));
}

function plain(text: string): string {
  // This is true of most names, and of nearly all queries.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øæœßðþł]/g, (letter) => LETTERS[letter]!);
}
