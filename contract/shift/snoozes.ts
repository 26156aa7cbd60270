/** How long a snooze lasts. A change to its incident can end it sooner: see lapses.ts. */
import { z } from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { londonDay } from '../london.ts';
import { dayAfter, londonInstant } from '../watches/departures.ts';

export const SnoozeFor = z.enum(['30_min', '1_h', '2_h', 'end_of_shift', 'until_it_changes']);
export type SnoozeFor = z.infer<typeof SnoozeFor>;

/** No snooze is longer than this. */
const SNOOZE_MAX_MS = 24 * 60 * 60_000;

const MINUTES: Readonly<Partial<Record<SnoozeFor, number>>> = { '30_min': 30, '1_h': 60, '2_h': 120 };

/** The end of a snooze, at most 24 hours after `at`, when it was asked for. `shiftStarts`: on London's clock. */
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
