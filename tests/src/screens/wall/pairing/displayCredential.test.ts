import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { everythingKept, forgetEverything } from '../../../offline/fakeStorage.ts';
import { startDisplayServer } from './displayServer.ts';

const GONE = { error: 'invalid_grant', detail: 'This display is no longer paired.' };

let server: ReturnType<typeof startDisplayServer>;
let tab: Awaited<ReturnType<typeof openTab>>;

/** A page of its own: its own modules, the same storage. */
async function openTab() {
  vi.resetModules();
  const [display, http, snapshot] = await Promise.all([
    import('../../../../../src/screens/wall/pairing/displayCredential.ts'),
    import('../../../../../src/api/http.ts'),
    import('../../../../../src/offline/snapshot.ts'),
  ]);
  return { ...display, ...http, ...snapshot };
}

const display = () => tab.useDisplay.getState().display;
const board = () =>
  tab.call('feeds/').then(
    () => 'shown',
    (error: Error) => error.name,
  );
const START = Date.parse('2026-11-21T12:00:00Z');
const tokens = ['access_token', 'refresh_token', 'session_id'];

beforeEach(async () => {
  localStorage.clear();
  forgetEverything();
  server = startDisplayServer();
  tab = await openTab();
  tab.adopt({ access_token: 'access-0', refresh_token: 'refresh-0' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a paired display', () => {
  it('is still paired after a power cut, with its newest token, even if the browser wrote an older one', async () => {
    const older = localStorage.getItem('clearway_display')!;
    server.expire();
    expect(await board()).toBe('shown');
    const newest = localStorage.getItem('clearway_display');
    for (const left of [older, null]) {
      if (left) localStorage.setItem('clearway_display', left);
      else localStorage.removeItem('clearway_display');
      tab = await openTab();
      expect(localStorage.getItem('clearway_display')).toBe(newest);
      expect(display().state).toBe('paired');
      expect(await board()).toBe('shown');
    }
    // A record without a turn comes from the build before this one, which was put back: it is the newest.
    const { turn: _, ...before } = JSON.parse(newest!) as Record<string, unknown>;
    const put = JSON.stringify({ ...before, pairing: 'by the build before' });
    localStorage.setItem('clearway_display', put);
    tab = await openTab();
    expect(localStorage.getItem('clearway_display')).toBe(put);
  });

  it('calls with its own credential, renews it, and leaves the user’s alone', async () => {
    expect(await board()).toBe('shown');
    expect(server.calls.map(({ authorization }) => authorization)).toEqual([
      'Bearer access-0',
      null,
      'Bearer access-1',
    ]);
    expect(server.calls[1]!.body).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'refresh-0' });
    expect(tokens.map((name) => localStorage.getItem(name))).toEqual([null, null, null]);

    tab = await openTab();
    expect(display().state).toBe('paired');
    server.expire();
    await Promise.all([board(), board(), board()]);
    expect(server.callsTo('displays/token')).toHaveLength(2);
  });

  it('renews an expired token before a call, and any other now and then', async () => {
    const luck = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const minutes = (count: number) => vi.setSystemTime(START + count * 60_000);
    const paths = async () => {
      const before = server.calls.length;
      await board();
      return server.calls.slice(before).map(({ path }) => path);
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    minutes(0);
    tab.adopt({ access_token: 'access-0', refresh_token: 'refresh-0' });
    await board(); // and has one for 15 minutes
    minutes(14);
    expect(await paths()).toEqual(['feeds/']);
    luck.mockReturnValue(0.01);
    server.cannotRenew = true;
    expect(await paths()).toEqual(['displays/token', 'displays/token', 'feeds/']);
    server.cannotRenew = false;
    expect(await paths()).toEqual(['displays/token', 'feeds/']);
    minutes(17);
    expect(await paths()).toEqual(['feeds/']);
    // A token that still works is no longer used once its pairing was refused.
    minutes(19);
    server.refusal = GONE;
    expect(await paths()).toEqual(['displays/token']);
    server.refusal = null;
    expect(await paths()).toEqual(['displays/token', 'feeds/']);

    minutes(120);
    server.expire();
    server.cannotRenew = true;
    expect(await paths()).toEqual(['displays/token', 'displays/token']);
    server.cannotRenew = false;
    expect(await paths()).toEqual(['displays/token', 'feeds/']);

    minutes(-600); // the clock was set back: only the server can tell
    server.expire();
    expect(await paths()).toEqual(['feeds/', 'displays/token', 'feeds/']);
    expect(await paths()).toEqual(['feeds/']);
    server.refusal = GONE;
    server.expire();
    await board();
    expect(await paths()).toEqual(['displays/token']);
  });

  it('gives way to a user who signs in here', async () => {
    localStorage.setItem('access_token', 'a user’s');
    await board();
    expect(server.calls[0]!.authorization).toBe('Bearer a user’s');
  });

  it('keeps its board and scope when it is refused, says since when, and goes on trying', async () => {
    await board();
    const scope = tab.offlineScope();
    await tab.saveSnapshot('board-1', ['rows'], new Date());
    server.expire();
    server.refusal = GONE;
    expect(await board()).toBe('Refused');
    const since = display();
    expect(since).toMatchObject({ state: 'signedOut', at: expect.any(Date) });
    expect(await board()).toBe('Refused');
    expect(display()).toEqual(since);

    tab = await openTab();
    expect(display()).toEqual(since);
    expect((await tab.loadSnapshot('board-1'))?.data).toEqual(['rows']);
    server.refusal = null; // its owner's account was enabled again
    expect(await board()).toBe('shown');
    expect(display().state).toBe('paired');
    expect(tab.offlineScope()).toBe(scope);
  });

  it('keeps its board when it is paired again', async () => {
    const [before, scope] = [display(), tab.offlineScope()];
    tab.adopt({ access_token: 'access-9', refresh_token: 'refresh-9' });
    expect(display()).toMatchObject({ state: 'paired' });
    expect(display()).not.toEqual(before);
    expect(tab.offlineScope()).toBe(scope);
  });

  it('is not signed out by a lost connection', async () => {
    server.line = 'cut';
    expect(await board()).toBe('Unreachable');
    expect(display().state).toBe('paired');
  });

  it('deletes all its copies when it is blanked', async () => {
    await board();
    await tab.saveSnapshot('board-1', ['rows'], new Date());
    expect(everythingKept()).toContain('rows');
    server.expire();
    server.refusal = { ...GONE, blank: true };
    expect(await board()).toBe('Refused');
    expect(display()).toEqual({ state: 'unpaired' });
    await vi.waitFor(() => expect(everythingKept()).toBe('[]'));
    expect(tab.offlineScope()).toBeNull();
    tab = await openTab();
    expect(display()).toEqual({ state: 'unpaired' });
  });

  it.each(['not JSON', '{}', '{"access":"a"}', 'null'])(
    'takes %s in its storage for nothing',
    async (text) => {
      localStorage.setItem('clearway_display', text);
      tab = await openTab();
      expect(display()).toEqual({ state: 'unpaired' });
    },
  );

  it('follows another tab', () => {
    localStorage.removeItem('clearway_display');
    dispatchEvent(new StorageEvent('storage', { key: 'clearway_display' }));
    expect(display()).toEqual({ state: 'unpaired' });
  });
});
