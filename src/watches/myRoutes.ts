/** The team's routes in one line each, for screens with another subject. */
import { UNKNOWN_ROADS } from '#contract/feeds/knownSources.ts';
import type { Grade } from '../ui/signs/Severity.tsx';
import { gradeOf } from '../feeds/alerts/alerts.ts';
import { counted } from '#contract/numbers.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { type RouteState, type Uncovered } from './watchState.ts';
import { BUT_IN_TOWN, snoozedWords } from './stateWords.ts';
import { endUnknownWords, isPerhapsBehind, MAY_BE_BEHIND, windowWords } from './timeWindow.ts';

/** Routes and areas. Whole feeds are left out: they are not a place, and always have something in force. */
export const placesOf = (watches: readonly ListedWatch[]): ListedWatch[] =>
  watches.filter(({ kind }) => kind !== 'feeds');

interface RouteLine {
  id: string;
  name: string;
  /** The grades of alerts that certainly touch it, each once, worst first. */
  grades: Grade[];
  /** "2 disruptions for 06:10", "possible trouble now", "do not rely on this", "clear on the way, left 15:30" */
  words: string;
  isClear: boolean;
  butInTown?: boolean;
  /** "for 06:10" */
  when: string;
}

/** The lines in order. Only routes that are known to be clear may be counted together. */
export function routeLines(
  routes: readonly { watch: ListedWatch; state: RouteState }[],
  now: Date,
): RouteLine[] {
  return routes.map(({ watch: { id, name }, state }) => ({
    id,
    name,
    grades: [...new Set(state.certain.map(({ alert }): Grade => (alert ? gradeOf(alert) : 'unrated')))],
    words: wordsOf(state, now),
    isClear: state.standing === 'clear' && !state.unplaced,
    ...(state.butInTown && { butInTown: true }),
    when: windowWords(state, now),
  }));
}

/** One line of a wall has no room for more. */
function uncoveredWords([first]: readonly Uncovered[]): string {
  if (!first) return '';
  const words =
    first.source === UNKNOWN_ROADS
      ? { all: 'no known road', part: 'no known road for part of it' }
      : { all: 'no source covers this road', part: 'no source covers part of it' };
  return `, ${words[first.of]}`;
}

function wordsOf(state: RouteState, now: Date): string {
  const { standing, certain, possible, snoozed, unplaced, uncovered = [], butInTown } = state;
  const when = windowWords(state, now);
  const behindWords = (touches: RouteState['possible']) =>
    touches.every((touch) => isPerhapsBehind(touch, state, now)) ? `, ${MAY_BE_BEHIND}` : '';
  switch (standing) {
    case 'certain': {
      const [worst] = certain;
      if (!worst) return snoozedWords(snoozed);
      const end = endUnknownWords(worst, state, now);
      return `${counted(certain.length, 'disruption')} ${when}${end && `, ${end}`}${behindWords(certain)}`;
    }
    case 'silent':
      return 'do not rely on this';
    case 'checking':
      return 'checking…';
    case 'possible':
      return possible.length > 0 ? `possible trouble ${when}${behindWords(possible)}` : snoozedWords(snoozed);
    case 'unseen':
    case 'late':
      return `no trouble reported ${when}${uncoveredWords(uncovered)}`;
    case 'off':
      return 'not watching now';
    case 'clear':
      return `clear ${when}${butInTown ? BUT_IN_TOWN : ''}${unplaced ? `, ${unplaced} without a place` : ''}`;
  }
}

/** "for 06:10" if all of them have the same departure. */
function whenOf(lines: readonly RouteLine[]): string {
  const [first, ...others] = new Set(lines.map(({ when }) => when));
  if (others.length === 0) return first ?? '';
  return lines.some(({ when }) => when === 'now') ? 'now or for their departures' : 'for their departures';
}

/** "York to Bristol and 2 more clear now", "York to Bristol clear for 06:10"; '' when none is known to be clear. */
export function clearWords(lines: readonly RouteLine[]): string {
  const clear = lines.filter(({ isClear }) => isClear);
  const [first, ...more] = clear;
  if (!first) return '';
  const but = clear.some(({ butInTown }) => butInTown) ? BUT_IN_TOWN : '';
  return `${first.name} ${more.length > 0 ? `and ${more.length} more ` : ''}clear ${whenOf(clear)}${but}`;
}
