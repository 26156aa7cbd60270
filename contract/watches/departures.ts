/** When vehicles leave and where they are: which incidents and events a departure meets, and which departures are in
 *  a span of time. All clocks are London's; all results are instants. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import { isPlanned } from '../incidents/disruptions.ts';
import { fromLondonClock, londonDay } from '../london.ts';
import { type Departure, guessedDuration } from './watches.ts';
import { occurrences, type Span, type WindowRead } from '../incidents/windows.ts';

/** The instant at which London's clocks show this time (`06:10`) on this day (`2026-11-22`), computed by
 *  `fromLondonClock`. */
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

/** How far ahead departures are looked for: a first day, or the end of school holidays, can be months away. */
const SEARCHED_DAYS = 400;

/** The first that leaves in the current minute or later; null when none will. */
export function nextTrip(departures: readonly Departure[], lengthKm: number, now: Date): Trip | null {
  if (departures.length === 0) return null;
  const minute = now.getTime() - (now.getTime() % MINUTE_MS);
  let day = londonDay(now);
  for (let ahead = 0; ahead < SEARCHED_DAYS; ahead++, day = dayAfter(day)) {
    const [first] = departures
      .filter((departure) => runsOn(departure, day))
      .map((departure) => tripOn(departure, day, lengthKm))
      .filter(({ leaves }) => leaves.getTime() >= minute)
      .toSorted(byTime);
    if (first) return first;
  }
  return null;
}

/** "Now" means in force, or beginning within this time, and ahead of the vehicles that count. */
export const NOW_HOURS = 2;

/** A vehicle counts from this long before it leaves until it arrives. */
const COUNTS_BEFORE_MS = NOW_HOURS * HOUR_MS;

/** The vehicles that count, because they leave within two hours or are on the way, by their time of leaving. */
export function countingTrips(departures: readonly Departure[], lengthKm: number, now: Date): Trip[] {
  const at = now.getTime();
  const last = londonDay(new Date(at + COUNTS_BEFORE_MS));
  return departures
    .flatMap((departure) => {
      const lasts = (departure.duration_min ?? guessedDuration(lengthKm)) * MINUTE_MS;
      const trips: Trip[] = [];
      for (let day = londonDay(new Date(at - lasts)); day <= last; day = dayAfter(day))
        if (runsOn(departure, day)) trips.push(tripOn(departure, day, lengthKm));
      return trips;
    })
    .filter((trip) => counts(trip, now))
    .toSorted(byTime);
}

export const counts = ({ leaves, arrives }: Trip, now: Date): boolean =>
  leaves.getTime() - COUNTS_BEFORE_MS <= now.getTime() && now < arrives;

const byTime = (one: Trip, other: Trip) => one.leaves.getTime() - other.leaves.getTime();

/** The vehicles by which a route is judged: all that count; if none counts, the next one. */
export function judgedTrips(departures: readonly Departure[], lengthKm: number, now: Date): Trip[] {
  const counting = countingTrips(departures, lengthKm, now);
  if (counting.length > 0) return counting;
  const next = nextTrip(departures, lengthKm, now);
  return next ? [next] : [];
}

export const isUnderWay = ({ leaves, arrives }: Trip, now: Date): boolean => leaves <= now && now < arrives;

/** When the vehicle is at this kilometre. */
export function reachedAt({ leaves, arrives, length_km }: Trip, km: number): Date {
  const share = length_km > 0 ? Math.min(1, Math.max(0, km / length_km)) : 0;
  return new Date(leaves.getTime() + share * (arrives.getTime() - leaves.getTime()));
}

export const meets = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

const TRIP_MARGIN = { beforeMs: 15 * MINUTE_MS, afterMs: 45 * MINUTE_MS } as const;

/** The time in which an incident between these kilometres matters for this vehicle; without kilometres, the time of
 *  its whole way. */
export const tripSpan = (trip: Trip, fromKm: number | null, toKm: number | null): Span => ({
  from: (fromKm === null ? trip.leaves : reachedAt(trip, fromKm)).getTime() - TRIP_MARGIN.beforeMs,
  to: (toKm === null ? trip.arrives : reachedAt(trip, toKm)).getTime() + TRIP_MARGIN.afterMs,
});

/** The kilometres of an incident or event on a route; null if they are not known. */
interface Stretch {
  from_km: number | null;
  to_km: number | null;
}

/** How late a vehicle on the way can be: a place that it should have passed longer ago counts as behind it. The 45
 *  minutes of `TRIP_MARGIN` are for incidents that it may meet; they do not mean that it has not passed. */
const LATE_BY_MS = 15 * MINUTE_MS;

const passesAt = (trip: Trip, { to_km }: Stretch): number =>
  (to_km === null ? trip.arrives : reachedAt(trip, to_km)).getTime();

/** The part of `tripSpan` from now on; null if the vehicle has passed. */
export function spanAhead(trip: Trip, stretch: Stretch, now: Date): Span | null {
  if (now.getTime() >= passesAt(trip, stretch) + LATE_BY_MS) return null;
  const { from, to } = tripSpan(trip, stretch.from_km, stretch.to_km);
  return { from: Math.max(from, now.getTime()), to };
}

