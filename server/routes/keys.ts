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
} from '#contract/keys.ts';
import { keyHash, newKey, prefixOf, type KeySeal } from '../auth/apiKeys.ts';
import { requireUser } from '../auth/guard.ts';
import { quotaOf } from '../auth/quota.ts';
import type { Config } from '../config.ts';
import { apiKeys, type KeyWithUse } from '../db/apiKeys.ts';
import type { Db } from '../db/open.ts';
import { conflict, forbidden, notFound } from '../refusals.ts';

interface Parts {
  db: Db;
  config: Pick<Config, 'keyLimits'>;
  seal: KeySeal;
  now: () => Date;
}

const Id = z.object({ id: z.string().max(100) });

export const keyRoutes =
  ({ db, config, seal, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser);

    const shown = ({ sealed, key_hash: _hash, user_id, ...row }: KeyWithUse): ApiKey => ({
      ...row,
      key: (sealed && seal.open(sealed, { keyId: row.id, ownerId: user_id })) || undefined,
    });
    const found = async (id: string, userId: string) => {
      const row = await apiKeys(db).one(id, userId, now());
      if (!row) throw notFound('API key not found');
      return row;
    };

    app.get(
      '/',
      {
        schema: {
          summary: "The caller's API keys, newest first",
          description: '`key`, the full value, is absent where the server cannot tell it any more.',
          response: { 200: z.array(ApiKey) },
        },
      },
      async ({ user }) => (await apiKeys(db).ofUser(user.id, now())).map(shown),
    );

    app.post(
      '/',
      {
        schema: {
          summary: 'Make an API key of the free tier',
          description: `At most ${KEYS_PER_USER_MAX} a user. Other tiers are given by the operator.`,
          body: CreateKeyRequest,
          response: { 201: NewApiKey },
        },
      },
      async ({ body: { name, tier }, user }, reply) => {
        if (tier !== CHOSEN_TIER) {
          throw forbidden(
            `Only ${CHOSEN_TIER} keys can be made here. Ask the team for a key of the ${tier} tier.`,
          );
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
        if (!(await apiKeys(db).insert(row, KEYS_PER_USER_MAX))) {
          throw conflict(
            `You have ${KEYS_PER_USER_MAX} API keys, which is the most. Delete one that is not used.`,
          );
        }
        const unused = { last_used_at: null, requests_today: 0, requests_month: 0 };
        return reply.code(201).send({ ...shown({ ...row, ...unused }), key });
      },
    );

    app.get(
      '/:id',
      { schema: { summary: 'One API key of the caller', params: Id, response: { 200: ApiKey } } },
      async ({ params, user }) => shown(await found(params.id, user.id)),
    );

    app.delete(
      '/:id',
      {
        schema: {
          summary: 'Delete an API key: it stops working at once',
          params: Id,
          response: { 204: z.null() },
        },
      },
      async ({ params, user }, reply) => {
        if (!(await apiKeys(db).remove(params.id, user.id))) throw notFound('API key not found');
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/:id/rate-limit',
      {
        schema: {
          summary: 'What an API key may still do today',
          description:
            'All keys of one user and tier share the day’s requests, those that were deleted too; an answer 304 costs none. ' +
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
