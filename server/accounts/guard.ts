/** The caller of a request: the holder of an access token (with a valid session and user), an API key or a display
 *  token. `GUARDS` says whom each `who` of a call lets through; docs/calls.md lists them for each call. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Duty, User } from '#contract/accounts/auth.ts';
import type { Tier, TierLimits } from '#contract/accounts/keyTiers.ts';
import type { OwnTeam, TeamMode } from '#contract/accounts/teams.ts';
import { apiKeys, keyHash, looksLikeKey } from './keys/apiKeys.ts';
import type { Db } from '../db/open.ts';
import { type Revisions, ACCESS_REVISION, revision } from '../db/revisions.ts';
import { sessions } from './sessions.ts';
import { teams } from './teams.ts';
import { toUser, users } from './users.ts';
import { forbidden, Refused, tooMany, unauthorised } from '../refusals.ts';
import { keyQuotas, quotaHeaders, secondsToReset } from './keys/keyQuotas.ts';
import { dutyOf, type SecondFactorMode } from './passwords/secondFactor.ts';
import type { Tokens } from './tokens.ts';
import { LRUCache } from 'lru-cache';

export type Caller =
  | { type: 'session'; userId: string; user: User; sessionId: string }
  /** `userId`: the key's owner. The key reads on their behalf, without their role. With the scope `manage` it acts
   *  as `manager`. */
  | { type: 'api_key'; userId: string; keyId: string; tier: Tier; manager?: User; readsJobs?: true }
  /** `userId`: the person responsible for the display. */
  | { type: 'display'; userId: string; displayId: string };

type Holder = Caller & { type: 'session' | 'display' };
type KeyHolder = Caller & { type: 'api_key' };

declare module 'fastify' {
  interface FastifyInstance {
    /** The holder of an access token. */
    holderOf(token: string | undefined): Promise<Holder>;
    /** The holder of an API key; null when it is not valid. */
    holderOfKey(key: string): Promise<KeyHolder | null>;
    /** Whether the user may change settings of their whole team. */
    isLead(user: User): Promise<boolean>;
    /**
     * The caller who sent this token or key lately, without a search. Null when any right to call has changed since.
     */
    callerKnownBy(credential: string, revisions?: Revisions): Promise<Caller | null>;
    /** Counts the call, unless it is answered 304. Returns the headers that state the quota. Throws 429 when no call
     *  is left. */
    spend(caller: KeyHolder, isNotModified?: 'not modified'): Promise<Record<string, string>>;
    /** Writes to the database every call that was counted here. */
    settleQuotas(): Promise<void>;
  }
  interface FastifyRequest {
    /** Null on open routes, before the hooks below have run, and when they find no caller. Also set for a known
     *  caller who is refused, because the usage log must show whose calls those are. */
    caller: Caller | null;
    /** True for a conditional request with an API key: only the answer shows whether it counts. */
    isYetToCount: boolean;
    /** Only in calls for a `user`, a `lead`, an `admin`, or for keys with the scope `manage`. */
    user: User;
    /** Only in calls for a `display`. */
    displayId: string;
    /** The team of the caller, or of the owner of the key or display. Only in calls that have a guard. */
    team(): Promise<OwnTeam>;
    teamId(): Promise<string>;
  }
}

interface Parts {
  db: Db;
  tokens: Tokens;
  keyLimits: TierLimits;
  teamMode: TeamMode;
  requireSecondFactor: SecondFactorMode;
  now: () => Date;
}

