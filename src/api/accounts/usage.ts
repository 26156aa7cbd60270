/** Figures on the use of the service, for administrators. */
import { AnalyticsOverview, API_USAGE_ROWS, ApiUsageRow } from '#contract/accounts/analytics.ts';
import { z } from 'zod/mini';
import { read } from '../http.ts';
import { items, list, maybe, tolerant } from '../tolerant.ts';

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
