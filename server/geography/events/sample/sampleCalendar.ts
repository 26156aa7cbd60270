/** Dates of the sample events: spread over seasons and weekdays like a real calendar, and repeated every year. */
import { daysAfter, londonTime } from '../../../http/documents/londonTime.ts';

/** When a kind of event takes place. */
export interface Season {
  /** Relative weights, January to December. */
  months: readonly number[];
  /** Relative weights, Monday to Sunday. */
  days: readonly number[];
}

/** Whole weeks, so that a repeated event falls on the same weekday. */
const CYCLE_DAYS = 52 * 7;
const CYCLE_MS = CYCLE_DAYS * 24 * 60 * 60 * 1000;
/** A Monday, the first day of the first cycle. */
const FIRST_DAY = '2026-01-05';

/** The days of one cycle, from the first. */
const OFFSETS = Array.from({ length: CYCLE_DAYS }, (_, days) => ({
  days,
  month: Number(daysAfter(FIRST_DAY, days).slice(5, 7)) - 1,
  weekday: days % 7,
}));

const daysOfSeasons = new Map<Season, number[]>();

/** A day of the cycle, counted from its first. `share`, 0 to below 1, is how far to go through the season's days,
 *  each counted by its weight. */
export function dayOfCycle(season: Season, share: number): number {
  let days = daysOfSeasons.get(season);
  if (!days) {
    const weight = ({ month, weekday }: (typeof OFFSETS)[number]) =>
      season.months[month]! * season.days[weekday]!;
    days = OFFSETS.flatMap((offset) => Array<number>(weight(offset)).fill(offset.days));
    daysOfSeasons.set(season, days);
  }
  return days[Math.floor(share * days.length)]!;
}

/** The next date of that day of the cycle, from `firstDay` on; both `YYYY-MM-DD`. */
export function nextDate(dayInCycle: number, firstDay: string): string {
  const first = daysAfter(FIRST_DAY, dayInCycle);
  const cycle = Math.ceil((Date.parse(firstDay) - Date.parse(first)) / CYCLE_MS);
  return daysAfter(first, cycle * CYCLE_DAYS);
}

const noons = new Map<string, number>();

/** Clocks change at night, when no sample event begins, so one offset per day is enough. */
export function londonClock(day: string, time: string): string {
  const noon = noons.get(day) ?? Date.parse(londonTime(day, '12:00'));
  noons.set(day, noon);
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return new Date(noon + ((hours - 12) * 60 + minutes) * 60_000).toISOString();
}
