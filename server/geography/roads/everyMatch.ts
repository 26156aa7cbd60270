/** All matches of a global pattern, of which `most` are enough. `matchAll` copies the pattern each time: with one of
 *  many words this takes longer than the search. */
export function everyMatch(text: string, pattern: RegExp, most = Infinity): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match; matches.length < most && (match = pattern.exec(text));) matches.push(match);
  pattern.lastIndex = 0;
  return matches;
}
