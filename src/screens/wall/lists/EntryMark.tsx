import type { Grade } from '../../../ui/signs/Severity.tsx';
import { GRADE_WORDS, GRADES, Severity } from '../../../ui/signs/Severity.tsx';
import styles from './EntryMark.module.css';

/** The state of a route or a job as one symbol: the grade of what certainly touches it, a deadline that it will miss
 *  though nothing does, possible trouble, nothing known, or nothing wrong. */
export type EntryState = Grade | 'late' | 'possible' | 'unknown' | 'clear';

/** Worst first. */
const ENTRY_STATES: readonly EntryState[] = [
  'critical',
  'late',
  ...GRADES.filter((grade) => grade !== 'critical'),
  'possible',
  'unknown',
  'clear',
];

const WORDS: Readonly<Record<Exclude<EntryState, Grade>, string>> = {
  late: 'will miss it',
  possible: 'possible trouble',
  unknown: 'cannot be said',
  clear: 'clear',
};

const SHAPES: Readonly<Record<Exclude<EntryState, Grade>, string>> = {
  late: 'M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1.500 2.500h3v5.700l3.300 3.300-2.100 2.100-4.200-4.200z',
  possible:
    'M12 .3 23.7 12 12 23.7.3 12zM12 3.7 3.7 12l8.3 8.3L20.3 12zM5.7 12.2l6-6 1.6 1.6-6 6zM8.2 15.200l7.500-7.500 1.600 1.600-7.500 7.500zM11.200 17.200l6-6 1.600 1.600-6 6z',
  unknown: 'M2 9.6h20v4.8H2z',
  clear: 'M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm6.2 7.6-1.9-1.9-6.1 6.2-2.6-2.6-1.9 1.9 4.5 4.5z',
};

/** The symbol, whose word is read out; with a number if several entries have this state. */
export function EntryMark({ state, count }: { state: EntryState; count?: number }) {
  if (state in GRADE_WORDS)
    return <Severity grade={state as Grade} {...(count !== undefined && { count })} wordless />;
  const other = state as Exclude<EntryState, Grade>;
  return (
    <span className={styles.mark} data-nowrap data-state={state}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path fillRule="evenodd" d={SHAPES[other]} />
      </svg>
      {count}
      <span data-hidden> {WORDS[other]}</span>
    </span>
  );
}

/** The number of entries in each state, worst first, without empty states. */
export const countStates = (states: readonly EntryState[]): { state: EntryState; count: number }[] =>
  ENTRY_STATES.map((state) => ({ state, count: states.filter((one) => one === state).length })).filter(
    ({ count }) => count > 0,
  );

/** The states whose word fits beside their number, the most important first. */
export function wordsThatFit(
  states: readonly EntryState[],
  room: number,
  widthOf: (state: EntryState) => number,
): ReadonlySet<EntryState> {
  let left = room;
  const worded = new Set<EntryState>();
  for (const state of states) {
    const width = widthOf(state);
    if (width > left) continue;
    left -= width;
    worded.add(state);
  }
  return worded;
}
