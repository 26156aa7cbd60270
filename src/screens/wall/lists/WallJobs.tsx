import { london, londonDay } from '#contract/london.ts';
import { useMemo } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Jobs } from '../../../api/watches/jobs.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { useAsleep } from '../../../shift/inHand/inHandStore.ts';
import { useIsOld } from '../../../feeds/refresh/useBoard.ts';
import { useJudgedAgain } from '../../../time/tickingClock.ts';
import { counted } from '#contract/numbers.ts';
import {
  awakeJob,
  dayJob,
  type DayJob,
  jobRank,
  leavesWords,
  NO_ROUTE,
  slotWords,
  tripName,
} from '../../../watches/jobState.ts';
import { knownOf, type RouteState } from '../../../watches/watchState.ts';
import { fitting, fittingWhole, textWidth } from '../words/textFit.ts';
import { EntryMark, type EntryState } from './EntryMark.tsx';
import { ListBand } from './ListBand.tsx';
import { linesNow, rowsThatFit } from '../rows/feedPages.ts';
import { possibleForms, touchingOf, whatTouches } from './routeEntries.ts';
import {
  departureAhead,
  type Departing,
  EntryName,
  type Known,
  Leaves,
  ListFrame,
  type ListPageProps,
  noteOf,
  WallList,
} from './WallList.tsx';
import { entryStateOf } from './WallRoutes.tsx';
import styles from './WallList.module.css';
import { arrivesWords } from '#contract/watches/arrival.ts';
import { shortNameOf } from '#contract/feeds/knownSources.ts';
import { sayingOnWall, wallForms } from '../words/shownTitle.ts';
import { formatClock } from '../../../time/london.ts';
import { MAY_BE_BEHIND, reachWords, type Touch } from '../../../watches/timeWindow.ts';
import { LIST_HEIGHT, UPRIGHT_LIST_HEIGHT, useForm } from '../words/wallMeasures.ts';
import { wallClock } from '../words/shownTime.ts';

const HEADS = ['Leaves', 'From and to', 'What touches it', 'Due', 'Arrives'];
const ROWS = {
  usual: { most: 14, height: LIST_HEIGHT, least: 44 },
  upright: { most: 14, height: UPRIGHT_LIST_HEIGHT, least: 84 },
};

export interface KnownJobs {
  data: Jobs;
  at: Date;
}

/** The day's jobs that have not arrived, worst first, each with what touches its way and whether it arrives in time. */
export function JobsPage({
  jobs,
  routes,
  watchIds,
  turn,
  pinned,
  ...page
}: ListPageProps & {
  jobs: KnownJobs;
  routes: Known;
  /** Only jobs on these routes; null: all. */
  watchIds: readonly string[] | null;
  pinned: boolean;
}) {
  const at = jobs.at < routes.at ? jobs.at : routes.at;
  const { all, open, isOld, now } = useOpenJobs(jobs.data, routes, watchIds, at);
  const upright = useForm() === 'upright';
  const day = jobs.data.day;
  const isToday = day === londonDay(now);
  const of = counted(open.length, 'job');
  const entries = open.map((one) => jobEntry(one, { now, isOld }));
  const most = rowsThatFit(ROWS[upright ? 'upright' : 'usual'], page.band);
  const { elsewhere, ...shown } = linesNow(entries, most, turn);
  return (
    <ListFrame
      {...page}
      title={isToday ? 'Jobs today' : 'Jobs'}
      {...noteOf(of, elsewhere, isOld ? `as of ${sinceText(at, now)}` : dayWords(day))}
      what="Jobs"
      at={at}
      states={open.map(jobState)}
      worst={
        open.length > 0 && (
          <ListBand
            touching={touchingOf(open.flatMap(({ state }) => (state ? [{ state }] : [])))}
            of={of}
            ours="our jobs"
            asOf={isOld ? at : null}
            pinned={pinned}
            {...(open.every(isOnTime) && { calm: onTimeWords(open.length, isOld) })}
          />
        )
      }
    >
      {open.length === 0 ? (
        <p className={styles.none}>{noneWords(all, isToday ? 'today' : `on ${dayWords(day)}`)}</p>
      ) : (
        <WallList kind="jobs" {...shown} most={most} heads={HEADS} isOld={isOld} Row={Job} />
      )}
    </ListFrame>
  );
}

