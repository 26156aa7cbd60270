import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANNA, BEN, json, LINES_THAT_FAIL, startFakeServer } from '../api/fakeServer.ts';
import { answerAfter, everythingKept, forgetEverything } from '../offline/fakeStorage.ts';

type Tab = typeof import('../../../src/session/session.ts');
let server: ReturnType<typeof startFakeServer>;
let tab: Tab;
/** Pages that the test has opened. */
const tabs: Tab[] = [];
let stop = () => {};

/** A freshly loaded page, with whatever the browser keeps. */
async function openTab(): Promise<Tab> {
  vi.resetModules();
  const opened = await import('../../../src/session/session.ts');
  tabs.push(opened);
  return opened;
}

/** The session as the user sees it. */
const seen = ({ useSession }: Tab = tab) => {
  const { status, user, offline } = useSession.getState();
  return [status, user?.displayName ?? null, offline];
};
const tokens = () => ['access_token', 'refresh_token', 'session_id'].map((key) => localStorage.getItem(key));

async function reloaded(): Promise<Tab> {
  tab = await openTab();
  await tab.restoreSession();
  return tab;
}

beforeEach(async () => {
  localStorage.clear();
  forgetEverything();
  history.replaceState(null, '', '/dashboard');
  server = startFakeServer();
  tab = await openTab();
});

afterEach(async () => {
  stop();
  // A tab that could not reach the server asks again and again; without a token it has nothing to ask.
  localStorage.clear();
  for (const opened of tabs.splice(0)) await opened.restoreSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('restoring', () => {
  it('without a token is over at once, without a call', async () => {
    await tab.restoreSession();
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(server.calls).toEqual([]);
  });

  it('asks the server who it is', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    await reloaded();
    expect(seen()).toEqual(['signedIn', 'Anna', false]);
  });

  it('renews an expired token', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    server.expire();
    await reloaded();
    expect(seen()).toEqual(['signedIn', 'Anna', false]);
    expect(tokens()).toEqual(['access-2', 'refresh-2', 'session-1']);
  });

  const refusals: [string, () => void][] = [
    ['a 401 whose refresh was refused', () => server.revoke()],
    ['a 403', () => server.answers.set('auth/me', () => json(403, { detail: 'Account disabled.' }))],
    ['a 404', () => server.answers.set('auth/me', () => json(404, { detail: 'No such user.' }))],
  ];
  it.each(refusals)('ends the session after %s in our JSON', async (_, refuse) => {
    await tab.signIn('anna@example.co.uk', 'right');
    refuse();
    await reloaded();
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(tokens()).toEqual([null, null, null]);
    expect(everythingKept()).toBe('[]');
  });

  const unreachable: [string, () => void][] = [
    ...LINES_THAT_FAIL.map((line): [string, () => void] => [`"${line}"`, () => (server.line = line)]),
    ...LINES_THAT_FAIL.map((line): [string, () => void] => [
      `a 401 whose refresh met "${line}"`,
      () => {
        server.expire();
        server.lines.set('auth/refresh', line);
      },
    ]),
    ['a 429', () => server.answers.set('auth/me', () => json(429, { detail: 'Slow down.' }))],
  ];
  it.each(unreachable)('keeps the last known user and the tokens after %s', async (_, fail) => {
    await tab.signIn('anna@example.co.uk', 'right');
    const before = tokens();
    fail();
    await reloaded();
    expect(seen()).toEqual(['signedIn', 'Anna', true]);
    expect(tokens()).toEqual(before);
  });

  it('shows the last known user after 3 s of silence, and the server’s answer when it comes', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    vi.useFakeTimers();
    let answer = (_: Response) => {};
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    server.answers.set('auth/me', () => answered);
    const restored = tab.restoreSession();
    await vi.advanceTimersByTimeAsync(2900);
    expect(seen()).toEqual(['loading', null, false]);

    await vi.advanceTimersByTimeAsync(200);
    await restored;
    expect(seen()).toEqual(['signedIn', 'Anna', true]);

    answer(json(200, { ...ANNA, display_name: 'Anna B.' }));
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna B.', false]));
  });

  it('keeps an answer that comes while the last known user is being read', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    vi.useFakeTimers();
    let answer = (_: Response) => {};
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    server.answers.set('auth/me', () => answered);
    let read = () => {};
    answerAfter(new Promise<void>((resolve) => (read = resolve)));
    const restored = tab.restoreSession();
    await vi.advanceTimersByTimeAsync(3100);
    answer(json(200, { ...ANNA, display_name: 'Anna B.' }));
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna B.', false]));
    read();
    await restored;
    expect(seen()).toEqual(['signedIn', 'Anna B.', false]);
  });

  it('stays at "Loading...", and says why, when no user is known', async () => {
    const { access_token, refresh_token } = server.signedIn();
    localStorage.setItem('access_token', access_token);
    localStorage.setItem('refresh_token', refresh_token);
    server.line = 'cut';
    await tab.restoreSession();
    expect(seen()).toEqual(['loading', null, true]);
  });

  it('goes on trying by itself until the server is back', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    server.line = 'cut';
    vi.useFakeTimers();
    await reloaded();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen()).toEqual(['signedIn', 'Anna', true]);

    server.line = 'good';
    await vi.advanceTimersByTimeAsync(45_000);
    expect(seen()).toEqual(['signedIn', 'Anna', false]);
  });

  it('tries again as soon as the network or any answer of the server is back', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    server.line = 'cut';
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', true]));
    server.line = 'good';
    dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
  });

  it('asks again by itself after a change to the account whose answer was lost', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    server.line = 'cut';
    vi.useFakeTimers();
    await tab.reloadUser();
    expect(server.callsTo('auth/me')).toHaveLength(1);
    server.line = 'good';
    await vi.advanceTimersByTimeAsync(5000);
    expect(server.callsTo('auth/me')).toHaveLength(2);
  });

  it('stops asking about a session that was replaced meanwhile', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    vi.useFakeTimers();
    server.lines.set('auth/me', 'cut');
    tab = await openTab();
    const restored = tab.restoreSession();
    await vi.advanceTimersByTimeAsync(3100);
    await restored;
    await tab.signIn('ben@example.co.uk', 'right');
    const asked = server.callsTo('auth/me').length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.callsTo('auth/me')).toHaveLength(asked);
    expect(seen()).toEqual(['signedIn', 'Ben', false]);
  });

  it('ends the session when the server, back again, refuses it', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    server.line = 'cut';
    vi.useFakeTimers();
    await reloaded();
    server.line = 'good';
    server.revoke();
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(tokens()).toEqual([null, null, null]);
  });
});

