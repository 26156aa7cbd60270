/** A route’s state. It is never "clear" while a source that reports on it is silent. */
import type { Severity } from '#contract/incidents/severity.ts';
import type { Trip } from '#contract/watches/departures.ts';
import { BEHIND_FROM_MS } from '#contract/watches/watches.ts';
import { TOWN_ROADS, UNCOVERED_WORDS, knownSource } from '#contract/feeds/knownSources.ts';
import { watchingChangesAt, isWatchedWithin, isWatching } from '#contract/watches/whenWatched.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import {
  type Touch,
  type Window,
  judgedIn,
  isOver,
  isInWindow,
  NEXT_DEPARTURE,
  type Judged,
  NOW,
  namedTrip,
  aheadFirst,
} from './timeWindow.ts';
import type { Alert, SourceEntry } from '../api/alerts/disruptions.ts';
import type { Watches, ListedWatch } from '../api/watches/watches.ts';
import { dateOf, gradeOf } from '../feeds/alerts/alerts.ts';
import { isStale, dataAge } from '../time/freshness.ts';
import { isLate, isSilent } from '../feeds/alerts/sourceStatus.ts';
import { GRADE_WORDS } from '../ui/signs/Severity.tsx';

/** The states, in the order in which routes are listed. */
export const STANDINGS = [
  'certain',
  'silent',
  'checking',
  'possible',
  'off',
  'unseen',
  'late',
  'clear',
] as const;

export type Standing = (typeof STANDINGS)[number];

/** Silent sources. `since`: the time after which nothing is known; null when nothing was ever known. */
export interface Silence {
  /** Null: the whole answer is old, so all sources count as silent. */
  sources: string[] | null;
  since: Date | null;
}

export interface Uncovered {
  source: string;
  of: 'all' | 'part';
}

export interface RouteState {
  standing: Standing;
  /** The alerts in the window, worst first. */
  certain: Touch[];
  possible: Touch[];
  near: Touch[];
  /** The number of further alerts in force in the feeds, by grade; they are not named. */
  beyond: Partial<Record<Severity, number>>;
  /** Outside its hours: when they begin again. Otherwise null. */
  from: Date | null;
  /** The words when there are no alerts, such as "Nothing high or worse"; null: say that it is clear, and when. */
  nothing: string | null;
  /** How many alerts are left out because the team has snoozed them. */
  snoozed?: number;
  silence: Silence | null;
  /** True: the watch was not matched since it was made or changed, so alerts may be missing. */
  checking: boolean;
  /** How many incidents in force have no place, so that they may be in the area. */
  unplaced?: number;
  /** Sources that are not set up, or were never collected. */
  unseen: string[];
  /** Names for roads that are not known or that no source covers, and how much of the way they are. */
  uncovered?: readonly Uncovered[];
  /** Sources that are current, but less recent than they should be. */
  late: string[];
  /** True: for its roads in the towns where it begins and ends, no source can be named. */
  butInTown?: boolean;
  /** The window that was asked for. For "now", it is the departures' window if a vehicle counts. */
  window: Window;
  /** The vehicles that it is judged by. If the window is a span of time, the vehicles that drive in it. */
  trips: readonly Trip[];
  /** The vehicle that the row names; if none counts, the next one. */
  trip: Trip | null;
  /** The oldest collection time of its sources; null when none is current. */
  checked: Date | null;
}

/** The server's answer in a form for look-ups. */
export interface Known {
  alerts: ReadonlyMap<string, Alert>;
  events: ReadonlyMap<string, Watches['events'][number]>;
  sources: ReadonlyMap<string, SourceEntry>;
  /** When the server gave the answer. */
  at: Date;
  behindSince: Date | null;
  /** How many incidents in force have no position that an area could be compared with. */
  unplaced?: number;
}

export const knownOf = (
  { incidents, events, sources, behind_since, unplaced }: Watches,
  at: Date,
): Known => ({
  alerts: new Map(incidents.map((alert) => [alert.event_id, alert])),
  events: new Map(events.map((event) => [event.performance_id, event])),
  sources: new Map(sources.map((source) => [source.source, source])),
  at,
  behindSince: dateOf(behind_since),
  unplaced,
});