/** Jobs that have neither arrived nor been cancelled, with their states now. For an old answer, the states at its
 *  time. */
function useOpenJobs({ jobs }: Jobs, routes: Known, watchIds: readonly string[] | null, at: Date) {
  const judged = useJudgedAgain();
  const isOld = useIsOld(at);
  const asleep = useAsleep(routes.data.incidents);
  return useMemo(() => {
    const now = isOld ? at : new Date(judged);
    // Routes of a later time than the jobs would look like those of a wrong clock, which nobody may rely on.
    const known = knownOf(routes.data, isOld ? at : routes.at);
    const watches = new Map(routes.data.watches.map((watch) => [watch.id, watch]));
    const all = jobs
      .filter(({ watch_id }) => !watchIds || (watch_id !== null && watchIds.includes(watch_id)))
      .map((job) => awakeJob(dayJob(job, { watches, known }, now), asleep, now));
    return { all: all.length, open: jobsOnWall(all.filter(({ group }) => group !== 'done')), isOld, now };
  }, [jobs, routes, watchIds, asleep, isOld, judged, at]);
}

const DAY = london({ weekday: 'long', day: 'numeric', month: 'long' });
/** "Tuesday 24 November" */
const dayWords = (day: string): string => DAY.format(new Date(`${day}T12:00:00Z`)).replace(',', '');

const noneWords = (all: number, when: string): string =>
  all === 0 ? `No jobs ${when}.` : `All jobs ${when} are done: ${all}.`;

function onTimeWords(count: number, isOld: boolean): string {
  const all = count === 1 ? 'Our job' : `All ${count}`;
  if (isOld) return `${all} ${count === 1 ? 'was' : 'were'} on time.`;
  return `${all}${count === 1 ? ' is' : ''} on time, as far as we know.`;
}

const GAP = 18;
/** The room for each text, at the size at which it is measured. Upright, the arrival is beside the name, and the due
 *  time beside what touches the way. */
const ROOM = {
  usual: { size: 38, name: () => (480 * 45) / 38, what: () => (552 * 36) / 31, arrives: 330 },
  upright: {
    size: 42,
    name: (arrives: number) => ((856 - arrives - GAP) * 45) / 42,
    what: (due: number) => ((794 - due - GAP) * 36) / 31,
    arrives: 440,
  },
};

function Job({ entry, isNext }: { entry: JobEntry; isNext: boolean }) {
  const { state, name, what, due, arrives, isNews } = entry;
  const room = ROOM[useForm() === 'upright' ? 'upright' : 'usual'];
  const arrival = fittingWhole(arrives, room.arrives, 'listTime');
  const [arrivalWidth, dueWidth] = [textWidth(arrival, 'listTime'), textWidth(`due ${due}`, 'listTime')];
  return (
    <>
      <Leaves entry={entry} isNext={isNext} />
      <EntryName name={name} room={room.name(Math.max(arrivalWidth, dueWidth))} size={room.size} />
      <EntryMark state={state} />
      <span className={styles.what}>{fitting(what, room.what(dueWidth), 'listWhat')}</span>
      <span className={styles.due}>{due}</span>
      <span className={styles.arrives} data-news={isNews || undefined}>
        {arrival}
      </span>
    </>
  );
}

/** A job as a line of the wall's list. It never holds the vehicle, driver, reference, note or the purpose of the
 *  deadline. */
interface JobEntry extends Departing {
  id: string;
  state: EntryState;
  name: string;
  /** The fullest form first. */
  what: readonly string[];
  /** The planned arrival; '' when there is none. */
  due: string;
  /** The fullest form first. */
  arrives: readonly string[];
  /** True: the arrival is not as planned. */
  isNews: boolean;
}

/** The jobs in this order: critical; will miss its deadline; other grades; unreliable; possible; no route; clear.
 *  Within each by time. */
const jobsOnWall = (jobs: readonly DayJob[]): DayJob[] =>
  jobs.toSorted(
    (a, b) =>
      wallRank(a) - wallRank(b) ||
      Date.parse(a.job.leaves_at) - Date.parse(b.job.leaves_at) ||
      (a.job.id < b.job.id ? -1 : 1),
  );

