/** The events that the service's use is counted by. */
import { call } from '../http.ts';
import { sessionId } from '../tokens.ts';
import { useEffect } from 'react';

export type ViewEvent = 'map_viewed' | 'disruptions_board_viewed' | 'api_keys_viewed';

/** Reports that a screen was opened. Never fails: usage tracking must not disturb the page. */
export async function trackView(event_type: ViewEvent): Promise<void> {
  try {
    await call('analytics/events', {
      method: 'post',
      json: { event_type, event_category: 'navigation', session_id: sessionId() },
    });
  } catch {
    /* by design */
  }
}

/** Reports the opening of a screen, once per visit. */
export function useTrackView(event: ViewEvent) {
  useEffect(() => {
    // In development React mounts every screen twice; only the second counts.
    const visit = setTimeout(() => void trackView(event));
    return () => clearTimeout(visit);
  }, [event]);
}
