/** Times in British English, by London's clock, whatever zone the device has (decision 3). */
import { london, LONDON_CLOCK } from '#contract/london.ts';
import { counted } from '#contract/numbers.ts';

export type Instant = Date | string | number;

/** "21 Nov 2026, 15:10"; an empty string for an unreadable time. */
export const formatDateTime = (at: Instant) => formatted(DATE_TIME, at);

/** "21 Nov 2026". */
export const formatDate = (at: Instant) => formatted(DATE, at);

/** "21 Nov" in the year of `now`, "21 Nov 2027" in any other. */
export const formatDay = (at: Instant, now: Instant) =>
  formatted(formatted(YEAR, at) === formatted(YEAR, now) ? DAY : DATE, at);

/** "15:10", or "15:10:32" with seconds. */
export const formatClock = (at: Instant, { seconds = false }: { seconds?: boolean } = {}) =>
  formatted(seconds ? CLOCK_SECONDS : LONDON_CLOCK, at);

/** "Just now" under 60 s, then "2 minutes ago", "3 hours ago", "2 days ago". Some publishers' times are in the
 *  future: a time that is a minute or more ahead of `now` is given with its date, never as now. */
export function timeAgo(from: Instant, now: Instant): string {
  const minutes = Math.trunc((Number(new Date(now)) - Number(new Date(from))) / 60_000);
  if (Number.isNaN(minutes)) return '';
  if (minutes <= -1) return formatDateTime(from);
  if (minutes < 1) return 'Just now';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return `${hours < 24 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')} ago`;
}

const DATE_TIME = london({ dateStyle: 'medium', timeStyle: 'short' });
const DATE = london({ dateStyle: 'medium' });
const DAY = london({ day: 'numeric', month: 'short' });
const YEAR = london({ year: 'numeric' });
const CLOCK_SECONDS = london({ timeStyle: 'medium' });

function formatted(format: Intl.DateTimeFormat, at: Instant): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : format.format(time);
}

// The day of a date field in words, shown beside the field: the browser writes it in its own language, which may put
// the month first.

const WORDS = london({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** "Fri 3 Apr 2026" for "2026-04-03"; an empty string for a text that is not a day. */
export function dayWords(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(noon.getTime()) ? '' : WORDS.format(noon).replace(',', '');
}
