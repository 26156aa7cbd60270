import { listDisplayRoutes, listWatches } from '../api/watches.ts';
import { useRefreshed } from '../feeds/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure. */
export const useWatches = (live = true) => useRefreshed(live ? 'watches' : null, listWatches);

/** What a wall shows: of a signed-in user all of the team's, of a paired display those that it was given. */
export const useWallWatches = (of: 'team' | 'display' | null) =>
  useRefreshed(of, of === 'display' ? listDisplayRoutes : listWatches, 'unattended');
