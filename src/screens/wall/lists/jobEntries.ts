/** A job as a line of the wall's list says it. Never its vehicle, driver, reference or note, nor what its deadline is for. */
import { arrivesWords } from '#contract/watches/arrival.ts';
import { shortNameOf } from '#contract/feeds/sources.ts';
import { londonDay } from '#contract/london.ts';
import { sayingForms } from '../../../feeds/alerts/shortTitles.ts';
import { formatClock } from '../../../time/london.ts';
import {
  type DayJob,
  jobRank,
  leavesWords,
  NO_ROUTE,
  slotWords,
  tripName,
} from '../../../watches/dayJobs.ts';
import { MAY_BE_BEHIND, reachWords, type Touch } from '../../../watches/timeWindow.ts';
import type { RouteState } from '../../../watches/watchState.ts';
import type { EntryState } from './EntryMark.tsx';
import { wallClock } from '../words/shownTime.ts';
import { whatTouches } from './routeEntries.ts';
import { entryStateOf } from './WallRoutes.tsx';

export interface JobEntry {
  id: string;
  state: EntryState;
  /** It is named, though nothing touches its way. */
  stays: boolean;
  name: string;
  /** Its fullest form first. */
  what: readonly string[];
  /** "06:10" */
  leaves: string;
  /** "in 5 min", "on the way" */
  soon: string;
  /** By the plan; '' where it does not say. */
  due: string;
  /** Its fullest form first. */
  arrives: readonly string[];
  /** An arrival that is not as planned. */
  isNews: boolean;
}

/** Critical; what will miss its deadline; other grades; what cannot be relied on; possible; no route; clear. Then by time. */
export const jobsOnWall = (jobs: readonly DayJob[]): DayJob[] =>
  jobs.toSorted(
    (a, b) =>
      wallRank(a) - wallRank(b) ||
      Date.parse(a.job.leaves_at) - Date.parse(b.job.leaves_at) ||
      (a.job.id < b.job.id ? -1 : 1),
  );

const MISSES = 0.5;
/** After all that is possible, and before jobs without a route. */
const MAY_MISS = 38.5;

function wallRank(one: DayJob): number {
  const rank = jobRank(one);
  const verdict = one.arrival?.verdict?.kind;
  if (verdict === 'will') return Math.min(rank, MISSES);
  return verdict === 'may' ? Math.min(rank, MAY_MISS) : rank;
}

export const ON_THE_WAY = 'on the way';

export const jobState = ({ state }: DayJob): EntryState => (state ? entryStateOf(state) : 'unknown');

/** Nothing is known to be wrong with its way, and it is neither early nor late. */
export const isOnTime = (one: DayJob): boolean => jobState(one) === 'clear' && one.arrival?.kind === 'due';

export function jobEntry(one: DayJob, { now, isOld }: { now: Date; isOld: boolean }): JobEntry {
  const { job, group, arrival } = one;
  const { clock, weekday } = leavesWords({ ...job, day: londonDay(now) });
  const counted = isOld || group === 'later' ? '' : slotWords(one, now);
  const verdict = arrival?.verdict?.kind;
  const [arrives, isNews] = arrivalOnWall(one);
  return {
    id: job.id,
    state: jobState(one),
    stays: verdict === 'will' || verdict === 'may',
    name: tripName(job),
    what: whatOf(one, now, isOld),
    leaves: clock,
    soon: job.left_at === null ? [weekday, counted].filter(Boolean).join(' ') : ON_THE_WAY,
    due: dueWords(one),
    arrives,
    isNews,
  };
}

/** Time due; of a job without a route only by its sheet. */
function dueWords({ job, arrival }: DayJob): string {
  if (arrival) return formatClock(arrival.due);
  return job.duration_min === null
    ? ''
    : formatClock(new Date(Date.parse(job.leaves_at) + job.duration_min * 60_000));
}

function arrivalOnWall({ state, arrival }: DayJob): [words: readonly string[], isNews: boolean] {
  if (!state || !arrival) return [['–'], false];
  if (state.standing === 'silent') return [['Do not rely on this'], false];
  const { kind, earliest, latest, verdict, due } = arrival;
  if (kind === 'closed') return [['No arrival can be said'], true];
  if (kind === 'not_told' || (kind === 'due' && state.standing === 'possible'))
    return [['Delay not told'], false];
  const range = arrivesWords(arrival);
  if (verdict?.kind === 'will')
    return [[`Will miss it, ${range}`, `Will miss it, ${formatClock(earliest)}`], true];
  if (verdict?.kind === 'may')
    return [[`May miss it, ${range}`, `May miss it, ${formatClock(latest)}`], true];
  return kind === 'told' ? [[range], true] : [[formatClock(due)], false];
}

function whatOf({ state }: DayJob, now: Date, isOld: boolean): readonly string[] {
  if (!state) return [NO_ROUTE];
  const [worst] = state.certain;
  if (worst) return touchForms(worst, state, now);
  const { sources, since } = state.silence ?? {};
  if (sources && since)
    return [
      `${sources.map(shortNameOf).join(', ')} silent since ${wallClock(since, now)}`,
      'Do not rely on this',
    ];
  return whatTouches(state, now, isOld).what;
}

/** "M62 J26 to J27: closed, reached about 06:26". Without the direction: it is the job's own carriageway. */
function touchForms(touch: Touch, { trip }: Pick<RouteState, 'trip'>, now: Date): readonly string[] {
  const { alert } = touch;
  if (!alert) return ['Alert without a title'];
  const place = alert.facts?.place?.replace(SIDE, '');
  const forms = sayingForms(place ? { ...alert, facts: { ...alert.facts, place } } : alert);
  const reached = trip ? reachWords(trip, touch, now) : '';
  if (!reached) return forms;
  const reach = reached.startsWith(MAY_BE_BEHIND) ? MAY_BE_BEHIND : reached;
  const isBetween = JUNCTION.test(forms[0] ?? '');
  const whole = forms.filter((form) => JUNCTION.test(form) === isBetween);
  const reaches = [reach, reach.replace(' about ', ' ')];
  return [...whole.flatMap((form) => reaches.map((words) => `${form}, ${words}`)), ...forms];
}

const SIDE = / (?:(?:north|south|east|west)bound|(?:anti-)?clockwise)\b,?/;
const JUNCTION = /\bJ\d/;
