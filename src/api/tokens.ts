/** Values that a signed-in browser keeps: the tokens, under the specification's names, and the key of its offline
 *  copies. */
import { browserStore } from '../device/browserStorage.ts';

const ACCESS = 'access_token';
const REFRESH = 'refresh_token';
const SESSION = 'session_id';
const SCOPE = 'clearway_scope';

/** The storage keys whose change in another tab means that this tab's session has changed. */
export const SESSION_KEYS: readonly string[] = [ACCESS, SCOPE];

export const accessToken = () => browserStore.get(ACCESS);
export const refreshToken = () => browserStore.get(REFRESH);
export const sessionId = () => browserStore.get(SESSION);

/** The opaque key under which this session's offline copies are stored, new at each sign-in. No server needs it: it
 *  separates one user's copies from the next user's (decision 6b). */
export const cacheScope = () => browserStore.get(SCOPE);

export function saveTokens({ access_token, refresh_token }: { access_token: string; refresh_token: string }) {
  browserStore.set(REFRESH, refresh_token);
  browserStore.set(ACCESS, access_token);
}

/** Stores the session's id. Without an id, a stored one is removed, as specified. */
export function saveSessionId(id: string | null | undefined) {
  if (id) browserStore.set(SESSION, id);
  else browserStore.remove(SESSION);
}

export function startScope(): string {
  const scope = newScope();
  browserStore.set(SCOPE, scope);
  return scope;
}

export function newScope(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the scope that ended, so that its stored copies can be deleted. */
export function clearTokens(): string | null {
  const scope = cacheScope();
  for (const key of [ACCESS, REFRESH, SESSION, SCOPE]) browserStore.remove(key);
  return scope;
}
