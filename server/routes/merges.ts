/** /api/v1/admin/merges: which alerts count as one incident, why, and what to do when that is wrong. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MergeList, Split } from '#contract/admin.ts';
import { auditTrail, by } from '../db/auditTrail.ts';
import { disruptions } from '../db/disruptions.ts';
import { allSplits, split, unsplit } from '../db/merges.ts';
import type { Db } from '../db/open.ts';
import { badInput, notFound } from '../refusals.ts';

interface Parts {
  db: Db;
  now: () => Date;
}

const UNKNOWN = 'There is no such alert. It may be too old.';
const NOT_SPLIT = 'These two alerts were not kept apart.';
const TWO = 'Name two different alerts.';

export const mergeRoutes =
  ({ db, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/',
      {
        config: {
          who: 'admin',
          answer: {
            merges: [
              {
                event_id: 'national-highways:12345',
                source: 'national-highways',
                title: 'M62 eastbound closed between J26 and J27',
                also: [
                  {
                    event_id: 'met-police:67',
                    source: 'met-police',
                    title: 'M62 closed',
                    why: 'Both name the M62, J26 to J27. They began 12 minutes apart.',
                  },
                ],
              },
            ],
            splits: [],
            total: 1,
          },
        },
        schema: {
          operationId: 'listMerges',
          summary: 'Alerts that count as one incident, and why',
          description: 'Also the pairs that an administrator keeps apart, newest first.',
          response: { 200: MergeList },
        },
      },
      async () => {
        const merges = await disruptions(db).merges();
        return { merges, splits: await allSplits(db), total: merges.length };
      },
    );

    app.post(
      '/splits',
      {
        config: {
          who: 'admin',
          body: { one: 'met-police:67', other: 'national-highways:12345' },
          meanings: { 204: 'They are two incidents from now on.' },
          refusals: { 404: UNKNOWN, 422: TWO },
        },
        schema: {
          operationId: 'splitMerge',
          summary: 'Keep two alerts apart',
          description: 'They are counted separately from the next answer on, whatever they have in common.',
          body: Split,
          response: { 204: z.null() },
        },
      },
      async ({ body: { one, other }, user: admin }, reply) => {
        if (one === other) throw badInput(TWO);
        const [first, second] = [await disruptions(db).byId(one), await disruptions(db).byId(other)];
        if (!first || !second) throw notFound(UNKNOWN);
        await db.transaction().execute(async (trx) => {
          await split(trx, [one, other], now());
          await auditTrail(trx).note(
            {
              ...by(admin),
              subject_id: null,
              subject: first.title,
              action: 'alerts.split',
              detail: `from "${second.title}"`,
            },
            now(),
          );
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/splits/undo',
      {
        config: {
          who: 'admin',
          body: { one: 'met-police:67', other: 'national-highways:12345' },
          meanings: { 204: 'The rule decides about them again.' },
          refusals: { 404: NOT_SPLIT },
        },
        schema: {
          operationId: 'undoSplit',
          summary: 'No longer keep two alerts apart',
          description: 'They count as one incident again, if their content still shows it.',
          body: Split,
          response: { 204: z.null() },
        },
      },
      async ({ body: { one, other }, user: admin }, reply) => {
        await db.transaction().execute(async (trx) => {
          if (!(await unsplit(trx, [one, other]))) throw notFound(NOT_SPLIT);
          await auditTrail(trx).note(
            {
              ...by(admin),
              subject_id: null,
              subject: one,
              action: 'alerts.merged',
              detail: `with ${other}`,
            },
            now(),
          );
        });
        return reply.code(204).send(null);
      },
    );
  };