describe('signing in', () => {
  it('stores the tokens and the session’s id', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    expect(tokens()).toEqual(['access-1', 'refresh-1', 'session-1']);
    expect(seen()).toEqual(['signedIn', 'Anna', false]);
  });

  it('removes a stored id when none is returned', async () => {
    localStorage.setItem('session_id', 'old');
    server.answers.set('auth/login', () => json(200, { ...server.signedIn(), session_id: undefined }));
    await tab.signIn('anna@example.co.uk', 'right');
    expect(tokens()).toEqual(['access-1', 'refresh-1', null]);
  });

  it('makes a new scope each time', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    const first = localStorage.getItem('clearway_scope');
    await tab.signIn('anna@example.co.uk', 'right');
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(localStorage.getItem('clearway_scope')).not.toBe(first);
  });

  it('leaves the previous session alone when it is refused', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    await expect(tab.signIn('ben@example.co.uk', 'wrong')).rejects.toMatchObject({ status: 401 });
    expect(seen()).toEqual(['signedIn', 'Anna', false]);
    expect(tokens()).toEqual(['access-1', 'refresh-1', 'session-1']);
  });

  it('is not undone by a late refusal of the previous session', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    let refuse = () => {};
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    server.answers.set('auth/me', () => refused.then(() => json(403, { detail: 'Disabled.' })));
    tab = await openTab();
    const restored = tab.restoreSession();
    await vi.waitFor(() => expect(server.callsTo('auth/me')).toHaveLength(1));
    const signedIn = tab.signIn('ben@example.co.uk', 'right');
    await vi.waitFor(() => expect(tokens()[0]).toBe('access-2'));
    refuse();
    await Promise.all([restored, signedIn]);
    expect(seen()).toEqual(['signedIn', 'Ben', false]);
    expect(tokens()).toEqual(['access-2', 'refresh-2', 'session-2']);
  });

  it('is not undone by a refusal whose clean-up takes longer', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    let release = () => {};
    const slow = new Promise<string[]>((resolve) => (release = () => resolve([])));
    const keys = vi.fn(async (): Promise<string[]> => []).mockReturnValueOnce(slow);
    vi.stubGlobal('caches', { keys });
    server.answers.set('auth/me', () => json(403, { detail: 'Disabled.' }));
    tab = await openTab();
    const restored = tab.restoreSession();
    await vi.waitFor(() => expect(keys).toHaveBeenCalledTimes(1));
    await tab.signIn('ben@example.co.uk', 'right');
    release();
    await restored;
    expect(seen()).toEqual(['signedIn', 'Ben', false]);
  });

  it('deletes what the previous user saw', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    const { saveSnapshot } = await import('../../../src/offline/snapshot.ts');
    await saveSnapshot('board', 'what Anna saw', new Date());
    await tab.signIn('ben@example.co.uk', 'right');
    await vi.waitFor(() => expect(everythingKept()).toContain('Ben'));
    expect(everythingKept()).not.toContain('Anna');
  });

  it('begins only after what the previous user saw is deleted', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    let release = () => {};
    const slow = new Promise<string[]>((resolve) => (release = () => resolve([])));
    const keys = vi.fn(() => slow);
    vi.stubGlobal('caches', { keys });
    const signedIn = tab.signIn('ben@example.co.uk', 'right');
    await vi.waitFor(() => expect(keys).toHaveBeenCalledTimes(1));
    expect([seen()[1], tokens()[0]]).toEqual(['Anna', null]);
    release();
    await signedIn;
    expect(seen()).toEqual(['signedIn', 'Ben', false]);
  });

  it.each([
    [{ role: 'admin', is_admin: false }, true],
    [{ role: 'user', is_admin: true }, false],
    [{ role: 'auditor', is_admin: true }, false],
    [{ role: null, is_admin: true }, true],
    [{ role: undefined, is_admin: true }, true],
    [{ role: undefined, is_admin: false }, false],
    [{ role: undefined, is_admin: undefined }, false],
  ])('decides by %j whether this is an administrator', async (flags, admin) => {
    server.answers.set('auth/login', () => json(200, { ...server.signedIn(), user: { ...ANNA, ...flags } }));
    await tab.signIn('anna@example.co.uk', 'right');
    expect(tab.isAdmin(tab.useSession.getState())).toBe(admin);
  });
});

