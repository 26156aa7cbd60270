import { HOUR_MS } from '#contract/durations.ts';
import { dayAfter, NOW_HOURS } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { listJobs } from '../../api/watches/jobs.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useUnknownAt, whenSent } from '../../shift/inHand/sendActions.ts';
import { knownOf } from '../../watches/watchState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { useClock } from '../../time/tickingClock.ts';
import { withMarks } from './marks.ts';

const soonFrom = (now: Date) => new Date(now.getTime() + NOW_HOURS * HOUR_MS);

/** The jobs of a day with the alerts on their routes. Today also has jobs of the night before, and jobs that leave
 *  soon after midnight. Each answer has its own age; the older one counts. */
export function useDay(day: string) {
  const routes = useWatches();
  const line = useRefreshed(`jobs ${day}`, (signal) => listJobs(day, signal));
  const isToday = useClock((now) => londonDay(now) === day);
  // From two hours before midnight on, jobs of the next day leave soon.
  const isLate = useClock((now) => isToday && londonDay(soonFrom(now)) !== day);
  const after = dayAfter(day);
  const morning = useRefreshed(isLate ? `jobs ${after}` : null, (signal) => listJobs(after, signal));
  const unknown = useUnknownAt(line.at);
  const renew = useEffectEvent(() => {
    void line.renew();
    void morning.renew();
  });
  useEffect(() => whenSent(renew), []);
  const minute = useClock((now) => Math.floor(now.getTime() / 60_000));
  const jobs = useMemo(() => {
    if (!line.data) return null;
    const now = new Date(minute * 60_000);
    const own = line.data.jobs.filter((job) => job.day === day || isToday);
    const soon = (morning.data?.jobs ?? []).filter(
      (job) => job.day === after && Date.parse(job.leaves_at) <= soonFrom(now).getTime(),
    );
    return withMarks([...own, ...soon], [...unknown.taken, ...unknown.waiting]);
  }, [line.data, morning.data, day, after, isToday, minute, unknown]);
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
      await Promise.all([line.renew(), morning.renew(), routes.renew()]);
    },
  };
}
