/** What protects an account beside its password: second factors, recovery codes, passwords set by somebody else. */
import { iso, type Instant } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import type { AccountSecurityTable } from '../../db/schema.ts';

export const accountSecurity = (db: Db) => ({
  async of(userId: string): Promise<AccountSecurityTableRow | undefined> {
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

  /** Until when the password is good for nothing but choosing another; null: it is the person's own. */
  async notePasswordUntil(userId: string, until: Instant | null): Promise<void> {
    await change(db, userId, { password_until: until === null ? null : iso(until) });
  },

  /** A secret that is yet to be confirmed with a code. False when the account has a second factor already. */
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

  /** False when a code of this time step or a later one was used before: each is good once. */
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
    const rows = hashes.map((code_hash) => ({ code_hash, user_id: userId }));
    await db.insertInto('recovery_codes').values(rows).execute();
  },

  /** False when the account has no such code, or no longer. */
  async spendRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  },

  async recoveryCodesLeft(userId: string): Promise<number> {
    const { count } = await db
      .selectFrom('recovery_codes')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

type AccountSecurityTableRow = Omit<AccountSecurityTable, 'factor_step'> & { factor_step: number };

const change = (
  db: Db,
  user_id: string,
  changed: Partial<Omit<AccountSecurityTableRow, 'user_id'>>,
): Promise<unknown> =>
  db
    .insertInto('account_security')
    .values({ user_id, password_until: null, factor_sealed: null, factor_since: null, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed))
    .execute();
