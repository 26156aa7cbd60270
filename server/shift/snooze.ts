/** How long a snooze lasts. */
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { SNOOZE_MAX_MS, type SnoozeFor } from '#contract/shift/responses.ts';

const MINUTE_MS = 60_000;

const MINUTES: Readonly<Partial<Record<SnoozeFor, number>>> = { '30_min': 30, '1_h': 60, '2_h': 120 };

/** `at`: when it was asked for; `shiftStarts`: on London's clock. Never more than 24 hours. */
export function snoozeUntil(snooze: SnoozeFor, at: Date, shiftStarts: readonly string[]): Date {
  const longest = at.getTime() + SNOOZE_MAX_MS;
  const minutes = MINUTES[snooze];
  if (minutes !== undefined) return new Date(at.getTime() + minutes * MINUTE_MS);
  if (snooze === 'until_it_changes') return new Date(longest);

  const day = londonDay(at);
  const starts = [day, dayAfter(day), dayAfter(day, 2)]
    .flatMap((one) => shiftStarts.map((clock) => londonInstant(one, clock).getTime()))
    .filter((start) => start > at.getTime());
  return new Date(Math.min(longest, ...starts));
}
