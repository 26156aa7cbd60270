/** Access tokens (signed, short) and refresh tokens (random, rotating, kept only as hashes). */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Secrets } from '../secrets.ts';

export const ACCESS_TOKEN_MINUTES = 15;
export const REFRESH_TOKEN_DAYS = 30;

const ISSUER = 'clearway';
const AUDIENCE = 'clearway';
/** RFC 9068: no other kind of JWT that we may one day sign passes for an access token. */
const TYPE = 'at+jwt';
/** Fixed here and never read from the token. */
const ALGORITHM = 'HS256';

export interface AccessClaims {
  userId: string;
  sessionId: string;
}

export interface Tokens {
  access(claims: AccessClaims, now: Date): Promise<string>;
  /** Null for anything but a token that we signed and that is still good (`expired: 'allowed'`: was good). */
  readAccess(token: string, now: Date, expired?: 'allowed'): Promise<AccessClaims | null>;
  newRefresh(): string;
  /** Always the same for the same token, so that a lost answer can be given again though only hashes are kept. */
  successorOf(refreshToken: string): string;
}

export function tokens({ accessKey, refreshKey }: Pick<Secrets, 'accessKey' | 'refreshKey'>): Tokens {
  return {
    access: ({ userId, sessionId }, now) => {
      const issued = Math.floor(now.getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(issued)
        .setExpirationTime(issued + ACCESS_TOKEN_MINUTES * 60)
        .sign(accessKey);
    },

    async readAccess(token, now, expired) {
      try {
        const { payload } = await jwtVerify<{ sid?: unknown }>(token, accessKey, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          // The beginning of time: nothing has expired then.
          currentDate: expired === 'allowed' ? new Date(0) : now,
        });
        const { sub, sid } = payload;
        return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
      } catch {
        // Whatever is wrong with it, it is no token of ours.
        return null;
      }
    },

    newRefresh: () => randomBytes(32).toString('base64url'),
    successorOf: (refreshToken) => createHmac('sha256', refreshKey).update(refreshToken).digest('base64url'),
  };
}

/** What the database keeps of a refresh token: SHA-256, hex. The token is random, so no salt is needed. */
export function tokenHash(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex');
}
