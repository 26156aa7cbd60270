/** The signed-in user. Only an answer from the server ends a session. While the connection is down, the last known
 *  user is shown as such, and the server is asked again until it answers (decisions 4 to 6b). */
import { pageAddress } from '#contract/addresses.ts';
import { backOff, spreadOut } from '#contract/backOff.ts';
import { navigate } from 'wouter/use-browser-location';
import { useState } from 'react';
import { create } from 'zustand';
import { currentUser, endsSession, login, logout, type User } from '../api/accounts/auth.ts';
import { whenForbidden, whenServerAnswers, whenSessionRefused } from '../api/http.ts';
import {
  accessToken,
  cacheScope,
  clearTokens,
  refreshToken,
  saveSessionId,
  saveTokens,
  SESSION_KEYS,
  sessionId,
  startScope,
} from '../api/tokens.ts';
import { serverNow } from '../time/freshness.ts';
import { purgeOfflineCopies } from '../offline/serviceWorker.ts';
import { loadSnapshot, saveSnapshot } from '../offline/snapshot.ts';
import {
  forgetWayBack,
  keepWayBack,
  leaveWayBack,
  notePerson,
  signInAddress,
  takeWayBack,
} from './wayBack.ts';
import { isWall } from '../device/address/useAddress.ts';

export interface Session {
  status: 'loading' | 'signedOut' | 'signedIn';
  user: User | null;
  /** The server could not be asked whether this session is still valid. */
  offline: boolean;
}

export const useSession = create<Session>(() => ({ status: 'loading', user: null, offline: false }));

const typedBefore = new Map<string, unknown>();
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) typedBefore.clear();
});

/** Words that were typed into a form, or an action that can be undone. They stay when the form is closed by Escape,
 *  Back or a tap beside it, or when the page is left. They are forgotten when they are saved or given up, or when
 *  another person signs in. `key`: what the form is about. */
export function useTyped<T>(
  key: string,
  empty: () => T,
): [typed: T, set: (to: T) => void, forget: () => void] {
  const [typed, setTyped] = useState(() => (typedBefore.get(key) as T | undefined) ?? empty()); // set below
  const set = (to: T) => {
    typedBefore.set(key, to);
    setTyped(to);
  };
  return [typed, set, () => typedBefore.delete(key)];
}

export const isAdmin = (session: Session) => session.user?.role === 'admin';

/** How long a page that knows its last user waits for the server before it shows its stored data. */
const PATIENCE_MS = 3000;
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 30_000;

const LAST_USER = 'session-user';
const SIGNED_OUT: Session = { status: 'signedOut', user: null, offline: false };

/** The current attempt to find out who is signed in; a newer event cancels it. */
let asking: AbortController | undefined;
let askAgain = () => {};

/** Resolves when it is known what to show. While the server cannot be reached, it is asked again in the background. */
export async function restoreSession(): Promise<void> {
  const { signal } = startAsking();
  if (!accessToken()) {
    useSession.setState(SIGNED_OUT);
    return;
  }
  followedScope = cacheScope() ?? startScope();
  useSession.setState({ status: 'loading', user: null, offline: false });

  const answered = askServer(signal);
  const inTime = await Promise.race([answered, pause(PATIENCE_MS).then(() => false)]);
  if (inTime || signal.aborted) return;

  // There was no answer in time: the last user known to this browser is shown, as offline.
  const known = (await loadSnapshot(LAST_USER))?.data as User | undefined;
  if (signal.aborted || useSession.getState().status !== 'loading') return;
  if (known) useSession.setState({ status: 'signedIn', user: known, offline: true });
  else useSession.setState({ offline: true });

  void keepAsking(answered, signal);
}

/** Signs in. When the server refuses, it throws the server's message, and any earlier session stays. */
export async function signIn(email: string, password: string, code?: string): Promise<void> {
  const { user, ...session } = await login(email, password, code);
  startAsking();
  await forget(clearTokens()); // an earlier user's data is deleted before the next one is signed in
  saveTokens(session);
  saveSessionId(session.session_id);
  followedScope = startScope();
  takeWayBack(user.id);
  accept(user);
}

