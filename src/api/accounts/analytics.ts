/** Usage events. */
import { call } from '../http.ts';
import { sessionId } from '../tokens.ts';

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
