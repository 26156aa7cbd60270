/** A user for tests: active, ordinary, with an address made of the id. */
import type { RowOf } from '../../../server/db/schema.ts';

export const person = (id: string, changes: Partial<RowOf<'users'>> = {}): RowOf<'users'> => ({
  id,
  email: `${id}@example.org`,
  display_name: id,
  password_hash: '$argon2id$not-a-real-one',
  role: 'user',
  is_active: 1,
  is_verified: 0,
  created_at: '2026-11-01T08:00:00.000Z',
  last_login: null,
  ...changes,
});
