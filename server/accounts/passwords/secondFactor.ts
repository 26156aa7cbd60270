/** The second factor: codes of an authenticator app (RFC 6238), and the recovery codes for a lost telephone. */
import { createHmac, randomInt } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import type { Duty, Role } from '#contract/accounts/auth.ts';
import { accountSecurity } from './accountSecurity.ts';
import type { Db } from '../../db/open.ts';
import type { Secrets } from '../secrets.ts';
import { keySeal } from '../keys/apiKeys.ts';

export const SECOND_FACTOR_MODES = ['none', 'admins', 'all'] as const;
/** Who must have a second factor. */
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** RFC 6238, 5.2: one step for a slow hand, and one for a telephone whose clock is fast. */
const TOLERANCE_S = 30;

const RECOVERY_CODES = 10;
/** 23 letters, ten of them: 45 bits, and guesses are limited. None that look alike. */
const RECOVERY_LETTERS = 'bcdfghjkmnpqrstvwxyz234';
const RECOVERY_HALF = 5;

export type CodeOutcome = 'app' | 'recovery' | 'wrong';

export const asksFor = (mode: SecondFactorMode, role: Role): boolean =>
  mode === 'all' || (mode === 'admins' && role === 'admin');

/** What a person must do first; undefined: nothing. */
export function dutyOf(
  account: { role: Role; password_until: string | null; factor_since: string | null },
  mode: SecondFactorMode,
): Duty | undefined {
  if (account.password_until !== null) return 'change_password';
  return asksFor(mode, account.role) && account.factor_since === null ? 'set_up_second_factor' : undefined;
}

export interface SecondFactors {
  /** A new secret, encrypted for this account, and what an authenticator app reads. */
  prepare(account: { id: string; email: string }): { sealed: string; secret: string; uri: string };
  /** Checks a code and uses it up. A recovery code only where that is allowed. */
  spend(
    db: Db,
    account: { user_id: string; factor_sealed: string | null },
    code: string,
    options: { now: Date; recovery: boolean },
  ): Promise<CodeOutcome>;
  /** Ten codes to show once, with their hashes to store. */
  recoveryCodes(): { shown: string[]; hashes: string[] };
}

export function secondFactors(secrets: Pick<Secrets, 'factorKey'>): SecondFactors {
  const seal = keySeal({ sealingKey: secrets.factorKey });
  const belonging = (userId: string) => ({ keyId: 'second factor', ownerId: userId });
  // With a key: anyone who reads the database could otherwise try them all.
  const hashOf = (code: string) =>
    createHmac('sha256', secrets.factorKey)
      .update(code.toLowerCase().replaceAll(/[^a-z\d]/g, ''))
      .digest('hex');

  return {
    prepare({ id, email }) {
      const secret = generateSecret();
      return {
        secret,
        uri: generateURI({ issuer: 'Clearway', label: email, secret }),
        sealed: seal.seal(secret, belonging(id)),
      };
    },

    async spend(db, { user_id, factor_sealed }, code, { now, recovery }) {
      const plain = code.replaceAll(/\s/g, '');
      if (!/^\d{6}$/.test(plain)) {
        const isSpent = recovery && (await accountSecurity(db).spendRecoveryCode(user_id, hashOf(code)));
        return isSpent ? 'recovery' : 'wrong';
      }
      const secret = factor_sealed && seal.open(factor_sealed, belonging(user_id));
      if (!secret) return 'wrong';
      const epoch = Math.floor(now.getTime() / 1000);
      const found = await verify({ secret, token: plain, epoch, epochTolerance: TOLERANCE_S });
      if (!found.valid || !('timeStep' in found)) return 'wrong';
      // Read over somebody's shoulder, a code must not open a second session.
      return (await accountSecurity(db).spendStep(user_id, found.timeStep)) ? 'app' : 'wrong';
    },

    recoveryCodes() {
      const letter = () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)]!;
      const half = () => Array.from({ length: RECOVERY_HALF }, letter).join('');
      const shown = Array.from({ length: RECOVERY_CODES }, () => `${half()}-${half()}`);
      return { shown, hashes: shown.map(hashOf) };
    },
  };
}
