/** The use of the service: its figures, for administrators, and the events that they count. */
import { AnalyticsOverview, API_USAGE_ROWS, ApiUsageRow } from '#contract/accounts/analytics.ts';
import { z } from 'zod/mini';
import { call, read } from '../http.ts';
import { items, list, maybe, tolerant } from '../tolerant.ts';
import { sessionId } from '../tokens.ts';
import { useEffect } from 'react';

const Overview = tolerant(AnalyticsOverview, null, {
  top_endpoints_last_24_hours: z.catch(
    items(tolerant(AnalyticsOverview.shape.top_endpoints_last_24_hours.def.element)),
    [],
  ),
  recent_events: z.catch(items(tolerant(AnalyticsOverview.shape.recent_events.def.element, 'id')), []),
});
/** How much the service is used, as read. The lists are guaranteed; every figure may be missing. */
export type Overview = z.output<typeof Overview>;

const UsageRow = tolerant(ApiUsageRow, 'id', { auth_type: maybe(z.string()) });
export type UsageRow = z.output<typeof UsageRow>;

/** Loads both, or fails: a page with half of its figures would mislead. */
export async function loadAnalytics(
  signal?: AbortSignal,
): Promise<{ overview: Overview; calls: UsageRow[] }> {
  const [overview, calls] = await Promise.all([
    read(Overview, 'analytics/overview', { signal }),
    read(list(UsageRow, 'usage'), 'analytics/api-usage', { signal, searchParams: { limit: API_USAGE_ROWS } }),
  ]);
  return { overview: overview.data, calls: calls.data.items };
}

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