describe('signing out', () => {
  beforeEach(() => tab.signIn('anna@example.co.uk', 'right'));

  it('names the session to the server, and keeps nothing', async () => {
    await tab.signOut();
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(tokens()).toEqual([null, null, null]);
    expect(everythingKept()).toBe('[]');
    expect(location.pathname).toBe('/');
    await vi.waitFor(() =>
      expect(server.callsTo('auth/logout')[0]?.body).toEqual({ session_id: 'session-1' }),
    );
  });

  it('happens once, however often it is asked for', async () => {
    await Promise.all([tab.signOut(), tab.signOut()]);
    expect(server.callsTo('auth/logout')).toHaveLength(1);
  });

  it('sends an empty body when no id is held', async () => {
    localStorage.removeItem('session_id');
    await tab.signOut();
    await vi.waitFor(() => expect(server.callsTo('auth/logout')[0]?.body).toEqual({}));
  });

  it('ends the session on the server even with an expired access token, without storing a new one', async () => {
    server.expire();
    await tab.signOut();
    await vi.waitFor(() => expect(server.callsTo('auth/logout')).toHaveLength(2));
    expect(server.callsTo('auth/logout')[1]?.headers.get('authorization')).toBe('Bearer access-2');
    expect(tokens()).toEqual([null, null, null]);
  });

  it.each(['cut', 'hanging', 'status 503'] as const)(
    'does not wait for a server that is "%s"',
    async (line) => {
      server.line = line;
      await tab.signOut();
      expect(seen()).toEqual(['signedOut', null, false]);
      expect(tokens()).toEqual([null, null, null]);
    },
  );

  it('leaves nothing of the first user to a second one who starts offline', async () => {
    await tab.signOut();
    server.line = 'cut';
    const { access_token, refresh_token } = server.signedIn(BEN);
    localStorage.setItem('access_token', access_token);
    localStorage.setItem('refresh_token', refresh_token);
    await reloaded();
    expect(seen()).toEqual(['loading', null, true]);
  });
});

