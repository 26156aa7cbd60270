/** Accounts and sessions. */
import { z } from 'zod/mini';
import { PersonName } from '../names.ts';

export const Role = z.enum(['user', 'admin']);
export type Role = z.infer<typeof Role>;

/** Duty of a person before anything else. */
export const Duty = z.enum(['change_password', 'set_up_second_factor']);
export type Duty = z.infer<typeof Duty>;

export const User = z.object({
  id: z.string(),
  email: z.string(),
  display_name: z.string(),
  role: Role,
  is_admin: z.boolean(),
  is_verified: z.boolean(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  last_login: z.nullable(z.iso.datetime()),
  /** Absent: nothing. */
  must: z.optional(Duty),
});
export type User = z.infer<typeof User>;

export const LoginRequest = z.object({
  email: z.pipe(
    z.string().check(z.trim(), z.minLength(1, 'Email is required'), z.maxLength(254)),
    z.email('Email must be an email address'),
  ),
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(1024)),
  /** A code of the second factor: from the app, or a recovery code. */
  code: z.nullish(z.string().check(z.maxLength(32))),
});

/** The `reason` of a refused sign-in whose password was right. */
export const FACTOR_REASONS = ['second_factor_required', 'second_factor_wrong'] as const;

export const LoginResponse = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  session_id: z.string(),
  user: User,
});
export type LoginResponse = z.infer<typeof LoginResponse>;

export const RefreshRequest = z.object({ refresh_token: z.string().check(z.minLength(1), z.maxLength(512)) });
export const RefreshResponse = z.object({ access_token: z.string(), refresh_token: z.string() });

export const LogoutRequest = z.nullish(
  z.object({ session_id: z.nullish(z.string().check(z.maxLength(128))) }),
);

/** Password length, in characters. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

export const NewPassword = z
  .string()
  .check(
    z.minLength(PASSWORD_MIN, `Password must have at least ${PASSWORD_MIN} characters`),
    z.maxLength(PASSWORD_MAX, `Password must have at most ${PASSWORD_MAX} characters`),
  );

export const RegisterRequest = z.object({
  email: z.pipe(z.string().check(z.trim(), z.maxLength(254)), z.email('Email must be an email address')),
  password: NewPassword,
  display_name: PersonName,
});
