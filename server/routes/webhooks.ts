/** /api/v1/filters/{id}/webhooks: addresses to which the changes of a saved filter are posted. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Filter } from '#contract/filters.ts';
import { ReceiverKind } from '#contract/messages.ts';
import {
  DeliveryList,
  NewWebhook,
  Webhook,
  WEBHOOK_LIMITS,
  type WebhookFormat,
  WebhookList,
  WebhookRequest,
} from '#contract/webhooks.ts';
import type { Config } from '../config.ts';
import { by } from '../db/auditTrail.ts';
import { filters as filtersIn } from '../db/filters.ts';
import { revision } from '../db/revisions.ts';
import { type OfFilter, type WebhookRow, webhooks as webhooksIn } from '../db/webhooks.ts';
import * as example from '../docs/examples.ts';
import { askedOf, type FormatParts, overview } from '../formats/asked.ts';
import { readConditions } from '../formats/conditions.ts';
import { limit } from '../http/parameters.ts';
import { perMinute } from '../http/perMinute.ts';
import { DELIVERY_VALID_MS, toDelivery } from '../messages/deliveries.ts';
import { receiverSeal } from '../messages/seal.ts';
import { addDeliveries, incidentsNow } from '../messages/webhooks.ts';
import { conflict, notFound, tooMany } from '../refusals.ts';
import type { Secrets } from '../secrets.ts';
import { teamIdOf } from './formats.ts';

interface Parts extends FormatParts {
  config: Pick<Config, 'teams'>;
  secrets: Secrets;
  /** A delivery waits to be sent. */
  onMessage?: () => void;
}

const UNKNOWN_FILTER = 'There is no such filter. It may have been deleted.';
const UNKNOWN = 'There is no such webhook. It may have been deleted.';
const FULL = `A team may have ${WEBHOOK_LIMITS.perTeam} webhooks. Delete one first.`;
const TAKEN = 'This filter has a webhook with this address already.';
const OFF = 'This webhook is off. Turn it on again first.';
const FORGOTTEN = 'Its address is no longer kept. Delete this webhook and make it again.';
const NO_SECRET = 'Only webhooks of the standard format have a secret.';
const NOT_FAILED = 'There is no such delivery that failed. It may have been sent, or deleted after 7 days.';
const TESTS = `Only ${WEBHOOK_LIMITS.testsPerMinute} tests a minute. Try again in a minute.`;

const HOUR_MS = 60 * 60_000;
const LISTED = 20;

const FilterId = z.object({
  id: z.string().max(64).meta({ description: 'The filter’s id.', example: example.filter.id }),
});
const Id = FilterId.extend({
  webhook_id: z.string().max(80).meta({ description: 'The webhook’s id.', example: example.webhook.id }),
});

