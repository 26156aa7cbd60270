/** One's own account: its password, where it is signed in, its second factor, and the ticket for the reference. */
import { z } from 'zod/mini';
import { NewPassword } from './auth.ts';

const CurrentPassword = z
  .string()
  .check(z.minLength(1, 'Your current password is required'), z.maxLength(1024));

/** Body of `POST /auth/confirm`. */
export const PasswordConfirmation = z.object({
  current_password: CurrentPassword,
  /** The code of the second factor, if the account has one. */
  code: z.nullish(z.string().check(z.maxLength(32))),
});

export const PasswordChange = z.extend(PasswordConfirmation, { new_password: NewPassword });

/** A sign-in in a browser, or a display that this account has approved. */
export const AccountSession = z.object({
  id: z.string(),
  kind: z.enum(['browser', 'display']),
  /** The display's name; null for a browser. */
  name: z.nullable(z.string()),
  /** Whether this session makes the call. */
  current: z.boolean(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  /** When it ends, however often it is used. */
  ends_at: z.iso.datetime(),
  /** The address from which it was last used, or the network for IPv6; null: it is older than this record. */
  network: z.nullable(z.string()),
  /** In words, such as "Firefox on Windows". */
  browser: z.string(),
});
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountSessions = z.object({ sessions: z.array(AccountSession), total: z.int() });
export type AccountSessions = z.infer<typeof AccountSessions>;

export const EndedSessions = z.object({ ended: z.int() });

export const SecondFactor = z.object({
  state: z.enum(['off', 'on']),
  since: z.nullable(z.iso.datetime()),
  recovery_codes_left: z.int(),
  /** Whether this server asks this account for one. */
  required: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

export const SecondFactorStart = z.object({ current_password: CurrentPassword });

/** To be entered into an authenticator app: by hand, or as a QR code of the address. */
export const SecondFactorSecret = z.object({ secret: z.string(), uri: z.string() });
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>;

const FactorCode = z.string().check(z.trim(), z.minLength(1, 'The code is required'), z.maxLength(32));

export const SecondFactorCode = z.object({ code: FactorCode });
export const SecondFactorChange = z.object({ current_password: CurrentPassword, code: FactorCode });

/** Each code replaces one code of the app, once. They are shown only here. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const DOCS_TICKET_SECONDS = 60;

/** Opens the reference as the caller, once. */
export const DocsTicket = z.object({ ticket: z.string(), expires_in: z.int() });

export const DocsTicketRedemption = z.object({
  ticket: z.string().check(z.minLength(1), z.maxLength(128)),
});
export const DocsAccess = z.object({ access_token: z.string() });
