/** The states of a day's jobs. A job is a departure with a date, so its route is judged for a vehicle that leaves at
 *  that time, and the words are the same. Jobs soon after midnight are added in src/screens/today/useDay.ts. */
import { MINUTE_MS } from '#contract/durations.ts';
import { type Arrival, arrivalOfJob, arrivalWords, verdictWords } from '#contract/watches/arrival.ts';
import { NOW_HOURS } from '#contract/watches/departures.ts';
import { tripOfJob } from '#contract/watches/jobs.ts';
import { london, londonDay } from '#contract/london.ts';
import type { Job } from '../api/watches/jobs.ts';
import type { ListedWatch } from '../api/watches/watches.ts';
import { gradeOf } from '../feeds/alerts/alerts.ts';
import { clearAt, untilWords } from '../feeds/alerts/alertTimes.ts';
import { formsOf, formWithin } from '../feeds/alerts/titles.ts';
import { formatClock } from '../time/london.ts';
import { GRADE_WORDS } from '../ui/signs/Severity.tsx';
import { durationWords, stretchWords } from './routeWords.ts';
import { awake, isTouched, type Known, rankOf, type RouteState, stateOf, touchesOf } from './watchState.ts';
import { stateWords } from './stateWords.ts';
import { reachWords, type Touch } from './timeWindow.ts';

export const NO_ROUTE = 'No route: we cannot say';

/** These words replace "Clear", which would contradict "Delay not told" beside it. */
const PAST_IT = 'Past its trouble.';

/** Whether an incident on the way counts for the arrival, also when the vehicle has passed it. */
const isMet = ({ counted, untold }: Arrival): boolean => counted.length + untold.length > 0;

/** A job that nobody has marked stays this long in "Leaves soon". */
const NOT_MARKED_MINUTES = 30;

export type JobGroup = 'soon' | 'way' | 'later' | 'done';

export const GROUP_NAMES: Readonly<Record<JobGroup, string>> = {
  soon: 'Leaves soon',
  way: 'On the way',
  later: 'Later',
  done: 'Done',
};

/** A job with everything that is known about it. */
export interface DayJob {
  job: Job;
  group: JobGroup;
  /** Null: the job has no route, or this page does not know the route. */
  watch: ListedWatch | null;
  state: RouteState | null;
  /** Null when nothing is known about the way. */
  arrival: Arrival | null;
}

/** "not marked as left" when the vehicle should have left by now; "leaving not told" when it must be on the way;
 *  otherwise ''. */
export function unmarkedWords({ job, group }: Pick<DayJob, 'job' | 'group'>, now: Date): string {
  if (job.left_at !== null || group === 'done' || new Date(job.leaves_at) >= now) return '';
  return group === 'way' ? 'leaving not told' : 'not marked as left';
}

export function groupOf(job: Job, now: Date): JobGroup {
  if (job.arrived_at !== null || job.cancelled_at !== null) return 'done';
  const ahead = Date.parse(job.leaves_at) - now.getTime();
  if (job.left_at !== null || ahead <= -NOT_MARKED_MINUTES * MINUTE_MS) return 'way';
  return ahead <= NOW_HOURS * 60 * MINUTE_MS ? 'soon' : 'later';
}

export function dayJob(
  job: Job,
  { watches, known }: { watches: ReadonlyMap<string, ListedWatch>; known: Known },
  now: Date,
): DayJob {
  const group = groupOf(job, now);
  const watch = watches.get(job.watch_id ?? '') ?? null;
  if (!watch) return { job, group, watch, state: null, arrival: null };
  const trip = tripOfJob(job, watch.length_km);
  const state = stateOf(watch, known, { kind: 'trip', trip }, now);
  if (watch.matches === null || watch.checking) return { job, group, watch, state, arrival: null };
  const certain = touchesOf(watch, known).flatMap(({ match, alert }) =>
    match.level === 'certain' && alert ? [{ match, incident: alert }] : [],
  );
  return {
    job,
    group,
    watch,
    state,
    arrival: arrivalOfJob(job, { lengthKm: watch.length_km, certain }, now),
  };
}

/** Whether the job may fail. A job whose route cannot be seen any more counts; a job without a route does not. A job
 *  that left too late, or has its delay behind it, counts as long as it will miss its deadline. */
export const isAffected = ({ group, state, arrival }: DayJob): boolean =>
  group !== 'done' &&
  state !== null &&
  (isTouched(state) ||
    state.standing === 'silent' ||
    state.standing === 'checking' ||
    arrival?.verdict?.kind === 'will' ||
    arrival?.verdict?.kind === 'may');

/** The job without alerts that the team has snoozed. */
export const awakeJob = (one: DayJob, asleep: ReadonlySet<string>, now: Date): DayJob =>
  one.state ? { ...one, state: awake(one.state, asleep, now) } : one;

/** The jobs in this order: certain trouble by grade, unreliable, possible trouble, no route, nothing seen, clear.
 *  Within each by the time of leaving. */
export const jobsInOrder = (jobs: readonly DayJob[]): DayJob[] =>
  jobs.toSorted(
    (a, b) =>
      jobRank(a) - jobRank(b) ||
      Date.parse(a.job.leaves_at) - Date.parse(b.job.leaves_at) ||
      (a.job.id < b.job.id ? -1 : 1),
  );

