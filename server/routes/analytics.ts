/** /api/v1/analytics: what the app reports of its use. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { UsageEvent } from '#contract/analytics.ts';
import { requireUser } from '../auth/guard.ts';
import type { Db } from '../db/open.ts';
import { usage } from '../db/usage.ts';

export const analyticsRoutes =
  ({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser);

    app.post(
      '/events',
      { schema: { summary: 'Report a use of the app', body: UsageEvent, response: { 204: z.null() } } },
      async ({ body, user }, reply) => {
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
  };
