import { useEffect, useEffectEvent, useMemo } from 'react';
import { listJobs } from '../../api/watches/jobs.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useUnknownAt, whenSent } from '../../shift/inHand/sendActions.ts';
import { knownOf } from '../../watches/watchState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { withMarks } from './marks.ts';

/** The jobs of a day and what touches their routes, each as old as its own answer; the older of both counts. */
export function useDay(day: string) {
  const routes = useWatches();
  const line = useRefreshed(`jobs ${day}`, (signal) => listJobs(day, signal));
  const unknown = useUnknownAt(line.at);
  const renew = useEffectEvent(() => void line.renew());
  useEffect(() => whenSent(renew), []);
  const jobs = useMemo(
    () => line.data && withMarks(line.data.jobs, [...unknown.taken, ...unknown.waiting]),
    [line.data, unknown],
  );
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
      await Promise.all([line.renew(), routes.renew()]);
    },
  };
}
