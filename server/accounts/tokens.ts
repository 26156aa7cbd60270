/** Access tokens (signed, short-lived) and refresh tokens (random, rotating, stored only as hashes). */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { DISPLAY_ACCESS_MINUTES } from '#contract/displays/displays.ts';
import type { Secrets } from './secrets.ts';

const ACCESS_TOKEN_MINUTES = 15;
export const REFRESH_TOKEN_DAYS = 30;
/** How long a display can be without power or network, because nobody may be there to pair it again. */
export const DISPLAY_REFRESH_DAYS = 90;

const ISSUER = 'clearway';
const AUDIENCE = 'clearway';
/** The audience of a display's token. It is separate, so that a call for users cannot accept a display's token by
 *  mistake. */
const DISPLAY_AUDIENCE = 'clearway display';
/** RFC 9068: with this type, another kind of JWT that we may sign later is not accepted as an access token. */
const TYPE = 'at+jwt';
/** The algorithm is fixed here and never read from the token. */
const ALGORITHM = 'HS256';

interface AccessClaims {
  userId: string;
  sessionId: string;
}

interface DisplayClaims {
  displayId: string;
  sessionId: string;
}

/** In ms since 1970. */
interface Expiring {
  expiresAt: number;
}

export interface Tokens {
  access(claims: AccessClaims, now: Date): Promise<string>;
  /** The claims of a token. Null unless we signed it and it is still valid. `expired: 'allowed'` also accepts an
   *  expired token. */
  readAccess(token: string, now: Date, expired?: 'allowed'): Promise<(AccessClaims & Expiring) | null>;
  /** Makes an access token for a display. Users' tokens and displays' tokens are not accepted for each other. */
  displayAccess(claims: DisplayClaims, now: Date): Promise<string>;
  readDisplayAccess(token: string, now: Date): Promise<(DisplayClaims & Expiring) | null>;
  newRefresh(): string;
  /** The next refresh token. It is always the same for one token, so that a lost answer can be repeated although
   *  only hashes are stored. */
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
      const { sub, sid, exp } = payload;
      return typeof sub === 'string' && typeof sid === 'string'
        ? { subject: sub, sessionId: sid, expiresAt: exp! * 1000 }
        : null;
    } catch {
      // Any fault means that it is not our token.
      return null;
    }
  };

  return {
    access: ({ userId, sessionId }, now) => sign(AUDIENCE, ACCESS_TOKEN_MINUTES, userId, sessionId, now),
    displayAccess: ({ displayId, sessionId }, now) =>
      sign(DISPLAY_AUDIENCE, DISPLAY_ACCESS_MINUTES, displayId, sessionId, now),

    async readAccess(token, now, expired) {
      // For an expired token the check runs as if it were 1970, when nothing had expired.
      const claims = await read(AUDIENCE, token, expired === 'allowed' ? new Date(0) : now);
      if (!claims) return null;
      const { subject: userId, ...rest } = claims;
      return { userId, ...rest };
    },

    async readDisplayAccess(token, now) {
      const claims = await read(DISPLAY_AUDIENCE, token, now);
      if (!claims) return null;
      const { subject: displayId, ...rest } = claims;
      return { displayId, ...rest };
    },

    newRefresh: () => randomBytes(32).toString('base64url'),
    successorOf: (refreshToken) => createHmac('sha256', refreshKey).update(refreshToken).digest('base64url'),
  };
}

/** The stored form of a refresh token: SHA-256, hex. The token is random, so no salt is needed. */
export function tokenHash(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex');
}
