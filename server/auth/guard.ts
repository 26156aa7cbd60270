/** Who is calling: the bearer of an access token whose session and user still stand. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { User } from '#contract/auth.ts';
import type { Db } from '../db/open.ts';
import { sessions } from '../db/sessions.ts';
import { toUser } from '../db/users.ts';
import { forbidden, unauthorised } from '../errors.ts';
import type { Tokens } from './tokens.ts';

declare module 'fastify' {
  interface FastifyInstance {
    callerOf(request: FastifyRequest): Promise<{ user: User; sessionId: string }>;
  }
  interface FastifyRequest {
    /** Only on routes behind `requireUser` or `requireAdmin`. */
    user: User;
    sessionId: string;
  }
}

/** Lets the hooks below work in this app and in all that is registered in it. */
export function addGuard(
  app: FastifyInstance,
  { db, tokens, now }: { db: Db; tokens: Tokens; now: () => Date },
) {
  app.decorateRequest('user');
  app.decorateRequest('sessionId');

  app.decorate('callerOf', async (request) => {
    const token = bearerToken(request);
    if (!token) throw unauthorised('Sign in to continue.');

    const claims = await tokens.readAccess(token, now());
    const caller = claims && (await sessions(db).caller(claims.sessionId, now().toISOString()));
    if (!caller || caller.user.id !== claims.userId)
      throw unauthorised('Your session has ended. Sign in again.');
    return { user: toUser(caller.user), sessionId: claims.sessionId };
  });
}

/** From the Authorization header and nowhere else: addresses end up in logs and histories. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** An onRequest hook: 401 unless the caller is signed in. */
export async function requireUser(request: FastifyRequest): Promise<void> {
  const { user, sessionId } = await request.server.callerOf(request);
  request.user = user;
  request.sessionId = sessionId;
}

/** An onRequest hook: 401 unless signed in, 403 unless an administrator. */
export async function requireAdmin(request: FastifyRequest): Promise<void> {
  await requireUser(request);
  if (request.user.role !== 'admin') throw forbidden('This is for administrators only.');
}
