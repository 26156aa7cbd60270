import { listDisplayRoutes, listWatches, type Watches } from '../api/watches/watches.ts';
import { londonDay } from '#contract/london.ts';
import { type Jobs, listDisplayJobs, listJobs } from '../api/watches/jobs.ts';
import { serverNow } from '../time/freshness.ts';
import { useRefreshed } from '../feeds/refresh/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure. They are refreshed
 *  sooner while one of them is not matched yet. */
export const useWatches = (live = true) =>
  useRefreshed(live ? 'watches' : null, listWatches, 'attended', isChecking);

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
