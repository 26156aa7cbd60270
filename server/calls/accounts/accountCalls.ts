/** /api/v1/auth: one's own password, sessions and second factor, and the ticket that opens the reference. */
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  AccountSessions,
  DOCS_TICKET_SECONDS,
  DocsAccess,
  DocsTicket,
  DocsTicketRedemption,
  EndedSessions,
  PasswordChange,
  PasswordConfirmation,
  RecoveryCodes,
  SecondFactor,
  SecondFactorChange,
  SecondFactorCode,
  SecondFactorSecret,
  SecondFactorStart,
  type AccountSession,
} from '#contract/accounts/account.ts';
import type { User } from '#contract/accounts/auth.ts';
import { example } from '../reference/examples.ts';
import { guessProblem } from '../../accounts/passwords/passwords.ts';
import { networkOf, userLimits } from '../../accounts/passwords/loginLimits.ts';
import { asksFor, accountSecurity } from '../../accounts/passwords/secondFactor.ts';
import { tokenHash } from '../../accounts/tokens.ts';
import { ACTS_FULL, auditTrail } from '../../accounts/auditTrail.ts';
import { displays } from '../../accounts/displays/displays.ts';
import { docsTickets, endOf, sessions } from '../../accounts/sessions.ts';
import type { Db } from '../../db/open.ts';
import { users } from '../../accounts/users.ts';
import { badInput, conflict, forbidden, unauthorised, orNotFound } from '../../refusals.ts';
import { idOf } from '../../http/calls/parameters.ts';

const WRONG_CURRENT = 'This is not your current password.';
const SAME = 'The new password must differ from the current one.';
const UNKNOWN = 'There is no such session. It may have ended already.';
const WRONG_CODE = 'This code is not right, or was used before. Wait for the next one.';
const CODE_NEEDED = 'Enter the code of your second factor as well.';
const IS_ON = 'You have a second factor already. Remove it first.';
const IS_OFF = 'You have no second factor.';
const NOT_STARTED = 'Begin again: there is no second factor to confirm.';
const IS_REQUIRED = 'This server asks you for a second factor. An administrator can reset it.';
const TICKET_USED = 'This page was opened too late, or twice. Open it from the dashboard again.';
const GUESSED = 'Too many wrong passwords. Try again in 60 seconds.';

/** The parts of a call that all calls of this file share. */
const own = { who: 'user', evenWhileMust: true } as const;

