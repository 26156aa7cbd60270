/** /api/v1/messages: the caller's list of messages that were sent to them or held back. */
import type { Calls } from '../callParts.ts';
import { pageCursor } from '../../db/pageCursor.ts';
import { z } from 'zod';
import { MessagePage, MessageState, SeenRequest } from '#contract/messages/messages.ts';
import { FOR_LEADS } from '../../accounts/guard.ts';
import { channels } from '../../delivery/outbox/channelStore.ts';
import { matches } from '../../watches/matching/matchStore.ts';
import { messages as messagesIn } from '../../delivery/outbox/outboxStore.ts';
import { example } from '../reference/examples.ts';
import { cursor, limit, oneOf, optional } from '../../http/calls/parameters.ts';
import { toListed } from '../../delivery/outbox/listedMessages.ts';
import { POSTED_VALID_MS } from '../../delivery/outbox/retries.ts';
import { conflict, forbidden, notFound } from '../../refusals.ts';

const LIMIT = 50;
const LIMIT_MAX = 200;

export const messageCalls: Calls =
  ({ db, now, onMessage }) =>
  async (app) => {
    const messages = messagesIn(db);
    app.get('/', {
      who: 'user',
      costs: 'list',
      operationId: 'listMessages',
      summary: 'What was sent to the caller, and what was held back and why',
      description:
        'Unseen first, then newest first. A row stands for all channels by which the message went. Incidents that are only ' +
        'possible send no message: `possible` counts them. If more than a thousand messages were held back within a day, ' +
        'one row counts the others. `outcomes` says for each channel of the caller and of the team whether the message ' +
        'arrived. With `channel` or `state`: all messages of that channel or in that state, newest first. `here`: the ' +
        'channel of the device that asks, which the texts call “this device”.',
      querystring: z.object({
        limit: limit(LIMIT_MAX, LIMIT),
        cursor: cursor(CURSOR.isCursor),
        here: optional(z.string().max(80)).meta({
          description: 'The channel of this device.',
          example: example.channel.id,
        }),
        channel: optional(z.string().max(80)).meta({
          description: 'Only messages of this channel.',
          example: example.channel.id,
        }),
        state: oneOf(MessageState.options).meta({
          description: 'Only messages in this state.',
          example: 'failed',
        }),
      }),
      response: { 200: MessagePage },
      handler: async (request) => {
        const { query, user } = request;
        const teamId = await request.teamId();
        const { id: appId } = await channels(db).appOf(user.id, teamId, now());
        const after = query.cursor ? CURSOR.read(query.cursor) : null;
        const asOf = after?.[0] ?? now().toISOString();
        const place = after && { was_seen: after[1], created_at: after[2], bundle: after[3] };
        const channelId = query.channel ?? null;
        const state = query.state === undefined ? null : MessageState.parse(query.state.toLowerCase());
        const { rows, last } =
          channelId === null && state === null
            ? await messages.ofUser({ userId: user.id, teamId, appId }, { asOf, after: place }, query.limit)
            : await messages.log({ userId: user.id, teamId, channelId, state }, place, query.limit);
        return {
          messages: toListed(rows, {
            here: query.here,
            now: now(),
            notOurs: await messages.notOurs(rows.map(({ watch_id }) => watch_id)),
          }),
          unseen: await messages.unseen(user.id, teamId),
          ...(await messages.undelivered({ userId: user.id, teamId }, now())),
          possible: await matches(db).possibleOf(teamId),
          next_cursor: last && CURSOR.write([asOf, last.was_seen, last.created_at, last.bundle]),
        };
      },
    });

    app.post('/seen', {
      who: 'user',
      meanings: { 204: 'They count as seen on every device.' },
      operationId: 'seeMessages',
      summary: 'Mark messages as seen',
      description: 'Without `ids`: all.',
      body: SeenRequest,
      handler: async ({ body, user }) => {
        await messages.see(user.id, body.ids, now());
      },
    });

    app.post('/:id/send', {
      who: 'manage',
      meanings: { 202: 'It is sent again, with the same id.' },
      refusals: { 403: FOR_LEADS, 404: NOT_FAILED, 409: OFF },
      operationId: 'sendMessageAgain',
      summary: 'Send a failed message again',
      description:
        'It is tried as often as a new one. Later messages may have arrived before it: `batch` and `n` of a change give the order.',
      params: z.object({
        id: z
          .string()
          .max(80)
          .meta({ description: '`message_id` of an outcome.', example: example.message.id }),
      }),
      response: { 202: z.null() },
      handler: async (request) => {
        const { user, params, server } = request;
        const message = await messages.one(params.id);
        const channel =
          message?.channel_id &&
          (await channels(db).one(message.channel_id, user.id, await request.teamId()));
        if (!channel) throw notFound(NOT_FAILED);
        if (channel.user_id === null && !(await server.isLead(user))) throw forbidden(FOR_LEADS);
        if (channel.state === 'off') throw conflict(OFF);
        const until = new Date(now().getTime() + POSTED_VALID_MS);
        if (!(await messages.sendAgain(params.id, until, now()))) throw notFound(NOT_FAILED);
        onMessage?.();
        return null;
      },
    });
  };

const NOT_FAILED = 'There is no such message that failed. It may have been sent, or deleted after 7 days.';
const OFF = 'This channel is off. Turn it on again first.';

const Time = z.iso.datetime();
/** The time at which the first page was read, and the place of the last message. On all pages, messages that were
 *  unseen at that time come before the others. */
const CURSOR = pageCursor(z.tuple([Time, z.literal([0, 1]), Time, z.string().max(200)]));
