/** Calendar days in London, whatever the server's clock. */
import { londonToUtc } from './londonTime.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day `days` later; `day` is `YYYY-MM-DD`. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** That London day and time as UTC ISO 8601; `time` is `HH:MM`. */
export const londonTime = (day: string, time: string): string => londonToUtc(`${day}T${time}`);

/** The start and end of these days: from the beginning of the first to before the day after the last. */
export function span(firstDay: string, lastDay: string): { from: string; until: string } {
  return { from: londonTime(firstDay, '00:00'), until: londonTime(daysAfter(lastDay, 1), '00:00') };
}
