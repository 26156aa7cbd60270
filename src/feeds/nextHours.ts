/** What is expected in the next hours, for the side of the wall and the foot of the board. */
import type { NextUp } from '../api/feeds.ts';
import { dateOf } from './alerts.ts';
import { GRADES } from '../ui/Severity.tsx';

const HOURS_MS = 6 * 60 * 60_000;

/** The soonest so many within six hours of `from`. Where there are more, the mildest go, but never a warning that
 *  begins. */
export function nextHours(nextUp: readonly NextUp[], from: Date, most: number): NextUp[] {
  const soon = nextUp.filter(({ at }) => {
    const ahead = (dateOf(at)?.getTime() ?? -Infinity) - from.getTime();
    return ahead > 0 && ahead <= HOURS_MS;
  });
  const rank = ({ kind, what, severity }: NextUp) =>
    kind === 'begins' && what?.includes('warning') ? -1 : GRADES.indexOf(severity ?? 'medium'); // crowds have none
  const kept = new Set(soon.toSorted((a, b) => rank(a) - rank(b)).slice(0, most));
  return soon.filter((entry) => kept.has(entry));
}

export const endOfHours = (from: Date) => new Date(from.getTime() + HOURS_MS);
