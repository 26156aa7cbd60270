import { listDisplayRoutes, listWatches, readWatches, type Watches } from '../api/watches/watches.ts';
import { londonDay } from '#contract/london.ts';
import { type Jobs, listDisplayJobs, listJobs } from '../api/watches/jobs.ts';
import { serverNow } from '../time/freshness.ts';
import { useKept, useRefreshed } from '../feeds/refresh/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure, also without a worker.
 *  They are refreshed sooner while one of them is not matched yet. */
export function useWatches(live = true) {
  const name = live ? 'watches' : null;
  const line = useRefreshed(name, listWatches, 'attended', isChecking);
  const kept = useKept(name, line, readWatches);
  return line.data || !line.problem || !kept ? line : { ...line, data: kept.data, at: kept.at };
}

const isChecking = ({ watches }: Watches) => watches.some(({ checking }) => checking);

/** The watches on a wall: all of the team's for a signed-in user, those that it was given for a paired display. */
export const useWallWatches = (of: 'team' | 'display' | null) =>
  useRefreshed(of, of === 'display' ? listDisplayRoutes : listWatches, 'unattended', isChecking);

/** Today's jobs on a wall, in the same way; null before the first answer. */
export function useWallJobs(of: 'team' | 'display' | null): { data: Jobs; at: Date } | null {
  const { data, at } = useRefreshed(
    of && `jobs of ${of}`,
    (signal) => (of === 'display' ? listDisplayJobs(signal) : listJobs(londonDay(serverNow()), signal)),
    'unattended',
  );
  return data && at ? { data, at } : null;
}
