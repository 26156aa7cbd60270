/** Lanes and minutes in words. */
import type { Facts } from '#contract/incidents/facts.ts';
import { everyMatch } from '../../geography/roads/everyMatch.ts';

const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, a: 1, an: 1 };

const countOf = (word: string) => COUNTS[word.toLowerCase()] ?? Number(word);

const SHUT = '(?:closed|blocked|restricted|shut)';
const NUMBER = String.raw`(\d|one|two|three|four|five)`;
const ALL = String.raw`(?:out )?of (?:the )?${NUMBER}`;
const COUNTED = new RegExp(
  String.raw`\b${NUMBER} ${ALL} lanes (?:are |is )?${SHUT}|\b${NUMBER} lanes? \(?${ALL}\)? (?:are |is )?${SHUT}|\b${SHUT}:? ${NUMBER} ${ALL} lanes|\b${NUMBER} lanes? (?:are |is )?${SHUT}`,
  'i',
);
const NAMED =
  /\blanes? (?:(\d) ?(?:to|-|–) ?(\d)|(\d(?:(?:, | and |, and )\d){0,4}))(?: \(?of (\d)\)?)? (?:are |is )?(?:closed|blocked|closure|restricted|shut)/i;

/** "lanes 1 and 2 of 4 closed", "2 of 4 lanes closed", "two lanes closed"; null when no number is given. */
export function lanesIn(words: string): Facts['lanes'] {
  const [, first, last, list, all] = NAMED.exec(words) ?? [];
  if (first || list) {
    const closed = list ? list.match(/\d/g)!.length : Math.abs(Number(last) - Number(first)) + 1;
    return { closed, of: all ? Number(all) : null };
  }
  const [closed, of] = (COUNTED.exec(words) ?? []).slice(1).filter(Boolean);
  return closed ? { closed: countOf(closed), of: of ? countOf(of) : null } : null;
}

/** In minutes. */
interface StatedDelay {
  /** 0 if the words say "up to", the lower figure of "20 to 30 minutes", otherwise the same as `most`. */
  least: number;
  most: number;
}

/** Words before a figure that give its lower end, or say that it is the most. */
const LOWER =
  /(?:\b(\d{1,3}) ?(?:-|–|to|and|or) ?|\b(?:up to|as much as|a maximum of|as long as|no more than) (?:about |around )?)$/i;

function statedBefore(sentence: string, at: number, most: number): StatedDelay {
  const found = LOWER.exec(sentence.slice(Math.max(0, at - 40), at));
  if (!found) return { least: most, most };
  const lower = Number(found[1] ?? 0);
  return { least: lower <= most ? lower : most, most };
}

const MINUTES = /(?<![\d.:])(\d{1,3})[- ]?min(?:ute)?s?\b(?! (?:walk|drive|interval|frequency))/gi;

/** The longest delay that the words state: "delays of up to 60 minutes", "20 to 30 minutes late", "an hour late". */
export function delayIn(words: string): StatedDelay | null {
  const found: StatedDelay[] = [];
  for (const sentence of words.split(/[.!?](?=\s|$)/)) {
    if (!/\b(?:delay|late|longer|extra|more|queue|additional|add)/i.test(sentence)) continue;
    for (const match of everyMatch(sentence, MINUTES))
      found.push(statedBefore(sentence, match.index, Number(match[1])));
    const half = /\bhalf an hour\b/i.exec(sentence);
    const one = half ? null : /\b(?:an|one) hour(?! and)\b/i.exec(sentence);
    if (half) found.push(statedBefore(sentence, half.index, 30));
    else if (one) found.push(statedBefore(sentence, one.index, 60));
    const hours = /(?<![\d.:])\b(\d|two|three|four|five)[- ]hours?\b/i.exec(sentence);
    if (
      hours &&
      /\b(?:delay|late|longer)/i.test(sentence) &&
      !/\bfor (?:at least |the next )/i.test(sentence)
    )
      found.push(statedBefore(sentence, hours.index, countOf(hours[1]!) * 60));
  }
  return found.reduce<StatedDelay | null>(
    (longest, one) => (one.most > (longest?.most ?? 0) ? one : longest),
    null,
  );
}

/** A number in a publisher's field; null when it is not one. */
export const countIn = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : null;