/** Prepares this app, and everything registered in it, for the hooks below. */
export function addGuard(
  app: FastifyInstance,
  { db, tokens, keyLimits, teamMode, requireSecondFactor, now }: Parts,
) {
  app.decorateRequest('user');
  app.decorateRequest('displayId');
  app.decorateRequest('caller', null);
  app.decorateRequest('isYetToCount', false);
  app.decorateRequest('team', function (this: FastifyRequest) {
    return teams(db, teamMode).of(this.caller!.userId, now()); // a guard has found the caller
  });
  app.decorateRequest('teamId', async function (this: FastifyRequest) {
    return (await this.team()).id;
  });

  const find = async (token: string): Promise<Holder & { until: number }> => {
    const claims = await tokens.readAccess(token, now());
    const display = claims ? null : await tokens.readDisplayAccess(token, now());
    const read = claims ?? display;
    const found = read && (await sessions(db).caller(read.sessionId, now().toISOString()));
    if (!found || (claims && (found.user.id !== claims.userId || found.displayId !== null)))
      throw unauthorised('Your session has ended. Sign in again.');
    if (display && found.displayId !== display.displayId)
      throw unauthorised('This display is no longer paired.');

    const until = Math.min(read.expiresAt, Date.parse(found.expiresAt));
    const must = dutyOf({ ...found.security, role: found.user.role }, requireSecondFactor);
    const user = { ...toUser(found.user), ...(must && { must }) };
    return display
      ? { type: 'display', userId: user.id, displayId: display.displayId, until }
      : { type: 'session', userId: user.id, user, sessionId: read.sessionId, until };
  };
  const known = knownCallers<(Holder | KeyHolder) & { until: number }>({ db, now });

  app.decorate('holderOf', async (token) => {
    if (!token) throw unauthorised('Sign in to continue.');
    return known(token, () => find(token)) as Promise<Holder>;
  });

  app.decorate('holderOfKey', async (key) => {
    const found = await known(key, async () => {
      const row = await apiKeys(db).inUse(keyHash(key));
      if (!row) return null;
      const { user_id: userId, id: keyId, rate_limit_tier: tier, scope } = row;
      const owner = scope === 'manage' ? await users(db).byId(userId) : undefined;
      const manager = owner && { manager: toUser(owner) };
      const jobs = scope === 'jobs:read' ? ({ readsJobs: true } as const) : null;
      const until = Number.POSITIVE_INFINITY;
      return { type: 'api_key', userId, keyId, tier, ...manager, ...jobs, until } as const;
    });
    return found as KeyHolder | null;
  });

  app.decorate(
    'isLead',
    async ({ id, role }) => role === 'admin' || (await teams(db, teamMode).of(id, now())).role === 'lead',
  );

  const quotas = keyQuotas({ db, limits: keyLimits, now });
  app.decorate('callerKnownBy', (credential, revisions) => known(credential, async () => null, revisions));
  app.decorate('settleQuotas', () => quotas.settle());
  app.addHook('onClose', () => quotas.close());
  app.decorate('spend', async (caller, isNotModified) => {
    const at = now();
    const { tier } = caller;
    const limit = keyLimits[tier];
    const used = await (isNotModified ? quotas.spare(caller) : quotas.spend(caller));
    const headers = quotaHeaders(limit, used ?? limit ?? 0, at);
    if (used !== null) return headers;
    throw tooMany(
      `Your API keys of the ${tier} tier have used their ${limit?.toLocaleString('en-GB')} requests of today. The next day begins at midnight UTC.`,
      secondsToReset(at),
      headers,
    );
  });

  return {
    /** Counts the conditional calls of these routes. Register it after the hook that answers 304. */
    countConditional(api: FastifyInstance): void {
      api.addHook('onSend', async (request, reply, payload) => {
        const { caller } = request;
        if (!request.isYetToCount || caller?.type !== 'api_key') return payload;
        request.isYetToCount = false;
        try {
          reply.headers(await app.spend(caller, reply.statusCode === 304 ? 'not modified' : undefined));
          return payload;
        } catch (refusal) {
          if (!(refusal instanceof Refused)) throw refusal;
          for (const name of OF_THE_ANSWER) reply.removeHeader(name);
          // Sent and not thrown: the answer may already be a refusal, and then the framework would use its own form.
          reply.code(refusal.status).headers(refusal.headers).type('application/json; charset=utf-8');
          return JSON.stringify(refusal.answer);
        }
      });
    },
  };
}

/** Headers that describe an answer; removed when that answer is not sent. */
const OF_THE_ANSWER = ['etag', 'content-encoding', 'content-type', 'content-length'];

