/** /api/v1/keys: the caller's own API keys. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  ApiKey,
  CreateKeyRequest,
  KeyRateLimit,
  KEYS_PER_USER_MAX,
  NewApiKey,
} from '#contract/accounts/keys.ts';
import { CHOSEN_TIER, type Tier } from '#contract/accounts/keyTiers.ts';
import type { User } from '#contract/accounts/auth.ts';
import { example } from '../reference/examples.ts';
import { keyHash, newKey, prefixOf, apiKeys, type KeyWithUse } from '../../accounts/keys/apiKeys.ts';
import { quotaOf } from '../../accounts/keys/keyQuotas.ts';
import { ACTS_FULL, auditTrail } from '../../accounts/auditTrail.ts';
import type { Db } from '../../db/open.ts';
import { sessions } from '../../accounts/sessions.ts';
import { AGAIN, makeOnce, mayBeSaidAgain, orGone } from '../../http/calls/makeOnce.ts';
import { conflict, forbidden, notFound, orNotFound } from '../../refusals.ts';
import { idOf } from '../../http/calls/parameters.ts';

const Id = z.object({
  id: idOf('key', example.apiKey.id),
});

const HIDDEN =
  '`key`, the full value, is there for 15 minutes after this session signed in or confirmed its password; else `key_hidden` ' +
  'is true. Both are absent where the server can no longer show it.';
const UNKNOWN = 'API key not found';
const FULL = `You have ${KEYS_PER_USER_MAX} API keys, the maximum. Delete one that is not used.`;
const SAID_ONCE = 'This key was made before. It is not shown again: delete it, and make another.';
const onlyFree = (tier: Tier) =>
  `Only ${CHOSEN_TIER} keys can be made here. Ask the team for a key of the ${tier} tier.`;

export const keyCalls: Calls =
  ({ db, config, seal, now }) =>
  async (app) => {
    // The answers show how much the keys were used.
    app.addHook('preHandler', () => app.settleQuotas());
    const opened = ({ sealed, id, user_id }: KeyWithUse) =>
      (sealed && seal.open(sealed, { keyId: id, ownerId: user_id })) || undefined;
    const withoutValue = ({ sealed: _sealed, key_hash: _hash, user_id: _user, ...row }: KeyWithUse) => row;
    /** Shows a whole key only for a short time after the password was given: a screen that was left open must not be
     *  enough to take all keys. */
    const shownTo = async ({ caller }: FastifyRequest) => {
      const mayRead = caller?.type === 'session' && (await sessions(db).isConfirmed(caller.sessionId, now()));
      return (row: KeyWithUse): ApiKey => {
        const key = opened(row);
        return {
          ...withoutValue(row),
          ...(key !== undefined && (mayRead ? { key } : { key_hidden: true as const })),
        };
      };
    };
    const found = async (id: string, userId: string) => {
      return orNotFound(await apiKeys(db).one(id, userId, now()), UNKNOWN);
    };

    const note = (trx: Db, user: User, action: string, detail: string) =>
      auditTrail(trx).note(user, action, user, now(), detail);

    app.get('/', {
      who: 'user',
      costs: 'list',
      operationId: 'listKeys',
      summary: "The caller's API keys, newest first",
      description: HIDDEN,
      response: { 200: z.array(ApiKey) },
      handler: async (request) =>
        (await apiKeys(db).ofUser(request.user.id, now())).map(await shownTo(request)),
    });

    app.post('/', {
      who: 'user',
      costs: 'work',
      meanings: { 201: 'The key was created; `key` is its full value.' },
      refusals: { 403: onlyFree('pro'), 409: FULL, 429: ACTS_FULL },
      operationId: 'createKey',
      summary: 'Make an API key of the free tier',
      description:
        `At most ${KEYS_PER_USER_MAX} for each user. The operator sets other tiers. With the \`scope\` \`manage\` it may change ` +
        `routes, areas, feeds and channels as well, where its owner may; with \`jobs:read\` it reads the team's jobs. ${AGAIN}`,
      body: CreateKeyRequest,
      response: { 201: NewApiKey },
      handler: async ({ body: { id: ownId, ...content }, user }) => {
        const { name, tier, scope } = content;
        if (tier !== CHOSEN_TIER) {
          throw forbidden(onlyFree(tier));
        }
        const at = now();
        let said: string | undefined;
        const asked = { id: ownId, kind: 'api_keys' as const, owner: [user.id], content };
        const made = await makeOnce(db, asked, at, async (trx, id) => {
          const key = (said = newKey());
          const row = {
            id,
            user_id: user.id,
            name,
            key_hash: keyHash(key),
            key_prefix: prefixOf(key),
            sealed: seal.seal(key, { keyId: id, ownerId: user.id }),
            rate_limit_tier: tier,
            scope,
            created_at: at.toISOString(),
          };
          if (!(await apiKeys(trx).insert(row, KEYS_PER_USER_MAX))) throw conflict(FULL);
          await note(
            trx,
            user,
            'key.created',
            scope === 'read' ? row.key_prefix : `${row.key_prefix}, ${scope}`,
          );
        });
        const row = orGone(await apiKeys(db).one(made.id, user.id, at));
        const key = said ?? (mayBeSaidAgain(row.created_at, at) ? opened(row) : undefined);
        if (key === undefined) throw conflict(SAID_ONCE);
        return { ...withoutValue(row), key };
      },
    });

    app.get('/:id', {
      who: 'user',
      costs: 'list',
      refusals: { 404: UNKNOWN },
      operationId: 'readKey',
      summary: 'One API key of the caller',
      description: 'As in the list of keys.',
      params: Id,
      response: { 200: ApiKey },
      handler: async (request) => (await shownTo(request))(await found(request.params.id, request.user.id)),
    });

    app.delete('/:id', {
      who: 'user',
      costs: 'work',
      meanings: { 204: 'The key was deleted.' },
      refusals: { 404: UNKNOWN, 429: ACTS_FULL },
      operationId: 'deleteKey',
      summary: 'Delete an API key: it stops working at once',
      description: 'Calls with it get 401 from then on.',
      params: Id,
      handler: async ({ params, user }) => {
        const { key_prefix } = await found(params.id, user.id);
        await db.transaction().execute(async (trx) => {
          if (!(await apiKeys(trx).remove(params.id, user.id))) throw notFound(UNKNOWN);
          await note(trx, user, 'key.deleted', key_prefix);
        });
      },
    });

    app.get('/:id/rate-limit', {
      who: 'user',
      costs: 'list',
      refusals: { 404: UNKNOWN },
      operationId: 'readKeyRateLimit',
      summary: 'What is left of an API key’s requests today',
      description:
        'All keys of one user and tier share the day’s requests, including deleted keys; a 304 costs none. ' +
        'Days begin at midnight UTC. `limit_per_day` and `remaining` are null where there is no limit.',
      params: Id,
      response: { 200: KeyRateLimit },
      handler: async ({ params, user }) => {
        const at = now();
        const { rate_limit_tier: tier } = await found(params.id, user.id);
        const used = await apiKeys(db).usedToday(user.id, tier, at);
        return quotaOf(tier, used, config.keyLimits, at);
      },
    });
  };
