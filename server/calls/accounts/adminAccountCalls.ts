/** /api/v1/admin/users/{id}: the changes that administrators make to an account: a new password, its second factor,
 *  its keys. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { ChangeTier, ManagedKeys, PasswordReset } from '#contract/accounts/admin.ts';
import { example } from '../reference/examples.ts';
import { generatePassword, temporaryUntil } from '../../accounts/passwords/passwords.ts';
import { loginLimits } from '../../accounts/passwords/loginLimits.ts';
import { accountSecurity } from '../../accounts/passwords/secondFactor.ts';
import { apiKeys, type KeyWithUse } from '../../accounts/keys/apiKeys.ts';
import { auditTrail } from '../../accounts/auditTrail.ts';
import type { RowOf } from '../../db/schema.ts';
import { sessions } from '../../accounts/sessions.ts';
import { users } from '../../accounts/users.ts';
import { conflict, orNotFound } from '../../refusals.ts';
import { idOf } from '../../http/calls/parameters.ts';

const UNKNOWN = 'There is no such user. The list may be out of date.';
const UNKNOWN_KEY = 'This user has no such API key. The list may be out of date.';
const NO_FACTOR = 'This user has no second factor.';
const YOURSELF = 'Change your own password on the page "Account".';

const id = idOf('user', example.user.id);
const ById = z.object({ id });
const ByKey = z.object({
  id,
  key_id: idOf('key', example.apiKey.id),
});

export const adminAccountCalls: Calls =
  ({ db, passwords, now }) =>
  async (app) => {
    // The answers show how much the keys were used.
    app.addHook('preHandler', () => app.settleQuotas());
    const known = async (userId: string): Promise<RowOf<'users'>> => {
      return orNotFound(await users(db).byId(userId), UNKNOWN);
    };

    app.post('/users/:id/password', {
      who: 'admin',
      refusals: { 404: UNKNOWN, 409: YOURSELF },
      operationId: 'resetPassword',
      summary: 'Make a new password for a user',
      description:
        'Ends their sessions. It is shown only here, and good for a week: they must choose their own when they sign in with it.',
      params: ById,
      response: { 200: PasswordReset },
      handler: async ({ params, user: admin }) => {
        if (params.id === admin.id) throw conflict(YOURSELF);
        const user = await known(params.id);
        const password = generatePassword();
        const hash = await passwords.inTurn(() => passwords.hash(password));
        const until = temporaryUntil(now());
        await db.transaction().execute(async (trx) => {
          await users(trx).setPasswordHash(user.id, hash);
          await accountSecurity(trx).notePasswordUntil(user.id, until);
          await sessions(trx).revokeAllOf(user.id, 'password reset', now());
          // A person who has forgotten their password has often tried too many.
          await loginLimits(trx, now).forgive(user.email);
          await auditTrail(trx).note(admin, 'user.password_reset', user, now());
        });
        return { password, expires_at: until.toISOString() };
      },
    });

    app.delete('/users/:id/second-factor', {
      who: 'admin',
      meanings: { 204: 'It was removed.' },
      refusals: { 404: UNKNOWN, 409: NO_FACTOR },
      operationId: 'resetSecondFactor',
      summary: 'Remove the second factor of a user who has lost it',
      description: 'Ends their sessions. The password alone signs in until they set up another.',
      params: ById,
      handler: async ({ params, user: admin }) => {
        const user = await known(params.id);
        if (!(await accountSecurity(db).of(user.id))?.factor_since) throw conflict(NO_FACTOR);
        await db.transaction().execute(async (trx) => {
          await accountSecurity(trx).removeFactor(user.id);
          await sessions(trx).revokeAllOf(user.id, 'second factor removed', now());
          await auditTrail(trx).note(admin, 'second_factor.reset', user, now());
        });
      },
    });

    app.get('/users/:id/keys', {
      who: 'admin',
      costs: 'list',
      refusals: { 404: UNKNOWN },
      operationId: 'listUserKeys',
      summary: 'The API keys of a user',
      description: 'Newest first, with their tiers and use, never with their value.',
      params: ById,
      response: { 200: ManagedKeys },
      handler: async ({ params }) => {
        const user = await known(params.id);
        const keys = (await apiKeys(db).ofUser(user.id, now())).map(withoutValue);
        return { keys, total: keys.length };
      },
    });

    app.patch('/users/:id/keys/:key_id', {
      who: 'admin',
      refusals: { 404: UNKNOWN_KEY },
      operationId: 'changeKeyTier',
      summary: 'Set the tier of an API key',
      description: 'From its next call. Answers with all keys of the user.',
      params: ByKey,
      body: ChangeTier,
      response: { 200: ManagedKeys },
      handler: async ({ params, body, user: admin }) => {
        const user = await known(params.id);
        const key = orNotFound(await apiKeys(db).one(params.key_id, user.id, now()), UNKNOWN_KEY);
        const { rate_limit_tier: tier } = body;
        if (tier !== key.rate_limit_tier) {
          await db.transaction().execute(async (trx) => {
            await apiKeys(trx).setTier(key.id, tier);
            const detail = `${key.key_prefix} from ${key.rate_limit_tier} to ${tier}`;
            await auditTrail(trx).note(admin, 'key.tier_changed', user, now(), detail);
          });
        }
        const keys = (await apiKeys(db).ofUser(user.id, now())).map(withoutValue);
        return { keys, total: keys.length };
      },
    });
  };

const withoutValue = ({ sealed: _sealed, key_hash: _hash, user_id: _owner, ...key }: KeyWithUse) => key;
