import { listDisplayRoutes, listWatches, type Watches } from '../api/watches/watches.ts';
import { londonDay } from '#contract/london.ts';
import { type Jobs, listDisplayJobs, listJobs } from '../api/watches/jobs.ts';
import { serverNow } from '../time/freshness.ts';
import { useRefreshed } from '../feeds/refresh/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure; sooner while one of them
 *  is not yet matched. */
export const useWatches = (live = true) =>
  useRefreshed(live ? 'watches' : null, listWatches, 'attended', isChecking);

const isChecking = ({ watches }: Watches) => watches.some(({ checking }) => checking);

/** Watches on a wall: of a signed-in user all of the team's, of a paired display those that it was given. */
export const useWallWatches = (of: 'team' | 'display' | null) =>
  useRefreshed(of, of === 'display' ? listDisplayRoutes : listWatches, 'unattended', isChecking);

/** Today's jobs, of the same; null before the first answer. */
export function useWallJobs(of: 'team' | 'display' | null): { data: Jobs; at: Date } | null {
  const { data, at } = useRefreshed(
    of && `jobs of ${of}`,
    (signal) => (of === 'display' ? listDisplayJobs(signal) : listJobs(londonDay(serverNow()), signal)),
    'unattended',
  );
  return data && at ? { data, at } : null;
}
