/** The time for which a dispatcher asks what touches a route, and whether a report falls into it. */
import {
  counts,
  endBy,
  endWhenReached,
  crowdTimes,
  hoursFrom,
  inForce,
  isUnderWay,
  judgedTrips,
  liesAhead,
  londonInstant,
  mayBeBehind,
  meets,
  metAt,
  metWords,
  NOW_HOURS,
  reachedAt,
  type Trip,
  wholeDay,
  dayAfter,
} from '#contract/watches/departures.ts';
import { HOUR_MS } from '#contract/durations.ts';
import type { Span } from '#contract/incidents/windows.ts';
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { londonDay } from '#contract/london.ts';
import type { Alert } from '../api/alerts/disruptions.ts';
import type { MapEvent } from '../api/places/events.ts';
import type { Brief, ListedWatch } from '../api/watches/watches.ts';
import { gradeOf } from '../feeds/alerts/alerts.ts';
import { clearAt, WEEKDAY } from '../feeds/alerts/alertTimes.ts';
import { formatClock, formatDay } from '../time/london.ts';
import { GRADE_WORDS } from '../ui/signs/Severity.tsx';

/** `departure`: those that count or the next one, of the departure that is chosen by its id where there is one.
 *  `trip`: one vehicle on one day, as a job is. `date`: a day as `2026-11-22`, or from a time of it as `06:00`. */
export type Window =
  | { kind: 'now' }
  | { kind: 'hours' }
  | { kind: 'departure'; id: string | null }
  | { kind: 'trip'; trip: Trip }
  | { kind: 'date'; day: string; clock: string | null };

export const NEXT_DEPARTURE: Window = { kind: 'departure', id: null };
export const NOW: Window = { kind: 'now' };

const NEXT_HOURS = 12;

/** Something that touches a route, with what is known of it. */
export interface Touch {
  match: Brief;
  alert: Alert | null;
  event: MapEvent | null;
}

/** A window of one route: what falls into the span does, and what lies ahead of a vehicle by which it is judged. "Now" of
 *  a route with vehicles that count is theirs alone. */
export interface Judged {
  span: Span | null;
  /** By the time at which they leave; in `now` and `hours` without any that counts, the next one. */
  trips: Trip[];
  byTrips: boolean;
}

export function judgedIn(
  { departures, length_km }: Pick<ListedWatch, 'departures' | 'length_km'>,
  window: Window,
  now: Date,
): Judged {
  switch (window.kind) {
    case 'departure': {
      const chosen = departures.filter(({ id }) => id === window.id);
      const trips = judgedTrips(chosen.length > 0 ? chosen : departures, length_km, now);
      return { trips, byTrips: true, span: trips.length > 0 ? null : hoursFrom(now, NOW_HOURS) };
    }
    case 'trip':
      return { trips: [window.trip], byTrips: true, span: null };
    case 'now': {
      const trips = judgedTrips(departures, length_km, now);
      const byTrips = trips.some((trip) => counts(trip, now));
      return { trips, byTrips, span: byTrips ? null : hoursFrom(now, NOW_HOURS) };
    }
    case 'hours':
      return {
        trips: judgedTrips(departures, length_km, now),
        byTrips: false,
        span: hoursFrom(now, NEXT_HOURS),
      };
    case 'date': {
      const span = dateSpan(window);
      // Vehicles that count at its beginning, of today now: one that arrived earlier is over.
      const from = new Date(Math.max(span.from, now.getTime()));
      const trips = judgedTrips(departures, length_km, from).filter(
        ({ leaves }) => leaves.getTime() < span.to,
      );
      return { trips, byTrips: false, span };
    }
  }
}

const dateSpan = ({ day, clock }: Extract<Window, { kind: 'date' }>): Span =>
  clock === null ? wholeDay(day) : hoursFrom(londonInstant(day, clock), NOW_HOURS);

/** A time that is over: what stands there now says nothing of it. */
export const isOver = (window: Window, now: Date): boolean =>
  window.kind === 'date' && dateSpan(window).to <= now.getTime();

