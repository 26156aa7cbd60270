/** The second factor: codes of an authenticator app (RFC 6238), and the recovery codes for a lost telephone. */
import { createHmac, randomInt } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import type { Duty, Role } from '#contract/accounts/auth.ts';
import type { Db } from '../../db/open.ts';
import { addRows, putRow, rowsWith } from '../../db/statements.ts';
import type { Secrets } from '../secrets.ts';
import { keySeal } from '../keys/apiKeys.ts';
import { iso, type Instant } from '../../db/instant.ts';
import type { RowOf } from '../../db/schema.ts';

export const SECOND_FACTOR_MODES = ['none', 'admins', 'all'] as const;
/** Who must have a second factor. */
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** RFC 6238, 5.2: one step earlier for a slow hand, and one step later for a telephone whose clock is fast. */
const TOLERANCE_S = 30;

const RECOVERY_CODES = 10;
/** 23 letters, none of which look alike. A code has ten of them: 45 bits, and guesses are limited. */
const RECOVERY_LETTERS = 'bcdfghjkmnpqrstvwxyz234';
const RECOVERY_HALF = 5;

type CodeOutcome = 'app' | 'recovery' | 'wrong';

export const asksFor = (mode: SecondFactorMode, role: Role): boolean =>
  mode === 'all' || (mode === 'admins' && role === 'admin');

/** The first thing that a person must do before anything else; undefined: nothing. */
export function dutyOf(
  account: { role: Role; password_until: string | null; factor_since: string | null },
  mode: SecondFactorMode,
): Duty | undefined {
  if (account.password_until !== null) return 'change_password';
  return asksFor(mode, account.role) && account.factor_since === null ? 'set_up_second_factor' : undefined;
}

export interface SecondFactors {
  /** A new secret, encrypted for this account, and the form of it that an authenticator app reads. */
  prepare(account: { id: string; email: string }): { sealed: string; secret: string; uri: string };
  /** Checks a code and uses it up. A recovery code counts only when `recovery` allows it. */
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
  // The hash has a key. Without one, anyone with a copy of the database could try all codes.
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
      // A code that was read over somebody's shoulder must not open a second session.
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

// Protection of an account beside its password: second factors, recovery codes, passwords set by somebody else.

export const accountSecurity = (db: Db) => ({
  async of(userId: string): Promise<RowOf<'account_security'> | undefined> {
    return db.selectFrom('account_security').selectAll().where('user_id', '=', userId).executeTakeFirst();
  },

  /** The ids of the users who sign in with a second factor. */
  async withFactor(): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('account_security')
      .select('user_id')
      .where('factor_since', 'is not', null)
      .execute();
    return new Set(rows.map(({ user_id }) => user_id));
  },

  /** Notes until when the password only allows choosing another one; null: the person chose it. */
  async notePasswordUntil(userId: string, until: Instant | null): Promise<void> {
    await change(db, userId, { password_until: until === null ? null : iso(until) });
  },

  /** Stores a secret that must still be confirmed with a code. False when the account already has a second factor. */
  async prepareFactor(userId: string, sealed: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('account_security')
      .values({ user_id: userId, factor_sealed: sealed, password_until: null, factor_since: null })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ factor_sealed: sealed })
          .where('account_security.factor_since', 'is', null),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },

  async confirmFactor(userId: string, now: Instant): Promise<void> {
    await change(db, userId, { factor_since: iso(now) });
  },

  async removeFactor(userId: string): Promise<void> {
    await change(db, userId, { factor_sealed: null, factor_since: null, factor_step: 0 });
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  },

  /** False when a code of this time step or a later one was used before: each code can be used once. */
  async spendStep(userId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('account_security')
      .set({ factor_step: step })
      .where('user_id', '=', userId)
      .where('factor_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  /** Replaces all codes. */
  async keepRecoveryCodes(userId: string, hashes: readonly string[]): Promise<void> {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
    await addRows(
      db,
      'recovery_codes',
      hashes.map((code_hash) => ({ code_hash, user_id: userId })),
    );
  },

  /** False when the account has no such code, or has used it. */
  async spendRecoveryCode(userId: string, hash: string): Promise<boolean> {
    return (await rowsWith(db, 'recovery_codes', { user_id: userId, code_hash: hash }).remove()) > 0;
  },

  recoveryCodesLeft: (userId: string): Promise<number> =>
    rowsWith(db, 'recovery_codes', { user_id: userId }).count(),
});

const change = (
  db: Db,
  user_id: string,
  changed: Partial<Omit<RowOf<'account_security'>, 'user_id'>>,
): Promise<void> =>
  putRow(
    db,
    'account_security',
    { user_id, password_until: null, factor_sealed: null, factor_since: null, ...changed },
    ['user_id'],
    Object.keys(changed),
  );
