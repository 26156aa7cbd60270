import { london, londonDay } from '#contract/london.ts';
import { useMemo } from 'react';
import type { Jobs } from '../../../api/watches/jobs.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { useAsleep } from '../../../shift/inHand/inHandStore.ts';
import { isStale } from '../../../time/freshness.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { counted } from '../../../ui/numbers.ts';
import { awakeJob, dayJob, isRunning } from '../../../watches/dayJobs.ts';
import { knownOf } from '../../../watches/watchState.ts';
import { useForm } from '../words/form.ts';
import { fits, fitting, textWidth } from '../words/wallFit.ts';
import { EntryMark } from './EntryMark.tsx';
import { isOnTime, jobEntry, type JobEntry, jobsOnWall, jobState, ON_THE_WAY } from './jobEntries.ts';
import { ListBand } from './ListBand.tsx';
import { touchingOf } from './routeEntries.ts';
import { type Known, ListFrame, type ListPageProps, WallList } from './WallList.tsx';
import { JUDGE_MS } from './WallRoutes.tsx';
import styles from './WallList.module.css';

const HEADS = ['Leaves', 'From and to', 'What touches it', 'Due', 'Arrives'];
const MOST = 14;

export interface KnownJobs {
  data: Jobs;
  at: Date;
}

/** The day's jobs that have not arrived, worst first, each with what touches its way and whether it arrives in time. */
export function JobsPage({
  jobs,
  routes,
  watchIds,
  pinned = false,
  ...page
}: ListPageProps & {
  /** Null: none are known yet. */
  jobs: KnownJobs | null;
  routes: Known | null;
  /** Only jobs on these routes; null: all. */
  watchIds: readonly string[] | null;
  pinned?: boolean;
}) {
  if (routes && jobs)
    return <JobsOfDay {...page} jobs={jobs} routes={routes} watchIds={watchIds} pinned={pinned} />;
  return (
    <ListFrame {...page} title="Jobs today" note="" what="Jobs" states={[]} worst={null}>
      <p className={styles.none}>
        {routes ? 'The jobs have not been received yet.' : 'This display was given no routes.'}
      </p>
    </ListFrame>
  );
}

function JobsOfDay({
  jobs,
  routes,
  watchIds,
  turn,
  pinned,
  ...page
}: ListPageProps & {
  jobs: KnownJobs;
  routes: Known;
  watchIds: readonly string[] | null;
  pinned: boolean;
}) {
  const at = jobs.at < routes.at ? jobs.at : routes.at;
  const { all, open, isOld, now } = useOpenJobs(jobs.data, routes, watchIds, at);
  const day = jobs.data.day;
  const isToday = day === londonDay(now);
  const of = counted(open.length, 'job');
  return (
    <ListFrame
      {...page}
      title={isToday ? 'Jobs today' : 'Jobs'}
      note={isOld ? `${of}, as of ${sinceText(at, now)}` : `${of}, ${dayWords(day)}`}
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
        <WallList
          kind="jobs"
          entries={open.map((one) => jobEntry(one, { now, isOld }))}
          most={MOST}
          heads={HEADS}
          turn={turn}
          isOld={isOld}
          Row={Job}
        />
      )}
    </ListFrame>
  );
}

/** Jobs that have neither arrived nor been cancelled, as they stand at this moment; of an old answer as of its time. */
function useOpenJobs({ jobs, day }: Jobs, routes: Known, watchIds: readonly string[] | null, at: Date) {
  const judged = useClock((now) => Math.floor(now.getTime() / JUDGE_MS) * JUDGE_MS);
  const isOld = useClock((now) => isStale(at, now));
  const asleep = useAsleep(routes.data.incidents);
  return useMemo(() => {
    const now = isOld ? at : new Date(judged);
    const known = knownOf(routes.data, routes.at);
    const watches = new Map(routes.data.watches.map((watch) => [watch.id, watch]));
    const all = jobs
      .filter((job) => job.day === day || isRunning(job, now))
      .filter(({ watch_id }) => !watchIds || (watch_id !== null && watchIds.includes(watch_id)))
      .map((job) => awakeJob(dayJob(job, { watches, known }, now), asleep, now));
    return { all: all.length, open: jobsOnWall(all.filter(({ group }) => group !== 'done')), isOld, now };
  }, [jobs, day, routes, watchIds, asleep, isOld, judged, at]);
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
/** The room for each text, at the size at which it is measured. Upright the arrival is beside the name, what is due beside
 *  what touches it. */
const ROOM = {
  usual: { name: () => (480 * 45) / 38, what: () => (552 * 36) / 31, arrives: 330 },
  upright: {
    name: (arrives: number) => ((856 - arrives - GAP) * 45) / 42,
    what: (due: number) => ((794 - due - GAP) * 36) / 31,
    arrives: 440,
  },
};

function Job({ entry: { state, name, what, leaves, soon, due, arrives, isNews } }: { entry: JobEntry }) {
  const room = ROOM[useForm() === 'upright' ? 'upright' : 'usual'];
  // Never cut: a part of it would say something else.
  const arrival = arrives.find((form) => fits(form, room.arrives, 'listTime')) ?? arrives.at(-1) ?? '';
  return (
    <>
      <EntryMark state={state} />
      <h3>
        <bdi>{fitting([name], room.name(textWidth(arrival, 'listTime')), 'listName')}</bdi>
      </h3>
      <span className={styles.what}>
        {fitting(what, room.what(textWidth(`due ${due}`, 'listTime')), 'listWhat')}
      </span>
      <span className={styles.due}>{due}</span>
      <span className={styles.arrives} data-news={isNews || undefined}>
        {arrival}
      </span>
      <span className={styles.leaves}>
        <time>{leaves}</time>
        {soon && <small data-way={soon === ON_THE_WAY || undefined}>{soon}</small>}
      </span>
    </>
  );
}
