/**
 * When vehicles leave and where they are: which incidents and events a departure meets, and which a span of time does.
 * All clocks are London's; all results are instants.
 */
import { fromLondonClock, londonDay } from './london.ts';
import { type Departure, guessedDuration } from './watches.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The instant at which London's clocks show this time (`06:10`) on this day (`2026-11-22`), as `fromLondonClock`. */
export const londonInstant = (day: string, clock: string): Date =>
  new Date(fromLondonClock(Date.parse(`${day}T${clock}:00Z`)));

/** The following day, of the calendar. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

type Runs = Pick<Departure, 'days' | 'from_date' | 'to_date' | 'except'>;

export function runsOn({ days, from_date, to_date, except }: Runs, day: string): boolean {
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7; // Monday is 0
  if ((days & (1 << weekday)) === 0) return false;
  if ((from_date && day < from_date) || (to_date && day > to_date)) return false;
  return !except.some(({ from, to }) => day >= from && day <= to);
}

/** One vehicle on one day. */
export interface Trip {
  departure_id: string;
  leaves: Date;
  arrives: Date;
  length_km: number;
}

export function tripOn(departure: Departure, day: string, lengthKm: number): Trip {
  const leaves = londonInstant(day, departure.at_local);
  const minutes = departure.duration_min ?? guessedDuration(lengthKm);
  return {
    departure_id: departure.id,
    leaves,
    arrives: new Date(leaves.getTime() + minutes * MINUTE_MS),
    length_km: lengthKm,
  };
}

/** A departure can be months away: from a first day, or after school holidays. */
const SEARCHED_DAYS = 400;

/** The first that has not left, in the current minute or later; null when none will. */
export function nextTrip(departures: readonly Departure[], lengthKm: number, now: Date): Trip | null {
  if (departures.length === 0) return null;
  const minute = now.getTime() - (now.getTime() % MINUTE_MS);
  let day = londonDay(now);
  for (let ahead = 0; ahead < SEARCHED_DAYS; ahead++, day = dayAfter(day)) {
    const [first] = departures
      .filter((departure) => runsOn(departure, day))
      .map((departure) => tripOn(departure, day, lengthKm))
      .filter(({ leaves }) => leaves.getTime() >= minute)
      .toSorted((a, b) => a.leaves.getTime() - b.leaves.getTime());
    if (first) return first;
  }
  return null;
}

/** When the vehicle is at this kilometre. */
export function reachedAt({ leaves, arrives, length_km }: Trip, km: number): Date {
  const share = length_km > 0 ? Math.min(1, Math.max(0, km / length_km)) : 0;
  return new Date(leaves.getTime() + share * (arrives.getTime() - leaves.getTime()));
}

/** From the first to the last instant, which is not part of it. Infinite where it is open. */
export interface Span {
  from: number;
  to: number;
}

export const meets = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

export const TRIP_MARGIN = { beforeMs: 15 * MINUTE_MS, afterMs: 45 * MINUTE_MS } as const;

/** When it matters to this vehicle what happens between these kilometres; without them, on its whole way. */
export const tripSpan = (trip: Trip, fromKm: number | null, toKm: number | null): Span => ({
  from: (fromKm === null ? trip.leaves : reachedAt(trip, fromKm)).getTime() - TRIP_MARGIN.beforeMs,
  to: (toKm === null ? trip.arrives : reachedAt(trip, toKm)).getTime() + TRIP_MARGIN.afterMs,
});

const at = (time: string | null | undefined, otherwise: number) => {
  const known = Date.parse(time ?? '');
  return Number.isNaN(known) ? otherwise : known;
};

/** When an incident is in force. One that is active has begun, and lasts as long as it is listed: an end that has
 *  passed does not count. One that is planned has its own times. */
export function inForce(
  incident: { start_time?: string | null; end_time?: string | null },
  isPlanned: boolean,
  now: Date,
): Span {
  const to = at(incident.end_time, Infinity);
  if (isPlanned) return { from: at(incident.start_time, -Infinity), to };
  return { from: -Infinity, to: to <= now.getTime() ? Infinity : to };
}

/** When the people of an event come and go. An end that is not known is three hours after the start. */
export function crowdTimes({
  start_datetime,
  end_datetime,
}: {
  start_datetime?: string | null;
  end_datetime?: string | null;
}): Span[] {
  const start = at(start_datetime, Number.NaN);
  if (Number.isNaN(start)) return [];
  const end = at(end_datetime, start + 3 * HOUR_MS);
  return [
    { from: start - 2 * HOUR_MS, to: start + 30 * MINUTE_MS },
    { from: end - 30 * MINUTE_MS, to: end + 90 * MINUTE_MS },
  ];
}

/** What counts as "Now": in force, or beginning so soon. */
export const NOW_HOURS = 2;

export const hoursFrom = (from: Date, hours: number): Span => ({
  from: from.getTime(),
  to: from.getTime() + hours * HOUR_MS,
});

/** A whole day in London, 23 to 25 hours. */
export const wholeDay = (day: string): Span => ({
  from: londonInstant(day, '00:00').getTime(),
  to: londonInstant(dayAfter(day), '00:00').getTime(),
});
