/** Patterns that are tried at the beginnings of words; anchored, so that a text costs no more than its words. */

export interface Match {
  at: number;
  end: number;
  said: string;
}

/** Tries a pattern at the beginnings of words. */
export function* allAt(words: string, pattern: RegExp): Generator<Match> {
  for (const { index } of words.matchAll(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}]/gu)) {
    const found = pattern.exec(words.slice(index));
    if (found) yield { at: index, end: index + found[0].length, said: found[0] };
  }
}

export const firstAt = (words: string, pattern: RegExp): Match | null =>
  allAt(words, pattern).next().value ?? null;
