/** The team's routes in one line, for screens whose subject is something else. */
import type { Grade } from '../ui/Severity.tsx';
import { gradeOf } from '../feeds/alerts.ts';
import { counted } from '../ui/numbers.ts';
import type { ListedWatch } from '../api/watches.ts';
import { type RouteState, snoozedWords } from './state.ts';

export interface RouteLine {
  id: string;
  name: string;
  /** Of what certainly touches it, each grade once, worst first. */
  grades: Grade[];
  /** "2 disruptions", "possible trouble", "do not rely on this", "clear" */
  words: string;
  isClear: boolean;
}

/** The lines in their order. Only those that are known to be clear may be counted together. */
export function routeLines(routes: readonly { watch: ListedWatch; state: RouteState }[]): RouteLine[] {
  return routes.map(({ watch: { id, name }, state }) => ({
    id,
    name,
    grades: [...new Set(state.certain.map(({ alert }): Grade => (alert ? gradeOf(alert) : 'unrated')))],
    words: wordsOf(state),
    isClear: state.standing === 'clear',
  }));
}

function wordsOf({ standing, certain, possible, snoozed }: RouteState): string {
  switch (standing) {
    case 'certain':
      return certain.length > 0 ? counted(certain.length, 'disruption') : snoozedWords(snoozed);
    case 'silent':
      return 'do not rely on this';
    case 'possible':
      return possible.length > 0 ? 'possible trouble' : snoozedWords(snoozed);
    case 'unseen':
    case 'late':
      return 'no trouble reported';
    case 'clear':
      return 'clear';
  }
}

/** Those that are known to be clear, in two parts: the first name, and "and 2 more clear" or "clear". `were`: they
 *  were, when the answer came. Null where none is. */
export function clearParts(
  lines: readonly RouteLine[],
  were = false,
): { name: string; rest: string; all: string } | null {
  const [first, ...more] = lines.filter(({ isClear }) => isClear);
  if (!first) return null;
  const one = were ? 'was clear' : 'clear';
  const several = were ? 'were clear' : 'clear';
  return {
    name: first.name,
    rest: more.length > 0 ? `and ${more.length} more ${several}` : one,
    all: more.length > 0 ? `${more.length + 1} ${several}` : `1 ${one}`,
  };
}

/** "York to Bristol and 2 more clear", "York to Bristol clear"; '' where none is known to be. */
export function clearWords(lines: readonly RouteLine[]): string {
  const clear = clearParts(lines);
  return clear ? `${clear.name} ${clear.rest}` : '';
}
