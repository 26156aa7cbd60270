/** /api/v1/keys: the caller's own API keys. */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  ApiKey,
  CHOSEN_TIER,
  CreateKeyRequest,
  KeyRateLimit,
  KEYS_PER_USER_MAX,
  NewApiKey,
  type Tier,
} from '#contract/keys.ts';
import type { User } from '#contract/auth.ts';
import * as example from '../docs/examples.ts';
import { keyHash, newKey, prefixOf, type KeySeal } from '../auth/apiKeys.ts';
import { quotaOf } from '../auth/quota.ts';
import type { Config } from '../config.ts';
import { apiKeys, type KeyWithUse } from '../db/apiKeys.ts';
import { ACTS_FULL, auditTrail, by, on } from '../db/auditTrail.ts';
import type { Db } from '../db/open.ts';
import { conflict, forbidden, notFound } from '../refusals.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'keyLimits'>;
  seal: KeySeal;
  now: () => Date;
}

const Id = z.object({
  id: z.string().max(100).meta({ description: 'The key’s id.', example: example.apiKey.id }),
});

const UNKNOWN = 'API key not found';
const FULL = `You have ${KEYS_PER_USER_MAX} API keys, the maximum. Delete one that is not used.`;
const onlyFree = (tier: Tier) =>
  `Only ${CHOSEN_TIER} keys can be made here. Ask the team for a key of the ${tier} tier.`;

export const keyRoutes =
  ({ db, config, seal, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    // Their use is shown.
    app.addHook('preHandler', () => app.settleQuotas());
    const shown = ({ sealed, key_hash: _hash, user_id, ...row }: KeyWithUse): ApiKey => ({
      ...row,
      key: (sealed && seal.open(sealed, { keyId: row.id, ownerId: user_id })) || undefined,
    });
    const found = async (id: string, userId: string) => {
      const row = await apiKeys(db).one(id, userId, now());
      if (!row) throw notFound(UNKNOWN);
      return row;
    };

    const note = (trx: Db, user: User, action: string, detail: string) =>
      auditTrail(trx).note({ ...by(user), ...on(user), action, detail }, now());

    app.get(
      '/',
      {
        config: { who: 'user', answer: [example.apiKey] },
        schema: {
          operationId: 'listKeys',
          summary: "The caller's API keys, newest first",
          description: '`key`, the full value, is absent where the server can no longer show it.',
          response: { 200: z.array(ApiKey) },
        },
      },
      async ({ user }) => (await apiKeys(db).ofUser(user.id, now())).map(shown),
    );

    app.post(
      '/',
      {
        config: {
          who: 'user',
          costs: true,
          body: { name: 'Production', tier: 'free' },
          answer: { ...example.apiKey, last_used_at: null, requests_today: 0, requests_month: 0 },
          meanings: { 201: 'The key was created; `key` is its full value.' },
          refusals: { 403: onlyFree('pro'), 409: FULL, 429: ACTS_FULL },
        },
        schema: {
          operationId: 'createKey',
          summary: 'Make an API key of the free tier',
          description: `At most ${KEYS_PER_USER_MAX} for each user. The operator sets other tiers.`,
          body: CreateKeyRequest,
          response: { 201: NewApiKey },
        },
      },
      async ({ body: { name, tier }, user }, reply) => {
        if (tier !== CHOSEN_TIER) {
          throw forbidden(onlyFree(tier));
        }
        const id = randomUUID();
        const key = newKey();
        const row = {
          id,
          user_id: user.id,
          name,
          key_hash: keyHash(key),
          key_prefix: prefixOf(key),
          sealed: seal.seal(key, { keyId: id, ownerId: user.id }),
          rate_limit_tier: tier,
          created_at: now().toISOString(),
        };
        await db.transaction().execute(async (trx) => {
          if (!(await apiKeys(trx).insert(row, KEYS_PER_USER_MAX))) throw conflict(FULL);
          await note(trx, user, 'key.created', row.key_prefix);
        });
        const unused = { last_used_at: null, requests_today: 0, requests_month: 0 };
        return reply.code(201).send({ ...shown({ ...row, ...unused }), key });
      },
    );

    app.get(
      '/:id',
      {
        config: { who: 'user', answer: example.apiKey, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'readKey',
          summary: 'One API key of the caller',
          description: 'As in the list of keys.',
          params: Id,
          response: { 200: ApiKey },
        },
      },
      async ({ params, user }) => shown(await found(params.id, user.id)),
    );

    app.delete(
      '/:id',
      {
        config: {
          who: 'user',
          costs: true,
          meanings: { 204: 'The key was deleted.' },
          refusals: { 404: UNKNOWN, 429: ACTS_FULL },
        },
        schema: {
          operationId: 'deleteKey',
          summary: 'Delete an API key: it stops working at once',
          description: 'Calls with it get 401 from then on.',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async ({ params, user }, reply) => {
        const { key_prefix } = await found(params.id, user.id);
        await db.transaction().execute(async (trx) => {
          if (!(await apiKeys(trx).remove(params.id, user.id))) throw notFound(UNKNOWN);
          await note(trx, user, 'key.deleted', key_prefix);
        });
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/:id/rate-limit',
      {
        config: { who: 'user', answer: example.keyRateLimit, refusals: { 404: UNKNOWN } },
        schema: {
          operationId: 'readKeyRateLimit',
          summary: 'What is left of an API key’s requests today',
          description:
            'All keys of one user and tier share the day’s requests, including deleted keys; a 304 costs none. ' +
            'Days begin at midnight UTC. `limit_per_day` and `remaining` are null where there is no limit.',
          params: Id,
          response: { 200: KeyRateLimit },
        },
      },
      async ({ params, user }) => {
        const at = now();
        const { rate_limit_tier: tier } = await found(params.id, user.id);
        const used = await apiKeys(db).usedToday(user.id, tier, at);
        return quotaOf(tier, used, config.keyLimits, at);
      },
    );
  };