export const webhookRoutes =
  (parts: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, onMessage } = parts;
    const webhooks = webhooksIn(db);
    const seal = receiverSeal(parts.secrets);
    const mayTest = perMinute(WEBHOOK_LIMITS.testsPerMinute, now);

    const filterOf = async (
      request: FastifyRequest & { params: { id: string } },
    ): Promise<{ of: OfFilter; filter: Filter }> => {
      const teamId = await teamIdOf(request, parts);
      const filter = await filtersIn(db).byId(teamId, request.params.id, now());
      if (!filter) throw notFound(UNKNOWN_FILTER);
      return { of: { teamId, filterId: filter.id }, filter };
    };
    const webhookOf = async (request: FastifyRequest & { params: { id: string; webhook_id: string } }) => {
      const { of, filter } = await filterOf(request);
      const row = await webhooks.byId(of, request.params.webhook_id);
      if (!row) throw notFound(UNKNOWN);
      return { of, filter, row };
    };
    /** Where a webhook begins. Read in this order: what begins meanwhile is delivered. */
    const beginningOf = async ({ query, version }: Filter, teamId: string) => {
      const { conditions } = readConditions(query);
      const known = await overview(parts);
      const asked = await askedOf(parts, conditions, { teamId, known, at: now() });
      const batch = await revision(db, 'changes');
      return { place: { batch, version }, incidents: await incidentsNow(db, asked) };
    };
    const toWebhook = async (row: WebhookRow): Promise<Webhook> => {
      const { id, team_id: teamId, name, state, last_ok, last_error, off_at, created_at } = row;
      const url = row.target && seal.open(row.target, { id, teamId });
      const [last] = await webhooks.deliveries(id, 1);
      const isBoth = row.old_secret_until !== null && row.old_secret_until > now().toISOString();
      return {
        id,
        name,
        host: url ? new URL(url).host : null,
        format: FORMATS[row.kind] ?? 'standard',
        state,
        last_ok,
        last_error,
        off_at,
        both_sign_until: isBoth ? row.old_secret_until : null,
        created_at,
        last_delivery: last ? toDelivery(last) : null,
      };
    };

    app.get(
      '/:id/webhooks',
      {
        config: { who: 'lead', answer: example.webhookList, refusals: { 404: UNKNOWN_FILTER } },
        schema: {
          operationId: 'listWebhooks',
          summary: 'The webhooks of a filter',
          description: 'In the order in which they were made, each with its last delivery.',
          params: FilterId,
          response: { 200: WebhookList },
        },
      },
      async (request) => {
        const rows = await webhooks.ofFilter((await filterOf(request)).of);
        return { webhooks: await Promise.all(rows.map(toWebhook)), total: rows.length };
      },
    );

    app.post(
      '/:id/webhooks',
      {
        config: {
          who: 'lead',
          body: example.webhookRequest,
          answer: example.newWebhook,
          meanings: { 201: 'The webhook was made. Its secret is not said again.' },
          refusals: { 404: UNKNOWN_FILTER, 409: FULL },
        },
        schema: {
          operationId: 'createWebhook',
          summary: 'Post the changes of a filter to an address',
          description:
            'Each change that enters, changes in or leaves the filter from now on, as `{type, timestamp, data}` of at most ' +
            '20 KB. `standard` is signed by the rules of Standard Webhooks with the `secret`, which is in this answer ' +
            'alone; `slack` and `teams` get what those read. Only https and public addresses are called, unless the ' +
            'operator allows others.',
          params: FilterId,
          body: WebhookRequest,
          response: { 201: NewWebhook },
        },
      },
      async (request, reply) => {
        const { body, user } = request;
        const { of, filter } = await filterOf(request);
        const at = now();
        const { place, incidents } = await beginningOf(filter, of.teamId);
        const id = randomUUID();
        const sealed = (text: string) => seal.seal(text, { id, teamId: of.teamId });
        const secret = body.format === 'standard' ? newSecret() : null;
        const row = {
          id,
          team_id: of.teamId,
          user_id: null,
          session_id: null,
          filter_id: filter.id,
          kind: KINDS[body.format],
          name: body.name,
          target: sealed(body.url),
          target_hash: hashOf('filter', filter.id, new URL(body.url).href),
          secret: secret && sealed(secret),
          confirmed_at: at.toISOString(),
        };
        const act = actOf(user, row, 'webhook.created', filter);
        const made = await webhooks.add(row, place, incidents, act, at);
        if (made === 'unknown') throw notFound(UNKNOWN_FILTER);
        if (made === 'full') throw conflict(FULL);
        if (made === 'taken') throw conflict(TAKEN);
        const stored = await webhooks.byId(of, id);
        if (!stored) throw notFound(UNKNOWN_FILTER); // deleted a moment ago
        return reply.code(201).send({ webhook: await toWebhook(stored), secret });
      },
    );

    app.delete(
      '/:id/webhooks/:webhook_id',
      {
        config: {
          who: 'lead',
          meanings: { 204: 'Nothing more is sent there.' },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook',
          description: 'With its deliveries, also those that wait.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { of, filter, row } = await webhookOf(request);
        const act = actOf(request.user, row, 'webhook.deleted', filter);
        if (!(await webhooks.remove(of, row.id, act, now()))) throw notFound(UNKNOWN);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/:id/webhooks/:webhook_id/rotate',
      {
        config: {
          who: 'lead',
          answer: example.newWebhook,
          refusals: { 404: UNKNOWN, 409: NO_SECRET },
        },
        schema: {
          operationId: 'rotateWebhookSecret',
          summary: 'Give a webhook a new secret',
          description:
            'It is in this answer alone. For 24 hours deliveries are signed with both, the new one first: ' +
            '`webhook-signature` then has two signatures. After another change only the last two sign.',
          params: Id,
          response: { 200: NewWebhook },
        },
      },
      async (request) => {
        const { of, filter, row } = await webhookOf(request);
        if (row.secret === null) throw conflict(NO_SECRET);
        if (row.state === 'off') throw conflict(OFF);
        const secret = newSecret();
        const at = now();
        const until = new Date(at.getTime() + WEBHOOK_LIMITS.bothSignHours * HOUR_MS);
        const act = actOf(request.user, row, 'webhook.rotated', filter);
        await webhooks.rotate(row.id, seal.seal(secret, { id: row.id, teamId: of.teamId }), until, act, at);
        const stored = await webhooks.byId(of, row.id);
        if (!stored) throw notFound(UNKNOWN);
        return { webhook: await toWebhook(stored), secret };
      },
    );

    app.post(
      '/:id/webhooks/:webhook_id/turn_on',
      {
        config: { who: 'lead', answer: example.webhook, refusals: { 404: UNKNOWN, 409: FORGOTTEN } },
        schema: {
          operationId: 'turnWebhookOn',
          summary: 'Turn a webhook on again',
          description:
            'One that was turned off begins as if it were new: with the changes from now on. What did not arrive before is ' +
            'not sent any more. One that is on stays as it is.',
          params: Id,
          response: { 200: Webhook },
        },
      },
      async (request) => {
        const { of, filter, row } = await webhookOf(request);
        if (row.target === '') throw conflict(FORGOTTEN); // turned off before addresses were kept
        const { place, incidents } = await beginningOf(filter, of.teamId);
        const act = actOf(request.user, row, 'webhook.turned_on', filter);
        await webhooks.turnOn(row.id, place, incidents, act, now());
        const stored = await webhooks.byId(of, row.id);
        if (!stored) throw notFound(UNKNOWN);
        return toWebhook(stored);
      },
    );

    app.post(
      '/:id/webhooks/:webhook_id/test',
      {
        config: {
          who: 'lead',
          meanings: { 202: 'A test is on its way.' },
          refusals: { 404: UNKNOWN, 409: OFF, 429: TESTS },
        },
        schema: {
          operationId: 'testWebhook',
          summary: 'Send a test to a webhook',
          description: 'A delivery of the type `test.ping`. The list of deliveries says how it went.',
          params: Id,
          response: { 202: z.null() },
        },
      },
      async (request, reply) => {
        const { filter, row } = await webhookOf(request);
        if (row.state === 'off') throw conflict(OFF);
        if (!mayTest(request.user.id)) throw tooMany(TESTS, 60);
        const at = now();
        const what = `test ${randomUUID()}`;
        const { id, name } = filter;
        const body = {
          type: 'test.ping' as const,
          timestamp: at.toISOString(),
          data: { filter: { id, name } },
        };
        await db
          .transaction()
          .execute((trx) => addDeliveries(trx, row.id, [{ body, about: what, what }], at));
        onMessage?.();
        return reply.code(202).send(null);
      },
    );

    app.get(
      '/:id/webhooks/:webhook_id/deliveries',
      {
        config: { who: 'lead', answer: example.deliveryList, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'listDeliveries',
          summary: 'The last deliveries of a webhook',
          description:
            'Newest first. Those that arrived are kept for a day, those that failed for 7 days. They are tried five times: ' +
            'at once, after 5 seconds, 5 minutes, 30 minutes and 2 hours.',
          params: Id,
          querystring: z.object({ limit: limit(WEBHOOK_LIMITS.deliveries, LISTED) }),
          response: { 200: DeliveryList },
        },
      },
      async (request) => {
        const { row } = await webhookOf(request);
        const rows = await webhooks.deliveries(row.id, request.query.limit);
        return { deliveries: rows.map(toDelivery), total: rows.length };
      },
    );

    app.post(
      '/:id/webhooks/:webhook_id/deliveries/:delivery_id/send',
      {
        config: {
          who: 'lead',
          meanings: { 202: 'It is sent again, with the same id.' },
          refusals: { 404: NOT_FAILED, 409: OFF },
        },
        schema: {
          operationId: 'sendDeliveryAgain',
          summary: 'Send a failed delivery again',
          description:
            'As often as a new one. What came later may have arrived before it: `batch` and `n` say the order.',
          params: Id.extend({
            delivery_id: z.string().max(80).meta({
              description: 'As in the list of deliveries.',
              example: example.delivery.id,
            }),
          }),
          response: { 202: z.null() },
        },
      },
      async (request, reply) => {
        const { row } = await webhookOf(request);
        if (row.state === 'off') throw conflict(OFF);
        const at = now();
        const until = new Date(at.getTime() + DELIVERY_VALID_MS);
        if (!(await webhooks.sendAgain(row.id, request.params.delivery_id, until, at)))
          throw notFound(NOT_FAILED);
        onMessage?.();
        return reply.code(202).send(null);
      },
    );
  };

const KINDS = { standard: 'webhook', slack: 'slack', teams: 'teams' } as const satisfies Record<
  WebhookFormat,
  ReceiverKind
>;
const FORMATS: Readonly<Record<string, WebhookFormat>> = {
  webhook: 'standard',
  slack: 'slack',
  teams: 'teams',
};

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

const hashOf = (...words: string[]) => createHash('sha256').update(words.join('\n')).digest('hex');

const actOf = (
  user: { id: string; email: string },
  { id, name }: { id: string; name: string },
  action: string,
  filter: Filter,
) => ({ ...by(user), action, subject_id: id, subject: name, detail: `of the filter ${filter.name}` });
