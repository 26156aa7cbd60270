import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { login } from '../../../src/api/accounts/auth.ts';
import { call } from '../../../src/api/http.ts';
import { saveTokens } from '../../../src/api/tokens.ts';
import { json, startFakeServer } from './fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('asks again after a quarter of an hour even if the server asked for a day', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  server.answers.set('geocode/far', () => json(429, { detail: 'Try tomorrow.' }, { 'retry-after': '86400' }));
  const ask = () => call('geocode/far').catch(() => {});
  for (const ms of [0, 15 * 60_000 - 1, 1]) {
    vi.advanceTimersByTime(ms);
    await ask();
  }
  expect(server.callsTo('geocode/far')).toHaveLength(2);
});

it('asks at once for the next person if one person’s sign-in was refused for a while', async () => {
  localStorage.clear();
  const signIn = server.answers.get('auth/login')!;
  const tooMany = { detail: 'Too many wrong passwords. Try again in 60 seconds.' };
  server.answers.set('auth/login', () => json(429, tooMany, { 'retry-after': '60' }));
  await expect(login('anna@example.co.uk', 'wrong')).rejects.toMatchObject({ status: 429 });
  server.answers.set('auth/login', signIn);
  await expect(login('ben@example.co.uk', 'right')).resolves.toMatchObject({ user: { displayName: 'Ben' } });
});

it('repeats a call only at the time that the server has named, and others at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  server.answers.set('geocode/search', () =>
    json(429, { detail: 'Too many requests. Try again in 20 seconds.' }, { 'retry-after': '20' }),
  );
  server.answers.set('geocode/other', () => json(200, {}));
  const ask = (path = 'geocode/search') => call(path, { searchParams: { query: 'Leeds' } });
  const words = 'Too many requests. Try again in 20 seconds.';

  await expect(ask()).rejects.toMatchObject({ status: 429, detail: words });
  await expect(ask()).rejects.toMatchObject({ status: 429, detail: words });
  await ask('geocode/other');
  expect(server.callsTo('geocode/search')).toHaveLength(1);

  vi.advanceTimersByTime(20_000);
  server.answers.set('geocode/search', () => json(200, { results: [] }));
  await ask();
  expect(server.callsTo('geocode/search')).toHaveLength(2);
});
