/** Patterns with dozens of named groups. For each match of such a pattern JavaScript makes an object with every name,
 *  which takes longer than finding the match. Here a match has only the names that were found. */
import { everyMatch } from '../../geography/roads/everyMatch.ts';

export type Groups = Readonly<Record<string, string | undefined>>;

export interface NamedMatch {
  text: string;
  at: number;
  groups: Groups;
}

interface NamedPattern {
  pattern: RegExp;
  /** The name of each group, in order. */
  names: readonly string[];
}

/** `source`: every group that captures has a name. */
export function named(source: string, flags: string): NamedPattern {
  const names = Array.from(source.matchAll(/\(\?<(\w+)>/g), ([, name]) => name!); // it is the pattern's only group
  const numbered = source
    .replace(/\(\?<\w+>/g, '(')
    .replace(/\\k<(\w+)>/g, (_, name: string) => `\\${names.indexOf(name) + 1}`);
  return { pattern: new RegExp(numbered, flags), names };
}

/** The first `most` matches. */
export const everyNamed = (text: string, { pattern, names }: NamedPattern, most?: number): NamedMatch[] =>
  everyMatch(text, pattern, most).map((match) => {
    const groups: Record<string, string | undefined> = {};
    for (let at = 1; at < match.length; at++) if (match[at] !== undefined) groups[names[at - 1]!] = match[at];
    return { text: match[0], at: match.index, groups };
  });
