/** /healthz: the process answers. /readyz: it can also serve requests. For load balancers and supervisors. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pendingMigrations, type Db } from '../db/open.ts';
import { unavailable } from '../refusals.ts';

const NO_DATABASE = 'The database does not answer.';

export const healthRoutes =
  ({ db }: { db: Db }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.get(
      '/healthz',
      {
        logLevel: 'warn',
        config: { who: 'anyone', answer: { status: 'ok' } },
        schema: {
          operationId: 'isAlive',
          summary: 'Alive',
          description: 'The process answers.',
          response: { 200: z.object({ status: z.literal('ok') }) },
        },
      },
      async () => ({ status: 'ok' as const }),
    );

    app.get(
      '/readyz',
      {
        logLevel: 'warn',
        config: {
          who: 'anyone',
          answer: { status: 'ready' },
          refusals: { 503: NO_DATABASE },
        },
        schema: {
          operationId: 'isReady',
          summary: 'Ready: the database answers and has this version',
          description: 'It can also answer calls.',
          response: { 200: z.object({ status: z.literal('ready') }) },
        },
      },
      async (request) => {
        const pending = await pendingMigrations(db).catch((error: unknown) => {
          request.log.error({ err: error }, 'the database does not answer');
          throw unavailable(NO_DATABASE);
        });
        if (pending > 0) throw unavailable('The database is not migrated to this version yet.');
        return { status: 'ready' as const };
      },
    );
  };
