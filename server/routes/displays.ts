/** /api/v1/displays: pairing (RFC 8628), tokens and reports of displays. /api/v1/admin/displays: all displays. */
import { createHmac, randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pageAddress } from '#contract/addresses.ts';
import {
  AskingDisplay,
  DEVICE_CODE_GRANT,
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DISPLAY_ACCESS_MINUTES,
  DISPLAY_CLIENT_ID,
  Display,
  DisplayChange,
  DisplayList,
  DisplayName,
  DisplayRevocation,
  DisplayRoutes,
  DisplayToken,
  type DisplayTokenError,
  DisplayTokenRefusal,
  DisplayTokenRequest,
  Heartbeat,
  HEARTBEAT_MINUTES,
  UserCode,
  type TeamDisplay,
  TeamDisplayList,
} from '#contract/displays.ts';
import { Refusal } from '#contract/errors.ts';
import { WatchList } from '#contract/watches.ts';
import { showUserCode, USER_CODE_LENGTH, USER_CODE_LETTERS } from '#contract/userCode.ts';
import * as example from '../docs/examples.ts';
import { codeLimits, networkOf } from '../auth/rateLimit.ts';
import { DISPLAY_REFRESH_DAYS, tokenHash, type Tokens } from '../auth/tokens.ts';
import type { Config } from '../config.ts';
import { ACTS_FULL, auditTrail, by, BY_SERVER } from '../db/auditTrail.ts';
import { displays } from '../db/displays.ts';
import type { Db } from '../db/open.ts';
import { pairings, type Poll } from '../db/pairings.ts';
import type { PairingsTable } from '../db/schema.ts';
import { sessions } from '../db/sessions.ts';
import { teams } from '../db/teams.ts';
import { users } from '../db/users.ts';
import { watches } from '../db/watches.ts';
import type { WatchAnswers } from '../feeds/watchAnswers.ts';
import { send } from '../http/answers.ts';
import { placeOf, plainText } from '../http/place.ts';
import { requestOrigin } from '../http/requestOrigin.ts';
import { badInput, conflict, notFound, Refused, tooMany } from '../refusals.ts';
import type { Secrets } from '../secrets.ts';

/** Long enough to fetch a phone and sign in, too short to find a code by guessing. */
const CODE_MINUTES = 10;
const POLL_SECONDS = 5;
/** Displays that can wait at once behind one address: enough for a whole fleet, yet a limit on the table's size. */
export const OPEN_PER_ADDRESS = 100;

const UNKNOWN = 'Display not found';
const NOT_PAIRED = 'This display is no longer paired. Enter the code that it shows at /pair.';
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

const NOT_OUR_ROUTES = 'One of these is no route of your team. The list may be out of date.';

const DisplayId = z.object({
  id: z.string().max(128).meta({ description: 'The display’s id.', example: example.display.id }),
});

