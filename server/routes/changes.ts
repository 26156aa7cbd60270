/** /api/v1/changes: how incidents began, changed and ended since a reader last asked. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ChangeList } from '#contract/changes.ts';
import { changesSince } from '../db/changes.ts';
import type { Db } from '../db/open.ts';
import { batch, limit } from '../http/parameters.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 2000;

export const changeRoutes =
  ({ db }: { db: Db }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/',
      {
        config: {
          who: 'data',
          answer: {
            changes: [
              {
                batch: 4180,
                n: 1,
                at: '2026-11-21T08:12:00.000Z',
                event_id: 'kb-incidents:7F3A21',
                source: 'kb-incidents',
                kind: 'worse',
                severity_from: 'medium',
                severity_to: 'high',
                phase_to: 'active',
              },
            ],
            batch: 4180,
            complete: true,
          },
        },
        schema: {
          operationId: 'listChanges',
          summary: 'How incidents began, changed and ended since a batch',
          description:
            'Ask again with `since` set to the `batch` of the last answer, until it has no changes. Without `since`: no ' +
            'changes, and the batch to begin with. `complete: false`: batches after `since` are no longer kept, so read ' +
            'everything again and go on from `batch`. Batches come whole, so an answer can have more than `limit` changes. ' +
            '`lost`: the source was silent for too long; that is not known to be over.',
          querystring: z.object({ since: batch, limit: limit(LIMIT_MAX, LIMIT_DEFAULT) }),
          response: { 200: ChangeList },
        },
      },
      async ({ query }) => changesSince(db, query.since, query.limit),
    );
  };
