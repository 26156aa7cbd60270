/** Calendar days as people here count them: London's, whatever the clock of the server. */
import { londonToUtc } from './londonTime.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONDON_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/** The day that it is in London, `YYYY-MM-DD`. */
export const londonDay = (at: Date): string => LONDON_DAY.format(at);

/** So many days later; `day` is `YYYY-MM-DD`. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** When it is that time there, UTC ISO 8601; `time` is `HH:MM`. */
export const londonTime = (day: string, time: string): string => londonToUtc(`${day}T${time}`);

/** The instants between which these days lie: from the first's beginning to before the day after the last. */
export function span(firstDay: string, lastDay: string): { from: string; until: string } {
  return { from: londonTime(firstDay, '00:00'), until: londonTime(daysAfter(lastDay, 1), '00:00') };
}
