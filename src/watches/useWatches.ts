import { listDisplayRoutes, listWatches, type Watches } from '../api/watches/watches.ts';
import { useRefreshed } from '../feeds/refresh/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure; sooner while one of them
 *  is not yet matched. */
export const useWatches = (live = true) =>
  useRefreshed(live ? 'watches' : null, listWatches, 'attended', isChecking);

const isChecking = ({ watches }: Watches) => watches.some(({ checking }) => checking);

/** What a wall shows: of a signed-in user all of the team's, of a paired display those that it was given. */
export const useWallWatches = (of: 'team' | 'display' | null) =>
  useRefreshed(of, of === 'display' ? listDisplayRoutes : listWatches, 'unattended', isChecking);
