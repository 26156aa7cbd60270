/** Texts that have no shorter form, cut to whole words. No cut parts a number from what it counts, and no text ends in
 *  a word that leads to the next one. */

/** The most words from the beginning of a text that fit; '' if not even one does. */
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

/** The most words from the beginning within `most` characters. A name is cut only if nothing else is left. */
export function cutAtWord(text: string, most: number): string {
  const within = (room: number) => wordsWithin(text.slice(0, room + 1), ({ length }) => length <= room);
  const cut = within(most);
  let kept = cut;
  while (kept.length < text.length && isInsideOne(kept, text.slice(kept.length)))
    kept = within(kept.length - 1);
  return kept || cut;
}

/** Whether the cut is inside one thing: "Leeds Bradford", "Junction 26", "20 mph". */
const isInsideOne = (kept: string, rest: string) =>
  /(?<!\S)[\d£]\S*$/.test(kept) || (/(?<!\S)\p{Lu}\S*$/u.test(kept) && /^ [\p{Lu}\d]/u.test(rest));

/** Words that lead to the next word. No text ends with one. */
const LEADING =
  /(?<![\s,;:–-])[\s,;:–-]+(?:a|an|and|at|between|by|due|for|from|in|near|of|on|or|the|to|until|via|with)$/i;

/** A number that counts the words after it: "20 minutes", "2 of 3 lanes". */
const COUNT =
  /(?<![\s,;:–-])[\s,;:–-]+\d[\d,.]*(?= (?:min|hour|day|mile|km|metre|lane|train|flight|departure|service|coach|vehicle|more|of )[^ ]*$)/i;
