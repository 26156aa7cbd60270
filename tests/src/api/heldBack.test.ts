import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

it('does not repeat a call before the time that the server has named, and others at once', async () => {
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
