/** The words for a route's state: in its row, its count, and beside what touches it. */
import { knownSource, UNCOVERED_WORDS } from '#contract/feeds/knownSources.ts';
import { unplacedWords } from '#contract/watches/watches.ts';
import { isUnderWay, type Trip } from '#contract/watches/departures.ts';
import { HOUR_MS } from '#contract/durations.ts';
import type { Silence, RouteState } from './watchState.ts';
import { sinceText, gradeOf } from '../feeds/alerts/alerts.ts';
import {
  type Touch,
  windowWords,
  isOver,
  beginsWords,
  endUnknownWords,
  isNotMet,
  NOT_MET,
  tripTo,
  isPerhapsBehind,
  reachWords,
  MAY_BE_BEHIND,
  windowName,
  dayAndClock,
} from './timeWindow.ts';
import { GRADE_WORDS } from '../ui/signs/Severity.tsx';
import { formsOf } from '../feeds/alerts/titles.ts';
import { formatClock } from '../time/london.ts';
import { durationWords } from './routeWords.ts';

export const CHECKING = 'Checking…';

export const snoozedWords = (count = 0): string => `${count} snoozed`;

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

/** The words of the route's row, in one or two sentences. */
export function stateWords(state: RouteState, now: Date): string[] {
  const { standing, certain, possible, snoozed, silence, checking, unplaced, late, butInTown } = state;
  const warning = silence ? [silenceWords(silence, now)] : checking ? [CHECKING] : [];
  const when = windowWords(state, now);
  switch (standing) {
    case 'certain':
      return [certain[0] ? worstWords(certain[0], state, now) : snoozedWords(snoozed), ...warning];
    case 'silent':
    case 'checking':
      return warning;
    case 'possible':
      return [possible.length > 0 ? possibleWords(state, now) : snoozedWords(snoozed)];
    case 'unseen':
      return [
        [
          ['No trouble reported', when].filter(Boolean).join(' '),
          ...unseenWords(state),
          ...(late.length > 0 ? [lateWords(late)] : []),
        ].join('. '),
      ];
    case 'late':
      return [`${['No trouble reported', when].filter(Boolean).join(' ')}. ${lateWords(late)}`];
    case 'off':
      return [isOver(state.window, now) ? 'This time is over' : 'Not watching now'];
    case 'clear':
      return [
        state.nothing ?? `Clear ${when && `${when}, `}as far as we know${butInTown ? BUT_IN_TOWN : ''}`,
        ...(unplaced ? [unplacedWords(unplaced)] : []),
      ];
  }
}

/** A route with such roads may be called clear, but only with these words. */
export const BUT_IN_TOWN = ', but for roads in town';

const lateWords = (late: readonly string[]) => `Late: ${names(late)}`;

/** "We cannot see: Met Office warnings", "No source covers this road for part of the way" */
function unseenWords({ unseen, uncovered = [] }: RouteState): string[] {
  const others = unseen.filter((source) => !UNCOVERED_WORDS.has(source));
  return [
    ...(others.length > 0 || uncovered.length === 0
      ? [`We cannot see: ${others.length > 0 ? names(others) : 'any source'}`]
      : []),
    ...uncovered.map(
      ({ source, of }) => `${UNCOVERED_WORDS.get(source)}${of === 'part' ? ' for part of the way' : ''}`,
    ),
  ];
}

const worstWords = (touch: Touch, state: RouteState, now: Date): string =>
  [
    touchTitle(touch),
    beginsWords(touch, now),
    endUnknownWords(touch, state, now),
    metWords(touch, state, now),
  ]
    .filter(Boolean)
    .join(', ');

/** "may be behind it: reached about 18:54 by plan", "no departure meets it"; '' when a vehicle still has it ahead. */
function metWords(touch: Touch, state: RouteState, now: Date): string {
  if (isNotMet(touch, state, now)) return NOT_MET;
  const trip = tripTo(touch, state, now);
  return trip && isPerhapsBehind(touch, state, now) ? reachWords(trip, touch, now) : '';
}

/** "Possible trouble for 06:10", "Possible trouble on the way, left 18:28, may be behind it" */
function possibleWords(state: RouteState, now: Date): string {
  const { possible } = state;
  const words = `Possible trouble ${windowWords(state, now)}`;
  if (possible.every((touch) => isNotMet(touch, state, now))) return `${words}, ${NOT_MET}`;
  return possible.every((touch) => isPerhapsBehind(touch, state, now)) ? `${words}, ${MAY_BE_BEHIND}` : words;
}

/** "2 certain, 3 possible, 1 snoozed"; kinds without alerts are left out. */
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

/** The window that a row was judged for, in the room beside a name: "06:40, in 26 min", "06:40 tomorrow", "left
 *  15:30", "now". The countdown is left out when it could be wrong. */
export function rowWindow({ window, trip }: RouteState, now: Date, counting: boolean): string {
  if (window.kind !== 'departure' || !trip) return windowName(window, trip, now);
  if (isUnderWay(trip, now)) return `left ${dayAndClock(trip.leaves, now)}`;
  return counting ? countedDown(trip, now) : windowName(window, trip, now);
}

/** "06:40, in 26 min", "08:00, in 1 h 46", "06:40 tomorrow", "25 Nov 06:40" */
function countedDown({ leaves }: Trip, now: Date): string {
  const ahead = leaves.getTime() - now.getTime();
  if (ahead >= 12 * HOUR_MS) return dayAndClock(leaves, now);
  return `${formatClock(leaves)}, in ${durationWords(Math.ceil(Math.max(0, ahead) / 60_000))}`;
}
