import { useEffect } from 'react';
import { mayReload, reloadPage } from './reloads.ts';
import { takeUpdatesQuietly } from './updates.ts';

/** Runs a wall unattended: installs a new version at a quiet moment, and restarts a board that failed. */
export function useSelfHealing(): void {
  useEffect(takeUpdatesQuietly, []);
  useEffect(reloadAfterStrayErrors, []);
}

/** An uncaught error may have left the page in any state, so the page reloads. If the error comes back after a
 *  reload, it is ignored for this long: a board that still works is better than one that keeps reloading. */
const STRAY_GAP_MS = 10 * 60_000;

function reloadAfterStrayErrors(): () => void {
  const listeners = new AbortController();
  const heal = (error: unknown) => {
    const isAbort = error instanceof DOMException && error.name === 'AbortError';
    if (error instanceof Error && !isAbort && mayReload(STRAY_GAP_MS)) void reloadPage();
  };
  // React's errors arrive here too if no boundary catches them. A resize observer's warning has no `error`.
  addEventListener('error', ({ error }) => heal(error), { signal: listeners.signal });
  addEventListener('unhandledrejection', ({ reason }) => heal(reason), { signal: listeners.signal });
  return () => listeners.abort();
}