/** Null where they are not known: it must not vanish. */
export function timesOf({ alert, event }: Touch, now: Date): Span[] | null {
  if (alert) return inForce(alert, isPlanned(alert), now);
  const crowds = event ? crowdTimes(event) : [];
  return crowds.length > 0 ? crowds : null;
}

export function isInWindow(touch: Touch, { span, trips, byTrips }: Judged, now: Date): boolean {
  const times = timesOf(touch, now);
  if (times === null) return true;
  return (
    (span !== null && times.some((time) => meets(time, span))) ||
    (byTrips && trips.some((trip) => liesAhead(trip, touch.match, times, now)))
  );
}

/** Whether this vehicle meets it on the way that is before it. */
export const isMetBy = (trip: Trip, touch: Touch, now: Date): boolean => {
  const times = timesOf(touch, now);
  return times === null || liesAhead(trip, touch.match, times, now);
};

/** The vehicle that a row names: the one that is worst; of one grade one that has it ahead before one that may be past
 *  it, then the first to leave. Where nothing is known ahead of any it is the next to leave. */
export function namedTrip(trips: readonly Trip[], touches: readonly Touch[], now: Date): Trip | null {
  const ranked = trips.map((trip) => ({
    trip,
    rank: Math.min(
      ...touches
        .filter((touch) => isMetBy(trip, touch, now))
        .map((touch) => rankOf(touch) + (mayBeBehind(trip, touch.match, now) ? 0.5 : 0)),
    ),
  }));
  const worst = Math.min(...ranked.map(({ rank }) => rank));
  return worst === Infinity
    ? (trips.find((trip) => !isUnderWay(trip, now)) ?? trips.at(-1) ?? null)
    : ranked.find(({ rank }) => rank === worst)!.trip; // the least of them
}

const GRADES = Object.keys(GRADE_WORDS);
const rankOf = ({ match, alert }: Touch): number =>
  (match.level === 'certain' ? 0 : GRADES.length) + GRADES.indexOf(alert ? gradeOf(alert) : 'unrated');

/** "Tue 24 Nov", "Tue 24 Nov, 06:00 to 08:00", "Sun 24 Jan 2027" */
const dateWords = ({ day, clock }: Extract<Window, { kind: 'date' }>, now: Date): string => {
  const noon = londonInstant(day, '12:00');
  const words = `${WEEKDAY.format(noon)} ${formatDay(noon, now)}`;
  if (clock === null) return words;
  return `${words}, ${clock} to ${formatClock(dateSpan({ kind: 'date', day, clock }).to)}`;
};

/** The window alone: "06:10", "on the way, left 15:30", "next 12 hours", "Tue 24 Nov". */
export function windowName(window: Window, trip: Trip | null, now: Date): string {
  switch (window.kind) {
    case 'now':
      return 'now';
    case 'hours':
      return `next ${NEXT_HOURS} hours`;
    case 'date':
      return dateWords(window, now);
    case 'departure':
    case 'trip':
      if (!trip) return 'now';
      return isUnderWay(trip, now)
        ? `on the way, left ${dayAndClock(trip.leaves, now)}`
        : dayAndClock(trip.leaves, now);
  }
}

/** The same at the end of a sentence: "clear for 06:10 and 3 more", "clear on the way, left 15:30", "clear now". */
export function windowWords(
  { window, trip, trips }: { window: Window; trip: Trip | null; trips: readonly Trip[] },
  now: Date,
): string {
  const name = windowName(window, trip, now);
  switch (window.kind) {
    case 'now':
      return name;
    case 'hours':
      return `in the ${name}`;
    case 'date':
      return `on ${name}`;
    case 'trip':
      return ''; // it stands beside its time
    case 'departure': {
      if (!trip) return name;
      const more = trips.length > 1 ? ` and ${trips.length - 1} more` : '';
      return isUnderWay(trip, now) ? `${name}${more && `,${more}`}` : `for ${name}${more}`;
    }
  }
}

/** The vehicle that is said to reach it: the one that the row names where it meets it, else the first that does. One that
 *  may have passed it is said only where no other meets it. */