/** Whether by plan the vehicle has passed it, but so recently that it may still be ahead. */
export function mayBeBehind(trip: Trip, stretch: Stretch, now: Date): boolean {
  const late = now.getTime() - passesAt(trip, stretch);
  return late > 0 && late < LATE_BY_MS;
}

/** Whether it is in force when the vehicle is there, and the vehicle has not passed it. */
export function liesAhead(trip: Trip, stretch: Stretch, times: readonly Span[], now: Date): boolean {
  const span = spanAhead(trip, stretch, now);
  return span !== null && times.some((time) => meets(time, span));
}

/** An incident in force; `clear`: when it is expected to be over, in milliseconds, or NaN. */
interface Lasting {
  times: readonly Span[];
  clear: number;
}

/** Whether it is expected to be over by a later time, or its end is not known; null if it has an end. */
export const endBy = (at: number, { times, clear }: Lasting, now: Date): 'expected' | 'unknown' | null =>
  times.every(({ to }) => to !== Infinity)
    ? null
    : clear > now.getTime() && clear < at
      ? 'expected'
      : 'unknown';

/** A vehicle that counts and is there within this time meets the present state. */
const PRESENT_MS = 4 * HOUR_MS;

/** The same for the time when a vehicle reaches it; null also for a vehicle that meets the present state. */
export function endWhenReached(trip: Trip, { from_km }: Stretch, lasting: Lasting, now: Date) {
  const reached = reachedAt(trip, from_km ?? trip.length_km).getTime();
  return counts(trip, now) && reached - now.getTime() <= PRESENT_MS ? null : endBy(reached, lasting, now);
}

/** The vehicles that judge a route and that meet this, in the order in which they leave; null if none does. A route
 *  without any vehicle is judged for the next two hours, and then none is named. */
export function concerned(
  trips: readonly Trip[],
  stretch: Stretch,
  times: readonly Span[],
  now: Date,
): Trip[] | null {
  if (trips.length === 0) return times.some((time) => meets(time, hoursFrom(now, NOW_HOURS))) ? [] : null;
  const ahead = trips.filter((trip) => liesAhead(trip, stretch, times, now));
  return ahead.length > 0 ? ahead : null;
}

const at = (time: string | null | undefined, otherwise: number) => {
  const known = Date.parse(time ?? '');
  return Number.isNaN(known) ? otherwise : known;
};

/** The most days between now and a vehicle's way, before or after. */
const WINDOWS_WITHIN_DAYS = 62;

/** When an incident is in force. An active one has begun, and lasts as long as it is listed: an end that has passed
 *  does not count. A planned one has its own times. If there are windows, only they count, until all are over. */
export function inForce(
  incident: {
    start_time?: string | null | undefined;
    end_time?: string | null | undefined;
    windows?: readonly WindowRead[] | null | undefined;
  },
  isPlanned: boolean,
  now: Date,
): Span[] {
  const around = { from: now.getTime() - DAY_MS, to: now.getTime() + WINDOWS_WITHIN_DAYS * DAY_MS };
  const times = (incident.windows ?? []).flatMap((window) => occurrences(window, around));
  if (times.some(({ to }) => to > now.getTime())) return times;
  const to = at(incident.end_time, Infinity);
  if (isPlanned) return [{ from: at(incident.start_time, -Infinity), to }];
  return [{ from: -Infinity, to: to <= now.getTime() ? Infinity : to }];
}

/** When the people of an event arrive and leave. Without a given end, the end is three hours after the start. */
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

/** When by plan a vehicle meets an incident ahead: when it is at its stretch, or when the incident `begins`, if that
 *  is later. */
export interface Met {
  at: Date;
  begins: boolean;
}

/** `times`: when the incident is in force, from `inForce`. */
export function metAt(trip: Trip, km: number, times: readonly Span[]): Met {
  const reached = reachedAt(trip, km).getTime();
  const from = Math.min(...times.filter(({ to }) => to > reached).map((time) => time.from));
  const begins = from > reached && from !== Infinity;
  return { at: new Date(begins ? from : reached), begins };
}

/** "reached about 18:54"; "from 19:32" for an incident that begins when the vehicle is on its stretch. */
export const metWords = ({ at, begins }: Met, clock: (at: Date) => string): string =>
  `${begins ? 'from' : 'reached about'} ${clock(at)}`;

export const hoursFrom = (from: Date, hours: number): Span => ({
  from: from.getTime(),
  to: from.getTime() + hours * HOUR_MS,
});

/** A whole day in London, 23 to 25 hours. */
export const wholeDay = (day: string): Span => ({
  from: londonInstant(day, '00:00').getTime(),
  to: londonInstant(dayAfter(day), '00:00').getTime(),
});

/** Whether it counts now: in force now or within two hours; on a route with departures, also ahead of a vehicle that
 *  judges the route. "4 now" is the number of incidents that are let through and count. */
export function isNow(
  { departures, length_km }: { departures: readonly Departure[]; length_km: number },
  stretch: Stretch,
  incident: Parameters<typeof inForce>[0] & Parameters<typeof isPlanned>[0],
  now: Date,
): boolean {
  const times = inForce(incident, isPlanned(incident), now);
  return concerned(judgedTrips(departures, length_km, now), stretch, times, now) !== null;
}
