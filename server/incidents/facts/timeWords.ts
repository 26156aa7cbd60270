/** What words say of when: ends, and days. */
import { BECAUSE, firstAt } from './vocabulary.ts';

const CLOCK = /\d{1,2}[:.]\d{2}|\d{1,2} ?[ap]m\b|\d{4} ?hrs|\bnoon\b|\bmidday\b|\bmidnight\b/i;

/** Takes off when it ends, and relative days: "tomorrow" is wrong after midnight. */
export function withoutTime(given: string): { words: string; when: string | null; dropped: string | null } {
  let words = given;
  const whens: string[] = [];
  let dropped: string | null = null;
  const end = firstAt(
    words,
    /^(?:(?:and |are |is )?(?:expected|likely|due) (?:to (?:last|continue|end|clear) )?|to last |lasting |(?:and )?will last )?(?:until|till|into|by (?=(?:about |around )?\d))\b/i,
  );
  if (
    end &&
    (end.at > 0 ||
      CLOCK.test(words) ||
      /^(?:disruption )?(?:is )?expected/i.test(words) ||
      /^until/i.test(words))
  ) {
    const cause = firstAt(words.slice(end.at), BECAUSE)?.at ?? words.length;
    const until = words
      .slice(end.at, end.at + cause)
      .trim()
      .replace(/^.*?(?=\b(?:until|till|into|by)\b)/i, '')
      .replace(/^till/i, 'until');
    words = `${words.slice(0, end.at).trim()} ${words.slice(end.at + cause)}`.trim();
    if (CLOCK.test(until)) dropped = until;
    else whens.push(until);
  }
  for (let round = 0; round < 2; round++) {
    const day = firstAt(
      words,
      /^(?:(?:starting |from |on )?(?:today|tomorrow|tonight|this (?:morning|afternoon|evening|week|weekend))|on (?:(?:\w+ )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)(?: (?:nights?|mornings?|evenings?))?(?: \d{1,2}(?: \w+)?)?|next (?:week|month|weekend|\w+day)|on (?:one|two|three|four|\d) (?:\w+ )?(?:nights|days|weekends|evenings)|on (?:weekdays|weekends|weeknights)|for (?:a )?(?:second|third|fourth) day|for (?:at least |about |up to |the next )?(?:one|two|three|four|several|\d{1,2}) (?:hours?|days?|weeks?|minutes)|(?:earlier|later) today)$/i,
    );
    if (!day) break;
    if (/\b(?:today|tomorrow|tonight|this (?:morning|afternoon|evening))$/i.test(day.said))
      dropped = [dropped, day.said].filter(Boolean).join(' ');
    else whens.unshift(day.said.replace(/^(?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)/, 'on '));
    words = words.slice(0, day.at).trim();
  }
  return { words, when: whens.join(' ') || null, dropped };
}
