/** When shifts begin and end: instants, computed from times of day on London's clock. */
import { dayAfter, londonInstant } from '../watches/departures.ts';
import { londonDay } from '../london.ts';

/** A shift: from its first instant to the first of the next one. */
export interface Shift {
  from: Date;
  to: Date;
}

/** The shift at this time. In a night when the clocks change it has an hour more or less. */
export function shiftAt(now: Date, starts: readonly string[]): Shift {
  const today = londonDay(now);
  const instants = [dayAfter(today, -1), today, dayAfter(today), dayAfter(today, 2)]
    .flatMap((day) => starts.map((clock) => londonInstant(day, clock).getTime()))
    .sort((one, other) => one - other);
  const next = instants.findIndex((start) => start > now.getTime());
  return { from: new Date(instants[next - 1]!), to: new Date(instants[next]!) };
}

const JUST_BEGUN_MS = 60 * 60_000;

/** The shift that is handed over at this time: the previous one if the current one has only just begun. */
export function shiftHandedOver(now: Date, starts: readonly string[]): Shift {
  const current = shiftAt(now, starts);
  if (now.getTime() - current.from.getTime() >= JUST_BEGUN_MS) return current;
  return shiftAt(new Date(current.from.getTime() - 1), starts);
}

/** The last time up to `now` at which London's clocks showed this. */
export function lastInstantOf(clock: string, now: Date): Date {
  const today = londonDay(now);
  const instant = londonInstant(today, clock);
  return instant <= now ? instant : londonInstant(dayAfter(today, -1), clock);
}

/** The first time after `from` at which London's clocks show this. */
export function nextInstantOf(clock: string, from: Date): Date {
  const day = londonDay(from);
  const instant = londonInstant(day, clock);
  return instant > from ? instant : londonInstant(dayAfter(day), clock);
}