export function touchesOf({ matches }: Pick<ListedWatch, 'matches'>, known: Known): Touch[] {
  return (matches ?? []).map((match) => ({
    match,
    alert: match.subject === 'event' ? null : (known.alerts.get(match.subject_id) ?? null),
    event: match.subject === 'event' ? (known.events.get(match.subject_id) ?? null) : null,
  }));
}

/** Since when the whole answer can no longer be relied on; null while it can. */
export function outdatedSince({ at, behindSince }: Known, now: Date): Date | null {
  if (isBehind(behindSince, now)) return behindSince;
  return isStale(at, now) ? at : null;
}

export const isBehind = (behindSince: Date | null, now: Date): boolean =>
  behindSince !== null && dataAge(behindSince, now) >= BEHIND_FROM_MS;

export function stateOf(watch: ListedWatch, known: Known, window: Window, now: Date): RouteState {
  const judged = judgedIn(watch, window, now);
  const past = isOver(window, now);
  const isOff = past || !isWatchedIn(watch, window, judged, now);
  const touches = isOff ? [] : touchesOf(watch, known).filter((touch) => isInWindow(touch, judged, now));
  const of = (level: Touch['match']['level']) =>
    touches.filter(({ match }) => match.level === level).toSorted(worstTouchFirst);
  const certain = of('certain');
  const possible = of('possible');
  const silence = silenceOf(watch, known, now);
  const unseen = watch.sources.filter(
    (source) => source !== TOWN_ROADS && !isHeard(known.sources.get(source)),
  );
  const uncovered = uncoveredOf(watch);
  const late = watch.sources.filter((slug) => {
    const source = known.sources.get(slug);
    return source !== undefined && isLate(source);
  });
  return {
    standing: isOff
      ? 'off'
      : certain.length > 0
        ? 'certain'
        : silence
          ? 'silent'
          : watch.checking
            ? 'checking'
            : possible.length > 0
              ? 'possible'
              : unseen.length > 0 || watch.sources.length === 0
                ? 'unseen'
                : late.length > 0
                  ? 'late'
                  : 'clear',
    ...aheadOf(judged.trips, { certain, possible }, now),
    near: of('near'),
    beyond: isOff ? {} : watch.beyond,
    from: isOff && !past ? watchingChangesAt(watch.when, now) : null,
    nothing: nothingWords(watch),
    silence: isOff ? null : silence,
    checking: watch.checking,
    ...(watch.kind === 'area' && known.unplaced && { unplaced: known.unplaced }),
    unseen,
    ...(uncovered.length > 0 && { uncovered }),
    late,
    ...(watch.sources.includes(TOWN_ROADS) && { butInTown: true }),
    window: window.kind === 'now' && judged.byTrips ? NEXT_DEPARTURE : window,
    trips: judged.trips,
    checked: watch.checking ? null : checkedAt(watch, known),
  };
}

/** Whether the watch is on. For a day or a span of hours it is enough that a part of it is watched. */
function isWatchedIn({ when }: ListedWatch, window: Window, { span }: Judged, now: Date): boolean {
  return span && (window.kind === 'hours' || window.kind === 'date')
    ? isWatchedWithin(when, new Date(span.from), new Date(span.to))
    : isWatching(when, now);
}

/** "Nothing high or worse"; null when all grades are let through. */
const nothingWords = ({ which: { min_severity } }: ListedWatch): string | null =>
  min_severity === 'low' ? null : `Nothing ${min_severity}${min_severity === 'critical' ? '' : ' or worse'}`;

/** The number of alerts in force, including alerts that are only counted. */
export const countOf = ({ certain, possible, beyond }: RouteState): number =>
  certain.length + possible.length + sum(Object.values(beyond));

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

function uncoveredOf({ sources }: ListedWatch): Uncovered[] {
  const found = sources.filter((source) => UNCOVERED_WORDS.has(source) && source !== TOWN_ROADS);
  const isPart = found.length > 1 || sources.some((source) => knownSource(source).subject === 'roads');
  return found.map((source) => ({ source, of: isPart ? 'part' : 'all' }));
}

export const isTouched = ({ certain, possible }: RouteState): boolean => certain.length + possible.length > 0;

const isUnknown = ({ standing }: RouteState) => standing === 'silent' || standing === 'checking';

