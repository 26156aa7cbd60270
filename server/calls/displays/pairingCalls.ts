/** /api/v1/displays: pairing (RFC 8628), the tokens of displays, and their reports. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { createHmac, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { pageAddress } from '#contract/addresses.ts';
import {
  AskingDisplay,
  DEVICE_CODE_GRANT,
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DISPLAY_ACCESS_MINUTES,
  Display,
  DisplayApproval,
  DisplayToken,
  type DisplayTokenError,
  DisplayTokenRefusal,
  DisplayTokenRequest,
  Heartbeat,
  HEARTBEAT_MINUTES,
  UserCode,
} from '#contract/displays/displays.ts';
import { Refusal } from '#contract/errors.ts';
import { showUserCode, USER_CODE_LENGTH, USER_CODE_LETTERS } from '#contract/displays/userCode.ts';
import { example } from '../reference/examples.ts';
import { codeLimits, networkOf } from '../../accounts/passwords/loginLimits.ts';
import { DISPLAY_REFRESH_DAYS, tokenHash } from '../../accounts/tokens.ts';
import { auditTrail, SERVER } from '../../accounts/auditTrail.ts';
import { displays } from '../../accounts/displays/displays.ts';
import { CODE_MINUTES, pairings, type Poll } from '../../accounts/displays/pairings.ts';
import type { RowOf } from '../../db/schema.ts';
import { REPEAT_SECONDS, sessions } from '../../accounts/sessions.ts';
import { placeOf, plainText, requestOrigin } from '../../http/calls/requestOrigin.ts';
import { conflict, Refused, tooMany, orNotFound } from '../../refusals.ts';
import { AGAIN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';

const POLL_SECONDS = 5;
/** The number of displays behind one address that can wait at once: enough for a whole fleet, and a limit on the
 *  table's size. */
export const OPEN_PER_ADDRESS = 100;

const TOO_MANY_WAIT = 'Too many displays are waiting for approval at this address. Try again in a minute.';
const NO_SUCH_CODE = 'No display shows this code. Look at the screen again: the code may have changed.';
const DECIDED = 'This code has already been used. The screen will show a new one if it still needs one.';
const RUN_OUT = 'This code has expired. Look at the screen again: it shows a new one.';
const PAIRING_REFUSALS = {
  404: NO_SUCH_CODE,
  409: DECIDED,
  410: RUN_OUT,
  429: 'Too many wrong codes. Try again in 60 seconds.',
};

const TypedCode = UserCode.clone(UserCode.def).register(z.globalRegistry, {
  description: 'The code that the display shows.',
  example: example.askingDisplay.user_code,
});

