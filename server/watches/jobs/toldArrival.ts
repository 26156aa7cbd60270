/** The arrival forecast when a job leaves, and how often it was right. */
import { HELD_MINUTES, type JobStats } from '#contract/history/history.ts';
import { arrivalOfJob } from '#contract/watches/arrival.ts';
import { type Job, JOB_LIMITS } from '#contract/watches/jobs.ts';
import type { Db } from '../../db/open.ts';
import type { Collector } from '../../incidents/collector.ts';
import { watchList } from '../watchAnswers.ts';
import { jobs } from './jobStore.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

/** Null if no arrival can be told: without a route, with a closed road, or with a delay of unknown length. */
export function arrivalTeller(parts: Parts) {
  const { now } = parts;
  return async (teamId: string, job: Job): Promise<{ earliest: Date; latest: Date } | null> => {
    if (job.watch_id === null) return null;
    const { list } = await watchList(parts, teamId, [job.watch_id], now());
    const watch = list.watches.find(({ id }) => id === job.watch_id);
    if (!watch?.matches || watch.checking) return null;
    const incidents = new Map(list.incidents.map((one) => [one.event_id, one]));
    const certain = watch.matches.flatMap((match) => {
      const incident = match.level === 'certain' ? incidents.get(match.subject_id) : undefined;
      return incident ? [{ match, incident }] : [];
    });
    const arrival = arrivalOfJob(job, { lengthKm: watch.length_km, certain }, now());
    return arrival.kind === 'told' || arrival.kind === 'due' ? arrival : null;
  };
}

const GRACE_MS = HELD_MINUTES * 60_000;

/** Only jobs that are still kept. */
export async function heldStats(
  db: Db,
  teamId: string,
  since: Date,
): Promise<Pick<JobStats, 'jobs' | 'held' | 'early' | 'late' | 'share'>> {
  const all = await jobs(db).arrived(teamId, since);
  const early = all.filter(
    ({ arrived_at, told_from }) => Date.parse(arrived_at) < Date.parse(told_from) - GRACE_MS,
  ).length;
  const late = all.filter(
    ({ arrived_at, told_to }) => Date.parse(arrived_at) > Date.parse(told_to) + GRACE_MS,
  ).length;
  const held = all.length - early - late;
  const isEnough = all.length >= JOB_LIMITS.heldFrom;
  return {
    jobs: all.length,
    held,
    early,
    late,
    share: isEnough ? Math.round((held / all.length) * 10_000) / 10_000 : null,
  };
}
