/** Lanes and minutes as words give them. */
import type { Facts } from '#contract/facts.ts';

const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, a: 1, an: 1 };

const countOf = (word: string) => COUNTS[word.toLowerCase()] ?? Number(word);

/** "lanes 1 and 2 of 4 closed", "2 of 4 lanes closed", "two lanes closed"; null where the number is not given. */
export function lanesIn(words: string): Facts['lanes'] {
  const of =
    /\b(\d|one|two|three|four|five) of (?:the )?(\d|two|three|four|five) lanes (?:are |is )?(?:closed|blocked|restricted)/i.exec(
      words,
    );
  if (of) return { closed: countOf(of[1]!), of: countOf(of[2]!) }; // both groups are part of every match
  const named =
    /\blanes? (\d(?:(?:, | and |, and )\d){0,4})(?: of (\d))? (?:are |is )?(?:closed|blocked|closure|restricted)/i.exec(
      words,
    );
  if (named) return { closed: named[1]!.match(/\d/g)!.length, of: named[2] ? Number(named[2]) : null };
  const counted = /\b(\d|one|two|three|four) lanes? (?:are |is )?(?:closed|blocked|restricted)/i.exec(words);
  return counted ? { closed: countOf(counted[1]!), of: null } : null;
}

/** The longest delay that the words state, in minutes: "delays of up to 60 minutes", "an hour late". */
export function delayMinutesIn(words: string): number | null {
  const found: number[] = [];
  for (const sentence of words.split(/[.!?](?=\s|$)/)) {
    if (!/\b(?:delay|late|longer|extra|more|queue|additional|add)/i.test(sentence)) continue;
    for (const [, minutes = ''] of sentence.matchAll(
      /(?<![\d.:])(\d{1,3})[- ]?min(?:ute)?s?\b(?! (?:walk|drive|interval|frequency))/gi,
    ))
      found.push(Number(minutes));
    if (/\bhalf an hour\b/i.test(sentence)) found.push(30);
    else if (/\b(?:an|one) hour(?! and)\b/i.test(sentence)) found.push(60);
    const hours = /(?<![\d.:])\b(\d|two|three|four|five)[- ]hours?\b/i.exec(sentence)?.[1];
    if (
      hours &&
      /\b(?:delay|late|longer)/i.test(sentence) &&
      !/\bfor (?:at least |the next )/i.test(sentence)
    )
      found.push(countOf(hours) * 60);
  }
  const most = Math.max(0, ...found);
  return most > 0 ? most : null;
}
