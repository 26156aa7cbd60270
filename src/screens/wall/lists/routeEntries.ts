/** A route as a line of a list, and the alerts that touch routes, with the number of routes. */
import { isUnderWay, type Trip } from '#contract/watches/departures.ts';
import { shortNameOf } from '#contract/feeds/knownSources.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { ListedWatch } from '../../../api/watches/watches.ts';
import { type RouteState } from '../../../watches/watchState.ts';
import { snoozedWords } from '../../../watches/stateWords.ts';
import { formatClock } from '../../../time/london.ts';
import { dayAndClock } from '../../../watches/timeWindow.ts';
import type { EntryState } from './EntryMark.tsx';
import type { Touching } from './ListBand.tsx';
import { timeOnWall, wallClock } from '../words/shownTime.ts';
import { sayingOnWall, wallForms } from '../words/shownTitle.ts';
import { CLEAR, checkedWords, departureAhead, type Departing, soonWords } from './WallList.tsx';
import { entryStateOf } from './WallRoutes.tsx';

export interface ListEntry extends Departing {
  id: string;
  state: EntryState;
  name: string;
  /** The fullest form first. */
  what: readonly string[];
  /** "until about 11:00" */
  time: string;
}

type Route = { watch: ListedWatch; state: RouteState };

export function entryOf({ watch, state }: Route, { now, isOld }: { now: Date; isOld: boolean }): ListEntry {
  const { trip } = state;
  const isOnWay = trip !== null && isUnderWay(trip, now);
  const minutes = !trip || isOld || isOnWay ? '' : soonWords(trip.leaves, now);
  return {
    id: watch.id,
    state: entryStateOf(state),
    name: watch.name,
    ...whatTouches(state, now, isOld),
    leaves: trip ? leavesOnWall(trip, now) : '',
    soon: isOnWay && !isOld ? 'on the way' : minutes,
    isOnWay: isOnWay && !isOld,
    departsAt: trip && departureAhead(trip.leaves, minutes, now),
  };
}

/** "06:10", "00:10 tomorrow". For a vehicle on the way only the time, even if it left yesterday. */
export const leavesOnWall = (trip: Trip, now: Date): string =>
  isUnderWay(trip, now) ? formatClock(trip.leaves) : dayAndClock(trip.leaves, now);

export function whatTouches(state: RouteState, now: Date, isOld: boolean): Pick<ListEntry, 'what' | 'time'> {
  const { standing, certain, possible, silence, snoozed, checked, late } = state;
  const [worst] = certain;
  const [perhaps] = possible;
  if (worst) return saying(worst.alert, now);
  if (silence) {
    const names = (silence.sources ?? []).map(shortNameOf).join(', ');
    return {
      what: [`Do not rely on this${names && `: no ${names}`}`, 'Do not rely on this'],
      time: silence.since ? `since ${wallClock(silence.since, now)}` : '',
    };
  }
  if (standing === 'checking') return { what: ['Checking…'], time: '' };
  if (perhaps) return saying(perhaps.alert, now, true);
  if (snoozed) return { what: [snoozedWords(snoozed)], time: '' };
  if (standing === 'off') return { what: ['Not watching now'], time: '' };
  const time = checkedWords(checked);
  if (standing === 'clear' && entryStateOf(state) === 'clear')
    return { what: [isOld ? 'Was clear' : CLEAR], time };
  const lateNames = late.map(shortNameOf).join(', ');
  return {
    what: [`No trouble reported${lateNames && `, late: ${lateNames}`}`, 'No trouble reported'],
    time,
  };
}

const saying = (alert: Alert | null, now: Date, isPossible = false): Pick<ListEntry, 'what' | 'time'> =>
  alert
    ? { what: isPossible ? possibleForms(alert) : wallForms(alert), time: timeOnWall(alert, now) }
    : { what: [`${isPossible ? POSSIBLE : ''}Alert without a title`], time: '' };

const POSSIBLE = 'Possible trouble: ';

/** With one word in front where what happens has no room beside two. */
export const possibleForms = (alert: Alert): string[] => [
  ...[POSSIBLE, 'Possible: '].flatMap((words) => sayingOnWall(alert).map((form) => words + form)),
  ...wallForms(alert).map((form) => POSSIBLE + form),
];

/** The alerts that certainly touch an entry, worst first, each with the number of entries. */
export function touchingOf(routes: readonly { state: RouteState }[]): Touching[] {
  const found = new Map<string, Touching>();
  for (const { state } of routes)
    for (const { alert } of state.certain) {
      if (!alert) continue;
      const known = found.get(alert.event_id);
      if (known) known.touches += 1;
      else found.set(alert.event_id, { alert, touches: 1 });
    }
  return [...found.values()].toSorted((a, b) => worstFirst(a.alert, b.alert) || b.touches - a.touches);
}
