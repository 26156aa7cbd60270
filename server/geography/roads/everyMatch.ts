/** The first `most` matches of a global pattern. `matchAll` copies the pattern each time, which takes longer than the
 *  search if the pattern is long. */
export function everyMatch(text: string, pattern: RegExp, most = Infinity): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match; matches.length < most && (match = pattern.exec(text));) matches.push(match);
  pattern.lastIndex = 0;
  return matches;
}
