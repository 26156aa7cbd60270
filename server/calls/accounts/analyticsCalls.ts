/** /api/v1/analytics: the app's reports about its use, and the figures for administrators. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  AnalyticsOverview,
  API_USAGE_ROWS,
  API_USAGE_ROWS_MAX,
  ApiUsage,
  SESSION_CATEGORY,
  UsageEvent,
} from '#contract/accounts/analytics.ts';
import { usage } from '../../http/usage/usage.ts';
import { badInput } from '../../refusals.ts';
import { limit } from '../../http/calls/parameters.ts';

export const analyticsCalls: Calls =
  ({ db, now, usageLog }) =>
  async (app) => {
    app.post('/events', {
      who: 'user',
      costs: 'work',
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