/** The state of a route that is affected now or under way, whatever window is chosen; null when it is not affected.
 *  It is the state for its departures, or the state now if that is worse or no departure counts yet. A route about
 *  which nothing is known counts as affected. */
export function affectedNow(watch: ListedWatch, known: Known, now: Date): RouteState | null {
  const atOnce = stateOf(watch, known, NOW, now);
  if (!isTouched(atOnce) && !isUnknown(atOnce)) return null;
  const forDepartures = stateOf(watch, known, NEXT_DEPARTURE, now);
  if (!isTouched(atOnce)) return forDepartures;
  return isTouched(forDepartures) && rankOf(forDepartures) <= rankOf(atOnce) ? forDepartures : atOnce;
}

/** The state without alerts that the team has snoozed. Its standing stays, because they still touch the route. */
export function awake(state: RouteState, asleep: ReadonlySet<string>, now: Date): RouteState {
  const isAwake = ({ match }: Touch) => !asleep.has(match.subject_id);
  const certain = state.certain.filter(isAwake);
  const possible = state.possible.filter(isAwake);
  const snoozed = state.certain.length + state.possible.length - certain.length - possible.length;
  if (snoozed === 0) return state;
  return { ...state, ...aheadOf(state.trips, { certain, possible }, now), snoozed };
}

/** The vehicle that the row names, and the alerts, those of one grade that it has ahead first. */
function aheadOf(
  trips: readonly Trip[],
  { certain, possible }: Pick<RouteState, 'certain' | 'possible'>,
  now: Date,
): Pick<RouteState, 'certain' | 'possible' | 'trip'> {
  const trip = namedTrip(trips, [...certain, ...possible], now);
  return { trip, certain: aheadFirst(certain, trip, now), possible: aheadFirst(possible, trip, now) };
}

/** Whether the source is set up and was collected at least once. */
const isHeard = (source: SourceEntry | undefined) =>
  source !== undefined && source.state !== 'not_configured' && source.freshness != null;

function silenceOf(watch: ListedWatch, known: Known, now: Date): Silence | null {
  const outdated = outdatedSince(known, now);
  if (outdated) return { sources: null, since: outdated };
  if (watch.matches === null) return { sources: null, since: null };
  const silent = watch.sources.flatMap((source) => known.sources.get(source) ?? []).filter(isSilent);
  if (silent.length === 0) return null;
  return { sources: silent.map(({ source }) => source), since: oldest(silent) };
}

const oldest = (sources: readonly SourceEntry[]): Date | null => {
  const times = sources.map(({ last_collected }) => dateOf(last_collected));
  return times.includes(null)
    ? null
    : times.reduce((least, time) => (least === null || time! < least ? time : least), null);
};

const checkedAt = (watch: ListedWatch, { sources }: Known): Date | null =>
  oldest(
    watch.sources
      .flatMap((source) => sources.get(source) ?? [])
      .filter((source) => isHeard(source) && !isSilent(source)),
  );

const worstTouchFirst = (a: Touch, b: Touch): number =>
  a.alert && b.alert ? worstFirst(a.alert, b.alert) : Number(b.alert !== null) - Number(a.alert !== null);

/** The place of a state in the list; lower numbers come first. */
export const rankOf = ({ certain: [worst], standing }: RouteState): number =>
  STANDINGS.indexOf(standing) * 10 +
  (worst ? Object.keys(GRADE_WORDS).indexOf(worst.alert ? gradeOf(worst.alert) : 'unrated') : 0);

const leavesAt = ({ trip }: RouteState) => trip?.leaves.getTime() ?? Infinity;

/** The routes in this order: certain by grade, unreliable, possible, off, unseen, late, clear. Within each, the next
 *  departure comes first. */
export const inOrder = <T extends { state: RouteState; watch: { name: string } }>(
  routes: readonly T[],
): T[] =>
  routes.toSorted(
    (a, b) =>
      rankOf(a.state) - rankOf(b.state) ||
      (leavesAt(a.state) === leavesAt(b.state) ? 0 : leavesAt(a.state) - leavesAt(b.state)) ||
      a.watch.name.localeCompare(b.watch.name, 'en-GB'),
  );
