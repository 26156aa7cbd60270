/** /api/v1/analytics: the app's reports about its use, and the figures for administrators. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  AnalyticsOverview,
  API_USAGE_ROWS,
  API_USAGE_ROWS_MAX,
  ApiUsage,
  SESSION_CATEGORY,
  UsageEvent,
} from '#contract/accounts/analytics.ts';
import * as example from '../reference/sharedExamples.ts';
import type { Db } from '../../db/open.ts';
import { usage } from '../../http/usage/usage.ts';
import { badInput } from '../../refusals.ts';
import { limit } from '../../http/calls/parameters.ts';
import type { UsageLog } from '../../http/usage/usageLog.ts';

export const analyticsCalls =
  ({ db, now, usageLog }: { db: Db; now: () => Date; usageLog: UsageLog }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post('/events', {
      who: 'user',
      costs: 'work',
      sent: { event_type: 'map_viewed', event_category: 'navigation', session_id: example.SESSION_ID },
      operationId: 'reportUse',
      summary: 'Report a usage event',
      description: 'The app reports which of its pages was opened. A lost report does no harm.',
      body: UsageEvent,
      handler: async ({ body, user }) => {
        if (body.event_category === SESSION_CATEGORY) {
          throw badInput(`event_category ${SESSION_CATEGORY} may be written only by the server`);
        }
        await usage(db).noteEvent({
          user_id: user.id,
          event_type: body.event_type,
          event_category: body.event_category,
          session_id: body.session_id ?? null,
          occurred_at: now(),
        });
      },
    });

    app.get('/overview', {
      who: 'admin',
      costs: 'work',
      answer: {
        logins_last_7_days: 12,
        active_users_last_24_hours: 4,
        api_requests_last_24_hours: 5230,
        top_endpoints_last_24_hours: [
          { method: 'GET', endpoint: '/api/v1/feeds', count: 4100, avg_response_ms: 1.8 },
        ],
        recent_events: [
          {
            id: '1042',
            display_name: example.user.display_name,
            event_type: 'login',
            event_category: 'session',
            occurred_at: '2026-11-21T07:58:12.000Z',
          },
        ],
        requests_by_hour: [{ hour: '2026-11-21T08:00:00.000Z', count: 218, failed: 0 }],
        logins_by_day: [{ day: '2026-11-21', count: 3 }],
      },
      operationId: 'readOverview',
      summary: 'Usage figures of the service',
      description: 'Sign-ins of seven days, users, calls and the busiest endpoints of 24 hours.',
      response: { 200: AnalyticsOverview },
      handler: async () => {
        await usageLog.flush(); // otherwise the latest calls would seem to be missing
        return usage(db).overview(now());
      },
    });

    app.get('/api-usage', {
      who: 'admin',
      costs: 'work',
      answer: {
        usage: [
          {
            id: '88214',
            endpoint: '/api/v1/feeds',
            method: 'GET',
            status_code: 200,
            user_email: example.user.email,
            auth_type: 'session',
            response_time_ms: 1.7,
            created_at: '2026-11-21T08:31:00.000Z',
          },
        ],
        total: 1,
      },
      operationId: 'listApiUsage',
      summary: 'The newest API calls',
      description: 'Newest first. `endpoint` is the route: ids and queries are not kept.',
      querystring: z.object({
        limit: limit(API_USAGE_ROWS_MAX, API_USAGE_ROWS),
      }),
      response: { 200: ApiUsage },
      handler: async ({ query }) => {
        await usageLog.flush();
        return usage(db).recentCalls(query.limit);
      },
    });
  };