const TypedCode = UserCode.clone(UserCode.def).register(z.globalRegistry, {
  description: 'The code that the display shows.',
  example: example.askingDisplay.user_code,
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface Parts {
  db: Db;
  config: Pick<Config, 'corsOrigins' | 'publicUrl'>;
  secrets: Pick<Secrets, 'pairingKey'>;
  tokens: Tokens;
  now: () => Date;
}

interface RouteParts extends Pick<Parts, 'db' | 'now'> {
  config: Pick<Config, 'teams'>;
  watchAnswers: WatchAnswers;
}

export const displayRoutes =
  ({ db, config, secrets, tokens, now }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const limits = codeLimits(db, now);
    const later = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();
    const codeHash = (code: string) => createHmac('sha256', secrets.pairingKey).update(code).digest('hex');

    /** The waiting pairing for a typed code. A wrong code counts against the user who typed it. */
    const waiting = async (request: FastifyRequest, code: string): Promise<PairingsTable> => {
      const found = await limits.guess(request.user.id, request.ip, () =>
        pairings(db).byUserCode(codeHash(code)),
      );
      if (!found) throw notFound(NO_SUCH_CODE);
      if (found.state !== 'waiting') throw conflict(DECIDED);
      if (found.expires_at <= now().toISOString()) throw new Refused(410, RUN_OUT);
      return found;
    };

    app.post(
      '/device_authorization',
      {
        config: {
          who: 'anyone',
          body: { client_id: DISPLAY_CLIENT_ID },
          answer: example.deviceAuthorization,
          refusals: { 429: TOO_MANY_WAIT },
        },
        schema: {
          operationId: 'askForDisplay',
          summary: 'Ask to be paired as a display (RFC 8628, 3.1)',
          description: 'As JSON. Show `user_code`, then poll /displays/token with `device_code`.',
          body: DeviceAuthorizationRequest,
          response: { 200: DeviceAuthorization },
        },
      },
      async (request) => {
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
    );

    app.post(
      '/token',
      {
        config: {
          who: 'anyone',
          body: { grant_type: DEVICE_CODE_GRANT, device_code: example.deviceAuthorization.device_code },
          answer: example.displayToken,
          meanings: {
            400: 'Not yet, too often, or no longer: `error` says which, in the words of RFC 8628.',
          },
          refusals: {
            400: { error: 'authorization_pending', detail: DETAILS.authorization_pending },
          },
        },
        schema: {
          operationId: 'fetchDisplayToken',
          summary: "Fetch or renew a display's credential (RFC 8628, 3.4; RFC 6749, 6)",
          description:
            'A refresh token is exchanged for its successor, as at /auth/refresh: used again after 10 seconds it ends the display’s pairing.',
          body: DisplayTokenRequest,
          response: { 200: DisplayToken, 400: z.union([DisplayTokenRefusal, Refusal]) },
        },
      },
      async (request, reply) => {
        const at = now();
        const { body } = request;
        const refuse = (error: DisplayTokenError, detail = DETAILS[error]) =>
          reply.code(400).send({ error, detail });

        if (body.grant_type === DEVICE_CODE_GRANT) {
          const { state, intervalSeconds } = await pairings(db).poll(tokenHash(body.device_code), at);
          if (state === 'slow_down')
            return refuse('slow_down', `Ask every ${intervalSeconds} seconds, not more often.`);
          if (state !== 'approved') return refuse(ERRORS[state]);
        }
        // An approved display's device code is its first refresh token.
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
          const about = { subject_id: displayId, subject: display?.name ?? '', detail: '' };
          await auditTrail(db).note({ ...BY_SERVER, ...about, action: 'display.token_reused' }, at);
        }
        if (outcome === 'refused' || outcome === 'reused' || displayId === null) {
          const blank = await displays(db).mustBlank(tokenHash(spent), at);
          const refusal = { error: 'invalid_grant' as const, detail: DETAILS.invalid_grant };
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
    );

    app.get(
      '/pairing',
      {
        config: { who: 'user', answer: example.askingDisplay, refusals: PAIRING_REFUSALS },
        schema: {
          operationId: 'readPairing',
          summary: 'The display that shows this code',
          description:
            'The code is in the query, which is not logged. Capitals, spaces and hyphens do not matter.',
          querystring: z.object({ user_code: TypedCode }),
          response: { 200: AskingDisplay },
        },
      },
      async (request) => {
        const { user_code } = request.query;
        const { user_agent, address, asked_at, expires_at } = await waiting(request, user_code);
        return { user_code: showUserCode(user_code), user_agent, address, asked_at, expires_at };
      },
    );

    app.post(
      '/pairing/approve',
      {
        config: {
          who: 'user',
          costs: true,
          body: { user_code: example.askingDisplay.user_code, name: example.display.name },
          answer: { id: example.display.id, name: example.display.name },
          meanings: { 201: 'The display may fetch its credential now.' },
          refusals: PAIRING_REFUSALS,
        },
        schema: {
          operationId: 'approveDisplay',
          summary: 'Approve the display that shows this code, under a name',
          description: 'The display belongs to the account that approves it.',
          body: z.object({ user_code: UserCode, name: DisplayName }),
          response: { 201: z.object({ id: Display.shape.id, name: Display.shape.name }) },
        },
      },
      async (request, reply) => {
        const at = now();
        const { user_code, name } = request.body;
        await waiting(request, user_code);
        const display = await db.transaction().execute(async (trx) => {
          const approved = await displays(trx).approve({
            userCodeHash: codeHash(user_code),
            name,
            ownerId: request.user.id,
            pickUpBefore: later(at, CODE_MINUTES * MINUTE_MS),
            now: at,
          });
          if (!approved) throw conflict(DECIDED); // decided by somebody else a moment ago
          const about = { subject_id: approved.id, subject: approved.name, detail: '' };
          await auditTrail(trx).note({ ...by(request.user), ...about, action: 'display.approved' }, at);
          return approved;
        });
        return reply.code(201).send(display);
      },
    );

    app.post(
      '/pairing/deny',
      {
        config: {
          who: 'user',
          costs: true,
          body: { user_code: example.askingDisplay.user_code },
          meanings: { 204: 'The display is denied.' },
          refusals: PAIRING_REFUSALS,
        },
        schema: {
          operationId: 'denyDisplay',
          summary: 'Deny the display that shows this code',
          description: 'The display learns of it, and can show a new code.',
          body: z.object({ user_code: UserCode }),
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { user_code } = request.body;
        const { address } = await waiting(request, user_code);
        await db.transaction().execute(async (trx) => {
          if (!(await pairings(trx).decide(codeHash(user_code), 'denied', now()))) throw conflict(DECIDED);
          const about = { subject_id: null, subject: 'A display', detail: `at ${address}` };
          await auditTrail(trx).note({ ...by(request.user), ...about, action: 'display.denied' }, now());
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/heartbeat',
      {
        config: { who: 'display', body: example.heartbeat, meanings: { 204: 'Recorded.' } },
        schema: {
          operationId: 'reportDisplay',
          summary: 'Report the state of a display',
          description: `Every ${HEARTBEAT_MINUTES} minutes: what it shows, how old that is, and whether its screen stays awake.`,
          body: Heartbeat,
          response: { 204: z.null() },
        },
      },
      async ({ displayId, body }, reply) => {
        await displays(db).noteHeartbeat(displayId, { ...body, build: plainText(body.build) }, now());
        return reply.code(204).send(null);
      },
    );
  };

/** What displays show of their team's routes: given by a lead or administrator of that team, read by the display. */
export const displayRouteRoutes =
  ({ db, config, watchAnswers, now }: RouteParts): FastifyPluginAsyncZod =>
  async (app) => {
    const teamOf = async (userId: string) => (await teams(db, config.teams).of(userId, now())).id;

    /** Only displays of the caller's own team: of another's nothing is said. */
    const known = async ({ user }: FastifyRequest, id: string) => {
      const display = await displays(db).byId(id, now());
      const teamId = await teamOf(user.id);
      if (!display?.owner || (await teamOf(display.owner.id)) !== teamId) throw notFound(UNKNOWN);
      return { display, teamId };
    };
    const given = async (id: string, teamId: string) => {
      const own = await watches(db).some(teamId, await displays(db).routesOf(id));
      return { watch_ids: own.map((watch) => watch.id) };
    };

    app.get(
      '/',
      {
        config: { who: 'lead', answer: { displays: [example.teamDisplay], total: 1 } },
        schema: {
          operationId: 'listTeamDisplays',
          summary: 'The displays of the caller’s team, by name',
          description: 'Those that its members approved. Only displays that are paired.',
          response: { 200: TeamDisplayList },
        },
      },
      async ({ user }) => {
        const teamId = await teamOf(user.id);
        const own: TeamDisplay[] = [];
        for (const { id, name, state, owner } of await displays(db).all(now())) {
          if (state !== 'paired' || !owner || (await teamOf(owner.id)) !== teamId) continue;
          own.push({ id, name, state });
        }
        return { displays: own, total: own.length };
      },
    );

    app.get(
      '/me/routes',
      {
        config: { who: 'display', answer: example.watchList },
        schema: {
          operationId: 'listDisplayRoutes',
          summary: 'The routes that this display was given to show',
          description:
            'As `GET /watches` answers them. They are those of the team of the person who approved it.',
          response: { 200: WatchList },
        },
      },
      async (request, reply) => {
        const teamId = await teamOf(request.caller!.userId); // a guard has found the display
        const ids = await displays(db).routesOf(request.displayId);
        return send(request, reply, await watchAnswers.list(teamId, ids));
      },
    );

    app.get(
      '/:id/routes',
      {
        config: {
          who: 'lead',
          answer: { watch_ids: [example.watch.id] },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'readDisplayRoutes',
          summary: 'Which routes a display was given to show',
          description: 'Only displays of the caller’s own team.',
          params: DisplayId,
          response: { 200: DisplayRoutes },
        },
      },
      async (request) => {
        const { display, teamId } = await known(request, request.params.id);
        return given(display.id, teamId);
      },
    );

    app.put(
      '/:id/routes',
      {
        config: {
          who: 'lead',
          body: { watch_ids: [example.watch.id] },
          answer: { watch_ids: [example.watch.id] },
          refusals: { 404: UNKNOWN, 429: ACTS_FULL },
        },
        schema: {
          operationId: 'giveDisplayRoutes',
          summary: 'Give a display routes to show',
          description:
            'These and no others, of the caller’s own team, on a display of that team. Anybody who sees the screen sees them.',
          params: DisplayId,
          body: DisplayRoutes,
          response: { 200: DisplayRoutes },
        },
      },
      async (request) => {
        const { display, teamId } = await known(request, request.params.id);
        const ids = [...new Set(request.body.watch_ids)];
        if ((await watches(db).some(teamId, ids)).length < ids.length) throw badInput(NOT_OUR_ROUTES);
        await db.transaction().execute(async (trx) => {
          await displays(trx).giveRoutes(display.id, ids);
          await auditTrail(trx).note(
            {
              ...by(request.user),
              subject_id: display.id,
              subject: display.name,
              action: 'display.routes_given',
              // Not which: they are the team's alone.
              detail: `${ids.length} ${ids.length === 1 ? 'route' : 'routes'}`,
            },
            now(),
          );
        });
        return given(display.id, teamId);
      },
    );
  };

export const displayAdminRoutes =
  ({ db, now }: Pick<Parts, 'db' | 'now'>): FastifyPluginAsyncZod =>
  async (app) => {
    const known = async (id: string): Promise<Display> => {
      const display = await displays(db).byId(id, now());
      if (!display) throw notFound(UNKNOWN);
      return display;
    };

    app.get(
      '/',
      {
        config: { who: 'admin', answer: { displays: [example.display], total: 1 } },
        schema: {
          operationId: 'listDisplays',
          summary: 'Every display, by name',
          description: 'With its state and its last report.',
          response: { 200: DisplayList },
        },
      },
      async () => {
        const all = await displays(db).all(now());
        return { displays: all, total: all.length };
      },
    );

    app.patch(
      '/:id',
      {
        config: {
          who: 'admin',
          body: { name: 'Dispatch room' },
          answer: example.display,
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'changeDisplay',
          summary: 'Rename a display, move it to another account, or let it show first names',
          description: 'A field that is left out keeps its value.',
          params: DisplayId,
          body: DisplayChange,
          response: { 200: Display },
        },
      },
      async ({ params: { id }, body: { name, owner_id, show_names }, user: admin }) => {
        const before = await known(id);
        const owner = owner_id === undefined ? undefined : await users(db).byId(owner_id);
        if (owner_id !== undefined && !owner?.is_active)
          throw badInput('owner_id must be that of an active user');
        const note = (trx: Db, action: string, detail: string) =>
          auditTrail(trx).note({ ...by(admin), subject_id: id, subject: before.name, action, detail }, now());
        await db.transaction().execute(async (trx) => {
          if (name !== undefined && name !== before.name) {
            await displays(trx).rename(id, name);
            await note(trx, 'display.renamed', `to ${name}`);
          }
          if (owner && owner.id !== before.owner?.id) {
            await displays(trx).giveTo(id, owner.id);
            // Without the name: the trail removes a deleted person's name only as actor or subject.
            await note(trx, 'display.given', owner.id === admin.id ? 'taken over' : '');
          }
          if (show_names !== undefined && show_names !== before.show_names) {
            await displays(trx).setShowsNames(id, show_names);
            await note(trx, 'display.names', show_names ? 'shown' : 'not shown');
          }
        });
        return known(id);
      },
    );

    app.post(
      '/:id/renew',
      {
        config: {
          who: 'admin',
          answer: { ...example.display, ends_at: '2027-11-21T08:40:00.000Z' },
          refusals: { 404: UNKNOWN, 409: NOT_PAIRED },
        },
        schema: {
          operationId: 'renewDisplay',
          summary: 'Approve a display for another year',
          description:
            'From now on. Without it a display is signed out a year after its approval, and shows a new code.',
          params: DisplayId,
          response: { 200: Display },
        },
      },
      async ({ params: { id }, user }) => {
        const { name, state } = await known(id);
        if (state !== 'paired') throw conflict(NOT_PAIRED);
        await db.transaction().execute(async (trx) => {
          const aliveUntil = new Date(now().getTime() + DISPLAY_REFRESH_DAYS * DAY_MS);
          await displays(trx).renew(id, aliveUntil, now());
          const about = { subject_id: id, subject: name, detail: '' };
          await auditTrail(trx).note({ ...by(user), ...about, action: 'display.renewed' }, now());
        });
        return known(id);
      },
    );

    app.post(
      '/:id/revoke',
      {
        config: {
          who: 'admin',
          body: { blank: false },
          answer: { ...example.display, state: 'revoked' },
          refusals: { 404: UNKNOWN },
        },
        schema: {
          operationId: 'revokeDisplay',
          summary: "Revoke a display's credential",
          description:
            'The display keeps its last board, marked as signed out, and shows a new code. `blank`: it clears its board as well.',
          params: DisplayId,
          body: DisplayRevocation,
          response: { 200: Display },
        },
      },
      async ({ params: { id }, body, user }) => {
        const { name } = await known(id);
        const blank = body?.blank ?? false;
        await db.transaction().execute(async (trx) => {
          await displays(trx).revoke(id, { blank }, now());
          await auditTrail(trx).note(
            {
              ...by(user),
              action: blank ? 'display.blanked' : 'display.revoked',
              subject_id: id,
              subject: name,
              detail: '',
            },
            now(),
          );
        });
        return known(id);
      },
    );
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
