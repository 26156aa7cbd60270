import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFirstAdmin, renewAdmin } from '../../../server/accounts/firstAdmin.ts';
import { passwordProblem, passwords } from '../../../server/accounts/passwords/passwords.ts';
import { openMemoryDatabase, type OpenDatabase } from '../../../server/db/open.ts';
import { users } from '../../../server/accounts/users.ts';

const now = new Date('2026-11-21T09:00:00.000Z');
const secret = passwords();
let database: OpenDatabase;
beforeEach(async () => (database = await openMemoryDatabase()));
afterEach(() => database.close());

const wanted = (chosen: { email?: string; password?: string } = {}) => ({
  db: database.db,
  passwords: secret,
  now,
  ...chosen,
});
const opens = async (email: string, password: string) =>
  secret.matches(password, (await users(database.db).byEmail(email))?.password_hash);

describe('the first administrator', () => {
  it('gets a generated password that nobody would guess, printed once', async () => {
    const signIn = await makeFirstAdmin(wanted());

    expect(signIn?.email).toBe('admin@clearway.example');
    expect(signIn?.password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(passwordProblem(signIn!.password!)).toBeNull();
    expect(await opens('admin@clearway.example', signIn!.password!)).toBe(true);
    expect(await users(database.db).byEmail('admin@clearway.example')).toMatchObject({
      role: 'admin',
      is_active: 1,
      is_verified: 1,
      last_login: null,
    });
    expect(await makeFirstAdmin(wanted())).toBeNull();
  });

  it('is the one that the operator has set, whose password is not printed', async () => {
    const chosen = { email: 'boss@coaches.example', password: 'four-lorries-in-Carlisle' };

    expect(await makeFirstAdmin(wanted(chosen))).toEqual({ email: 'boss@coaches.example', password: null });
    expect(await opens('boss@coaches.example', 'four-lorries-in-Carlisle')).toBe(true);
  });

  it('is left alone by every later start', async () => {
    const signIn = await makeFirstAdmin(wanted());
    const later = { email: 'other@coaches.example', password: 'another-four-lorries' };

    expect(await makeFirstAdmin(wanted(later))).toBeNull();
    expect(await opens('admin@clearway.example', signIn!.password!)).toBe(true);
    expect(await users(database.db).byEmail('other@coaches.example')).toBeUndefined();
  });

  it('never takes over somebody else’s account', async () => {
    await makeFirstAdmin(wanted());
    await database.db.updateTable('users').set({ role: 'user' }).execute();

    await expect(makeFirstAdmin(wanted())).rejects.toThrow(
      'admin@clearway.example belongs to a user who is not an active administrator. Set ADMIN_EMAIL to another address.',
    );
  });
});

describe('the administrator of a replay', () => {
  it('has a sign-in that works after every start', async () => {
    const first = await renewAdmin(wanted());
    const second = await renewAdmin(wanted());

    expect(second.password).not.toBe(first.password);
    expect(await opens(first.email, first.password!)).toBe(false);
    expect(await opens(second.email, second.password!)).toBe(true);
  });

  it('has the configured password, even when it was another one before', async () => {
    await renewAdmin(wanted());
    const signIn = await renewAdmin(
      wanted({ email: 'admin@clearway.example', password: 'four-lorries-in-Carlisle' }),
    );

    expect(signIn).toEqual({ email: 'admin@clearway.example', password: null });
    expect(await opens('admin@clearway.example', 'four-lorries-in-Carlisle')).toBe(true);
  });
});
