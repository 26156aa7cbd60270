import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDisplayServer } from './displayServer.ts';

type Module = typeof import('../../../../../src/screens/wall/pairing/pairingCode.ts');
type Code = Parameters<Parameters<Module['askToPair']>[0]>[0];

/** A second, as a busy machine is slow. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const TOKEN = 'displays/token';
const ASK = 'displays/device_authorization';

let server: ReturnType<typeof startDisplayServer>;
let seen: Code[];
let stop = () => {};
let state: () => string;

const code = () => seen.at(-1)?.shown?.user_code ?? null;
const last = () => seen.at(-1);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  localStorage.clear();
  server = startDisplayServer();
  vi.resetModules();
  const { askToPair } = await import('../../../../../src/screens/wall/pairing/pairingCode.ts');
  const { useDisplay } = await import('../../../../../src/screens/wall/pairing/displayCredential.ts');
  state = () => useDisplay.getState().display.state;
  seen = [];
  stop = askToPair((next) => seen.push(next));
  await vi.waitFor(() => expect(code()).toBe('BCDF-GHJK'));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a display that is not paired', () => {
  it('polls at the given interval, and five seconds slower after each slow_down', async () => {
    await pass(21 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(4);
    server.verdict = 'slow_down';
    await pass(5 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(5);
    server.verdict = 'authorization_pending';
    await pass(9 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(5);
    await pass(2 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(6);
  });

  it('is paired as soon as somebody approves, and polls no more', async () => {
    server.verdict = 'approved';
    await pass(6 * SECOND);
    await vi.waitFor(() => expect(state()).toBe('paired'));
    const { length } = server.calls;
    await pass(20 * MINUTE);
    expect(server.calls).toHaveLength(length);
  });

  it('polls within seconds even if the clock was set back by an hour', async () => {
    vi.setSystemTime(Date.now() - 60 * MINUTE);
    await pass(2 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(1);
  });

  it('asks for a code within seconds even if the clock was set back by an hour', async () => {
    server.crowded = true;
    await pass(11 * MINUTE);
    expect(code()).toBeNull();
    const before = server.callsTo(ASK).length;
    vi.setSystemTime(Date.now() - 60 * MINUTE);
    server.crowded = false;
    await pass(2 * SECOND);
    expect(server.callsTo(ASK)).toHaveLength(before + 1);
    expect(code()).toBe('BCDF-GHJL');
  });

  it('asks one thing at a time on a slow line', async () => {
    server.wait = new Promise(() => {});
    await pass(11 * SECOND);
    expect(server.callsTo(TOKEN)).toHaveLength(2); // the second because the first has had no answer
  });

  it('asks for the next code once, however long the answer takes, and is silent once it is stopped', async () => {
    await pass(9 * MINUTE - 2 * SECOND);
    server.wait = new Promise(() => {});
    await pass(12 * SECOND);
    expect(server.callsTo(ASK)).toHaveLength(2);
    const { length } = seen;
    stop();
    await pass(SECOND);
    expect(seen).toHaveLength(length);
  });

  it('asks for a new code every five seconds at most, however soon the codes expire', async () => {
    server.lasts = 30;
    await pass(9 * MINUTE + 2 * SECOND);
    const before = server.callsTo(ASK).length;
    await pass(20 * SECOND);
    expect(server.callsTo(ASK).length - before).toBeLessThanOrEqual(4);
  });

  it('polls less often while the server is away', async () => {
    server.line = 'cut';
    await pass(5 * MINUTE);
    const before = server.callsTo(TOKEN).length;
    await pass(3 * MINUTE);
    // Each poll is tried twice.
    expect(server.callsTo(TOKEN).length - before).toBeLessThanOrEqual(6);
  });

  it('shows a new code before the old one expires, and accepts an approval of either', async () => {
    await pass(9 * MINUTE + 2 * SECOND);
    expect(code()).toBe('BCDF-GHJL');
    expect(last()?.count).toBe(2);
    const polled = () => new Set(server.callsTo(TOKEN).map(({ body }) => body['device_code']));
    await pass(10 * SECOND);
    expect(polled()).toEqual(new Set(['device-1', 'device-2']));

    const before = server.calls.length;
    await pass(2 * MINUTE);
    expect(server.calls.slice(before + 24).every(({ body }) => body['device_code'] !== 'device-1')).toBe(
      true,
    );
    await pass(8 * MINUTE);
    expect(code()).toBe('BCDF-GHJM');
  });

  it('shows a new code when it is denied, and says so once', async () => {
    server.verdict = 'access_denied';
    await pass(6 * SECOND);
    server.verdict = 'authorization_pending';
    await vi.waitFor(() => expect(code()).toBe('BCDF-GHJL'));
    expect(last()?.denied).toBe(true);
    await pass(9 * MINUTE + 2 * SECOND);
    expect(last()).toMatchObject({ count: 3, denied: false });
  });

  it.each(['expired_token', 'invalid_grant'])('asks for another code after %s', async (verdict) => {
    server.verdict = verdict;
    await pass(6 * SECOND);
    server.verdict = 'authorization_pending';
    await vi.waitFor(() => expect(code()).toBe('BCDF-GHJL'));
    expect(last()?.denied).toBe(false);
  });

  it('says that the server is away, never shows an expired code, and never gives up', async () => {
    server.line = 'cut';
    await pass(6 * SECOND);
    expect(last()).toMatchObject({ problem: 'unreachable', shown: { user_code: 'BCDF-GHJK' } });
    await pass(10 * MINUTE);
    expect(code()).toBeNull();
    const asked = server.callsTo(ASK).length;
    await pass(3 * 60 * MINUTE);
    expect(server.callsTo(ASK).length - asked).toBeGreaterThan(3 * 60 - 1);

    server.line = 'good';
    await pass(61 * SECOND);
    expect(last()).toMatchObject({ problem: null, shown: { user_code: 'BCDF-GHJL' } });
  });

  it('shows the server’s message when it gives no code', async () => {
    server.crowded = true;
    await pass(11 * MINUTE);
    expect(last()).toMatchObject({ shown: null, problem: { detail: 'Too many displays wait.' } });
  });
});

describe('a browser that keeps nothing', () => {
  beforeEach(async () => {
    stop();
    const forbid = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
    vi.resetModules();
    seen = [];
    const { askToPair } = await import('../../../../../src/screens/wall/pairing/pairingCode.ts');
    stop = askToPair((next) => seen.push(next));
    await vi.waitFor(() => expect(code()).not.toBeNull());
  });

  it('is paired like any other, with a credential that lives as long as the page', async () => {
    const { useDisplay } = await import('../../../../../src/screens/wall/pairing/displayCredential.ts');
    const { listFeeds } = await import('../../../../../src/api/alerts/feeds.ts');
    server.verdict = 'approved';
    await pass(6 * SECOND);
    await vi.waitFor(() => expect(useDisplay.getState().display.state).toBe('paired'));

    await listFeeds();
    server.expire();
    await listFeeds();
    expect(server.callsTo('feeds/').map(({ authorization }) => authorization)).toEqual([
      'Bearer access-1',
      'Bearer access-1',
      'Bearer access-2',
    ]);
  });
});
