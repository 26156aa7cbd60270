/** The outlook for the next hours, at the side of the wall and the foot of the board. */
import type { NextUp } from '../../api/alerts/feeds.ts';
import { formatClock } from '../../time/london.ts';
import { GRADES } from '../../ui/signs/Severity.tsx';
import { dateOf } from '../alerts/alerts.ts';

const HOURS = 6;
export const NEXT_HOURS = `Next ${HOURS} hours`;
const HOURS_MS = HOURS * 60 * 60_000;

/** The next changes within six hours of `from`, at most `most`, each once. If there are more, the mildest are left
 *  out, but never a warning that begins. */
export function nextHours(nextUp: readonly NextUp[], from: Date, most: number): NextUp[] {
  const said = new Set<string>();
  const soon = nextUp.filter(({ at, place, what }) => {
    const time = dateOf(at);
    const ahead = (time?.getTime() ?? -Infinity) - from.getTime();
    if (!time || ahead <= 0 || ahead > HOURS_MS) return false;
    // Two warnings, or two reports of one closure, can have the same words.
    const words = `${formatClock(time)} ${place} ${what}`;
    return !said.has(words) && said.add(words);
  });
  // Crowds have no grade. Within one grade, changes that clear are left out first.
  const rank = ({ kind, what, severity }: NextUp) =>
    kind === 'begins' && what?.includes('warning')
      ? -1
      : GRADES.indexOf(severity ?? 'medium') + (kind === 'clears' || kind === 'opens' ? 0.5 : 0);
  const kept = new Set(soon.toSorted((a, b) => rank(a) - rank(b)).slice(0, most));
  return soon.filter((entry) => kept.has(entry));
}

export const endOfHours = (from: Date) => new Date(from.getTime() + HOURS_MS);
