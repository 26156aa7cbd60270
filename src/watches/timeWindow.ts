/** The time that a dispatcher asks about, and whether an alert on a route falls into it. */
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

/** `departure`: the departures that count now, or the next one. With an `id`, only those of that departure, if it
 *  exists. `trip`: one vehicle on one day, such as a job. `date`: a day as `2026-11-22`; with `clock`, such as
 *  `06:00`, only from that time on. */
export type Window =
  | { kind: 'now' }
  | { kind: 'hours' }
  | { kind: 'departure'; id: string | null }
  | { kind: 'trip'; trip: Trip }
  | { kind: 'date'; day: string; clock: string | null };

export const NEXT_DEPARTURE: Window = { kind: 'departure', id: null };
export const NOW: Window = { kind: 'now' };

const NEXT_HOURS = 12;

/** Something that touches a route, with everything that is known about it. */
export interface Touch {
  match: Brief;
  alert: Alert | null;
  event: MapEvent | null;
}

/** A window of one route. An alert falls into it if it is in force within the span, or if it lies ahead of one of
 *  the trips. For "now", only the trips decide when the route has vehicles that count. */
export interface Judged {
  span: Span | null;
  /** By the time at which they leave. If no vehicle counts in `now` or `hours`, this is the next one. */
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
      // Vehicles that count at the beginning of the day, or now if it is today: a vehicle that arrived earlier is
      // left out.
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

/** Whether the window is in the past: the present alerts say nothing about it. */
export const isOver = (window: Window, now: Date): boolean =>
  window.kind === 'date' && dateSpan(window).to <= now.getTime();

/** When it is in force; null if its times are not known, in which case it must stay on the list. */
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

/** Whether this vehicle still has it ahead on its way. */
export const isMetBy = (trip: Trip, touch: Touch, now: Date): boolean => {
  const times = timesOf(touch, now);
  return times === null || liesAhead(trip, touch.match, times, now);
};

/** The vehicle that a row names: the one with the worst alert ahead. Within one grade, an alert that is certainly
 *  ahead counts more than one that the vehicle may have passed; after that, the first to leave. If no vehicle has an
 *  alert ahead, it is the next to leave. */
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

/** With the alerts of one grade that this vehicle surely has ahead before the others: a row names one vehicle, and
 *  its words are about the first alert. */
export const aheadFirst = (touches: Touch[], trip: Trip | null, now: Date): Touch[] =>
  trip
    ? touches.toSorted((a, b) => rankOf(a) - rankOf(b) || +isBehind(trip, a, now) - +isBehind(trip, b, now))
    : touches;

const isBehind = (trip: Trip, touch: Touch, now: Date): boolean =>
  !isMetBy(trip, touch, now) || mayBeBehind(trip, touch.match, now);

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

/** The name of the window: "06:10", "on the way, left 15:30", "next 12 hours", "Tue 24 Nov". */
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

/** The window at the end of a sentence: "clear for 06:10 and 3 more", "clear on the way, left 15:30", "clear now". */
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
      return ''; // the time stands beside it already
    case 'departure': {
      if (!trip) return name;
      const more = trips.length > 1 ? ` and ${trips.length - 1} more` : '';
      return isUnderWay(trip, now) ? `${name}${more && `,${more}`}` : `for ${name}${more}`;
    }
  }
}

/** The vehicle that reaches it: the one that the row names if that meets it, otherwise the first that does. A
 *  vehicle that may have passed it is used only when no other meets it. */
export function tripTo(
  touch: Touch,
  { trip, trips }: { trip: Trip | null; trips: readonly Trip[] },
  now: Date,
): Trip | null {
  if (touch.match.from_km === null) return null;
  const meeting = [...(trip ? [trip] : []), ...trips].filter((one) => isMetBy(one, touch, now));
  return meeting.find((one) => !mayBeBehind(one, touch.match, now)) ?? meeting[0] ?? null;
}

/** "reached about 18:54". "may be behind it: reached about 18:54 by plan" if the vehicle has passed it, unless it is
 *  late. "from 19:32" if it only begins while the vehicle is on that stretch. */
export function reachWords(trip: Trip, touch: Touch, now: Date): string {
  const { match } = touch;
  if (match.from_km === null) return '';
  if (mayBeBehind(trip, match, now))
    return `${MAY_BE_BEHIND}: reached about ${dayAndClock(reachedAt(trip, match.from_km), now)} by plan`;
  return metWords(metAt(trip, match.from_km, timesOf(touch, now) ?? []), (at) => dayAndClock(at, now));
}

export const MAY_BE_BEHIND = 'may be behind it';

/** Whether every vehicle that meets it may have passed it. */
export function isPerhapsBehind(touch: Touch, state: Parameters<typeof tripTo>[1], now: Date): boolean {
  const trip = tripTo(touch, state, now);
  return trip !== null && mayBeBehind(trip, touch.match, now);
}

export const NOT_MET = 'no departure meets it';

/** Whether it is listed only because it is in force now: neither a vehicle that counts nor the next one meets it. */
export const isNotMet = (
  touch: Touch,
  { window, trips }: { window: Window; trips: readonly Trip[] },
  now: Date,
): boolean => window.kind === 'now' && trips.length > 0 && !trips.some((trip) => isMetBy(trip, touch, now));

/** "from 21:43" if it is not in force yet; otherwise ''. */
export function beginsWords({ alert }: Touch, now: Date): string {
  const spans = alert ? inForce(alert, isPlanned(alert), now).filter(({ to }) => to > now.getTime()) : [];
  const begins = Math.min(...spans.map(({ from }) => from));
  return begins > now.getTime() && begins !== Infinity ? `from ${dayAndClock(new Date(begins), now)}` : '';
}

const END_WORDS = { expected: 'expected clear before then', unknown: 'its end is not known' } as const;

/** "its end is not known" if it is judged for a vehicle that does not count yet, or for a later time. '' if it has
 *  an end, or is judged for now. */
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

/** "06:10"; "23:30 yesterday", "06:10 tomorrow", "25 Nov 06:10" on another day, so that nobody takes it for today's. */
export function dayAndClock(at: Date, now: Date): string {
  const [day, today] = [londonDay(at), londonDay(now)];
  const clock = formatClock(at);
  if (day === today) return clock;
  if (day === dayAfter(today)) return `${clock} tomorrow`;
  return day === dayAfter(today, -1) ? `${clock} yesterday` : `${formatDay(at, now)} ${clock}`;
}