const MISSES = 0.5;
/** After possible trouble, and before jobs without a route. */
const MAY_MISS = 38.5;

function wallRank(one: DayJob): number {
  const rank = jobRank(one);
  const verdict = one.arrival?.verdict?.kind;
  if (verdict === 'will') return Math.min(rank, MISSES);
  return verdict === 'may' ? Math.min(rank, MAY_MISS) : rank;
}

const ON_THE_WAY = 'on the way';

/** The state of a job. A job that will miss its deadline is not clear, even if nothing touches its way. */
function jobState({ state, arrival }: DayJob): EntryState {
  const way = state ? entryStateOf(state) : 'unknown';
  const verdict = arrival?.verdict?.kind;
  return way === 'clear' && verdict ? (MISSED[verdict] ?? way) : way;
}

const MISSED: Readonly<Partial<Record<string, EntryState>>> = { will: 'late', may: 'possible' };

/** Whether nothing is known to be wrong with its way, and it is neither early nor late. */
const isOnTime = (one: DayJob): boolean => jobState(one) === 'clear' && one.arrival?.kind === 'due';

function jobEntry(one: DayJob, { now, isOld }: { now: Date; isOld: boolean }): JobEntry {
  const { job, group } = one;
  const { clock, weekday } = leavesWords({ ...job, day: londonDay(now) });
  const counted = isOld || group === 'later' ? '' : slotWords(one, now);
  const [arrives, isNews] = arrivalOnWall(one);
  return {
    id: job.id,
    state: jobState(one),
    name: tripName(job),
    what: whatOf(one, now, isOld),
    leaves: clock,
    // The minutes from now already show the day; there is no room for both.
    soon: job.left_at === null ? counted || (weekday ?? '') : ON_THE_WAY,
    isOnWay: job.left_at !== null && !isOld,
    departsAt: departureAhead(new Date(job.leaves_at), job.left_at === null ? counted : '', now),
    due: dueWords(one),
    arrives,
    isNews,
  };
}

/** The due time. A job without a route has one only if its sheet gives it. */
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

function whatOf(one: DayJob, now: Date, isOld: boolean): readonly string[] {
  const { job, state } = one;
  if (!state) return [NO_ROUTE];
  const [worst] = state.certain;
  if (worst) return touchForms(worst, state, now);
  const { sources, since } = state.silence ?? {};
  if (sources && since)
    return [
      `${sources.map(shortNameOf).join(', ')} silent since ${wallClock(since, now)}`,
      'Do not rely on this',
    ];
  const perhaps = state.standing === 'possible' ? state.possible[0]?.alert : null;
  if (perhaps) return possibleForms(sidelessOf(perhaps));
  if (entryStateOf(state) !== 'clear' || jobState(one) === 'clear')
    return whatTouches(state, now, isOld).what;
  const late = Math.round((Date.parse(job.left_at ?? '') - Date.parse(job.leaves_at)) / 60_000);
  return late > 0 ? [`Left ${late} min late`] : ['Nothing known on its way'];
}

/** "M62 J26 to J27: closed, reached about 06:26". The direction is left out, because it is the job's own. */
function touchForms(touch: Touch, { trip }: Pick<RouteState, 'trip'>, now: Date): readonly string[] {
  const { alert } = touch;
  if (!alert) return ['Alert without a title'];
  const sideless = sidelessOf(alert);
  const forms = wallForms(sideless);
  const reached = trip ? reachWords(trip, touch, now) : '';
  if (!reached) return forms;
  const reach = reached.startsWith(MAY_BE_BEHIND) ? MAY_BE_BEHIND : reached;
  const reaches = [reach, reach.replace(' about ', ' ')];
  return [...sayingOnWall(sideless).flatMap((form) => reaches.map((words) => `${form}, ${words}`)), ...forms];
}

function sidelessOf(alert: Alert): Alert {
  const place = alert.facts?.place?.replace(SIDE, '');
  return place ? { ...alert, facts: { ...alert.facts, place, direction: null } } : alert;
}

const SIDE = / (?:(?:north|south|east|west)bound|(?:anti-)?clockwise)\b,?/;
