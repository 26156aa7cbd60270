/** /api/v1/changes: how incidents began, changed and ended since a reader last asked. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { ChangeList, ChangesSummary, LookedAt, LookRequest } from '#contract/incidents/changes.ts';
import { changesSince } from '../../db/changeLog.ts';
import { iso } from '../../db/instant.ts';
import { messages } from '../../delivery/outbox/outboxStore.ts';
import { answer, send } from '../../http/answers/readyAnswers.ts';
import { batch, limit, optional, Time } from '../../http/calls/parameters.ts';
import { notFound } from '../../refusals.ts';
import { changesSummary, type Since } from '../../shift/changesSummary.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 2000;

const WORDS = ['shift', 'looked', 'day'] as const;
const BATCH = /^\d{1,15}$/;

const Screen = z.enum(LookedAt.options);
const NO_SCREEN = 'There is no such screen: it is board or routes.';

const SinceParameter = optional(
  z.union([z.enum(WORDS), z.string().regex(BATCH), Time], {
    error: 'must be shift, looked, day, a batch, or an ISO 8601 time such as 2026-11-21T08:00:00Z',
  }),
);

function sinceOf(said: string | undefined, seenAt: string | undefined): Since {
  const word = WORDS.find((one) => one === said);
  if (word || said === undefined) return word ?? 'shift';
  if (!BATCH.test(said)) return { at: new Date(said) };
  return { batch: Number(said), ...(seenAt !== undefined && { at: iso(new Date(seenAt)) }) };
}

export const changeCalls: Calls =
  ({ db, now }) =>
  async (app) => {
    const summaries = changesSummary(db);

    app.get('/summary', {
      who: 'data',
      costs: 'past',
      operationId: 'readChangesSummary',
      summary: 'What changed since a given time, each incident once',
      description:
        'One row for each incident whose state differs from the beginning of the span. Incidents that began and ended ' +
        'within the span are left out. A signed-in person also gets the team’s own reports. `counts` are of active ' +
        'incidents. `lost`: its source last had it at `at`, and nobody knows whether it goes on. A span has at most 7 ' +
        'days and 15,000 changes. If it is longer, or the log begins later, `complete` is false, and the answer has the ' +
        'time from which on it is complete.',
      querystring: z.object({
        since: SinceParameter.meta({
          description:
            'Where the span begins: `shift` (the default), the present shift of the team; `looked`, the last change that ' +
            'the caller has seen on the screen; `day`, 24 hours ago; a batch; or a time.',
          example: 'shift',
        }),
        seen_at: optional(Time).meta({
          description: 'When the answer with that batch was given: own reports of the team count from then.',
          example: '2026-11-21T07:42:00Z',
        }),
        screen: optional(Screen).meta({
          description:
            '`board` (the default): all incidents. `routes`: incidents that touch the team’s routes.',
          example: 'board',
        }),
      }),
      response: { 200: ChangesSummary },
      handler: async (request, reply) => {
        const { since, seen_at, screen = 'board' } = request.query;
        const userId = request.caller!.userId; // a guard has found the caller
        const { id: teamId, shift_starts: shiftStarts } = await request.team();
        const asked = { since: sinceOf(since, seen_at), screen };
        const isPerson = request.caller!.type === 'session';
        const summary = await summaries.answer({ userId, teamId, shiftStarts, isPerson }, asked, now());
        const unseen_messages = isPerson ? await messages(db).unseen(userId, teamId) : null;
        return send(request, reply, answer(ChangesSummary.parse({ ...summary, unseen_messages })));
      },
    });

    app.put('/looks/:screen', {
      who: 'user',
      meanings: { 204: 'The changes count as seen.' },
      refusals: { 404: NO_SCREEN },
      operationId: 'noteLook',
      summary: 'Store the last change that the caller has seen',
      description: 'For all of the caller’s devices. It never goes back.',
      params: z.object({
        screen: z.string().max(20).meta({ description: 'Which screen was looked at.', example: 'board' }),
      }),
      body: LookRequest,
      handler: async ({ params: { screen }, body, user }) => {
        const known = Screen.safeParse(screen);
        if (!known.success) throw notFound(NO_SCREEN);
        const time = now();
        await summaries.look(user.id, known.data, { at: iso(time), ...body }, time);
      },
    });

    app.get('/', {
      who: 'data',
      costs: 'past',
      operationId: 'listChanges',
      summary: 'Each change since a batch: what began, changed or ended',
      description:
        'Ask again with `since` set to the `batch` of the last answer, until it has no changes. Without `since`: no ' +
        'changes, and the batch to begin with. `complete: false`: batches after `since` are no longer kept, so read ' +
        'everything again and go on from `batch`. Batches come whole, so an answer can have more than `limit` changes. ' +
        '`lost`: the source was silent for too long, and nobody knows whether it goes on. `merged`: it is part of the ' +
        'incident `other_id` from now on; `split`: it was until now.',
      querystring: z.object({ since: batch, limit: limit(LIMIT_MAX, LIMIT_DEFAULT) }),
      response: { 200: ChangeList },
      handler: async ({ query }) => changesSince(db, query.since, query.limit),
    });
  };
