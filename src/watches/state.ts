/** How a route stands, in the specification's words: never "clear" while something that reports on it is not heard. */
import { type Trip } from '#contract/departures.ts';
import { londonDay } from '#contract/london.ts';
import { knownSource } from '#contract/sources.ts';
import { BEHIND_FROM_MS } from '#contract/watches.ts';
import type { Alert, SourceEntry } from '../api/disruptions.ts';
import type { ListedWatch, Watches } from '../api/watches.ts';
import { dateOf, gradeOf, sinceText } from '../feeds/alerts.ts';
import { isLate, isSilent } from '../feeds/sources.ts';
import { formsOf } from '../feeds/worst.ts';
import { worstFirst } from '#contract/disruptions.ts';
import { dataAge, isStale } from '../time/freshness.ts';
import { formatClock, formatDay } from '../time/london.ts';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import { isInWindow, type Touch, tripOf, type Window } from './window.ts';

/** The order in which routes are listed. */
export const STANDINGS = ['certain', 'silent', 'possible', 'unseen', 'late', 'clear'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Sources that are not heard. `since`: nothing is known after it; null where nothing ever was. */
export interface Silence {
  /** Null: of no source at all, as the whole answer is old. */
  sources: string[] | null;
  since: Date | null;
}

export interface RouteState {
  standing: Standing;
  /** In the window, the worst first. */
  certain: Touch[];
  possible: Touch[];
  near: Touch[];
  /** How many of these are left out, because the team has snoozed them. */
  snoozed?: number;
  silence: Silence | null;
  /** Not set up, or never heard. */
  unseen: string[];
  /** Heard, but not as recently as they should be. */
  late: string[];
  trip: Trip | null;
  /** The age of the oldest of what it rests on; null where nothing is current. */
  checked: Date | null;
}

/** An answer of the server, ready to look things up in. */
export interface Known {
  alerts: ReadonlyMap<string, Alert>;
  events: ReadonlyMap<string, Watches['events'][number]>;
  sources: ReadonlyMap<string, SourceEntry>;
  /** When the server gave it. */
  at: Date;
  behindSince: Date | null;
}

export const knownOf = ({ incidents, events, sources, behind_since }: Watches, at: Date): Known => ({
  alerts: new Map(incidents.map((alert) => [alert.event_id, alert])),
  events: new Map(events.map((event) => [event.performance_id, event])),
  sources: new Map(sources.map((source) => [source.source, source])),
  at,
  behindSince: dateOf(behind_since),
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
  const trip = tripOf(watch, window, now);
  const touches = touchesOf(watch, known).filter((touch) => isInWindow(touch, window, trip, now));
  const of = (level: Touch['match']['level']) =>
    touches.filter(({ match }) => match.level === level).toSorted(worstTouchFirst);
  const certain = of('certain');
  const possible = of('possible');
  const silence = silenceOf(watch, known, now);
  const unseen = watch.sources.filter((source) => !isHeard(known.sources.get(source)));
  const late = watch.sources.filter((slug) => {
    const source = known.sources.get(slug);
    return source !== undefined && isLate(source);
  });
  return {
    standing:
      certain.length > 0
        ? 'certain'
        : silence
          ? 'silent'
          : possible.length > 0
            ? 'possible'
            : unseen.length > 0 || watch.sources.length === 0
              ? 'unseen'
              : late.length > 0
                ? 'late'
                : 'clear',
    certain,
    possible,
    near: of('near'),
    silence,
    unseen,
    late,
    trip,
    checked: checkedAt(watch, known),
  };
}

/** Without what the team has snoozed. That still touches the route: it is as it stood. */
export function awake(state: RouteState, asleep: ReadonlySet<string>): RouteState {
  const isAwake = ({ match }: Touch) => !asleep.has(match.subject_id);
  const certain = state.certain.filter(isAwake);
  const possible = state.possible.filter(isAwake);
  const snoozed = state.certain.length + state.possible.length - certain.length - possible.length;
  return snoozed === 0 ? state : { ...state, certain, possible, snoozed };
}

export const snoozedWords = (count = 0): string => `${count} snoozed`;

/** Set up and collected at least once. */
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

const rankOf = ({ certain: [worst], standing }: RouteState): number =>
  STANDINGS.indexOf(standing) * 10 +
  (worst ? Object.keys(GRADE_WORDS).indexOf(worst.alert ? gradeOf(worst.alert) : 'unrated') : 0);

const leavesAt = ({ trip }: RouteState) => trip?.leaves.getTime() ?? Infinity;

/** Certain by grade, then what cannot be relied on, possible, unseen, late, clear; within one the next departure first. */
export const inOrder = <T extends { state: RouteState; watch: { name: string } }>(
  routes: readonly T[],
): T[] =>
  routes.toSorted(
    (a, b) =>
      rankOf(a.state) - rankOf(b.state) ||
      (leavesAt(a.state) === leavesAt(b.state) ? 0 : leavesAt(a.state) - leavesAt(b.state)) ||
      a.watch.name.localeCompare(b.watch.name, 'en-GB'),
  );

const names = (sources: readonly string[]) =>
  sources.map((source) => knownSource(source).displayName).join(', ');

/** "Do not rely on this: no information from National Highways since 05:41" */
export function silenceWords({ sources, since }: Silence, now: Date): string {
  const from = sources ? names(sources) : 'any source';
  return `Do not rely on this: no information from ${from}${since ? ` since ${sinceText(since, now)}` : ''}`;
}

/** "Critical: M62 eastbound closed, J26 to J27: lorry" */
export const touchTitle = ({ alert }: Touch): string =>
  alert ? `${GRADE_WORDS[gradeOf(alert)]}: ${formsOf(alert)[0] ?? ''}` : 'Alert without a title';

/** What the route's row says, in one or two sentences. */
export function stateWords(
  { standing, certain, possible, snoozed, silence, unseen, late }: RouteState,
  now: Date,
): string[] {
  const warning = silence ? [silenceWords(silence, now)] : [];
  switch (standing) {
    case 'certain':
      return [certain[0] ? touchTitle(certain[0]) : snoozedWords(snoozed), ...warning];
    case 'silent':
      return warning;
    case 'possible':
      return [possible.length > 0 ? 'Possible trouble' : snoozedWords(snoozed)];
    case 'unseen':
      return [
        unseen.length > 0
          ? `No trouble reported. We cannot see: ${names(unseen)}`
          : 'No trouble reported. We cannot see: any source',
      ];
    case 'late':
      return [`No trouble reported. Late: ${names(late)}`];
    case 'clear':
      return ['Clear as far as we know'];
  }
}

/** "2 certain, 3 possible, 1 snoozed"; without those of which there are none. */
export const countWords = ({
  certain,
  possible,
  snoozed,
}: Pick<RouteState, 'certain' | 'possible' | 'snoozed'>): string =>
  [
    certain.length > 0 && `${certain.length} certain`,
    possible.length > 0 && `${possible.length} possible`,
    snoozed && snoozedWords(snoozed),
  ]
    .filter(Boolean)
    .join(', ');

const HOUR_MS = 60 * 60_000;

/** "06:40, in 26 min", "08:00, in 1 h 46", "Mon 06:40"; without the countdown where it could be wrong. */
export function tripWords({ leaves }: Trip, now: Date, counting: boolean): string {
  const clock = formatClock(leaves);
  const ahead = leaves.getTime() - now.getTime();
  if (ahead >= 24 * HOUR_MS) return `${formatDay(leaves, now)} ${clock}`;
  if (ahead >= 12 * HOUR_MS && londonDay(leaves) !== londonDay(now)) return `tomorrow ${clock}`;
  if (!counting) return clock;
  const minutes = Math.ceil(Math.max(0, ahead) / 60_000);
  if (minutes === 0) return `${clock}, now`;
  return minutes < 60
    ? `${clock}, in ${minutes} min`
    : `${clock}, in ${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60}` : ''}`;
}