describe('the way back after a session that ended', () => {
  const offered = async () => (await import('../../../src/session/wayBack.ts')).useWayBack.getState().place;
  const kept = () => localStorage.getItem('clearway_way_back');
  /** The page is opened at this address, and the server refuses the session. */
  async function endedAt(address: string) {
    await tab.signIn('anna@example.co.uk', 'right');
    history.replaceState(null, '', address);
    server.revoke();
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(location.pathname).toBe('/login'));
  }

  it('is offered to the same person, once, as a path without query and hash', async () => {
    await endedAt('/routes/w1?new=secret#national-highways%3A1');
    expect(kept()).toBe('{"user":"1","path":"/routes/w1"}');
    await tab.signIn('anna@example.co.uk', 'right');
    expect(await offered()).toEqual({ page: 'route', path: '/routes/w1' });
    expect(kept()).toBe('{"user":"1","path":null}');
    await tab.signIn('anna@example.co.uk', 'right');
    expect(await offered()).toBeNull();
  });

  it('is never a wall', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    history.replaceState(null, '', '/disruptions?display=wall');
    server.revoke();
    await reloaded();
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(kept()).toBe('{"user":"1","path":null}');
  });

  it('is deleted when another person signs in', async () => {
    await endedAt('/routes/w1');
    await tab.signIn('ben@example.co.uk', 'right');
    expect([await offered(), kept()]).toEqual([null, '{"user":"2","path":null}']);
    await tab.signIn('anna@example.co.uk', 'right');
    expect(await offered()).toBeNull();
  });

  it('is not offered to another person who signs in in another tab', async () => {
    await endedAt('/routes/w1');
    await tab.signIn('anna@example.co.uk', 'right');
    const shown = await import('../../../src/session/wayBack.ts');
    expect(shown.useWayBack.getState().place).not.toBeNull();
    await (await openTab()).signIn('ben@example.co.uk', 'right');
    dispatchEvent(new StorageEvent('storage', { key: 'clearway_scope' }));
    expect(shown.useWayBack.getState().place).toBeNull();
  });

  it('is not kept by somebody who signs out', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    history.replaceState(null, '', '/routes');
    await tab.signOut();
    expect(kept()).toBeNull();
    await tab.signIn('anna@example.co.uk', 'right');
    expect(await offered()).toBeNull();
  });

  it.each(['/dashboard', '/', '/pair?user_code=BCDF-GHJK', '/no-such-page'])(
    'is not %s, where a sign-in leads by itself or nobody was',
    async (address) => {
      await endedAt(address);
      await tab.signIn('anna@example.co.uk', 'right');
      expect(await offered()).toBeNull();
    },
  );
});

describe('a session that others end', () => {
  /** The event that a browser sends to all other tabs when storage changes. */
  const changed = (key: string | null) => dispatchEvent(new StorageEvent('storage', { key }));

  it('goes to the sign-in when a refresh is refused in the middle of work', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
    server.revoke();
    const { call } = await import('../../../src/api/http.ts');
    await expect(call('keys/')).rejects.toMatchObject({ status: 401 });
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(location.pathname).toBe('/login');
    await vi.waitFor(() => expect(everythingKept()).toBe('[]'));
  });

  it('leaves a wall on its page, which shows a pairing code', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    history.replaceState(null, '', '/disruptions?display=wall');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
    server.revoke();
    const { call } = await import('../../../src/api/http.ts');
    await expect(call('feeds/')).rejects.toMatchObject({ status: 401 });
    expect(seen()).toEqual(['signedOut', null, false]);
    expect(location.pathname).toBe('/disruptions');
  });

  it('is not ended again, on the page where a sign-out led, by a call in progress', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
    let refuse = () => {};
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    server.answers.set('keys/', () => refused.then(() => json(401, { detail: 'Not signed in.' })));
    const { call } = await import('../../../src/api/http.ts');
    const answer = call('keys/').catch((error) => error);
    await vi.waitFor(() => expect(server.callsTo('keys/')).toHaveLength(1));
    await tab.signOut();
    refuse();
    expect(await answer).toMatchObject({ status: 401 });
    expect(location.pathname).toBe('/');
  });

  it('ends here too on a page that Back shows again after another tab has signed out', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
    await (await openTab()).signOut();
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(seen()).toEqual(['signedOut', null, false]);
  });

  it.each(['access_token', null])('ends here too when another tab signs out (%s changes)', async (key) => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));

    const other = await openTab();
    await other.signOut();
    changed(key);
    expect(seen()).toEqual(['signedOut', null, false]);
  });

  it('becomes the other user’s when another tab signs in', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));

    const other = await openTab();
    await other.signIn('ben@example.co.uk', 'right');
    changed('clearway_scope');
    expect(seen()).toEqual(['loading', null, false]);
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Ben', false]));
  });

  it('continues when another tab only got a new token', async () => {
    await tab.signIn('anna@example.co.uk', 'right');
    tab = await openTab();
    stop = tab.startSession();
    await vi.waitFor(() => expect(seen()).toEqual(['signedIn', 'Anna', false]));
    const states: unknown[] = [];
    tab.useSession.subscribe((state) => states.push(state.status));
    localStorage.setItem('access_token', 'access-of-the-other-tab');
    changed('access_token');
    expect(states).toEqual([]);
  });
});
