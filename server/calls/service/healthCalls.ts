/** For load balancers and supervisors, /healthz: the process answers; /readyz: it can also serve requests. For a
 *  monitor that calls a person, /healthz/sources: no source is past its maximum age; /healthz/displays: every wall
 *  is there and shows its layout. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { SourceState } from '#contract/incidents/disruptions.ts';
import { layouts } from '../../accounts/displays/layouts.ts';
import { collections } from '../../incidents/collectionState.ts';
import { type Condition, conditionsAt, FAILING_FROM } from '../../feeds/sourceCondition.ts';
import { pendingMigrations } from '../../db/open.ts';
import { unavailable } from '../../refusals.ts';

const NO_DATABASE = 'The database does not answer.';

const SourceHealth = z.object({
  status: z.enum(['ok', 'silent']),
  /** The monitored sources; those with trouble come first. */
  sources: z.array(
    z.object({
      source: z.string(),
      silent: z.boolean(),
      state: SourceState,
      last_collected: z.iso.datetime().nullable(),
    }),
  ),
});

/** Whether the source is past its maximum age, has failed at every poll since the start, or is asked for but not set
 *  up. */
const isSilent = ({ state, freshness }: Condition, failures: number) =>
  freshness === 'stale' || state === 'not_configured' || (freshness === null && failures >= FAILING_FROM);

const DisplayHealth = z.object({
  status: z.enum(['ok', 'look']),
  paired: z.int(),
  unseen: z.int(),
  not_taken: z.int(),
});

export const healthCalls: Calls =
  ({ db, collectors, config, now }) =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    app.get('/healthz', {
      logLevel: 'warn',
      who: 'anyone',
      operationId: 'isAlive',
      summary: 'Alive',
      description: 'The process answers.',
      response: { 200: z.object({ status: z.literal('ok') }) },
      handler: async () => ({ status: 'ok' as const }),
    });

    app.get('/readyz', {
      logLevel: 'warn',
      who: 'anyone',
      refusals: { 503: NO_DATABASE },
      operationId: 'isReady',
      summary: 'Ready: the database answers and has this version',
      description: 'It can also answer calls.',
      response: { 200: z.object({ status: z.literal('ready') }) },
      handler: async (request) => {
        const pending = await pendingMigrations(db).catch((error: unknown) => {
          request.log.error({ err: error }, 'the database does not answer');
          throw unavailable(NO_DATABASE);
        });
        if (pending > 0) throw unavailable('The database is not migrated to this version yet.');
        return { status: 'ready' as const };
      },
    });

    app.get('/healthz/sources', {
      logLevel: 'warn',
      who: 'anyone',
      meanings: { 503: 'A source is past its maximum age, or not set up.' },
      refusals: {
        503: {
          status: 'silent',
          sources: [
            { source: 'tfl', silent: true, state: 'failing', last_collected: '2026-11-21T07:31:00.000Z' },
          ],
        },
      },
      operationId: 'areSourcesHealthy',
      summary: 'Whether every watched source is recent enough to rely on',
      description:
        'Watched are the sources of `ALARM_SOURCES`; without that setting, all that are set up. 503 when one is silent.',
      response: { 200: SourceHealth, 503: SourceHealth },
      handler: async (_request, reply) => {
        const rows = await collections(db).all();
        const conditionOf = conditionsAt(rows, collectors, now());
        const failures = new Map(rows.map((row) => [row.source, row.consecutive_failures]));
        const all = collectors.map(({ source }) => conditionOf(source));
        const watched = config.alarmSources
          ? config.alarmSources.map(conditionOf)
          : all.filter(({ state }) => state !== 'not_configured');
        const sources = watched
          .map((condition) => ({
            source: condition.source,
            silent: isSilent(condition, failures.get(condition.source) ?? 0),
            state: condition.state,
            last_collected: condition.last_collected,
          }))
          .toSorted((a, b) => Number(b.silent) - Number(a.silent));
        const isBad = sources.some(({ silent }) => silent);
        return reply.code(isBad ? 503 : 200).send({ status: isBad ? 'silent' : 'ok', sources });
      },
    });

    app.get('/healthz/displays', {
      logLevel: 'warn',
      who: 'anyone',
      meanings: { 503: 'A display needs a look.' },
      refusals: { 503: { status: 'look', paired: 11, unseen: 1, not_taken: 0 } },
      operationId: 'areDisplaysHealthy',
      summary: 'Whether every paired display reports, and shows its layout',
      description:
        '503 when one was not seen for 10 minutes, has not taken its layout or message for 5, or shows not all of it. Only how many: which they are is for their team.',
      response: { 200: DisplayHealth, 503: DisplayHealth },
      handler: async (_request, reply) => {
        const { paired, unseen, notTaken } = await layouts(db).condition(now());
        const isBad = unseen + notTaken > 0;
        return reply
          .code(isBad ? 503 : 200)
          .send({ status: isBad ? 'look' : 'ok', paired, unseen, not_taken: notTaken });
      },
    });
  };
