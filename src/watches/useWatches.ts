import { listWatches } from '../api/watches.ts';
import { useRefreshed } from '../feeds/useRefreshed.ts';

/** The team's routes and areas, refreshed as often as the board and kept through every failure. */
export const useWatches = (live = true) => useRefreshed(live ? 'watches' : null, listWatches);
