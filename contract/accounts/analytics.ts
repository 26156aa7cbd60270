/** Usage: what the app reports about itself (losing it does not affect users), and what administrators see. */
import { z } from 'zod/mini';

/** Written only by the server: the app cannot report a sign-in. */
export const SESSION_CATEGORY = 'session';
export const LOGIN_EVENT = 'login';

export const UsageEvent = z.object({
  event_type: z.string().check(z.minLength(1), z.maxLength(64)),
  event_category: z.string().check(z.minLength(1), z.maxLength(64)),
  session_id: z.nullish(z.string().check(z.maxLength(128))),
});
export type UsageEvent = z.infer<typeof UsageEvent>;

/** The periods are specified: 7 days and 24 hours. They end with the current day and hour (UTC). */
export const AnalyticsOverview = z.object({
  logins_last_7_days: z.int(),
  /** Users who signed in or made a call, directly or with a key. */
  active_users_last_24_hours: z.int(),
  api_requests_last_24_hours: z.int(),
  /** Busiest first. `endpoint` is the route, such as `/api/v1/feeds/{slug}`: no ids, no query. */
  top_endpoints_last_24_hours: z.array(
    z.object({
      method: z.string(),
      endpoint: z.string(),
      count: z.int(),
      avg_response_ms: z.number(),
    }),
  ),
  /** Newest first. */
  recent_events: z.array(
    z.object({
      id: z.string(),
      /** Null when the person has since been deleted. */
      display_name: z.nullable(z.string()),
      event_type: z.string(),
      event_category: z.string(),
      occurred_at: z.iso.datetime(),
    }),
  ),
  /** 24 hours without gaps, oldest first. `failed` counts answers with status 500 or above. */
  requests_by_hour: z.array(z.object({ hour: z.iso.datetime(), count: z.int(), failed: z.int() })),
  /** 7 days (UTC) without gaps, oldest first, YYYY-MM-DD. */
  logins_by_day: z.array(z.object({ day: z.string(), count: z.int() })),
});
export type AnalyticsOverview = z.infer<typeof AnalyticsOverview>;

export const AuthType = z.enum(['session', 'api_key', 'display', 'none']);

export const ApiUsageRow = z.object({
  id: z.string(),
  endpoint: z.string(),
  method: z.string(),
  status_code: z.int(),
  /** Null for a call without a user, or when the person has since been deleted. */
  user_email: z.nullable(z.string()),
  auth_type: AuthType,
  response_time_ms: z.number(),
  created_at: z.iso.datetime(),
});
export type ApiUsageRow = z.infer<typeof ApiUsageRow>;

export const API_USAGE_ROWS = 50;
export const API_USAGE_ROWS_MAX = 500;

/** `total` is counted up to 10,000. */
export const ApiUsage = z.object({ usage: z.array(ApiUsageRow), total: z.int() });
export type ApiUsage = z.infer<typeof ApiUsage>;
