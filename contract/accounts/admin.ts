/** User management, and the audit trail of administrators. */
import { z } from 'zod/mini';
import { MadeId } from '../madeId.ts';
import { NewPassword, Role, User } from './auth.ts';
import { ApiKey } from './keys.ts';
import { Tier } from './keyTiers.ts';
import { PersonName } from '../names.ts';

/** A user as administrators see them. */
export const ManagedUser = z.extend(User, {
  /** Present when they sign in with a second factor. */
  second_factor: z.optional(z.boolean()),
});
export type ManagedUser = z.infer<typeof ManagedUser>;

export const UserList = z.object({ users: z.array(ManagedUser), total: z.int() });
export type UserList = z.infer<typeof UserList>;

export const CreateUser = z.object({
  /** If it is sent again with the same id and content, it is made once. */
  id: z.optional(MadeId),
  email: z.pipe(
    z.string().check(z.trim(), z.minLength(1, 'Email is required'), z.maxLength(254)),
    z.email('Email must be an email address'),
  ),
  display_name: PersonName,
  password: NewPassword,
  /** The password is valid for one week, and only for choosing another one. */
  must_change_password: z._default(z.boolean(), false),
  role: z._default(Role, 'user'),
  is_active: z._default(z.boolean(), true),
  is_verified: z._default(z.boolean(), false),
});
export type CreateUser = z.infer<typeof CreateUser>;

/** A password that was made for a user. They must choose their own when they first sign in, before it expires. */
export const PasswordReset = z.object({ password: z.string(), expires_at: z.iso.datetime() });
export type PasswordReset = z.infer<typeof PasswordReset>;

/** A key as administrators see it: never its value. */
export const ManagedKey = z.omit(ApiKey, { key: true });
export const ManagedKeys = z.object({ keys: z.array(ManagedKey), total: z.int() });
export const ChangeTier = z.object({ rate_limit_tier: Tier });

/** At least one of the two. */
export const UpdateUser = z
  .strictObject({ role: z.optional(Role), is_active: z.optional(z.boolean()) })
  .check(
    z.refine(
      ({ role, is_active }) => role !== undefined || is_active !== undefined,
      'Nothing to change: give role or is_active',
    ),
  );
export type UpdateUser = z.infer<typeof UpdateUser>;

/** One administrative action. Names are as they were at the time; those of deleted people are replaced. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** Null: the operator, with a command. */
  actor_id: z.nullable(z.string()),
  actor: z.string(),
  /** Dotted, e.g. `user.created`, `user.role_changed`, `display.revoked`. */
  action: z.string(),
  subject_id: z.nullable(z.string()),
  subject: z.string(),
  /** The change, in words; empty when the action says it all. */
  detail: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AUDIT_ENTRIES = 50;
export const AUDIT_ENTRIES_MAX = 500;

export const AuditTrail = z.object({
  entries: z.array(AuditEntry),
  next_cursor: z.nullable(z.string()),
});
export type AuditTrail = z.infer<typeof AuditTrail>;

const OneAlert = z.object({ event_id: z.string(), source: z.string(), title: z.string() });

/** Alerts that count as one incident. */
export const MergeList = z.object({
  merges: z.array(
    z.extend(OneAlert, {
      /** The other alerts, each with the evidence in words. */
      also: z.array(z.extend(OneAlert, { why: z.optional(z.string()) })),
    }),
  ),
  /** Pairs that an administrator keeps apart. */
  splits: z.array(z.object({ one: z.string(), other: z.string(), at: z.iso.datetime() })),
  total: z.int(),
});
export type MergeList = z.infer<typeof MergeList>;

export const Split = z.object({
  one: z.string().check(z.minLength(1), z.maxLength(1000)),
  other: z.string().check(z.minLength(1), z.maxLength(1000)),
});
