/** Accounts and sessions. */
import { z } from 'zod';

export const Role = z.enum(['user', 'admin']);
export type Role = z.infer<typeof Role>;

export const User = z.object({
  id: z.string(),
  email: z.string(),
  display_name: z.string(),
  role: Role,
  is_admin: z.boolean(),
  is_verified: z.boolean(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  last_login: z.iso.datetime().nullable(),
});
export type User = z.infer<typeof User>;

export const LoginRequest = z.object({
  email: z
    .string()
    .trim()
    .min(1, 'Email is required')
    .max(254)
    .pipe(z.email('Email must be an email address')),
  password: z.string().min(1, 'Password is required').max(1024),
});

export const LoginResponse = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  session_id: z.string(),
  user: User,
});
export type LoginResponse = z.infer<typeof LoginResponse>;

export const RefreshRequest = z.object({ refresh_token: z.string().min(1).max(512) });
export const RefreshResponse = z.object({ access_token: z.string(), refresh_token: z.string() });

export const LogoutRequest = z.object({ session_id: z.string().max(128).nullish() }).nullish();

/** Password length, in characters. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

export const RegisterRequest = z.object({
  email: z.string().trim().max(254).pipe(z.email('Email must be an email address')),
  password: z
    .string()
    .min(PASSWORD_MIN, `Password must have at least ${PASSWORD_MIN} characters`)
    .max(PASSWORD_MAX, `Password must have at most ${PASSWORD_MAX} characters`),
  display_name: z.string().trim().min(1, 'Display name is required').max(120),
});
