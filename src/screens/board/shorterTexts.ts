/** How long texts get shorter on the board: by whole sentences and clauses, never inside one. */
import type { Alert } from '../../api/alerts/disruptions.ts';
import { detailOf } from '../../feeds/alerts/alerts.ts';
import { formsOf } from '../../feeds/alerts/titles.ts';

/** Without its last sentences and clauses, one after the other. */
export function clausesOf(text: string): string[] {
  const clauses = text.split(/(?<=[.;]) /);
  return clauses.map((_, index) =>
    clauses
      .slice(0, clauses.length - index)
      .join(' ')
      .replace(/;$/, '.'),
  );
}

/** As clauses; a list of names also ends in "and more". With a number it is a place or a figure, and loses its end. */
export function namesOf(text: string): string[] {
  const names = /[.;] /.test(text) ? [] : text.replace(/\.$/, '').split(', ');
  const more = /\d/.test(text) ? '' : ' and more';
  const fewer = names.slice(1).map((_, index) => names.slice(0, -1 - index).join(', ') + more);
  return [...clausesOf(text), ...fewer];
}

/** Words of the publisher's line beyond the title, without hashtags. */
export function beyondTitle(alert: Alert): string {
  const said = wordsOf(formsOf(alert)[0]!); // there is at least one
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
