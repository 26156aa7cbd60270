import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heartbeat } from '#contract/displays/displays.ts';
import { useSession, type Session } from '../../../../../src/session/session.ts';
import { adopt, useDisplay } from '../../../../../src/screens/wall/pairing/displayCredential.ts';
import { useWakeLockState } from '../../../../../src/screens/wall/kiosk/wakeLock.ts';
import { WallPage } from '../../../../../src/screens/wall/WallPage.tsx';
import { startDisplayServer } from '../pairing/displayServer.ts';

const ANNA = { id: '1', email: 'anna@example.co.uk', displayName: 'Anna', role: 'user' as const };
const USER: Session = { status: 'signedIn', user: ANNA, offline: false };
const SIGNED_OUT: Session = { status: 'signedOut', user: null, offline: false };
/** A minute, as a busy machine is slow. */
const MINUTE = 60_000;
const HEARTBEAT = 'displays/heartbeat';

let server: ReturnType<typeof startDisplayServer>;

const forget = () => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
};

beforeEach(() => {
  forget();
  server = startDisplayServer();
  useSession.setState(SIGNED_OUT);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a heartbeat', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
  });

  it('is sent soon, and every five minutes by the clock, even after a sleep', async () => {
    adopt({ access_token: 'a', refresh_token: 'b' });
    render(<WallPage />);
    act(() => useWakeLockState.setState({ state: 'held' }));
    const beats = () => server.callsTo(HEARTBEAT).filter(({ authorization }) => authorization !== 'Bearer a');
    await act(() => vi.advanceTimersByTimeAsync(MINUTE));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(1)));
    expect(Heartbeat.parse(beats()[0]!.body)).toMatchObject({ build: 'dev', wake_lock: 'held' });

    await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(3)));

    vi.setSystemTime(Date.now() + 60 * MINUTE);
    await act(() => vi.advanceTimersByTimeAsync(6000));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(4)));
  });

  it('is sent soon after the clock was set back, and every five minutes from then on', async () => {
    adopt({ access_token: 'a', refresh_token: 'b' });
    render(<WallPage />);
    const beats = () => server.callsTo(HEARTBEAT).filter(({ authorization }) => authorization !== 'Bearer a');
    await act(() => vi.advanceTimersByTimeAsync(MINUTE));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(1)));

    vi.setSystemTime(Date.now() - 60 * MINUTE);
    await act(() => vi.advanceTimersByTimeAsync(6000));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(2)));
    await act(() => vi.advanceTimersByTimeAsync(4 * MINUTE));
    expect(beats()).toHaveLength(2);
    await act(() => vi.advanceTimersByTimeAsync(MINUTE));
    await act(() => vi.waitFor(() => expect(beats()).toHaveLength(3)));
  });

  it('is not sent by a wall with a signed-in user, or by one that was refused', async () => {
    useSession.setState(USER);
    adopt({ access_token: 'a', refresh_token: 'b' });
    const { unmount } = render(<WallPage />);
    await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
    unmount();

    useSession.setState(SIGNED_OUT);
    const { pairing } = useDisplay.getState().display as { pairing: string };
    useDisplay.setState({ display: { state: 'signedOut', pairing, at: new Date() } });
    server.refusal = { error: 'invalid_grant', detail: 'Gone.' };
    render(<WallPage />);
    await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
    expect(server.callsTo(HEARTBEAT)).toEqual([]);
  });
});
