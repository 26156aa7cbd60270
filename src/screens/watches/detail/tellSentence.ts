/** Who is told of a route, an area or feeds, of what and when, in one sentence. It is made of the form as it is changed. */
import type { Severity } from '#contract/incidents/disruptions.ts';
import type { DigestTimes } from '#contract/messages/messages.ts';
import { type TellMe, toldFrom } from '#contract/watches/tellMe.ts';
import type { When } from '#contract/watches/which.ts';
import { hoursWords } from '../../../watches/whichWords.ts';

export interface Told {
  /** "Rosa", "#ops" */
  name: string;
  /** Grade told at once, by somebody's own setting; null: the one chosen for all. */
  threshold: Severity | null;
  /** It gets what is told at once. */
  alerts: boolean;
  /** It gets what is not. */
  digest: boolean;
}

const GRADES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** "critical", "high and critical", "medium, high and critical" */
export const gradesFrom = (mildest: Severity): string =>
  new Intl.ListFormat('en-GB').format(GRADES.slice(0, GRADES.indexOf(mildest) + 1).toReversed());

const NAMED = 4;

/** "Rosa and #ops", "Rosa, Sam, #ops and 3 more" */
function names(told: readonly Told[]): string {
  const shown = told.length > NAMED ? told.slice(0, NAMED - 1) : told;
  const more = told.length - shown.length;
  return new Intl.ListFormat('en-GB').format([
    ...shown.map(({ name }) => name),
    ...(more > 0 ? [`${more} more`] : []),
  ]);
}

const isOrAre = (told: readonly Told[]) => (told.length === 1 ? 'is' : 'are');

/** "Rosa and #ops are told at once of certain high and critical, Sam of critical, Mon to Fri 06:00–20:00; the rest at
 *  06:00." */
export function tellSentence(
  told: readonly Told[],
  { threshold, possible }: TellMe,
  when: When,
  digestAt: DigestTimes = '06:00',
): string {
  if (told.length === 0 || threshold === 'nothing') return 'Nobody is told: it is only shown here.';
  const inDigest = told.filter(({ digest }) => digest);
  const at = digestAt === 'off' ? '06:00' : digestAt;
  const atOnce = told.filter(({ alerts }) => alerts);
  if (atOnce.length === 0)
    return inDigest.length > 0
      ? `${names(inDigest)} ${isOrAre(inDigest)} told of all at ${at}, and of nothing at once.`
      : 'Nobody is told: it is only shown here.';

  const groups = new Map<Severity, Told[]>();
  for (const one of atOnce) {
    const mildest = toldFrom(one.threshold, threshold);
    groups.set(mildest, [...(groups.get(mildest) ?? []), one]);
  }
  const [[mildest, first], ...others] = [...groups].toSorted(
    ([one], [other]) => GRADES.indexOf(other) - GRADES.indexOf(one),
  ) as [[Severity, Told[]], ...[Severity, Told[]][]];
  const rest = others.map(([grade, some]) => `${names(some)} of ${gradesFrom(grade)}`);
  const hours = when === null ? '' : `, ${hoursWords(when)}`;
  const later =
    inDigest.length === 0
      ? 'the rest is only shown here'
      : `the rest at ${at}${possible === 'no' ? ', possible ones not at all' : ''}`;
  return `${[`${names(first)} ${isOrAre(first)} told at once of certain ${gradesFrom(mildest)}`, ...rest].join(', ')}${hours}; ${later}.`;
}
