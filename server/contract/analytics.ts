/** Usage: what the app reports of itself (its loss never matters to the user), and what administrators see of it. */
import { z } from 'zod/mini';

/** Written by the server alone: the app cannot report a sign-in. */
export const SESSION_CATEGORY = 'session';
export const LOGIN_EVENT = 'login';

export const UsageEvent = z.object({
  event_type: z.string().check(z.minLength(1), z.maxLength(64)),
  event_category: z.string().check(z.minLength(1), z.maxLength(64)),
  session_id: z.nullish(z.string().check(z.maxLength(128))),
});
export type UsageEvent = z.infer<typeof UsageEvent>;

/** The windows are specified: 7 days, 24 hours. Both end with the hour, or the day, that is running (UTC). */
export const AnalyticsOverview = z.object({
  logins_last_7_days: z.int(),
  /** Users who signed in or made a call, themselves or by a key. */
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
      /** Null for a person who was deleted since. */
      display_name: z.nullable(z.string()),
      event_type: z.string(),
      event_category: z.string(),
      occurred_at: z.iso.datetime(),
    }),
  ),
  /** Oldest first, without a gap: 24 hours. `failed` counts the answers from 500 up. */
  requests_by_hour: z.array(z.object({ hour: z.iso.datetime(), count: z.int(), failed: z.int() })),
  /** Oldest first, without a gap: 7 days (UTC), YYYY-MM-DD. */
  logins_by_day: z.array(z.object({ day: z.string(), count: z.int() })),
});
export type AnalyticsOverview = z.infer<typeof AnalyticsOverview>;

export const AuthType = z.enum(['session', 'api_key', 'display', 'none']);
export type AuthType = z.infer<typeof AuthType>;

export const ApiUsageRow = z.object({
  id: z.string(),
  endpoint: z.string(),
  method: z.string(),
  status_code: z.int(),
  /** Null for a call without a user, or of a person who was deleted since. */
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
