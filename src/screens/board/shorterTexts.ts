/** Shorter forms of long texts on the board. They leave out whole sentences and clauses, and never cut inside one. */
import type { Alert } from '../../api/alerts/disruptions.ts';
import { detailOf } from '../../feeds/alerts/alerts.ts';
import { formsOf } from '../../feeds/alerts/titles.ts';

/** The text, then the forms without its last sentences and clauses, one after the other. */
export function clausesOf(text: string): string[] {
  const clauses = text.split(/(?<=[.;]) /);
  return clauses.map((_, index) =>
    clauses
      .slice(0, clauses.length - index)
      .join(' ')
      .replace(/;$/, '.'),
  );
}

/** Like `clausesOf`; a list of names ends in "and more". A name with a number is a place or a figure, so then only
 *  its end is left out. */
export function namesOf(text: string): string[] {
  const names = /[.;] /.test(text) ? [] : text.replace(/\.$/, '').split(', ');
  const more = /\d/.test(text) ? '' : ' and more';
  const fewer = names.slice(1).map((_, index) => names.slice(0, -1 - index).join(', ') + more);
  return [...clausesOf(text), ...fewer];
}

/** The words of the publisher's line that the title does not hold, without hashtags. */
export function beyondTitle(alert: Alert): string {
  const said = wordsOf(formsOf(alert)[0]!); // there is at least one form
  return detailOf(alert)
    .replaceAll(HASHTAG, '')
    .trim()
    .split(/(?<=[.;]) /)
    .filter((sentence) => wordsOf(sentence).some((word) => !said.includes(word)))
    .join(' ');
}

const HASHTAG = /(?<!\S)#\p{L}[\p{L}\d_]*/gu;
const SMALL = new Set(['and', 'at', 'between', 'from', 'in', 'is', 'near', 'of', 'on', 'the', 'to']);
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => !SMALL.has(word));
