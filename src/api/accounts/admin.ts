/** User management; for administrators. */
import { apiPath } from '#contract/addresses.ts';
import {
  AuditEntry,
  type CreateUser,
  ManagedKey,
  ManagedUser as WireManagedUser,
  PasswordReset,
  type UpdateUser,
} from '#contract/accounts/admin.ts';
import { z } from 'zod/mini';
import { call, read, remove } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { shownOf } from './auth.ts';
import { list, maybe, tolerant } from '../tolerant.ts';

const UserRow = z.pipe(
  tolerant(WireManagedUser, 'id', { role: maybe(z.string()) }),
  z.transform((user) => ({
    ...shownOf(user),
    isActive: user.is_active ?? true,
    isVerified: user.is_verified ?? false,
    lastLogin: user.last_login ?? null,
    hasSecondFactor: user.second_factor ?? false,
  })),
);
/** A user as administrators see them. */
export type ManagedUser = z.output<typeof UserRow>;

const at = (id: string) => apiPath`admin/users/${id}`;

export async function listUsers(signal?: AbortSignal): Promise<ManagedUser[]> {
  return (await read(list(UserRow, 'users'), 'admin/users', { signal })).data.items;
}

export const createUser = (user: CreateUser) => makeOnce(z.unknown(), 'admin/users', user);

export const updateUser = (id: string, change: UpdateUser) => call(at(id), { method: 'patch', json: change });

export const deleteUser = (id: string) => remove(at(id));

/** Promises the new password, which is shown only once. */
export const resetPassword = async (id: string): Promise<PasswordReset> =>
  (await read(PasswordReset, apiPath`admin/users/${id}/password`, { method: 'post' })).data;

export const resetSecondFactor = (id: string) =>
  call(apiPath`admin/users/${id}/second-factor`, { method: 'delete' });

const Key = tolerant(ManagedKey, 'id');

export const keysOfUser = async (id: string, signal?: AbortSignal) =>
  (await read(list(Key, 'keys'), apiPath`admin/users/${id}/keys`, { signal })).data.items;

export const changeTier = (id: string, keyId: string, rate_limit_tier: string) =>
  call(apiPath`admin/users/${id}/keys/${keyId}`, { method: 'patch', json: { rate_limit_tier } });

const AuditRow = tolerant(AuditEntry, 'id');

/** Actions of administrators, newest first. */
export async function listAuditEntries(signal?: AbortSignal) {
  return (await read(list(AuditRow, 'entries'), 'admin/audit', { signal })).data.items;
}

/** Tells the server that two alerts are about different incidents. */
export const splitAlerts = (one: string, other: string) =>
  call('admin/merges/splits', { method: 'post', json: { one, other } });
