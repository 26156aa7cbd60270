/** The first administrator: without one nobody could sign in to a new installation. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { users } from './users.ts';
import { generatePassword, type Passwords } from './passwords/passwords.ts';

const DEFAULT_ADMIN_EMAIL = 'admin@clearway.example';

export interface SignIn {
  email: string;
  /** Null when the operator has set the password. */
  password: string | null;
}

interface Wanted {
  db: Db;
  passwords: Passwords;
  now: Date;
  email?: string;
  password?: string;
}

/** Creates the first administrator, once. Returns the sign-in, or null when an administrator exists already, who is
 *  not changed. Throws when the address belongs to somebody who is not an administrator. */
export async function makeFirstAdmin(wanted: Wanted): Promise<SignIn | null> {
  const { db } = wanted;
  if ((await users(db).countAdmins()) > 0) return null;

  const signIn = await addAdmin(wanted);
  if (signIn) return signIn;
  // Another node on the same database may have been faster.
  if ((await users(db).countAdmins()) > 0) return null;
  throw new Error(
    `${wanted.email ?? DEFAULT_ADMIN_EMAIL} belongs to a user who is not an active administrator. Set ADMIN_EMAIL to another address.`,
  );
}

/** For replay, which holds no real data: the sign-in works after every start, with a new password unless one is set. */
export async function renewAdmin(wanted: Wanted): Promise<SignIn> {
  const { db, passwords } = wanted;
  const existing = await users(db).byEmail(wanted.email ?? DEFAULT_ADMIN_EMAIL);
  // The address is free and no other process uses this folder, so adding cannot fail.
  if (!existing) return (await addAdmin(wanted))!;

  const password = wanted.password ?? generatePassword();
  await users(db).setPasswordHash(existing.id, await passwords.hash(password));
  return { email: existing.email, password: wanted.password ? null : password };
}

async function addAdmin({ db, passwords, now, email, password }: Wanted): Promise<SignIn | null> {
  const chosen = { email: email ?? DEFAULT_ADMIN_EMAIL, password: password ?? generatePassword() };
  const added = await users(db).insert({
    id: randomUUID(),
    email: chosen.email,
    display_name: 'Administrator',
    password_hash: await passwords.hash(chosen.password),
    role: 'admin',
    is_active: 1,
    is_verified: 1,
    created_at: now.toISOString(),
    last_login: null,
  });
  return added ? { email: chosen.email, password: password ? null : chosen.password } : null;
}