export const pairingCalls: Calls =
  ({ db, config, secrets, tokens, now }) =>
  async (app) => {
    const limits = codeLimits(db, now);
    const later = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();
    const codeHash = (code: string) => createHmac('sha256', secrets.pairingKey).update(code).digest('hex');

    /** The pairing for a typed code. A wrong code counts against the user who typed it. */
    const known = async (request: FastifyRequest, code: string): Promise<RowOf<'pairings'>> => {
      return orNotFound(
        await limits.guess(request.user.id, request.ip, () => pairings(db).byUserCode(codeHash(code))),
        NO_SUCH_CODE,
      );
    };
    const mustWait = (found: RowOf<'pairings'>): RowOf<'pairings'> => {
      if (found.state !== 'waiting') throw conflict(DECIDED);
      if (found.expires_at <= now().toISOString()) throw new Refused(410, RUN_OUT);
      return found;
    };

    app.post('/device_authorization', {
      who: 'anyone',
      refusals: { 429: TOO_MANY_WAIT },
      operationId: 'askForDisplay',
      summary: 'Ask to be paired as a display (RFC 8628, 3.1)',
      description: 'As JSON. Show `user_code`, then poll /displays/token with `device_code`.',
      body: DeviceAuthorizationRequest,
      response: { 200: DeviceAuthorization },
      handler: async (request) => {
        const at = now();
        const network = networkOf(request.ip);
        const origin = config.publicUrl ?? originOf(request, config.corsOrigins);
        if ((await pairings(db).openFrom(network, at)) >= OPEN_PER_ADDRESS) throw tooMany(TOO_MANY_WAIT, 60);

        const device_code = tokens.newRefresh();
        for (;;) {
          const code = newUserCode();
          const isFree = await pairings(db).ask({
            device_code_hash: tokenHash(device_code),
            user_code_hash: codeHash(code),
            ...placeOf(request),
            network,
            asked_at: at.toISOString(),
            expires_at: later(at, CODE_MINUTES * MINUTE_MS),
            interval_seconds: POLL_SECONDS,
          });
          if (!isFree) continue;
          const user_code = showUserCode(code);
          return {
            device_code,
            user_code,
            verification_uri: origin + pageAddress('pair'),
            verification_uri_complete: origin + pageAddress('pair', { user_code }),
            expires_in: CODE_MINUTES * 60,
            interval: POLL_SECONDS,
          };
        }
      },
    });

    app.post('/token', {
      who: 'anyone',
      meanings: {
        400: 'Not yet, too often, or no longer: `error` says which, in the words of RFC 8628.',
      },
      refusals: {
        400: { error: 'authorization_pending', detail: DETAILS.authorization_pending },
      },
      operationId: 'fetchDisplayToken',
      summary: "Fetch or renew a display's credential (RFC 8628, 3.4; RFC 6749, 6)",
      description:
        `A refresh token is exchanged for its successor, as at /auth/refresh: used again after ${REPEAT_SECONDS} seconds it ` +
        'ends the display’s pairing.',
      body: DisplayTokenRequest,
      response: { 200: DisplayToken, 400: z.union([DisplayTokenRefusal, Refusal]) },
      handler: async (request, reply) => {
        const at = now();
        const { body } = request;
        const refuse = (error: DisplayTokenError, detail = DETAILS[error]) =>
          reply.code(400).send({ error, detail, request_id: request.id });

        if (body.grant_type === DEVICE_CODE_GRANT) {
          const { state, intervalSeconds } = await pairings(db).poll(tokenHash(body.device_code), at);
          if (state === 'slow_down')
            return refuse('slow_down', `Ask every ${intervalSeconds} seconds, not more often.`);
          if (state !== 'approved') return refuse(ERRORS[state]);
        }
        // The device code of an approved display is its first refresh token.
        const spent = body.grant_type === DEVICE_CODE_GRANT ? body.device_code : body.refresh_token;
        const refresh_token = tokens.successorOf(spent);
        const { outcome, sessionId, displayId } = await sessions(db).exchange({
          tokenHash: tokenHash(spent),
          successorHash: tokenHash(refresh_token),
          successorExpiresAt: later(at, DISPLAY_REFRESH_DAYS * DAY_MS),
          now: at,
          holder: 'display',
          place: placeOf(request),
        });
        if (outcome === 'reused') {
          request.log.warn(
            { displayId },
            'a spent token of a display was used again: its pairing is revoked',
          );
          const display = displayId === null ? undefined : await displays(db).byId(displayId, at);
          const subject = { id: displayId, name: display?.name ?? '' };
          await auditTrail(db).note(SERVER, 'display.token_reused', subject, at);
        }
        if (outcome === 'refused' || outcome === 'reused' || displayId === null) {
          const blank = await displays(db).mustBlank(tokenHash(spent), at);
          const error = 'invalid_grant' as const;
          const refusal = { error, detail: DETAILS[error], request_id: request.id };
          return reply.code(400).send(blank ? { ...refusal, blank } : refusal);
        }
        await displays(db).noteSeen(displayId, at);
        return {
          access_token: await tokens.displayAccess({ displayId, sessionId }, at),
          token_type: 'Bearer' as const,
          expires_in: DISPLAY_ACCESS_MINUTES * 60,
          refresh_token,
        };
      },
    });

    app.get('/pairing', {
      who: 'user',
      costs: 'list',
      refusals: PAIRING_REFUSALS,
      operationId: 'readPairing',
      summary: 'The display that shows this code',
      description:
        'The code is in the query, which is not logged. Capitals, spaces and hyphens do not matter.',
      querystring: z.object({ user_code: TypedCode }),
      response: { 200: AskingDisplay },
      handler: async (request) => {
        const { user_code } = request.query;
        const { user_agent, address, asked_at, expires_at } = mustWait(await known(request, user_code));
        return { user_code: showUserCode(user_code), user_agent, address, asked_at, expires_at };
      },
    });

    app.post('/pairing/approve', {
      who: 'user',
      costs: 'work',
      meanings: { 201: 'The display may fetch its credential now.' },
      refusals: PAIRING_REFUSALS,
      operationId: 'approveDisplay',
      summary: 'Approve the display that shows this code, under a name',
      description: `The display belongs to the account that approves it. ${AGAIN}`,
      body: DisplayApproval,
      response: { 201: z.object({ id: Display.shape.id, name: Display.shape.name }) },
      handler: async (request) => {
        const at = now();
        const { id: ownId, ...content } = request.body;
        const pairing = await known(request, content.user_code);
        const asked = { id: ownId, kind: 'displays' as const, owner: [request.user.id], content };
        const { id } = await makeOnce(db, asked, at, async (trx, newId) => {
          mustWait(pairing);
          const isApproved = await displays(trx).approve({
            id: newId,
            userCodeHash: codeHash(content.user_code),
            name: content.name,
            ownerId: request.user.id,
            pickUpBefore: later(at, CODE_MINUTES * MINUTE_MS),
            now: at,
          });
          if (!isApproved) throw conflict(DECIDED); // somebody else has decided it a moment ago
          const subject = { id: newId, name: content.name };
          await auditTrail(trx).note(request.user, 'display.approved', subject, at);
        });
        const display = orGone(await displays(db).byId(id, at));
        return { id, name: display.name };
      },
    });

    app.post('/pairing/deny', {
      who: 'user',
      costs: 'work',
      meanings: { 204: 'The display is denied.' },
      refusals: PAIRING_REFUSALS,
      operationId: 'denyDisplay',
      summary: 'Deny the display that shows this code',
      description: 'The display learns of it, and can show a new code.',
      body: z.object({ user_code: UserCode }),
      handler: async (request) => {
        const { user_code } = request.body;
        const { address } = mustWait(await known(request, user_code));
        await db.transaction().execute(async (trx) => {
          if (!(await pairings(trx).decide(codeHash(user_code), 'denied', now()))) throw conflict(DECIDED);
          const subject = { id: null, name: 'A display' };
          await auditTrail(trx).note(request.user, 'display.denied', subject, now(), `at ${address}`);
        });
      },
    });

    app.post('/heartbeat', {
      who: 'display',
      meanings: { 204: 'Recorded.' },
      operationId: 'reportDisplay',
      summary: 'Report the state of a display',
      description: `Every ${HEARTBEAT_MINUTES} minutes: what it shows, how old that is, and whether its screen stays awake.`,
      body: Heartbeat,
      handler: async ({ displayId, body }) => {
        await displays(db).noteHeartbeat(displayId, { ...body, build: plainText(body.build) }, now());
      },
    });
  };

const ERRORS: Readonly<Record<Exclude<Poll, 'approved' | 'slow_down'>, DisplayTokenError>> = {
  pending: 'authorization_pending',
  denied: 'access_denied',
  expired: 'expired_token',
  unknown: 'invalid_grant',
};

const DETAILS: Readonly<Record<DisplayTokenError, string>> = {
  authorization_pending: 'Nobody has approved this display yet.',
  slow_down: 'This display asks too often.',
  access_denied: 'Somebody has denied this display.',
  expired_token: 'This code has expired. Ask for a new one.',
  invalid_grant: 'This display is not paired, or no longer paired.',
};

function newUserCode(): string {
  const letter = () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]!;
  return Array.from({ length: USER_CODE_LENGTH }, letter).join('');
}

/** The origin of the app, as its users open it. */
function originOf(request: FastifyRequest, corsOrigins: readonly string[]): string {
  // The app can be on another host than the API, if the operator has listed it.
  const { origin } = request.headers;
  if (origin && corsOrigins.includes(origin)) return origin;
  return requestOrigin(request);
}
