/** /api/v1/auth: sign-in, sign-out and the signed-in user. */
import { DAY_MS } from '#contract/durations.ts';
import { randomUUID, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { LOGIN_EVENT, SESSION_CATEGORY } from '#contract/accounts/analytics.ts';
import {
  LoginRequest,
  LoginResponse,
  LogoutRequest,
  RefreshRequest,
  RefreshResponse,
  RegisterRequest,
  User,
} from '#contract/accounts/auth.ts';
import { bearerToken } from '../../accounts/guard.ts';
import { guessProblem } from '../../accounts/passwords/passwords.ts';
import {
  loginLimits,
  networkOf,
  registrationLimits,
  userLimits,
} from '../../accounts/passwords/loginLimits.ts';
import { dutyOf, accountSecurity } from '../../accounts/passwords/secondFactor.ts';
import { REFRESH_TOKEN_DAYS, tokenHash } from '../../accounts/tokens.ts';
import { auditTrail, SERVER } from '../../accounts/auditTrail.ts';
import { inQuickTransaction } from '../../db/statements.ts';
import type { RowOf } from '../../db/schema.ts';
import { REPEAT_SECONDS, sessions } from '../../accounts/sessions.ts';
import { usage } from '../../http/usage/usage.ts';
import { toUser, users } from '../../accounts/users.ts';
import { placeOf } from '../../http/calls/requestOrigin.ts';
import { badInput, conflict, forbidden, Refused, unauthorised } from '../../refusals.ts';
import type { Secrets } from '../../accounts/secrets.ts';

/** The same words for an unknown address, a wrong password and a disabled user, so that they do not reveal which it
 *  was. */
const WRONG_PASSWORD = 'Incorrect email or password';
const ENDED = 'Your session has ended. Sign in again.';
const BY_INVITATION = 'Registration is by invitation only.';
const CODE_NEEDED = 'Enter the code that your authenticator app shows.';
const CODE_WRONG = 'This code is not right, or was used before. Wait for the next one.';
const PASSWORD_EXPIRED =
  'The password that was made for you has expired. Ask an administrator for another one.';
const TAKEN = 'An account with this email address exists already.';

export const authCalls: Calls =
  ({ db, config, secrets, tokens, passwords, factors, now }) =>
  async (app) => {
    const limits = loginLimits(db, now);
    const codeLimits = userLimits(db, now, 'code');
    const limitRegistrations = registrationLimits(db, now);
    const nameOf = accountNames(secrets);

    /** The second step of a sign-in: refuses unless the account has no second factor, or the code is right. */
    const checkCode = async (user: RowOf<'users'>, code: string | null | undefined) => {
      const security = await accountSecurity(db).of(user.id);
      if (security?.factor_since) {
        if (!code?.trim()) throw unauthorised(CODE_NEEDED, 'second_factor_required');
        const isRight = await codeLimits.guess(user.id, async () => {
          const outcome = await factors.spend(db, security, code, { now: now(), recovery: true });
          if (outcome === 'recovery') {
            const left = await accountSecurity(db).recoveryCodesLeft(user.id);
            await auditTrail(db).note(user, 'second_factor.recovery_used', user, now(), `${left} left`);
          }
          return outcome !== 'wrong';
        });
        if (!isRight) throw unauthorised(CODE_WRONG, 'second_factor_wrong');
      }
      if (security?.password_until && security.password_until <= now().toISOString())
        throw forbidden(PASSWORD_EXPIRED);
      return security;
    };
    const refreshExpiry = (at: Date) => new Date(at.getTime() + REFRESH_TOKEN_DAYS * DAY_MS).toISOString();

    app.post('/login', {
      who: 'anyone',
      refusals: {
        401: WRONG_PASSWORD,
        403: PASSWORD_EXPIRED,
        429: 'Too many wrong passwords. Try again in 60 seconds.',
        503: 'Too many people are signing in at this moment. Try again in a few seconds.',
      },
      operationId: 'signIn',
      summary: 'Sign in',
      description:
        'Only wrong passwords count against the limit of attempts. For an account with a second factor the right password alone gets 401 with the `reason` `second_factor_required`: send both again with `code`, from the app or a recovery code. A wrong code gets `second_factor_wrong`.',
      body: LoginRequest,
      response: { 200: LoginResponse },
      handler: async (request) => {
        const { email, password, code } = request.body;

        const verified = async () => {
          await limits.check(email, request.ip);
          const known = await users(db).byEmail(email);
          const matches = await passwords.matches(password, known?.password_hash);
          if (known && matches && known.is_active) return known;
          await limits.noteFailure(email, request.ip);
          throw unauthorised(WRONG_PASSWORD);
        };
        const signedIn = async () => {
          // Checked before the queue: an attempt that is refused anyway must not keep others waiting.
          await limits.check(email, request.ip);
          // Simultaneous guesses run one after another, and each is counted before the next begins. Otherwise they
          // would evade the limit.
          const user = await passwords.inTurn(
            () => limits.inTurn(email, request.ip, verified),
            networkOf(request.ip),
          );
          const security = await checkCode(user, code);
          await limits.forgive(email, request.ip);
          return { user, security };
        };
        const { user, security } = await signedIn().catch((error: unknown) => {
          // Sign-ins over the limit are only counted and not logged one by one, because anybody can send any number.
          if (error instanceof Refused && error.status < 429)
            request.log.warn({ account: nameOf(email), status: error.status }, 'a sign-in was refused');
          throw error;
        });
        request.log.info({ account: nameOf(email) }, 'signed in');
        const must = dutyOf(
          {
            role: user.role,
            password_until: security?.password_until ?? null,
            factor_since: security?.factor_since ?? null,
          },
          config.requireSecondFactor,
        );

        const at = now();
        const startedAt = at.toISOString();
        const sessionId = randomUUID();
        const refresh_token = tokens.newRefresh();
        // A quick transaction does not wait for the disk. After a power failure the person must sign in again, which
        // costs less than everybody's wait.
        await inQuickTransaction(db, async (trx) => {
          await sessions(trx).start({
            session: {
              id: sessionId,
              user_id: user.id,
              created_at: startedAt,
              last_used_at: startedAt,
              expires_at: refreshExpiry(at),
              revoked_at: null,
              revoked_reason: null,
              display_id: null,
              ...placeOf(request),
            },
            tokenHash: tokenHash(refresh_token),
            tokenExpiresAt: refreshExpiry(at),
          });
          await users(trx).noteLogin(user.id, startedAt);
          await usage(trx).noteEvent({
            user_id: user.id,
            event_type: LOGIN_EVENT,
            event_category: SESSION_CATEGORY,
            session_id: sessionId,
            occurred_at: startedAt,
          });
        });

        return {
          access_token: await tokens.access({ userId: user.id, sessionId }, at),
          refresh_token,
          session_id: sessionId,
          user: { ...toUser({ ...user, last_login: startedAt }), ...(must && { must }) },
        };
      },
    });

    app.post('/refresh', {
      who: 'anyone',
      refusals: { 401: ENDED },
      operationId: 'refreshSession',
      summary: 'Exchange a refresh token for its successor and a new access token',
      description:
        `A token that was exchanged in the last ${REPEAT_SECONDS} seconds gives the same successor while that is unused. ` +
        'Using it again later ends the whole session.',
      body: RefreshRequest,
      response: { 200: RefreshResponse },
      handler: async (request) => {
        const at = now();
        const spent = request.body.refresh_token;
        const successor = tokens.successorOf(spent);
        const { outcome, sessionId, userId } = await sessions(db).exchange({
          tokenHash: tokenHash(spent),
          successorHash: tokenHash(successor),
          successorExpiresAt: refreshExpiry(at),
          now: at.toISOString(),
          place: placeOf(request),
        });

        if (outcome === 'reused') {
          request.log.warn(
            { sessionId, userId },
            'a spent refresh token was used again: its session is revoked',
          );
          const user = await users(db).byId(userId);
          const subject = { id: userId, email: user?.email ?? '' };
          await auditTrail(db).note(SERVER, 'session.token_reused', subject, at);
        }
        if (outcome === 'refused' || outcome === 'reused') throw unauthorised(ENDED);
        return { access_token: await tokens.access({ userId, sessionId }, at), refresh_token: successor };
      },
    });

    /** The holder of the access token, even if it has expired. */
    const bearerOf = async (request: FastifyRequest) => {
      const token = bearerToken(request);
      return token ? tokens.readAccess(token, now(), 'allowed') : null;
    };

    app.post('/logout', {
      who: 'anyone',
      meanings: { 204: 'The session has ended.' },
      operationId: 'signOut',
      summary: 'Sign out',
      description:
        'Ends the session of the access token, whatever the body says, even if the token has just expired.',
      body: LogoutRequest,
      // This runs before the body is read: a bad body must not stop the session from ending.
      onRequest: async (request) => {
        const claims = await bearerOf(request);
        if (claims) await sessions(db).revoke(claims.sessionId, claims.userId, 'logout', now().toISOString());
      },
      handler: async (request) => {
        const claims = await bearerOf(request);
        const named = request.body?.session_id;
        // Only a session of this user is ended; a session of another user is not changed.
        if (claims && named) await sessions(db).revoke(named, claims.userId, 'logout', now().toISOString());
      },
    });

    app.post('/register', {
      who: 'anyone',
      refusals: {
        403: BY_INVITATION,
        409: TAKEN,
        429: 'Too many new accounts from this network. Try again in 60 seconds.',
      },
      operationId: 'register',
      summary: 'Create an account',
      description: 'Closed unless the operator has opened it.',
      body: RegisterRequest,
      response: { 201: User },
      // This runs before the body is read: closed registration gives the same answer to any body.
      onRequest: async () => {
        if (config.registration !== 'open') throw forbidden(BY_INVITATION);
      },
      handler: async (request) => {
        const { email, password, display_name } = request.body;
        await limitRegistrations(request.ip);
        const problem = await guessProblem(password, { email, display_name });
        if (problem) throw badInput(problem);

        const row = {
          id: randomUUID(),
          email: email.toLowerCase(),
          display_name,
          password_hash: await passwords.inTurn(() => passwords.hash(password), networkOf(request.ip)),
          role: 'user' as const,
          is_active: 1,
          is_verified: 0,
          created_at: now().toISOString(),
          last_login: null,
        };
        if (!(await users(db).insert(row))) throw conflict(TAKEN);
        return toUser(row);
      },
    });

    app.get('/me', {
      who: 'user',
      evenWhileMust: true,
      operationId: 'readMe',
      summary: 'Who is signed in',
      description:
        'The user of the access token. `must`: the steps that the user has to do first; until then all other calls answer 403.',
      response: { 200: User },
      // The user is read again, because the guard's copy does not hold the time of the last sign-in.
      handler: async ({ user }) => {
        const row = await users(db).byId(user.id);
        return row ? { ...toUser(row), ...(user.must && { must: user.must }) } : user;
      },
    });
  };

/** The name of an account in the log: always the same for one account, and only the secret tells whose it is. */
const accountNames =
  ({ accountKey }: Pick<Secrets, 'accountKey'>) =>
  (email: string) =>
    createHmac('sha256', accountKey).update(email.toLowerCase()).digest('hex').slice(0, 16);
