/** The hours in which a route, an area or a feed is watched. */
import { DAY_MS, HOUR_MS } from '../durations.ts';
import { z } from 'zod/mini';
import { fromLondonClock, LONDON_CLOCK, londonDay } from '../london.ts';

const Clock = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 06:00' }));

/** London's clock. If `to` is before `from`, it is on the next day. */
export const Hours = z
  .object({
    /** Bit 0 is Monday, bit 6 Sunday: the day on which they begin. */
    days: z.int().check(z.minimum(1), z.maximum(127)),
    from: Clock,
    to: Clock,
  })
  .check(z.refine(({ from, to }) => from !== to, { error: 'must end at another time', path: ['to'] }));
export type Hours = z.infer<typeof Hours>;

/** Null: always. */
export const When = z.nullable(Hours);
export type When = z.infer<typeof When>;

export function whenOf(said: unknown): When {
  const read = When.safeParse(said);
  return read.success ? read.data : null;
}

/** By London's clock: an hour that occurs twice is watched twice, and one that does not occur is not watched. */
export function isWatching(when: When, at: Date): boolean {
  if (when === null) return true;
  const { days, from, to } = when;
  const clock = LONDON_CLOCK.format(at);
  const today = weekdayOf(londonDay(at));
  const isDay = (weekday: number) => (days & (1 << weekday)) !== 0;
  if (from < to) return isDay(today) && clock >= from && clock < to;
  return (isDay(today) && clock >= from) || (isDay((today + 6) % 7) && clock < to);
}

/** Monday is 0. */
const weekdayOf = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;

/** The next time after this at which its hours begin or end; null: never. */
export function watchingChangesAt(when: When, at: Date): Date | null {
  if (when === null) return null;
  const present = isWatching(when, at);
  const first = Date.parse(`${londonDay(at)}T12:00:00Z`);
  const times: number[] = [];
  for (let ahead = -1; ahead <= 8; ahead++) {
    const day = new Date(first + ahead * DAY_MS).toISOString().slice(0, 10);
    for (const clock of [when.from, when.to]) {
      const once = fromLondonClock(Date.parse(`${day}T${clock}:00Z`));
      // The second occurrence of an hour that occurs twice.
      times.push(once, once + HOUR_MS);
    }
    // London's clocks go forward and back at this instant.
    times.push(Date.parse(`${day}T01:00:00Z`));
  }
  const next = times
    .filter((time) => time > at.getTime())
    .sort((one, other) => one - other)
    .find((time) => isWatching(when, new Date(time)) !== present);
  return next === undefined ? null : new Date(next);
}

/** Whether it is watched at some time of this span. */
export function isWatchedWithin(when: When, from: Date, to: Date): boolean {
  if (isWatching(when, from)) return true;
  const next = watchingChangesAt(when, from);
  return next !== null && next < to;
}