/** Deletes the session and all its data, goes to the landing page, and informs the server if possible. */
export async function signOut(): Promise<void> {
  if (leaving) return;
  startAsking();
  const session = { access: accessToken(), refresh: refreshToken(), sessionId: sessionId() };
  const scope = clearTokens();
  forgetWayBack();
  leaving = true;
  void logout(session);
  await forget(scope);
  navigate(pageAddress('landing'));
  useSession.setState(SIGNED_OUT);
  leaving = false;
}

let leaving = false;

/** Restores the session and follows changes by the server and other tabs, until the returned function is called. */
export function startSession(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  whenSessionRefused((scope) => {
    // A call that was under way can be refused after the sign-out.
    if (leaving || useSession.getState().status === 'signedOut') return;
    startAsking();
    void forget(scope);
    // A wall shows a pairing code instead, because nobody is there to sign in.
    if (!isWall()) {
      keepWayBack();
      navigate(signInAddress(), { replace: true });
    }
    useSession.setState(SIGNED_OUT);
  });
  const stopHearing = whenServerAnswers(() => {
    if (useSession.getState().offline) askAgain();
  });
  whenForbidden(() => void confirmAdmin());
  addEventListener('online', () => askAgain(), { signal });
  addEventListener(
    'storage',
    ({ key }) => {
      if (key === null || SESSION_KEYS.includes(key)) followOtherTab();
    },
    { signal },
  );
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) followOtherTab(); // a page from the back-forward cache has missed such events
    },
    { signal },
  );
  void restoreSession();
  return () => {
    stop.abort();
    stopHearing();
    startAsking().abort();
  };
}

/** The scope of the sign-in that this tab shows. */
let followedScope: string | null = null;

function followOtherTab() {
  const scope = accessToken() ? cacheScope() : null;
  if (scope === followedScope) return; // only a fresh token
  leaveWayBack(); // it was offered to the person before
  if (scope) {
    void restoreSession();
    return;
  }
  startAsking();
  void forget(followedScope);
  useSession.setState(SIGNED_OUT);
}

function forget(scope: string | null): Promise<void> {
  followedScope = null;
  return purgeOfflineCopies(scope);
}

function startAsking(): AbortController {
  asking?.abort();
  askAgain = () => {};
  asking = new AbortController();
  return asking;
}

/** True when the server has confirmed or refused the session; false when it could not be reached. */
async function askServer(signal: AbortSignal): Promise<boolean> {
  try {
    const user = await currentUser(signal);
    if (!signal.aborted) accept(user);
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    if (!endsSession(error)) return false;
    const ending = startAsking();
    if (!isWall()) keepWayBack();
    await forget(clearTokens());
    // Another person may have signed in while the old session was being deleted.
    if (!ending.signal.aborted) useSession.setState(SIGNED_OUT);
    return true;
  }
}

/** Reads the user again after a change to their own account, which can end a duty. It asks until there is an answer. */
export async function reloadUser(): Promise<void> {
  const { signal } = startAsking();
  const answered = askServer(signal);
  void keepAsking(answered, signal);
  await answered;
}

let confirming = false;

/** Reads the user again after a refusal: an administrator may have lost the role, and the screens follow the server. */
async function confirmAdmin(): Promise<void> {
  const session = useSession.getState();
  if (confirming || session.offline || !isAdmin(session)) return;
  confirming = true;
  await askServer(startAsking().signal);
  confirming = false;
}

async function keepAsking(firstAnswer: Promise<boolean>, signal: AbortSignal): Promise<void> {
  let settled = await firstAnswer;
  for (let failures = 0; !settled && !signal.aborted; failures += 1) {
    await new Promise<void>((resolve) => {
      askAgain = resolve;
      setTimeout(resolve, spreadOut(backOff(failures, FIRST_RETRY_MS, LONGEST_RETRY_MS)));
    });
    askAgain = () => {};
    settled = signal.aborted || (await askServer(signal));
  }
}

function accept(user: User) {
  useSession.setState({ status: 'signedIn', user, offline: false });
  notePerson(user.id);
  void saveSnapshot(LAST_USER, user, serverNow());
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
