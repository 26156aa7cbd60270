/** Times as the tables hold them: UTC ISO 8601 text of one fixed width, so that text sorts as time does. */

export type Instant = Date | string;

/** Two servers' clocks may differ by so much. A time further ahead of ours has no age that we could know. */
export const CLOCK_SKEW_MS = 2 * 60_000;

/** `2026-11-21T08:40:00.000Z`. Throws a RangeError when it is no time. */
export function iso(at: Instant): string {
  return (typeof at === 'string' ? new Date(at) : at).toISOString();
}

/** The same of what a publisher says: null when that is nothing, no time, or a year that does not sort. */
export function isoOrNull(at: Instant | null | undefined): string | null {
  if (at == null) return null;
  const date = new Date(at);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return text.length === FIXED_WIDTH ? text : null;
}

const FIXED_WIDTH = '2026-11-21T08:40:00.000Z'.length;

/** So many minutes earlier. */
export function minutesBefore(at: Instant, minutes: number): string {
  return new Date(new Date(at).getTime() - minutes * 60_000).toISOString();
}