export const accountCalls: Calls =
  ({ db, config, tokens, passwords, factors, now }) =>
  async (app) => {
    const passwordLimits = userLimits(db, now, 'password');
    const codeLimits = userLimits(db, now, 'code');

    /** Refuses unless this is the caller's password: an unwatched screen must not be enough to take an account. */
    const confirm = async (user: User, password: string): Promise<void> => {
      const isRight = await passwordLimits.guess(user.id, async () => {
        const row = await users(db).byId(user.id);
        return passwords.inTurn(() => passwords.matches(password, row?.password_hash));
      });
      if (!isRight) throw forbidden(WRONG_CURRENT);
    };
    const spend = async (user: User, code: string, recovery: boolean): Promise<void> => {
      const isRight = await codeLimits.guess(user.id, async () => {
        const found = await accountSecurity(db).of(user.id);
        const outcome = found && (await factors.spend(db, found, code, { now: now(), recovery }));
        return outcome === 'app' || outcome === 'recovery';
      });
      if (!isRight) throw forbidden(WRONG_CODE);
    };
    /** Also asks for a code when the account has a second factor. */
    const confirmFactor = async (user: User, code: string | null | undefined): Promise<void> => {
      if (!(await accountSecurity(db).of(user.id))?.factor_since) return;
      if (!code?.trim()) throw forbidden(CODE_NEEDED, 'second_factor_required');
      await spend(user, code, true);
    };
    const note = (trx: Db, user: User, action: string) => auditTrail(trx).note(user, action, user, now());
    /** Ends the other sessions. Every change to how a person signs in does so: one of those sessions can be the
     *  reason for the change. */
    const endOthers = (trx: Db, request: FastifyRequest, reason: string) =>
      sessions(trx).revokeAllOf(request.user.id, reason, now(), sessionOf(request));

    app.post('/password', {
      ...own,
      meanings: { 204: 'The password was changed. All other sessions have ended.' },
      refusals: { 403: WRONG_CURRENT, 429: GUESSED },
      operationId: 'changePassword',
      summary: 'Change the caller’s password',
      description:
        'Ends all other sessions. API keys and displays go on working. For an account with a second factor the right ' +
        'password alone gets 403 with the `reason` `second_factor_required`: send both with `code`.',
      body: PasswordChange,
      handler: async (request) => {
        const { user, body } = request;
        await confirm(user, body.current_password);
        if (body.new_password === body.current_password) throw badInput(SAME);
        const problem = await guessProblem(body.new_password, user);
        if (problem) throw badInput(problem);
        // The code is checked last, because it can be used only once.
        await confirmFactor(user, body.code);

        const hash = await passwords.inTurn(() => passwords.hash(body.new_password));
        await db.transaction().execute(async (trx) => {
          await users(trx).setPasswordHash(user.id, hash);
          await accountSecurity(trx).notePasswordUntil(user.id, null);
          await endOthers(trx, request, 'password changed');
          await note(trx, user, 'user.password_changed');
        });
      },
    });

    app.post('/confirm', {
      who: 'user',
      costs: 'work',
      meanings: { 204: 'The password was confirmed.' },
      refusals: { 403: WRONG_CURRENT, 429: GUESSED },
      operationId: 'confirmPassword',
      summary: 'Confirm the caller’s password',
      description:
        'For 15 minutes this session is shown the full values of its API keys, as after a sign-in. For an account with a ' +
        'second factor the right password alone gets 403 with the `reason` `second_factor_required`: send both with `code`.',
      body: PasswordConfirmation,
      handler: async (request) => {
        const { user, body } = request;
        await confirm(user, body.current_password);
        await confirmFactor(user, body.code);
        await sessions(db).noteConfirmed(sessionOf(request), now());
      },
    });

    app.get('/sessions', {
      ...own,
      costs: 'list',
      operationId: 'listSessions',
      summary: 'The caller’s sessions and displays',
      description: 'Browsers, and the displays that this account has approved; the latest used first.',
      response: { 200: AccountSessions },
      handler: async (request) => {
        const found = await sessions(db).ofUser(request.user.id, now());
        const list = found.map((row): AccountSession => ({
          id: row.id,
          kind: row.display_id === null ? 'browser' : 'display',
          name: row.name,
          current: row.id === sessionOf(request),
          created_at: row.created_at,
          last_used_at: row.last_seen_at ?? row.last_used_at,
          ends_at: endOf(row, row.approved_at),
          network: row.address ? networkOf(row.address).replace('address:', '') : null,
          browser: browserInWords(row.user_agent),
        }));
        return { sessions: list, total: list.length };
      },
    });

    app.delete('/sessions/:id', {
      ...own,
      meanings: { 204: 'It has ended.' },
      refusals: { 404: UNKNOWN, 429: ACTS_FULL },
      operationId: 'endSession',
      summary: 'End one of the caller’s sessions, or unpair a display',
      description: 'Its next call is refused.',
      params: z.object({
        id: idOf('session', example.SESSION_ID),
      }),
      handler: async ({ params: { id }, user }) => {
        const row = orNotFound(
          (await sessions(db).ofUser(user.id, now())).find((one) => one.id === id),
          UNKNOWN,
        );
        const displayId = row.display_id;
        if (displayId === null) await sessions(db).revoke(id, user.id, 'ended by its owner', now());
        else {
          await db.transaction().execute(async (trx) => {
            await displays(trx).revoke(displayId, { blank: false }, now());
            const subject = { id: displayId, name: row.name ?? '' };
            await auditTrail(trx).note(user, 'display.revoked', subject, now());
          });
        }
      },
    });

    app.post('/sessions/end-others', {
      ...own,
      operationId: 'endOtherSessions',
      summary: 'End all other sessions of the caller',
      description: 'Browsers only: displays and API keys go on working.',
      response: { 200: EndedSessions },
      handler: async (request) => ({ ended: await endOthers(db, request, 'ended by its owner') }),
    });

    app.get('/second-factor', {
      ...own,
      costs: 'list',
      operationId: 'readSecondFactor',
      summary: 'Whether the caller has a second factor',
      description: '`required`: this server asks for one.',
      response: { 200: SecondFactor },
      handler: async ({ user }) => {
        const since = (await accountSecurity(db).of(user.id))?.factor_since ?? null;
        return {
          state: since === null ? ('off' as const) : ('on' as const),
          since,
          recovery_codes_left: await accountSecurity(db).recoveryCodesLeft(user.id),
          required: asksFor(config.requireSecondFactor, user.role),
        };
      },
    });

    app.post('/second-factor', {
      ...own,
      refusals: { 403: WRONG_CURRENT, 409: IS_ON, 429: GUESSED },
      operationId: 'prepareSecondFactor',
      summary: 'Begin to set up a second factor',
      description:
        'Enter the secret into an authenticator app (RFC 6238), then confirm with a code. Nothing changes before.',
      body: SecondFactorStart,
      response: { 200: SecondFactorSecret },
      handler: async ({ user, body }) => {
        await confirm(user, body.current_password);
        const { sealed, secret, uri } = factors.prepare(user);
        if (!(await accountSecurity(db).prepareFactor(user.id, sealed))) throw conflict(IS_ON);
        return { secret, uri };
      },
    });

    /** Replaces the recovery codes. Promises the new codes, to be shown once. */
    const renewCodes = async (trx: Db, user: User): Promise<string[]> => {
      const { shown, hashes } = factors.recoveryCodes();
      await accountSecurity(trx).keepRecoveryCodes(user.id, hashes);
      return shown;
    };

    app.post('/second-factor/confirm', {
      ...own,
      refusals: { 403: WRONG_CODE, 409: NOT_STARTED },
      operationId: 'confirmSecondFactor',
      summary: 'Turn on the second factor, with a first code',
      description:
        'Answers with ten recovery codes, each of which replaces a code once. Ends all other sessions.',
      body: SecondFactorCode,
      response: { 200: RecoveryCodes },
      handler: async (request) => {
        const { user, body } = request;
        const found = await accountSecurity(db).of(user.id);
        if (!found?.factor_sealed || found.factor_since !== null) throw conflict(NOT_STARTED);
        await spend(user, body.code, false);
        return db.transaction().execute(async (trx) => {
          await accountSecurity(trx).confirmFactor(user.id, now());
          await endOthers(trx, request, 'second factor set up');
          await note(trx, user, 'second_factor.set_up');
          return { recovery_codes: await renewCodes(trx, user) };
        });
      },
    });

    /** Refuses unless the password is right, and also the code when the account has a second factor. */
    const confirmBoth = async (user: User, body: z.infer<typeof SecondFactorChange>): Promise<void> => {
      if (!(await accountSecurity(db).of(user.id))?.factor_since) throw conflict(IS_OFF);
      await confirm(user, body.current_password);
      await spend(user, body.code, true);
    };

    app.post('/second-factor/recovery-codes', {
      ...own,
      refusals: { 403: WRONG_CODE, 409: IS_OFF, 429: GUESSED },
      operationId: 'renewRecoveryCodes',
      summary: 'Ten new recovery codes',
      description: 'The earlier codes stop working.',
      body: SecondFactorChange,
      response: { 200: RecoveryCodes },
      handler: async ({ user, body }) => {
        await confirmBoth(user, body);
        return db.transaction().execute(async (trx) => {
          await note(trx, user, 'second_factor.codes_renewed');
          return { recovery_codes: await renewCodes(trx, user) };
        });
      },
    });

    app.post('/second-factor/remove', {
      ...own,
      meanings: { 204: 'It was removed: the password alone signs in again.' },
      refusals: { 403: WRONG_CODE, 409: IS_OFF, 429: GUESSED },
      operationId: 'removeSecondFactor',
      summary: 'Turn off the second factor',
      description: 'Refused if this server requires a second factor. Ends all other sessions.',
      body: SecondFactorChange,
      handler: async (request) => {
        const { user, body } = request;
        if (asksFor(config.requireSecondFactor, user.role)) throw conflict(IS_REQUIRED);
        await confirmBoth(user, body);
        await db.transaction().execute(async (trx) => {
          await accountSecurity(trx).removeFactor(user.id);
          await endOthers(trx, request, 'second factor removed');
          await note(trx, user, 'second_factor.removed');
        });
      },
    });

    app.post('/docs-ticket', {
      who: 'user',
      costs: 'work',
      operationId: 'makeDocsTicket',
      summary: 'A ticket for the interactive reference',
      description: `Open /docs with it as \`token\`, once, within ${DOCS_TICKET_SECONDS} seconds.`,
      response: { 200: DocsTicket },
      handler: async (request) => {
        const ticket = tokens.newRefresh();
        await docsTickets(db).keep({
          ticket_hash: tokenHash(ticket),
          session_id: sessionOf(request),
          expires_at: new Date(now().getTime() + DOCS_TICKET_SECONDS * 1000),
        });
        return { ticket, expires_in: DOCS_TICKET_SECONDS };
      },
    });

    app.post('/docs-ticket/redeem', {
      who: 'anyone',
      refusals: { 401: TICKET_USED },
      operationId: 'redeemDocsTicket',
      summary: 'Exchange a ticket of the interactive reference for an access token',
      description: 'The reference does so when it opens. A ticket is good once.',
      body: DocsTicketRedemption,
      response: { 200: DocsAccess },
      handler: async ({ body }) => {
        const at = now();
        const sessionId = await docsTickets(db).redeem(tokenHash(body.ticket), at);
        const found = sessionId === undefined ? undefined : await sessions(db).caller(sessionId, at);
        if (sessionId === undefined || !found) throw unauthorised(TICKET_USED);
        return { access_token: await tokens.access({ userId: found.user.id, sessionId }, at) };
      },
    });
  };

/** The session of the caller, whom the guard for users has found. */
const sessionOf = ({ caller }: FastifyRequest): string =>
  caller?.type === 'session' ? caller.sessionId : '';

/** A browser as its owner would name it, from its User-Agent header: "Firefox on Windows". */

/** The first match counts, because most browsers also name the browsers that they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWeb0S\b|\bwebOS\b/, 'a webOS television'],
  [/\bTizen\b/, 'a Tizen television'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

function browserInWords(userAgent: string | null | undefined): string {
  const named = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A browser on ${system}` : 'Another program');
}
