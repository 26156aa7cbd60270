import { useEffect } from 'react';
import { mayReload, reloadPage } from './reloads.ts';
import { takeUpdatesQuietly } from './updates.ts';

/** What nobody stands by to do: takes a new version at a quiet moment, and gets a board that failed going again. */
export function useSelfHealing(): void {
  useEffect(takeUpdatesQuietly, []);
  useEffect(reloadAfterStrayErrors, []);
}

/** An error that no page caught may have left anything behind. One that comes back after a reload is left alone for a
 *  while: a board that works is worth more than a clean one. */
const STRAY_GAP_MS = 10 * 60_000;

function reloadAfterStrayErrors(): () => void {
  const listeners = new AbortController();
  const heal = (error: unknown) => {
    const isAbort = error instanceof DOMException && error.name === 'AbortError';
    if (error instanceof Error && !isAbort && mayReload(STRAY_GAP_MS)) void reloadPage();
  };
  // What React reports comes here as well when it is caught by no boundary; a resize observer's complaint has no error.
  addEventListener('error', ({ error }) => heal(error), { signal: listeners.signal });
  addEventListener('unhandledrejection', ({ reason }) => heal(reason), { signal: listeners.signal });
  return () => listeners.abort();
}
