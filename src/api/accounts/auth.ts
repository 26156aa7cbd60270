/** Signing in and out, and the signed-in user. */
import { type Duty, FACTOR_REASONS, LoginResponse, User as WireUser } from '#contract/accounts/auth.ts';
import { z } from 'zod/mini';
import { read, readAs, Refused, type Reply } from '../http.ts';
import { maybe, tolerant } from '../tolerant.ts';

/** The signed-in user, as the app shows them. */
export interface User {
  id: string;
  email: string;
  displayName: string;
  role: 'user' | 'admin';
  /** The first thing that the user must do before anything else. */
  must?: Duty | undefined;
}

const WireUserReply = tolerant(WireUser, 'id', { role: maybe(z.string()) });

/** The fields that every account has. An unknown role is still a role: the legacy flag is used only when there is no
 *  role. */
export const shownOf = (user: Omit<z.output<typeof WireUserReply>, 'must'>) => ({
  id: user.id,
  email: user.email ?? '',
  displayName: user.display_name || user.email || '',
  role: (user.role ? user.role === 'admin' : user.is_admin === true) ? ('admin' as const) : ('user' as const),
});

const UserReply = z.pipe(
  WireUserReply,
  z.transform((user): User => ({ ...shownOf(user), ...(user.must && { must: user.must }) })),
);

export async function currentUser(signal?: AbortSignal): Promise<User> {
  return (await read(UserReply, 'auth/me', { signal })).data;
}

const SignedIn = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.string().check(z.minLength(1)),
  session_id: maybe(LoginResponse.shape.session_id),
  user: UserReply,
});
type SignedIn = z.output<typeof SignedIn>;

/** Throws the server's words on wrong credentials. The rule for a 401 does not apply here, so the form keeps its
 *  message. */
export async function login(email: string, password: string, code?: string): Promise<SignedIn> {
  const json = { email, password, ...(code && { code }) };
  return (await readAs(null, SignedIn, 'auth/login', { method: 'post', json })).data;
}

const Reason = z.looseObject({ reason: z.enum(FACTOR_REASONS) });

/** Whether the password was right, but the code of the second factor is missing or wrong. */
export const asksForCode = (error: unknown): boolean =>
  error instanceof Refused && Reason.safeParse(error.body).success;

const NewTokens = z.object({ access_token: z.string().check(z.minLength(1)) });

/** Ends a session on the server, with tokens that this browser has already deleted. An expired access token is
 *  renewed once, in memory. Never fails. */
export async function logout(session: {
  access: string | null;
  refresh: string | null;
  sessionId: string | null;
}): Promise<void> {
  const end = (token: string | null): Promise<Reply<unknown>> =>
    readAs(token, z.unknown(), 'auth/logout', {
      method: 'post',
      json: session.sessionId ? { session_id: session.sessionId } : {},
      keepalive: true,
    });
  try {
    await end(session.access);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401 || !session.refresh) return;
    await readAs(null, NewTokens, 'auth/refresh', {
      method: 'post',
      json: { refresh_token: session.refresh },
    })
      .then(({ data }) => end(data.access_token))
      .catch(() => {
        /* By design: the session will expire by itself. */
      });
  }
}

/** Whether the server itself no longer accepts the stored session. */
export function endsSession(error: unknown): boolean {
  return error instanceof Refused && [401, 403, 404].includes(error.status);
}
