import { beforeEach, afterEach, expect, it, vi } from 'vitest';
import { json, startFakeServer } from './fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
let keys: typeof import('../../../src/api/accounts/keys.ts');

beforeEach(async () => {
  localStorage.clear();
  vi.resetModules();
  server = startFakeServer();
  const { access_token, refresh_token } = server.signedIn();
  for (const [name, value] of Object.entries({ access_token, refresh_token, clearway_scope: 'scope-1' }))
    localStorage.setItem(name, value);
  server.answers.set('keys/', () => json(201, { key: 'ck_live_1' }));
  keys = await import('../../../src/api/accounts/keys.ts');
});
afterEach(() => vi.unstubAllGlobals());

const ids = () => server.callsTo('keys/').map(({ body }) => body['id']);

it('asks again under the same id when no answer came, and under another id the next time', async () => {
  server.line = 'half';
  await expect(keys.createKey('Timetable')).rejects.toThrow();
  await expect(keys.createKey('Timetable')).rejects.toThrow();
  server.line = 'good';
  await keys.createKey('Timetable');
  await keys.createKey('Timetable');
  const [first, second, third, fourth] = ids();
  expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
});

it('asks under another id for other content, after a refusal, and as another person', async () => {
  server.line = 'half';
  await expect(keys.createKey('Timetable')).rejects.toThrow();
  await expect(keys.createKey('Website')).rejects.toThrow();
  localStorage.setItem('clearway_scope', 'scope-2');
  await expect(keys.createKey('Timetable')).rejects.toThrow();
  server.line = 'good';
  server.answers.set('keys/', () => json(409, { detail: 'You have 20 API keys.' }));
  await expect(keys.createKey('Depot')).rejects.toThrow('20 API keys');
  await expect(keys.createKey('Depot')).rejects.toThrow('20 API keys');
  expect(new Set(ids()).size).toBe(5);
});

it('asks under the same id for an address that ends in so many hours, whatever the time is by then', async () => {
  const { makeAddress } = await import('../../../src/api/watches/sharing.ts');
  const asked = { watch_id: 'w1', form: 'page' as const };
  server.line = 'half';
  await expect(makeAddress({ ...asked, expires_at: '2026-11-22T07:00:00.000Z' })).rejects.toThrow();
  await expect(makeAddress({ ...asked, expires_at: '2026-11-22T07:01:00.000Z' })).rejects.toThrow();
  const [first, second] = server.callsTo('addresses/').map(({ body }) => body);
  expect(second).toEqual({ ...first, expires_at: '2026-11-22T07:01:00.000Z' });
});

it('makes one layout and one team, and sends one message, if the answers were lost', async () => {
  const { makeLayout, sendToDisplays } = await import('../../../src/api/displays/layouts.ts');
  const { createTeam } = await import('../../../src/api/accounts/teams.ts');
  const layout = { name: 'Gate', pages: [{ type: 'map' as const, dwell_s: 20 }], pin_criticals: true };
  const message = {
    to: { all: true },
    text: 'Fire drill at 10:00.',
    look: 'medium' as const,
    cover: 'band' as const,
    until: '2026-11-22T07:00:00.000Z',
  };
  server.line = 'half';
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(makeLayout(layout)).rejects.toThrow();
    await expect(sendToDisplays(message)).rejects.toThrow();
    await expect(createTeam('Leeds depot')).rejects.toThrow();
  }
  for (const [path, content] of [
    ['displays/layouts', layout],
    ['displays/messages', message],
    ['admin/teams/', { name: 'Leeds depot' }],
  ] as const) {
    const [first, second] = server.callsTo(path).map(({ body }) => body);
    expect(first).toEqual({ ...content, id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/) });
    expect(second).toEqual(first);
  }
});