export function tripTo(
  touch: Touch,
  { trip, trips }: { trip: Trip | null; trips: readonly Trip[] },
  now: Date,
): Trip | null {
  if (touch.match.from_km === null) return null;
  const meeting = [...(trip ? [trip] : []), ...trips].filter((one) => isMetBy(one, touch, now));
  return meeting.find((one) => !mayBeBehind(one, touch.match, now)) ?? meeting[0] ?? null;
}

/** "reached about 18:54"; "may be behind it: reached about 18:54 by plan" where the vehicle is past it, unless it is late;
 *  "from 19:32" of what only begins when the vehicle is on that stretch. */
export function reachWords(trip: Trip, touch: Touch, now: Date): string {
  const { match } = touch;
  if (match.from_km === null) return '';
  if (mayBeBehind(trip, match, now))
    return `${MAY_BE_BEHIND}: reached about ${dayAndClock(reachedAt(trip, match.from_km), now)} by plan`;
  return metWords(metAt(trip, match.from_km, timesOf(touch, now) ?? []), (at) => dayAndClock(at, now));
}

export const MAY_BE_BEHIND = 'may be behind it';

/** Whether each vehicle that meets it may have passed it. */
export function isPerhapsBehind(touch: Touch, state: Parameters<typeof tripTo>[1], now: Date): boolean {
  const trip = tripTo(touch, state, now);
  return trip !== null && mayBeBehind(trip, touch.match, now);
}

export const NOT_MET = 'no departure meets it';

/** Whether it is listed because it is there now, though no vehicle that counts meets it, nor the next one. */
export const isNotMet = (
  touch: Touch,
  { window, trips }: { window: Window; trips: readonly Trip[] },
  now: Date,
): boolean => window.kind === 'now' && trips.length > 0 && !trips.some((trip) => isMetBy(trip, touch, now));

/** "from 21:43" of what is not in force yet; '' of all else. */
export function beginsWords({ alert }: Touch, now: Date): string {
  const spans = alert ? inForce(alert, isPlanned(alert), now).filter(({ to }) => to > now.getTime()) : [];
  const begins = Math.min(...spans.map(({ from }) => from));
  return begins > now.getTime() && begins !== Infinity ? `from ${dayAndClock(new Date(begins), now)}` : '';
}

const END_WORDS = { expected: 'expected clear before then', unknown: 'its end is not known' } as const;

/** "its end is not known" where it is judged for a vehicle that does not count yet, or a later time; '' where it has an
 *  end, or now is meant. */
export function endUnknownWords(
  touch: Touch,
  state: { window: Window; trip: Trip | null; trips: readonly Trip[] },
  now: Date,
): string {
  const { alert, match } = touch;
  if (!alert) return '';
  const lasting = {
    times: inForce(alert, isPlanned(alert), now),
    clear: clearAt(alert)?.getTime() ?? Number.NaN,
  };
  const trip = tripTo(touch, state, now) ?? state.trip;
  const { window } = state;
  const soon = now.getTime() + NOW_HOURS * HOUR_MS;
  const day = window.kind === 'date' ? dateSpan(window).from : 0;
  const isLater = day > soon || londonDay(new Date(day)) > londonDay(now);
  const isTrips = window.kind !== 'now' && window.kind !== 'hours' && trip !== null;
  const end = isLater ? endBy(day, lasting, now) : isTrips ? endWhenReached(trip, match, lasting, now) : null;
  return end === null ? '' : END_WORDS[end];
}

/** "06:10"; "yesterday 23:30", "tomorrow 06:10", "25 Nov 06:10" on another day, so that it is not taken for today's. */
export function dayAndClock(at: Date, now: Date): string {
  const [day, today] = [londonDay(at), londonDay(now)];
  const clock = formatClock(at);
  if (day === today) return clock;
  if (day === dayAfter(today)) return `tomorrow ${clock}`;
  return day === dayAfter(today, -1) ? `yesterday ${clock}` : `${formatDay(at, now)} ${clock}`;
}