/** The place of a job in the order. Jobs without a route come after jobs with possible trouble. */
export const jobRank = ({ state, group }: Pick<DayJob, 'state' | 'group'>): number =>
  group === 'done' ? 0 : state ? rankOf(state) : NO_ROUTE_RANK;
const NO_ROUTE_RANK = 39;

/** "Leeds to Heathrow T5" */
export const tripName = ({ trip }: Pick<Job, 'trip'>): string =>
  trip
    .replaceAll(/→|⇒|->|=>|>|–|—/g, ' to ')
    .replaceAll(/ {2,}/g, ' ')
    .trim() || 'Job without a trip';

const WEEKDAY = london({ weekday: 'short' });

/** "06:10", and the weekday if the job leaves on another day than `day`, which is the day of its list. */
export function leavesWords({ leaves_at, day }: Pick<Job, 'leaves_at' | 'day'>): {
  clock: string;
  weekday: string | null;
} {
  const at = new Date(leaves_at);
  return { clock: formatClock(at), weekday: londonDay(at) === day ? null : WEEKDAY.format(at) };
}

/** "06:10 Leeds to Heathrow T5" */
export const jobName = (job: Job): string => `${leavesWords(job).clock} ${tripName(job)}`;

/** "in 5 min", "10 min ago", "left 05:06", "arrived 06:41", "cancelled" */
export function slotWords({ job }: Pick<DayJob, 'job'>, now: Date): string {
  const clock = (at: string) => formatClock(at);
  if (job.cancelled_at !== null) return 'cancelled';
  if (job.arrived_at !== null) return `arrived ${clock(job.arrived_at)}`;
  if (job.left_at !== null) return `left ${clock(job.left_at)}`;
  const minutes = Math.ceil((Date.parse(job.leaves_at) - now.getTime()) / MINUTE_MS);
  if (minutes < 0) return `${durationWords(-minutes)} ago`;
  return minutes === 0 ? 'now' : `in ${durationWords(minutes)}`;
}

/** The longest title in a row: it has room for a place and an effect, but not for the names of four regions. */
const TITLE_MAX = 56;

/** "M62 J26–J27 closed, reached about 06:28, until about 18:32": the words for the worst alert, without its grade. */
export function touchWords(touch: Touch, state: Pick<RouteState, 'trip'>, now: Date): string {
  const { alert } = touch;
  const stretch = stretchWords(alert);
  const effect = alert?.facts?.effect;
  const short = alert ? formWithin(formsOf(alert), TITLE_MAX) : '';
  const title = stretch && effect ? `${stretch} ${effect}` : short;
  const end = alert && clearAt(alert);
  return [
    title || 'an alert without a title',
    state.trip ? reachWords(state.trip, touch, now) : '',
    alert && end ? untilWords(alert, now).replace(/^until /, 'until about ') : 'no end told',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The row's words about the way: a part in bold, and the rest. */
export function jobWords(
  { state, group, arrival }: Pick<DayJob, 'state' | 'group' | 'arrival'>,
  now: Date,
): { bold: string; words: string }[] {
  if (group === 'done') return [];
  if (!state) return [{ bold: NO_ROUTE, words: '' }];
  const [worst] = state.certain;
  const [first = '', ...more] = stateWords(state, now).map((words) => ({ bold: '', words }));
  const isUnknown = state.standing === 'silent' || state.standing === 'checking';
  if (isUnknown && first) return [{ bold: first.words, words: '' }];
  if (state.standing === 'certain' && worst) {
    const grade = GRADE_WORDS[worst.alert ? gradeOf(worst.alert) : 'unrated'];
    return [
      { bold: `${grade}:`, words: touchWords(worst, state, now) },
      ...more.map(({ words }) => ({ bold: words, words: '' })),
    ];
  }
  const [maybe] = state.possible;
  if (state.standing === 'possible' && maybe)
    return [{ bold: '', words: `Possible trouble: ${touchWords(maybe, state, now)}` }];
  const bold = arrival && isMet(arrival) && !isTouched(state) && !state.snoozed ? PAST_IT : '';
  return first ? [{ ...first, bold }, ...more] : more;
}

/** The row's words about the arrival; null when nothing is known about it. */
export function arrivalLine({ arrival, state, group }: DayJob): {
  plate: 'will' | 'may' | null;
  bold: string;
  words: string;
} | null {
  if (!arrival || !state || group === 'done') return null;
  const { kind, verdict } = arrival;
  const isRelied = state.standing !== 'silent';
  if (kind === 'due') return null;
  const words = arrivalWords(arrival).replace(/^A/, 'a');
  const said = isRelied ? verdictWords(verdict) : '';
  return { plate: isRelied && verdict && verdict.kind !== 'left' ? verdict.kind : null, bold: said, words };
}

/** "PC-2411 · YN21 ABC · M. Hussain" */
export const sheetWords = ({ ref, vehicle, driver }: Pick<Job, 'ref' | 'vehicle' | 'driver'>): string =>
  [ref, vehicle, driver].filter(Boolean).join(' · ');

/** The job's reference, with "not marked as left" if that is due. */
export const refWords = (one: Pick<DayJob, 'job' | 'group'>, now: Date): string =>
  [sheetWords(one.job), unmarkedWords(one, now)].filter(Boolean).join(' · ');

/** Whether a search finds the job. It searches everything that the row shows. */
export function isFound(one: DayJob, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  const { job, watch } = one;
  return [jobName(job), watch?.name, sheetWords(job)].some((words) => words?.toLowerCase().includes(wanted));
}
