/** Accounts. Email addresses are stored and looked up in lower case. */
import type { User } from '#contract/accounts/auth.ts';
import { iso, type Instant } from '../db/instant.ts';
import type { Db } from '../db/open.ts';
import { insertNew, rowsWith } from '../db/statements.ts';
import { raiseRevision } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';

/** The user as in the API, without the password hash. */
export function toUser(row: RowOf<'users'>): User {
  return {
    id: row.id,
    email: row.email,
    display_name: row.display_name,
    role: row.role,
    is_admin: row.role === 'admin',
    is_verified: row.is_verified === 1,
    is_active: row.is_active === 1,
    created_at: row.created_at,
    last_login: row.last_login,
  };
}

export const users = (db: Db) => ({
  async byEmail(email: string): Promise<RowOf<'users'> | undefined> {
    return db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
  },

  async byId(id: string): Promise<RowOf<'users'> | undefined> {
    return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  },

  /** Adds a user. False when the address is taken. */
  async insert(row: RowOf<'users'>): Promise<boolean> {
    return insertNew(
      db,
      'users',
      { ...row, email: row.email.toLowerCase(), created_at: iso(row.created_at) },
      ['email'],
    );
  },

  async noteLogin(id: string, at: Instant): Promise<void> {
    await rowsWith(db, 'users', { id }).set({ last_login: iso(at) });
  },

  /** The number of active administrators. */
  countAdmins: (): Promise<number> => rowsWith(db, 'users', { role: 'admin', is_active: 1 }).count(),

  /** Sorted by address. */
  async list(): Promise<RowOf<'users'>[]> {
    return db.selectFrom('users').selectAll().orderBy('email').execute();
  },

  /** Changes a user's role or activity, or removes the user (`null`), and returns the previous state. Runs in the
   *  caller's transaction, together with the consequences. The last active administrator always stays, even when
   *  several calls try at once. */
  async change(
    id: string,
    change: { role?: RowOf<'users'>['role']; is_active?: number } | null,
  ): Promise<
    { outcome: 'done'; before: RowOf<'users'> } | { outcome: 'unknown' } | { outcome: 'last_admin' }
  > {
    // Raising this revision locks it until the transaction ends.
    await raiseRevision(db, 'administrators');
    const before = await users(db).byId(id);
    if (!before) return { outcome: 'unknown' };

    const after = change ? { ...before, ...change } : { role: 'user', is_active: 0 };
    const isAdmin = (user: { role: string; is_active: number }) =>
      user.role === 'admin' && user.is_active === 1;
    if (isAdmin(before) && !isAdmin(after) && (await users(db).countAdmins()) === 1) {
      return { outcome: 'last_admin' };
    }
    if (change) await rowsWith(db, 'users', { id }).set(change);
    else await db.deleteFrom('users').where('id', '=', id).execute();
    return { outcome: 'done', before };
  },

  /** False when there is no such user. */
  async setPasswordHash(id: string, password_hash: string): Promise<boolean> {
    return (await rowsWith(db, 'users', { id }).set({ password_hash })) > 0;
  },
});
