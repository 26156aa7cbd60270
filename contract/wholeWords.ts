/** Texts that have no shorter form, cut to whole words. No cut is between a number and what it counts, and no text ends
 *  in a word that leads to the next one. */

/** As many words of a text as fit, from the first; '' if not even one does. */
export function wordsWithin(text: string, fits: (text: string) => boolean): string {
  let kept = text;
  while (kept.includes(' ') && !fits(kept)) {
    kept = (COUNT.exec(kept) ? kept.replace(COUNT, '') : kept)
      .replace(/ [^ ]*$/, '')
      .replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '');
    while (LEADING.test(kept)) kept = kept.replace(LEADING, '');
  }
  return fits(kept) ? kept : '';
}

/** As many words as have room in `most` characters. No cut is inside a name, unless the name is all of the text. */
export function cutAtWord(text: string, most: number): string {
  const within = (room: number) => wordsWithin(text.slice(0, room + 1), ({ length }) => length <= room);
  const cut = within(most);
  let kept = cut;
  while (kept.length < text.length && isInsideOne(kept, text.slice(kept.length)))
    kept = within(kept.length - 1);
  return kept || cut;
}

/** "Leeds Bradford", "Junction 26", "20 mph": one thing, if its second word is left out. */
const isInsideOne = (kept: string, rest: string) =>
  /(?<!\S)[\d£]\S*$/.test(kept) || (/(?<!\S)\p{Lu}\S*$/u.test(kept) && /^ [\p{Lu}\d]/u.test(rest));

/** Words that lead to the next one, so that a text cannot end with them. */
const LEADING =
  /(?<![\s,;:–-])[\s,;:–-]+(?:a|an|and|at|between|by|due|for|from|in|near|of|on|or|the|to|until|via|with)$/i;

/** A number that counts the words after it: "20 minutes", "2 of 3 lanes". */
const COUNT =
  /(?<![\s,;:–-])[\s,;:–-]+\d[\d,.]*(?= (?:min|hour|day|mile|km|metre|lane|train|flight|departure|service|coach|vehicle|more|of )[^ ]*$)/i;
