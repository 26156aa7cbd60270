/** Times as stored: UTC ISO 8601 text of fixed width, so that text order is time order. */

export type Instant = Date | string;

/** Two servers' clocks can differ by this much. The age of a time further in the future is unknown. */
export const CLOCK_SKEW_MS = 2 * 60_000;

/** `2026-11-21T08:40:00.000Z`. Throws a RangeError for an invalid time. */
export function iso(at: Instant): string {
  return (typeof at === 'string' ? new Date(at) : at).toISOString();
}

/** The same for a publisher's time. Null when it is missing, invalid, or in a year that does not sort. */
export function isoOrNull(at: Instant | null | undefined): string | null {
  if (at == null) return null;
  const date = new Date(at);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return text.length === FIXED_WIDTH ? text : null;
}

const FIXED_WIDTH = '2026-11-21T08:40:00.000Z'.length;

/** The time this many minutes earlier. */
export function minutesBefore(at: Instant, minutes: number): string {
  return new Date(new Date(at).getTime() - minutes * 60_000).toISOString();
}
