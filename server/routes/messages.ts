/** /api/v1/messages: the caller's list of what was sent to them, and of what was held back. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MessagePage, SeenRequest } from '#contract/messages.ts';
import type { Config } from '../config.ts';
import { type Listed, messages as messagesIn, type Place } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import { receivers } from '../db/receivers.ts';
import { teams } from '../db/teams.ts';
import * as example from '../docs/examples.ts';
import { cursor, limit, optional } from '../http/parameters.ts';
import { toListed } from '../messages/listed.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'teams'>;
  now: () => Date;
}

const LIMIT = 50;
const LIMIT_MAX = 200;
/** A person has few channels; of a bundle no row may be missing. */
const ROWS_PER_BUNDLE = 40;

export const messageRoutes =
  ({ db, config, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const messages = messagesIn(db);
    const teamOf = async ({ user }: FastifyRequest) => (await teams(db, config.teams).of(user.id, now())).id;

    app.get(
      '/',
      {
        config: { who: 'user', answer: example.messagePage },
        schema: {
          operationId: 'listMessages',
          summary: 'What was sent to the caller, and what was held back and why',
          description:
            'Unseen first, then newest first. A row stands for all channels by which the message went. `receiver`: that of the device that ' +
            'asks, which is “this device” in the words.',
          querystring: z.object({
            limit: limit(LIMIT_MAX, LIMIT),
            cursor: cursor(isCursor),
            receiver: optional(z.string().max(80)).meta({
              description: 'The receiver of this device.',
              example: example.receiver.id,
            }),
          }),
          response: { 200: MessagePage },
        },
      },
      async (request) => {
        const { query, user } = request;
        const teamId = await teamOf(request);
        const { id: appId } = await receivers(db).appOf(user.id, teamId, now());
        const place = query.cursor === undefined ? null : readCursor(query.cursor);
        const asOf = place?.asOf ?? now().toISOString();
        const read = query.limit * ROWS_PER_BUNDLE;
        const rows = await messages.ofUser({ userId: user.id, teamId, appId }, { asOf, after: place }, read);
        const shown = wholeBundles(rows, query.limit);
        const last = shown.at(-1);
        return {
          messages: toListed(shown, {
            here: query.receiver,
            notOurs: await messages.notOurs(shown.map(({ watch_id }) => watch_id)),
          }),
          unseen: await messages.unseen(user.id, teamId),
          next_cursor: last && shown.length < rows.length ? cursorAfter(asOf, last) : null,
        };
      },
    );

    app.post(
      '/seen',
      {
        config: {
          who: 'user',
          body: { ids: [example.message.id] },
          meanings: { 204: 'They count as seen on every device.' },
        },
        schema: {
          operationId: 'seeMessages',
          summary: 'Mark messages as seen',
          description: 'Without `ids`: all.',
          body: SeenRequest,
          response: { 204: z.null() },
        },
      },
      async ({ body, user }, reply) => {
        await messages.see(user.id, body.ids, now());
        return reply.code(204).send(null);
      },
    );
  };

/** The rows of the first bundles. */
function wholeBundles<Row extends Listed>(rows: readonly Row[], most: number): Row[] {
  const bundles = new Set<string>();
  const shown: Row[] = [];
  for (const row of rows) {
    bundles.add(row.bundle);
    if (bundles.size > most) break;
    shown.push(row);
  }
  return shown;
}

/** `asOf`: when the first page was read; what was unseen at that time stays before the rest. */
const cursorAfter = (asOf: string, { was_seen, created_at, bundle }: Place) =>
  Buffer.from(`${asOf} ${was_seen} ${created_at} ${bundle}`).toString('base64url');

function readCursor(text: string): (Place & { asOf: string }) | null {
  const [, asOf, seen, created_at, bundle] =
    /^(\S{24}) ([01]) (\S{24}) (\S{1,200})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (!asOf || !created_at || !bundle) return null;
  const isTimes = [asOf, created_at].every((time) => !Number.isNaN(Date.parse(time)));
  return isTimes ? { asOf, was_seen: seen === '1' ? 1 : 0, created_at, bundle } : null;
}

const isCursor = (text: string) => readCursor(text) !== null;