/** Read only from the Authorization header: addresses end up in logs and browser histories. */
export function bearerToken(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

const NOT_BY_KEY =
  'An API key cannot do this: it reads events, places, disruptions, feeds and routes. Sign in instead.';
const NOT_BY_READING_KEY =
  'This API key only reads. A key of the scope `manage` may do this where its owner may.';
const NOT_BY_OTHER_KEY =
  'Jobs name people and vehicles: only a key of the scope `jobs:read` reads them, and none changes them.';
const NOT_BY_DISPLAY = 'A display may show the board and the routes that it was given, and nothing else.';

const DUTIES: Readonly<Record<Duty, string>> = {
  change_password: 'Choose your own password first: yours was set by somebody else.',
  set_up_second_factor: 'Set up a second factor first: this server asks for one.',
};

/** Throws 403 while the person must do something first. The calls for doing it are exempt. */
function refuseWhileMust({ routeOptions }: FastifyRequest, caller: Caller): void {
  if (caller.type !== 'session' || !caller.user.must || routeOptions.config.evenWhileMust) return;
  throw forbidden(DUTIES[caller.user.must], caller.user.must);
}

export const FOR_LEADS = 'This is for the leads of your team.';

/** Who may make a call. */
export type Who =
  | 'anyone'
  | 'user'
  | 'lead' // a lead of their team
  | 'admin'
  | 'manage' // users, and their keys with the scope `manage`
  | 'manageLead' // leads, and their keys with the scope `manage`
  | 'jobs' // users, and their keys with the scope `jobs:read`
  | 'data' // users and API keys
  | 'board' // displays as well
  | 'display';

/** onRequest hooks. They throw 401 unless the caller is known, and 403 unless the caller may make the call. */
export const GUARDS: Readonly<Record<Who, (request: FastifyRequest, reply: FastifyReply) => Promise<void>>> =
  {
    async anyone() {},

    /** Throws 403 for any API key, valid or not. */
    async user(request) {
      const token = bearerToken(request);
      if (token && looksLikeKey(token)) {
        request.caller = await request.server.holderOfKey(token);
        throw forbidden(NOT_BY_KEY);
      }

      const caller = await request.server.holderOf(token);
      request.caller = caller;
      if (caller.type === 'display') throw forbidden(NOT_BY_DISPLAY);
      refuseWhileMust(request, caller);
      request.user = caller.user;
    },

    async lead(request, reply) {
      await GUARDS.user(request, reply);
      if (!(await request.server.isLead(request.user))) throw forbidden(FOR_LEADS);
    },

    async admin(request, reply) {
      await GUARDS.user(request, reply);
      if (request.user.role !== 'admin') throw forbidden('This is for administrators only.');
    },

    async manage(request, reply) {
      const token = bearerToken(request);
      if (!token || !looksLikeKey(token)) return GUARDS.user(request, reply);
      await GUARDS.board(request, reply);
      const manager = request.caller?.type === 'api_key' && request.caller.manager;
      if (!manager) throw forbidden(NOT_BY_READING_KEY);
      request.user = manager;
    },

    async jobs(request, reply) {
      const token = bearerToken(request);
      if (!token || !looksLikeKey(token)) return GUARDS.user(request, reply);
      await GUARDS.board(request, reply);
      const { caller } = request;
      if (caller?.type !== 'api_key' || !caller.readsJobs) throw forbidden(NOT_BY_OTHER_KEY);
    },

    async manageLead(request, reply) {
      await GUARDS.manage(request, reply);
      if (!(await request.server.isLead(request.user))) throw forbidden(FOR_LEADS);
    },

    /** Each call with a valid key counts, whatever the answer, except a 429 or a 304. */
    async board(request, reply) {
      const token = bearerToken(request);
      if (!token) throw unauthorised('Sign in or send a key.');
      if (!looksLikeKey(token)) {
        const holder = await request.server.holderOf(token);
        request.caller = holder;
        refuseWhileMust(request, holder);
        return;
      }

      const caller = await request.server.holderOfKey(token);
      if (!caller) throw unauthorised('This API key is not valid. It may have been deleted.');
      request.caller = caller; // before the 429 that `spend` may throw
      if (request.headers['if-none-match'] === undefined) reply.headers(await request.server.spend(caller));
      else request.isYetToCount = true;
    },

    async data(request, reply) {
      await GUARDS.board(request, reply);
      if (request.caller?.type === 'display') throw forbidden(NOT_BY_DISPLAY);
    },

    async display(request) {
      const token = bearerToken(request);
      const caller =
        token && looksLikeKey(token)
          ? await request.server.holderOfKey(token)
          : await request.server.holderOf(token);
      request.caller = caller;
      if (caller?.type !== 'display') throw forbidden('This is for paired displays only.');
      request.displayId = caller.displayId;
    },
  };

// Callers that were found lately, by the token or key that they sent: most callers call again within a minute.

/** About 1 kB each. */
const CALLERS_KEPT = 10_000;

interface Found {
  /** In ms since 1970: the caller is valid from the time when it was found until this time. */
  until: number;
}

/** Finds the caller of a credential, or returns the one that was found before. A change to anybody's right to call,
 *  on any node, makes all of them be searched again, because each call reads that revision. */
export function knownCallers<Caller extends Found>({ db, now }: { db: Db; now: () => Date }) {
  // With `max` it would take all its memory at once, and each app milliseconds more to begin.
  const known = new LRUCache<string, { found: Caller; from: number }>({
    maxSize: CALLERS_KEPT,
    sizeCalculation: () => 1,
  });
  let of = -1;

  return async <Answer extends Caller | null>(
    credential: string,
    find: () => Promise<Answer>,
    revisions?: Revisions,
  ) => {
    const newest = await revision(db, ACCESS_REVISION, revisions);
    if (newest !== of) known.clear();
    of = newest;

    const at = now().getTime();
    const hit = known.get(credential);
    if (hit && at >= hit.from && at < hit.found.until) return hit.found;

    const found = await find();
    // A caller that was read before a change must not be kept as if read after it.
    if (found && of === newest) known.set(credential, { found, from: at });
    return found;
  };
}
