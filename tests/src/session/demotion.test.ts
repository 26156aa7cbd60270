/** A file apart from the other tests of the session, whose tabs may still ask who is signed in. */
import { afterEach, expect, it, vi } from 'vitest';
import { call } from '../../../src/api/http.ts';
import { isAdmin, signIn, startSession, useSession } from '../../../src/session/session.ts';
import { BEN, json, startFakeServer } from '../api/fakeServer.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

it('follows at once when an administrator loses the role', async () => {
  const server = startFakeServer();
  const stop = startSession();
  await signIn('ben@example.co.uk', 'right');
  expect(isAdmin(useSession.getState())).toBe(true);
  const forbidden = () => json(403, { detail: 'This is for administrators only.' });
  server.answers.set('admin/users', forbidden);
  server.answers.set('analytics/overview', forbidden);
  server.answers.set('auth/me', () => json(200, { ...BEN, role: 'user', is_admin: false }));

  await Promise.allSettled([call('admin/users'), call('analytics/overview')]);
  await vi.waitFor(() => expect(isAdmin(useSession.getState())).toBe(false));
  expect(useSession.getState()).toMatchObject({
    status: 'signedIn',
    user: { displayName: 'Ben' },
    offline: false,
  });
  expect(server.calls.filter(({ path }) => path === 'auth/me')).toHaveLength(1);

  await Promise.allSettled([call('admin/users')]);
  expect(server.calls.filter(({ path }) => path === 'auth/me')).toHaveLength(1);
  stop();
});
