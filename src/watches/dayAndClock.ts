/** A time with its day, wherever that is not today. */
import { dayAfter } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { formatClock, formatDay } from '../time/london.ts';

/** "06:10"; "yesterday 23:30", "tomorrow 06:10", "25 Nov 06:10" on another day, so that it is not taken for today's. */
export function dayAndClock(at: Date, now: Date): string {
  const [day, today] = [londonDay(at), londonDay(now)];
  const clock = formatClock(at);
  if (day === today) return clock;
  if (day === dayAfter(today)) return `tomorrow ${clock}`;
  return day === dayAfter(today, -1) ? `yesterday ${clock}` : `${formatDay(at, now)} ${clock}`;
}
