/** /api/v1/analytics: what the app reports about its use, and what administrators see. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  AnalyticsOverview,
  API_USAGE_ROWS,
  API_USAGE_ROWS_MAX,
  ApiUsage,
  SESSION_CATEGORY,
  UsageEvent,
} from '#contract/analytics.ts';
import { requireAdmin, requireUser } from '../auth/guard.ts';
import type { Db } from '../db/open.ts';
import { usage } from '../db/usage.ts';
import { badInput } from '../refusals.ts';
import { wholeNumber } from '../http/parameters.ts';
import type { UsageLog } from '../http/usageLog.ts';

export const analyticsRoutes =
  ({ db, now, usageLog }: { db: Db; now: () => Date; usageLog: UsageLog }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/events',
      {
        onRequest: requireUser,
        schema: { summary: 'Report a use of the app', body: UsageEvent, response: { 204: z.null() } },
      },
      async ({ body, user }, reply) => {
        if (body.event_category === SESSION_CATEGORY) {
          throw badInput(`event_category ${SESSION_CATEGORY} is written by the server alone`);
        }
        await usage(db).noteEvent({
          user_id: user.id,
          event_type: body.event_type,
          event_category: body.event_category,
          session_id: body.session_id ?? null,
          occurred_at: now(),
        });
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/overview',
      {
        onRequest: requireAdmin,
        schema: { summary: 'How much the service is used', response: { 200: AnalyticsOverview } },
      },
      async () => {
        await usageLog.flush(); // otherwise the latest calls would seem to be missing
        return usage(db).overview(now());
      },
    );

    app.get(
      '/api-usage',
      {
        onRequest: requireAdmin,
        schema: {
          summary: 'The newest calls of the API',
          querystring: z.object({
            limit: wholeNumber(API_USAGE_ROWS_MAX, API_USAGE_ROWS),
          }),
          response: { 200: ApiUsage },
        },
      },
      async ({ query }) => {
        await usageLog.flush();
        return usage(db).recentCalls(query.limit);
      },
    );
  };
