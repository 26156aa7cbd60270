/** Access tokens (signed, short) and refresh tokens (random, rotating, kept only as hashes). */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { DISPLAY_ACCESS_MINUTES } from '#contract/displays.ts';
import type { Secrets } from '../secrets.ts';

const ACCESS_TOKEN_MINUTES = 15;
export const REFRESH_TOKEN_DAYS = 30;
/** A display may stand without power or network for weeks, and nobody is there to let it in again. */
export const DISPLAY_REFRESH_DAYS = 90;

const ISSUER = 'clearway';
const AUDIENCE = 'clearway';
/** One of its own: no call that asks for a user's token can take a display's by oversight. */
const DISPLAY_AUDIENCE = 'clearway display';
/** RFC 9068: no other kind of JWT that we may one day sign passes for an access token. */
const TYPE = 'at+jwt';
/** Fixed here and never read from the token. */
const ALGORITHM = 'HS256';

interface AccessClaims {
  userId: string;
  sessionId: string;
}

interface DisplayClaims {
  displayId: string;
  sessionId: string;
}

export interface Tokens {
  access(claims: AccessClaims, now: Date): Promise<string>;
  /** Null for anything but a token that we signed and that is still good (`expired: 'allowed'`: was good). */
  readAccess(token: string, now: Date, expired?: 'allowed'): Promise<AccessClaims | null>;
  /** The same for displays; neither reads the other's. */
  displayAccess(claims: DisplayClaims, now: Date): Promise<string>;
  readDisplayAccess(token: string, now: Date): Promise<DisplayClaims | null>;
  newRefresh(): string;
  /** Always the same for the same token, so that a lost answer can be given again though only hashes are kept. */
  successorOf(refreshToken: string): string;
}

export function tokens({ accessKey, refreshKey }: Pick<Secrets, 'accessKey' | 'refreshKey'>): Tokens {
  const sign = (audience: string, minutes: number, subject: string, sessionId: string, now: Date) => {
    const issued = Math.floor(now.getTime() / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(issued)
      .setExpirationTime(issued + minutes * 60)
      .sign(accessKey);
  };

  const read = async (audience: string, token: string, currentDate: Date) => {
    try {
      const { payload } = await jwtVerify<{ sid?: unknown }>(token, accessKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        currentDate,
      });
      const { sub, sid } = payload;
      return typeof sub === 'string' && typeof sid === 'string' ? { subject: sub, sessionId: sid } : null;
    } catch {
      // Whatever is wrong with it, it is no token of ours.
      return null;
    }
  };

  return {
    access: ({ userId, sessionId }, now) => sign(AUDIENCE, ACCESS_TOKEN_MINUTES, userId, sessionId, now),
    displayAccess: ({ displayId, sessionId }, now) =>
      sign(DISPLAY_AUDIENCE, DISPLAY_ACCESS_MINUTES, displayId, sessionId, now),

    async readAccess(token, now, expired) {
      // The beginning of time: nothing has expired then.
      const claims = await read(AUDIENCE, token, expired === 'allowed' ? new Date(0) : now);
      return claims && { userId: claims.subject, sessionId: claims.sessionId };
    },

    async readDisplayAccess(token, now) {
      const claims = await read(DISPLAY_AUDIENCE, token, now);
      return claims && { displayId: claims.subject, sessionId: claims.sessionId };
    },

    newRefresh: () => randomBytes(32).toString('base64url'),
    successorOf: (refreshToken) => createHmac('sha256', refreshKey).update(refreshToken).digest('base64url'),
  };
}

/** What the database keeps of a refresh token: SHA-256, hex. The token is random, so no salt is needed. */
export function tokenHash(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex');
}
