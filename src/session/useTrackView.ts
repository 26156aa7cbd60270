import { useEffect } from 'react';
import { trackView, type ViewEvent } from '../api/accounts/analytics.ts';

/** Reports the opening of a screen, once per visit. */
export function useTrackView(event: ViewEvent) {
  useEffect(() => {
    // In development React mounts every screen twice; only the second counts.
    const visit = setTimeout(() => void trackView(event));
    return () => clearTimeout(visit);
  }, [event]);
}
