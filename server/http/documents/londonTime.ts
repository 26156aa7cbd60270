/** Publishers' times as UTC. In a UK feed, a time without a zone is London time. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { fromLondonClock } from '#contract/london.ts';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

/** Placeholders such as 0001-01-01 or 9999-12-31, which publishers write for "none", are outside these years. */
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

/** `YYYY-MM-DDTHH:MM[:SS]` in London time as canonical UTC. In the hour that occurs twice in October, the first one
 *  counts (still summer time). A time in the skipped hour of March counts as if the clock had not yet changed (01:30
 *  is 02:30 summer time). `Temporal` does both by default. Throws on anything else. */
export function londonToUtc(wallClock: string): string {
  const utc =
    ISO.test(wallClock) && !/(?:Z|[+-]\d{2}:?\d{2})$/i.test(wallClock.slice(10)) ? toUtc(wallClock) : null;
  if (utc === null) throw new Error(`Not a London date and time: "${wallClock}"`);
  return utc;
}

/** An ISO 8601 time with a zone, or without one (then London time), as UTC: `YYYY-MM-DDTHH:MM:SS.mmmZ`. Fractions
 *  can have any length and are cut to milliseconds. A date alone is its midnight in London. Null for anything else,
 *  including impossible dates and placeholders (before 1970, after 2199). */
export function toUtc(text: string | null | undefined): string | null {
  const match = ISO.exec(text?.trim() ?? '');
  if (!match) return null;

  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((at) => Number(match[at] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isMidnight24 = hour === 24 && minute === 0 && second === 0;
  if (year < FIRST_YEAR || year > LAST_YEAR || (hour > 23 && !isMidnight24) || minute > 59 || second > 59)
    return null;

  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;

  const fractionMs = Math.trunc(Number(`0.${match[7] ?? '0'}`) * 1000);
  const clock = Date.UTC(year, month - 1, day, hour, minute, second, fractionMs);
  const zone = match[8];
  const utc = zone ? clock - offsetMinutes(zone) * MINUTE_MS : fromLondonClock(clock);
  return new Date(utc).toISOString();
}

/** Reads `Z`, `+01:00`, `+0100` or `+01`. */
function offsetMinutes(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
}

// Calendar days in London, whatever the server's clock.

/** The day `days` later; `day` is `YYYY-MM-DD`. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** That London day and time as UTC ISO 8601; `time` is `HH:MM`. */
export const londonTime = (day: string, time: string): string => londonToUtc(`${day}T${time}`);

/** The start and end of these days: from the beginning of the first day to the beginning of the day after the last. */
export function span(firstDay: string, lastDay: string): { from: string; until: string } {
  return { from: londonTime(firstDay, '00:00'), until: londonTime(daysAfter(lastDay, 1), '00:00') };
}
