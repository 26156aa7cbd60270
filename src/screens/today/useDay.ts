import { dayAfter } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { listJobs } from '../../api/watches/jobs.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useUnknownAt, whenSent } from '../../shift/inHand/sendActions.ts';
import { isRunning } from '../../watches/dayJobs.ts';
import { knownOf } from '../../watches/watchState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { useClock } from '../../time/tickingClock.ts';
import { withMarks } from './marks.ts';

/** The jobs of a day, today's with those of the night before, and what touches their routes, each as old as its own answer; the older of both counts. */
export function useDay(day: string) {
  const routes = useWatches();
  const line = useRefreshed(`jobs ${day}`, (signal) => listJobs(day, signal));
  // At midnight the vehicles of the day before are still on the way.
  const before = dayAfter(day, -1);
  const isToday = useClock((now) => londonDay(now) === day);
  const night = useRefreshed(isToday ? `jobs ${before}` : null, (signal) => listJobs(before, signal));
  const unknown = useUnknownAt(line.at);
  const renew = useEffectEvent(() => {
    void line.renew();
    void night.renew();
  });
  useEffect(() => whenSent(renew), []);
  const minute = useClock((now) => Math.floor(now.getTime() / 60_000));
  const jobs = useMemo(() => {
    if (!line.data) return null;
    const running = (night.data?.jobs ?? []).filter((job) => isRunning(job, new Date(minute * 60_000)));
    return withMarks([...running, ...line.data.jobs], [...unknown.taken, ...unknown.waiting]);
  }, [line.data, night.data, minute, unknown]);
  const known = useMemo(
    () => (routes.data && routes.at ? knownOf(routes.data, routes.at) : null),
    [routes.data, routes.at],
  );
  const watches = useMemo(
    () => new Map((routes.data?.watches ?? []).map((watch) => [watch.id, watch])),
    [routes.data],
  );
  const older = line.at && routes.at && routes.at < line.at ? routes : line;
  return {
    jobs,
    watches,
    known,
    sources: routes.data?.sources ?? [],
    routes,
    line: {
      at: older.at,
      problem: line.problem ?? routes.problem,
      refreshing: line.refreshing || routes.refreshing,
      askedAt: line.askedAt,
      nextTryAt: line.nextTryAt ?? routes.nextTryAt,
    },
    refused: line.refused,
    renew: async () => {
      await Promise.all([line.renew(), night.renew(), routes.renew()]);
    },
  };
}
