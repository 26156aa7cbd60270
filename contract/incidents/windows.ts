/** When an incident is in force, if that is not a single stretch of time: several periods, or hours on some days. */
import { DAY_MS } from '../durations.ts';
import { z } from 'zod/mini';
import { fromLondonClock, londonDay } from '../london.ts';

/** In the order of the week. */
export const Weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
export type Weekday = z.infer<typeof Weekday>;

const Clock = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));

/** Without `from` and `to` it is one period, open if an end is null. With them it is in force within the period on
 *  each of `days`, between these London clock times; if `to` is not later than `from`, until that time on the next
 *  day. */
export const TimeWindow = z.object({
  start: z.nullable(z.iso.datetime()),
  end: z.nullable(z.iso.datetime()),
  /** The days on which it begins; absent: every day. */
  days: z.optional(z.array(Weekday)),
  from: z.optional(Clock),
  to: z.optional(Clock),
});
export type TimeWindow = z.infer<typeof TimeWindow>;

/** As the app reads it, leniently. */
export type WindowRead = { [Field in keyof TimeWindow]?: TimeWindow[Field] | null | undefined };

/** In milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** A night that began two days ago is over. */
const BEFORE_DAYS = 2;

/**
 * The times of a window that overlap a span, in order. A window with clock times gives those of the next `days` days.
 */
export function occurrences(window: WindowRead, within: Span, days = 62): Span[] {
  const start = timeOf(window.start, -Infinity);
  const end = timeOf(window.end, Infinity);
  const period = { from: start, to: end };
  const { from, to } = window;
  if (!from || !to) return start < within.to && end > within.from && start < end ? [period] : [];
  const first = Math.max(start, within.from) - BEFORE_DAYS * DAY_MS;
  const last = Math.min(end, within.to, first + (days + BEFORE_DAYS) * DAY_MS);
  const found: Span[] = [];
  if (!Number.isFinite(first)) return found;
  for (let midnight = midnightOf(first); midnight <= last + DAY_MS; midnight += DAY_MS) {
    if (window.days && !window.days.includes(weekdayOf(midnight))) continue;
    const opens = fromLondonClock(midnight + minutesOf(from));
    const closes = fromLondonClock(midnight + minutesOf(to) + (to > from ? 0 : DAY_MS));
    const span = { from: Math.max(opens, start), to: Math.min(closes, end) };
    if (span.from < span.to && span.from < within.to && span.to > within.from) found.push(span);
  }
  return found;
}

/** Every window with clock times occurs within a week of its start. */
const WEEK_DAYS = 7;

/** The first time of any of the windows that is not over at `now`; null if all are over. */
export function nextOf(windows: readonly WindowRead[], now: Date): Span | null {
  const within = { from: now.getTime(), to: now.getTime() + 400 * DAY_MS };
  const starts = windows.flatMap((window) => occurrences(window, within, WEEK_DAYS).slice(0, 1));
  return starts.sort((one, other) => one.from - other.from)[0] ?? null;
}

const timeOf = (time: string | null | undefined, otherwise: number) => {
  const known = Date.parse(time ?? '');
  return Number.isNaN(known) ? otherwise : known;
};

/** The beginning of a day on London's clock, counted as if it were UTC. */
const midnightOf = (at: number) => Date.parse(`${londonDay(new Date(at))}T00:00:00Z`);
const weekdayOf = (midnight: number) => Weekday.options[(new Date(midnight).getUTCDay() + 6) % 7]!; // seven days
const minutesOf = (clock: string) => {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  return (hours * 60 + minutes) * 60_000;
};
