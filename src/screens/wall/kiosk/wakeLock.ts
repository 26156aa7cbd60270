/** Keeps the screen awake as far as the browser allows, and reports whether it succeeds. */
import { create } from 'zustand';
import { noteKeptAwake } from '../../../time/serverClock.ts';

/** A browser may refuse for a while (a low battery), and releases the lock whenever the tab is hidden. */
const ASK_AGAIN_MS = 30_000;

/** Requests the screen's wake lock, and again whenever it is lost, until the returned function is called. */
export function keepAwake(): () => void {
  const wakeLock = navigator.wakeLock as WakeLock | undefined; // only on https and localhost
  const tell = (state: WakeLockState) => {
    useWakeLockState.setState({ state });
    noteKeptAwake(state === 'held');
  };
  if (!wakeLock) {
    tell('unsupported');
    return () => {};
  }

  let lock: WakeLockSentinel | null = null;
  let asking = false;
  let stopped = false;
  const ask = async () => {
    if (stopped || asking || lock || document.visibilityState !== 'visible') return;
    asking = true;
    try {
      const given = await wakeLock.request('screen');
      if (stopped) return void given.release();
      lock = given;
      given.addEventListener('release', () => {
        lock = null;
        if (!stopped) tell('released');
      });
      tell('held');
    } catch {
      tell('refused');
    } finally {
      asking = false;
    }
  };

  const askNow = () => void ask();
  askNow();
  const timer = setInterval(askNow, ASK_AGAIN_MS);
  document.addEventListener('visibilitychange', askNow);
  return () => {
    stopped = true;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', askNow);
    void lock?.release();
    tell('released');
  };
}

/** A warning for the person who sets up the screen; null while the screen is kept awake. */
export function sleepWarning(state: WakeLockState, secure: boolean): string | null {
  if (state === 'held') return null;
  if (state !== 'unsupported') return 'This screen may go to sleep: the browser does not keep it awake now';
  return secure
    ? 'This screen may go to sleep: this browser cannot keep it awake'
    : 'This screen may go to sleep: open this address by https';
}

/** `refused`: the browser refused this time. `unsupported`: an old browser, or plain http. `released`: the browser
 *  released the lock, or has not been asked yet. */
type WakeLockState = 'held' | 'refused' | 'unsupported' | 'released';

/** Whether this screen is kept awake. */
export const useWakeLockState = create<{ state: WakeLockState }>(() => ({ state: 'released' }));
